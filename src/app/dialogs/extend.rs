//! Asks how much more time sandboxes get: five minutes, an hour, or what is typed.

use super::meant::Meant;
use super::{Outcome, Sheet};
use crate::logic::{Action, Deed, Now, Target, World};
use crate::model::Span;
use crate::text::figures;
use crate::ui::{KeyHint, Prompt, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct ExtendQuestion {
    pub(super) meant: Meant,
    pub(super) sheet: Sheet,
    /// The answer was to take what is typed, and that is no duration.
    mistyped: bool,
}

const FIVE_MINUTES: usize = 1;
const AN_HOUR: usize = 2;
const TYPED: usize = 3;
/// The service takes no less (api.md §2.6), and the plan's limit is far below the most.
const LEAST: Span = Span::seconds(1);
const MOST: Span = Span::minutes(60 * 24 * 7);

impl ExtendQuestion {
    pub(in crate::app) fn new(meant: Meant) -> Self {
        let class = Some(Action::Extend.row().class);
        let labels = &["Cancel", "5 minutes", "1 hour", "As typed"];
        let mut sheet = Sheet::new("Extend", class, labels);
        let ask = label("or type it (90s, 20m, 1h30m): ", Role::Text);
        sheet.prompt = Some((vec![ask], Prompt::default()));
        Self {
            meant,
            sheet,
            mistyped: false,
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let before = self.sheet.typed().to_owned();
        if let Some(button) = self.sheet.key(event) {
            return self.answer(button);
        }
        if self.sheet.typed() != before {
            self.mistyped = false;
            self.sheet.buttons.set_focus(TYPED);
        }
        Outcome::Open
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        let by = match button {
            FIVE_MINUTES => Some(Span::minutes(5)),
            AN_HOUR => Some(Span::minutes(60)),
            TYPED => duration(self.sheet.typed()),
            _ => return Outcome::Closed,
        };
        match by {
            Some(by) => Outcome::Confirmed(Deed::Extend { by }, self.meant.targets.clone()),
            None => {
                self.mistyped = true;
                Outcome::Open
            }
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        self.sheet.hints("extend")
    }

    pub(super) fn follow(&mut self, world: &World, now: Now) {
        let time = match world.backend.local {
            true => " more time?",
            false => " more time? It is billed as it passes.",
        };
        let mut body = vec![vec![
            label("Give ", Role::Text),
            span(&self.meant.subject(), Role::Title),
            label(time, Role::Text),
        ]];
        if self.mistyped {
            let words = "That is no duration: write 90s, 20m, 2h or 1h30m, at most 7 days.";
            body.push(vec![label(words, Role::Bad)]);
        }
        let left = |target: &Target| {
            let left = world
                .fact(&target.key)
                .and_then(|fact| fact.left(world.service_now(now)));
            vec![
                span(&figures::left(left), Role::Text),
                label(" left", Role::Text),
            ]
        };
        body.extend(self.meant.told(world, left));
        self.sheet.body = body;
        let one = self.meant.one();
        self.sheet.facts = one
            .map(|target| ("time", left(target)))
            .into_iter()
            .collect();
    }
}

/// `90s`, `20m`, `1h30m`, `2 h`; a bare number counts minutes.
fn duration(text: &str) -> Option<Span> {
    let text: String = text.split_whitespace().collect();
    if let Ok(minutes) = text.parse::<i64>() {
        return within(Span::minutes(minutes));
    }
    let mut rest = text.as_str();
    let mut total = Span(0);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: i64 = rest[..digits].parse().ok()?;
        let mut after = rest[digits..].chars();
        total = total
            + match after.next()? {
                's' => Span::seconds(number),
                'm' => Span::minutes(number),
                'h' => Span::minutes(number.saturating_mul(60)),
                _ => return None,
            };
        rest = after.as_str();
    }
    within(total)
}

fn within(span: Span) -> Option<Span> {
    (LEAST..=MOST).contains(&span).then_some(span)
}
