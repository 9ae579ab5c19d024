//! One command's log: what was received, and what its stream is doing.
//!
//! The service replays a log from its first byte at every opening, without times; its plain end is no proof
//! that the command ended; its edge cuts long answers. So: a replay is compared with what is held and only
//! what is new is taken; after an end the command is asked for its exit code; without one the stream is
//! opened again, later each time.

mod settle;
mod spill;
#[cfg(test)]
mod tests;

pub use settle::{exit_answered, news, next_due, retry_now, settle};
pub use spill::{Keeping, LogLimits, SpillNews, SpillOrder, StoreId, keep, spilled};

use super::{Call, Effect, Mono, Now, StreamId, StreamNews, explain, retry};
use crate::model::{Clean, Command, CommandKey, Failure, LogObject, Span, StreamName, Timestamp};
use crate::text::{self, LogStore, Received, Replay, Verdict};

/// A replay is a burst; the first silence this long ends it.
const BURST_GAP: Span = Span(300);
/// A command that never falls silent is still no burst: one brings more bytes than this in a second.
const BURST_SECOND: (Span, usize) = (Span::seconds(1), 64 << 10);
/// No replay takes longer; a command that writes without end does.
const LONGEST_BURST: Span = Span::seconds(60);
/// A stream that brought something for this long is healthy: the next fault is a first one.
const HEALTHY: Span = Span::seconds(10);
/// A command that ended, by the list of commands, closes its stream within this time.
const STRAGGLE: Span = Span::seconds(5);
const MOST_ATTEMPTS: u32 = 10;

/// What the stream of a log is doing; shown in the pane's title.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum TailState {
    /// Not open, and nothing asks for it.
    #[default]
    Closed,
    Connecting,
    /// The service replays from the first byte; these lines have no arrival time.
    Replaying,
    Live,
    /// The stream ended; the command is asked for its exit code.
    Asking,
    /// The command ended.
    Ended {
        exit: i64,
    },
    /// The stream broke off while the command may still run.
    Retrying {
        at: Mono,
        attempt: u32,
        why: Clean,
    },
    GaveUp {
        why: Clean,
    },
    /// The service does not have it any more (410, 404).
    Unavailable {
        why: Clean,
    },
}

#[derive(Debug)]
pub struct Tail {
    pub stream: StreamId,
    pub state: TailState,
    /// Since when the state is what it is.
    pub since: Mono,
    pub store: LogStore,
    /// Which store that is: a log that is let go has another one afterwards.
    pub store_id: StoreId,
    /// The last piece that was new.
    pub last_piece: Option<Mono>,
    replay: Replay,
    last_news: Mono,
    /// Since when the bytes of this second of a burst are counted, and how many came.
    second: (Mono, usize),
    opened: Mono,
    /// When it was last on screen.
    looked_at: Mono,
    /// Its lines were let go, and none came since.
    forgotten: bool,
    attempts: u32,
    /// Clock jumps seen when it was opened: another count means that the connection may be dead.
    jumps: u64,
}

impl Tail {
    fn new(command: CommandKey, keeping: &mut Keeping) -> Self {
        Self {
            stream: StreamId {
                command,
                opening: 0,
            },
            state: TailState::Closed,
            since: Mono(0),
            store: LogStore::new(keeping.limits.memory),
            store_id: keeping.next_store(),
            last_piece: None,
            replay: Replay::new(&Received::default()),
            last_news: Mono(0),
            second: (Mono(0), 0),
            opened: Mono(0),
            looked_at: Mono(0),
            forgotten: false,
            attempts: 0,
            jumps: 0,
        }
    }

    /// A task reads the stream, or tries to.
    pub fn is_open(&self) -> bool {
        matches!(
            self.state,
            TailState::Connecting | TailState::Replaying | TailState::Live
        )
    }

    fn open(&mut self, jumps: u64, now: Now) -> Effect {
        self.stream.opening += 1;
        self.replay = Replay::new(&self.replay.received());
        self.opened = now.mono;
        self.jumps = jumps;
        self.enter(TailState::Connecting, now);
        Effect::OpenStream(self.stream.clone())
    }

    fn enter(&mut self, state: TailState, now: Now) {
        self.state = state;
        self.since = now.mono;
        self.last_news = now.mono;
    }

    /// Lets go of the lines, and says so; the next opening reads them again, if the service still has them.
    fn forget(&mut self, keeping: &mut Keeping) {
        let lines = self.store.end() - self.store.first();
        self.store = LogStore::new(keeping.limits.memory);
        self.store_id = keeping.next_store();
        self.replay = Replay::new(&Received::default());
        self.state = TailState::Closed;
        self.forgotten = true;
        self.store.note(&text::say(format_args!(
            "{lines} lines were let go: too many logs in memory"
        )));
    }

    fn take(&mut self, news: StreamNews, now: Now) -> Option<Call> {
        match news {
            StreamNews::Opened => {
                self.enter(TailState::Replaying, now);
                self.second = (now.mono, 0);
                None
            }
            StreamNews::Objects(objects) => {
                self.end_burst(now);
                let arrived = (self.state == TailState::Live).then_some(now.wall);
                for object in objects {
                    self.object(object, arrived, now);
                }
                self.last_news = now.mono;
                None
            }
            StreamNews::Ended => {
                self.enter(TailState::Asking, now);
                Some(Call::GetCommand(self.stream.command.clone()))
            }
            StreamNews::Failed(failure) => {
                self.failed(&failure, now);
                None
            }
        }
    }

    fn object(&mut self, object: LogObject, arrived: Option<Timestamp>, now: Now) {
        match object {
            LogObject::Piece { stream, data } => self.piece(&stream, &data, arrived, now),
            LogObject::Error { code, message } => {
                let (code, message) = (text::clean(&code), text::clean(&message));
                self.store.note(&text::say(format_args!(
                    "the service ended the stream: {message} ({code})"
                )));
            }
            LogObject::Unreadable(line) => {
                let line = text::clean(&line);
                self.store.note(&text::say(format_args!(
                    "not readable as a log object: {line}"
                )));
            }
            LogObject::Command(_) => {}
        }
    }

    fn piece(&mut self, stream: &StreamName, data: &str, arrived: Option<Timestamp>, now: Now) {
        self.second.1 += data.len();
        match self.replay.take(stream, data) {
            Verdict::Held => return,
            Verdict::New(new) => self.store.push(stream, new, arrived),
            Verdict::Differs(told) => self.keep_both(&told),
        }
        self.last_piece = Some(now.mono);
        self.forgotten = false;
    }

    /// The service tells another log than before: what was seen stays, and what it tells now follows.
    fn keep_both(&mut self, told: &[(StreamName, String)]) {
        self.store.end_open_lines();
        self.store.note(&Clean::from(
            "the service now tells this log differently; both are kept",
        ));
        for (stream, text) in told {
            self.store.push(stream, text, None);
        }
    }

    fn failed(&mut self, failure: &Failure, now: Now) {
        match failure.status() {
            Some(404 | 410) => self.enter(
                TailState::Unavailable {
                    why: explain::in_full(failure),
                },
                now,
            ),
            Some(400 | 402 | 405..=409 | 411..=428) => {
                self.enter(
                    TailState::GaveUp {
                        why: explain::in_full(failure),
                    },
                    now,
                );
            }
            _ => self.retry_later(explain::in_short(failure), now),
        }
    }

    /// The command's own word on how it stands, after its stream ended.
    fn told(&mut self, answer: Result<&Command, &Failure>, now: Now) {
        match answer {
            Ok(command) => match command.exit_code {
                Some(exit) => {
                    if self.replay.behind() {
                        let told = self.replay.give_up();
                        self.keep_both(&told);
                    }
                    self.enter(TailState::Ended { exit: exit.0 }, now);
                }
                None => self.retry_later(Clean::from("the stream was cut"), now),
            },
            Err(failure) => self.failed(failure, now),
        }
    }

    fn retry_later(&mut self, why: Clean, now: Now) {
        let healthy = self
            .last_piece
            .is_some_and(|at| at.since(self.opened) >= HEALTHY);
        self.attempts = if healthy { 1 } else { self.attempts + 1 };
        if self.attempts > MOST_ATTEMPTS {
            self.enter(TailState::GaveUp { why }, now);
            return;
        }
        let at = now.mono.after(retry::backoff(self.attempts, now));
        self.enter(
            TailState::Retrying {
                at,
                attempt: self.attempts,
                why,
            },
            now,
        );
    }

    /// The first silence after the opening ends the replay, and so does output at a pace that no replay has: what
    /// comes now is news.
    fn end_burst(&mut self, now: Now) {
        if self.state != TailState::Replaying {
            return;
        }
        let (since, bytes) = self.second;
        let counted = now.mono.since(since) >= BURST_SECOND.0;
        let silent = now.mono.since(self.last_news) >= BURST_GAP;
        let slow = counted && bytes < BURST_SECOND.1;
        if silent || slow || now.mono.since(self.opened) >= LONGEST_BURST {
            self.enter(TailState::Live, now);
        } else if counted {
            self.second = (now.mono, 0);
        }
    }

    fn next_due(&self) -> Option<Mono> {
        match &self.state {
            TailState::Replaying => Some(self.last_news.after(BURST_GAP)),
            TailState::Retrying { at, .. } => Some(*at),
            _ => None,
        }
    }
}
