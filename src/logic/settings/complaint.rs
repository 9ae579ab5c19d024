//! What is wrong in a file of settings: where, why, and what may have been meant.

use crate::model::Clean;
use crate::text::{clean_str, say};
use std::ops::{Range, RangeInclusive};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub file: Clean,
    /// Line and column, both from 1, in characters; `None`: the file as a whole.
    pub at: Option<(usize, usize)>,
    pub what: Clean,
    /// The nearest valid name.
    pub nearest: Option<&'static str>,
}

impl Complaint {
    /// About a file as a whole.
    pub fn of_file(file: &str, what: &str) -> Self {
        Self {
            file: clean_str(file),
            at: None,
            what: clean_str(what),
            nearest: None,
        }
    }

    /// `config.toml:3:1: there is no setting `thme`; did you mean `theme`?`
    pub fn sentence(&self) -> Clean {
        let place = self
            .at
            .map(|(line, column)| format!(":{line}:{column}"))
            .unwrap_or_default();
        let near = self
            .nearest
            .map(|name| format!("; did you mean `{name}`?"))
            .unwrap_or_default();
        say(format_args!("{}{place}: {}{near}", self.file, self.what))
    }
}

/// Collects what is wrong in one file.
#[derive(Debug)]
pub struct Complaints<'a> {
    file: &'a str,
    text: &'a str,
    list: Vec<(usize, Complaint)>,
    /// Where the syntax is broken, in bytes.
    broken: Vec<usize>,
}

impl<'a> Complaints<'a> {
    /// A byte order mark is no part of the text.
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            list: Vec::new(),
            broken: Vec::new(),
        }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// `at`: bytes of the text.
    pub fn add(&mut self, at: Range<usize>, what: String, nearest: Option<&'static str>) {
        let complaint = Complaint {
            file: clean_str(self.file),
            at: Some(place(self.text, at.start)),
            what: clean_str(&what),
            nearest,
        };
        self.list.push((at.start, complaint));
    }

    /// The syntax is broken there.
    pub(super) fn spoil(&mut self, at: usize) {
        self.broken.push(at);
    }

    /// Whether the syntax is broken within: nobody knows what was meant.
    pub(super) fn is_spoiled(&self, within: &RangeInclusive<usize>) -> bool {
        self.broken.iter().any(|at| within.contains(at))
    }

    /// As they stand in the file.
    pub fn in_order(mut self) -> Vec<Complaint> {
        self.list.sort_by_key(|(at, _)| *at);
        self.list
            .into_iter()
            .map(|(_, complaint)| complaint)
            .collect()
    }
}

fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default();
    (line, column.chars().count() + 1)
}
