//! Beside a run: its plan, the files it touched, what it took.

use super::body::plan_entry;
use super::state::State;
use crate::agents::{Figure, Run, Totals};
use crate::logic::World;
use crate::model::{Clean, Count, NanoDollars};
use crate::panes::Ctx;
use crate::text::{Side, clean, cut, figures, say};
use crate::ui::text::{Row, draw_rows};
use crate::ui::{Panel, Role, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let panel = Panel {
        title: vec![label("Run", Role::Heading)],
        ..Panel::default()
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let Some(run) = state.run(world) else { return };
    let totals = totals(&run.totals);
    let room = usize::from(inner.height).saturating_sub(totals.len() + 1);
    let mut rows = plan(run, usize::from(inner.width));
    rows.truncate(room / 2);
    rows.extend(files(
        state,
        run,
        usize::from(inner.width),
        room - rows.len(),
    ));
    rows.push(label("Totals", Role::Heading).into());
    rows.extend(totals);
    draw_rows(buffer, inner, ctx.theme, &rows);
}

fn plan(run: &Run, width: usize) -> Vec<Row> {
    let Some(step) = run.plan.and_then(|step| run.steps.get(step)) else {
        return Vec::new();
    };
    let entries = step
        .plan()
        .iter()
        .flat_map(|entry| plan_entry(entry, width));
    let mut rows: Vec<Row> = vec![label("Plan", Role::Heading).into()];
    rows.extend(entries.map(Row::from));
    rows
}

/// The one that was gone to last stays among those in view.
fn files(state: &State, run: &Run, width: usize, room: usize) -> Vec<Row> {
    let count = run.files.len();
    let title = vec![
        label("Files ", Role::Heading),
        span(&figures::number(Some(number(count as u64))), Role::Dim),
    ];
    let mut rows: Vec<Row> = vec![title.into()];
    let fit = room.saturating_sub(1);
    let first = state
        .file()
        .map_or(0, |file| (file + 1).saturating_sub(fit));
    for (nth, file) in run.files.iter().enumerate().skip(first).take(fit) {
        let is_chosen = state.file() == Some(nth);
        let changes = say(format_args!("{}", file.changes));
        let path = cut(&clean(&file.path), width.saturating_sub(8), Side::Start);
        let (sign, role) = match is_chosen {
            true => ("> ", Role::Title),
            false => ("  ", Role::Text),
        };
        rows.push(Row {
            left: vec![label(sign, Role::Key), span(&path, role)],
            right: vec![span(&changes, Role::Dim)],
        });
    }
    rows.truncate(room);
    rows
}

fn totals(totals: &Totals) -> Vec<Row> {
    let rows = [
        ("turns", count(totals.turns)),
        ("input tokens", count(totals.input)),
        ("output tokens", figure(totals.output)),
        ("from cache", count(totals.cache_read)),
        ("to cache", count(totals.cache_write)),
        ("cost", money(totals.cost)),
    ];
    let row = |(name, value): (&'static str, Clean)| Row {
        left: vec![label(name, Role::Dim)],
        right: vec![span(&value, Role::Text)],
    };
    rows.into_iter().map(row).collect()
}

/// The same in few words, where there is no room beside the run; nothing where nothing is known.
pub(super) fn short(totals: &Totals) -> Option<Clean> {
    let is_known = totals.input.is_some() || totals.output.known().is_some();
    let cost = totals.cost.map(|cost| money(Some(cost)));
    let tokens = is_known.then(|| {
        let (input, output) = (count(totals.input), figure(totals.output));
        say(format_args!("{input} in, {output} out"))
    });
    match (tokens, cost) {
        (Some(tokens), Some(cost)) => Some(say(format_args!("{tokens}, {cost}"))),
        (tokens, cost) => tokens.or(cost),
    }
}

fn number(count: u64) -> Count {
    Count(i64::try_from(count).unwrap_or(i64::MAX))
}

fn count(count: Option<u64>) -> Clean {
    figures::number(count.map(number))
}

fn figure(figure: Figure) -> Clean {
    match figure {
        Figure::AtLeast(least) => say(format_args!(">{}", count(Some(least)))),
        figure => count(figure.known()),
    }
}

/// Dollars, as the maker tells them.
fn money(dollars: Option<f64>) -> Clean {
    // `as` saturates.
    figures::money(dollars.map(|dollars| NanoDollars((dollars * 1e9).round() as i64)))
}
