//! Copy mode: the screen stands still and is read, searched and copied, by keys or by the mouse.

use super::State;
use crate::logic::{Effect, Mono, Now, Shell, ShellId};
use crate::model::{Clean, Span};
use crate::term::{CopyMode, Mark, Size, Then};
use crate::text::say;
use crate::ui::{Piece, Prompt, Role, label, span};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Presses on one cell within this belong together.
const TOGETHER: Span = Span(400);

#[derive(Debug)]
pub(super) struct Copy {
    pub(super) shell: ShellId,
    pub(super) mode: CopyMode,
    /// Of the shell when it began: with another one the picture is another.
    size: Size,
    /// What is searched is being typed; forward or not.
    pub(super) asks: Option<(Prompt, bool)>,
    /// The mouse selects: it ends with the button.
    by_mouse: bool,
}

/// The last press of the mouse's button.
#[derive(Debug, Default)]
pub(super) struct Press {
    at: Mono,
    place: (u16, u16),
    times: u8,
}

impl Press {
    /// How often the button was pressed there, this time included.
    fn again(&mut self, place: (u16, u16), now: Now) -> u8 {
        let together = self.place == place && now.mono.since(self.at) < TOGETHER;
        let times = if together { self.times % 3 + 1 } else { 1 };
        *self = Self {
            at: now.mono,
            place,
            times,
        };
        times
    }
}

impl State {
    pub fn is_copying(&self) -> bool {
        self.copy.is_some()
    }

    /// Begins, or ends where it is on.
    pub fn toggle_copy(&mut self, shell: &Shell) {
        self.copy = match self.copy {
            Some(_) => None,
            None => Some(Copy::of(shell)),
        };
    }

    /// Begins with the question what to look for.
    pub fn search(&mut self, shell: &Shell) {
        let copy = self.copy.get_or_insert_with(|| Copy::of(shell));
        copy.key(&KeyEvent::from(KeyCode::Char('/')));
    }

    /// Ends it where another shell, or the same one in another size, is in view.
    pub fn keep_copy(&mut self, shown: Option<&Shell>) {
        let same = |copy: &mut Copy| {
            shown.is_some_and(|shell| shell.id == copy.shell && shell.emulator.size() == copy.size)
        };
        self.copy.take_if(|copy| !same(copy));
    }

    /// A key while it is on; what is copied goes to the clipboard and ends it.
    pub fn copy_key(&mut self, event: &KeyEvent) -> Option<Effect> {
        match self.copy.as_mut()?.key(event) {
            Then::Copy(text) => {
                self.copy = None;
                Some(Effect::CopyText(text))
            }
            Then::Leave => {
                self.copy = None;
                None
            }
            Then::Stay | Then::Ask { .. } => None,
        }
    }

    /// Text for what is searched.
    pub fn copy_paste(&mut self, text: &str) {
        if let Some(copy) = &mut self.copy
            && let Some((prompt, forward)) = &mut copy.asks
            && prompt.paste(text)
        {
            copy.mode.search(prompt.text(), *forward);
        }
    }

    /// The mouse selects, and what it selected is copied when the button goes up.
    pub(super) fn select(&mut self, shell: &Shell, event: &MouseEvent, now: Now) -> Option<Effect> {
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let place = self.inside(Position::new(event.column, event.row))?;
                let times = self.press.again(place, now);
                let mut copy = Copy::of(shell);
                copy.by_mouse = true;
                copy.mode.press(place.1, place.0, times);
                self.copy = Some(copy);
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                let inner = self.inner();
                let row = i32::from(event.row) - i32::from(inner.y);
                let column = event.column.saturating_sub(inner.x);
                let copy = self.copy.as_mut().filter(|copy| copy.by_mouse)?;
                copy.mode.drag(row, column);
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let copy = self.copy.take_if(|copy| copy.by_mouse)?;
                return copy.mode.selected_text().map(Effect::CopyText);
            }
            _ => {}
        }
        None
    }

    /// The button is down on a selection, which may lead out of the pane.
    pub fn is_selecting(&self) -> bool {
        self.copy.as_ref().is_some_and(|copy| copy.by_mouse)
    }
}

impl Copy {
    fn of(shell: &Shell) -> Self {
        Self {
            shell: shell.id,
            mode: CopyMode::new(&shell.emulator),
            size: shell.emulator.size(),
            asks: None,
            by_mouse: false,
        }
    }

    fn key(&mut self, event: &KeyEvent) -> Then {
        let Some((prompt, forward)) = &mut self.asks else {
            let then = self.mode.key(event);
            if let Then::Ask { forward } = then {
                self.asks = Some((Prompt::default(), forward));
            }
            return then;
        };
        match event.code {
            KeyCode::Enter => self.asks = None,
            KeyCode::Esc => {
                self.mode.search("", *forward);
                self.asks = None;
            }
            _ => {
                if prompt.key(*event) {
                    self.mode.search(prompt.text(), *forward);
                }
            }
        }
        Then::Stay
    }

    pub(super) fn role(&self, row: u16, column: u16) -> Option<Role> {
        match self.mode.mark(row, column) {
            Mark::Plain => None,
            Mark::Selected => Some(Role::Selected),
            Mark::Hit => Some(Role::Match),
            Mark::CurrentHit => Some(Role::Hit),
        }
    }

    /// Below, in place of how the keys go to the program.
    pub(super) fn hint(&self) -> Vec<Piece> {
        let keys = [
            (" v ", "selects"),
            (" y ", "copies"),
            (" / ", "searches"),
            (" q ", "leaves "),
        ];
        keys.into_iter()
            .flat_map(|(key, does)| [label(key, Role::Key), label(does, Role::Dim)])
            .collect()
    }

    /// Where it is, and what was found.
    pub(super) fn stands(&self) -> Piece {
        let words: Clean = match (self.mode.hits(), self.mode.scrolled()) {
            ((0, _), 0) => "copy mode".into(),
            ((0, _), lines) => say(format_args!("copy mode, {lines} lines up")),
            ((all, Some(at)), _) => say(format_args!("copy mode, hit {} of {all}", at + 1)),
            ((all, None), _) => say(format_args!("copy mode, {all} hits")),
        };
        span(&words, Role::Info)
    }
}
