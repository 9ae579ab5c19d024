//! What all questions have in common: words that may be long, perhaps something to type, and the answers.

use super::CANCEL;
use crate::app::footer::told;
use crate::logic::Class;
use crate::ui::{self, Buttons, Hits, KeyHint, Piece, Prompt, Role, Theme, label};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) title: &'static str,
    pub(super) class: Option<Class>,
    pub(super) body: Vec<Vec<Piece>>,
    pub(super) facts: Vec<(&'static str, Vec<Piece>)>,
    /// With its label; while there is one, letters are text.
    pub(super) prompt: Option<(Vec<Piece>, Prompt)>,
    pub(super) buttons: Buttons,
    /// Lines that are scrolled away above, and the most that can be.
    top: usize,
    last_top: usize,
}

/// Lines that a page key scrolls.
const PAGE: usize = 5;

impl Sheet {
    pub(super) fn new(
        title: &'static str,
        class: Option<Class>,
        labels: &'static [&'static str],
    ) -> Self {
        Self {
            title,
            class,
            body: Vec::new(),
            facts: Vec::new(),
            prompt: None,
            buttons: Buttons::new(labels),
            top: 0,
            last_top: 0,
        }
    }

    /// What was typed, without blanks around it.
    pub(super) fn typed(&self) -> &str {
        self.prompt
            .as_ref()
            .map_or("", |(_, prompt)| prompt.text().trim())
    }

    /// The button that the key answers with, if it does: Enter the one with the focus, Esc the harmless one, `y` the
    /// second. What was held down when the dialog opened comes as repeats, or as the same key again: neither answers.
    pub(super) fn key(&mut self, event: KeyEvent) -> Option<usize> {
        let held = event.kind == KeyEventKind::Repeat;
        let typing = self.prompt.is_some();
        let scrolls = self.last_top > 0 && !typing;
        match event.code {
            KeyCode::PageUp => (0..PAGE).for_each(|_| self.scroll_up()),
            KeyCode::PageDown => (0..PAGE).for_each(|_| self.scroll_down()),
            KeyCode::Up | KeyCode::Char('k') if scrolls => self.scroll_up(),
            KeyCode::Down | KeyCode::Char('j') if scrolls => self.scroll_down(),
            KeyCode::Down | KeyCode::Tab => self.buttons.next(),
            KeyCode::Up | KeyCode::BackTab => self.buttons.previous(),
            KeyCode::Enter if !held => return Some(self.buttons.focus()),
            KeyCode::Esc if !held => return Some(CANCEL),
            _ if typing => {
                if let Some((_, prompt)) = &mut self.prompt {
                    prompt.key(event);
                }
            }
            KeyCode::Right | KeyCode::Char('l' | 'j') => self.buttons.next(),
            KeyCode::Left | KeyCode::Char('h' | 'k') => self.buttons.previous(),
            KeyCode::Char('n' | 'q') if !held => return Some(CANCEL),
            KeyCode::Char('y') if !held => return Some(CANCEL + 1),
            _ => {}
        }
        None
    }

    pub(super) fn paste(&mut self, text: &str) {
        if let Some((_, prompt)) = &mut self.prompt {
            prompt.paste(text);
        }
    }

    pub(super) fn scroll_up(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    pub(super) fn scroll_down(&mut self) {
        self.top = (self.top + 1).min(self.last_top);
    }

    /// After the words were written: how far they can be scrolled on this screen.
    pub(super) fn place(&mut self, screen: Rect) {
        self.last_top = self.with_dialog(|dialog| dialog.last_top(screen));
        self.top = self.top.min(self.last_top);
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        self.with_dialog(|dialog| dialog.draw(buffer, screen, theme))
    }

    fn with_dialog<T>(&self, see: impl FnOnce(ui::Dialog<'_>) -> T) -> T {
        let prompt = self.prompt.as_ref();
        see(ui::Dialog {
            title: &[label(self.title, Role::Title)],
            class: self.class,
            body: &self.body,
            facts: &self.facts,
            scroll: self.top,
            prompt: prompt.map(|(label, prompt)| (label.as_slice(), prompt)),
            buttons: &self.buttons,
        })
    }

    /// The keys that answer it; `verb` is what `y`, or the second button, does.
    pub(super) fn hints(&self, verb: &'static str) -> Vec<KeyHint> {
        let class = self.class.unwrap_or(Class::Free);
        let mut hints = vec![told("esc", "cancel", Class::Free)];
        let keys = if self.prompt.is_none() {
            "y"
        } else {
            "tab enter"
        };
        hints.push(told(keys, verb, class));
        hints.push(told("tab", "next answer", Class::Free));
        hints.push(told("enter", "choose it", Class::Free));
        if self.last_top > 0 {
            hints.push(told("pgdn pgup", "scroll", Class::Free));
        }
        hints
    }

    /// Where nothing is asked: `retry` = something failed and can be tried again.
    pub(super) fn hints_of_results(&self, retry: bool) -> Vec<KeyHint> {
        let mut hints = vec![told("enter", "close", Class::Free)];
        if retry {
            let class = self.class.unwrap_or(Class::Free);
            hints.push(told("R", "retry the failed", class));
        }
        if self.last_top > 0 {
            hints.push(told("j k", "scroll", Class::Free));
        }
        hints
    }
}
