//! Streams over a real connection: chunks of any size, ends and breaks told apart.

use crate::server::{Reply, SOON, Server, answer};
use sandtop::api::LogStream;
use sandtop::model::request::RunCommand;
use sandtop::model::{CommandId, Failure, FailureKind, LogObject, NetworkFault, SessionId};
use tokio::time::timeout;

const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
const LINES: &str = "{\"stream\":\"stdout\",\"data\":\"a😀漢\\n\"}\n\r\n{\"stream\":\"stderr\",\"data\":\"b\"}\n{\"stream\":\"stdout\",\"data\":\"last\"}";

async fn open(server: &Server) -> Result<LogStream, Failure> {
    let (session, command) = (SessionId::new("sbx_1"), CommandId::new("cmd_1"));
    let answer = server.client().logs(&session, &command).await?;
    Ok(answer.value)
}

/// The output up to the end, and how that came.
async fn drain(mut stream: LogStream) -> (String, Result<(), Failure>) {
    let mut all = String::new();
    loop {
        match timeout(SOON, stream.next()).await.unwrap() {
            Ok(Some(objects)) => {
                assert!(!objects.is_empty());
                for object in objects {
                    match object {
                        LogObject::Piece { data, .. } => all.push_str(&data),
                        other => panic!("{other:?}"),
                    }
                }
            }
            Ok(None) => {
                assert_eq!(stream.next().await, Ok(None));
                return (all, Ok(()));
            }
            Err(failure) => {
                assert_eq!(stream.next().await, Ok(None));
                return (all, Err(failure));
            }
        }
    }
}

/// In chunks of `size` bytes, without the end of the last one.
fn chunked(body: &str, size: usize) -> Vec<u8> {
    let mut bytes = Vec::from(HEAD);
    for chunk in body.as_bytes().chunks(size) {
        bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
        bytes.extend(chunk);
        bytes.extend(b"\r\n");
    }
    bytes
}

/// LT06, LT07: whatever the cuts, the same output.
#[tokio::test]
async fn any_chunks_and_any_writes() {
    for size in [1, 2, 3, 7, LINES.len()] {
        for drip in [false, true] {
            let mut bytes = chunked(LINES, size);
            bytes.extend(b"0\r\n\r\n");
            let server = Server::start(move |_| match drip {
                true => Reply::Drip(bytes.clone()),
                false => Reply::Bytes(bytes.clone()),
            });
            let stream = open(&server.await).await.unwrap();
            let (all, end) = drain(stream).await;
            assert_eq!(all, "a😀漢\nblast");
            assert_eq!(end, Ok(()));
        }
    }
}

#[tokio::test]
async fn a_broken_stream_is_no_end() {
    let whole = chunked(LINES, LINES.len());
    let short = answer("200 OK", "content-type: application/x-ndjson\r\n", LINES);
    let cuts = [
        whole.clone(),
        [&whole[..], b"0\r\n"].concat(),
        [&whole[..], b"5"].concat(),
        whole[..whole.len() - 9].to_vec(),
        short[..short.len() - 1].to_vec(),
    ];
    for cut in cuts {
        let stream = open(&Server::always(cut).await).await.unwrap();
        let (all, end) = drain(stream).await;
        assert_eq!(all, "a😀漢\nb", "what came whole is kept");
        let failure = end.unwrap_err();
        let expected = FailureKind::Network {
            fault: NetworkFault::Cut,
            sent: true,
        };
        assert_eq!(failure.kind, expected, "{failure:?}");
        let request = failure.request.as_raw();
        assert!(request.ends_with("/some/api/v2/sandboxes/sessions/sbx_1/cmd/cmd_1/logs"));
    }
}

/// Lines are handed out while the stream is open, not at its end.
#[tokio::test]
async fn output_comes_while_the_command_runs() {
    let line = "{\"stream\":\"stdout\",\"data\":\"now\"}\n{\"stream\"";
    let bytes = chunked(line, line.len());
    let server = Server::start(move |_| Reply::Stall(bytes.clone())).await;
    let mut stream = open(&server).await.unwrap();
    let objects = timeout(SOON, stream.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(objects.len(), 1);
}

#[tokio::test]
async fn the_content_type_is_compared_by_its_essence() {
    for (given, fine) in [
        ("application/x-ndjson", true),
        ("Application/X-NDJSON ; charset=utf-8", true),
        ("application/json", false),
        ("application/x-ndjsonp", false),
        ("", false),
    ] {
        let headers = format!("content-type: {given}\r\n");
        let server = Server::always(answer("200 OK", &headers, LINES)).await;
        match open(&server).await {
            Ok(_) => assert!(fine, "{given}"),
            Err(failure) => {
                assert!(!fine, "{given}");
                assert_eq!(failure.kind, FailureKind::Unreadable);
            }
        }
    }
}

#[tokio::test]
async fn a_session_that_is_gone_says_so() {
    let body = r#"{"error":{"code":"sandbox_stopped","message":"stopped"}}"#;
    let server = Server::always(answer("410 Gone", "", body)).await;
    let failure = open(&server).await.err().unwrap();
    assert_eq!(
        (failure.status(), failure.code()),
        (Some(410), Some("sandbox_stopped"))
    );
    assert_eq!(
        server.seen().len(),
        1,
        "a read never resumes and never asks again"
    );
}

#[tokio::test]
async fn a_wait_stream_ends_with_the_command() {
    let command = |code: &str| {
        format!(r#"{{"command":{{"id":"cmd_1","name":"sh","args":[],"exitCode":{code}}}}}"#)
    };
    let body = [
        &command("null"),
        r#"{"stream":"stdout","data":"hi"}"#,
        &command("137"),
    ];
    let server = Server::always(answer(
        "200 OK",
        "content-type: application/x-ndjson\r\n",
        &body.join("\n"),
    ))
    .await;
    let (client, session) = (server.client(), SessionId::new("s"));
    let run = RunCommand::default();
    let mut stream = client
        .run_command_waiting(&session, &run)
        .await
        .unwrap()
        .value;
    let mut codes = Vec::new();
    while let Some(objects) = stream.next().await.unwrap() {
        for object in objects {
            if let LogObject::Command(command) = object {
                codes.push(command.exit_code.map(|code| code.0));
            }
        }
    }
    assert_eq!(codes, [None, Some(137)]);
}
