//! Shells: what we ask and send beside what the official CLI does, and what may go wrong before one is open.

use crate::recorded::{Recorded, recorded};
use crate::server::{Reply, SOON, Seen, Server, answer, ok};
use futures_util::StreamExt;
use sandtop::api::{Client, Invitation, Options, ShellSaid};
use sandtop::model::shell::{CallerFrame, StartFrame};
use sandtop::model::{Failure, FailureKind, SessionId};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

fn invitation(url: &str) -> Vec<u8> {
    ok(&json!({"url": url, "token": "shell-t0ken"}).to_string())
}

async fn invited(client: &Client) -> Result<Invitation, Failure> {
    let session = SessionId::new("session");
    Ok(client.invite_to_shell(&session).await?.value)
}

/// A server that invites to itself, and answers everything else so.
async fn host(other: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |seen| {
        if !seen.path().ends_with("/interactive") {
            return other(seen);
        }
        let host = seen.header("host").unwrap();
        Reply::Bytes(invitation(&format!("ws://{host}/shell/x")))
    })
    .await
}

fn told(failure: &Failure) -> String {
    let told = format!("{failure:?}");
    assert!(
        !told.contains("shell-t0ken") && !told.contains("s3cret"),
        "{told}"
    );
    told
}

/// A recorded frame of words by its keys.
fn start_of(recorded: &Recorded) -> Value {
    recorded.body[0]["text"].clone()
}

/// A service for one shell: it takes so many frames, and tells the heads of its three requests and the frames.
async fn listen(frames: usize) -> (String, JoinHandle<(Vec<String>, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap();
    let task = tokio::spawn(async move {
        let mut heads = Vec::new();
        for reply in [invitation(&format!("ws://{host}/shell/session")), ok("ok")] {
            let (mut stream, _) = listener.accept().await.unwrap();
            heads.push(head(&stream).await);
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(&reply).await.unwrap();
        }
        let (stream, _) = listener.accept().await.unwrap();
        heads.push(head(&stream).await);
        let mut socket = accept_async(stream).await.unwrap();
        let mut taken = Vec::new();
        while taken.len() < frames {
            taken.push(match socket.next().await.unwrap().unwrap() {
                Message::Text(text) => {
                    json!({"text": serde_json::from_str::<Value>(&text).unwrap()})
                }
                Message::Binary(bytes) => {
                    json!({"binary": String::from_utf8(bytes.into()).unwrap()})
                }
                other => panic!("{other:?}"),
            });
        }
        (heads, Value::Array(taken))
    });
    (format!("http://{host}"), task)
}

/// A recorded start frame as ours.
fn ours(start: &Value) -> StartFrame {
    let side = |key: &str| u16::try_from(start[key].as_u64().unwrap()).ok();
    let words = |key: &str| serde_json::from_value::<Vec<String>>(start[key].clone()).unwrap();
    StartFrame {
        command: start["command"].as_str().unwrap().into(),
        args: words("args"),
        env: words("env"),
        cwd: start["cwd"].as_str().map(str::to_owned),
        cols: side("cols"),
        rows: side("rows"),
    }
}

#[tokio::test]
async fn our_requests_and_frames_are_those_of_the_official_cli() {
    let all = recorded();
    let theirs = |method: &str| {
        let mut lines = all.iter();
        let found = lines.find(|line| line.op == "cli.connect" && line.method == method);
        found.unwrap()
    };
    let (asked, socket) = (theirs("POST"), theirs("WEBSOCKET"));
    let (base, service) = listen(socket.body.as_array().unwrap().len()).await;
    let server = Server::always(Vec::new()).await;
    let options = Options {
        base,
        ..server.options()
    };
    let invitation = invited(&Client::new(options).unwrap()).await.unwrap();
    invitation.health().await.unwrap();
    let start = ours(&start_of(socket));
    let mut shell = invitation.accept(&start).await.unwrap();
    shell.input.resize(90, 25).await.unwrap();
    shell.input.type_in("exit\r".into()).await.unwrap();

    let (heads, frames) = service.await.unwrap();
    assert_eq!(frames, socket.body);
    let [(team, id)] = &asked.query[..] else {
        panic!("{:?}", asked.query)
    };
    let question = format!("POST {}?{team}={id} HTTP", asked.path);
    assert!(heads[0].starts_with(&question), "{}", heads[0]);
    assert!(heads[1].starts_with("GET /health HTTP"), "{}", heads[1]);
    let [(key, _)] = &socket.query[..] else {
        panic!("{:?}", socket.query)
    };
    let connected = format!("GET {}?{key}=shell-t0ken HTTP", socket.path);
    assert!(heads[2].starts_with(&connected), "{}", heads[2]);
    for head in &heads[1..] {
        let secret = head.to_lowercase().contains("authorization");
        assert!(
            !secret,
            "the token of the API goes to the API alone: {head}"
        );
    }
}

/// The start frames of every kind of shell that was recorded have the keys of ours, no more and no less.
#[test]
fn every_recorded_start_frame_has_the_keys_of_ours() {
    let ours = StartFrame {
        cwd: Some("/".into()),
        cols: Some(1),
        rows: Some(1),
        ..StartFrame::default()
    };
    let ours = CallerFrame::Start(&ours).text();
    let ours: Value = serde_json::from_str(&ours).unwrap();
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let all = recorded();
    let sockets: Vec<&Recorded> = all
        .iter()
        .filter(|line| line.method == "WEBSOCKET")
        .collect();
    assert!(sockets.len() > 5);
    for socket in sockets {
        assert_eq!(keys(&start_of(socket)), keys(&ours), "{}", socket.op);
    }
}

async fn head(stream: &TcpStream) -> String {
    let mut bytes = vec![0; 8192];
    loop {
        let count = stream.peek(&mut bytes).await.unwrap();
        let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            return head.to_owned();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_invitation_elsewhere_in_the_clear_or_with_more_than_a_place_is_refused() {
    for url in [
        "ws://example.com/ws",
        "ws://192.0.2.1:80/ws",
        "http://127.0.0.1/ws",
        "wss://user:pass@example.com/ws",
        "wss://example.com/ws?token=1",
        "nonsense",
        "",
    ] {
        let reply = invitation(url);
        let server = Server::always(reply).await;
        let failure = invited(&server.client()).await.err().unwrap();
        assert_eq!(failure.kind, FailureKind::Unreadable, "{url}");
        assert!(!told(&failure).contains("pass"), "{url}");
        assert_eq!(server.seen().len(), 1, "{url}");
    }
    for body in ["{}", r#"{"url":"wss://example.com/ws"}"#] {
        let server = Server::always(ok(body)).await;
        let failure = invited(&server.client()).await.err().unwrap();
        assert_eq!(failure.kind, FailureKind::Unreadable, "{body}");
    }
}

#[tokio::test]
async fn health_is_any_success_and_says_what_else_it_was() {
    for (status, healthy) in [
        ("204 No Content", true),
        ("200 OK", true),
        ("503 Busy", false),
        ("302 Found", false),
    ] {
        let server = host(move |_| Reply::Bytes(answer(status, "", ""))).await;
        let looked = invited(&server.client()).await.unwrap().health().await;
        assert_eq!(looked.is_ok(), healthy, "{status}");
        let seen = server.seen();
        assert_eq!(
            (seen[1].method.as_str(), seen[1].target.as_str()),
            ("GET", "/health")
        );
        if let Err(failure) = looked {
            assert_eq!(failure.call, "check the shell's server");
            told(&failure);
        }
    }
}

#[tokio::test]
async fn what_is_no_websocket_is_a_failure_that_says_so() {
    let wrong_key = b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: eA==\r\n\r\n";
    let refusal = |status: &str| {
        answer(
            status,
            "",
            r#"{"error":{"code":"unauthorized","message":"used already"}}"#,
        )
    };
    for (reply, status) in [
        (refusal("401 Unauthorized"), Some(401)),
        (refusal("404 Not Found"), Some(404)),
        (refusal("410 Gone"), Some(410)),
        (ok("{}"), None),
        (wrong_key.to_vec(), None),
        (Vec::new(), None),
    ] {
        let said = String::from_utf8_lossy(&reply).into_owned();
        let server = host(move |_| Reply::Bytes(reply.clone())).await;
        let invitation = invited(&server.client()).await.unwrap();
        let failure = invitation
            .accept(&StartFrame::default())
            .await
            .err()
            .unwrap();
        assert_eq!(failure.status(), status, "{said}");
        assert_eq!(failure.call, "connect to the shell", "{said}");
        told(&failure);
    }
}

#[tokio::test]
async fn frames_that_are_no_output_do_not_look_like_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 4096]).await;
        stream
            .write_all(&invitation(&format!("ws://{host}/s")))
            .await
            .unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = accept_async(stream).await.unwrap();
        for frame in [
            Message::text(r#"{"type":"hint","text":"x"}"#),
            Message::text("plain words"),
            Message::binary(vec![0xff, 0x1b]),
            Message::Ping("x".into()),
            Message::text(r#"{"type":"exit","code":null}"#),
            Message::Close(None),
        ] {
            futures_util::SinkExt::send(&mut socket, frame)
                .await
                .unwrap();
        }
        while let Some(Ok(_)) = socket.next().await {}
    });
    let server = Server::always(Vec::new()).await;
    let mut options = server.options();
    options.base = format!("http://{host}");
    let invitation = invited(&Client::new(options).unwrap()).await.unwrap();
    let mut shell = invitation.accept(&StartFrame::default()).await.unwrap();
    let mut said = Vec::new();
    while let Some(more) = tokio::time::timeout(SOON, shell.output.next())
        .await
        .unwrap()
        .unwrap()
    {
        said.push(more);
    }
    let output = |bytes: &'static [u8]| ShellSaid::Output(bytes.into());
    let wanted = [
        ShellSaid::Alive,
        output(b"plain words"),
        output(&[0xff, 0x1b]),
        ShellSaid::Alive,
        ShellSaid::Exit(None),
    ];
    assert_eq!(said, wanted);
    assert_eq!(shell.output.next().await, Ok(None), "and ever after");
}
