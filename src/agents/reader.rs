//! From pieces of output to a run: lines, JSON, the format, and its dialect.

use super::framer::Framer;
use super::intake::Intake;
use super::{Format, Run};
use crate::model::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// A piece of a command's output: part of a line, or many.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    pub stream: Stream,
    /// The number of the line in the log that the first byte belongs to.
    pub line: u64,
    /// When it came, if it came live.
    pub arrived: Option<Timestamp>,
    pub bytes: &'a [u8],
}

#[derive(Debug, Default)]
pub struct Reader {
    stdout: Framer,
    stderr: Framer,
    intake: Intake,
}

impl Reader {
    /// Finds the format out.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads that format, whatever it looks like.
    pub fn forced(format: Format) -> Self {
        let mut reader = Self::new();
        reader.intake.settle(format);
        reader
    }

    pub fn feed(&mut self, piece: Piece<'_>) {
        let intake = &mut self.intake;
        intake.ledger.arrived = piece.arrived;
        let framer = match piece.stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        framer.push(piece.line, piece.bytes, |number, framed| {
            intake.framed(piece.stream, number, framed);
        });
        intake.pause();
    }

    /// What comes now does not go on where the last lines broke off: those end here.
    pub fn break_off(&mut self) {
        let intake = &mut self.intake;
        self.stdout
            .end(|number, framed| intake.framed(Stream::Stdout, number, framed));
        self.stderr
            .end(|number, framed| intake.framed(Stream::Stderr, number, framed));
    }

    /// What is open is read as a line, as if it had ended; the process may still run.
    pub fn flush(&mut self) {
        self.break_off();
        self.intake.flush();
    }

    /// The streams have ended, and the process with them.
    pub fn end(&mut self) {
        self.flush();
        self.intake.end();
    }

    pub fn run(&self) -> &Run {
        &self.intake.ledger.run
    }

    /// Grows with every change of the run.
    pub fn revision(&self) -> u64 {
        self.intake.ledger.revision()
    }

    /// The first step that changed after that revision; the number of steps if none did.
    pub fn changed_since(&self, revision: u64) -> usize {
        self.intake.ledger.changed_since(revision)
    }
}
