//! Shells against a service that behaves as the test says.

mod fake;

use super::*;
use crate::logic::{Mono, Typed};
use crate::model::{Failure, SessionId, Timestamp};
use bytes::Bytes;
use fake::{Fake, Manners, Socket};
use futures_util::{SinkExt, StreamExt};
use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

const SOON: Duration = Duration::from_secs(60);
const ID: ShellId = ShellId(1);

/// The executor before that service, with clocks that are set by hand.
struct Rig {
    shells: Shells,
    news: mpsc::Receiver<Event>,
    time: Arc<Mutex<Now>>,
}

fn rig(fake: &Fake) -> Rig {
    let (to_news, news) = mpsc::channel(8);
    let start = Now {
        mono: Mono(0),
        wall: Timestamp(1_790_000_000_000),
    };
    let time = Arc::new(Mutex::new(start));
    let shown = Arc::clone(&time);
    let shells = Shells::with(Desk {
        link: Link::to(fake.client.clone()),
        news: to_news,
        now: Arc::new(move || *shown.lock().unwrap()),
        tick: Duration::from_millis(2),
    });
    Rig { shells, news, time }
}

fn start() -> ShellStart {
    ShellStart {
        session: SessionId::new("sbx_1"),
        command: Some("bash".into()),
        args: vec!["-l".into()],
        env: vec![("A".into(), "1".into())],
        cwd: Some("/tmp".into()),
        sudo: false,
        columns: 101,
        rows: 33,
    }
}

impl Rig {
    fn open(&mut self) {
        let order = ShellOrder::Open(Box::new(start()));
        self.shells.carry_out(ID, order);
    }

    fn type_in(&mut self, bytes: impl Into<Vec<u8>>) {
        let order = ShellOrder::Input(Typed(bytes.into()));
        self.shells.carry_out(ID, order);
    }

    async fn event(&mut self) -> Event {
        let event = timeout(SOON, self.news.recv()).await;
        event.expect("no news").unwrap()
    }

    async fn next(&mut self) -> ShellNews {
        match self.event().await {
            Event::Shell(id, news) => {
                assert_eq!(id, ID);
                news
            }
            other => panic!("{other:?}"),
        }
    }

    async fn opened(&mut self) {
        self.open();
        for wanted in [ShellNews::Asked, ShellNews::Healthy, ShellNews::Open] {
            assert_eq!(self.next().await, wanted);
        }
    }

    async fn failure(&mut self) -> Failure {
        loop {
            match self.next().await {
                ShellNews::Failed(failure) => return failure,
                ShellNews::Asked => {}
                other => panic!("{other:?}"),
            }
        }
    }

    async fn lost(&mut self) -> (String, u64) {
        loop {
            match self.next().await {
                ShellNews::Lost { why, unsent } => return (why.as_raw().to_owned(), unsent),
                ShellNews::Output(_) | ShellNews::Answered => {}
                other => panic!("{other:?}"),
            }
        }
    }

    fn sleep(&self, mono: u64, wall: i64) {
        let mut time = self.time.lock().unwrap();
        time.mono.0 += mono;
        time.wall.0 += wall;
    }
}

async fn frame(socket: &mut Socket) -> Message {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Ping(_) | Message::Pong(_) => {}
            frame => return frame,
        }
    }
}

async fn close(mut socket: Socket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code: code.into(),
        reason: reason.into(),
    };
    let _ = socket.close(Some(frame)).await;
    while let Some(Ok(_)) = socket.next().await {}
}

async fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    assert!(timeout(SOON, waiting).await.is_ok(), "never: {what}");
}

#[tokio::test]
async fn a_shell_is_started_fed_sized_and_ends_with_its_code() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        let start = frame(&mut socket).await.into_text().unwrap();
        socket.send(Message::text(start)).await.unwrap();
        assert_eq!(frame(&mut socket).await, Message::binary("ls\r"));
        let size = frame(&mut socket).await.into_text().unwrap();
        socket.send(Message::binary(size)).await.unwrap();
        let exit = r#"{"type":"exit","code":7}"#;
        socket.send(Message::text(exit)).await.unwrap();
        close(socket, 1000, "").await;
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    rig.opened().await;
    // A frame of JSON of a kind that nobody knows is passed over; the start frame is one.
    rig.type_in("ls\r");
    wait_for("the input is sent", || {
        rig.shells.open[&ID].queue.room.available_permits() == MOST_INPUT
    })
    .await;
    for columns in [70, 80, 90] {
        let order = ShellOrder::Resize { columns, rows: 25 };
        rig.shells.carry_out(ID, order);
    }
    let last = Bytes::from(r#"{"type":"resize","cols":90,"rows":25}"#);
    assert_eq!(rig.next().await, ShellNews::Output(last));
    assert_eq!(rig.next().await, ShellNews::Exited(Some(7)));
    assert_eq!(rig.next().await, ShellNews::Closed);
    assert_eq!(
        fake.seen(),
        [
            "POST /v2/sandboxes/sessions/sbx_1/interactive HTTP/1.1",
            "GET /health HTTP/1.1",
            "GET /ws?token=a+b%26c HTTP/1.1",
        ]
    );
}

#[tokio::test]
async fn refusals_are_told_and_nothing_is_connected() {
    for status in [401, 404, 410, 422, 500] {
        let manners = Manners {
            invite: status,
            ..Manners::default()
        };
        let fake = Fake::start(manners, async |_| {}).await;
        let mut rig = rig(&fake);
        rig.open();
        assert_eq!(rig.failure().await.status(), Some(status));
        assert_eq!(fake.seen().len(), 1, "once, and no websocket");
    }
}

#[tokio::test]
async fn its_server_may_take_a_moment_to_be_healthy_but_not_for_ever() {
    for (ill, connects) in [(2, true), (99, false)] {
        let manners = Manners {
            ill,
            ..Manners::default()
        };
        let fake = Fake::start(
            manners,
            async |mut socket| while socket.next().await.is_some() {},
        )
        .await;
        let mut rig = rig(&fake);
        if connects {
            rig.opened().await;
            continue;
        }
        rig.open();
        let failure = rig.failure().await;
        assert_eq!(
            (failure.call, failure.status()),
            ("check the shell's server", Some(503))
        );
        let looks = fake
            .seen()
            .iter()
            .filter(|line| line.contains("/health"))
            .count();
        assert_eq!(looks, 6);
    }
}

#[tokio::test]
async fn a_close_that_is_no_ordinary_one_is_a_loss_with_its_reason() {
    let fake = Fake::start(Manners::default(), |socket| close(socket, 1011, "no pty")).await;
    let mut rig = rig(&fake);
    rig.opened().await;
    let (why, unsent) = rig.lost().await;
    assert!(why.contains("1011") && why.contains("no pty"), "{why}");
    assert_eq!(unsent, 0);
}

#[tokio::test]
async fn a_reset_is_a_loss_and_tells_what_may_not_have_arrived() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        frame(&mut socket).await;
        frame(&mut socket).await;
        rustix::net::sockopt::set_socket_linger(socket.get_ref(), Some(Duration::ZERO)).unwrap();
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    rig.opened().await;
    rig.type_in("passwd\r");
    let (why, unsent) = rig.lost().await;
    assert!(!why.is_empty());
    assert_eq!(unsent, 7, "nothing proves that it was read");
}

#[tokio::test]
async fn what_a_ping_proved_is_not_told_as_lost() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        frame(&mut socket).await;
        while frame(&mut socket).await != Message::binary("end") {}
        close(socket, 1001, "").await;
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    rig.opened().await;
    rig.type_in("echo\r");
    assert_eq!(rig.next().await, ShellNews::Answered);
    rig.type_in("end");
    assert!(rig.lost().await.1 <= 3);
}

#[tokio::test]
async fn a_socket_gone_silent_is_lost_after_a_while_and_sooner_after_a_sleep() {
    for asleep in [0, 3_600_000] {
        // Never reads, so it answers no ping.
        let fake = Fake::start(Manners::default(), async |_socket| {
            std::future::pending::<()>().await;
        })
        .await;
        let mut rig = rig(&fake);
        rig.opened().await;
        rig.type_in("secret");
        rig.sleep(1000, asleep + 1000);
        let mut seconds = 0;
        let (_, unsent) = loop {
            rig.sleep(1000, 1000);
            seconds += 1;
            if let Ok(lost) = timeout(Duration::from_millis(20), rig.lost()).await {
                break lost;
            }
            assert!(seconds < 1000, "it is never lost");
        };
        assert_eq!(unsent, 6);
    }
}

#[tokio::test]
async fn a_flood_waits_on_the_wire_and_comes_whole() {
    const ALL: usize = 8 << 20;
    let fake = Fake::start(Manners::default(), async |mut socket| {
        frame(&mut socket).await;
        for number in 0..ALL / 4096 {
            let piece = vec![number as u8; 4096];
            socket.send(Message::binary(piece)).await.unwrap();
        }
        close(socket, 1000, "").await;
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    rig.opened().await;
    let mut held = Vec::new();
    let mut size = 0;
    while let Ok(news) = timeout(Duration::from_millis(300), rig.next()).await {
        let ShellNews::Output(bytes) = news else {
            panic!("{news:?}")
        };
        size += bytes.len();
        held.push(bytes);
    }
    assert!(size > 0 && size <= 256 << 10, "{size} bytes are held");
    let mut all: Vec<u8> = held.drain(..).flatten().collect();
    loop {
        match rig.next().await {
            ShellNews::Output(bytes) => all.extend_from_slice(&bytes),
            news => break assert_eq!(news, ShellNews::Closed),
        }
    }
    assert_eq!(all.len(), ALL);
    assert!(
        all.iter()
            .enumerate()
            .all(|(at, byte)| *byte == (at / 4096) as u8)
    );
}

#[tokio::test]
async fn a_large_paste_arrives_in_order() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        frame(&mut socket).await;
        let mut all = Vec::new();
        while !all.ends_with(b"end") {
            all.extend(frame(&mut socket).await.into_data());
        }
        socket.send(Message::binary(all)).await.unwrap();
        close(socket, 1000, "").await;
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    rig.opened().await;
    let mut paste: Vec<u8> = (0..1_000_000_u32).map(|n| (n * 7 % 251) as u8).collect();
    rig.type_in("a");
    rig.type_in(paste.clone());
    rig.type_in("end");
    paste.insert(0, b'a');
    paste.extend_from_slice(b"end");
    let mut back = Vec::new();
    while back.len() < paste.len() {
        match rig.next().await {
            ShellNews::Output(bytes) => back.extend_from_slice(&bytes),
            ShellNews::Answered => {}
            news => panic!("{news:?}"),
        }
    }
    assert!(back == paste);
}

#[tokio::test]
async fn input_that_nobody_takes_is_refused_aloud_and_closing_is_still_possible() {
    let fake = Fake::start(Manners::default(), async |_socket| {
        std::future::pending::<()>().await;
    })
    .await;
    let mut rig = rig(&fake);
    rig.opened().await;
    for _ in 0..40 {
        rig.type_in(vec![b'x'; 1 << 20]);
    }
    let told = loop {
        match rig.event().await {
            Event::Told(told) => break told,
            Event::Shell(..) => {}
            event => panic!("{event:?}"),
        }
    };
    assert!(matches!(
        told,
        Told::Failed {
            what: "type it in",
            ..
        }
    ));
    timeout(SOON, rig.shells.close(ID)).await.unwrap();
}

#[tokio::test]
async fn twenty_shells_that_were_closed_leave_nothing() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
    })
    .await;
    let mut rig = rig(&fake);
    for round in 0..20 {
        if round % 2 == 0 {
            rig.opened().await;
        } else {
            // Closed on the way.
            rig.open();
            assert_eq!(rig.next().await, ShellNews::Asked);
        }
        rig.shells.close(ID).await;
        while rig.news.try_recv().is_ok() {}
    }
    assert!(rig.shells.open.is_empty());
    wait_for("no socket is left", || {
        fake.sockets.load(Ordering::SeqCst) == 0
    })
    .await;
    let tasks = tokio::runtime::Handle::current().metrics();
    // But the fake's own.
    wait_for("no task is left", || tasks.num_alive_tasks() <= 1).await;
}

#[tokio::test]
async fn a_recording_is_private_new_and_whole_when_the_shell_is_over() {
    let fake = Fake::start(Manners::default(), async |mut socket| {
        frame(&mut socket).await;
        frame(&mut socket).await;
        let bytes = "☃\r\n".as_bytes();
        socket
            .send(Message::binary(bytes[..2].to_vec()))
            .await
            .unwrap();
        socket
            .send(Message::binary(bytes[2..].to_vec()))
            .await
            .unwrap();
        close(socket, 1000, "").await;
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.cast");
    rig.opened().await;
    rig.shells
        .carry_out(ID, ShellOrder::Record(Some(path.clone())));
    let there = ShellNews::Recording(path.display().to_string().into());
    assert_eq!(rig.next().await, there);
    rig.shells.carry_out(
        ID,
        ShellOrder::Resize {
            columns: 90,
            rows: 30,
        },
    );
    loop {
        match rig.next().await {
            ShellNews::Closed => break,
            ShellNews::Output(_) => {}
            news => assert_eq!(news, ShellNews::RecordingEnded(None)),
        }
    }
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let cast = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> = cast
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&lines[0]["width"], &lines[0]["height"]),
        (&101.into(), &33.into())
    );
    assert_eq!(lines[1][2], "90x30");
    let output: String = lines[2..]
        .iter()
        .map(|line| line[2].as_str().unwrap())
        .collect();
    assert_eq!(output, "☃\r\n");
}

#[tokio::test]
async fn a_file_that_is_there_is_not_recorded_over() {
    let manners = Manners::default();
    let fake = Fake::start(manners, async |mut socket| {
        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
    });
    let fake = fake.await;
    let mut rig = rig(&fake);
    let file = tempfile::NamedTempFile::new().unwrap();
    rig.opened().await;
    let order = ShellOrder::Record(Some(file.path().to_owned()));
    rig.shells.carry_out(ID, order);
    let ShellNews::RecordingEnded(Some(why)) = rig.next().await else {
        panic!("the file is overwritten");
    };
    assert!(why.as_raw().contains("exists"), "{why:?}");
    assert_eq!(std::fs::read(file.path()).unwrap(), b"");
}
