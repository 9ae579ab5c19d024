//! Lines leave the program: over the terminal's clipboard, into files, into programs that have the terminal meanwhile.

use super::program::{MARK, Program};
use super::server::Server;
use super::terminal::Terminal;
use base64::Engine as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A log of 200 lines, whose lines have the keys.
fn reading(program: &Program, server: &Server, more: &[(&str, &str)]) -> Terminal {
    let session = server.create("web");
    server.run(&session, "seq 1 200; sleep 600");
    let mut command = server.dashboard(program);
    command.envs(more.iter().copied());
    let mut terminal = program.dashboard(&command);
    terminal.wait_for_text(" 200 ");
    terminal.send("\r\r");
    terminal.wait_for_text("select lines");
    terminal
}

fn all() -> String {
    (1..=200).map(|n| format!("{n}\n")).collect()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn leave(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}

#[test]
fn lines_are_copied_through_the_terminal_and_saved_by_their_owner() {
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = reading(&program, &server, &[]);
    terminal.send("vky");
    terminal.wait_for_text("Copied 2 lines, 8 B, through the terminal (OSC 52).");
    let text = base64::engine::general_purpose::STANDARD.encode("199\n200");
    let sequence = format!("\u{1b}]52;c;{text}\u{1b}\\");
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    assert_eq!(raw.matches(&sequence).count(), 1, "{raw:?}");

    for form in ["plain.log", "raw.ansi"] {
        terminal.send(&format!("os\u{15}{form}\r"));
        terminal.wait_for_text(&format!("{form}."));
        let path = program.home.path().join(form);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), all());
        assert_eq!(mode(&path), 0o600);
    }
    terminal.send("os\u{15}plain.log\r");
    terminal.wait_for_text("plain.log is there already");
    terminal.send("\u{1b}");
    terminal.wait_without_text("is there already");
    leave(terminal);
}

/// A console has no clipboard, and here is no program that has one.
#[test]
fn what_no_clipboard_takes_is_in_a_file() {
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = reading(&program, &server, &[("TERM", "linux")]);
    terminal.send("Y");
    terminal.wait_for_text("since no clipboard took it");
    let path = program.home.path().join(".cache/sandtop/copied.txt");
    assert_eq!(std::fs::read_to_string(&path).unwrap() + "\n", all());
    assert_eq!(mode(&path), 0o600);
    leave(terminal);
}

/// What is typed there is the program's: Ctrl-C ends it, and not the dashboard.
#[test]
fn the_pager_has_the_terminal_and_gives_it_back() {
    let program = Program::new();
    let server = Server::start(&program);
    let pager = "sed -n '7p;$p'; echo in-pager; read line </dev/tty; echo got-$line";
    let mut terminal = reading(&program, &server, &[("PAGER", pager)]);
    terminal.send("op");
    terminal.wait_for_text("in-pager");
    assert!(!terminal.has_alternate_screen());
    assert!(
        terminal.screen().contains("7\n200\nin-pager"),
        "{}",
        terminal.screen()
    );
    terminal.send("\u{3}");
    terminal.wait_for_text("exit 130");
    assert!(terminal.has_alternate_screen());
    terminal.send("op");
    // What the first one printed still stands above.
    terminal.wait("the pager once more", |terminal| {
        let said = terminal.screen().matches("in-pager").count();
        !terminal.has_alternate_screen() && said == 2
    });
    terminal.send("q\r");
    terminal.wait("the dashboard", Terminal::has_alternate_screen);
    terminal.wait_for_text("exit 0, given 200 lines");
    // It goes on: what the keys are for is what they were for.
    terminal.send("G");
    terminal.wait_for_text(MARK);
    leave(terminal);
}

#[test]
fn a_command_reads_the_lines_and_its_end_is_told() {
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = reading(&program, &server, &[]);
    terminal.send("|wc -l; exit 3\r");
    terminal.wait_for_text("exit 3 · enter goes back");
    assert!(terminal.screen().contains("200"), "{}", terminal.screen());
    terminal.send("\r");
    terminal.wait_for_text("exit 3, given 200 lines, 692 B.");
    // One that does not read to the end is no fault.
    terminal.send("|head -1 > first\r");
    terminal.wait_for_text("exit 0 · enter goes back");
    terminal.send("\r");
    terminal.wait_for_text(MARK);
    let first = program.home.path().join("first");
    assert_eq!(std::fs::read_to_string(first).unwrap(), "1\n");
    leave(terminal);
}

#[test]
fn the_editor_has_a_private_file_that_goes_afterwards() {
    let program = Program::new();
    let server = Server::start(&program);
    let editor = "sh -c 'stat -c %a \"$0\" > mode; cp \"$0\" edited; echo \"$0\" > name'";
    let mut terminal = reading(
        &program,
        &server,
        &[("VISUAL", editor), ("EDITOR", "false")],
    );
    terminal.send("vkoe");
    terminal.wait_for_text("exit 0, given 2 lines");
    let read = |name: &str| std::fs::read_to_string(program.home.path().join(name)).unwrap();
    assert_eq!(
        (read("edited").as_str(), read("mode").as_str()),
        ("199\n200\n", "600\n")
    );
    assert!(!Path::new(read("name").trim()).exists());
    leave(terminal);
}

/// Both go to the background with Ctrl-Z, and come back together.
#[test]
fn the_job_stops_with_the_program_that_has_the_terminal() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("web");
    server.run(&session, "seq 1 200; sleep 600");
    let mut command = std::process::Command::new("bash");
    command.args(["--norc", "-i"]);
    program.surround(&mut command);
    command.env("PS1", "shell> ");
    command.env(
        "PAGER",
        "echo in-pager; read line </dev/tty; echo got-$line",
    );
    let dashboard = server.dashboard(&program);
    let words = dashboard.get_args().map(|word| word.to_str().unwrap());
    let line = words.fold(
        dashboard.get_program().to_str().unwrap().to_owned(),
        |line, word| line + " " + word,
    );
    let mut terminal = Terminal::start(&command, 120, 40);
    terminal.wait_for_text("shell>");
    terminal.send(&format!("{line}\r"));
    terminal.wait_for_text(" 200 ");
    terminal.send("\r\r");
    terminal.wait_for_text("select lines");
    terminal.send("op");
    terminal.wait_for_text("in-pager");
    terminal.send("\u{1a}");
    terminal.wait_for_text("Stopped");
    terminal.send("fg\r");
    terminal.wait("the job to have the terminal", |terminal| {
        let job = terminal.child_of_shell().as_raw_nonzero();
        let stat = std::fs::read_to_string(format!("/proc/{job}/stat")).unwrap();
        !stat.contains(") T ")
    });
    terminal.send("on\r");
    terminal.wait("the dashboard", Terminal::has_alternate_screen);
    terminal.wait_for_text("exit 0");
    terminal.send("q");
    terminal.wait("the shell", |terminal| !terminal.has_alternate_screen());
    terminal.send("exit\r");
    terminal.wait_for_end();
}
