//! Arguments → settings → backend → run; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // Before anything else: inside a cell this program is its agent, and nothing more.
    if args
        .next()
        .is_some_and(|first| first == sandtop::engine::cell::ARGUMENT)
    {
        return sandtop::engine::cell::agent_main(args);
    }
    ExitCode::SUCCESS
}
