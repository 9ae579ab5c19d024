//! Level 8, edge: where the pure core meets the machine. Arguments, the terminal, the event loop, tasks for effects,
//! the local engine's process, and the commands without a screen.

mod args;
mod backend;
mod background;
mod browser;
mod clock;
mod complaint;
mod config;
mod connection;
mod dashboard;
mod desktop;
mod effects;
mod engine_start;
mod event_loop;
mod headless;
mod help;
mod inbox;
mod input;
mod journal;
mod memory;
mod out;
mod pace;
mod panics;
mod places;
mod screen;
mod serve;
mod settings;
mod shell;
mod signals;
mod spill;
mod streams;
mod terminal;

use crate::logic::{EngineFate, Told};
use args::{Arguments, Command};
use clap::Parser;
use complaint::Complaint;
use out::Visit;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

const FAILED: u8 = 1;
/// Wrong usage, no terminal, credentials without a scope; also what clap exits with.
const UNUSABLE: u8 = 2;

/// The signal that a terminal sends when it goes.
const HANGUP: u8 = 1;

/// Does what the command line says.
pub fn main() -> ExitCode {
    // Fails only when somebody installed one before: then there is one.
    let _ = color_eyre::install();
    let arguments = Arguments::parse();
    match arguments.command {
        None => dashboard::run(&arguments),
        Some(Command::Serve(arguments)) => serve::serve(arguments),
        Some(Command::Ls(arguments)) => headless::ls(&arguments),
        Some(Command::Doctor(arguments)) => headless::doctor(&arguments),
        Some(Command::Stop(arguments)) => headless::stop(&arguments),
        Some(Command::Rm(arguments)) => headless::rm(&arguments),
        Some(Command::Extend(arguments)) => headless::extend(&arguments),
        Some(Command::Run(arguments)) => headless::run(&arguments),
        Some(Command::Tail(arguments)) => headless::tail(&arguments),
        Some(Command::Read(arguments)) => headless::read_run(&arguments),
        Some(Command::Shell(arguments)) => headless::shell(&arguments),
        Some(Command::Play(arguments)) => headless::play(&arguments),
        Some(Command::Config(arguments)) => config::config(arguments),
        Some(Command::Keys(arguments)) => config::keys(arguments),
    }
}

/// What reaches the loop beside keys and news, and is served before both.
#[derive(Debug)]
enum Control {
    /// A signal that ends the program.
    Signal(i32),
    TerminalGone,
    Panicked,
    /// What was asked for cannot be done.
    Unusable(Complaint),
    /// Somebody sent SIGTSTP.
    Suspend,
    /// The user wants the shell: the whole job stops.
    SuspendJob,
    Continued,
    /// A program wants the terminal.
    Visit(Visit),
    /// It is done, and told this.
    Visited(Told),
}

/// Why the loop ended.
#[derive(Debug)]
enum End {
    Quit(EngineFate),
    Signal(i32),
    TerminalGone,
    Panicked,
    Unusable(Complaint),
}

impl End {
    /// Whether there is time to see the engine end. Else it does so alone: without its terminal this program must
    /// go at once, since the library that reads keys reads a terminal that is gone for ever.
    fn may_wait(&self) -> bool {
        match self {
            Self::Quit(_) | Self::Unusable(_) => true,
            Self::Signal(number) => *number != i32::from(HANGUP),
            Self::TerminalGone | Self::Panicked => false,
        }
    }

    fn fate(&self) -> EngineFate {
        match self {
            Self::Quit(fate) => *fate,
            _ => EngineFate::End,
        }
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::Quit(_) => ExitCode::SUCCESS,
            Self::Signal(number) => ExitCode::from(128 + u8::try_from(*number).unwrap_or_default()),
            Self::TerminalGone => ExitCode::from(128 + HANGUP),
            Self::Panicked => ExitCode::from(101),
            Self::Unusable(_) => ExitCode::from(UNUSABLE),
        }
    }
}

/// Writes to standard output. A reader that has seen enough (`| head`) is no failure.
fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Says on standard error why not. Nobody may be there to read it.
fn fail(code: u8, complaint: &Complaint) -> ExitCode {
    let _ = writeln!(io::stderr(), "sandtop: {complaint}");
    ExitCode::from(code)
}
