//! One log's stream over cuts, replays and faults: what it is doing, and what is new in it.
//!
//! The service replays a log from its first byte at every opening, without times; its plain end is no proof
//! that the command ended; its edge cuts long answers. So: a replay is compared with what was heard and only
//! what is new is told; after an end the command is asked for its exit code; without one the stream is
//! opened again, later each time.

use super::{Heard, Outlook, TailState};
use crate::logic::{Call, Effect, Mono, Now, StreamId, StreamNews, explain, retry};
use crate::model::{Clean, Command, CommandKey, Failure, LogObject, Span, StreamName, Timestamp};
use crate::text::{self, Received, Replay, Verdict};

/// A replay is a burst; the first silence this long ends it.
const BURST_GAP: Span = Span(300);
/// A command that never falls silent is still no burst: one brings more bytes than this in a second.
const BURST_SECOND: (Span, usize) = (Span::seconds(1), 64 << 10);
/// No replay takes longer; a command that writes without end does.
const LONGEST_BURST: Span = Span::seconds(60);
/// A command that ended, or whose session did, closes its stream within this time.
const STRAGGLE: Span = Span::seconds(5);
/// The edge cuts what takes minutes: an end that comes sooner is the service's own.
const NEVER_CUT: Span = Span::seconds(60);
/// Openings in a row that brought nothing new.
const MOST_ATTEMPTS: u32 = 10;

#[derive(Debug)]
pub struct Follow {
    pub stream: StreamId,
    pub state: TailState,
    /// Since when the state is what it is.
    pub since: Mono,
    /// The last piece that was new.
    pub last_piece: Option<Mono>,
    replay: Replay,
    last_news: Mono,
    /// Since when the bytes of this second of a burst are counted, and how many came.
    second: (Mono, usize),
    opened: Mono,
    jumps: u64,
    /// The exit code, once somebody told it.
    exit: Option<i64>,
    /// It was known when the stream was opened: such a stream holds the whole log.
    whole: bool,
    /// The stream itself told the exit code, as its last word.
    farewell: Option<i64>,
    /// The service said that the stream ends for a fault of its own.
    faulty: bool,
    attempts: u32,
}

impl Follow {
    pub fn new(command: CommandKey) -> Self {
        Self {
            stream: StreamId {
                command,
                opening: 0,
            },
            state: TailState::Closed,
            since: Mono(0),
            last_piece: None,
            replay: Replay::new(&Received::default()),
            last_news: Mono(0),
            second: (Mono(0), 0),
            opened: Mono(0),
            jumps: 0,
            exit: None,
            whole: false,
            farewell: None,
            faulty: false,
            attempts: 0,
        }
    }

    /// A task reads the stream, or tries to.
    pub fn is_open(&self) -> bool {
        matches!(
            self.state,
            TailState::Connecting | TailState::Replaying | TailState::Live
        )
    }

    /// Nothing more comes by itself.
    pub fn is_over(&self) -> bool {
        matches!(
            self.state,
            TailState::Ended { .. } | TailState::GaveUp { .. } | TailState::Unavailable { .. }
        )
    }

    /// Its end was seen, or there will be no more of it: what was heard is all.
    pub fn has_all(&self) -> bool {
        matches!(
            self.state,
            TailState::Ended { .. } | TailState::Unavailable { .. }
        )
    }

    /// More of it may come by itself.
    pub fn is_read(&self) -> bool {
        self.state != TailState::Closed && !self.is_over()
    }

    /// It is open, and nothing has come for a while.
    pub fn is_silent(&self, now: Now) -> bool {
        self.state == TailState::Live && now.mono.since(self.last_news) >= STRAGGLE
    }

    /// The exit code, as soon as somebody told it: there may be output to come.
    pub fn exit(&self) -> Option<i64> {
        self.exit.or(self.farewell)
    }

    /// Opens what is closed or due again, and closes what is dead.
    pub fn settle(&mut self, outlook: &Outlook, now: Now) -> Vec<Effect> {
        self.end_burst(now);
        self.exit = self.exit.or(outlook.exit);
        let silent = self.is_silent(now);
        let close = || Effect::CloseStream(self.stream.clone());
        match self.state {
            TailState::Closed => vec![self.open(outlook.jumps, now)],
            TailState::Retrying { at, .. } if at.max(outlook.open_at) <= now.mono => {
                vec![self.open(outlook.jumps, now)]
            }
            _ if self.is_open() && self.jumps != outlook.jumps => {
                vec![close(), self.open(outlook.jumps, now)]
            }
            _ if silent && outlook.session_over => {
                let closed = close();
                let why = Clean::from("its session has ended, and its log with it");
                self.enter(TailState::Unavailable { why }, now);
                vec![closed]
            }
            _ if silent && self.exit.is_some() => self.read_rest(outlook.jumps, now),
            _ => Vec::new(),
        }
    }

    /// The command has ended and its stream has not: the connection may be dead, and the rest comes by another. That one
    /// being silent too, there is no rest.
    fn read_rest(&mut self, jumps: u64, now: Now) -> Vec<Effect> {
        let close = Effect::CloseStream(self.stream.clone());
        match self.exit.filter(|_| self.whole) {
            Some(exit) => {
                self.enter(TailState::Ended { exit }, now);
                vec![close]
            }
            None => vec![close, self.open(jumps, now)],
        }
    }

    /// The moment at which [`Self::settle`] would do something by itself.
    pub fn next_due(&self, outlook: &Outlook) -> Option<Mono> {
        let ended = self.exit.or(outlook.exit).is_some();
        match &self.state {
            TailState::Replaying => Some(self.last_news.after(BURST_GAP)),
            TailState::Retrying { at, .. } => Some((*at).max(outlook.open_at)),
            TailState::Live if ended => Some(self.last_news.after(STRAGGLE)),
            _ => None,
        }
    }

    /// A person wants it tried once more, now.
    pub fn retry(&mut self, now: Now) {
        let idle = matches!(
            self.state,
            TailState::GaveUp { .. } | TailState::Retrying { .. } | TailState::Unavailable { .. }
        );
        if idle {
            self.attempts = 0;
            self.enter(TailState::Closed, now);
        }
    }

    /// Nobody wants it any more.
    pub fn close(&mut self, now: Now) -> Option<Effect> {
        let open = self.is_open();
        if open || matches!(self.state, TailState::Retrying { .. } | TailState::Asking) {
            self.enter(TailState::Closed, now);
        }
        open.then(|| Effect::CloseStream(self.stream.clone()))
    }

    /// All that was heard is to be told again.
    pub(super) fn forget(&mut self) {
        self.replay = Replay::new(&Received::default());
        self.state = TailState::Closed;
    }

    fn open(&mut self, jumps: u64, now: Now) -> Effect {
        self.jumps = jumps;
        Effect::OpenStream(self.opening(now))
    }

    /// Somebody opens it, in whatever way.
    pub fn opening(&mut self, now: Now) -> StreamId {
        self.stream.opening += 1;
        self.replay = Replay::new(&self.replay.received());
        self.opened = now.mono;
        self.whole = self.exit.is_some();
        (self.farewell, self.faulty) = (None, false);
        self.enter(TailState::Connecting, now);
        self.stream.clone()
    }

    fn enter(&mut self, state: TailState, now: Now) {
        self.state = state;
        self.since = now.mono;
        self.last_news = now.mono;
    }

    /// News of the latest opening. The call that it leads to is answered by [`Self::told`].
    pub fn take(
        &mut self,
        news: StreamNews,
        now: Now,
        hear: &mut impl FnMut(Heard<'_>),
    ) -> Option<Call> {
        match (news, self.farewell) {
            (StreamNews::Opened, _) => {
                self.enter(TailState::Replaying, now);
                self.second = (now.mono, 0);
            }
            (StreamNews::Objects(objects), _) => {
                self.end_burst(now);
                let arrived = (self.state == TailState::Live).then_some(now.wall);
                for object in objects {
                    self.object(object, arrived, now, hear);
                }
                self.last_news = now.mono;
            }
            (StreamNews::Ended | StreamNews::Failed(_), Some(exit)) => self.ended(exit, now, hear),
            (StreamNews::Ended, None) => {
                self.enter(TailState::Asking, now);
                return Some(Call::GetCommand(self.stream.command.clone()));
            }
            (StreamNews::Failed(failure), None) => self.failed(&failure, now),
        }
        None
    }

    fn object(
        &mut self,
        object: LogObject,
        arrived: Option<Timestamp>,
        now: Now,
        hear: &mut impl FnMut(Heard<'_>),
    ) {
        match object {
            LogObject::Piece { stream, data } => self.piece(&stream, &data, arrived, now, hear),
            LogObject::Error { code, message } => {
                self.faulty = true;
                let (code, message) = (text::clean(&code), text::clean(&message));
                hear(Heard::Note(text::say(format_args!(
                    "the service ended the stream: {message} ({code})"
                ))));
            }
            LogObject::Unreadable(line) => {
                let line = text::clean(&line);
                hear(Heard::Note(text::say(format_args!(
                    "not readable as a log object: {line}"
                ))));
            }
            LogObject::Command(command) => {
                self.farewell = command.exit_code.map(|exit| exit.0);
            }
        }
    }

    fn piece(
        &mut self,
        stream: &StreamName,
        data: &str,
        arrived: Option<Timestamp>,
        now: Now,
        hear: &mut impl FnMut(Heard<'_>),
    ) {
        self.second.1 += data.len();
        match self.replay.take(stream, data) {
            Verdict::Held => return,
            Verdict::New(text) => hear(Heard::Text {
                stream,
                text,
                arrived,
            }),
            Verdict::Differs(told) => keep_both(&told, hear),
        }
        self.last_piece = Some(now.mono);
        // It goes on: the next fault is a first one.
        self.attempts = 0;
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

    /// The command's own word on how it stands, after its stream ended. It may have ended, and written more, after the
    /// stream was cut: where that can be, the log is read once more.
    pub fn told(
        &mut self,
        answer: Result<&Command, &Failure>,
        now: Now,
        hear: &mut impl FnMut(Heard<'_>),
    ) {
        let exit = match answer {
            Ok(command) => command.exit_code.map(|exit| exit.0),
            Err(failure) => return self.failed(failure, now),
        };
        self.exit = self.exit.or(exit);
        let own_end = !self.faulty && self.since.since(self.opened) < NEVER_CUT;
        match exit.filter(|_| self.whole || own_end) {
            Some(exit) => self.ended(exit, now, hear),
            None => self.retry_later(Clean::from("the stream was cut"), now),
        }
    }

    fn ended(&mut self, exit: i64, now: Now, hear: &mut impl FnMut(Heard<'_>)) {
        if self.replay.behind() {
            keep_both(&self.replay.give_up(), hear);
        }
        self.enter(TailState::Ended { exit }, now);
    }

    fn retry_later(&mut self, why: Clean, now: Now) {
        self.attempts += 1;
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
}

/// The service tells another log than before: what was heard stays, and what it tells now follows.
fn keep_both(told: &[(StreamName, String)], hear: &mut impl FnMut(Heard<'_>)) {
    hear(Heard::Anew);
    hear(Heard::Note(Clean::from(
        "the service now tells this log differently; both are kept",
    )));
    for (stream, text) in told {
        hear(Heard::Text {
            stream,
            text,
            arrived: None,
        });
    }
}
