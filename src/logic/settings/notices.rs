//! How the settings of notices are written: lists of ways, and hours in which it is quiet.

use super::table::Value;
use super::{Complaints, document};
use crate::logic::notices::{Quiet, Ways};
use crate::text::nearest;

const WAYS: [&str; 4] = ["app", "bell", "terminal", "desktop"];

/// `["app", "bell"]`; none of them: it is not told.
pub(super) fn ways(value: &Value<'_>, complaints: &mut Complaints<'_>) -> Option<Ways> {
    let Some(words) = value.get_ref().as_array() else {
        let what = "this is a list of ways: [\"app\", \"bell\"]; [] tells nothing";
        complaints.add(value.span(), what.to_owned(), None);
        return None;
    };
    let mut ways = Ways::default();
    for word in words {
        match word.get_ref().as_str() {
            Some("app") => ways.app = true,
            Some("bell") => ways.bell = true,
            Some("terminal") => ways.terminal = true,
            Some("desktop") => ways.desktop = true,
            other => {
                let given = other.unwrap_or(document::kind(word.get_ref()));
                let what = format!("`{given}` is no way to tell: {}", WAYS.join(", "));
                complaints.add(word.span(), what, nearest(given, WAYS.into_iter()));
            }
        }
    }
    Some(ways)
}

/// `"22:00-07:00"`; `""`: never.
pub(super) fn quiet(value: &Value<'_>, complaints: &mut Complaints<'_>) -> Option<Option<Quiet>> {
    let given = value.get_ref().as_str();
    let quiet = match given {
        Some("") => return Some(None),
        Some(given) => given.split_once('-').and_then(|(from, to)| {
            let (from, to) = (minute(from)?, minute(to)?);
            Some(Quiet { from, to })
        }),
        None => None,
    };
    if quiet.is_none() {
        let what = "these are two times of day, \"22:00-07:00\", or \"\" for never";
        complaints.add(value.span(), what.to_owned(), None);
    }
    quiet.map(Some)
}

/// Of the day.
fn minute(time: &str) -> Option<u16> {
    let (hour, minute) = time.trim().split_once(':')?;
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}
