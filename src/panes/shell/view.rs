//! Draws the shell in view.

use super::State;
use super::title::{hint, names, state as standing};
use crate::logic::{Action, Pane, Shell, World};
use crate::panes::Ctx;
use crate::text::{clean, say};
use crate::ui::{self, Panel, Piece, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(shell) = state.shown(&world.shells, ctx.subject) else {
        return draw_none(ctx, area, buffer);
    };
    let copy = state.copy.as_ref();
    let panel = Panel {
        title: names(shell, world),
        state: standing(shell, copy, world, ctx),
        hint: match copy {
            Some(copy) => copy.hint(),
            None => hint(shell, world, ctx),
        },
        focused: ctx.has_keys(Pane::Shell) || ctx.has_keys(Pane::Stage),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let Some(copy) = copy else {
        let screen = shell.emulator.screen();
        return ui::draw_terminal(buffer, inner, ctx.theme, &screen, |_, _| None);
    };
    let screen = copy.mode.screen();
    ui::draw_terminal(buffer, inner, ctx.theme, &screen, |row, column| {
        copy.role(row, column)
    });
    if let Some((prompt, forward)) = &copy.asks {
        let sign = if *forward { "/" } else { "?" };
        let line = Rect {
            y: inner.bottom().saturating_sub(1),
            height: inner.height.min(1),
            ..inner
        };
        prompt.draw(buffer, line, ctx.theme, &[label(sign, Role::Key)], true);
    }
}

fn draw_none(ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let panel = Panel {
        title: vec![label("Shell", Role::Heading)],
        focused: ctx.has_keys(Pane::Stage),
        ..Panel::default()
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let lines = match ctx.subject {
        None => vec![label("No sandbox is selected.", Role::Dim)],
        Some(key) => {
            let name = clean(key.name.as_foreign());
            let open = ctx.keymap.keys_of(Action::Shell).next();
            let mut words = vec![span(
                &say(format_args!("No shell is open in {name}.")),
                Role::Dim,
            )];
            if let Some(open) = open {
                words.extend([
                    span(&say(format_args!(" {} ", open.label())), Role::Key),
                    label("opens one.", Role::Dim),
                ]);
            }
            words
        }
    };
    draw_sentence(ctx, inner, buffer, &lines);
}

fn draw_sentence(ctx: &Ctx<'_>, inner: Rect, buffer: &mut Buffer, words: &[Piece]) {
    for (line, pieces) in inner.rows().zip(text::wrap(words, inner.width)) {
        text::draw(buffer, line, ctx.theme, &pieces);
    }
}

/// Where the terminal's own cursor belongs, if the program shows one.
pub fn cursor(state: &State, shell: &Shell) -> Option<Position> {
    let inner = state.inner();
    let cursor = match &state.copy {
        Some(copy) if copy.asks.is_some() => return None,
        Some(copy) => copy.mode.cursor(),
        None => shell.emulator.cursor()?,
    };
    let position = Position::new(
        inner.x.checked_add(cursor.column)?,
        inner.y.checked_add(cursor.row)?,
    );
    inner.contains(position).then_some(position)
}
