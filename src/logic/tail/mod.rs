//! One command's log: what was received, and what its stream is doing.

mod follow;
mod settle;
mod spill;
mod state;
#[cfg(test)]
mod tests;

pub use follow::Follow;
pub use settle::{exit_answered, news, next_due, outlook, retry_now, settle};
pub use spill::{Keeping, LogLimits, SpillNews, SpillOrder, StoreId, keep, spilled};
pub use state::{Heard, Outlook, TailState};

use super::{Call, Mono, Now, StreamNews};
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

    fn take(&mut self, news: StreamNews, now: Now) -> Option<Call> {
        let (store, forgotten) = (&mut self.store, &mut self.forgotten);
        let mut hear = |heard: Heard<'_>| put(store, forgotten, heard);
        self.follow.take(news, now, &mut hear)
    }

    /// The command's own word on how it stands, after its stream ended.
    fn told(&mut self, answer: Result<&Command, &Failure>, now: Now) {
        let (store, forgotten) = (&mut self.store, &mut self.forgotten);
        let mut hear = |heard: Heard<'_>| put(store, forgotten, heard);
        self.follow.told(answer, now, &mut hear);
    }
}

fn put(store: &mut LogStore, forgotten: &mut bool, heard: Heard<'_>) {
    match heard {
        Heard::Text {
            stream,
            text,
            arrived,
        } => {
            store.push(stream, text, arrived);
            *forgotten = false;
        }
        Heard::Anew => store.end_open_lines(),
        Heard::Note(note) => store.note(&note),
    }
}
