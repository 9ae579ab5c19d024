//! Notices: what agents came to, by the ways that are chosen, and never of what is on screen.

use super::State;
use super::message::Tone;
use crate::agents;
use crate::logic::notices::Occasion;
use crate::logic::{Effect, Tab, View};
use crate::model::{Clean, CommandKey, SandboxKey};
use crate::panes::standing;
use crate::text::{clean, say};

impl State {
    /// Each change of an agent's run is told once.
    pub(super) fn tell_of_runs(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for run in self.world.agent_runs.take_news() {
            let Some((occasion, sentence)) = self.told_of(&run) else {
                continue;
            };
            if self.has_in_view(&run) {
                self.world.activity.note(sentence, self.now);
                continue;
            }
            let tone = match occasion {
                Occasion::Waiting | Occasion::Failed => Tone::Refused,
                _ => Tone::Said,
            };
            if self.settings.notices.ways(occasion).app {
                self.say(sentence.clone(), tone);
            }
            for effect in self.announce(occasion, sentence) {
                if effect != Effect::Bell || !effects.contains(&effect) {
                    effects.push(effect);
                }
            }
        }
        effects
    }

    /// What leaves the program; the activity view keeps it in any case.
    pub(super) fn announce(&mut self, occasion: Occasion, sentence: Clean) -> Vec<Effect> {
        let notices = &self.settings.notices;
        let effects = notices.effects(occasion, &sentence, self.minute_of_day());
        self.world.activity.note(sentence, self.now);
        effects
    }

    /// What runs in a sandbox that is about to end.
    pub(super) fn at_work(&self, sandbox: &SandboxKey) -> Clean {
        let runs = &self.world.agent_runs;
        let working = runs.of_sandbox(sandbox).filter(|run| {
            let state = self
                .world
                .standing(run, self.now)
                .and_then(|stands| stands.state);
            state.is_some_and(|state| !state.is_over())
        });
        match working {
            Some(run) => say(format_args!("{} is at work in it", runs.agent(run))),
            None => Clean::from("a command still runs"),
        }
    }

    fn told_of(&self, run: &CommandKey) -> Option<(Occasion, Clean)> {
        let stands = self.world.standing(run, self.now)?;
        let (occasion, what) = match stands.state.as_ref()? {
            agents::State::Waiting(_) => (Occasion::Waiting, "waits for you"),
            agents::State::RateLimited(_) => (Occasion::RateLimited, "is rate-limited"),
            agents::State::Done => (Occasion::Done, "is done"),
            agents::State::Failed(_) => (Occasion::Failed, "failed"),
            agents::State::EndedWithoutResult(_) => (Occasion::Failed, "ended without a result"),
            _ => return None,
        };
        let runs = &self.world.agent_runs;
        let sandbox = clean(runs.owner(&run.session)?.name.as_foreign());
        let why = standing::doing(run, &stands, &self.world, &self.ctx());
        let why = match why.as_str().is_empty() {
            true => why,
            false => say(format_args!(": {why}")),
        };
        let agent = runs.agent(run);
        let sentence = say(format_args!("{agent} in {sandbox} {what}{why}"));
        Some((occasion, sentence))
    }

    /// Somebody looks at it right now.
    fn has_in_view(&self, run: &CommandKey) -> bool {
        let shown = match self.view {
            View::Runs => self.runs.shows(run),
            View::Dashboard => {
                let of_command = !matches!(self.tab, Tab::Shell | Tab::Sessions | Tab::Info);
                let on_stage = of_command && !self.areas.stage.is_empty();
                on_stage && self.logs.chosen() == Some(run)
            }
            View::Activity => false,
        };
        self.focused && self.dialogs.is_empty() && shown
    }

    /// By this machine's clock.
    fn minute_of_day(&self) -> u16 {
        let now = jiff::Timestamp::from_millisecond(self.now.wall.0).unwrap_or_default();
        let time = now.to_zoned_datetime(self.given.zone.clone());
        u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or(0)
    }
}
