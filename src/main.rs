//! Arguments → settings → backend → run; nothing else.

use clap::{Parser, Subcommand};
use sandtop::engine::cell::{ARGUMENT, agent_main};
use sandtop::run::serve::{ServeArgs, serve};
use std::process::ExitCode;

/// Terminal dashboard for Vercel Sandbox, with a local engine.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(ServeArgs),
}

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // Before anything else: inside a cell this program is its agent, and nothing more.
    if args.next().is_some_and(|first| first == ARGUMENT) {
        return agent_main(args);
    }
    match Args::parse().command {
        Command::Serve(args) => serve(args),
    }
}
