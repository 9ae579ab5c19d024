//! What every answer brings besides its value.

use crate::model::{Foreign, Timestamp};
use reqwest::header::{DATE, HeaderMap};

/// A value and what the answer's header said beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered<T> {
    pub value: T,
    /// The service's clock (`Date`, to the second), for the skew.
    pub date: Option<Timestamp>,
    /// What support asks for when something went wrong.
    pub request_id: Option<Foreign>,
}

impl<T> Answered<T> {
    pub(super) fn new(value: T, headers: &HeaderMap) -> Self {
        Self {
            value,
            date: date(headers),
            request_id: request_id(headers),
        }
    }

    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answered<U> {
        Answered {
            value: change(self.value),
            date: self.date,
            request_id: self.request_id,
        }
    }
}

pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

pub(super) fn request_id(headers: &HeaderMap) -> Option<Foreign> {
    text(headers, "x-vercel-id")
        .or_else(|| text(headers, "x-request-id"))
        .map(Foreign::from)
}

pub(super) fn date(headers: &HeaderMap) -> Option<Timestamp> {
    let date = jiff::fmt::rfc2822::parse(text(headers, DATE.as_str())?).ok()?;
    Some(Timestamp(date.timestamp().as_millisecond()))
}
