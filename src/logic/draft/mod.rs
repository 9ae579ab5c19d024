//! What was typed into a form, and the request it makes; or, for each field, what is wrong with it.

mod create;
mod run;
mod shell;
#[cfg(test)]
mod tests;

pub use create::{CreateDraft, CreateField, RUNTIMES};
pub use run::{RunDraft, RunField, again};
pub use shell::{ShellDraft, ShellField};

use super::{filter, words};
use crate::model::request::Env;
use crate::model::{Clean, Span};
use crate::text::{clean_str, say};
use std::collections::BTreeMap;

/// What is wrong, field by field; nothing is sent while it is not empty.
#[derive(Debug)]
struct Wrong<F>(Vec<(F, Clean)>);

impl<F> Wrong<F> {
    /// The value, or its default and a word about the field.
    fn sort<T: Default>(&mut self, field: F, read: Result<T, Clean>) -> T {
        read.unwrap_or_else(|why| {
            self.0.push((field, why));
            T::default()
        })
    }
}

fn env(text: &str) -> Result<Env, Clean> {
    let pairs = words::pairs(text)?;
    for (name, _) in &pairs {
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(begins) || !name.chars().all(goes_on) {
            return Err(say(format_args!(
                "{} is no variable's name",
                clean_str(name)
            )));
        }
    }
    let mut env = BTreeMap::new();
    for (name, value) in pairs {
        if env.insert(name.clone(), value).is_some() {
            return Err(say(format_args!("{} stands twice", clean_str(&name))));
        }
    }
    Ok(Env(env))
}

/// `5m`; `None` where nothing was typed. `least` in words too.
fn timeout(text: &str, least: Span, rule: &'static str) -> Result<Option<i64>, Clean> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let span = filter::span(text).ok_or(Clean::from("a time, as in 90s, 5m, 2h"))?;
    if span < least {
        return Err(Clean::from(rule));
    }
    Ok(Some(span.0))
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
