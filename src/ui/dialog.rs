//! A box over the screen that asks or tells something: what, on which thing, of which class, and the answers.

use super::class::class_word;
use super::layout::centred;
use super::text::{self, Piece, Row};
use super::{Hits, Panel, Prompt, Role, Theme, label};
use crate::logic::Class;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Copy, Debug)]
pub struct Dialog<'a> {
    pub title: &'a [Piece],
    /// Of what the dialog would do; none where it only tells.
    pub class: Option<Class>,
    /// Paragraphs, wrapped to the box.
    pub body: &'a [Vec<Piece>],
    /// Name and value, below the body; a value that is too long is wrapped as well.
    pub facts: &'a [(&'static str, Vec<Piece>)],
    /// Lines of body and facts that are scrolled away above.
    pub scroll: usize,
    /// Something to type, with its label.
    pub prompt: Option<(&'a [Piece], &'a Prompt)>,
    pub buttons: &'a Buttons,
}

/// The answers. The first one is harmless (Cancel) and has the focus until it is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buttons {
    pub labels: &'static [&'static str],
    focus: usize,
}

impl Buttons {
    pub fn new(labels: &'static [&'static str]) -> Self {
        Self { labels, focus: 0 }
    }

    pub fn focus(&self) -> usize {
        self.focus
    }

    /// Moves the focus there; what is not a button changes nothing.
    pub fn set_focus(&mut self, to: usize) {
        if to < self.labels.len() {
            self.focus = to;
        }
    }

    /// Round, as Tab does.
    pub fn next(&mut self) {
        self.focus = (self.focus + 1) % self.labels.len().max(1);
    }

    pub fn previous(&mut self) {
        let count = self.labels.len().max(1);
        self.focus = (self.focus + count - 1) % count;
    }

    /// At the right end; where not all fit, only the one with the focus. Where each one is. Without the keys none
    /// is pointed at.
    pub(super) fn draw(
        &self,
        buffer: &mut Buffer,
        line: Rect,
        theme: &Theme,
        has_keys: bool,
    ) -> Vec<(Rect, usize)> {
        let mut places = Vec::new();
        let drawn: Vec<Vec<Piece>> = (0..self.labels.len())
            .map(|at| self.button(at, has_keys && at == self.focus, theme))
            .collect();
        let total: usize = drawn.iter().map(|pieces| text::width(pieces) + 1).sum();
        let all = total <= usize::from(line.width) + 1;
        let mut right = line.right();
        for (at, pieces) in drawn.iter().enumerate().rev() {
            if !all && at != self.focus {
                continue;
            }
            let wide = u16::try_from(text::width(pieces))
                .unwrap_or(u16::MAX)
                .min(right - line.x);
            let place = Rect {
                x: right - wide,
                width: wide,
                ..line
            };
            text::draw(buffer, place, theme, pieces);
            places.push((place, at));
            right = place.x.saturating_sub(1).max(line.x);
        }
        places
    }

    fn button(&self, at: usize, focused: bool, theme: &Theme) -> Vec<Piece> {
        let role = if focused {
            Role::ButtonFocus
        } else {
            Role::Button
        };
        let pointer = if focused { theme.glyphs.pointer } else { " " };
        let name = self.labels.get(at).copied().unwrap_or_default();
        vec![
            label("[", role),
            label(pointer, role),
            label(name, role),
            label(" ]", role),
        ]
    }
}

const WIDEST: u16 = 72;
/// Cells between the border and the words.
const PADDING: u16 = 1;

impl Dialog<'_> {
    /// The box on that screen, and where its buttons are. On a small one the buttons are the last to go.
    pub fn draw(&self, buffer: &mut Buffer, screen: Rect, theme: &Theme) -> Hits<usize> {
        let screen = screen.intersection(buffer.area);
        let (words, area) = self.laid_out(screen);
        let foot = self.foot_height();
        let panel = Panel {
            title: self.title.to_vec(),
            state: self.badge(),
            hint: Vec::new(),
            focused: true,
        };
        let inner = panel.draw(buffer, area, theme);
        let inner = if inner.width > 2 * PADDING && inner.width < area.width {
            Rect {
                x: inner.x + PADDING,
                width: inner.width - 2 * PADDING,
                ..inner
            }
        } else {
            inner
        };
        let room = inner.height.saturating_sub(foot);
        draw_words(
            buffer,
            Rect {
                height: room,
                ..inner
            },
            theme,
            &words,
            self.scroll,
        );
        let foot = Rect {
            y: inner.y + room,
            height: inner.height - room,
            ..inner
        };
        self.draw_foot(buffer, foot, theme)
    }

    /// The most that [`Dialog::scroll`] is good for on that screen.
    pub fn last_top(&self, screen: Rect) -> usize {
        let (words, area) = self.laid_out(screen);
        let room = Panel::inner(area).height.saturating_sub(self.foot_height());
        words.len().saturating_sub(usize::from(room))
    }

    /// The words, and the box around them.
    fn laid_out(&self, screen: Rect) -> (Vec<Row>, Rect) {
        let frame = 2 + 2 * PADDING;
        let columns = screen.width.min(WIDEST).saturating_sub(frame);
        let words = self.rows(columns);
        let height = u16::try_from(words.len())
            .unwrap_or(u16::MAX)
            .saturating_add(self.foot_height() + 2);
        let width = self.columns(&words, columns).saturating_add(frame);
        let area = centred(screen, width, height);
        (words, area)
    }

    fn badge(&self) -> Vec<Piece> {
        self.class.map(class_word).into_iter().collect()
    }

    fn rows(&self, columns: u16) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for paragraph in self.body {
            rows.extend(text::wrap(paragraph, columns).into_iter().map(Row::from));
        }
        if !self.facts.is_empty() && !rows.is_empty() {
            rows.push(Row::default());
        }
        let names = self
            .facts
            .iter()
            .map(|(name, _)| text::width(&[label(name, Role::Dim)]))
            .max()
            .unwrap_or(0);
        let indent = u16::try_from(names + 2).unwrap_or(u16::MAX);
        for (name, value) in self.facts {
            rows.extend(fact(name, value, indent, columns));
        }
        rows
    }

    /// As wide as its longest line needs, and never so narrow that the title or a button is cut without need.
    fn columns(&self, rows: &[Row], most: u16) -> u16 {
        let body = rows
            .iter()
            .map(|row| text::width(&row.left))
            .max()
            .unwrap_or(0);
        let title =
            usize::from(text::width_within(self.title, most)) + text::width(&self.badge()) + 5;
        let buttons: usize = self.buttons.labels.iter().map(|name| name.len() + 5).sum();
        let prompt = self.prompt.map_or(0, |(label, _)| text::width(label) + 32);
        u16::try_from(body.max(title).max(buttons).max(prompt))
            .unwrap_or(most)
            .min(most)
    }

    /// A blank line and the buttons; with a prompt, a blank line and the prompt before.
    fn foot_height(&self) -> u16 {
        2 * u16::from(self.prompt.is_some()) + 2 * u16::from(!self.buttons.labels.is_empty())
    }

    fn draw_foot(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) -> Hits<usize> {
        let mut lines = area.rows().rev();
        let mut hits = Hits::default();
        if !self.buttons.labels.is_empty() {
            if let Some(line) = lines.next() {
                for (place, answer) in self.buttons.draw(buffer, line, theme, true) {
                    hits.push(place, answer);
                }
            }
            if area.height >= self.foot_height() {
                lines.next();
            }
        }
        if let (Some((label, prompt)), Some(line)) = (self.prompt, lines.next()) {
            prompt.draw(buffer, line, theme, label, true);
        }
        hits
    }
}

/// What has no room is not left out silently.
fn draw_words(buffer: &mut Buffer, area: Rect, theme: &Theme, words: &[Row], scroll: usize) {
    let room = usize::from(area.height);
    let top = scroll.min(words.len().saturating_sub(room));
    let more = words.len() - top > room;
    text::draw_rows(buffer, area, theme, words.get(top..).unwrap_or_default());
    let first = area.rows().next().filter(|_| top > 0);
    let last = area.rows().next_back().filter(|_| more);
    for line in first.into_iter().chain(last) {
        text::blank(buffer, line, theme, Role::Text);
        let sign = [label(theme.glyphs.ellipsis, Role::Warn)];
        text::draw(buffer, line, theme, &sign);
    }
}

fn fact(name: &'static str, value: &[Piece], indent: u16, columns: u16) -> Vec<Row> {
    let mut lines = text::wrap(value, columns.saturating_sub(indent));
    if lines.is_empty() {
        lines.push(value.to_vec());
    }
    let rows = lines.into_iter().enumerate().map(|(at, mut line)| {
        let head = label(if at == 0 { name } else { "" }, Role::Dim);
        let gap = usize::from(indent).saturating_sub(head.width());
        line.splice(..0, [head, text::spaces(gap)]);
        Row::from(line)
    });
    rows.collect()
}
