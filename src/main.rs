//! The program: an agent inside a sandbox of the local engine when it was started as one, else what the command
//! line says.

use sandtop::engine::cell;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|first| first == cell::ARGUMENT)
    {
        return cell::agent_main(arguments);
    }
    sandtop::run::main()
}
