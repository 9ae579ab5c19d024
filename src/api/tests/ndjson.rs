//! The stream of a command, cut, damaged and overlong.

use crate::api::Decoder;
use crate::model::{LogObject, StreamName};
use proptest::prelude::*;

/// The longest line that is read.
const LONGEST: usize = 16 << 20;

fn decode(cuts: &[&[u8]]) -> Vec<LogObject> {
    let mut decoder = Decoder::default();
    let mut objects: Vec<LogObject> = cuts.iter().flat_map(|cut| decoder.feed(cut)).collect();
    objects.extend(decoder.finish());
    objects
}

fn out(data: &str) -> LogObject {
    LogObject::Piece {
        stream: StreamName::Stdout,
        data: data.to_owned(),
    }
}

const BODY: &str = concat!(
    r#"{"command":{"id":"cmd_1","name":"sh","args":[],"exitCode":null}}"#,
    "\r\n\n",
    r#"{"stream":"stdout","data":"é漢😀\n"}"#,
    "\n \n",
    r#"{"stream":"stdout","data":"\ud83d"}"#,
    "\n",
    r#"{"stream":"stderr","data":"between"}"#,
    "\n",
    r#"{"stream":"stdout","data":"\ude00!"}"#,
    "\nnonsense\n",
    r#"{"stream":"error","data":{"code":"c","message":"m"}}"#,
);

fn expected() -> Vec<LogObject> {
    let command = serde_json::from_str(r#"{"id":"cmd_1","name":"sh","args":[]}"#).unwrap();
    vec![
        LogObject::Command(Box::new(command)),
        out("é漢😀\n"),
        LogObject::Piece {
            stream: StreamName::Stderr,
            data: "between".into(),
        },
        out("😀!"),
        LogObject::Unreadable("nonsense".into()),
        LogObject::Error {
            code: "c".into(),
            message: "m".into(),
        },
    ]
}

#[test]
fn every_cut_gives_the_same_objects() {
    let body = BODY.as_bytes();
    for at in 0..=body.len() {
        let (head, tail) = body.split_at(at);
        assert_eq!(decode(&[head, tail]), expected(), "cut at {at}");
    }
    let bytes: Vec<&[u8]> = body.chunks(1).collect();
    assert_eq!(decode(&bytes), expected());
}

proptest! {
    #[test]
    fn any_cuts_give_the_same_objects(mut cuts in prop::collection::vec(0..BODY.len(), 0..12)) {
        cuts.sort_unstable();
        let mut pieces: Vec<&[u8]> = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&BODY.as_bytes()[from..cut]);
            from = cut;
        }
        pieces.push(&BODY.as_bytes()[from..]);
        prop_assert_eq!(decode(&pieces), expected());
    }

    /// Any text, escaped as UTF-16 units and cut into pieces between any two of them, comes out whole.
    #[test]
    fn text_cut_inside_characters_is_joined(text in "[a-z\u{e9}\u{6f22}\u{1f600}\u{10ffff}]{0,12}", every in 1..4usize) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut body = String::new();
        for piece in units.chunks(every) {
            let escaped: String = piece.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            body.push_str(&format!("{{\"stream\":\"stdout\",\"data\":\"{escaped}\"}}\n"));
        }
        let got: String = decode(&[body.as_bytes()]).iter().map(|object| match object {
            LogObject::Piece { data, .. } => data.as_str(),
            other => panic!("{other:?}"),
        }).collect();
        prop_assert_eq!(got, text);
    }

    #[test]
    fn nothing_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        decode(&[&bytes]);
    }
}

#[test]
fn half_a_character_that_stays_alone_is_replaced() {
    let line = |data: &str| format!("{{\"stream\":\"stdout\",\"data\":\"{data}\"}}\n");
    let told = |lines: &[&str]| {
        let body: String = lines.iter().map(|data| line(data)).collect();
        let objects = decode(&[body.as_bytes()]);
        let data = objects.into_iter().map(|object| match object {
            LogObject::Piece { data, .. } => data,
            other => panic!("{other:?}"),
        });
        data.collect::<Vec<_>>()
    };
    assert_eq!(told(&[r"a\ud83d"]), ["a", "\u{fffd}"]);
    assert_eq!(told(&[r"a\ud83d", "b"]), ["a", "\u{fffd}b"]);
    assert_eq!(told(&[r"\ude00b"]), ["\u{fffd}b"]);
    assert_eq!(told(&[r"\ud83d", "", r"\ude00"]), ["😀"]);
    assert_eq!(told(&[r"x\ud83dy"]), ["x\u{fffd}y"]);
    assert_eq!(told(&[r"\ud83d\ud83d", r"\ude00"]), ["\u{fffd}", "😀"]);
}

#[test]
fn bytes_that_are_no_text_cost_nothing_else() {
    let objects = decode(&[b"{\"stream\":\"stdout\",\"data\":\"a\xffb\"}\n"]);
    assert_eq!(objects, [out("a\u{fffd}b")]);
}

/// LT09: an error object in every shape, and a stream nobody has heard of.
#[test]
fn errors_and_unknown_streams_are_told() {
    let error = |code: &str, message: &str| LogObject::Error {
        code: code.into(),
        message: message.into(),
    };
    for (line, object) in [
        (
            r#"{"stream":"error","data":{"code":"stream_failed","message":"backend gone"}}"#,
            error("stream_failed", "backend gone"),
        ),
        (r#"{"stream":"error"}"#, error("", "")),
        (r#"{"stream":"error","data":"gone"}"#, error("", "gone")),
        (
            r#"{"stream":"error","data":"\ud83d"}"#,
            error("", "\u{fffd}"),
        ),
        (
            r#"{"stream":"error","data":{"code":7,"message":null}}"#,
            error("", ""),
        ),
        (
            r#"{"stream":"system","data":"note","more":[1]}"#,
            LogObject::Piece {
                stream: StreamName::Other("system".into()),
                data: "note".into(),
            },
        ),
        (
            r#"{"stream":"stdout","data":7}"#,
            LogObject::Unreadable(r#"{"stream":"stdout","data":7}"#.into()),
        ),
        (
            r#"{"command":7}"#,
            LogObject::Unreadable(r#"{"command":7}"#.into()),
        ),
        ("[1,", LogObject::Unreadable("[1,".into())),
        ("null", LogObject::Unreadable("null".into())),
    ] {
        let body = format!("{line}\n{}\n", r#"{"stream":"stdout","data":"after"}"#);
        assert_eq!(decode(&[body.as_bytes()]), [object, out("after")], "{line}");
    }
}

#[test]
fn a_line_of_16_mib_is_read_and_a_longer_one_left_out() {
    let frame = r#"{"stream":"stdout","data":""}"#.len();
    let line = |length: usize| {
        let data = "x".repeat(length - frame);
        format!("{{\"stream\":\"stdout\",\"data\":\"{data}\"}}\n")
    };
    for cut in [1 << 20, usize::MAX] {
        let body = line(LONGEST) + &line(LONGEST + 1) + &line(100);
        let cuts: Vec<&[u8]> = body.as_bytes().chunks(cut).collect();
        let objects = decode(&cuts);
        assert_eq!(objects.len(), 3);
        assert_eq!(objects[0], out(&"x".repeat(LONGEST - frame)));
        match &objects[1] {
            LogObject::Unreadable(why) => assert!(why.as_raw().contains("16777217 bytes")),
            other => panic!("{:?}", other.clone()),
        }
        assert_eq!(objects[2], out(&"x".repeat(100 - frame)));
    }
}
