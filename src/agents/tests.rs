//! The reader over made-up streams: framing, detection, states, and every trap of the formats.

use super::*;

fn read(text: &str) -> Reader {
    let mut reader = Reader::new();
    feed(&mut reader, Stream::Stdout, text);
    reader
}

fn feed(reader: &mut Reader, stream: Stream, text: &str) {
    reader.feed(Piece {
        stream,
        line: 0,
        arrived: None,
        bytes: text.as_bytes(),
    });
}

#[test]
fn a_plain_log_is_no_agent() {
    let mut reader = read("building\nd");
    assert_eq!(reader.run().format, None);
    feed(&mut reader, Stream::Stdout, "one\n");
    reader.end();
    assert_eq!(reader.run().format, Some(Format::Plain));
    let lines: Vec<&str> = reader
        .run()
        .steps
        .iter()
        .map(|step| step.short.as_raw())
        .collect();
    assert_eq!(lines, ["building", "done"]);
}
