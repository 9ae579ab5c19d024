//! What goes out: data that `run` carries out. Nothing here acts by itself.

use super::notices::Sequence;
use super::tail::{SpillOrder, StoreId};
use super::{Export, ShellId, ShellOrder, StreamId, Tag};
use crate::model::request::{CreateSandbox, ListOfSandbox, ListSandboxes, RunCommand};
use crate::model::{Clean, CommandKey, Foreign, SandboxName, SessionId, Span};
use crate::term::Shape;

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// One try of one call; its answer comes back as `Event::Answer` with the same tag.
    Call {
        tag: Tag,
        call: Call,
    },
    /// Opens a command's log; news comes as `Event::Stream` with the same id.
    OpenStream(StreamId),
    /// Ends that opening; nothing more of it arrives.
    CloseStream(StreamId),
    /// Keeps older lines of a log in a file; news comes as `Event::Spill`.
    Spill(StoreId, SpillOrder),
    /// Something to be done with a shell; news comes as `Event::Shell`.
    Shell(ShellId, ShellOrder),
    /// A name or a fact: answered by `Told::Copied`.
    Copy(Clean),
    /// Text of several lines; `run` cleans each.
    CopyText(Foreign),
    /// How the terminal's own cursor looks, and whether it blinks; `None`: as the user has it.
    CursorShape(Option<(Shape, bool)>),
    /// Lines of a log go out: answered by `Told`.
    Export(Box<Export>),
    /// Only http and https URLs of routes; `run` checks it again.
    OpenUrl(Foreign),
    /// Read the credentials anew (they may have been renewed): answered by `Told::Credentials`.
    RereadCredentials,
    /// Read the files of settings again if they changed: `Event::Settings` comes then.
    RereadSettings,
    MouseCapture(bool),
    /// The terminal reports keys that look alike in the old encoding apart, where it can (kitty's protocol).
    TellKeysApart(bool),
    Bell,
    /// A notice of the terminal's, for who looks elsewhere.
    Notify(Sequence, Clean),
    /// The same by the desktop's own program.
    Desktop(Clean),
    /// Clears the terminal, so that the next frame is drawn whole.
    Redraw,
    Suspend,
    Quit(EngineFate),
}

/// What becomes of a local engine that this program started; another's goes on in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineFate {
    /// Its sandboxes are stopped, which keeps the files of persistent ones.
    End,
    /// It goes on serving, and ends by itself when nobody needs it.
    Leave,
}

/// A call of the service, as data. Which may be sent twice is decided in [`super::retry`].
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    ListSandboxes(ListSandboxes),
    /// Always with `resume=false`: looking is free.
    GetSandbox(SandboxName),
    CreateSandbox(Box<CreateSandbox>),
    ListSessions(ListOfSandbox),
    GetSession(SessionId),
    ListCommands(SessionId),
    GetCommand(CommandKey),
    ListSnapshots(ListOfSandbox),
    RunCommand(SessionId, Box<RunCommand>),
    Stop(SessionId),
    /// `orphans`: also the snapshots that no other sandbox uses.
    DeleteSandbox {
        name: SandboxName,
        orphans: bool,
    },
    Extend(SessionId, Span),
    /// Boots a new session: the only call that does so.
    Resume(SandboxName),
    /// With a POSIX signal number.
    Kill(CommandKey, i32),
}

impl Call {
    /// For the activity view and sentences.
    pub fn title(&self) -> &'static str {
        match self {
            Self::ListSandboxes(_) => "list sandboxes",
            Self::GetSandbox(_) => "read sandbox",
            Self::CreateSandbox(_) => "create sandbox",
            Self::ListSessions(_) => "list sessions",
            Self::GetSession(_) => "read session",
            Self::ListCommands(_) => "list commands",
            Self::GetCommand(_) => "read command",
            Self::ListSnapshots(_) => "list snapshots",
            Self::RunCommand(..) => "run command",
            Self::Stop(_) => "stop session",
            Self::DeleteSandbox { .. } => "delete sandbox",
            Self::Extend(..) => "extend session",
            Self::Resume(_) => "resume sandbox",
            Self::Kill(..) => "kill command",
        }
    }

    /// What the call is about, as the service names it; lists of the whole project have none.
    pub fn subject(&self) -> Option<&Foreign> {
        match self {
            Self::ListSandboxes(_) => None,
            Self::GetSandbox(name) | Self::Resume(name) | Self::DeleteSandbox { name, .. } => {
                Some(name.as_foreign())
            }
            Self::CreateSandbox(create) => create.name.as_ref().map(SandboxName::as_foreign),
            Self::ListSessions(of) | Self::ListSnapshots(of) => {
                of.name.as_ref().map(SandboxName::as_foreign)
            }
            Self::GetSession(id)
            | Self::ListCommands(id)
            | Self::RunCommand(id, _)
            | Self::Stop(id)
            | Self::Extend(id, _) => Some(id.as_foreign()),
            Self::GetCommand(key) | Self::Kill(key, _) => Some(key.command.as_foreign()),
        }
    }

    /// Only reads: sending it changes, boots and bills nothing.
    pub fn is_read(&self) -> bool {
        matches!(
            self,
            Self::ListSandboxes(_)
                | Self::GetSandbox(_)
                | Self::ListSessions(_)
                | Self::GetSession(_)
                | Self::ListCommands(_)
                | Self::GetCommand(_)
                | Self::ListSnapshots(_)
        )
    }
}
