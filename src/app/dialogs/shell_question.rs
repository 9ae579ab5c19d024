//! Small questions about one shell: close it, name it, let its program copy.

use super::{Outcome, Sheet};
use crate::app::shell::{Answer, Copies};
use crate::logic::{Action, Class, Now, Shell, ShellId, World};
use crate::model::{Clean, Foreign};
use crate::panes::shell;
use crate::text::{Side, clean, clean_str, cut, say};
use crate::ui::{KeyHint, Piece, Prompt, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Close,
    Rename,
    Copy,
}

#[derive(Clone, Debug)]
pub(in crate::app) struct ShellQuestion {
    id: ShellId,
    kind: Kind,
    pub(super) sheet: Sheet,
}

/// The second button of each.
const YES: usize = 1;
const ALWAYS: usize = 2;
/// Of a text that is to be copied.
const SHOWN_LINES: usize = 4;
const SHOWN_COLUMNS: usize = 60;

impl ShellQuestion {
    pub(in crate::app) fn close(shell: &Shell) -> Self {
        let class = Some(Action::ShellClose.row().class);
        let mut sheet = Sheet::new("Close the shell", class, &["Cancel", "Close"]);
        let words = label(
            "? What runs in it is told that its terminal is gone, and mostly ends.",
            Role::Text,
        );
        sheet.body = vec![vec![label("Close ", Role::Text), named(shell), words]];
        Self::of(shell, Kind::Close, sheet)
    }

    pub(in crate::app) fn rename(shell: &Shell) -> Self {
        let mut sheet = Sheet::new("Name the shell", None, &["Cancel", "Keep"]);
        let name = shell.name.as_ref().map_or("", Clean::as_str);
        sheet.prompt = Some((vec![label("name: ", Role::Text)], Prompt::with(name)));
        sheet.buttons.set_focus(YES);
        sheet.body = vec![vec![label(
            "Without a name it is called by its number and by what runs in it.",
            Role::Dim,
        )]];
        Self::of(shell, Kind::Rename, sheet)
    }

    pub(in crate::app) fn copy(shell: &Shell, text: &Foreign) -> Self {
        let labels = &["Refuse", "Copy", "Always, from this shell"];
        let mut sheet = Sheet::new("A program wants to copy", Some(Class::Changes), labels);
        let size = text.as_raw().len();
        let told = say(format_args!(" wants {size} bytes in your clipboard:"));
        sheet.body = vec![vec![named(shell), span(&told, Role::Text)]];
        let lines = text.as_raw().lines().take(SHOWN_LINES);
        sheet.body.extend(lines.map(|line| {
            let line = cut(&clean_str(line), SHOWN_COLUMNS, Side::End);
            vec![label("  ", Role::Text), span(&line, Role::Dim)]
        }));
        Self::of(shell, Kind::Copy, sheet)
    }

    fn of(shell: &Shell, kind: Kind, sheet: Sheet) -> Self {
        Self {
            id: shell.id,
            kind,
            sheet,
        }
    }

    pub(super) fn follow(&mut self, world: &World, now: Now) {
        let shell = world.shells.get(self.id);
        if let Some(shell) = shell.filter(|_| self.kind == Kind::Close) {
            let (words, role) = shell::stands(shell, now);
            self.sheet.facts = vec![("state", vec![span(&words, role)])];
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        let answer = match (self.kind, button) {
            (Kind::Close, YES) => Answer::Close(self.id),
            (Kind::Rename, YES) => Answer::Rename(self.id, self.sheet.typed().to_owned()),
            (Kind::Copy, YES) => Answer::Copy(self.id, Copies::Once),
            (Kind::Copy, ALWAYS) => Answer::Copy(self.id, Copies::Always),
            (Kind::Copy, _) => Answer::Copy(self.id, Copies::Never),
            _ => return Outcome::Closed,
        };
        Outcome::Shell(answer)
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        self.sheet.hints(match self.kind {
            Kind::Close => "close",
            Kind::Rename => "keep",
            Kind::Copy => "copy",
        })
    }
}

fn named(shell: &Shell) -> Piece {
    let name = clean(shell.site.key.name.as_foreign());
    let named = say(format_args!("shell {} in {name}", shell.called()));
    span(&named, Role::Title)
}
