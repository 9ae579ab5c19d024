//! The terminal is given back as it was found, on every way out, and nothing outlives it.

use super::program::{MARK, Program};
use super::terminal::{Terminal, shell_status};
use rustix::process::Signal;
use std::process::Command;

#[test]
fn quitting_gives_the_terminal_back() {
    let program = Program::new();
    let mut terminal = program.dashboard(&program.unanswered());
    assert!(terminal.has_alternate_screen());
    terminal.send("q");
    let status = terminal.wait_for_end();
    assert_eq!(status.code(), Some(0));
    terminal.assert_restored();
}

#[test]
fn every_signal_that_ends_it_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let program = Program::new();
        let mut terminal = program.dashboard(&program.unanswered());
        terminal.signal(signal);
        let status = terminal.wait_for_end();
        assert_eq!(shell_status(status), 128 + signal.as_raw());
        terminal.assert_restored();
    }
}

/// A signal may come at any moment of the start; what counts is that nothing is left on.
#[test]
fn a_signal_at_any_moment_leaves_nothing_on() {
    for round in 0_u64..20 {
        let program = Program::new();
        let mut terminal = Terminal::start(&program.unanswered(), 80, 24);
        // From before main to after the first frame.
        let bytes = usize::try_from(round * 40).unwrap();
        terminal.wait("some bytes", |terminal| terminal.raw.len() >= bytes);
        terminal.signal(Signal::TERM);
        terminal.wait_for_end();
        terminal.assert_restored();
    }
}

#[test]
fn a_panic_anywhere_gives_the_terminal_back_and_is_readable() {
    for place in ["main", "task", "render"] {
        let program = Program::new();
        let mut command = program.unanswered();
        command.env("SANDTOP_TEST_PANIC", place);
        let mut terminal = Terminal::start(&command, 120, 40);
        let status = terminal.wait_for_end();
        assert_eq!(status.code(), Some(101), "{place}");
        terminal.assert_restored();
        let said = format!("a panic in {place}");
        assert!(terminal.screen().contains(&said), "{}", terminal.screen());
    }
}

/// The engine that it started goes too.
#[test]
fn a_terminal_that_goes_away_ends_it() {
    // The second way is what `nohup` does to a program.
    for before in ["", "trap '' HUP; "] {
        let program = Program::new();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before}exec \"$@\""), "sh"]);
        command
            .arg(env!("CARGO_BIN_EXE_sandtop"))
            .args(["--local", "--data-dir"]);
        command.arg(program.data_dir());
        program.surround(&mut command);
        let mut terminal = program.dashboard(&command);
        let engine = || sandtop::engine::discover(&program.data_dir()).unwrap();
        terminal.wait("the engine", |_| engine().is_some());
        terminal.close();
        terminal.wait_for_end();
        terminal.wait_idle("the engine's end", || engine().is_none());
    }
}

/// With a job-control shell above: it stops, the shell has its terminal back, and `fg` draws everything anew.
#[test]
fn stopping_and_coming_back() {
    let by_key = |terminal: &mut Terminal| terminal.send("\x1a");
    let by_signal = |terminal: &mut Terminal| {
        let job = terminal.child_of_shell();
        rustix::process::kill_process(job, Signal::TSTP).unwrap();
    };
    let ways: [&dyn Fn(&mut Terminal); 2] = [&by_key, &by_signal];
    for stop in ways {
        let program = Program::new();
        let mut shell = Command::new("bash");
        shell.args(["--norc", "--noprofile", "-i"]);
        program.surround(&mut shell);
        shell.env("PS1", "ready> ");
        let mut terminal = Terminal::start(&shell, 120, 40);
        terminal.wait_for_text("ready>");
        let sandtop = env!("CARGO_BIN_EXE_sandtop");
        terminal.send(&format!(
            "{sandtop} --api-url http://127.0.0.1:9 --token t\n"
        ));
        terminal.wait("the dashboard", Terminal::has_alternate_screen);
        terminal.wait_for_text(MARK);

        stop(&mut terminal);
        terminal.wait("the shell's screen", |terminal| {
            !terminal.has_alternate_screen() && terminal.screen().contains("Stopped")
        });
        terminal.send("stty -a | grep -c ' icanon.* echo '\n");
        terminal.wait_for_text("\n1\n");
        terminal.resize(100, 30);

        terminal.send("fg\n");
        terminal.wait("the dashboard", Terminal::has_alternate_screen);
        terminal.wait_for_text(MARK);
        terminal.send("q");
        terminal.wait("the shell's screen", |terminal| {
            !terminal.has_alternate_screen()
        });
        terminal.send("stty -a | grep -c ' icanon.* echo '; echo over\n");
        terminal.wait_for_text("\n1\nover\n");
    }
}

#[test]
fn without_a_shell_above_it_does_not_stop() {
    let program = Program::new();
    let mut terminal = program.dashboard(&program.unanswered());
    terminal.signal(Signal::TSTP);
    terminal.send("\x1aq");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}

#[test]
fn any_size_and_any_number_of_resizes() {
    let program = Program::new();
    let mut terminal = Terminal::start(&program.unanswered(), 1, 1);
    terminal.wait("the alternate screen", Terminal::has_alternate_screen);
    for (columns, rows) in [
        (2, 1),
        (1, 2),
        (500, 1),
        (1, 200),
        (3, 3),
        (80, 24),
        (10, 5),
    ] {
        terminal.resize(columns, rows);
    }
    for step in 0..200_u16 {
        terminal.resize(1 + step % 97, 1 + step % 41);
    }
    terminal.resize(120, 40);
    terminal.wait_for_text(MARK);
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}
