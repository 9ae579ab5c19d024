//! Real programs in a shell of the dashboard, against the engine: what they draw, hear and leave behind.

use super::program::Program;
use super::server::Server;
use super::terminal::Terminal;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const ESC: &str = "\u{1b}";
/// The key that is sandtop's in a shell.
const ESCAPE: &str = "\u{1d}";

struct Inside {
    terminal: Terminal,
    server: Server,
    session: String,
    _program: Program,
}

impl Inside {
    /// In a shell of the one sandbox, at its prompt.
    fn new() -> Self {
        let program = Program::new();
        let server = Server::start(&program);
        let session = server.create("box");
        let mut terminal = program.dashboard(&server.dashboard(&program));
        terminal.wait_for_text("running");
        terminal.send("s");
        terminal.wait_for_text("$");
        let mut this = Self {
            terminal,
            server,
            session,
            _program: program,
        };
        this.run("cd /tmp", "here");
        this
    }

    /// Runs a line, and waits for a word that only its output has.
    fn run(&mut self, line: &str, word: &str) {
        let (begin, end) = word.split_at(word.len() / 2);
        self.terminal
            .send(&format!("clear; {line}; echo {begin}''{end}\r"));
        self.terminal.wait_for_text(word);
    }

    /// Starts a program that prints nothing by itself; from then on the terminal is its own.
    fn starts(&mut self, line: &str) {
        self.send(&format!("clear; echo now-''starting; {line}\r"));
        self.shows("now-starting");
    }

    fn shows(&mut self, words: &str) {
        self.terminal.wait_for_text(words);
    }

    fn send(&mut self, keys: &str) {
        self.terminal.send(keys);
    }

    /// Until the border is drawn anew; a terminal that shrinks cuts the old one.
    fn wait_for_width(&mut self, columns: u16) {
        self.terminal
            .wait("the border in its new width", |terminal| {
                let top = terminal.row_with("▸Shell").unwrap_or_default();
                top.ends_with('┓') && top.chars().count() == usize::from(columns)
            });
    }

    /// Columns and rows inside the border, as the screen shows it.
    fn pane(&self) -> (usize, usize) {
        let screen = self.terminal.screen();
        let top = screen.lines().find(|line| line.contains("▸Shell")).unwrap();
        let width = top.chars().skip_while(|c| *c != '┏').count() - 2;
        let rows = screen.lines().skip_while(|line| !line.contains("▸Shell"));
        let rows = rows.skip(1).take_while(|line| line.starts_with('┃'));
        (width, rows.count())
    }
}

/// Without the programs there is nothing to test; says so.
fn lacks(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|program| {
        let found = Command::new(program)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        found.is_err()
    });
    if let Some(program) = missing {
        let _ = writeln!(std::io::stderr(), "skipped: {program} is not installed");
    }
    missing.is_some()
}

#[test]
fn vim_edits_and_saves_a_file_and_less_pages_it() {
    if lacks(&["vim", "less"]) {
        return;
    }
    let mut inside = Inside::new();
    inside.send("vim -u NONE -N notes\r");
    inside.shows("\"notes\"");
    inside.send("ifirst\rsecond 漢字");
    inside.shows("second 漢");
    inside.send(ESC);
    inside.terminal.wait_without_text("-- INSERT --");
    inside.send("ggOzero");
    inside.shows("zero");
    inside.send(ESC);
    inside.terminal.wait_without_text("-- INSERT --");
    inside.send(":%s/second/2nd/\r");
    inside.shows("2nd 漢");
    inside.send(":wq\r");
    inside.terminal.wait_without_text("zero");
    inside.run("tr '\\n' '|' < notes", "read-back");
    inside.shows("zero|first|2nd 漢");
    inside.run("seq 1000 > numbers", "counted");
    inside.send("less numbers\r");
    inside.shows("numbers");
    inside.send("G");
    inside.shows("1000");
    inside.send("g/^77$\r");
    inside.shows("77");
    inside.terminal.wait_without_text("1000");
    inside.send("q");
    inside.run("true", "left-less");
}

#[test]
fn htop_runs_and_tmux_runs_inside() {
    if lacks(&["htop", "tmux"]) {
        return;
    }
    let mut inside = Inside::new();
    inside.send("htop -d 2\r");
    inside.shows("Load average");
    inside.shows("F10");
    inside.send("q");
    inside.terminal.wait_without_text("Load average");
    inside.send("tmux -f /dev/null -L t new 'PS1=in-tmux: sh'\r");
    inside.shows("in-tmux:");
    inside.send("echo a-''b\r");
    inside.shows("a-b");
    inside.send("\u{2}\"");
    inside.send("echo c-''d\r");
    inside.shows("c-d");
    inside.send("exit\r");
    inside.terminal.wait_without_text("c-d");
    inside.send("exit\r");
    inside.shows("[exited]");
}

#[test]
fn a_python_line_with_wide_characters_is_edited() {
    if lacks(&["python3"]) {
        return;
    }
    let mut inside = Inside::new();
    inside.send("python3 -q\r");
    inside.shows(">>>");
    // Back over the quote and two wide characters, one goes, another comes.
    inside.send("x = '漢字😀'");
    inside.send(&format!("{ESC}[D{ESC}[D\u{7f}語\r"));
    inside.send("print(len(x), [hex(ord(c)) for c in x])\r");
    inside.shows("3 ['0x6f22', '0x8a9e', '0x1f600']");
    inside.send("\u{4}");
    inside.run("true", "left-python");
}

#[test]
fn stty_tells_the_panes_size_after_every_resize() {
    let mut inside = Inside::new();
    let mut mark = 0;
    let mut told = |inside: &mut Inside| {
        mark += 1;
        inside.run("stty size", &format!("mark-{mark}"));
        let (columns, rows) = inside.pane();
        inside.shows(&format!("{rows} {columns}"));
    };
    told(&mut inside);
    for (columns, rows) in [(100, 30), (140, 50), (60, 24), (120, 40)] {
        inside.terminal.resize(columns, rows);
        inside.wait_for_width(columns);
        told(&mut inside);
    }
    inside.send(&format!("{ESCAPE}z"));
    inside.terminal.wait("the zoomed pane", |terminal| {
        let line = terminal.screen().lines().nth(2).unwrap_or("").to_owned();
        line.contains("▸Shell")
    });
    told(&mut inside);
    // A storm ends in the last size.
    for columns in (60..140).chain((90..140).rev()) {
        inside.terminal.resize(columns, 40);
    }
    inside.terminal.resize(111, 33);
    inside.wait_for_width(111);
    told(&mut inside);
}

#[test]
fn keys_that_end_other_programs_reach_the_one_inside() {
    let mut inside = Inside::new();
    inside.starts("sleep 1000");
    inside.send("\u{3}");
    inside.run("true", "after-ctrl-c");
    inside.starts("cat");
    inside.send("\u{4}");
    inside.run("true", "after-ctrl-d");
    inside.starts("sleep 1001");
    inside.send("\u{1a}");
    inside.shows("topped");
    inside.run("kill %1", "after-ctrl-z");
    // Alt and a letter comes as one chord, function keys as themselves.
    inside.starts("cat -v");
    inside.send(&format!("{ESC}f{ESC}OP{ESC}[15~q\r"));
    inside.shows("^[f^[OP^[[15~q");
    inside.send("\u{3}");
    // Twice the escape key is the program's.
    inside.starts("cat -v");
    inside.send(&format!("{ESCAPE}{ESCAPE}\r"));
    inside.shows("^]");
    inside.send("\u{3}");
    inside.run("true", "still-here");
    inside.send(&format!("{ESCAPE}q"));
    inside.shows("types in it");
}

#[test]
fn a_megabyte_is_pasted_in_order() {
    let mut inside = Inside::new();
    let mut text = String::new();
    for line in 0..100_000 {
        writeln!(text, "{line:09}").unwrap();
    }
    inside.run("stty -echo", "no-echo");
    inside.starts("cat > pasted");
    inside.send(&format!("{ESC}[200~{text}{ESC}[201~"));
    inside.send("\u{4}");
    inside.run(
        "cksum pasted; seq -f %09.0f 0 99999 | cmp - pasted && echo the-''same",
        "all-pasted",
    );
    inside.shows("the-same");
    inside.shows("1000000 pasted");
}

#[test]
fn a_flood_starves_neither_keys_nor_the_rest() {
    let mut inside = Inside::new();
    inside.send("yes 'a line that never ends and never begins'\r");
    inside.shows("a line that never ends");
    inside.send(ESCAPE);
    inside.shows("keep alive");
    inside.send("q");
    inside.shows("types in it");
    inside.send("\r\u{3}");
    inside.run("true", "flood-over");
}

#[test]
fn a_session_stopped_under_the_shell_leaves_its_screen() {
    let mut inside = Inside::new();
    inside.run("echo precious", "is-shown");
    let stop = format!("/v2/sandboxes/sessions/{}/stop", inside.session);
    inside.server.post(&stop, &json!({}));
    inside.shows("opens it again");
    inside.shows("precious");
    inside.shows("its session is stopped");
    inside.send(&format!("{ESCAPE}R"));
    inside.shows("Resume box?");
    inside.send("y");
    inside.shows("precious");
    inside.shows("open ");
    inside.run("true", "a-new-session");
}

#[test]
fn a_server_that_is_killed_leaves_the_screen_and_a_bar() {
    let mut inside = Inside::new();
    inside.run("echo precious", "is-shown");
    inside.server.kill();
    inside.shows("lost");
    inside.shows("opens it again");
    inside.shows("precious");
    inside.send(&format!("{ESCAPE}q"));
    inside.send("q");
    assert!(inside.terminal.wait_for_end().success());
    inside.terminal.assert_restored();
}

#[test]
fn twenty_shells_are_open_and_quitting_names_them() {
    let mut inside = Inside::new();
    for number in 2..=20 {
        inside.send(&format!("{ESCAPE}c"));
        inside.shows("Open a shell");
        inside.send("\u{13}");
        inside.terminal.wait_without_text("Open a shell");
        inside.run("true", &format!("shell-number-{number}"));
    }
    inside.send(&format!("{ESCAPE}S"));
    inside.shows("enter goes into it");
    inside.send("g\r");
    inside.terminal.wait_without_text("enter goes into it");
    inside.run("true", "the-first-one");
    inside.send(&format!("{ESCAPE}d"));
    inside.send("q");
    inside.shows("20 shells are open");
    inside.send("y");
    assert!(inside.terminal.wait_for_end().success());
    inside.terminal.assert_restored();
}

#[test]
fn what_is_selected_by_keys_is_copied_and_pasted() {
    let mut inside = Inside::new();
    inside.run("seq -s ' ' 2000", "many-numbers");
    inside.send(&format!("{ESCAPE}["));
    inside.shows("copy mode");
    inside.send("?1234\r");
    inside.shows("hit 1 of 1");
    inside.send("vey");
    inside.terminal.wait_without_text("copy mode");
    inside.send(&format!("clear; echo copied-{ESCAPE}]\r"));
    inside.shows("copied-1234");
}
