//! What leaves the program: nothing that a terminal acts on, or every byte that came.

use crate::model::StreamName::{self, Stderr, Stdout};
use crate::model::Timestamp;
use crate::text::{Form, LogStore, say};
use proptest::prelude::*;

fn written(store: &LogStore, form: Form) -> String {
    let mut out = String::new();
    for number in store.first()..store.end() {
        form.put(&store.get(number).line().unwrap(), None, &mut out);
    }
    out
}

fn told(pieces: &[(StreamName, &str)]) -> LogStore {
    let mut store = LogStore::new(1 << 26);
    for (stream, data) in pieces {
        store.push(stream, data, None);
    }
    store
}

#[test]
fn plain_text_is_what_is_read_with_its_tabs() {
    let table = [
        ("a\tb\n", "a\tb\n"),
        ("\u{1b}[31mred\u{1b}[0m\tcell\n", "red\tcell\n"),
        ("\u{1b}]52;c;aGk=\u{7}x\u{1b}]0;\ttitle\u{7}y\n", "xy\n"),
        ("\r 1%\r 2%\r100%\n", "100%\n"),
        ("abc\rX\tY\n", "Xbc     Y\n"),
        ("trailing  \r\n", "trailing  \n"),
        ("漢字\t\u{202e}é\n", "漢字\t\u{fffd}é\n"),
        ("no break", "no break\n"),
        ("\n\n", "\n\n"),
    ];
    for (raw, wanted) in table {
        assert_eq!(
            written(&told(&[(Stdout, raw)]), Form::Plain),
            wanted,
            "{raw:?}"
        );
    }
}

/// A screen of that width would take gigabytes.
#[test]
fn a_line_of_megabytes_is_written_as_it_was_left() {
    let bar: String = (0..200_000)
        .map(|n| format!("\r\u{1b}[32m{n:6}\u{1b}[m"))
        .collect();
    assert_eq!(written(&told(&[(Stdout, &bar)]), Form::Plain), "199999\n");
    let wide = "é".repeat(2 << 20);
    assert_eq!(
        written(&told(&[(Stdout, &wide)]), Form::Plain).len(),
        wide.len() + 1
    );
}

#[test]
fn objects_tell_time_stream_and_every_byte_and_what_is_ours() {
    let mut store = told(&[(Stdout, "replayed\r\n")]);
    store.push(&Stderr, "\u{1b}[1mnow", Some(Timestamp(1_790_000_000_123)));
    store.end_open_lines();
    store.note(&say(format_args!("reconnected")));
    let objects: Vec<serde_json::Value> = written(&store, Form::Jsonl)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        objects,
        [
            serde_json::json!({"time": null, "stream": "stdout", "text": "replayed\r\n"}),
            serde_json::json!({"time": "2026-09-21T14:13:20.123Z", "stream": "stderr", "text": "\u{1b}[1mnow"}),
            serde_json::json!({"time": null, "note": "reconnected"}),
        ]
    );
    assert_eq!(written(&store, Form::Plain), "replayed\nnow\n");
}

#[test]
fn a_files_name_tells_its_form() {
    let table = [
        ("a.log", Form::Plain),
        ("a", Form::Plain),
        ("b.ansi", Form::Ansi),
        ("c.x.jsonl", Form::Jsonl),
        ("jsonl", Form::Plain),
    ];
    for (name, wanted) in table {
        assert_eq!(Form::of_name(name), wanted, "{name}");
    }
}

proptest! {
    /// Export gives back the input bytes, however they were cut, and line by line in each stream's order.
    #[test]
    fn what_came_in_goes_out(pieces in prop::collection::vec((0..3_usize, "[ab\u{e9}\u{1b}\\[\r\n\t\u{0}]{0,12}"), 0..40)) {
        let streams = [Stdout, Stderr, StreamName::from_word("third")];
        let mut store = LogStore::new(1 << 20);
        for (stream, data) in &pieces {
            store.push(&streams[*stream], data, None);
        }
        for (at, stream) in streams.iter().enumerate() {
            let came: String = pieces.iter().filter(|piece| piece.0 == at).map(|piece| piece.1.as_str()).collect();
            let (mut went, mut objects) = (String::new(), String::new());
            for number in store.first()..store.end() {
                let line = store.get(number).line().unwrap();
                if line.stream == Some(stream) {
                    Form::Ansi.put(&line, None, &mut went);
                    let mut object = String::new();
                    Form::Jsonl.put(&line, None, &mut object);
                    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
                    objects.push_str(object["text"].as_str().unwrap());
                }
            }
            prop_assert_eq!(&went, &came);
            prop_assert_eq!(&objects, &came);
        }
    }

    /// Only breaks and tabs are left of what a terminal would act on.
    #[test]
    fn plain_text_is_harmless(data in "[ab\u{e9}\u{1b}\\[\\]0-9;m\r\n\t\u{7}\u{8}\u{9b}\u{9d}\u{202e}]{0,60}") {
        let text = written(&told(&[(Stdout, &data)]), Form::Plain);
        let bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
        prop_assert!(!text.contains(bad), "{:?}", text);
    }
}
