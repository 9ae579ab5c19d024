//! The rules of `layers.rs`, tested on small pieces of source.

use super::*;

fn told(rule: fn(&Source) -> Vec<String>, path: &str, text: &str) -> String {
    rule(&Source {
        path: path.to_owned(),
        text: text.to_owned(),
    })
    .join("\n")
}

#[test]
fn imports_are_found_in_every_form() {
    let broken = [
        ("src/model/a.rs", "use crate::ui::Theme;"),
        ("src/ui/a.rs", "use crate::{model::Clean, panes};"),
        ("src/ui/a.rs", "fn f() { crate::app::update() }"),
        ("src/ui/a.rs", "use super::super::panes::list;"),
        ("src/ui/mod.rs", "use super::{model, panes::list};"),
        ("src/ui/a.rs", "mod tests { use super::super::super::run; }"),
        ("src/ui/deep/a.rs", "type T = super::super::super::run::T;"),
        ("src/text/a.rs", "use crate::term::Cell;"),
        ("src/ui/a.rs", "pub(in crate::app) fn f() {}"),
        ("src/logic/a.rs", "use crate::api::Client;"),
        ("src/app/a.rs", "use crate::engine;"),
        ("src/ui/a.rs", "use crate::Theme;"),
        ("src/ui/a.rs", "use crate::*;"),
        ("src/main.rs", "use sandtop::{nowhere};"),
        ("tests/a.rs", "use sandtop::nowhere::A;"),
    ];
    for (path, text) in broken {
        assert_eq!(
            told(imports, path, text).lines().count(),
            1,
            "{path}: {text}"
        );
    }
    let fine = [
        (
            "src/ui/a.rs",
            "use crate::{model::{Clean, Foreign}, text, ui::theme};",
        ),
        (
            "src/ui/a.rs",
            "use super::theme::{self, Role}; pub(crate) fn f() {}",
        ),
        (
            "src/ui/deep/a.rs",
            "mod tests { use super::super::super::theme; }",
        ),
        (
            "src/ui/a.rs",
            "// use crate::panes;\n/* crate::app /* crate::run */ */ const A: &str = \"crate::app\";",
        ),
        (
            "src/ui/a.rs",
            "const A: &str = r#\"\"crate::app\"#; const B: char = '\"'; fn f<'a>(_: &'a str) {}",
        ),
        ("src/run/a.rs", "use crate::{api, app, engine};"),
        ("src/main.rs", "use sandtop::run;"),
    ];
    for (path, text) in fine {
        assert_eq!(told(imports, path, text), "", "{path}: {text}");
    }
    let message = told(imports, "src/ui/a.rs", "//! A.\n\nuse crate::panes;");
    assert!(
        message.starts_with("src/ui/a.rs:3: `ui` (level 5) imports `panes` (level 6)"),
        "{message}"
    );
}

#[test]
fn impure_code_is_found() {
    let broken = [
        "async fn f() {}",
        "use std::{fs, fmt};",
        "use std::time::{Duration, Instant};",
        "fn f() { std::env::var(\"A\"); }",
        "fn f() { println!(\"a\") }",
        "fn f() { jiff::Timestamp::now() }",
        "use crossterm::event::EventStream;",
        "fn f() { open::that(url) }",
        "fn f() { crossterm::execute!(out) }",
        "use tokio::{sync::mpsc};",
    ];
    for text in broken {
        assert_eq!(
            told(purity, "src/logic/a.rs", text).lines().count(),
            1,
            "{text}"
        );
        assert_eq!(told(purity, "src/api/a.rs", text), "", "{text}");
        assert_eq!(told(purity, "src/logic/tests.rs", text), "", "{text}");
    }
    let fine = [
        "use std::time::Duration; use crossterm::event::KeyEvent;",
        "const V: &str = env!(\"V\"); fn f(open: bool) -> bool { open != print }",
        "struct Tokio; mod reqwest_like {} fn dbg() { std::mem::take(x) }",
    ];
    for text in fine {
        assert_eq!(told(purity, "src/logic/a.rs", text), "", "{text}");
    }
}

#[test]
fn drawn_and_trusted_text_is_found() {
    for text in [
        "use ratatui::text::Span;",
        "use ratatui::{widgets::Block};",
        "fn f() { buffer.set_string(0, 0, s, t) }",
    ] {
        assert_eq!(
            told(drawn_text, "src/panes/list/view.rs", text)
                .lines()
                .count(),
            1,
            "{text}"
        );
        assert_eq!(told(drawn_text, "src/ui/a.rs", text), "", "{text}");
    }
    assert_eq!(
        told(
            drawn_text,
            "src/panes/a.rs",
            "use ratatui::layout::Rect; use crate::model::Span;"
        ),
        ""
    );
    assert_ne!(
        told(drawn_text, "src/logic/a.rs", "use ratatui::layout::Rect;"),
        ""
    );
    assert_ne!(
        told(trusted_text, "src/api/a.rs", "fn f() { Clean::trusted(x) }"),
        ""
    );
    assert_eq!(
        told(
            trusted_text,
            "src/text/clean.rs",
            "fn f() { Clean::trusted(x) }"
        ),
        ""
    );
}

#[test]
fn sizes_homes_and_first_lines_are_found() {
    let long = "//! A.\n".repeat(401);
    assert_ne!(told(sizes, "src/ui/a.rs", &long), "");
    assert_eq!(told(sizes, "src/ui/tests.rs", &long), "");
    assert_eq!(told(sizes, "src/ui/tests/a.rs", &long), "");
    assert_ne!(told(sizes, "tests/a.rs", &long.repeat(2)), "");
    assert_ne!(told(first_line, "src/ui/a.rs", "use a::b;\n"), "");
    assert_ne!(told(first_line, "src/ui/a.rs", ""), "");
    assert_eq!(told(first_line, "src/ui/a.rs", "//! A.\n"), "");
    assert_ne!(
        told(unsafety, "src/ui/a.rs", "fn f() { unsafe { g() } }"),
        ""
    );
    assert_ne!(told(unsafety, "src/ui/a.rs", "#![allow(unsafe_code)]"), "");
    assert_eq!(told(unsafety, UNSAFE_HOME, "fn f() { unsafe { g() } }"), "");
    assert_ne!(told(places, "src/helpers/a.rs", ""), "");
    assert_ne!(told(places, "src/helpers.rs", ""), "");
    assert_ne!(told(places, "src/lib.rs", "pub mod helpers;"), "");
    assert_ne!(told(places, "src/main.rs", "mod args;"), "");
    assert_eq!(told(places, "src/lib.rs", "pub mod model;"), "");
}
