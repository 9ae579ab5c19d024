//! Draws a form over the screen. Where there is no room the words go first, and the fields scroll.

use super::form::{Entry, Field, Form};
use super::layout::centred;
use super::text::{self, Piece};
use super::{Hits, Panel, Role, Theme, class::class_word, label, span, window};
use crate::logic::Class;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub struct FormBox<'a> {
    pub title: &'a [Piece],
    pub class: Class,
    /// Paragraphs above the fields.
    pub lead: &'a [Vec<Piece>],
    pub form: &'a Form,
}

const WIDEST: u16 = 92;
/// Cells between the border and the words.
const PADDING: u16 = 1;

impl FormBox<'_> {
    /// The box on that screen; where its fields are, and behind their numbers its answers.
    pub fn draw(&self, buffer: &mut Buffer, screen: Rect, theme: &Theme) -> Hits<usize> {
        let screen = screen.intersection(buffer.area);
        let width = screen.width.min(WIDEST);
        let lead = self.lead(width.saturating_sub(2 + 2 * PADDING));
        let fields = u16::try_from(self.form.fields.len()).unwrap_or(u16::MAX);
        let lines = u16::try_from(lead.len()).unwrap_or(u16::MAX);
        let panel = Panel {
            title: self.title.to_vec(),
            state: vec![class_word(self.class)],
            hint: Vec::new(),
            focused: true,
        };
        // Border, fields, a blank line, a word on the field, a blank line, the answers.
        let height = lines.saturating_add(fields).saturating_add(6);
        let area = centred(screen, width, height);
        let inner = padded(panel.draw(buffer, area, theme));
        let mut rows = inner.rows();
        if inner.height >= height.saturating_sub(2) {
            for words in &lead {
                if let Some(line) = rows.next() {
                    text::draw(buffer, line, theme, words);
                }
            }
        }
        let rest: Vec<Rect> = rows.collect();
        self.draw_rest(buffer, &rest, theme)
    }

    /// Each paragraph wrapped, and a blank line behind them all.
    fn lead(&self, columns: u16) -> Vec<Vec<Piece>> {
        let mut lines: Vec<Vec<Piece>> = self
            .lead
            .iter()
            .flat_map(|paragraph| text::wrap(paragraph, columns))
            .collect();
        if !lines.is_empty() {
            lines.push(Vec::new());
        }
        lines
    }

    fn draw_rest(&self, buffer: &mut Buffer, rows: &[Rect], theme: &Theme) -> Hits<usize> {
        let form = self.form;
        // Of few lines the first is a field's, the next the answers', the next the word on the field.
        let foot = match rows.len() {
            0..=1 => 0,
            2..=3 => 1,
            4..=7 => 2,
            _ => 4,
        };
        let (fields, foot) = rows.split_at(rows.len() - foot);
        let mut hits = Hits::default();
        let names = form.fields.iter().map(|field| field.name.len()).max();
        let names = u16::try_from(names.unwrap_or(0) + 2).unwrap_or(u16::MAX);
        let at = form.field().unwrap_or(form.fields.len());
        let shown = window(form.fields.len(), Some(at), 0, fields.len());
        for (number, line) in shown.zip(fields) {
            let focused = form.field() == Some(number);
            let field = &form.fields[number];
            self.draw_field(buffer, *line, theme, field, names, focused);
            hits.push(*line, number);
        }
        let word = match foot {
            [word, _] | [_, word, _, _] => Some(word),
            _ => None,
        };
        if let (Some(line), Some(field)) = (word, form.field().map(|at| &form.fields[at])) {
            text::draw(buffer, *line, theme, &[self.word(field)]);
        }
        if let Some(line) = foot.last() {
            let shows_focus = form.field().is_none();
            form.buttons
                .draw(buffer, *line, theme, shows_focus)
                .into_iter()
                .for_each(|(place, answer)| hits.push(place, form.fields.len() + answer));
        }
        hits
    }

    fn is_told(&self, field: &Field) -> bool {
        field.edited || self.form.tried
    }

    /// On the field with the keys: what is wrong, in full, or what may be typed.
    fn word(&self, field: &Field) -> Piece {
        match &field.wrong {
            Some(why) if self.is_told(field) => span(why, Role::Bad),
            _ => label(field.hint, Role::Dim),
        }
    }

    fn draw_field(
        &self,
        buffer: &mut Buffer,
        line: Rect,
        theme: &Theme,
        field: &Field,
        names: u16,
        focused: bool,
    ) {
        let (pointer, role) = match focused {
            true => (theme.glyphs.pointer, Role::Title),
            false => (" ", Role::Dim),
        };
        let name = [label(pointer, Role::BorderFocus), label(field.name, role)];
        text::draw(buffer, line, theme, &name);
        let names = names.min(line.width / 2);
        let mut place = Rect {
            x: line.x + names,
            width: line.width - names,
            ..line
        };
        if let Some(why) = field.wrong.as_ref().filter(|_| self.is_told(field)) {
            let why = [label("  ", Role::Text), span(why, Role::Bad)];
            let room = place.width / 2;
            let wide = text::width_within(&why, room);
            place.width -= wide;
            let beside = Rect {
                x: place.right(),
                width: wide,
                ..line
            };
            text::draw(buffer, beside, theme, &why);
        }
        match &field.entry {
            Entry::Text(prompt) => prompt.draw(buffer, place, theme, &[], focused),
            Entry::Toggle(on) => {
                let word = if *on { "[x] yes" } else { "[ ] no" };
                text::draw(buffer, place, theme, &[label(word, Role::Text)]);
            }
            Entry::Choice { of, at } => {
                text::draw(buffer, place, theme, &choice(of, *at, place.width));
            }
        }
    }
}

/// All of them where there is room, else only the chosen one.
fn choice(of: &'static [&'static str], at: usize, room: u16) -> Vec<Piece> {
    let all = super::tabs(of, at);
    if text::width(&all) <= usize::from(room) {
        return all;
    }
    let chosen = of.get(at).copied().unwrap_or_default();
    vec![
        label("< ", Role::Dim),
        label(chosen, Role::Text),
        label(" >", Role::Dim),
    ]
}

fn padded(inner: Rect) -> Rect {
    if inner.width <= 2 * PADDING + 2 {
        return inner;
    }
    Rect {
        x: inner.x + PADDING,
        width: inner.width - 2 * PADDING,
        ..inner
    }
}
