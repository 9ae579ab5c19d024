//! What comes over the wire, as it is seen: cuts, replays, errors, control bytes.

use super::Stage;
use crate::logic::{Action, StreamNews, TailState, tail};
use crate::model::StreamName::{Other, Stderr, Stdout};
use crate::model::{CommandKey, Failure, FailureKind, Foreign, LogObject, NetworkFault};
use crate::panes::testing::at;

fn cut() -> StreamNews {
    let kind = FailureKind::Network {
        fault: NetworkFault::Cut,
        sent: true,
    };
    StreamNews::Failed(Failure {
        call: "read logs",
        request: Foreign::from("GET /x"),
        kind,
        causes: Vec::new(),
    })
}

/// The whole log from its start, in pieces that end anywhere.
fn replay(stage: &mut Stage, key: &CommandKey, whole: &str) {
    let bytes = whole.as_bytes().chunks(777);
    for piece in bytes {
        stage
            .scene
            .prints(key, &Stdout, std::str::from_utf8(piece).unwrap());
    }
}

/// LT01, LT02: the stream is cut while the command runs; the next one replays from the start. Each line stands
/// there once, also the 50 that are alike.
#[test]
fn a_cut_stream_goes_on_where_it_was() {
    let (mut stage, key) = Stage::reading(80, 14);
    let mut lines: Vec<String> = (0..450).map(|n| format!("line {n}")).collect();
    lines.splice(200..200, std::iter::repeat_n("tick".to_owned(), 50));
    let mut whole = lines.join("\n") + "\n";
    replay(&mut stage, &key, &whole);
    stage.scene.news(&key, cut());
    stage.settle();
    assert!(
        stage.screen().contains("dropped · retrying in"),
        "{}",
        stage.screen()
    );
    assert!(stage.rows().last().unwrap().contains("line 449"));

    stage.scene.now = at(170);
    tail::settle(&mut stage.scene.world, Some(&key), stage.scene.now);
    stage.settle();
    assert!(stage.screen().contains("connecting"), "{}", stage.screen());
    stage.scene.news(&key, StreamNews::Opened);
    whole += "after\n";
    lines.push("after".to_owned());
    replay(&mut stage, &key, &whole);
    stage.place(80, 600);
    assert_eq!(stage.rows(), lines);
}

/// LT09: the service's own error, once, and the lines before it; unknown streams as text.
#[test]
fn an_error_in_the_stream_is_a_note() {
    let (mut stage, key) = Stage::reading(80, 24);
    stage.prints(&key, "one\ntwo\nthree\n");
    stage
        .scene
        .prints(&key, &Other("system".into()), "from elsewhere\n");
    stage.scene.prints(&key, &Stderr, "and this\n");
    let error = LogObject::Error {
        code: "stream_failed".into(),
        message: "backend gone".into(),
    };
    stage.scene.news(&key, StreamNews::Objects(vec![error]));
    stage.scene.news(&key, StreamNews::Ended);
    stage.settle();
    let screen = stage.screen();
    assert_eq!(screen.matches("backend gone").count(), 1, "{screen}");
    insta::assert_snapshot!("error_80x24", screen);
}

/// LR01.
#[test]
fn control_bytes_do_what_they_would_or_nothing() {
    let (mut stage, key) = Stage::reading(60, 24);
    let lines = [
        "a\tb",
        "col1\tcol22\tc",
        "x\u{1b}[2Jy",
        "\u{1b}[31mred",
        "\u{7}bell",
        "ab\u{8}\u{8}c",
        "v\u{b}t",
        "abc\rX",
    ];
    stage.prints(&key, &(lines.join("\n") + "\n"));
    let shown = [
        "a       b",
        "col1    col22   c",
        "xy",
        "red",
        "bell",
        "cb",
        "v t",
        "Xbc",
    ];
    assert_eq!(stage.rows(), shown);
    stage.buffer();
}

/// LR02: nothing of it reaches the terminal, and the hundred lines after it are there.
#[test]
fn sequences_for_the_terminal_go_whole() {
    let sequences = [
        "\u{1b}]52;c;aGk=\u{7}",
        "\u{1b}]0;t\u{7}",
        "\u{1b}]8;;http://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\",
        "\u{1b}P1$q\u{1b}\\",
        "\u{1b}_G\u{1b}\\",
        "\u{1b}c",
        "\u{9b}2J",
        "\u{9d}0;t\u{9c}",
        "\u{1b}]never ends",
    ];
    for sequence in sequences {
        let (mut stage, key) = Stage::reading(60, 120);
        let lines: Vec<String> = (0..100).map(|n| format!("line {n}")).collect();
        stage.prints(&key, &format!("{sequence}\n{}\n", lines.join("\n")));
        let rows = stage.rows();
        assert!(rows[0].is_empty() || rows[0] == "link", "{rows:?}");
        assert_eq!(rows[1..], lines);
        stage.buffer();
        stage.act(Action::Top);
        stage.buffer();
    }
}

/// An exit code that came late: the pane says what is asked, then how it ended.
#[test]
fn the_end_is_told_when_it_is_known() {
    let (mut stage, key) = Stage::reading(80, 14);
    stage.scene.news(&key, StreamNews::Ended);
    stage.settle();
    assert!(stage.screen().contains("ended · asking how"));
    assert!(stage.screen().contains("No output yet."));
    stage.scene.world.tails.get_mut(&key).unwrap().follow.state = TailState::Ended { exit: 1 };
    stage.settle();
    assert!(stage.screen().contains("ended · exit 1"));
    assert!(stage.screen().contains("It printed nothing."));
}
