//! A service that is away, refuses, is slow, or answers nonsense.

use crate::program::Program;
use crate::service::{Reply, Service, now, open, running};
use crate::terminal::Terminal;
use serde_json::json;
use std::net::TcpListener;

const LIST: &str = "GET /v2/sandboxes?";

/// The activity view tells it too.
fn assert_told_in_activity(terminal: &mut Terminal, what: &str) {
    terminal.send("6");
    terminal.wait_for_text("Activity");
    terminal.wait_for_text(what);
    terminal.send("1");
    terminal.wait_for_text("Sandboxes");
}

#[test]
fn a_service_that_is_away_comes_back_without_a_key() {
    let program = Program::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut terminal = open(&program, address, 120, 30);
    terminal.wait_for_text("offline · retrying in");
    assert_told_in_activity(&mut terminal, "cannot connect");
    let service = Service::listen(TcpListener::bind(address).unwrap(), vec![running("alpha")]);
    terminal.wait_for_text("alpha");
    terminal.wait_for_text("live");
    assert!(service.asked(LIST) <= 3, "{}", service.asked(LIST));
}

/// AP03: the screen stays, one banner, and no restart.
#[test]
fn a_token_that_is_refused_for_a_while_costs_nothing_on_screen() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha"), running("beta")]);
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait_for_text("beta");
    let refused = || Reply::Json(401, json!({"error": {"code": "unauthorized"}}));
    service.always(refused);
    terminal.send("r");
    terminal.wait_for_text("not signed in · trying again in");
    for name in ["alpha", "beta"] {
        assert!(terminal.row_with(name).is_some(), "{}", terminal.screen());
    }
    assert_eq!(terminal.screen().matches("trying again in").count(), 1);
    assert_told_in_activity(&mut terminal, "401 not signed in");
    let asked = service.asked("GET ");
    service.set_rows(vec![running("alpha"), running("beta"), running("gamma")]);
    service.behave();
    terminal.send("r");
    terminal.wait_for_text("gamma");
    terminal.wait_without_text("not signed in");
    assert!(asked <= 20, "{asked} requests while it was refused");
}

/// AP01: whatever the header says, the wait is bounded, on the screen, and it ends.
#[test]
fn a_throttled_client_waits_and_comes_back_whatever_the_header_says() {
    std::thread::scope(|scope| {
        for header in [
            "retry-after: -3\r\n",
            "retry-after: 1.5\r\n",
            "retry-after: \r\n",
            "retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        ] {
            scope.spawn(move || throttled(header));
        }
    });
}

fn throttled(header: &'static str) {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    let mut times = 0;
    service.script(move |_| {
        times += 1;
        (times <= 2).then(|| Reply::With(429, header.to_owned(), json!({"error": {}})))
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait(&format!("the wait after {header:?}"), |terminal| {
        let screen = terminal.screen();
        screen.contains("retrying in") && screen.contains("429")
    });
    let asked = service.asked("");
    assert!(asked <= 3, "{header:?}: {asked} requests in the wait");
    terminal.wait_for_text("alpha");
}

/// AP14: a body that does not come blocks nothing else.
#[test]
fn keys_work_while_an_answer_is_slow() {
    let program = Program::new();
    let service = Service::start(Vec::new());
    service.script(|line| {
        let body = json!({"sandboxes": [running("late")], "pagination": {"count": 1}}).to_string();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
        let (first, rest) = body.split_at(9);
        line.starts_with(LIST)
            .then(|| Reply::Held((head + first).into_bytes(), rest.into()))
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait_for_text("Reading the list of sandboxes");
    terminal.send("?");
    terminal.wait_for_text("▸Keys");
    terminal.send("?");
    terminal.wait_without_text("▸Keys");
    assert_eq!(service.asked(LIST), 1, "one is enough");
    service.release();
    terminal.wait_for_text("late");
}

#[test]
fn an_answer_of_the_wrong_shape_is_told_and_what_was_known_stays() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    let mut terminal = service.open(&program, 160, 30);
    terminal.wait_for_text("alpha");
    service.script(|line| {
        line.starts_with(LIST)
            .then(|| Reply::Json(200, json!({"sandboxes": 7})))
    });
    terminal.send("r");
    terminal.wait_for_text("list sandboxes: the answer is not what");
    assert!(terminal.row_with("alpha").is_some());
    assert_told_in_activity(&mut terminal, "the answer is not what this call promises");
    service.behave();
    service.set_rows(vec![running("alpha"), running("beta")]);
    terminal.send("r");
    terminal.wait_for_text("beta");
    terminal.wait_without_text("the answer is not what");
    assert!(service.asked(LIST) < 20);
}

/// AP08: pages without end end.
#[test]
fn a_cursor_that_repeats_ends_the_reading_with_a_note() {
    let program = Program::new();
    let service = Service::start(Vec::new());
    service.script(|line| {
        let page = json!({
            "sandboxes": [running("alpha")], "pagination": {"count": 1, "next": "same"},
        });
        line.starts_with(LIST).then_some(Reply::Json(200, page))
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait_for_text("alpha");
    assert_told_in_activity(&mut terminal, "does not end");
    assert!(service.asked(LIST) <= 10, "{}", service.asked(LIST));
}

/// AP06, NT01, NT03: each row is drawn, whatever another one holds.
#[test]
fn odd_rows_cost_no_other_row() {
    let program = Program::new();
    let mut odd = running("odd-status");
    odd["status"] = json!("hibernating");
    let nulls = json!({
        "name": "nulls", "status": null, "tags": null, "createdAt": null, "expiresAt": null, "memory": null,
    });
    let mut huge = running("huge");
    for field in ["totalEgressBytes", "memory", "expiresAt", "createdAt"] {
        huge[field] = json!(9_223_372_036_854_771_712_i64);
    }
    let mut words = running("words");
    for field in ["memory", "vcpus", "expiresAt", "timeout"] {
        words[field] = json!("123");
    }
    let service = Service::start(vec![odd, nulls, huge, words, running("plain"), json!(7)]);
    let mut terminal = service.open(&program, 120, 30);
    for name in ["odd-status", "nulls", "huge", "words", "plain"] {
        terminal.wait_for_text(name);
    }
    let row = terminal.row_with("odd-status").unwrap();
    assert!(row.contains("hibernating"), "{row}");
    assert!(terminal.row_with("plain").unwrap().contains("29 m"));
    // Every pane of every one of them.
    for _ in 0..5 {
        terminal.send("j]]]");
    }
    terminal.send("?");
    terminal.wait_for_text("▸Keys");
}

/// NT01: time left follows the service's clock, not ours.
#[test]
fn another_clock_moves_no_deadline() {
    std::thread::scope(|scope| {
        for ahead in [600_000, -3 * 86_400_000] {
            scope.spawn(move || skewed(ahead));
        }
    });
}

fn skewed(ahead: i64) {
    let program = Program::new();
    let service = Service::start(Vec::new());
    // Told once: another time of creation would be another sandbox of that name.
    let began = now() + ahead;
    service.always(move || {
        let there = now() + ahead;
        let mut row = running("alpha");
        row["createdAt"] = json!(began - 121_000);
        row["expiresAt"] = json!(began + 299_000);
        let date = jiff::Timestamp::from_millisecond(there).unwrap();
        let date = date.strftime("date: %a, %d %b %Y %H:%M:%S GMT\r\n").to_string();
        let page = json!({
            "sandboxes": [row], "sandbox": row, "commands": [], "pagination": {"count": 1, "next": null},
        });
        Reply::With(200, date, page)
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait("four minutes left and two gone by", |terminal| {
        let row = terminal.row_with("▸ alpha").unwrap_or_default();
        row.contains("4 m") && row.contains(" 2 m")
    });
}
