//! What comes in: keys, answers, stream news. The only way by which anything changes.

use super::settings::Config;
use super::tail::{SpillNews, StoreId};
use super::{Amount, Backend, Call, CopyWay, Export, Now, ShellId, ShellNews};
use crate::model::{
    Command, CommandKey, Failure, Foreign, LogObject, Page, Sandbox, SandboxAnswer, Session,
    Snapshot, StopAnswer, Timestamp,
};
use crossterm::event::{KeyEvent, MouseEvent};

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Press or repeat; releases are dropped at the door.
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
    Resize {
        columns: u16,
        rows: u16,
    },
    /// The terminal window gained or lost the focus.
    Focus(bool),
    /// Something that was due is due: see `app::next_due`.
    Due,
    /// A call came back. Boxed: answers are large beside keys.
    Answer(Box<Answer>),
    /// Something happened on a log stream that `Effect::OpenStream` asked for.
    Stream {
        stream: StreamId,
        news: StreamNews,
    },
    /// How an order of `Effect::Spill` went.
    Spill(StoreId, SpillNews),
    /// What became of an order of `Effect::Shell`, and what the shell says.
    Shell(ShellId, ShellNews),
    /// Whom the calls go to, once that is known.
    Connected(Box<Backend>),
    /// The local engine's process ended by itself; its last words.
    EngineEnded(Foreign),
    /// An effect without an answer of its own could not be carried out, or did something worth a sentence.
    Told(Told),
    /// The files of settings were read again, since they changed.
    Settings(Box<Config>),
    /// The terminal told what its background is.
    Background {
        light: bool,
    },
    /// Back from the background, or from a child program: everything must be drawn anew.
    Resumed,
}

/// An answer, with the call it answers and the service's clock where the answer told it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub tag: Tag,
    pub call: Call,
    pub date: Option<Timestamp>,
    pub request_id: Option<Foreign>,
    pub result: Result<Reply, Failure>,
}

/// Who asked, and which asking it was: an answer whose tag nobody waits for is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(pub u64);

#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Sandboxes(Page<Sandbox>),
    Sandbox(SandboxAnswer),
    Sessions(Page<Session>),
    Session(Session),
    Commands(Page<Command>),
    Command(Command),
    Snapshots(Page<Snapshot>),
    Stopped(StopAnswer),
    Deleted(Sandbox),
}

/// One opening of one command's log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StreamId {
    pub command: CommandKey,
    /// Counts the openings: news of an earlier one is dropped.
    pub opening: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StreamNews {
    /// The service answered 200 and the body begins.
    Opened,
    /// Everything that was complete in what arrived, in order.
    Objects(Vec<LogObject>),
    /// The body ended as a body should.
    Ended,
    /// It could not be opened, or broke off.
    Failed(Failure),
}

/// What an effect has to say for itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Copied(CopyWay, Amount),
    /// Into a file, by its whole path.
    Saved(Foreign, Amount),
    /// Nothing was written: a file of that name is there.
    Exists(Box<Export>),
    /// A program that had the terminal is done: its line, and its exit code (128 and more: killed by a signal).
    Visited {
        line: Foreign,
        exit: i32,
        given: Amount,
    },
    /// What could not be done, and why.
    Failed {
        what: &'static str,
        why: Foreign,
    },
    /// Credentials were read again: whether they changed.
    Credentials {
        changed: bool,
    },
}

/// An event with its time, as the loop hands it over.
pub type Timed = (Now, Event);
