//! Changes of files as lines that went and came.

use super::body::{chop, printed_line};
use crate::agents::{Change, FileChange, Hunk};
use crate::text::{clean, say};
use crate::ui::{Piece, Role, label, span};
use similar::{ChangeTag, TextDiff};

/// Beyond so many lines what went stands before what came: comparing them could take too long.
const MOST_COMPARED: usize = 2_000;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// A line of a difference; `None`: some that did not change are left out.
type DiffLine<'a> = Option<(ChangeTag, &'a str)>;

/// At this width.
pub(super) fn rows(changes: &[FileChange], width: usize) -> Vec<Vec<Piece>> {
    let mut rows = Vec::new();
    for change in changes {
        if changes.len() > 1 {
            let name = say(format_args!(
                "{} {}",
                change.change.word(),
                clean(&change.path)
            ));
            rows.push(vec![span(&name, Role::Title)]);
        }
        if change.hunks.is_empty() && change.change != Change::Delete {
            rows.push(vec![label("What changed in it is not told.", Role::Dim)]);
        }
        for (nth, hunk) in change.hunks.iter().enumerate() {
            if nth > 0 {
                rows.push(vec![label("…", Role::Dim)]);
            }
            for line in lines(hunk) {
                rows.extend(row(line, width));
            }
        }
    }
    rows
}

fn row(line: DiffLine<'_>, width: usize) -> Vec<Vec<Piece>> {
    let Some((tag, words)) = line else {
        return vec![vec![label("…", Role::Dim)]];
    };
    let (sign, role) = match tag {
        ChangeTag::Equal => ("  ", Role::Dim),
        ChangeTag::Insert => ("+ ", Role::Added),
        ChangeTag::Delete => ("- ", Role::Removed),
    };
    let pieces: Vec<Piece> = printed_line(words)
        .into_iter()
        .map(|piece| piece.as_role(role))
        .collect();
    let mut rows = chop(&pieces, width.saturating_sub(2));
    for row in &mut rows {
        row.insert(0, label(sign, role));
    }
    rows
}

/// Lines that came, and lines that went.
pub(super) fn count(changes: &[FileChange]) -> (usize, usize) {
    let hunks = changes.iter().flat_map(|change| &change.hunks);
    hunks
        .flat_map(lines)
        .flatten()
        .fold((0, 0), |(came, went), (tag, _)| match tag {
            ChangeTag::Insert => (came + 1, went),
            ChangeTag::Delete => (came, went + 1),
            ChangeTag::Equal => (came, went),
        })
}

/// As in a patch.
pub(super) fn patch(hunk: &Hunk) -> String {
    let mut patch = String::new();
    for line in lines(hunk) {
        let (sign, words) = match line {
            Some((ChangeTag::Equal, words)) => (" ", words),
            Some((ChangeTag::Insert, words)) => ("+", words),
            Some((ChangeTag::Delete, words)) => ("-", words),
            None => ("@@", ""),
        };
        patch.push_str(sign);
        patch.push_str(words);
        patch.push('\n');
    }
    patch
}

fn lines(hunk: &Hunk) -> Vec<DiffLine<'_>> {
    let (old, new) = (hunk.old.as_raw(), hunk.new.as_raw());
    if old.lines().count() + new.lines().count() > MOST_COMPARED || old.is_empty() || new.is_empty()
    {
        let went = old.lines().map(|line| Some((ChangeTag::Delete, line)));
        let came = new.lines().map(|line| Some((ChangeTag::Insert, line)));
        return went.chain(came).collect();
    }
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for (nth, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if nth > 0 {
            lines.push(None);
        }
        let changes = group.iter().flat_map(|op| diff.iter_changes(op));
        lines.extend(changes.map(|change| {
            let words = change.value().trim_end_matches(['\r', '\n']);
            Some((change.tag(), words))
        }));
    }
    lines
}
