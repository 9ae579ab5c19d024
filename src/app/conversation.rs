//! An agent's run on the stage: from its steps to the lines of the log and back, and what is typed there.

use super::State;
use super::message::Tone;
use crate::agents::Format;
use crate::logic::{Action, Pane, StoreId, Tab, World};
use crate::panes::{Ctx, agent};
use crate::text::say;
use crossterm::event::KeyEvent;

impl State {
    /// The log line of the step where the reader is.
    pub(super) fn step_line(&self) -> Option<(StoreId, u64)> {
        let is_here = self.pane == Pane::Agent;
        self.agent.line(&self.world).filter(|_| is_here)
    }

    /// The line of the log in view that is a run's too.
    pub(super) fn raw_line(&self) -> Option<u64> {
        let key = self.logs.chosen().filter(|_| self.pane == Pane::Lines)?;
        let run = self.world.agent_runs.get(key)?;
        let tail = self.world.tails.get(key)?;
        let is_its = run.is_agent() && run.store() == tail.store_id;
        self.logs.line().filter(|_| is_its)
    }

    /// From a step to its raw lines, and back.
    pub(super) fn turn_to_raw(&mut self) {
        if let Some(line) = self.raw_line() {
            if let Some(key) = self.logs.chosen() {
                self.agent.go_to_line(&self.world, key, line);
            }
            (self.tab, self.pane) = (Tab::Agent, Pane::Agent);
        } else if let Some((store, line)) = self.step_line() {
            let tail = self.logs.chosen().and_then(|key| self.world.tails.get(key));
            let Some(tail) = tail.filter(|tail| tail.store_id == store) else {
                self.say("Its log is not held any more.", Tone::Refused);
                return;
            };
            self.logs.go_to(line, tail.store.end());
            (self.tab, self.pane) = (Tab::Logs, Pane::Lines);
        } else {
            self.say("This is no line of an agent's run.", Tone::Refused);
        }
    }

    pub(super) fn typed_in_run(&mut self, event: KeyEvent) {
        let told = self.with_run(|run, world, ctx| agent::key(run, world, event, ctx));
        if let Some(format) = told {
            self.read_as(format);
        }
    }

    pub(super) fn pasted_in_run(&mut self, text: &str) {
        self.with_run(|run, world, ctx| agent::paste(run, world, text, ctx));
    }

    pub(super) fn wheel_in_run(&mut self, action: Action, rows: usize) {
        self.with_run(|run, world, ctx| agent::wheel(run, world, action, rows, ctx));
    }

    fn with_run<T>(&mut self, does: impl FnOnce(&mut agent::State, &World, &Ctx<'_>) -> T) -> T {
        let ctx = Ctx {
            theme: &self.theme,
            keymap: &self.keymap,
            zone: &self.zone,
            local: &self.given.zone,
            now: self.now,
            pane: self.pane,
            subject: self.list.selected(),
        };
        does(&mut self.agent, &self.world, &ctx)
    }

    fn read_as(&mut self, format: Format) {
        let Some(key) = self.logs.chosen().cloned() else {
            return;
        };
        let World {
            agent_runs, tails, ..
        } = &mut self.world;
        if let Some(tail) = tails.get(&key) {
            agent_runs.read_as(&key, format, tail);
            self.agent.forget(&key);
            let said = say(format_args!("Read as {}.", format.word()));
            self.say(said, Tone::Said);
        }
    }
}
