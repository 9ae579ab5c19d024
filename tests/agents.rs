//! Runs of coding agents, read from recordings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "agents/golden.rs"]
mod golden;
#[path = "agents/real.rs"]
mod real;

use sandtop::agents::{Piece, Process, Stream};
use sandtop::app::report::{Order, Telling};

/// The lines of `sandtop read --json`.
fn told(stdout: &[u8], stderr: &[u8], exit: Option<i64>) -> String {
    let mut telling = Telling::new(None, true, Order::Appeared);
    for (stream, bytes) in [(Stream::Stdout, stdout), (Stream::Stderr, stderr)] {
        telling.hear(Piece {
            stream,
            line: 0,
            arrived: None,
            bytes,
        });
    }
    telling.end(exit.map_or(Process::Running, Process::Exited));
    telling.take()
}
