//! Forms and palette, by keys, against the real engine: what they send really runs.

use super::program::Program;
use super::server::Server;

/// ctrl-s.
const SEND: &str = "\u{13}";
const ESC: &str = "\u{1b}";

#[test]
fn a_command_is_run_again_and_edited_by_keys() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let mut terminal = program.dashboard(&server.dashboard(&program));
    terminal.wait_for_text("No command was run");

    terminal.send("!");
    terminal.wait_for_text("Run a command");
    terminal.send("echo \"$WHO $1\" | tr a-z A-Z");
    terminal.send("\t ");
    terminal.wait_for_text("[x] yes");
    terminal.send("\t\tWHO=somebody");
    terminal.send(SEND);
    terminal.wait_for_text("SOMEBODY");
    terminal.wait_without_text("Run a command");
    let commands = |server: &Server| {
        let path = format!("/v2/sandboxes/sessions/{session}/cmd");
        server.get(&path)["commands"].as_array().unwrap().clone()
    };
    assert_eq!(commands(&server).len(), 1);

    // Again: without the environment, which nobody tells.
    terminal.send(".");
    terminal.wait_for_text("does not tell a command's environment");
    terminal.send("y");
    terminal.wait("a second command", |_| commands(&server).len() == 2);
    terminal.wait_without_text("Run it again");
    let all = commands(&server);
    assert_eq!(all[0]["args"], all[1]["args"]);

    terminal.wait_without_text("SOMEBODY");
    terminal.send(",");
    terminal.wait_for_text("Run a command");
    terminal.send(" | rev; echo the-end");
    terminal.wait_for_text("the-end");
    terminal.send(SEND);
    terminal.wait("a third command", |_| commands(&server).len() == 3);
    let line = commands(&server)[0]["args"][1].clone();
    assert_eq!(line, "echo \"$WHO $1\" | tr a-z A-Z | rev; echo the-end");
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
}

#[test]
fn a_sandbox_is_created_by_keys() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("taken");
    let mut terminal = program.dashboard(&server.dashboard(&program));
    terminal.wait_for_text("taken");

    terminal.send("n");
    terminal.wait_for_text("Create a sandbox");
    terminal.send("taken");
    terminal.wait_for_text("there is a sandbox of that name");
    terminal.send(SEND);
    terminal.send("-2\t\u{15}10m\t4\t \t\tteam=a");
    terminal.send(SEND);
    terminal.wait_for_text("taken-2 is created");
    terminal.wait("it to be selected", |terminal| {
        terminal
            .row_with("taken-2")
            .is_some_and(|row| row.contains("▸ taken-2"))
    });
    let seen = server.get("/v2/sandboxes/taken-2?resume=false");
    let sandbox = &seen["sandbox"];
    assert_eq!(sandbox["timeout"], 600_000);
    assert_eq!(sandbox["vcpus"], 4);
    assert_eq!(sandbox["persistent"], false);
    assert_eq!(sandbox["tags"]["team"], "a");
    let creations = server.requests();
    let creations = creations
        .iter()
        .filter(|line| line.starts_with("POST /api/v3/sandboxes"));
    assert_eq!(creations.count(), 1);
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
}

#[test]
fn the_palette_leads_to_a_sandbox_and_acts_on_it() {
    let program = Program::new();
    let server = Server::start(&program);
    let first = server.create("alpha-one");
    let second = server.create("beta-two");
    let mut terminal = program.dashboard(&server.dashboard(&program));
    terminal.wait_for_text("alpha-one");
    terminal.wait_for_text("beta-two");

    terminal.send(":");
    terminal.wait_for_text("Palette");
    terminal.send("alphone");
    terminal.wait_for_text("Go to this sandbox.");
    terminal.send("\r");
    terminal.wait_for_text("▸ alpha-one");
    terminal.send(":");
    terminal.wait_for_text("on alpha-one");
    terminal.send("stop\r");
    terminal.wait_for_text("Stop alpha-one now?");
    terminal.send("y");
    terminal.wait("the row to say so", |terminal| {
        terminal
            .row_with("alpha-one")
            .is_some_and(|row| row.contains("stopped"))
    });
    let status = |session: &str| {
        server.get(&format!("/v2/sandboxes/sessions/{session}"))["session"]["status"].clone()
    };
    assert_eq!(status(&first), "stopped");
    assert_eq!(status(&second), "running");
    terminal.send(":");
    terminal.wait_for_text("Palette");
    terminal.send(ESC);
    terminal.wait_without_text("Palette");
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
}
