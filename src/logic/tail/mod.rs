//! One command's log: what was received, and what its stream is doing.

mod follow;
mod settle;
mod spill;
mod state;
#[cfg(test)]
mod tests;

pub use follow::Follow;
pub use settle::{exit_answered, known_exit, news, next_due, outlook, retry_now, settle};
pub use spill::{Keeping, LogLimits, SpillNews, SpillOrder, StoreId, keep, spilled};
pub use state::{Heard, Outlook, TailState};

use super::{AgentRun, Call, Mono, Now, StreamNews};
use crate::model::{Command, CommandKey, Failure};
use crate::text::{self, LogStore};

#[derive(Debug)]
pub struct Tail {
    pub follow: Follow,
    pub store: LogStore,
    /// Which store that is: a log that is let go has another one afterwards.
    pub store_id: StoreId,
    /// When it was last on screen.
    looked_at: Mono,
    /// Its lines were let go, and none came since.
    forgotten: bool,
}

impl Tail {
    fn new(command: CommandKey, keeping: &mut Keeping) -> Self {
        Self {
            follow: Follow::new(command),
            store: LogStore::new(keeping.limits.memory),
            store_id: keeping.next_store(),
            looked_at: Mono(0),
            forgotten: false,
        }
    }

    /// Lets go of the lines, and says so; the next opening reads them again, if the service still has them.
    fn forget(&mut self, keeping: &mut Keeping) {
        let lines = self.store.end() - self.store.first();
        self.store = LogStore::new(keeping.limits.memory);
        self.store_id = keeping.next_store();
        self.follow.forget();
        self.forgotten = true;
        self.store.note(&text::say(format_args!(
            "{lines} lines were let go: too many logs in memory"
        )));
    }

    fn take(&mut self, run: &mut AgentRun, news: StreamNews, now: Now) -> Option<Call> {
        let (follow, mut hear) = self.ears(run);
        follow.take(news, now, &mut hear)
    }

    /// The command's own word on how it stands, after its stream ended.
    fn told(&mut self, run: &mut AgentRun, answer: Result<&Command, &Failure>, now: Now) {
        let (follow, mut hear) = self.ears(run);
        follow.told(answer, now, &mut hear);
    }

    /// What is heard goes to the store, and is read as an agent's run.
    fn ears<'a>(&'a mut self, run: &'a mut AgentRun) -> (&'a mut Follow, impl FnMut(Heard<'_>)) {
        let (store, store_id) = (&mut self.store, self.store_id);
        let forgotten = &mut self.forgotten;
        let hear = move |heard: Heard<'_>| match heard {
            Heard::Text {
                stream,
                text,
                arrived,
            } => {
                run.hear(store, stream, text, arrived);
                store.push(stream, text, arrived);
                *forgotten = false;
            }
            Heard::Anew => {
                store.end_open_lines();
                run.anew(store_id);
            }
            Heard::Note(note) => store.note(&note),
        };
        (&mut self.follow, hear)
    }
}
