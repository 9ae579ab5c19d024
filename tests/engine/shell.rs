//! Interactive shells: who gets in, what goes over the websocket, and when it ends.

use super::bench::{Api, Bench, reply, until};
use super::caller::{Caller, dial, invitation, script, start_with};
use futures_util::StreamExt;
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn a_running_session_gives_an_address_and_a_token() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let (url, token) = invitation(api, &session).await;
    let host = bench.engine.url.strip_prefix("http://").unwrap();
    let host = host.strip_suffix("/api").unwrap();
    assert!(
        url.starts_with(&format!("ws://{host}/")) && !url.contains('?'),
        "{url}"
    );
    assert!(token.len() >= 32, "{token}");
    let path = |id: &str| format!("/sessions/{id}/interactive");
    let unknown = api.post(&path("sbx_x"), &json!({})).await;
    assert_eq!(unknown.error().0, 404);
    api.post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
    let stopped = api.post(&path(&session), &json!({})).await;
    assert_eq!(stopped.error(), (410, "sandbox_stopped"));
    assert_eq!(dial(&url, &token, &[]).await.err(), Some(410));
}

#[tokio::test]
async fn a_token_opens_one_shell_and_only_soon() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let (url, token) = invitation(api, &session).await;
    for wrong in ["", "wrong", super::bench::TOKEN] {
        assert_eq!(dial(&url, wrong, &[]).await.err(), Some(401), "{wrong:?}");
    }
    // What is no websocket does not use it up.
    let root = Api::new(bench.engine.url.strip_suffix("/api").unwrap());
    let path = format!("//ws/interactive?token={token}");
    let plain = reply(root.bare(Method::GET, &path)).await;
    assert_eq!(plain.error(), (400, "bad_request"));
    assert!(dial(&url, &token, &[]).await.is_ok());
    assert_eq!(dial(&url, &token, &[]).await.err(), Some(401));
    let (url, token) = invitation(api, &session).await;
    bench.advance(60_000);
    assert_eq!(dial(&url, &token, &[]).await.err(), Some(401));
}

#[tokio::test]
async fn web_pages_and_foreign_names_get_no_shell_and_no_health() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let root = Api::new(bench.engine.url.strip_suffix("/api").unwrap());
    let health = || root.bare(Method::GET, "//health");
    assert_eq!(health().send().await.unwrap().status(), 200);
    for header in [("origin", "http://127.0.0.1"), ("host", "example.com")] {
        let (url, token) = invitation(&bench.api, &session).await;
        assert_eq!(dial(&url, &token, &[header]).await.err(), Some(403));
        let refused = reply(health().header(header.0, header.1)).await;
        assert_eq!(refused.error().0, 403);
    }
}

#[tokio::test]
async fn the_start_frame_says_program_place_variables_and_size() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let made = json!({"name": "box", "env": {"BOX": "box", "BOTH": "box"}});
    let session = super::bench::session_of(&api.create(&made).await);
    let print = "test -t 0 && test -t 1 && test -t 2 && echo tty; stty size; \
                 echo $TERM $BOX $BOTH $TWICE; pwd; echo \"$1\"; exit 7";
    let start = json!({
        "type": "start", "command": "sh", "args": ["-c", print, "sh", "☃ "], "cwd": "/", "cols": 101, "rows": 33,
        "env": ["BOTH=start", "TWICE=1", "TWICE=2=2", "TERM=dumb"],
    });
    let mut caller = start_with(api, &session, &start).await;
    let (output, code) = caller.ends().await;
    assert_eq!(output, "tty\n33 101\ndumb box start 2=2\n/\n☃ \n");
    assert_eq!(code, 7);

    let bare = "stty size; echo $TERM; pwd";
    let start = json!({"type": "start", "command": "sh", "args": ["-c", bare]});
    let (output, code) = start_with(api, &session, &start).await.ends().await;
    let cwd = api.get(&format!("/sessions/{session}")).await.ok()["session"]["cwd"].clone();
    let wanted = format!("24 80\nxterm-256color\n{}\n", cwd.as_str().unwrap());
    assert_eq!((output, code), (wanted, 0));

    let commands = api.get(&format!("/sessions/{session}/cmd")).await.ok();
    assert_eq!(commands, json!({"commands": []}));
}

#[tokio::test]
async fn keys_and_sizes_reach_the_program_and_unknown_words_do_not_matter() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let ask =
        "trap 'stty size' WINCH; echo ready; read a; echo \"<$a>\"; while :; do sleep 0.02; done";
    let mut caller = script(&bench.api, &session, ask).await;
    caller.sees("ready").await;
    for words in [
        json!({"type": "new", "cols": 1}),
        json!({"type": "resize", "cols": "wide", "rows": 3}),
        json!([1]),
    ] {
        caller.say(&words).await;
    }
    caller.send(Message::Text("no JSON".into())).await;
    caller.type_in("a ☃ b\r").await;
    caller.sees("<a ☃ b>").await;
    caller
        .say(&json!({"type": "resize", "cols": 120, "rows": 40}))
        .await;
    caller.sees("40 120").await;
    caller.type_in("\x03").await;
    assert_eq!(caller.ends().await.1, 130);
}

#[tokio::test]
async fn who_does_not_keep_to_the_protocol_is_refused() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let first = [
        Message::Binary("ls\r".into()),
        Message::Text("ls".into()),
        Message::Text(r#"{"type":"resize","cols":1,"rows":1}"#.into()),
        Message::Text(r#"{"type":"start","command":"sh","env":{"A":"1"}}"#.into()),
    ];
    for (frame, named) in first.into_iter().zip(["start", "JSON", "type", "env"]) {
        let (url, token) = invitation(&bench.api, &session).await;
        let mut caller = dial(&url, &token, &[]).await.unwrap();
        caller.send(frame).await;
        let reason = caller.is_refused().await;
        assert!(reason.contains(named), "{reason}");
    }
    let mut caller = script(&bench.api, &session, "echo pid=$$.; exec sleep 1000").await;
    caller.sees(".").await;
    caller.say(&json!({"type": "start", "command": "sh"})).await;
    assert!(caller.is_refused().await.contains("already"));
    is_gone(pid(&caller)).await;
}

#[tokio::test]
async fn what_cannot_be_started_says_why_and_ends_as_in_a_shell() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let cases = [
        (
            json!({"type": "start", "command": "no-such-program"}),
            "no-such-program",
            127,
        ),
        (
            json!({"type": "start", "command": "sh", "cwd": "/no/such"}),
            "/no/such",
            126,
        ),
        (json!({"type": "start", "command": "/"}), "/", 126),
    ];
    for (start, named, code) in cases {
        let (output, exit) = start_with(&bench.api, &session, &start).await.ends().await;
        assert!(output.contains(named), "{output}");
        assert_eq!(exit, code, "{start}");
    }
}

#[tokio::test]
async fn several_shells_at_once_do_not_mix() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let mut callers = Vec::new();
    for number in 0..4 {
        let ask = format!("read x; echo {number}:$x");
        callers.push(script(&bench.api, &session, &ask).await);
    }
    for (number, caller) in callers.iter_mut().enumerate().rev() {
        caller.type_in(&format!("n{number}\r")).await;
    }
    for (number, caller) in callers.iter_mut().enumerate() {
        let (output, code) = caller.ends().await;
        assert_eq!(
            (output.lines().last(), code),
            (Some(format!("{number}:n{number}").as_str()), 0)
        );
    }
}

#[tokio::test]
async fn a_caller_that_hangs_up_takes_the_program_along() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    for politely in [true, false] {
        let mut caller = script(&bench.api, &session, "echo pid=$$.; exec sleep 1000").await;
        caller.sees(".").await;
        let pid = pid(&caller);
        if politely {
            caller.socket.close(None).await.unwrap();
            while caller.take().await {}
        }
        drop(caller);
        is_gone(pid).await;
    }
}

#[tokio::test]
async fn a_shell_ends_with_its_session() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let mut waits = dial_only(&bench.api, &session).await;
    // One that a request to end does not impress.
    let mut caller = script(
        &bench.api,
        &session,
        "trap '' TERM; echo pid=$$.; while :; do sleep 1; done",
    )
    .await;
    caller.sees(".").await;
    let pid = pid(&caller);
    bench
        .api
        .post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
    assert_eq!(caller.ends().await.1, 129);
    is_gone(pid).await;
    assert_eq!(waits.ends().await, (String::new(), 137));
}

#[tokio::test]
async fn a_shell_is_told_of_the_engines_end() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let mut caller = script(&bench.api, &session, "echo ready; exec sleep 1000").await;
    caller.sees("ready").await;
    let (_, (_, code)) = tokio::join!(bench.engine.shutdown(), caller.ends());
    assert_eq!(code, 129);
}

#[tokio::test]
async fn a_caller_that_answers_no_ping_is_hung_up_on() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let long = json!({"name": "box", "timeout": super::bench::DAY});
    let session = super::bench::session_of(&api.create(&long).await);
    let print = "echo pid=$$.; while read x; do echo got $x.; done";
    let mut lives = script(api, &session, print).await;
    lives.sees(".").await;
    let mut dead = script(api, &session, print).await;
    dead.sees(".").await;
    // From here on `dead` is not read, so it answers nothing.
    for round in 0..8 {
        let before = lives.pings;
        bench.advance(15_000);
        while lives.pings == before {
            assert!(lives.take().await);
        }
        // Its answer to the ping goes before this, so it was heard.
        lives.type_in(&format!("r{round}\r")).await;
        lives.sees(&format!("got r{round}.")).await;
    }
    is_gone(pid(&dead)).await;
    assert!(is_there(pid(&lives)));
}

#[tokio::test]
async fn a_program_waits_for_a_caller_that_does_not_read() {
    const ALL: usize = 64 << 20;
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let print = format!("stty -opost; echo pid=$$.; exec head -c {ALL} /dev/zero");
    let mut caller = script(&bench.api, &session, &print).await;
    caller.sees(".").await;
    let pid = pid(&caller);
    let written = || {
        let io = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
        let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
        line.unwrap().parse::<usize>().unwrap()
    };
    let held = settled(written).await;
    assert!(held < ALL / 2, "{held} bytes lie somewhere");
    let (_, code) = caller.ends().await;
    let zeroes = caller.output.iter().filter(|byte| **byte == 0).count();
    assert_eq!((zeroes, code), (ALL, 0));
}

#[tokio::test]
async fn a_caller_waits_for_a_program_that_does_not_read() {
    const ALL: usize = 48 << 20;
    const PIECE: usize = 64 << 10;
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let go = bench.dir.path().join("go");
    let ask = format!(
        "stty raw -echo; echo ready; while ! test -e {}; do sleep 0.02; done; head -c {ALL} | wc -c",
        go.display()
    );
    let mut caller = script(&bench.api, &session, &ask).await;
    caller.sees("ready").await;
    let (sink, mut source) = caller.socket.split();
    let sent = Arc::new(AtomicUsize::new(0));
    let sending = tokio::spawn(send_all(sink, Arc::clone(&sent), ALL / PIECE, PIECE));
    let taken = settled(|| sent.load(Ordering::Relaxed)).await;
    assert!(taken < ALL / 2, "{taken} bytes lie somewhere");
    std::fs::write(go, "").unwrap();
    let mut output = String::new();
    while let Some(Ok(frame)) = source.next().await {
        if let Message::Binary(bytes) = frame {
            output.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    assert_eq!(output.trim(), ALL.to_string());
    drop(sending);
}

async fn send_all(
    mut sink: impl futures_util::Sink<Message> + Unpin,
    sent: Arc<AtomicUsize>,
    pieces: usize,
    piece: usize,
) {
    use futures_util::SinkExt;
    for _ in 0..pieces {
        if sink
            .send(Message::Binary(vec![b'x'; piece].into()))
            .await
            .is_err()
        {
            return;
        }
        sent.fetch_add(piece, Ordering::Relaxed);
    }
}

/// A figure that has stopped growing.
async fn settled(figure: impl Fn() -> usize) -> usize {
    let mut before = 0;
    until(
        "the end of the growth",
        async || {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let now = figure();
            let still = now > 0 && now == before;
            before = now;
            still.then_some(now)
        },
        Option::is_some,
    )
    .await
    .unwrap()
}

async fn dial_only(api: &Api, session: &str) -> Caller {
    let (url, token) = invitation(api, session).await;
    dial(&url, &token, &[]).await.unwrap()
}

/// From an output with `pid=….` in it.
fn pid(caller: &Caller) -> u32 {
    let text = caller.text();
    let number = text
        .split_once("pid=")
        .unwrap()
        .1
        .split_once('.')
        .unwrap()
        .0;
    number.parse().unwrap()
}

fn is_there(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

async fn is_gone(pid: u32) {
    until(
        "the end of the program",
        async || is_there(pid),
        |there| !there,
    )
    .await;
}
