//! A log of JSON objects, read by choice.

use crate::agents::{Format, Kind, Piece, Reader, Stream};
use crate::model::Timestamp;

#[test]
fn levels_messages_and_times_are_found() {
    let log = r#"{"level":"info","msg":"up","ts":1790000000}
{"severity":"ERROR","error":{"message":"no disk"},"time":1790000000000}
{"level":40,"message":"hot","time":"2026-05-04T08:00:00Z"}
{"colour":"red"}
not json
"#;
    let mut reader = Reader::forced(Format::JsonLines);
    reader.feed(Piece {
        stream: Stream::Stdout,
        line: 0,
        arrived: None,
        bytes: log.as_bytes(),
    });
    reader.end();
    let steps = reader.run().steps.iter();
    let steps: Vec<(Kind, &str, Option<Timestamp>)> = steps
        .map(|step| (step.kind, step.short.as_raw(), step.at))
        .collect();
    assert_eq!(
        steps,
        [
            // Seconds are not taken for milliseconds.
            (Kind::Raw, "info: up", None),
            (
                Kind::Error,
                "ERROR: no disk",
                Some(Timestamp(1_790_000_000_000))
            ),
            (Kind::Notice, "40: hot", Some(Timestamp(1_777_881_600_000))),
            (Kind::Raw, r#"{"colour":"red"}"#, None),
            (Kind::Raw, "not json", None),
        ]
    );
}
