//! Recordings of terminals: what is written can be read.

use crate::model::{Span, Timestamp};
use crate::text::cast::{Cast, CastEncoder, CastEvent};
use serde_json::{Value, json};

fn read(line: &str) -> Value {
    assert!(
        line.ends_with('\n') && line.lines().count() == 1,
        "{line:?}"
    );
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_recording_begins_with_its_size_and_time() {
    let (_, header) = CastEncoder::begin(101, 33, Timestamp(1_790_000_000_999));
    let header = read(&header);
    assert_eq!(header["version"], 2);
    assert_eq!(
        (&header["width"], &header["height"]),
        (&json!(101), &json!(33))
    );
    assert_eq!(header["timestamp"], 1_790_000_000);
}

#[test]
fn each_event_is_a_line_whatever_is_in_it() {
    let (mut encoder, _) = CastEncoder::begin(80, 24, Timestamp(0));
    let output = encoder
        .output(Span(61_007), b"\x1b[31m\"a\\\n\x00")
        .unwrap();
    assert_eq!(
        read(&output),
        json!([61.007, "o", "\u{1b}[31m\"a\\\n\u{0}"])
    );
    let resize = encoder.resize(Span(5), 90, 30);
    assert_eq!(read(&resize), json!([0.005, "r", "90x30"]));
}

#[test]
fn a_character_in_pieces_comes_out_whole() {
    let text = "aé☃🦀z";
    for at in 0..=text.len() {
        let (mut encoder, _) = CastEncoder::begin(80, 24, Timestamp(0));
        let (first, second) = text.as_bytes().split_at(at);
        let lines = [first, second].map(|piece| encoder.output(Span(0), piece));
        let parts = lines
            .into_iter()
            .flatten()
            .map(|line| read(&line)[2].clone());
        let whole: String = parts
            .map(|part| part.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(whole, text, "{at}");
    }
}

#[test]
fn what_is_no_text_is_replaced_and_does_not_wait() {
    let (mut encoder, _) = CastEncoder::begin(80, 24, Timestamp(0));
    for bytes in [&b"a\xff"[..], b"a\xed\xa0\x80", b"\x80\x80\x80\x80"] {
        let line = encoder.output(Span(0), bytes).unwrap();
        assert!(
            read(&line)[2].as_str().unwrap().contains('\u{fffd}'),
            "{bytes:?}"
        );
    }
    assert_eq!(encoder.output(Span(0), b"\xe2"), None);
    assert_eq!(
        read(&encoder.output(Span(0), b"x").unwrap())[2],
        "\u{fffd}x"
    );
    assert_eq!(encoder.output(Span(0), b""), None);
}

fn output(ms: i64, text: &str) -> (Span, CastEvent) {
    (Span(ms), CastEvent::Output(text.into()))
}

#[test]
fn what_was_written_is_read() {
    let (mut encoder, mut file) = CastEncoder::begin(80, 24, Timestamp(0));
    file += &encoder.output(Span(250), b"a\x1b[1m").unwrap();
    file += &encoder.resize(Span(1500), 90, 30);
    let resize = CastEvent::Resize {
        columns: 90,
        rows: 30,
    };
    let cast = Cast {
        columns: 80,
        rows: 24,
        events: vec![output(250, "a\u{1b}[1m"), (Span(1500), resize)],
        unread: 0,
    };
    assert_eq!(cast.length(), Span(1500));
    assert_eq!(Cast::read(file.as_bytes()), Ok(cast));
}

#[test]
fn both_versions_tell_the_same_in_their_own_way() {
    let two = br#"{"version":2,"width":10,"height":5,"idle_time_limit":2}
[0.5,"o","a"]
[1.0,"i","typed"]
[1.25,"o","b"]
[100,"o","c"]
[99,"o","d"]"#;
    let three = br#"{"version":3,"term":{"cols":10,"rows":5,"type":"xterm"},"idle_time_limit":2}
# a comment
[0.5,"o","a"]
[0.5,"m","marker"]
[0.25,"o","b"]

[98.75,"o","c"]
[0,"o","d"]
[0,"x","0"]"#;
    let wanted = [
        output(500, "a"),
        output(1250, "b"),
        output(3250, "c"),
        output(3250, "d"),
    ];
    for file in [&two[..], three] {
        let cast = Cast::read(file).unwrap();
        assert_eq!((cast.columns, cast.rows, cast.unread), (10, 5, 0));
        assert_eq!(cast.events, wanted);
    }
}

#[test]
fn what_is_no_recording_is_told() {
    for (file, why) in [
        ("", "header"),
        ("[1]", "version"),
        (r#"{"version":1,"width":80,"height":24}"#, "version"),
        (r#"{"version":2,"width":80}"#, "size"),
        (r#"{"version":2,"width":0,"height":24}"#, "size"),
        (r#"{"version":2,"width":80,"height":99999999}"#, "size"),
        (r#"{"version":3,"width":80,"height":24}"#, "size"),
    ] {
        let told = Cast::read(file.as_bytes()).unwrap_err();
        assert!(told.contains(why), "{file}: {told}");
    }
}

#[test]
fn damage_costs_no_more_than_its_line() {
    let mut file = br#"{"version":2,"width":80,"height":24}"#.to_vec();
    for line in [
        &b"\n[0.1,\"o\",\"a\"]"[..],
        b"\nnonsense",
        b"\n[]",
        b"\n[1]",
        b"\n[\"x\",\"o\",\"b\"]",
        b"\n[1e999,\"o\",\"b\"]",
        b"\n[1,\"o\",7]",
        b"\n[1,\"r\",\"0x5\"]",
        b"\n[1,\"r\",\"wide\"]",
        b"\n[1,\"?\",\"\"]",
        b"\n\xff\xfe",
        b"\n[-5,\"o\",\"c\"]",
        b"\n[1e300,\"o\",\"d\"]",
    ] {
        file.extend_from_slice(line);
    }
    let cast = Cast::read(&file).unwrap();
    assert_eq!(cast.unread, 10);
    let texts: Vec<&CastEvent> = cast.events.iter().map(|(_, what)| what).collect();
    let output = |text: &str| CastEvent::Output(text.into());
    assert_eq!(texts, [&output("a"), &output("c"), &output("d")]);
    assert!(cast.events.is_sorted_by_key(|(at, _)| *at));
    assert_eq!(cast.length(), Span(100_000_000_000));
}
