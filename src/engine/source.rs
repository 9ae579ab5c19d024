//! What the files of a new sandbox come from (api.md §2.2).

use super::cell::{Login, Repository};
use super::fields::Fields;
use super::refusal::Refusal;
use super::rules;
use crate::model::SnapshotId;
use reqwest::Url;
use serde_json::Value;

/// Without one a sandbox starts empty.
#[derive(Debug)]
pub(super) enum Source {
    Snapshot(SnapshotId),
    Content(Content),
}

/// What is fetched into a new sandbox, once it runs and before anybody hears of it.
#[derive(Debug)]
pub(super) enum Content {
    Git(Repository),
    Tarball(Url),
}

const KINDS: &str = "must be one of git, tarball, snapshot";

pub(super) fn rule(field: &str, value: &Value) -> Result<Source, Refusal> {
    let fields = Fields::within(field, value)?;
    let kind = fields.need("type", rules::text)?;
    match kind.as_str() {
        "snapshot" => {
            let id = fields.need("snapshotId", rules::short_text)?;
            Ok(Source::Snapshot(SnapshotId::new(id)))
        }
        "git" => repository(&fields).map(|repository| Source::Content(Content::Git(repository))),
        "tarball" => {
            let url = fields.need("url", address)?;
            Ok(Source::Content(Content::Tarball(url)))
        }
        _ => Err(Refusal::field(&format!("{field}.type"), KINDS)),
    }
}

fn repository(fields: &Fields) -> Result<Repository, Refusal> {
    let username = fields.get("username", line)?;
    let password = fields.get("password", line)?;
    Ok(Repository {
        url: fields.need("url", open_address)?.into(),
        revision: fields.get("revision", revision)?,
        depth: fields.get("depth", depth)?,
        login: (username.is_some() || password.is_some()).then(|| Login {
            username: username.unwrap_or_default(),
            password: password.unwrap_or_default(),
        }),
    })
}

/// Text that git is told line by line.
fn line(field: &str, value: &Value) -> Result<String, Refusal> {
    let text = rules::text(field, value)?;
    if text.contains(char::is_control) {
        return Err(Refusal::field(field, "must not hold control characters"));
    }
    Ok(text)
}

fn address(field: &str, value: &Value) -> Result<Url, Refusal> {
    let url = Url::parse(&line(field, value)?).ok();
    let usable = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    url.filter(usable)
        .ok_or_else(|| Refusal::field(field, "must be an http or https address"))
}

fn open_address(field: &str, value: &Value) -> Result<Url, Refusal> {
    let url = address(field, value)?;
    if url.username().is_empty() && url.password().is_none() {
        return Ok(url);
    }
    let rule = "must not hold a login: send it as `username` and `password`";
    Err(Refusal::field(field, rule))
}

/// No name of a branch, tag or commit looks like an option.
fn revision(field: &str, value: &Value) -> Result<String, Refusal> {
    let name = line(field, value)?;
    if name.is_empty() || name.starts_with('-') || name.len() > 255 {
        return Err(Refusal::field(
            field,
            "must name a branch, a tag or a commit",
        ));
    }
    Ok(name)
}

fn depth(field: &str, value: &Value) -> Result<u32, Refusal> {
    let depth = value.as_u64().and_then(|depth| u32::try_from(depth).ok());
    depth
        .filter(|depth| *depth > 0)
        .ok_or_else(|| Refusal::field(field, "must be a whole number of at least 1"))
}
