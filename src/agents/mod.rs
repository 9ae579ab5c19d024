//! Level 3, pure: readers of what coding agents print: lines to steps, totals and a state.
//!
//! A [`Reader`] takes the pieces of a command's output, finds out which agent's format it is ([`Format`]), and
//! keeps a [`Run`]: its [`Step`]s in order of first appearance, its [`Totals`], and what the stream by itself says
//! of how it stands. [`state()`] puts that together with what is known of the process.
//!
//! A format is one file (or folder) with a [`dialect::Dialect`]: it gets whole JSON objects and lines of text, and
//! writes to a [`ledger::Ledger`], which keeps everything bounded. What a format does not know it shows by name.

mod claude;
mod codex;
mod cursor;
mod detect;
mod dialect;
mod document;
mod format;
mod framer;
mod gemini;
mod growing;
mod intake;
mod json_lines;
mod ledger;
mod openclaw;
mod opencode;
mod patch;
mod plain;
mod reader;
mod run;
mod state;
mod step;
mod tally;
mod tool;
mod totals;
mod value;

#[cfg(test)]
mod tests;

pub use format::Format;
pub use framer::LONGEST_LINE;
pub use reader::{Piece, Reader, Stream};
pub use run::{Phase, Run, Section, TouchedFile};
pub use state::{Outside, Process, State, silent_for, state};
pub use step::{Body, Change, FileChange, Hunk, Kind, Outcome, PlanEntry, Step, ToolBody};
pub use totals::{Figure, Totals};
