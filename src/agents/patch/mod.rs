//! Changes of files as agents tell them: unified diffs, the patches of `apply_patch`, and Codex's map of changes.

#[cfg(test)]
mod tests;

use super::value::{self, Object, object, text};
use super::{Change, FileChange, Hunk};

/// Hunks of one file; the rest is in the log.
const HUNKS: usize = 200;
const FILES: usize = 200;

const BEGIN: &str = "*** Begin Patch";
const HEADS: [(&str, Change); 3] = [
    ("*** Add File: ", Change::Add),
    ("*** Update File: ", Change::Update),
    ("*** Delete File: ", Change::Delete),
];

/// The two sides of a hunk that is being read.
#[derive(Default)]
struct Sides {
    old: String,
    new: String,
}

impl Sides {
    fn add(&mut self, line: &str) {
        let (sides, rest): (&mut [&mut String], &str) = match line.split_at_checked(1) {
            Some(("+", rest)) => (&mut [&mut self.new], rest),
            Some(("-", rest)) => (&mut [&mut self.old], rest),
            Some((" ", rest)) => (&mut [&mut self.old, &mut self.new], rest),
            None => (&mut [&mut self.old, &mut self.new], line),
            // `\ No newline at end of file`, or no diff at all.
            Some(_) => return,
        };
        for side in sides {
            side.push_str(rest);
            side.push('\n');
        }
    }

    fn finish(&mut self, hunks: &mut Vec<Hunk>) {
        let Self { old, new } = std::mem::take(self);
        if hunks.len() < HUNKS && (!old.is_empty() || !new.is_empty()) {
            hunks.push(Hunk {
                old: value::body(&old),
                new: value::body(&new),
            });
        }
    }
}

/// The hunks of a unified diff of one file.
pub fn hunks(diff: &str) -> Vec<Hunk> {
    let (mut found, mut open) = (Vec::new(), None::<Sides>);
    for line in diff.lines() {
        if line.starts_with("@@") {
            open.get_or_insert_default().finish(&mut found);
        } else if let Some(sides) = &mut open {
            sides.add(line);
        }
    }
    if let Some(mut sides) = open {
        sides.finish(&mut found);
    }
    found
}

/// What a patch of `apply_patch` does; empty for a text that is none.
pub fn patched(patch: &str) -> Vec<FileChange> {
    let mut found: Vec<FileChange> = Vec::new();
    let mut open = Sides::default();
    let Some(at) = patch.find(BEGIN) else {
        return found;
    };
    let close = |open: &mut Sides, found: &mut [FileChange]| {
        if let Some(last) = found.last_mut() {
            open.finish(&mut last.hunks);
        }
    };
    for line in patch[at..].lines() {
        let head = HEADS
            .iter()
            .find_map(|(head, change)| Some((line.strip_prefix(head)?, *change)));
        if let Some((path, change)) = head {
            close(&mut open, &mut found);
            if found.len() == FILES {
                return found;
            }
            found.push(file_change(path.trim(), change));
        } else if line.starts_with("@@") || line.starts_with("***") {
            close(&mut open, &mut found);
        } else {
            open.add(line);
        }
    }
    close(&mut open, &mut found);
    found
}

/// `{path: {"add": {content}}}`, or `{path: {"type": "add", content}}` in newer versions.
pub fn mapped(changes: &Object) -> Vec<FileChange> {
    let entries = changes.iter().take(FILES);
    let read = entries.filter_map(|(path, value)| {
        let value = value.as_object()?;
        let (kind, told) = match text(value, "type") {
            Some(kind) => (kind, value),
            None => {
                let (kind, told) = value.iter().next()?;
                (kind.as_str(), told.as_object().unwrap_or(value))
            }
        };
        let change = change(kind);
        let content = text(told, "content").filter(|_| change == Change::Add);
        let whole = content.map(|content| Hunk {
            old: value::body(""),
            new: value::body(content),
        });
        let diff = text(told, "unified_diff").map(hunks).unwrap_or_default();
        Some(FileChange {
            hunks: whole.into_iter().chain(diff).collect(),
            ..file_change(path, change)
        })
    });
    read.collect()
}

/// A file and what was done to it, where the maker does not tell the text.
pub fn file_change(path: &str, change: Change) -> FileChange {
    FileChange {
        path: path.into(),
        change,
        hunks: Vec::new(),
    }
}

/// By its word.
pub fn change(word: &str) -> Change {
    match word {
        "add" | "create" => Change::Add,
        "delete" | "remove" => Change::Delete,
        _ => Change::Update,
    }
}

/// `update src/a.rs, delete b.md`
pub fn line(changes: &[FileChange]) -> String {
    let told = changes
        .iter()
        .map(|change| format!("{} {}", change.change.word(), change.path.as_raw()));
    told.collect::<Vec<_>>().join(", ")
}

/// The changes that a call's output tells, by the fields that hold them.
pub fn of_changes(found: &Object) -> Vec<FileChange> {
    ["changes", "file_changes"]
        .iter()
        .find_map(|key| object(found, key))
        .map(mapped)
        .unwrap_or_default()
}
