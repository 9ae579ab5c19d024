//! Lines on their way out of the program: which, where to, and what became of them.

use super::tail::StoreId;
use crate::model::{Clean, Foreign};
use crate::text::{self, Form, Log, LogStore, Weave};
use std::ops::Range;

/// Lines of a log as they were at one moment.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub id: StoreId,
    pub held: Held,
    pub lines: Range<u64>,
    /// Only those of `lines` that it shows.
    pub filter: Option<text::Filter>,
}

/// A log of its own. It shares what is in memory with the one on screen; what is away comes from the file.
#[derive(Clone, Debug)]
pub enum Held {
    One(StoreId, Box<LogStore>),
    Woven(Weave, Vec<Option<Strand>>),
}

/// One of several logs that are read as one.
#[derive(Clone, Debug)]
pub struct Strand {
    pub id: StoreId,
    pub store: LogStore,
    /// As it is named on screen; `None`: these are our own lines.
    pub name: Option<Clean>,
}

/// The same lines of the same log.
impl PartialEq for Excerpt {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Self, b: &Self| (a.id, &a.lines) == (b.id, &b.lines);
        same(self, other) && self.filter.is_some() == other.filter.is_some()
    }
}

impl Excerpt {
    /// The first of its lines from `number` on.
    pub fn next(&self, number: u64) -> Option<u64> {
        let number = number.max(self.lines.start);
        let next = match &self.filter {
            Some(filter) => filter.next(number)?,
            None => number,
        };
        (next < self.lines.end).then_some(next)
    }
}

impl Held {
    pub fn log(&self) -> Log<'_> {
        match self {
            Self::One(_, store) => Log::One(store),
            Self::Woven(order, strands) => {
                let stores = strands.iter().map(|strand| Some(&strand.as_ref()?.store));
                Log::Woven(order, stores.collect())
            }
        }
    }

    /// The store with the lines of a strand, and which it is.
    pub fn store(&mut self, strand: usize) -> Option<(StoreId, &mut LogStore)> {
        match self {
            Self::One(id, store) => Some((*id, store)),
            Self::Woven(_, strands) => {
                let strand = strands.get_mut(strand)?.as_mut()?;
                Some((strand.id, &mut strand.store))
            }
        }
    }

    /// The name of a strand, where there are several.
    pub fn name(&self, strand: usize) -> Option<&Clean> {
        match self {
            Self::One(..) => None,
            Self::Woven(_, strands) => strands.get(strand)?.as_ref()?.name.as_ref(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    pub excerpt: Excerpt,
    pub to: Outlet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outlet {
    Clipboard,
    File {
        /// As it was typed.
        path: String,
        form: Form,
        /// It was asked whether what is there may go.
        overwrite: bool,
    },
    Pager,
    Editor,
    /// A line for the shell, whose program reads the lines.
    Command(String),
}

/// How much went out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    pub lines: u64,
    pub bytes: u64,
    /// Lines that are not held any more, or could not be read back.
    pub missing: u64,
}

/// By which way something was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyWay {
    /// OSC 52. Terminals do not tell whether they took it.
    Terminal,
    /// A clipboard's own program.
    Program(&'static str),
    /// A buffer of tmux.
    Tmux,
    /// Nothing else took it: a file that only this user can read.
    File(Foreign),
}
