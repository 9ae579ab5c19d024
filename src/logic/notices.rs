//! What is told when something changes that a person may want to know: by which ways, and when not.

use super::Effect;
use crate::model::Clean;

/// What is worth a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// An agent waits for a person.
    Waiting,
    RateLimited,
    Done,
    /// It failed, or ended without a result.
    Failed,
    /// A sandbox ends soon while something works in it.
    Lease,
}

/// How it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Ways {
    /// A sentence in the footer.
    pub app: bool,
    pub bell: bool,
    /// A notice of the terminal's.
    pub terminal: bool,
    /// By the desktop's own program.
    pub desktop: bool,
}

/// The sequence that this terminal knows for notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sequence {
    /// iTerm2, `WezTerm`, Ghostty, Windows Terminal.
    #[default]
    Osc9,
    /// urxvt, foot, Konsole, Warp.
    Osc777,
    /// kitty.
    Osc99,
}

/// From a minute of the day to another, maybe over midnight; by this machine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    pub from: u16,
    pub to: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notices {
    pub waiting: Ways,
    pub rate_limited: Ways,
    pub done: Ways,
    pub failed: Ways,
    pub lease: Ways,
    pub sequence: Sequence,
    /// Then only the footer tells.
    pub quiet: Option<Quiet>,
}

impl Default for Notices {
    fn default() -> Self {
        let app = Ways {
            app: true,
            ..Ways::default()
        };
        let loud = Ways {
            bell: true,
            terminal: true,
            ..app
        };
        Self {
            waiting: loud,
            rate_limited: app,
            done: Ways {
                terminal: true,
                ..app
            },
            failed: loud,
            lease: loud,
            sequence: Sequence::default(),
            quiet: None,
        }
    }
}

impl Quiet {
    pub fn holds(self, minute: u16) -> bool {
        match self.from <= self.to {
            true => (self.from..self.to).contains(&minute),
            false => minute >= self.from || minute < self.to,
        }
    }
}

impl Notices {
    pub fn ways(&self, occasion: Occasion) -> Ways {
        match occasion {
            Occasion::Waiting => self.waiting,
            Occasion::RateLimited => self.rate_limited,
            Occasion::Done => self.done,
            Occasion::Failed => self.failed,
            Occasion::Lease => self.lease,
        }
    }

    /// What leaves the program. `minute`: of the day, by this machine's clock.
    pub fn effects(&self, occasion: Occasion, sentence: &Clean, minute: u16) -> Vec<Effect> {
        if self.quiet.is_some_and(|quiet| quiet.holds(minute)) {
            return Vec::new();
        }
        let ways = self.ways(occasion);
        let told = [
            ways.bell.then_some(Effect::Bell),
            ways.terminal
                .then(|| Effect::Notify(self.sequence, sentence.clone())),
            ways.desktop.then(|| Effect::Desktop(sentence.clone())),
        ];
        told.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_occasion_has_ways_of_its_own_and_quiet_hours_have_none() {
        let sentence = Clean::from("it waits");
        let mut notices = Notices {
            done: Ways {
                desktop: true,
                ..Ways::default()
            },
            ..Notices::default()
        };
        let tell =
            |notices: &Notices, occasion, minute| notices.effects(occasion, &sentence, minute);
        let loud = [
            Effect::Bell,
            Effect::Notify(Sequence::Osc9, sentence.clone()),
        ];
        assert_eq!(tell(&notices, Occasion::Waiting, 0), loud);
        assert_eq!(tell(&notices, Occasion::RateLimited, 0), []);
        assert_eq!(
            tell(&notices, Occasion::Done, 0),
            [Effect::Desktop(sentence.clone())]
        );
        notices.quiet = Some(Quiet {
            from: 1320,
            to: 420,
        });
        for (minute, is_quiet) in [
            (0, true),
            (419, true),
            (420, false),
            (1319, false),
            (1320, true),
        ] {
            assert_eq!(
                tell(&notices, Occasion::Waiting, minute).is_empty(),
                is_quiet,
                "{minute}"
            );
        }
        notices.quiet = Some(Quiet { from: 60, to: 120 });
        assert!(tell(&notices, Occasion::Failed, 60).is_empty());
        assert!(!tell(&notices, Occasion::Failed, 120).is_empty());
    }
}
