//! What is done to sandboxes, each dialog by its keys, against the real engine: what was answered happens, and no more.

use super::program::Program;
use super::server::Server;
use super::terminal::Terminal;
use serde_json::{Value, json};
use std::fs;

const ESC: &str = "\u{1b}";
const DOWN: &str = "\u{1b}[B";
const DELETE: &str = "\u{1b}[3~";

/// A dashboard that sends what is confirmed after `undo` seconds.
fn dashboard(program: &Program, server: &Server, undo: u32) -> Terminal {
    let directory = program.home.path().join("config");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), format!("undo = {undo}\n")).unwrap();
    let mut command = server.dashboard(program);
    command.env("SANDTOP_CONFIG_DIR", directory);
    program.dashboard(&command)
}

fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}

/// The session, as the engine tells it.
fn session(server: &Server, id: &str) -> Value {
    server.get(&format!("/v2/sandboxes/sessions/{id}"))["session"].clone()
}

fn exists(server: &Server, name: &str) -> bool {
    let all = server.get("/v2/sandboxes?project=elsewhere");
    let mut all = all["sandboxes"].as_array().unwrap().iter();
    all.any(|sandbox| sandbox["name"] == name)
}

/// Whether the kept files of a sandbox, whose snapshot this is, are still there.
fn kept(server: &Server, snapshot: &str) -> bool {
    let all = server.get("/v2/sandboxes/snapshots?project=elsewhere");
    let mut all = all["snapshots"].as_array().unwrap().iter();
    all.any(|one| one["id"] == snapshot && one["status"] != "deleted")
}

/// Stops it, which keeps its files; the snapshot.
fn stop(server: &Server, name: &str, session: &str) -> String {
    server.post(
        &format!("/v2/sandboxes/sessions/{session}/stop"),
        &json!({}),
    );
    let seen = server.get(&format!("/v2/sandboxes/{name}?resume=false"));
    let snapshot = seen["sandbox"]["currentSnapshotId"].as_str();
    snapshot.expect("a persistent sandbox").to_owned()
}

/// Narrows the list down to one, which is then selected.
fn select(terminal: &mut Terminal, name: &str) {
    terminal.send(&format!("/{name}\r"));
    terminal.wait_for_text(&format!("▸ {name}"));
}

#[test]
fn marked_ones_are_stopped_together_and_can_be_taken_back() {
    let program = Program::new();
    let server = Server::start(&program);
    let sessions = ["one", "two", "three"].map(|name| server.create(name));
    let mut terminal = dashboard(&program, &server, 60);
    terminal.wait_for_text("three");
    // The newest is on top: `three` is left out.
    terminal.send("Gk  ");
    terminal.wait_for_text("2 marked");
    terminal.send("x");
    terminal.wait_for_text("Stop 2 sandboxes now?");
    terminal.send("y");
    terminal.wait_for_text("stopping 2 sandboxes in");
    terminal.send("u");
    terminal.wait_for_text("taken back: 2 sandboxes were not stopped");
    quit(terminal);
    for id in &sessions {
        assert_eq!(session(&server, id)["status"], "running");
    }

    let mut terminal = dashboard(&program, &server, 1);
    terminal.wait_for_text("three");
    terminal.send("Gk  x");
    terminal.wait_for_text("Stop 2 sandboxes now?");
    terminal.send("\t\r");
    terminal.wait_for_text("2 of 2 stopped.");
    terminal.send("\r");
    terminal.wait_without_text("Results");
    terminal.wait_without_text("marked");
    let status = sessions.map(|id| session(&server, &id)["status"].clone());
    assert_eq!(status, ["stopped", "stopped", "running"]);
    quit(terminal);
}

#[test]
fn one_is_deleted_by_its_name_with_its_snapshots_only_when_asked() {
    let program = Program::new();
    let server = Server::start(&program);
    let snapshots = ["left", "taken"].map(|name| {
        let id = server.create(name);
        stop(&server, name, &id)
    });
    let mut terminal = dashboard(&program, &server, 0);
    select(&mut terminal, "left");
    terminal.send(DELETE);
    terminal.wait_for_text("type left to delete:");
    terminal.wait_for_text("all stay");
    terminal.send("lef\t\r");
    terminal.wait_for_text("Not deleted: left is not what was typed.");
    assert!(exists(&server, "left"));
    // Typing goes to the name wherever the answer stands.
    terminal.send("t\r");
    terminal.wait_for_text("left is deleted");
    assert!(!exists(&server, "left") && kept(&server, &snapshots[0]));

    // Alone: with a key behind it, it would be another one.
    terminal.send(ESC);
    terminal.wait_without_text("/left");
    select(&mut terminal, "taken");
    terminal.send("\u{b}"); // ctrl-k
    terminal.wait_for_text("type taken to delete:");
    terminal.send("taken\t\t\r");
    terminal.wait_for_text("(x) delete orphan snapshots");
    terminal.wait_for_text("are deleted as well");
    terminal.send("\u{1b}[Z\r");
    terminal.wait_for_text("taken is deleted");
    assert!(!exists(&server, "taken") && !kept(&server, &snapshots[1]));
    assert!(kept(&server, &snapshots[0]), "nobody asked for that");
    quit(terminal);
}

#[test]
fn many_are_deleted_by_their_number_and_the_word() {
    let program = Program::new();
    let server = Server::start(&program);
    for name in ["one", "two", "three"] {
        server.create(name);
    }
    let mut terminal = dashboard(&program, &server, 0);
    terminal.wait_for_text("three");
    terminal.send("gjjv");
    terminal.send("gjv");
    terminal.wait_for_text("2 marked");
    terminal.send(DELETE);
    terminal.wait_for_text("type 2 delete to delete:");
    terminal.send("3 delete\t\r");
    terminal.wait_for_text("Not deleted: 2 delete is not what was typed.");
    terminal.send("\u{15}2 delete");
    terminal.wait_for_text("to delete: 2 delete");
    terminal.send("\r");
    terminal.wait_for_text("2 of 2 deleted.");
    let left = ["one", "two", "three"].map(|name| exists(&server, name));
    assert_eq!(left, [false, false, true]);
    terminal.send("\r");
    terminal.wait_without_text("Results");
    quit(terminal);
}

#[test]
fn time_is_given_by_choice_or_as_typed() {
    let program = Program::new();
    let server = Server::start(&program);
    let id = server.create("box");
    let mut terminal = dashboard(&program, &server, 0);
    terminal.wait_for_text("▸ box");
    let mut timeout = session(&server, &id)["timeout"].as_i64().unwrap();
    for (keys, minutes) in [("\t\r", 5), ("\t\t\r", 60), ("1h30m\r", 90), ("2\r", 2)] {
        terminal.send("e");
        terminal.wait_for_text("Give box more time?");
        terminal.send(keys);
        terminal.wait_for_text("box is extended");
        timeout += minutes * 60_000;
        assert_eq!(session(&server, &id)["timeout"], timeout, "{keys:?}");
        // The message goes with the next key.
        terminal.send("g");
        terminal.wait_without_text("box is extended");
    }
    terminal.send("e");
    terminal.wait_for_text("Give box more time?");
    terminal.send("soon\r");
    terminal.wait_for_text("That is no duration");
    terminal.send(ESC);
    terminal.wait_without_text("more time?");
    assert_eq!(session(&server, &id)["timeout"], timeout);
    quit(terminal);
}

#[test]
fn a_command_gets_the_signal_that_was_chosen() {
    let program = Program::new();
    let server = Server::start(&program);
    let id = server.create("box");
    let traps = "trap 'exit 3' TERM; trap 'exit 4' USR1; while :; do sleep 0.05; done";
    let exit_code = |command: &str| {
        let path = format!("/v2/sandboxes/sessions/{id}/cmd/{command}");
        server.get(&path)["command"]["exitCode"].clone()
    };
    let mut terminal = dashboard(&program, &server, 0);
    for (keys, sent, code) in [
        ("\t\r".to_owned(), "TERM", 3),
        ("usr1\t\r".to_owned(), "USR1", 4),
        (format!("{DOWN}{DOWN}{DOWN}\t\r"), "KILL", 137),
    ] {
        let command = server.run(&id, &format!("echo ready-{sent}; {traps}"));
        terminal.wait_for_text(&format!("ready-{sent}"));
        terminal.send("\rt");
        terminal.wait_for_text("Send TERM to this command of box?");
        assert!(terminal.screen().contains("trap 'exit 3'"));
        terminal.send(&keys);
        terminal.wait_for_text("in box is signalled");
        terminal.wait("its end", |_| exit_code(&command) == code);
        terminal.send(ESC);
        terminal.wait_without_text("in box is signalled");
    }
    quit(terminal);
}

#[test]
fn a_stopped_one_is_resumed_from_what_it_kept() {
    let program = Program::new();
    let server = Server::start(&program);
    let id = server.create("box");
    let snapshot = stop(&server, "box", &id);
    let mut terminal = dashboard(&program, &server, 0);
    terminal.wait_for_text("▸ box");
    terminal.send("w");
    terminal.wait_for_text("Resume box?");
    terminal.wait_for_text(&snapshot);
    terminal.send("\r");
    terminal.wait_without_text("Resume box?");
    assert_eq!(session(&server, &id)["status"], "stopped");
    terminal.send("w");
    terminal.wait_for_text("Resume box?");
    terminal.send("y");
    terminal.wait_for_text("box is running again");
    let seen = server.get("/v2/sandboxes/box?resume=false");
    assert_eq!(seen["sandbox"]["status"], "running");
    assert_ne!(seen["sandbox"]["currentSessionId"], id.as_str());
    quit(terminal);
}

#[test]
fn a_near_end_is_warned_of_and_put_off_by_one_key() {
    let program = Program::new();
    let server = Server::start(&program);
    let wanted = json!({"name": "ending", "projectId": "elsewhere", "timeout": 200_000});
    let created = server.post("/v2/sandboxes", &wanted);
    let id = created["session"]["id"].as_str().unwrap().to_owned();
    server.run(&id, "exec sleep 1000");
    let other = server.create("other");
    let mut terminal = dashboard(&program, &server, 0);
    select(&mut terminal, "ending");
    terminal.wait_for_text("while a command still runs");
    terminal.wait_for_text("E extends it");
    let bell = |bytes: &[u8]| bytes.contains(&7);
    let notice = b"\x1b]9;sandtop: ending ends in";
    terminal.wait("bell and notice", |terminal| {
        let mut windows = terminal.raw.windows(notice.len());
        bell(&terminal.raw) && windows.any(|bytes| bytes == notice)
    });
    // For that one, whatever is selected by now.
    terminal.send(ESC);
    terminal.wait_without_text("/ending");
    select(&mut terminal, "other");
    terminal.send("E");
    terminal.wait_for_text("Give ending more time?");
    terminal.send("\t\r");
    terminal.wait_for_text("ending is extended");
    assert_eq!(session(&server, &id)["timeout"], 500_000);
    assert_eq!(session(&server, &other)["timeout"], 600_000);
    quit(terminal);
}

/// Every key of an action that does more than read, the palette's ways to them, and a click on where they would stand.
#[test]
fn read_only_only_reads() {
    use sandtop::logic::{ACTIONS, Class, Keymap, Valid};
    let program = Program::new();
    let server = Server::start(&program);
    let id = server.create("kept");
    server.run(&id, "exec sleep 1000");
    server.wait_for_request("the command", |line| line.contains("/cmd "));
    let before = server.requests().len();
    let mut command = server.dashboard(&program);
    command.arg("--read-only");
    let mut terminal = program.dashboard(&command);
    terminal.wait_for_text("sleep 1000");
    let keymap = Keymap::default();
    let reachable = |row: &&sandtop::logic::ActionRow| row.valid != Valid::Shell;
    for row in ACTIONS
        .iter()
        .filter(|row| row.class > Class::Free)
        .filter(reachable)
    {
        // The last leads to a log's lines, where keys of the lists have another meaning.
        let starts = ["", "\r", "\r\r"];
        let within = starts.len() - usize::from(row.valid == Valid::Lists);
        for start in &starts[..within] {
            for key in keymap.keys_of(row.action).map(|key| key.label()) {
                let key = match key.as_str() {
                    "delete" => DELETE.to_owned(),
                    key => match key.strip_prefix("ctrl-") {
                        Some(letter) => char::from(letter.as_bytes()[0] & 0x1f).to_string(),
                        None => key.to_owned(),
                    },
                };
                terminal.send(&format!("{start}{key}"));
                terminal.wait_for_text("Read-only");
                // Left by a key that does nothing else but move.
                terminal.send("y\r\u{1b}[H");
                terminal.wait_without_text("Read-only");
                // A click on the sandbox leads back to the list.
                terminal.send("\u{1b}[I1\u{1b}[<0;5;4M\u{1b}[<0;5;4m");
            }
        }
        terminal.send(":");
        terminal.wait_for_text("Palette");
        terminal.send(row.title);
        terminal.wait_for_text(&format!(":{}", row.title));
        terminal.send(ESC);
        terminal.wait_without_text("Palette");
    }
    for column in (1..120).step_by(3) {
        terminal.send(&format!("\u{1b}[<0;{column};40M\u{1b}[<0;{column};40m"));
    }
    terminal.send("\u{1b}[I");
    terminal.signal(rustix::process::Signal::TERM);
    terminal.wait_for_end();
    let requests = server.requests();
    assert!(requests.len() > before + 2);
    for line in &requests[before..] {
        assert!(line.starts_with("GET "), "{line}");
    }
    assert_eq!(session(&server, &id)["status"], "running");
}

/// A slow line takes sequences apart: what then looks like a key of its own must be no answer and no deed.
#[test]
fn sequences_in_pieces_do_nothing_that_was_not_meant() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("kept");
    server.wait_for_request("the creation", |line| line.starts_with("POST"));
    let before = server.requests().len();
    let mut terminal = dashboard(&program, &server, 0);
    terminal.wait_for_text("▸ kept");
    // As alt-x, alt-d: keys of their own, bound to nothing.
    terminal.send("\u{1b}x");
    terminal.send("\u{1b}d\u{1b}e");
    terminal.send(":");
    terminal.wait_for_text("Palette");
    terminal.send(ESC);
    terminal.wait_without_text("Palette");
    assert!(!terminal.screen().contains("Stop kept"));
    for pause in [0, 5, 30, 80] {
        for sequence in ["\u{1b}[B", "\u{1b}[A", "\u{1b}OP", DELETE, "\u{1b}[1;5C"] {
            terminal.send("x");
            terminal.wait_for_text("Stop kept now?");
            let (escape, rest) = sequence.split_at(1);
            terminal.send(escape);
            std::thread::sleep(std::time::Duration::from_millis(pause));
            terminal.send(rest);
            // Whatever that was, it was no yes. Two at once are one that makes no pair with what follows.
            terminal.send("\u{1b}\u{1b}");
            terminal.wait_without_text("Stop kept now?");
        }
    }
    quit(terminal);
    for line in &server.requests()[before..] {
        assert!(line.starts_with("GET "), "{line}");
    }
}
