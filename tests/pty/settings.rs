//! Settings in a real terminal: a file that changes, a terminal that answers, a place that is found again.

use super::program::Program;
use super::terminal::shell_status;
use std::fs;
use std::process::Command;

/// A dashboard with its settings in `config` of its home.
fn command(program: &Program) -> Command {
    let mut command = program.unanswered();
    command.env("SANDTOP_CONFIG_DIR", program.home.path().join("config"));
    command
}

#[test]
fn a_changed_file_applies_when_the_window_gets_the_focus() {
    let program = Program::new();
    let directory = program.home.path().join("config");
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("config.toml"), "thme = 'dark'").unwrap();
    let mut terminal = program.dashboard(&command(&program));
    terminal.wait_for_text("did you mean `theme`?");
    terminal.send("\r");
    terminal.wait_without_text("OK");
    fs::write(directory.join("config.toml"), "theme = 'dark'").unwrap();
    fs::write(directory.join("keys.toml"), "top = ['g g']").unwrap();
    terminal.send("\x1b[I");
    terminal.wait_for_text("The settings were read again.");
    terminal.send("g");
    terminal.wait_for_text("Go to the first.");
}

/// In time or late, an answer is no keys: `6` would open another view, in which `/` does nothing.
#[test]
fn the_terminals_answer_is_not_typed() {
    let program = Program::new();
    for answer in [
        "\x1b]11;rgb:6666/6666/6666\x1b\\\x1b[?62;c",
        "\x1b]11;rgb:6666/6666/6666\x07\x1b[?6c",
        "\x1b[?6c",
    ] {
        let mut terminal = program.dashboard(&command(&program));
        terminal.wait("the question", |this| {
            this.raw.windows(6).any(|bytes| bytes == b"\x1b]11;?")
        });
        terminal.send(answer);
        terminal.send("/zzz");
        terminal.wait_for_text("/zzz");
        terminal.send("\x1b");
        terminal.wait_without_text("/zzz");
        terminal.send("q");
        assert_eq!(shell_status(terminal.wait_for_end()), 0);
    }
}

#[test]
fn keys_of_the_first_moment_are_not_lost() {
    let program = Program::new();
    let mut terminal = program.dashboard(&command(&program));
    terminal.send("/abc");
    terminal.wait_for_text("/abc");
}

#[test]
fn filter_and_view_are_found_again() {
    let program = Program::new();
    let mut terminal = program.dashboard(&command(&program));
    terminal.send("/status:running\r");
    terminal.wait_for_text("/status:running");
    terminal.send("q");
    assert_eq!(shell_status(terminal.wait_for_end()), 0);
    let mut terminal = program.dashboard(&command(&program));
    terminal.wait_for_text("/status:running");
}

/// An engine is told at its start when to end, should it be left; the variable goes before the file.
#[test]
fn the_engine_is_told_how_long_it_may_idle() {
    for (variable, told) in [(None, "420s"), (Some("5m"), "5m")] {
        let program = Program::new();
        let directory = program.home.path().join("config");
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("config.toml"), "engine.idle_after = 7").unwrap();
        let mut command = program.command(&["--local", "--data-dir"]);
        command.arg(program.data_dir());
        command.env("SANDTOP_CONFIG_DIR", directory);
        command.envs(variable.map(|value| ("SANDTOP_ENGINE_IDLE_AFTER", value)));
        let mut terminal = program.dashboard(&command);
        let found = || sandtop::engine::discover(&program.data_dir()).unwrap();
        terminal.wait("the engine", |_| found().is_some());
        let environment = format!("/proc/{}/environ", found().unwrap().pid);
        let environment = fs::read_to_string(environment).unwrap();
        let wanted = format!("SANDTOP_ENGINE_IDLE_AFTER={told}");
        assert!(environment.split('\0').any(|entry| entry == wanted));
        terminal.send("q");
        assert_eq!(shell_status(terminal.wait_for_end()), 0);
    }
}
