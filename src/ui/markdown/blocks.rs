//! The source as a tree of blocks.

use super::super::{Piece, Role, label, printed, span};
use crate::text::{self, Run, RunStyle};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

/// Deeper nesting is laid out as if it were this deep.
const DEEPEST: usize = 12;
/// Columns between tab stops in code.
const TAB: usize = 4;

pub(super) type Line = Vec<Piece>;

#[derive(Debug)]
pub(super) enum Block {
    /// Lines as the writer broke them; each is wrapped by itself.
    Paragraph(Vec<Line>),
    Heading(Line),
    /// With the language, where it was named.
    Code(Option<Piece>, Vec<Line>),
    Quote(Vec<Block>),
    List {
        /// The first number; without it, a list of dots.
        first: Option<u64>,
        entries: Vec<Vec<Block>>,
    },
    Table {
        head: Vec<Line>,
        rows: Vec<Vec<Line>>,
    },
    Rule,
}

pub(super) fn read(source: &str) -> Vec<Block> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::default();
    for event in Parser::new_ext(source, options) {
        reader.take(event);
    }
    reader.finish()
}

/// What is open around the current text.
enum Open {
    Quote(Vec<Block>),
    List(Option<u64>, Vec<Vec<Block>>),
    Entry(Vec<Block>),
    Table(Vec<Line>, Vec<Vec<Line>>),
    /// Too deep: its blocks go to the one around it.
    Ignored,
}

#[derive(Default)]
struct Reader {
    done: Vec<Block>,
    open: Vec<Open>,
    /// Lines of the block that is being read; the last one grows.
    lines: Vec<Line>,
    cells: Vec<Line>,
    code: Option<(Option<Piece>, String)>,
    style: RunStyle,
    /// Of the links that are open, where they lead, and their text so far.
    links: Vec<(String, String)>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => self.text(&words),
            Event::Code(words) => self.push(span(&text::clean_str(&words), Role::Info)),
            Event::Html(words) | Event::InlineHtml(words) => self.text(&words),
            Event::SoftBreak | Event::HardBreak => self.lines.push(Line::new()),
            Event::Rule => self.add(Block::Rule),
            Event::TaskListMarker(done) => {
                self.push(label(if done { "[x] " } else { "[ ] " }, Role::Dim));
            }
            Event::InlineMath(words)
            | Event::DisplayMath(words)
            | Event::FootnoteReference(words) => {
                self.text(&words);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.style.bold = true,
            Tag::Emphasis => self.style.italic = true,
            Tag::Strikethrough => self.style.strike = true,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), String::new()));
            }
            Tag::TableHead | Tag::TableRow | Tag::TableCell => {}
            other => {
                self.flush();
                self.open(other);
            }
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        let deep = self.open.len() >= DEEPEST;
        match tag {
            Tag::CodeBlock(kind) => self.code = Some((language(kind), String::new())),
            Tag::BlockQuote(_) | Tag::List(_) | Tag::Item if deep => self.open.push(Open::Ignored),
            Tag::BlockQuote(_) => self.open.push(Open::Quote(Vec::new())),
            Tag::List(first) => self.open.push(Open::List(first, Vec::new())),
            Tag::Item => self.open.push(Open::Entry(Vec::new())),
            Tag::Table(_) => self.open.push(Open::Table(Vec::new(), Vec::new())),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.style.bold = false,
            TagEnd::Emphasis => self.style.italic = false,
            TagEnd::Strikethrough => self.style.strike = false,
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::Heading(_) => {
                let line = std::mem::take(&mut self.lines).into_iter().flatten();
                let block = Block::Heading(line.collect());
                self.add(block);
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.lines).into_iter().flatten();
                self.cells.push(cell.collect());
            }
            TagEnd::TableHead | TagEnd::TableRow => self.end_row(tag == TagEnd::TableHead),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::Table => {
                self.flush();
                self.close();
            }
            _ => self.flush(),
        }
    }

    fn end_row(&mut self, is_head: bool) {
        let cells = std::mem::take(&mut self.cells);
        if let Some(Open::Table(head, rows)) = self.open.last_mut() {
            if is_head {
                *head = cells;
            } else {
                rows.push(cells);
            }
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Quote(blocks)) => self.add(Block::Quote(blocks)),
            Some(Open::List(first, entries)) => self.add(Block::List { first, entries }),
            Some(Open::Table(head, rows)) => self.add(Block::Table { head, rows }),
            Some(Open::Entry(blocks)) => match self.open.last_mut() {
                Some(Open::List(_, entries)) => entries.push(blocks),
                _ => blocks.into_iter().for_each(|block| self.add(block)),
            },
            Some(Open::Ignored) | None => {}
        }
    }

    fn end_code(&mut self) {
        let Some((language, words)) = self.code.take() else {
            return;
        };
        let lines = words.lines().map(|line| {
            let runs = text::runs(line, TAB, usize::MAX);
            runs.iter().map(|run| printed(run, Role::Text)).collect()
        });
        let block = Block::Code(language, lines.collect());
        self.add(block);
    }

    /// Links are told as text: nothing that a person did not read can be followed.
    fn end_link(&mut self) {
        let Some((url, words)) = self.links.pop() else {
            return;
        };
        if !url.is_empty() && url != words {
            let place = text::say(format_args!(" ({url})"));
            self.push(span(&place, Role::Dim));
        }
    }

    fn text(&mut self, words: &CowStr<'_>) {
        if let Some((_, code)) = &mut self.code {
            return code.push_str(words);
        }
        if let Some((_, so_far)) = self.links.last_mut() {
            so_far.push_str(words);
        }
        for (nth, line) in words.split('\n').enumerate() {
            if nth > 0 {
                self.lines.push(Line::new());
            }
            if !line.is_empty() {
                let run = Run {
                    text: text::clean_str(line),
                    style: self.style,
                };
                self.push(printed(&run, Role::Text));
            }
        }
    }

    fn push(&mut self, piece: Piece) {
        match self.lines.last_mut() {
            Some(line) => line.push(piece),
            None => self.lines.push(vec![piece]),
        }
    }

    /// What was read so far is a paragraph.
    fn flush(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        if !lines.is_empty() {
            self.add(Block::Paragraph(lines));
        }
    }

    fn add(&mut self, block: Block) {
        for open in self.open.iter_mut().rev() {
            match open {
                Open::Quote(blocks) | Open::Entry(blocks) => return blocks.push(block),
                Open::List(_, entries) => return entries.push(vec![block]),
                Open::Table(..) | Open::Ignored => {}
            }
        }
        self.done.push(block);
    }

    fn finish(mut self) -> Vec<Block> {
        self.end_code();
        self.flush();
        while !self.open.is_empty() {
            self.close();
        }
        self.done
    }
}

fn language(kind: CodeBlockKind<'_>) -> Option<Piece> {
    match kind {
        CodeBlockKind::Fenced(name) if !name.is_empty() => {
            Some(span(&text::clean_str(&name), Role::Dim))
        }
        _ => None,
    }
}
