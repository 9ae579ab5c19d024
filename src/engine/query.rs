//! The query of a request, and the rules of lists (api.md §2.1, §2.14).

use super::refusal::Refusal;
use crate::model::request::{ListStatus, SortBy};
use crate::model::{Pagination, ProjectId, SandboxName, SnapshotId, Timestamp};
use crate::store::{Key, Mark, Row, SandboxFilter, Window};
use axum::extract::{FromRequestParts, Query as Pairs};
use axum::http::request::Parts;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Value, json};

/// Names and values in their order. What is not asked for is ignored.
pub(super) struct Query(Vec<(String, String)>);

const DEFAULT_LIMIT: usize = 20;
/// Of a page about sandboxes, sessions, snapshots.
pub(super) const MOST: usize = 50;
/// Of a page of projects.
const MOST_PROJECTS: usize = 100;

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Pairs::from_request_parts(parts, state).await {
            Ok(Pairs(pairs)) => Ok(Self(pairs)),
            Err(error) => Err(Refusal::bad_request(error.body_text())),
        }
    }
}

impl Query {
    /// The value of a name that may be given once; empty counts as not given.
    pub fn one(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.0.iter().filter(|(key, _)| key == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Ok(Some(value.as_str()).filter(|value| !value.is_empty())),
            (None, _) => Ok(None),
            (Some(_), Some(_)) => Err(Refusal::field(name, "may be given once")),
        }
    }

    /// An enumeration's word.
    fn word<T: for<'a> Deserialize<'a>>(
        &self,
        name: &str,
        words: &str,
    ) -> Result<Option<T>, Refusal> {
        let Some(word) = self.one(name)? else {
            return Ok(None);
        };
        match T::deserialize(json!(word)) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Refusal::field(name, format!("must be one of {words}"))),
        }
    }

    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        match self.one(name)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Refusal::field(name, "must be true or false")),
        }
    }

    /// Lists call it `project`, the other calls `projectId`.
    pub fn project(&self, name: &str) -> Result<Option<ProjectId>, Refusal> {
        Ok(self.one(name)?.map(ProjectId::new))
    }

    /// The filter of the lists of sessions and snapshots.
    pub fn sandbox(&self) -> Result<Option<SandboxName>, Refusal> {
        Ok(self.one("name")?.map(SandboxName::new))
    }

    fn tag(&self) -> Result<Option<(String, String)>, Refusal> {
        match self.one("tags")?.map(|tag| tag.split_once(':')) {
            None => Ok(None),
            Some(Some((key, value))) => Ok(Some((key.to_owned(), value.to_owned()))),
            Some(None) => Err(Refusal::field("tags", "must be one `key:value`")),
        }
    }

    /// How many entries a page may have.
    pub fn limit(&self, default: usize, most: usize) -> Result<usize, Refusal> {
        let Some(limit) = self.one("limit")? else {
            return Ok(default);
        };
        match limit.parse() {
            Ok(limit) if (1..=most).contains(&limit) => Ok(limit),
            _ => Err(Refusal::field(
                "limit",
                format!("must be a whole number from 1 to {most}"),
            )),
        }
    }

    /// Reads the rules of the list of sandboxes.
    pub fn sandboxes(&self) -> Result<(SandboxFilter, Listing), Refusal> {
        let by: SortBy = self
            .word(
                "sortBy",
                "createdAt, name, statusUpdatedAt, currentSnapshotId",
            )?
            .unwrap_or(SortBy::CreatedAt);
        let filter = SandboxFilter {
            project: self.project("project")?,
            name_prefix: self.one("namePrefix")?.map(str::to_owned),
            status: self.word::<ListStatus>("status", "running, stopping, stopped")?,
            tag: self.tag()?,
        };
        if filter.name_prefix.is_some() && by != SortBy::Name {
            return Err(Refusal::field("namePrefix", "is only for `sortBy=name`"));
        }
        if filter.status.is_some() && by != SortBy::CreatedAt {
            return Err(Refusal::field("status", "is only for `sortBy=createdAt`"));
        }
        Ok((filter, self.listing(by)?))
    }

    pub fn ascending(&self) -> Result<bool, Refusal> {
        match self.one("sortOrder")? {
            Some("asc") => Ok(true),
            None | Some("desc") => Ok(false),
            Some(_) => Err(Refusal::field("sortOrder", "must be asc or desc")),
        }
    }

    /// The snapshot that a walk through the tree starts from.
    pub fn snapshot(&self) -> Result<SnapshotId, Refusal> {
        let id = self.one("snapshotId")?;
        id.map(SnapshotId::new)
            .ok_or_else(|| Refusal::field("snapshotId", "is missing"))
    }

    /// Reads the rules of the list of projects: a part of their names, and which page.
    pub fn projects(&self) -> Result<(Option<String>, Listing), Refusal> {
        let search = self.one("search")?.map(str::to_owned);
        let listing = Listing {
            by: SortBy::CreatedAt,
            limit: self.limit(DEFAULT_LIMIT, MOST_PROJECTS)?,
            ascending: false,
            after: None,
        };
        Ok((search, self.after("from", listing)?))
    }

    /// The bounds of the list of teams, both exclusive.
    pub fn since_until(&self) -> Result<(Option<i64>, Option<i64>), Refusal> {
        let time = |name: &str| {
            let time = self.one(name)?.map(str::parse);
            time.transpose()
                .map_err(|_| Refusal::field(name, "must be a time in ms since 1970"))
        };
        Ok((time("since")?, time("until")?))
    }

    /// A time in ISO 8601, or a day for its beginning in UTC.
    pub fn time(&self, name: &str) -> Result<Timestamp, Refusal> {
        let text = self
            .one(name)?
            .ok_or_else(|| Refusal::field(name, "is missing"))?;
        let time: jiff::Timestamp = text
            .parse()
            .or_else(|_| format!("{text}T00:00:00Z").parse())
            .map_err(|_| Refusal::field(name, "must be a time such as 2026-01-31T00:00:00Z"))?;
        Ok(Timestamp(time.as_millisecond()))
    }

    /// Reads order, limit and cursor.
    pub fn listing(&self, by: SortBy) -> Result<Listing, Refusal> {
        let listing = Listing {
            by,
            limit: self.limit(DEFAULT_LIMIT, MOST)?,
            ascending: self.ascending()?,
            after: None,
        };
        self.after("cursor", listing)
    }

    /// Lets the page start where the cursor says.
    fn after(&self, name: &str, mut listing: Listing) -> Result<Listing, Refusal> {
        if let Some(cursor) = self.one(name)? {
            let mark = listing.read_cursor(cursor);
            let rule = "is not a cursor of this list in this order";
            listing.after = Some(mark.ok_or_else(|| Refusal::field(name, rule))?);
        }
        Ok(listing)
    }
}

/// One page of a list that somebody asked for.
pub(super) struct Listing {
    pub by: SortBy,
    ascending: bool,
    limit: usize,
    after: Option<Mark>,
}

impl Listing {
    /// One row more than the page has: it tells whether there is a next page.
    pub fn window(&self) -> Window {
        Window {
            ascending: self.ascending,
            after: self.after.clone(),
            limit: self.limit + 1,
        }
    }

    /// The answer: the page's facts under `field`, and where the next one starts.
    pub fn page<T>(
        &self,
        field: &str,
        mut rows: Vec<Row<T>>,
        key: impl Fn(&T) -> Key,
        fact: impl Fn(T) -> Value,
    ) -> Value {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let last = rows.last().filter(|_| more);
        let next = last.map(|last| self.write_cursor(&key(&last.record), last.row));
        let pagination = Pagination {
            count: rows.len(),
            next,
        };
        let facts: Vec<Value> = rows.into_iter().map(|row| fact(row.record)).collect();
        json!({field: facts, "pagination": pagination})
    }

    fn write_cursor(&self, key: &Key, row: i64) -> String {
        let key = match key {
            Key::Number(number) => json!(number),
            Key::Text(text) => json!(text),
        };
        let cursor = json!([self.by, self.ascending, key, row]);
        BASE64_URL_SAFE_NO_PAD.encode(cursor.to_string())
    }

    fn read_cursor(&self, cursor: &str) -> Option<Mark> {
        let text = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (by, ascending, key, row): (SortBy, bool, Value, i64) =
            serde_json::from_slice(&text).ok()?;
        let key = match key {
            Value::String(text) => Key::Text(text),
            number => Key::Number(number.as_i64()?),
        };
        let fits = by == self.by && ascending == self.ascending;
        fits.then_some(Mark { key, row })
    }
}
