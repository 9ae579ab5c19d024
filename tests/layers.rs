//! Holds the sources to the map in `src/lib.rs`: who may import whom, what pure code may touch, sizes and homes.
//!
//! It reads the sources as text (tokens without comments and strings), so a broken rule is told with file, line and
//! what to do, and needs no compiler plug-in. `layers/small.rs` tests the rules themselves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "layers/scan.rs"]
mod scan;
#[path = "layers/small.rs"]
mod small;

use scan::{Named, is_word, paths, tokens};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Pure,
    Edge,
}
use Kind::{Edge, Pure};

/// Folder, level, kind. A folder imports lower levels and itself; a pure one imports no edge folder.
const MAP: &[(&str, u8, Kind)] = &[
    ("model", 1, Pure),
    ("text", 2, Pure),
    ("term", 2, Pure),
    ("agents", 3, Pure),
    ("api", 3, Edge),
    ("store", 3, Edge),
    ("logic", 4, Pure),
    ("engine", 4, Edge),
    ("ui", 5, Pure),
    ("panes", 6, Pure),
    ("app", 7, Pure),
    ("run", 8, Edge),
];

/// What pure code may not name, as the beginning of a path (macros with their `!`), below what to do instead.
#[rustfmt::skip]
const IMPURE: &[(&str, &[&str])] = &[
    ("return an effect; `run` carries it out", &[
        "async", "await", "tokio::", "tokio_util::", "futures_util::", "rustix::", "libc::", "open::",
        "std::fs", "std::io", "std::net", "std::process", "std::thread",
    ]),
    ("only the edge folder of that name knows it: pass plain data", &["reqwest::", "axum::", "rusqlite::"]),
    ("take the time from the event", &[
        "Instant", "SystemTime", "std::time::Instant", "std::time::SystemTime",
        "Timestamp::now", "Zoned::now", "jiff::Timestamp::now", "jiff::Zoned::now",
    ]),
    ("take the value from the settings", &["std::env"]),
    ("only `run` speaks to the terminal", &[
        "crossterm::terminal", "crossterm::execute", "crossterm::queue", "crossterm::execute!", "crossterm::queue!",
        "crossterm::event::read", "crossterm::event::poll", "crossterm::event::EventStream",
    ]),
    ("return the text; `run` writes it", &["print!", "println!", "eprint!", "eprintln!", "dbg!"]),
];

/// ratatui's text and everything that takes text: only in `ui`, whose functions take `Clean` or `&'static str`.
#[rustfmt::skip]
const DRAWN_TEXT: &[&str] = &[
    "ratatui::text", "ratatui::widgets", "ratatui::style", "ratatui::prelude", "ratatui::macros",
    "ratatui_core::", "ratatui_widgets::", "tui_textarea::",
];
/// Methods of ratatui's buffer and cells that write any string to the screen.
#[rustfmt::skip]
const RAW_DRAWING: &[&str] = &["set_string", "set_stringn", "set_line", "set_span", "set_symbol"];

/// The one place that may hold `unsafe`: the engine's isolation, where the kernel is asked for things no crate wraps.
const UNSAFE_HOME: &str = "src/engine/cell/sys.rs";
const CODE_LINES: usize = 400;
const TEST_LINES: usize = 600;

struct Source {
    /// Relative to the package, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// `src/model/id.rs` → `model`; `None` for `lib.rs`, `main.rs` and what is not in `src`.
    fn folder(&self) -> Option<&str> {
        Some(self.path.strip_prefix("src/")?.split_once('/')?.0)
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.split('/').any(|part| part == "tests")
    }

    fn level(&self) -> Option<(u8, Kind)> {
        entry(self.folder()?)
    }

    /// How many modules below the crate's root the file's own module lies.
    fn depth(&self) -> usize {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let parts = inner.split('/').count();
        let last = inner.rsplit('/').next().unwrap();
        parts - usize::from(matches!(last, "mod.rs" | "lib.rs" | "main.rs"))
    }

    fn paths(&self) -> Vec<Named> {
        paths(&tokens(&self.text), self.depth())
    }
}

fn entry(folder: &str) -> Option<(u8, Kind)> {
    MAP.iter()
        .find(|row| row.0 == folder)
        .map(|row| (row.1, row.2))
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting: Vec<PathBuf> = ["src", "tests", "benches"].map(|dir| root.join(dir)).into();
    let mut found = Vec::new();
    while let Some(dir) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                found.push(Source {
                    path: relative.replace('\\', "/"),
                    text,
                });
            }
        }
    }
    assert!(
        found.iter().any(|source| source.path == "src/lib.rs"),
        "no sources found"
    );
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn hold(rule: fn(&Source) -> Vec<String>) {
    let broken: Vec<String> = sources().iter().flat_map(rule).collect();
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

fn imports(source: &Source) -> Vec<String> {
    let root = if source.path.starts_with("src/") && source.path != "src/main.rs" {
        "crate"
    } else {
        "sandtop"
    };
    let mut broken = Vec::new();
    for named in source.paths().iter().filter(|named| named.parts[0] == root) {
        let Some(target) = named.parts.get(1) else {
            continue;
        };
        let here = format!("{}:{}", source.path, named.line);
        let Some((level, kind)) = entry(target) else {
            broken.push(format!(
                "{here}: `{root}::{target}` is no folder of the map: name the folder itself"
            ));
            continue;
        };
        let Some((own, own_kind)) = source.level() else {
            continue;
        };
        let folder = source.folder().unwrap();
        if target != folder && level >= own {
            broken.push(format!(
                "{here}: `{folder}` (level {own}) imports `{target}` (level {level}): only lower levels; move what \
                 both need down, or decide it higher up"
            ));
        } else if own_kind == Pure && kind == Edge {
            broken.push(format!(
                "{here}: `{folder}` is pure and imports the edge folder `{target}`: pass plain data as event or effect"
            ));
        }
    }
    broken
}

fn purity(source: &Source) -> Vec<String> {
    if source.is_test() || !source.level().is_some_and(|(_, kind)| kind == Pure) {
        return Vec::new();
    }
    let broken = source.paths().into_iter().filter_map(|named| {
        let (cure, _) = IMPURE
            .iter()
            .find(|(_, what)| what.iter().any(|what| named.begins(what)))?;
        Some(format!(
            "{}:{}: `{}` in a pure folder: {cure}",
            source.path,
            named.line,
            named.parts.join("::")
        ))
    });
    broken.collect()
}

fn drawn_text(source: &Source) -> Vec<String> {
    let Some(folder) = source.folder().filter(|folder| *folder != "ui") else {
        return Vec::new();
    };
    let level = source.level().map_or(0, |(level, _)| level);
    let mut broken = Vec::new();
    for named in source.paths() {
        let here = format!("{}:{}", source.path, named.line);
        if DRAWN_TEXT.iter().any(|what| named.begins(what))
            || RAW_DRAWING.contains(&named.parts[0].as_str())
        {
            let what = named.parts.join("::");
            broken.push(format!(
                "{here}: `{what}` outside `ui`: draw through a function of `ui`"
            ));
        } else if named.begins("ratatui::") && level < 5 {
            broken.push(format!(
                "{here}: `{folder}` does not draw: no ratatui below `ui`"
            ));
        }
    }
    broken
}

fn trusted_text(source: &Source) -> Vec<String> {
    if source.path == "src/model/foreign.rs"
        || source.folder() == Some("text")
        || source.folder().is_none()
    {
        return Vec::new();
    }
    let trusting = source
        .paths()
        .into_iter()
        .filter(|named| named.parts.iter().any(|part| part == "trusted"));
    let told = trusting.map(|named| {
        format!(
            "{}:{}: `Clean::trusted` outside `text`: go through `text::clean`",
            source.path, named.line
        )
    });
    told.collect()
}

fn sizes(source: &Source) -> Vec<String> {
    let limit = if source.is_test() {
        TEST_LINES
    } else {
        CODE_LINES
    };
    let lines = source.text.lines().count();
    if lines <= limit {
        return Vec::new();
    }
    vec![format!(
        "{}:{lines}: {lines} lines, {limit} at most: split it by subject",
        source.path
    )]
}

fn first_line(source: &Source) -> Vec<String> {
    if source
        .text
        .lines()
        .next()
        .is_some_and(|line| line.len() > 4 && line.starts_with("//! "))
    {
        return Vec::new();
    }
    vec![format!(
        "{}:1: the first line is not `//! …`: say what the file is for",
        source.path
    )]
}

fn unsafety(source: &Source) -> Vec<String> {
    if source.path == UNSAFE_HOME {
        return Vec::new();
    }
    let held = tokens(&source.text);
    let found = held
        .iter()
        .filter(|token| matches!(token.text, "unsafe" | "unsafe_code"));
    let told = found.map(|token| {
        format!(
            "{}:{}: `{}` outside {UNSAFE_HOME}: use a safe crate, or move it there",
            source.path, token.line, token.text
        )
    });
    told.collect()
}

fn places(source: &Source) -> Vec<String> {
    let Some(inner) = source.path.strip_prefix("src/") else {
        return Vec::new();
    };
    let mut broken = Vec::new();
    match inner.split_once('/') {
        Some((folder, _)) if entry(folder).is_none() => {
            broken.push(format!(
                "{}:1: folder `{folder}` is not on the map: add a row or move the file",
                source.path
            ));
        }
        None if !matches!(inner, "lib.rs" | "main.rs") => {
            broken.push(format!(
                "{}:1: only lib.rs and main.rs lie in src: move it into a folder",
                source.path
            ));
        }
        _ => {}
    }
    let held = tokens(&source.text);
    for pair in held
        .windows(2)
        .filter(|pair| pair[0].text == "mod" && is_word(pair[1].text))
    {
        let (name, here) = (pair[1].text, format!("{}:{}", source.path, pair[0].line));
        if inner == "main.rs" {
            broken.push(format!(
                "{here}: module `{name}` in main.rs: it belongs to the library"
            ));
        } else if inner == "lib.rs" && entry(name).is_none() {
            broken.push(format!(
                "{here}: module `{name}` is not on the map: add a row or move it into a folder"
            ));
        }
    }
    broken
}

#[test]
fn folders_import_only_lower_ones() {
    hold(imports);
}

#[test]
fn pure_folders_touch_nothing_outside() {
    hold(purity);
}

#[test]
fn only_ui_builds_drawn_text() {
    hold(drawn_text);
}

#[test]
fn only_text_trusts_text() {
    hold(trusted_text);
}

#[test]
fn files_are_small() {
    hold(sizes);
}

#[test]
fn files_say_what_they_are_for() {
    hold(first_line);
}

#[test]
fn unsafe_code_has_one_home() {
    hold(unsafety);
}

#[test]
fn every_folder_is_on_the_map() {
    hold(places);
}
