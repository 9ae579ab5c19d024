//! What to fetch next, and when: a table of rules over what is known, what is looked at, and the time.
//!
//! Three budgets, all visible: *list* (pages of the whole project), *detail* (single rows, sessions, commands,
//! read again and again) and *looks* (the same for what a person selects, the first time). The first sweep is
//! outside the list budget but never faster than four requests a second.

mod details;
mod gaze;
mod sweep;
#[cfg(test)]
mod tests;

pub use gaze::Gaze;

use super::{
    Budget, Call, Calls, Effect, Jumps, Link, Mono, Now, Purpose, Reply, World, explain, retry,
};
use crate::model::{Clean, Failure, FailureKind, Span};
use sweep::Sweep;

/// Pages of the list: one a beat, and the slow sweep.
const LIST_PER_MINUTE: usize = 20;
/// Rows, sessions and commands.
const DETAIL_PER_MINUTE: usize = 40;
/// What a person selects and nobody has read yet: it does not wait for what the polling spent.
const LOOKS_PER_MINUTE: usize = 120;
/// Polls fall on common beats: several of them are one wake-up then, and one frame.
const BEAT: u64 = 5_000;
/// The first sweep may take four pages a second.
const FIRST_SWEEP_GAP: Span = Span(250);
/// A whole sweep finds deletions and changes that move no time stamp.
const SWEEP_EVERY: Span = Span::minutes(5);

#[derive(Debug)]
pub struct Plan {
    sweep: Sweep,
    list: Budget,
    detail: Budget,
    looks: Budget,
    /// When the last page was asked for.
    page_asked: Option<Mono>,
    /// After a page that failed: not before this.
    page_hold: Mono,
    /// When the list is due again.
    beat_at: Mono,
    /// Beats in a row that brought nothing new.
    quiet: u32,
    /// Everything is wanted at once, whatever its age.
    refresh: Option<Mono>,
    jumps: Jumps,
}

/// How much of each budget the last minute took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    pub list: (usize, usize),
    pub detail: (usize, usize),
    pub looks: (usize, usize),
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            sweep: Sweep::default(),
            list: Budget::new(LIST_PER_MINUTE),
            detail: Budget::new(DETAIL_PER_MINUTE),
            looks: Budget::new(LOOKS_PER_MINUTE),
            page_asked: None,
            page_hold: Mono(0),
            beat_at: Mono(0),
            quiet: 0,
            refresh: None,
            jumps: Jumps::default(),
        }
    }
}

/// The nearest beat: a wait is at most half of one shorter or longer.
fn on_beat(at: Mono) -> Mono {
    Mono(at.0.saturating_add(BEAT / 2) / BEAT * BEAT)
}

impl Plan {
    pub fn budgets(&self, now: Now) -> Budgets {
        let of = |budget: &Budget| (budget.used(now.mono), budget.per_minute);
        Budgets {
            list: of(&self.list),
            detail: of(&self.detail),
            looks: of(&self.looks),
        }
    }

    /// Takes one request from the detail budget, if there is room for it.
    pub(in crate::logic) fn affords_detail(&mut self, now: Now) -> bool {
        let free = self.detail.free_at(now.mono) <= now.mono;
        if free {
            self.detail.spend(now.mono);
        }
        free
    }

    /// How long between two looks at the list.
    pub fn beat(&self, gaze: &Gaze) -> Span {
        match (gaze.focused, self.quiet) {
            (false, _) => Span::seconds(30),
            (true, 0..24) => Span::seconds(5),
            (true, _) => Span::seconds(10),
        }
    }

    /// The refresh key: everything on screen is due, and a wait for the link is cut short.
    pub fn refresh(&mut self, world: &mut World, now: Now) {
        self.beat_at = now.mono;
        self.page_hold = now.mono;
        self.quiet = 0;
        self.refresh = Some(now.mono);
        if world.link.held_until().is_some() {
            world.link = Link::Connecting;
        }
    }

    /// Sends what is due.
    pub fn tick(
        &mut self,
        world: &mut World,
        calls: &mut Calls,
        gaze: &Gaze,
        now: Now,
    ) -> Vec<Effect> {
        self.notice_clock_jump(world, now);
        let mut effects = Vec::new();
        if retry::open_at(world) > now.mono {
            return effects;
        }
        effects.extend(calls.due(world, now));
        effects.extend(self.page(world, calls, now));
        while let Some(wanted) = self.next_detail(world, calls, gaze, now) {
            let Some(budget) = self.paid_by(&wanted, now) else {
                break;
            };
            budget.spend(now.mono);
            effects.push(calls.send(wanted.call, wanted.purpose, world, now));
        }
        effects
    }

    /// The moment at which [`Plan::tick`] would send something again.
    pub fn next_due(&self, world: &World, calls: &Calls, gaze: &Gaze, now: Now) -> Option<Mono> {
        let open = retry::open_at(world);
        let list = (!calls.waits_for(|purpose| matches!(purpose, Purpose::Page(_))))
            .then(|| self.page_due(now));
        let detail = self.detail_due(world, calls, gaze, now);
        [list, detail, calls.next_due()]
            .into_iter()
            .flatten()
            .min()
            .map(|due| due.max(open))
    }

    /// An answer for one of the plan's own calls. Returns whether it told anything new.
    pub fn answered(
        &mut self,
        purpose: &Purpose,
        result: &Result<Reply, Failure>,
        world: &mut World,
        gaze: &Gaze,
        now: Now,
    ) -> bool {
        if let Purpose::Row(key) = purpose
            && let Some(fact) = world.sandboxes.get_mut(key)
        {
            fact.tried = Some(now.mono);
        }
        match (purpose, result) {
            (Purpose::Page(generation), result) => {
                self.page_answered(*generation, result, world, gaze, now)
            }
            (Purpose::Row(key), Ok(Reply::Sandbox(answer))) => {
                let other = answer.sandbox.key() != *key;
                let before = world.revision;
                world.saw_detail(answer.clone(), now);
                if other {
                    world.lost(key);
                }
                world.revision != before
            }
            (Purpose::Row(key), Err(failure)) => {
                if failure.status() == Some(404) {
                    world.lost(key);
                }
                true
            }
            (Purpose::Sessions(key), result) => {
                let listing = world.sessions.entry(key.clone()).or_default();
                match result {
                    Ok(Reply::Sessions(page)) => {
                        return listing.renew(page.entries.clone(), page.next.is_some(), now);
                    }
                    Ok(_) => {}
                    Err(failure) => listing.trouble(explain::in_full(failure), now),
                }
                true
            }
            (Purpose::Commands(_, session), Ok(Reply::Commands(page))) => {
                world.told_commands(session, page, now)
            }
            (Purpose::Commands(_, session), Err(failure)) => {
                let listing = world.commands.entry(session.clone()).or_default();
                listing.trouble(explain::in_full(failure), now);
                true
            }
            _ => true,
        }
    }

    fn page(&mut self, world: &mut World, calls: &mut Calls, now: Now) -> Option<Effect> {
        if calls.waits_for(|purpose| matches!(purpose, Purpose::Page(_)))
            || self.page_due(now) > now.mono
        {
            return None;
        }
        if self.sweep.is_resting() {
            self.sweep.begin(now, SWEEP_EVERY);
        }
        let query = self.sweep.query()?;
        self.page_asked = Some(now.mono);
        if !self.sweep.is_first() {
            self.list.spend(now.mono);
        }
        Some(calls.send(
            Call::ListSandboxes(query),
            Purpose::Page(self.sweep.generation()),
            world,
            now,
        ))
    }

    /// When the next page may be asked for.
    fn page_due(&self, now: Now) -> Mono {
        let gap = self
            .page_asked
            .map_or(Mono(0), |asked| asked.after(FIRST_SWEEP_GAP));
        let gap = gap.max(self.page_hold);
        if self.sweep.is_first() {
            return gap;
        }
        let wanted = if self.sweep.is_resting() {
            self.beat_at
        } else {
            Mono(0)
        };
        gap.max(wanted).max(self.list.free_at(now.mono))
    }

    fn page_answered(
        &mut self,
        generation: u64,
        result: &Result<Reply, Failure>,
        world: &mut World,
        gaze: &Gaze,
        now: Now,
    ) -> bool {
        let before = (world.revision, world.swept.is_some());
        let was_trouble = world.list_trouble.is_some();
        match result {
            Ok(Reply::Sandboxes(page)) if generation == self.sweep.generation() => {
                world.list_trouble = None;
                let outcome = self.sweep.take(page, world, now);
                if let Some(notice) = outcome.notice {
                    world.activity.note(notice, now);
                }
                if outcome.finished {
                    self.quiet = if outcome.news {
                        0
                    } else {
                        self.quiet.saturating_add(1)
                    };
                    self.beat_at = on_beat(now.mono.after(self.beat(gaze)));
                }
            }
            Ok(_) => {}
            // A fault of the link: the page is asked for again when the link opens. Else: on the next beat.
            Err(failure) => {
                if world.link.is_live() || matches!(failure.kind, FailureKind::Refused(_)) {
                    world.list_trouble = Some(explain::in_full(failure));
                    self.page_hold = now.mono.after(self.beat(gaze));
                }
                return true;
            }
        }
        was_trouble || before != (world.revision, world.swept.is_some())
    }

    /// After a sleep nothing on screen is fresh, and every wait is over.
    fn notice_clock_jump(&mut self, world: &mut World, now: Now) {
        if self.jumps.jumped(now) {
            world.activity.note(
                Clean::from("the clock jumped: reading everything again"),
                now,
            );
            world.skew = None;
            world.jumps += 1;
            self.refresh(world, now);
        }
    }
}
