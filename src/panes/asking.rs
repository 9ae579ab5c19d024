//! The line below a pane's rows: what is typed, or searched for, and what became of it.

use super::Ctx;
use crate::text::clean_str;
use crate::ui::{Piece, Prompt, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What stands in the line: `prompt` while it is typed, afterwards what was.
pub struct Asking<'a> {
    pub sign: &'static str,
    pub typed: &'a str,
    pub prompt: Option<&'a Prompt>,
    pub said: &'a [Piece],
}

impl Asking<'_> {
    pub fn draw(&self, ctx: &Ctx<'_>, line: Rect, buffer: &mut Buffer) {
        let typed = [
            label(self.sign, Role::Dim),
            span(&clean_str(self.typed), Role::Match),
        ];
        // What is typed goes before what is said of it, with room for a letter more.
        let wide = u16::try_from(text::width(&typed) + 3).unwrap_or(u16::MAX);
        let left = Rect {
            width: wide.min(line.width),
            ..line
        };
        let right = Rect {
            x: left.right(),
            width: line.width - left.width,
            ..line
        };
        if let Some(prompt) = self.prompt {
            let sign = [label(self.sign, Role::Key)];
            prompt.draw(buffer, left, ctx.theme, &sign, true);
        } else {
            text::draw(buffer, left, ctx.theme, &typed);
        }
        text::draw_right(buffer, right, ctx.theme, self.said);
    }
}
