//! Asks which signal a command gets, and shows which command that is.

use super::meant::Meant;
use super::{Outcome, Sheet};
use crate::logic::{Action, Deed, Target, World, line_of};
use crate::model::{Clean, CommandKey};
use crate::text::{Side, cut, say};
use crate::ui::{KeyHint, Piece, Prompt, Role, label, span};
use crossterm::event::{KeyCode, KeyEvent};

#[derive(Clone, Debug)]
pub(in crate::app) struct KillQuestion {
    pub(super) meant: Meant,
    pub(super) sheet: Sheet,
    command: CommandKey,
    /// In [`SIGNALS`]; what is typed goes before it.
    chosen: usize,
    /// The answer was yes, and what is typed is no signal.
    mistyped: bool,
}

const SEND: usize = 1;
/// As Linux numbers them (the service's sandboxes are Linux), and what they commonly do.
const SIGNALS: [(&str, i32, &str); 9] = [
    ("TERM", 15, "asks it to end"),
    ("INT", 2, "interrupts it, as ctrl-c does"),
    (
        "HUP",
        1,
        "its terminal is gone; many read their settings anew",
    ),
    ("KILL", 9, "ends it at once; it cannot tidy up"),
    ("QUIT", 3, "ends it, often with a dump"),
    ("STOP", 19, "halts it"),
    ("CONT", 18, "lets it go on"),
    ("USR1", 10, "what the program makes of it"),
    ("USR2", 12, "what the program makes of it"),
];
/// Signal numbers that exist on Linux.
const NUMBERS: std::ops::RangeInclusive<i32> = 1..=64;
const LINE: usize = 200;

impl KillQuestion {
    pub(in crate::app) fn new(meant: Meant, command: CommandKey) -> Self {
        let class = Some(Action::Kill.row().class);
        let mut sheet = Sheet::new("Send a signal", class, &["Cancel", "Send"]);
        let ask = label("or type its name or number: ", Role::Text);
        sheet.prompt = Some((vec![ask], Prompt::default()));
        Self {
            meant,
            sheet,
            command,
            chosen: 0,
            mistyped: false,
        }
    }

    /// Up and down choose the signal.
    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        match event.code {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(SIGNALS.len() - 1),
            _ => {
                let button = self.sheet.key(event);
                self.mistyped &= self.signal().is_none();
                return button.map_or(Outcome::Open, |button| self.answer(button));
            }
        }
        Outcome::Open
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        match (button, self.signal()) {
            (SEND, Some(signal)) => {
                let command = self.command.clone();
                let targets = self.meant.targets.clone();
                Outcome::Confirmed(Deed::Kill { command, signal }, targets)
            }
            (SEND, None) => {
                self.mistyped = true;
                Outcome::Open
            }
            _ => Outcome::Closed,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        let mut hints = self.sheet.hints("send");
        hints.insert(
            1,
            crate::app::footer::told("up down", "choose", crate::logic::Class::Free),
        );
        hints
    }

    pub(super) fn follow(&mut self, world: &World) {
        let question = match self.signal() {
            Some(signal) => say(format_args!("Send {} to this command of ", name(signal))),
            None => Clean::from("Send a signal to this command of "),
        };
        let mut body = vec![vec![
            span(&question, Role::Text),
            span(&self.meant.subject(), Role::Title),
            label("?", Role::Text),
        ]];
        if self.mistyped {
            let words = "That is no signal: type a name such as HUP, or a number from 1 to 64.";
            body.push(vec![label(words, Role::Bad)]);
        }
        body.extend(self.meant.told(world, |_: &Target| Vec::new()));
        body.push(vec![span(
            &cut(&line_of(&self.command, world), LINE, Side::End),
            Role::Warn,
        )]);
        self.sheet.body = body;
        let typed = !self.sheet.typed().is_empty();
        let rows = SIGNALS
            .iter()
            .enumerate()
            .map(|(at, (name, number, does))| {
                let chosen = at == self.chosen && !typed;
                (*name, row(chosen, *number, does))
            });
        self.sheet.facts = rows.collect();
    }

    /// What is typed, or else what is chosen.
    fn signal(&self) -> Option<i32> {
        let typed = self.sheet.typed();
        if typed.is_empty() {
            return SIGNALS.get(self.chosen).map(|(_, number, _)| *number);
        }
        let upper = typed.to_ascii_uppercase();
        let short = upper.strip_prefix("SIG").unwrap_or(&upper);
        let named = SIGNALS.iter().find(|(name, ..)| *name == short);
        named
            .map(|(_, number, _)| *number)
            .or_else(|| typed.parse().ok().filter(|number| NUMBERS.contains(number)))
    }
}

fn row(chosen: bool, number: i32, does: &'static str) -> Vec<Piece> {
    let role = if chosen { Role::Title } else { Role::Text };
    let sign = if chosen { "> " } else { "  " };
    let number = say(format_args!("{number:>2}  "));
    vec![
        label(sign, role),
        span(&number, Role::Dim),
        label(does, role),
    ]
}

fn name(signal: i32) -> Clean {
    let named = SIGNALS.iter().find(|(_, number, _)| *number == signal);
    match named {
        Some((name, ..)) => Clean::from(*name),
        None => say(format_args!("signal {signal}")),
    }
}
