//! A request before it is sent: method, path, query, body, and how long it may take.

use super::options::Scope;
use crate::model::request::ListOfSandbox;
use crate::model::{Foreign, Id, SandboxName};
use reqwest::Method;
use serde::Serialize;
use std::fmt::Write;

/// How long the service may take to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    Quick,
    /// It boots, stops or waits for something before it answers.
    Slow,
}

/// Built left to right; the first thing that must not be sent is kept and told by the sending.
pub(super) struct Call {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) body: Option<Vec<u8>>,
    pub(super) pace: Pace,
    pub(super) refused: Option<&'static str>,
}

impl Call {
    pub(super) fn new(name: &'static str, method: Method, path: &'static str) -> Self {
        Self {
            name,
            method,
            path: path.to_owned(),
            query: Vec::new(),
            body: None,
            pace: Pace::Quick,
            refused: None,
        }
    }

    pub(super) fn get(name: &'static str, path: &'static str) -> Self {
        Self::new(name, Method::GET, path)
    }

    pub(super) fn post(name: &'static str, path: &'static str) -> Self {
        Self::new(name, Method::POST, path)
    }

    pub(super) fn then(mut self, path: &'static str) -> Self {
        self.path.push_str(path);
        self
    }

    /// A sandbox's name, as one segment whatever it holds.
    pub(super) fn name(self, name: &SandboxName) -> Self {
        let refused = match name.as_raw() {
            "" => Some("a sandbox without a name cannot be addressed"),
            "." | ".." => Some("a sandbox of this name cannot be addressed: it is a path step"),
            "sessions" | "snapshots" | "drives" => {
                Some("a sandbox of this name cannot be addressed: the API has a list there")
            }
            _ => None,
        };
        self.segment(name.as_raw()).refuse(refused)
    }

    /// An id goes in as it is (api.md §1.1), so only what cannot change the path may.
    pub(super) fn id<K>(self, id: &Id<K>) -> Self {
        let raw = id.as_raw();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_.:-".contains(&b);
        let fine = !matches!(raw, "" | "." | "..") && raw.bytes().all(plain);
        if fine {
            self.then("/").raw(raw)
        } else {
            self.segment(raw)
                .refuse(Some("the id holds what no id of the service holds"))
        }
    }

    pub(super) fn ask(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.query.push((key, value.into()));
        self
    }

    pub(super) fn ask_some(self, key: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.ask(key, value),
            None => self,
        }
    }

    /// `project` in lists, `projectId` elsewhere (api.md §2.0). A token may bring its project with it.
    pub(super) fn project(self, key: &'static str, scope: &Scope) -> Self {
        self.ask_some(key, scope.project.as_ref().map(Id::as_raw))
    }

    /// The service's pages hold 1 to 50 entries.
    pub(super) fn limit(self, limit: Option<u8>) -> Self {
        let fine = limit.is_none_or(|limit| (1..=50).contains(&limit));
        self.ask_some("limit", limit.map(|limit| limit.to_string()))
            .refuse((!fine).then_some("a page holds 1 to 50 entries"))
    }

    pub(super) fn order(self, ascending: Option<bool>) -> Self {
        let word = |ascending| if ascending { "asc" } else { "desc" };
        self.ask_some("sortOrder", ascending.map(word))
    }

    pub(super) fn of_sandbox(self, asked: &ListOfSandbox) -> Self {
        self.ask_some("name", asked.name.as_ref().map(Id::as_raw))
            .limit(asked.limit)
            .ask_some("cursor", asked.cursor.as_ref().map(Foreign::as_raw))
            .order(asked.ascending)
    }

    pub(super) fn body(mut self, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => self.body = Some(body),
            Err(_) => {
                return self.refuse(Some("the body of the request cannot be written as JSON"));
            }
        }
        self
    }

    pub(super) fn slow(mut self) -> Self {
        self.pace = Pace::Slow;
        self
    }

    pub(super) fn refuse(mut self, why: Option<&'static str>) -> Self {
        self.refused = self.refused.or(why);
        self
    }

    /// `GET https://vercel.com/api/v2/sandboxes/box`: what people are told.
    pub(super) fn line(&self, base: &str) -> Foreign {
        Foreign::from(format!("{} {base}{}", self.method, self.path))
    }

    fn raw(mut self, text: &str) -> Self {
        self.path.push_str(text);
        self
    }

    pub(super) fn segment(mut self, text: &str) -> Self {
        self.path.push('/');
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                self.path.push(char::from(byte));
            } else {
                // Writing to a String cannot fail.
                let _ = write!(self.path, "%{byte:02X}");
            }
        }
        self
    }
}
