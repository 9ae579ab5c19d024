//! Which single rows, sessions and commands are due, and which of them first.

use super::{BEAT, Gaze, Plan, on_beat};
use crate::logic::{Budget, Call, Calls, Mono, Now, Purpose, World};
use crate::model::request::ListOfSandbox;
use crate::model::{SandboxKey, Span, Status};

/// Running rows on screen are read again: extensions and tags do not move `statusUpdatedAt`.
const ROW_EVERY: Span = Span::seconds(30);
/// The selected row, while it runs.
const SELECTED_EVERY: Span = Span::seconds(10);
const COMMANDS_EVERY: Span = Span::seconds(5);
/// The commands of running sandboxes that are not looked at.
const AGENTS_EVERY: Span = Span::seconds(30);
const SESSIONS_EVERY: Span = Span::seconds(30);
/// Rows that are read at a time.
const ROWS_AT_ONCE: usize = 4;
/// Unfocused, details slow down by this factor.
const UNFOCUSED_FACTOR: i64 = 6;

/// One reading of one thing that is looked at.
pub(super) struct Wanted {
    due: Mono,
    rank: Rank,
    pub(super) call: Call,
    pub(super) purpose: Purpose,
}

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Selected,
    OfSelected,
    OnScreen,
}

impl Wanted {
    /// A person waits for it.
    fn is_look(&self) -> bool {
        self.due == Mono(0) && self.rank < Rank::OnScreen
    }
}

impl Plan {
    /// The most urgent detail that is due now.
    pub(super) fn next_detail(
        &self,
        world: &World,
        calls: &Calls,
        gaze: &Gaze,
        now: Now,
    ) -> Option<Wanted> {
        self.details(world, calls, gaze)
            .filter(|wanted| wanted.due <= now.mono)
            .min_by_key(|wanted| (!wanted.is_look(), wanted.rank, wanted.due))
    }

    /// When the next detail is due and its budget has room.
    pub(super) fn detail_due(
        &self,
        world: &World,
        calls: &Calls,
        gaze: &Gaze,
        now: Now,
    ) -> Option<Mono> {
        let mut polls = self.detail.free_at(now.mono);
        if polls > now.mono {
            polls = Mono(polls.0.div_ceil(BEAT) * BEAT);
        }
        let looks = self.looks.free_at(now.mono).min(polls);
        let free = |wanted: &Wanted| if wanted.is_look() { looks } else { polls };
        self.details(world, calls, gaze)
            .map(|wanted| wanted.due.max(free(&wanted)))
            .min()
    }

    /// The budget that has room for it.
    pub(super) fn paid_by(&mut self, wanted: &Wanted, now: Now) -> Option<&mut Budget> {
        let has_room = |budget: &Budget| budget.free_at(now.mono) <= now.mono;
        if wanted.is_look() && has_room(&self.looks) {
            return Some(&mut self.looks);
        }
        has_room(&self.detail).then_some(&mut self.detail)
    }

    /// Every detail that is looked at and not under way: when it is due, how urgent it is, and how to get it.
    fn details<'a>(
        &'a self,
        world: &'a World,
        calls: &'a Calls,
        gaze: &'a Gaze,
    ) -> impl Iterator<Item = Wanted> + 'a {
        let selected = gaze.selected.as_ref().filter(|key| alive(world, key));
        let rows_out = calls.count(|purpose| matches!(purpose, Purpose::Row(_)));
        let may_read = move |key: &&SandboxKey| {
            let is_out = |purpose: &Purpose| matches!(purpose, Purpose::Row(row) if row == *key);
            rows_out < ROWS_AT_ONCE && (rows_out == 0 || calls.count(is_out) == 0)
        };
        let row = selected.filter(may_read).and_then(|key| {
            let every = if world.fact(key)?.sandbox.is_running() {
                SELECTED_EVERY
            } else {
                SESSIONS_EVERY
            };
            let due = self.due_after(world.fact(key)?.tried, every, gaze);
            Some(row_wanted(key, due, Rank::Selected))
        });
        let commands = selected
            .filter(|_| gaze.commands)
            .and_then(|key| self.commands(key, COMMANDS_EVERY, world, calls, gaze));
        let asked = gaze.asked.iter().filter(|key| alive(world, key));
        let asked = asked.filter_map(|key| self.commands(key, SESSIONS_EVERY, world, calls, gaze));
        let sessions = selected.filter(|_| gaze.sessions).and_then(|key| {
            let due = self.due_after(
                world.sessions.get(key).map(|seen| seen.seen),
                SESSIONS_EVERY,
                gaze,
            );
            let busy = calls.waits_for(|purpose| matches!(purpose, Purpose::Sessions(_)));
            let of = ListOfSandbox {
                name: Some(key.name.clone()),
                limit: Some(50),
                ..Default::default()
            };
            (!busy).then(|| Wanted {
                due,
                rank: Rank::OfSelected,
                call: Call::ListSessions(of),
                purpose: Purpose::Sessions(key.clone()),
            })
        });
        let rows = gaze.visible.iter().filter(may_read);
        let rows = rows.filter(|key| runs(world, key)).filter_map(|key| {
            let due = self.due_after(world.fact(key)?.tried, ROW_EVERY, gaze);
            Some(row_wanted(key, due, Rank::OnScreen))
        });
        row.into_iter()
            .chain(commands)
            .chain(sessions)
            .chain(asked)
            .chain(self.in_passing(&gaze.agents, AGENTS_EVERY, world, calls, gaze))
            .chain(self.in_passing(&gaze.followed, COMMANDS_EVERY, world, calls, gaze))
            .chain(rows)
    }

    /// Commands nobody waits for: an agent may be at work, or what begins is merged.
    fn in_passing<'a>(
        &'a self,
        keys: &'a [SandboxKey],
        every: Span,
        world: &'a World,
        calls: &'a Calls,
        gaze: &'a Gaze,
    ) -> impl Iterator<Item = Wanted> + 'a {
        let running = keys.iter().filter(|key| runs(world, key));
        let commands = running.filter_map(move |key| self.commands(key, every, world, calls, gaze));
        commands.map(|wanted| Wanted {
            rank: Rank::OnScreen,
            ..wanted
        })
    }

    fn commands(
        &self,
        key: &SandboxKey,
        every: Span,
        world: &World,
        calls: &Calls,
        gaze: &Gaze,
    ) -> Option<Wanted> {
        let sandbox = &world.fact(key)?.sandbox;
        let session = sandbox.current_session_id.as_ref()?;
        let known = world.commands.get(session);
        if sandbox.status == Some(Status::Pending) {
            return None;
        }
        let over = sandbox.status.as_ref().is_some_and(Status::is_final);
        // A session that is over runs nothing new: one reading (or one refusal) is enough.
        if over && known.is_some_and(|known| self.refresh.is_none_or(|asked| known.seen >= asked)) {
            return None;
        }
        let due = self.due_after(known.map(|known| known.seen), every, gaze);
        let busy = calls.waits_for(|purpose| matches!(purpose, Purpose::Commands(..)));
        (!busy).then(|| Wanted {
            due,
            rank: Rank::OfSelected,
            call: Call::ListCommands(session.clone()),
            purpose: Purpose::Commands(key.clone(), session.clone()),
        })
    }

    /// The beat at which a fact last seen then is due again; one never seen is due at once.
    fn due_after(&self, seen: Option<Mono>, every: Span, gaze: &Gaze) -> Mono {
        let Some(seen) = seen else { return Mono(0) };
        if self.refresh.is_some_and(|asked| seen < asked) {
            return Mono(0);
        }
        let factor = if gaze.focused { 1 } else { UNFOCUSED_FACTOR };
        on_beat(seen.after(Span(every.0 * factor)))
    }
}

fn alive(world: &World, key: &SandboxKey) -> bool {
    world.fact(key).is_some_and(|fact| !fact.gone)
}

fn runs(world: &World, key: &SandboxKey) -> bool {
    let fact = world.fact(key);
    fact.is_some_and(|fact| !fact.gone && fact.sandbox.is_running())
}

fn row_wanted(key: &SandboxKey, due: Mono, rank: Rank) -> Wanted {
    Wanted {
        due,
        rank,
        call: Call::GetSandbox(key.name.clone()),
        purpose: Purpose::Row(key.clone()),
    }
}
