//! Every way a call can fail becomes a failure that says so, and tells no secret.

use crate::server::{Reply, Server, answer, ok};
use sandtop::api::{Client, DEFAULT_BASE, Options, Resume, TokenOrigin};
use sandtop::model::request::{CreateSandbox, ListSandboxes, RunCommand, SortBy};
use sandtop::model::{
    CommandId, Failure, FailureKind, NetworkFault, RetryAfter, SandboxName, SessionId, Timestamp,
};
use std::time::Duration;
use tokio::net::TcpListener;

async fn list(client: &Client) -> Failure {
    let failure = client
        .list_sandboxes(&ListSandboxes::default())
        .await
        .unwrap_err();
    assert_eq!(failure.call, "list sandboxes");
    // The whole address, so that a person sees who was asked; nothing secret is in it.
    let request = failure.request.as_raw();
    assert!(request.starts_with("GET http://127.0.0.1:"), "{request}");
    assert!(request.ends_with("/v2/sandboxes"), "{request}");
    let told = format!("{failure:?}");
    assert!(!told.contains("s3cret"), "{told}");
    assert!(!told.contains("team_recorded"), "{told}");
    failure
}

async fn list_from(reply: Vec<u8>) -> Failure {
    list(&Server::always(reply).await.client()).await
}

fn fault(failure: &Failure) -> (NetworkFault, bool) {
    match failure.kind {
        FailureKind::Network { fault, sent } => (fault, sent),
        _ => panic!("{failure:?}"),
    }
}

fn causes(failure: &Failure) -> String {
    let causes: Vec<&str> = failure.causes.iter().map(|cause| cause.as_raw()).collect();
    causes.join(" / ")
}

#[tokio::test]
async fn an_error_answer_keeps_all_it_said() {
    let failure = list_from(answer(
        "429 Too Many Requests",
        "x-vercel-id: fra1::abc\r\nretry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        r#"{"error":{"code":"rate_limited","message":"slow down"},"more":1}"#,
    ))
    .await;
    let expected = FailureKind::Status {
        status: 429,
        code: Some("rate_limited".into()),
        message: Some("slow down".into()),
        request_id: Some("fra1::abc".into()),
        retry_after: Some(RetryAfter::At(Timestamp(784_111_777_000))),
    };
    assert_eq!(failure.kind, expected);
    assert!(failure.causes.is_empty());
}

#[tokio::test]
async fn a_date_to_wait_for_is_by_the_clock_of_the_service_that_tells_it() {
    let failure = list_from(answer(
        "429 Too Many Requests",
        "date: Sun, 06 Nov 1994 08:49:07 GMT\r\nretry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        "{}",
    ))
    .await;
    let FailureKind::Status { retry_after, .. } = failure.kind else {
        panic!("{failure:?}")
    };
    assert_eq!(retry_after, Some(RetryAfter::Wait(30_000)));
}

#[tokio::test]
async fn an_error_answer_may_be_anything() {
    for (body, message, cause) in [
        ("", None, ""),
        ("{}", None, ""),
        (r#"{"error":"gone"}"#, Some("gone"), ""),
        (r#"{"error":{"message":7}}"#, None, ""),
        ("<h1>Bad Gateway</h1>", None, "<h1>Bad Gateway</h1>"),
        ("[1]", None, ""),
    ] {
        let failure = list_from(answer("502 Bad Gateway", "x-request-id: r1\r\n", body)).await;
        assert_eq!(failure.status(), Some(502), "{body}");
        assert_eq!(causes(&failure), cause, "{body}");
        let FailureKind::Status {
            message: told,
            request_id,
            retry_after,
            ..
        } = failure.kind
        else {
            panic!("{body}");
        };
        assert_eq!(told.as_ref().map(|told| told.as_raw()), message, "{body}");
        assert_eq!(request_id, Some("r1".into()));
        assert_eq!(retry_after, None);
    }
}

#[tokio::test]
async fn the_status_survives_a_cut_error_body() {
    let mut reply = answer("410 Gone", "", r#"{"error":{"code":"sandbox_stopped"}}"#);
    reply.truncate(reply.len() - 5);
    assert_eq!(list_from(reply).await.status(), Some(410));
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let server = Server::always(Vec::new()).await;
    let client = Client::new(Options {
        base,
        ..server.options()
    });
    let failure = list(&client.unwrap()).await;
    assert_eq!(fault(&failure), (NetworkFault::Connect, false));
    assert!(causes(&failure).contains("refused"), "{failure:?}");
}

#[tokio::test]
async fn the_connection_ends_too_early() {
    let whole = ok(r#"{"sandboxes":[],"pagination":{"count":0,"next":null}}"#);
    for length in [0, 5, 30, whole.len() - 1] {
        let failure = list_from(whole[..length].to_vec()).await;
        assert_eq!(fault(&failure), (NetworkFault::Cut, true), "{length}");
    }
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{";
    for stalled in ["", head] {
        let server = Server::start(move |_| Reply::Stall(stalled.into())).await;
        let mut options = server.options();
        options.patience.quick = Duration::from_millis(50);
        let failure = list(&Client::new(options.clone()).unwrap()).await;
        assert_eq!(fault(&failure), (NetworkFault::Timeout, true), "{stalled}");
        // What may block is given more time, and a stream's head is not.
        let client = Client::new(options.clone()).unwrap();
        if stalled.is_empty() {
            let (session, command) = (SessionId::new("s"), CommandId::new("c"));
            let failure = client.logs(&session, &command).await.err().unwrap();
            assert_eq!(fault(&failure), (NetworkFault::Timeout, true));
        }
        options.patience.slow = options.patience.quick;
        let client = Client::new(options).unwrap();
        let failure = client.stop(&SessionId::new("s")).await.unwrap_err();
        assert_eq!(fault(&failure), (NetworkFault::Timeout, true));
    }
}

#[tokio::test]
async fn what_is_not_http_is_told() {
    let failure = list_from(b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n".to_vec()).await;
    assert_eq!(fault(&failure), (NetworkFault::Other, true));
    assert!(!failure.causes.is_empty());
    let huge = format!("x-huge: {}\r\n", "x".repeat(2 << 20));
    let failure = list_from(answer("200 OK", &huge, "{}")).await;
    assert!(
        matches!(failure.kind, FailureKind::Network { .. }),
        "{failure:?}"
    );
}

#[tokio::test]
async fn json_of_the_wrong_shape_is_unreadable() {
    for body in [
        "<html>",
        "[]",
        "7",
        "null",
        "{",
        "{}",
        r#"{"sandboxes":7}"#,
        r#"{"sandboxes":null}"#,
        r#"{"sandboxes":{"a":1}}"#,
    ] {
        let failure = list_from(ok(body)).await;
        assert_eq!(failure.kind, FailureKind::Unreadable, "{body}");
        assert_eq!(failure.causes.len(), 1, "{body}");
    }
    let client = Server::always(ok(r#"{"sandbox":{"nome":"x"}}"#))
        .await
        .client();
    let name = SandboxName::new("box");
    let failure = client.get_sandbox(&name, Resume::No).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreadable);
    assert!(causes(&failure).contains("name"), "{failure:?}");
}

/// AP06: ten rows, whatever one of them holds.
#[tokio::test]
async fn one_odd_row_costs_no_other() {
    let row = |i: usize| match i {
        3 => r#"{"name":"n3","status":"hibernating","new":{"x":1}}"#.to_owned(),
        4 => r#"{"name":"n4","status":null,"tags":null,"createdAt":null}"#.to_owned(),
        5 => r#"{"name":"half \ud83d"}"#.to_owned(),
        i => format!(r#"{{"name":"n{i}","status":"running"}}"#),
    };
    let rows: Vec<String> = (0..10).map(row).collect();
    let body = format!(
        r#"{{"sandboxes":[{},{{"status":"nameless"}}],"pagination":{{"count":11,"next":"c"}}}}"#,
        rows.join(",")
    );
    let client = Server::always(ok(&body)).await.client();
    let page = client
        .list_sandboxes(&ListSandboxes::default())
        .await
        .unwrap();
    assert_eq!(page.value.entries.len(), 10);
    assert_eq!(page.value.skipped, 1);
    assert_eq!(page.value.next, Some("c".into()));
    assert_eq!(page.value.entries[5].name.as_raw(), "half \u{fffd}");
}

#[tokio::test]
async fn a_bare_object_is_an_empty_list_where_the_service_allows_it() {
    let client = Server::always(ok("")).await.client();
    let sessions = client.list_sessions(&Default::default()).await.unwrap();
    assert!(sessions.value.entries.is_empty());
    let snapshots = client.list_snapshots(&Default::default()).await.unwrap();
    assert!(snapshots.value.entries.is_empty());
}

#[tokio::test]
async fn the_header_of_an_answer_is_told() {
    let headers = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-Vercel-Id: iad1::1\r\n";
    let client = Server::always(answer("200 OK", headers, r#"{"sessions":[]}"#))
        .await
        .client();
    let answer = client.list_sessions(&Default::default()).await.unwrap();
    assert_eq!(answer.date, Some(Timestamp(784_111_777_000)));
    assert_eq!(answer.request_id, Some("iad1::1".into()));
}

#[tokio::test]
async fn packed_answers_are_read_and_streams_come_unpacked() {
    let packed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x2a\x4e\x2d\x2e\xce\xcc\xcf\x2b\x56\xb2\x8a\xae\x56\xca\x4c\x51\xb2\x52\x2a\x4e\xaa\x88\x37\x54\xaa\x8d\xad\x05\x00\xc7\x44\x9c\x4f\x1d\x00\x00\x00";
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
        packed.len()
    );
    let server = Server::always([head.as_bytes(), packed].concat()).await;
    let client = server.client();
    let sessions = client.list_sessions(&Default::default()).await.unwrap();
    assert_eq!(sessions.value.entries[0].id.as_raw(), "sbx_1");
    let logs = client
        .logs(&SessionId::new("s"), &CommandId::new("c"))
        .await;
    assert!(logs.is_err());
    let seen = server.seen();
    assert_eq!(seen[0].header("accept-encoding"), Some("gzip"));
    assert_eq!(seen[1].header("accept-encoding"), None);
}

#[tokio::test]
async fn an_endless_answer_is_given_up() {
    let failure = list_from(ok(&" ".repeat((64 << 20) + 1))).await;
    assert_eq!(failure.kind, FailureKind::Unreadable);
}

/// The token must not follow a redirect, to another host or to the same.
#[tokio::test]
async fn redirects_are_told_and_not_followed() {
    let other = Server::always(ok("{}")).await;
    let place = format!("location: {}/there?secret=1\r\n", other.base);
    let server =
        Server::start(move |_| Reply::Bytes(answer("307 Temporary Redirect", &place, ""))).await;
    let failure = list(&server.client()).await;
    assert_eq!(failure.status(), Some(307));
    assert!(
        causes(&failure).contains(&format!("{}/there;", other.base)),
        "{failure:?}"
    );
    assert!(other.seen().is_empty());
    assert_eq!(server.seen().len(), 1);
}

/// One try a call, whatever happens to it (api.md §6.4).
#[tokio::test]
async fn nothing_is_sent_twice() {
    for reply in [
        Vec::new(),
        answer("503 Service Unavailable", "retry-after: 0\r\n", ""),
    ] {
        let server = Server::always(reply).await;
        let client = server.client();
        let run = RunCommand::default();
        client
            .run_command(&SessionId::new("s"), &run)
            .await
            .unwrap_err();
        client
            .create_sandbox(&CreateSandbox::default())
            .await
            .unwrap_err();
        let name = SandboxName::new("box");
        client.get_sandbox(&name, Resume::Yes).await.unwrap_err();
        assert_eq!(server.seen().len(), 3);
    }
}

#[tokio::test]
async fn what_must_not_be_sent_is_refused() {
    let server = Server::always(ok("{}")).await;
    let client = server.client();
    let refused = |failure: Failure| {
        let refused = matches!(failure.kind, FailureKind::Refused(_));
        assert!(refused, "{failure:?}");
    };
    refused(
        client
            .stop(&SessionId::new("../../v1/x"))
            .await
            .unwrap_err(),
    );
    refused(
        client
            .get_sandbox(&SandboxName::new(".."), Resume::No)
            .await
            .unwrap_err(),
    );
    let session = SessionId::new("s");
    refused(
        client
            .get_command(&session, &CommandId::new(""), false)
            .await
            .unwrap_err(),
    );
    refused(
        client
            .logs(&session, &CommandId::new("a/b"))
            .await
            .err()
            .unwrap(),
    );
    let by_name = ListSandboxes {
        name_prefix: Some("x".into()),
        ..Default::default()
    };
    refused(client.list_sandboxes(&by_name).await.unwrap_err());
    let by_status = ListSandboxes {
        status: Some(sandtop::model::request::ListStatus::Running),
        sort_by: Some(SortBy::Name),
        ..Default::default()
    };
    refused(client.list_sandboxes(&by_status).await.unwrap_err());
    let long = ListSandboxes {
        limit: Some(51),
        ..Default::default()
    };
    refused(client.list_sandboxes(&long).await.unwrap_err());
    let both = CreateSandbox {
        runtime: Some("node24".into()),
        image: Some("x".into()),
        ..Default::default()
    };
    refused(client.create_sandbox(&both).await.unwrap_err());
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_found_token_goes_to_the_service_only() {
    let server = Server::always(ok("{}")).await;
    let open = |base: &str, origin| {
        Client::new(Options {
            base: base.to_owned(),
            origin,
            ..server.options()
        })
    };
    for base in [
        &server.base,
        "https://example.com",
        "https://vercel.com.example.com",
    ] {
        let failure = open(base, TokenOrigin::Found).unwrap_err();
        assert!(matches!(failure.kind, FailureKind::Refused(_)), "{base}");
        assert!(open(base, TokenOrigin::Given).is_ok(), "{base}");
    }
    for base in [DEFAULT_BASE, "https://api.vercel.com"] {
        assert!(open(base, TokenOrigin::Found).is_ok(), "{base}");
    }
    assert!(open("http://example.com", TokenOrigin::Given).is_err());
    let told = format!("{:?} {:?}", server.client(), server.options());
    assert!(!told.contains("s3cret"), "{told}");
}
