//! Proxy variables. They belong to a process, so each case runs this test binary once more.

use crate::server::{Reply, SOON, Server, answer, ok};
use sandtop::api::{Client, DEFAULT_BASE, Options, Scope, TokenOrigin};
use sandtop::model::request::ListSandboxes;
use sandtop::model::shell::StartFrame;
use sandtop::model::{CommandId, SessionId};
use std::process::Stdio;
use tokio::process::Command;

const VARIABLES: [&str; 8] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// Runs [`in_a_child`] with these variables; what it printed.
async fn child(base: &str, variables: &[(&str, &str)]) -> String {
    run("proxy::in_a_child", base, variables).await
}

async fn run(test: &str, base: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    for name in VARIABLES {
        command.env_remove(name);
    }
    command
        .env("SANDTOP_TEST_BASE", base)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(SOON, command.output())
        .await
        .unwrap()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
#[ignore = "the other tests run it, with variables"]
async fn in_a_child() {
    let client = Client::new(Options {
        base: std::env::var("SANDTOP_TEST_BASE").unwrap(),
        token: "tok_s3cret".into(),
        origin: TokenOrigin::Given,
        scope: Scope::default(),
        patience: Default::default(),
    })
    .unwrap();
    let list = client.list_sandboxes(&ListSandboxes::default()).await;
    println!("{list:?}");
    let logs = client
        .logs(&SessionId::new("s"), &CommandId::new("c"))
        .await;
    println!("{:?}", logs.err());
}

/// AP10: both kinds of calls go through it, and nobody reads its password.
#[tokio::test]
async fn a_proxy_is_used_and_its_password_not_told() {
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"] {
        let proxy =
            Server::start(|_| Reply::Bytes(answer("407 Proxy Authentication Required", "", "")))
                .await;
        let address = proxy.base.replace("http://", "http://user:p4ssw0rd@");
        let told = child(
            DEFAULT_BASE,
            &[(name, address.trim_end_matches("/some/api"))],
        )
        .await;
        assert_eq!(
            told.matches("fault: Connect, sent: false").count(),
            2,
            "{told}"
        );
        assert!(
            !told.contains("p4ssw0rd") && !told.contains("s3cret"),
            "{told}"
        );
        let seen = proxy.seen();
        assert_eq!(seen.len(), 2, "one for each kind of call");
        for seen in seen {
            assert_eq!(
                (&*seen.method, &*seen.target),
                ("CONNECT", "vercel.com:443")
            );
            let login = seen.header("proxy-authorization");
            assert_eq!(login, Some("Basic dXNlcjpwNHNzdzByZA=="));
            assert_eq!(seen.header("authorization"), None);
        }
    }
}

/// AP10: what the variable names is reached without the proxy. Nobody listens there; `0.0.0.0` is this machine, but
/// by no name that is left out anyway.
#[tokio::test]
async fn a_host_that_is_to_be_reached_directly_is() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let base = format!("https://0.0.0.0:{port}/api");
    for (name, value, asked) in [
        ("NO_PROXY", "example.com,0.0.0.0", 0),
        ("no_proxy", "0.0.0.0", 0),
        ("NO_PROXY", "example.com", 2),
    ] {
        let proxy = Server::always(answer("407 Proxy Authentication Required", "", "")).await;
        let address = proxy.base.trim_end_matches("/some/api");
        child(&base, &[("HTTPS_PROXY", address), (name, value)]).await;
        assert_eq!(proxy.seen().len(), asked, "{name}={value}");
    }
}

/// To a proxy 127.0.0.1 is the proxy itself: neither the call nor the token of the local engine may go there.
#[tokio::test]
async fn this_machine_is_reached_without_a_proxy() {
    let engine = Server::always(ok(r#"{"sandboxes":[]}"#)).await;
    let proxy = Server::always(ok("{}")).await;
    let address = proxy.base.trim_end_matches("/some/api");
    child(
        &engine.base,
        &[("HTTP_PROXY", address), ("ALL_PROXY", address)],
    )
    .await;
    assert_eq!(engine.seen().len(), 2);
    assert!(proxy.seen().is_empty());
}

#[tokio::test]
#[ignore = "another test runs it, with variables"]
async fn a_shell_in_a_child() {
    let client = Client::new(Options {
        base: std::env::var("SANDTOP_TEST_BASE").unwrap(),
        token: "tok_s3cret".into(),
        origin: TokenOrigin::Given,
        scope: Scope::default(),
        patience: Default::default(),
    })
    .unwrap();
    let invited = client.invite_to_shell(&SessionId::new("s")).await;
    let invitation = invited.unwrap().value;
    println!("{:?}", invitation.health().await);
    println!(
        "{:?}",
        invitation.accept(&StartFrame::default()).await.err()
    );
}

/// AP10: a shell's server is reached through it as well: its health where it is and at its name alone, and its socket.
#[tokio::test]
async fn a_shell_goes_through_the_proxy() {
    let invitation = r#"{"url":"wss://shell.example:8443/ws","token":"shell-t0ken"}"#;
    let service = Server::always(ok(invitation)).await;
    let proxy = Server::always(answer("407 Proxy Authentication Required", "", "")).await;
    let address = proxy.base.replace("http://", "http://user:p4ssw0rd@");
    let address = address.trim_end_matches("/some/api");
    let told = run(
        "proxy::a_shell_in_a_child",
        &service.base,
        &[("HTTPS_PROXY", address)],
    )
    .await;
    let seen = proxy.seen();
    let asked: Vec<&str> = seen.iter().map(|seen| &*seen.target).collect();
    let wanted = [
        "shell.example:8443",
        "shell.example:443",
        "shell.example:8443",
    ];
    assert_eq!(asked, wanted);
    for secret in ["p4ssw0rd", "s3cret", "t0ken"] {
        assert!(!told.contains(secret), "{told}");
    }
}
