//! The same with the official SDK as the other program. Its folder (of `sdk-conformance`, installed) is named by
//! `SANDTOP_TEST_SDK`, as `.ci/run` does; without that, this test has nothing to do.

use super::journeys::{TICKS, last_tick, watch_and_stop};
use super::program::Program;
use super::server::{Server, TOKEN};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn what_the_sdk_makes_is_seen_tailed_and_stopped() {
    let Some(sdk) = std::env::var_os("SANDTOP_TEST_SDK") else {
        return;
    };
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = program.dashboard(&server.dashboard(&program));
    let mut node = Command::new("node");
    node.args(["--import", "./redirect.mjs", "--input-type=module", "-e"])
        .arg(include_str!("sdk.mjs"));
    program.surround(&mut node);
    node.current_dir(sdk)
        .env("SANDTOP_TEST_BASE", &server.url)
        .env("SANDTOP_TEST_TOKEN", TOKEN)
        .env("NAME", "made-by-the-sdk")
        .env("LINE", TICKS);
    let mut node = node
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(node.stdout.take().unwrap()).lines();
    assert_eq!(said.next().expect("the SDK failed").unwrap(), "running");

    watch_and_stop(&mut terminal, "made-by-the-sdk");
    assert!(last_tick(&terminal) > 3, "nothing seen is lost");
    drop(node.stdin.take());
    assert_eq!(said.next().expect("the SDK failed").unwrap(), "stopped");
    assert!(node.wait().unwrap().success());
}
