//! What the emulator hands back: what only the world outside it can do.

use crate::model::Foreign;

/// One thing a program in the terminal asked for, in the order it asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The answer to a query: to be sent to the program as it is, before anything typed later.
    Reply(Vec<u8>),
    Bell,
    /// The window title it wants; `None`: the usual one.
    Title(Option<Foreign>),
    /// It wants this text in the clipboard (OSC 52). Ask the user first.
    Clipboard {
        text: Foreign,
    },
    /// It wants to read the clipboard (OSC 52). Without an answer it gets nothing, which every program bears.
    ClipboardAsked,
    /// The directory its shell is in (OSC 7), an absolute path.
    Directory(Foreign),
    /// A notice for the user (OSC 9, OSC 777).
    Notice(Foreign),
    /// The command at the shell's prompt ended (OSC 133 D), with its exit code if the shell told it.
    CommandEnded(Option<i32>),
    /// The emulator broke and began anew: screen, scrollback and modes are gone.
    Restarted,
}
