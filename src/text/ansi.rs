//! A log line for drawing: what a terminal would show of it, as runs of one style.
//!
//! Colours and attributes are kept as data. What moves inside the line (`\r`, backspace, tab, `CSI C D G K`)
//! is applied, so that a progress bar shows its last state. Everything else is taken out whole, see
//! [`super::clean`]. Each line starts with no style: nothing leaks from the one before.

use super::clean::Neutral;
use super::escape::{Csi, sequence};
use super::row::Row;
use super::sgr::RunStyle;
use super::width::head;
use crate::model::Clean;
use memchr::memchr2_iter;
use std::borrow::Cow;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub text: Clean,
    pub style: RunStyle,
}

/// The first `max_columns` of a line. `tab`: columns between tab stops.
pub fn runs(raw: &str, tab: usize, max_columns: usize) -> Vec<Run> {
    if raw.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return run(head(raw, max_columns), RunStyle::default())
            .into_iter()
            .collect();
    }
    let line = neutral(raw);
    let row = drawn(&line, tab.max(1), max_columns);
    let mut runs = Vec::new();
    let mut text = String::new();
    let mut style = RunStyle::default();
    for (part, its_style) in row.into_texts() {
        if its_style != style {
            runs.extend(run(&text, style));
            text.clear();
            style = its_style;
        }
        text.push_str(part);
    }
    runs.extend(run(&text, style));
    runs
}

/// The same without styles: for copying, searching and exporting what is seen.
pub fn shown(raw: &str, tab: usize, max_columns: usize) -> Clean {
    match <[Run; 1]>::try_from(runs(raw, tab, max_columns)) {
        Ok([run]) => run.text,
        Err(runs) => Clean::trusted(runs.iter().map(|run| run.text.as_str()).collect::<String>()),
    }
}

/// The text without control sequences, and else as it came. For files and pipes: a terminal gets [`shown`].
pub fn stripped(raw: &str) -> Cow<'_, str> {
    let Some(mut at) = introducer(raw) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    loop {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[sequence(rest).map_or(1, |sequence| sequence.len)..];
        match introducer(rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Where the next ESC or 8-bit control is: U+0080 to U+009F, whose first byte is 0xc2.
fn introducer(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr2_iter(0x1b, 0xc2, bytes)
        .find(|at| bytes[*at] == 0x1b || bytes.get(at + 1).is_some_and(|next| *next < 0xa0))
}

fn run(text: &str, style: RunStyle) -> Option<Run> {
    let text = (!text.is_empty()).then(|| Clean::trusted(text))?;
    Some(Run { text, style })
}

/// The line with every character harmless but for the controls, which [`drawn`] takes out.
fn neutral(raw: &str) -> Cow<'_, str> {
    if raw.is_ascii() {
        return Cow::Borrowed(raw);
    }
    let mut line = Neutral::with_capacity(raw.len());
    for c in raw.chars() {
        if c.is_control() {
            line.push_control(c);
        } else {
            line.push(c);
        }
    }
    Cow::Owned(line.text)
}

fn drawn(line: &str, tab: usize, max_columns: usize) -> Row<'_> {
    let mut row = Row::with_limit(max_columns);
    let mut style = RunStyle::default();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = sequence(rest) {
            if let Some(csi) = sequence.csi {
                act(&csi, &mut row, &mut style);
            }
            rest = &rest[sequence.len..];
        } else if c.is_ascii_control() {
            control(c, &mut row, tab, style);
            rest = &rest[1..];
        } else {
            let len = rest.find(char::is_control).unwrap_or(rest.len());
            let (text, after) = rest.split_at(len);
            row.put_all(text, style);
            rest = after;
        }
    }
    row
}

fn act(csi: &Csi<'_>, row: &mut Row<'_>, style: &mut RunStyle) {
    if csi.action == b'm' {
        style.apply(csi.parameters);
        return;
    }
    if csi.parameters.bytes().any(|b| !b.is_ascii_digit()) {
        return;
    }
    let n = csi.parameters.parse().unwrap_or(0);
    let column = row.column();
    match (csi.action, n) {
        (b'C', n) => row.move_to(column.saturating_add(n.max(1))),
        (b'D', n) => row.move_to(column.saturating_sub(n.max(1))),
        (b'G', n) => row.move_to(n.saturating_sub(1)),
        (b'K', 0) => row.clear(column, usize::MAX),
        (b'K', 1) => row.clear(0, column.saturating_add(1)),
        (b'K', 2) => row.clear(0, usize::MAX),
        _ => {}
    }
}

fn control(c: char, row: &mut Row<'_>, tab: usize, style: RunStyle) {
    let column = row.column();
    match c {
        '\r' => row.move_to(0),
        '\u{8}' => row.move_to(column.saturating_sub(1)),
        '\t' => row.skip_to((column / tab).saturating_add(1).saturating_mul(tab)),
        '\n' | '\u{b}' | '\u{c}' => row.put(" ", style),
        // Terminals do nothing visible with these.
        '\u{7}' | '\u{e}' | '\u{f}' | '\u{18}' | '\u{1a}' | '\u{7f}' => {}
        _ => row.put("\u{fffd}", style),
    }
}
