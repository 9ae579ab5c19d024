//! Which single rows, sessions and commands are due, and which of them first.

use super::{Gaze, Plan};
use crate::logic::{Call, Calls, Mono, Now, Purpose, World};
use crate::model::request::ListOfSandbox;
use crate::model::{SandboxKey, Span, Status};

/// Running rows on screen are read again: extensions and tags do not move `statusUpdatedAt`.
const ROW_EVERY: Span = Span::seconds(30);
/// The selected row, while it runs.
const SELECTED_EVERY: Span = Span::seconds(10);
const COMMANDS_EVERY: Span = Span::seconds(5);
const SESSIONS_EVERY: Span = Span::seconds(30);
/// Unfocused, details slow down by this factor.
const UNFOCUSED_FACTOR: i64 = 6;

impl Plan {
    /// The most urgent detail that is due now.
    pub(super) fn next_detail(
        &self,
        world: &World,
        calls: &Calls,
        gaze: &Gaze,
        now: Now,
    ) -> Option<(Call, Purpose)> {
        self.details(world, calls, gaze)
            .filter(|(due, ..)| *due <= now.mono)
            .min_by_key(|(due, rank, _)| (*rank, *due))
            .map(|(_, _, wanted)| wanted)
    }

    pub(super) fn detail_due(&self, world: &World, calls: &Calls, gaze: &Gaze) -> Option<Mono> {
        self.details(world, calls, gaze).map(|(due, ..)| due).min()
    }

    /// Every detail that is looked at and not under way: when it is due, how urgent it is, and how to get it.
    fn details<'a>(
        &'a self,
        world: &'a World,
        calls: &'a Calls,
        gaze: &'a Gaze,
    ) -> impl Iterator<Item = (Mono, u8, (Call, Purpose))> + 'a {
        let selected = gaze.selected.as_ref().filter(|key| alive(world, key));
        let row = selected.and_then(|key| {
            let every = if world.fact(key)?.sandbox.is_running() {
                SELECTED_EVERY
            } else {
                SESSIONS_EVERY
            };
            let due = self.due_after(world.fact(key)?.tried, every, gaze);
            let busy = calls.waits_for(|purpose| matches!(purpose, Purpose::Row(_)));
            (!busy).then(|| (due, 0, row_call(key)))
        });
        let commands = selected
            .filter(|_| gaze.commands)
            .and_then(|key| self.commands(key, world, calls, gaze));
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
            (!busy).then(|| {
                (
                    due,
                    1,
                    (Call::ListSessions(of), Purpose::Sessions(key.clone())),
                )
            })
        });
        let rows_busy = calls.waits_for(|purpose| matches!(purpose, Purpose::Row(_)));
        let rows = gaze
            .visible
            .iter()
            .filter(move |_| !rows_busy)
            .filter_map(|key| {
                let fact = world
                    .fact(key)
                    .filter(|fact| !fact.gone && fact.sandbox.is_running())?;
                Some((
                    self.due_after(fact.tried, ROW_EVERY, gaze),
                    2,
                    row_call(key),
                ))
            });
        row.into_iter().chain(commands).chain(sessions).chain(rows)
    }

    fn commands(
        &self,
        key: &SandboxKey,
        world: &World,
        calls: &Calls,
        gaze: &Gaze,
    ) -> Option<(Mono, u8, (Call, Purpose))> {
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
        let due = self.due_after(known.map(|known| known.seen), COMMANDS_EVERY, gaze);
        let busy = calls.waits_for(|purpose| matches!(purpose, Purpose::Commands(..)));
        let wanted = (
            Call::ListCommands(session.clone()),
            Purpose::Commands(key.clone(), session.clone()),
        );
        (!busy).then_some((due, 1, wanted))
    }

    /// When a fact last seen then is due again; one never seen is due at once.
    fn due_after(&self, seen: Option<Mono>, every: Span, gaze: &Gaze) -> Mono {
        let Some(seen) = seen else { return Mono(0) };
        if self.refresh.is_some_and(|asked| seen < asked) {
            return Mono(0);
        }
        let factor = if gaze.focused { 1 } else { UNFOCUSED_FACTOR };
        seen.after(Span(every.0 * factor))
    }
}

fn alive(world: &World, key: &SandboxKey) -> bool {
    world.fact(key).is_some_and(|fact| !fact.gone)
}

fn row_call(key: &SandboxKey) -> (Call, Purpose) {
    (
        Call::GetSandbox(key.name.clone()),
        Purpose::Row(key.clone()),
    )
}
