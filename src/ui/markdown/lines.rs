//! Blocks as lines of a width.

use super::super::text::{spaces, width};
use super::super::{Piece, Role, label, span, text as kit};
use super::blocks::{Block, Line};
use super::table;
use crate::text;

/// Narrower than this, indents are left out.
const NARROWEST: u16 = 12;

pub(super) fn lay(blocks: &[Block], columns: u16) -> Vec<Line> {
    let mut page = Page {
        columns,
        ..Page::default()
    };
    page.blocks(blocks, false);
    page.lines
}

#[derive(Default)]
struct Page {
    columns: u16,
    /// Before every line; what stands before the first line of an entry only is in `once`.
    before: Line,
    once: Option<Line>,
    lines: Vec<Line>,
}

impl Page {
    fn blocks(&mut self, blocks: &[Block], tight: bool) {
        for (nth, block) in blocks.iter().enumerate() {
            let apart = !tight || !matches!(block, Block::List { .. } | Block::Paragraph(_));
            if nth > 0 && apart {
                self.line(Vec::new());
            }
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(lines) => lines.iter().for_each(|line| self.wrapped(line)),
            Block::Heading(line) => {
                let words: Line = line
                    .iter()
                    .map(|piece| piece.clone().as_role(Role::Title))
                    .collect();
                self.wrapped(&words);
            }
            Block::Code(language, lines) => self.code(language.as_ref(), lines),
            Block::Quote(blocks) => {
                let bar = vec![label("│ ", Role::Dim)];
                self.within(bar.clone(), bar, |page| page.blocks(blocks, false));
            }
            Block::List { first, entries } => self.list(*first, entries),
            Block::Table { head, rows } => {
                for line in table::lay(head, rows, self.room()) {
                    self.line(line);
                }
            }
            Block::Rule => {
                let rule = label("────────────────────────", Role::Dim);
                self.line(vec![rule]);
            }
        }
    }

    fn list(&mut self, first: Option<u64>, entries: &[Vec<Block>]) {
        for (nth, entry) in entries.iter().enumerate() {
            let mark = match first {
                Some(first) => {
                    let number = first.saturating_add(nth as u64);
                    span(&text::say(format_args!("{number}. ")), Role::Dim)
                }
                None => label("• ", Role::Dim),
            };
            let indent = vec![spaces(mark.width())];
            let lines = self.lines.len();
            self.within(vec![mark], indent, |page| {
                page.blocks(entry, true);
                if page.lines.len() == lines {
                    page.line(Vec::new());
                }
            });
        }
    }

    /// Code is not wrapped at words: what is too long goes on below, cut where the room ends.
    fn code(&mut self, language: Option<&Piece>, lines: &[Line]) {
        let bar = vec![label("▏ ", Role::Dim)];
        self.within(bar.clone(), bar, |page| {
            if let Some(language) = language {
                page.line(vec![language.clone()]);
            }
            let room = usize::from(page.room());
            for line in lines {
                for row in kit::chopped(line, room) {
                    page.line(row);
                }
            }
        });
    }

    fn within(&mut self, first: Line, rest: Line, lays: impl FnOnce(&mut Self)) {
        if self.room() < NARROWEST {
            return lays(self);
        }
        let around = self.before.clone();
        let mut once = self.once.take().unwrap_or_else(|| around.clone());
        once.extend(first);
        self.once = Some(once);
        self.before.extend(rest);
        lays(self);
        self.before = around;
        self.once = None;
    }

    fn room(&self) -> u16 {
        let taken = u16::try_from(width(&self.before)).unwrap_or(u16::MAX);
        self.columns.saturating_sub(taken).max(1)
    }

    fn wrapped(&mut self, line: &[Piece]) {
        if line.is_empty() {
            return self.line(Vec::new());
        }
        for row in kit::wrap(line, self.room()) {
            self.line(row);
        }
    }

    fn line(&mut self, line: Line) {
        let mut whole = self.once.take().unwrap_or_else(|| self.before.clone());
        whole.extend(line);
        self.lines.push(whole);
    }
}
