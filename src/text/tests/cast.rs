//! Recordings of terminals: what is written can be read.

use crate::model::{Span, Timestamp};
use crate::text::cast::CastEncoder;
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
