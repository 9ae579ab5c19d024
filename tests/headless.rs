//! What the program does without a terminal: sentences, exit codes, and no byte for a screen.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn sandtop(home: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandtop"));
    command
        .args(arguments)
        .current_dir(home.path())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", home.path())
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    sandtop(&TempDir::new().unwrap(), arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    assert!(
        !output.stderr.contains(&0x1b),
        "an escape on standard error"
    );
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn without_a_terminal_a_sentence_and_no_escape() {
    for arguments in [
        &["--local"][..],
        &["--api-url", "http://127.0.0.1:9", "--token", "t"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stdout, b"");
        assert!(said(&output).contains("terminal"), "{}", said(&output));
    }
}

#[test]
fn help_tells_variables_examples_and_exit_codes() {
    let output = run(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let help = String::from_utf8(output.stdout).unwrap();
    for word in [
        "serve",
        "ls",
        "--read-only",
        "SANDTOP_API_URL",
        "VERCEL_TOKEN",
        "NO_COLOR",
        "Exit codes",
    ] {
        assert!(help.contains(word), "{word} in:\n{help}");
    }
}

#[test]
fn the_help_of_each_command_tells_its_exit_codes() {
    for command in [
        "ls", "doctor", "stop", "rm", "extend", "run", "tail", "read",
    ] {
        let output = run(&[command, "--help"]);
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Exit codes:"), "{command}:\n{help}");
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    assert_eq!(run(&["--nonsense"]).status.code(), Some(2));
    assert_eq!(run(&["ls", "--local", "--remote"]).status.code(), Some(2));
}

#[test]
fn asked_for_the_service_without_credentials() {
    let output = run(&["ls", "--remote"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--token"), "{}", said(&output));
}

#[test]
fn credentials_that_cannot_be_used_are_never_passed_over() {
    let home = TempDir::new().unwrap();
    std::fs::write(
        home.path().join(".env.local"),
        "VERCEL_OIDC_TOKEN=nonsense\n",
    )
    .unwrap();
    let output = sandtop(&home, &["ls"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert!(
        said.contains("VERCEL_OIDC_TOKEN") && said.contains(".env.local"),
        "{said}"
    );
    assert!(said.contains("--local"), "{said}");
}

#[test]
fn a_listing_starts_no_engine() {
    let home = TempDir::new().unwrap();
    let output = sandtop(&home, &["ls", "--local"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    assert!(
        said(&output).contains("No local engine is running"),
        "{}",
        said(&output)
    );
    assert_eq!(
        std::fs::read_dir(home.path()).unwrap().count(),
        0,
        "something was left behind"
    );
}

#[test]
fn a_service_that_is_not_there_is_a_failure_with_a_reason() {
    let output = run(&["ls", "--api-url", "http://127.0.0.1:9", "--token", "t"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    assert!(
        said(&output).contains("list sandboxes"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_found_token_goes_to_no_other_host() {
    let home = TempDir::new().unwrap();
    let mut command = sandtop(&home, &["ls", "--api-url", "http://127.0.0.1:9"]);
    let output = command.env("VERCEL_TOKEN", "found").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!said(&output).contains("found\""), "the token is told");
}

#[test]
fn variables_that_are_set_to_nothing_are_not_set() {
    let home = TempDir::new().unwrap();
    let mut command = sandtop(&home, &["ls"]);
    let output = command
        .env("SANDTOP_TOKEN", "")
        .env("SANDTOP_API_URL", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("No local engine is running"),
        "{}",
        said(&output)
    );
}

#[test]
fn the_doctor_finds_an_empty_house_usable_and_leaves_it_so() {
    let home = TempDir::new().unwrap();
    let output = sandtop(&home, &["doctor"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    for words in [
        "ok isolation",
        " policies ",
        "config.toml and ",
        "none runs",
        "ok credentials  none",
        "the local engine, once it runs",
    ] {
        assert!(told.contains(words), "{words} in:\n{told}");
    }
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

/// Places of credentials are told, and what is wrong; no value of any.
#[test]
fn the_doctor_tells_no_secret() {
    let home = TempDir::new().unwrap();
    let dotenv = "VERCEL_OIDC_TOKEN=planted-oidc\n";
    std::fs::write(home.path().join(".env.local"), dotenv).unwrap();
    let cli = home.path().join(".local/share/com.vercel.cli");
    std::fs::create_dir_all(&cli).unwrap();
    let login = r#"{"token":"planted-login","expiresAt":1}"#;
    std::fs::write(cli.join("auth.json"), login).unwrap();
    let tell = |variables: &[(&str, &str)], arguments: &[&str], wanted: &[&str]| {
        let arguments = [&["doctor"], arguments].concat();
        let mut command = sandtop(&home, &arguments);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        let all = format!("{told}{}", said(&output));
        assert!(!all.contains("planted") && !all.contains('\u{1b}'), "{all}");
        assert_eq!(output.status.code(), Some(1), "{all}");
        for words in wanted {
            assert!(told.contains(words), "{words} in:\n{told}");
        }
    };
    let passed_over = [
        "VERCEL_OIDC_TOKEN in",
        ".env.local: it is no OIDC token",
        "auth.json: the login has expired",
        "!! service",
    ];
    tell(&[], &[], &passed_over);
    let token = [
        ("SANDTOP_TOKEN", "planted-token"),
        ("VERCEL_TEAM_ID", "team_x"),
        ("VERCEL_PROJECT_ID", "prj_x"),
    ];
    let places = [
        "token from the command line",
        "team from VERCEL_TEAM_ID",
        "!! service",
        "127.0.0.1:9",
    ];
    tell(&token, &["--api-url", "http://127.0.0.1:9"], &places);
}

#[test]
fn an_agents_log_is_read_without_a_server() {
    let home = TempDir::new().unwrap();
    let log = concat!(
        r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"claude_code_version":"9.9.9"}"#,
        "\n",
        r#"{"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"Hm\u001b[31m."}]},"session_id":"s"}"#,
        "\n",
    );
    std::fs::write(home.path().join("run.jsonl"), log).unwrap();
    std::fs::write(home.path().join("run.err"), "killed\n").unwrap();
    let arguments = [
        "read",
        "run.jsonl",
        "--stderr",
        "run.err",
        "--exit",
        "137",
        "--json",
    ];
    let output = sandtop(&home, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "run");
    assert_eq!(last["format"], "claude");
    assert_eq!(last["state"], "ended-without-result");
    assert_eq!(last["reason"], "exit 137: killed");
    let steps: Vec<&serde_json::Value> =
        lines.iter().filter(|line| line["type"] == "step").collect();
    assert_eq!(steps.len(), 1);
    assert_eq!(
        (&steps[0]["kind"], &steps[0]["short"]),
        (&"text".into(), &"Hm.".into())
    );

    let missing = sandtop(&home, &["read", "none.jsonl"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("none.jsonl"));
}
