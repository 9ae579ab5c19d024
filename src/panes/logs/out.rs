//! What leaves the log: which lines are meant, and where they go.

use super::line::TAB;
use super::select;
use super::shown::Shown;
use super::sieve::Sieve;
use super::state::State;
use crate::logic::{Action, Effect, Excerpt, Export, Outlet, World};
use crate::model::{Clean, SandboxKey};
use crate::text::{self, Form, Log, Lookup, say};
use std::ops::Range;

/// The effect of an action that lets lines out at once.
pub(super) fn act(state: &mut State, shown: &Shown<'_>, action: Action) -> Option<Effect> {
    match action {
        Action::Copy => copied(state, shown),
        Action::CopyAll => all(state, shown, Outlet::Clipboard),
        Action::CopyMatch => matched(state, &shown.log),
        Action::OpenPager => meant(state, shown, Outlet::Pager),
        Action::OpenEditor => meant(state, shown, Outlet::Editor),
        _ => None,
    }
}

/// The selection, which ends with that; else the line that was found, or the last one in view.
fn copied(state: &mut State, shown: &Shown<'_>) -> Option<Effect> {
    if state.selection.is_some() {
        let export = meant(state, shown, Outlet::Clipboard)?;
        state.selection = None;
        return Some(export);
    }
    let number = select::current(state)?;
    if let Lookup::Gone = shown.log.get(number) {
        // The log has it no more, the view does.
        let raw = state.window.raw(number)?;
        return Some(Effect::Copy(text::shown(raw, TAB, usize::MAX)));
    }
    let line = number..number + 1;
    Some(export(excerpt(shown, line), Outlet::Clipboard))
}

/// The selected lines, else all that are shown.
fn meant(state: &mut State, shown: &Shown<'_>, to: Outlet) -> Option<Effect> {
    match state.selection.map(|selection| selection.lines()) {
        Some(lines) => those(state, shown, lines, to),
        None => all(state, shown, to),
    }
}

fn all(state: &mut State, shown: &Shown<'_>, to: Outlet) -> Option<Effect> {
    those(state, shown, 0..shown.log.end(), to)
}

fn those(state: &mut State, shown: &Shown<'_>, lines: Range<u64>, to: Outlet) -> Option<Effect> {
    if state.sieve.as_ref().is_some_and(|sieve| !sieve.is_done()) {
        state.note = Some("the filter is not through yet: try again".into());
        return None;
    }
    let filter = state.filter().cloned();
    let excerpt = Excerpt {
        filter,
        ..excerpt(shown, lines)
    };
    Some(export(excerpt, to))
}

fn excerpt(shown: &Shown<'_>, lines: Range<u64>) -> Excerpt {
    Excerpt {
        id: shown.id,
        held: shown.held(),
        lines,
        filter: None,
    }
}

fn export(excerpt: Excerpt, to: Outlet) -> Effect {
    Effect::Export(Box::new(Export { excerpt, to }))
}

/// What the search found in the line that was gone to.
fn matched(state: &mut State, log: &Log<'_>) -> Option<Effect> {
    let pattern = state.find.pattern.as_ref();
    let number = state.find.hit.map(|hit| hit.line);
    let found = pattern.zip(number).and_then(|(pattern, number)| {
        let line = log.get(number).line()?.shown(TAB, usize::MAX);
        let range = pattern.matches(line.as_str()).next()?;
        Some(text::clean_str(&line.as_str()[range]))
    });
    if found.is_none() {
        state.note = Some("nothing was found to be copied: search with / first".into());
    }
    found.map(Effect::Copy)
}

/// Into the file of that path, in the form that its name tells.
pub(super) fn saved(state: &mut State, world: &World, path: &str) -> Option<Effect> {
    let shown = state.shown(world)?;
    let to = Outlet::File {
        path: path.to_owned(),
        form: Form::of_name(path),
        overwrite: false,
    };
    meant(state, &shown, to)
}

pub(super) fn piped(state: &mut State, world: &World, line: &str) -> Option<Effect> {
    let shown = state.shown(world)?;
    meant(state, &shown, Outlet::Command(line.to_owned()))
}

/// Which lines are meant: `12 selected lines`, `what the filter shows`, `all 3400 lines`.
pub(super) fn words(state: &State, log: &Log<'_>) -> Clean {
    let filtered = match &state.sieve {
        Some(_) => ", as filtered",
        None => "",
    };
    match state.selection.map(|selection| selection.lines()) {
        Some(lines) => say(format_args!(
            "{} selected{filtered}",
            count(lines.end - lines.start)
        )),
        None if state.sieve.as_ref().is_some_and(Sieve::is_done) => "what the filter shows".into(),
        None => say(format_args!("all {}", count(log.end() - log.first()))),
    }
}

pub(super) fn count(lines: u64) -> Clean {
    match lines {
        1 => "1 line".into(),
        lines => say(format_args!("{lines} lines")),
    }
}

/// A name for a file: of the sandbox, without what shells and file systems care about.
pub(super) fn file_name(subject: Option<&SandboxKey>) -> String {
    let name = subject.map_or("", |key| key.name.as_raw());
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = name.chars().filter(is_plain).take(60).collect();
    match name.trim_start_matches(['.', '-']) {
        "" => "sandtop.log".to_owned(),
        name => format!("{name}.log"),
    }
}
