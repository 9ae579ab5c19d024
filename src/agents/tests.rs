//! The reader over made-up streams: framing, detection, and the table of states.

use super::*;
use crate::model::{Foreign, Span, Timestamp};

pub(super) fn read(text: &str) -> Reader {
    let mut reader = Reader::new();
    feed(&mut reader, Stream::Stdout, text);
    reader
}

pub(super) fn feed(reader: &mut Reader, stream: Stream, text: &str) {
    reader.feed(Piece {
        stream,
        line: 0,
        arrived: None,
        bytes: text.as_bytes(),
    });
}

/// Kind and one line of each step.
pub(super) fn steps(reader: &Reader) -> Vec<(&'static str, &str)> {
    let steps = reader.run().steps.iter();
    steps
        .map(|step| (step.kind.word(), step.short.as_raw()))
        .collect()
}

const INIT: &str =
    r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"claude_code_version":"9"}"#;

fn says(words: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":"{words}"}}]}},"session_id":"s"}}"#
    )
}

#[test]
fn a_plain_log_is_no_agent() {
    let mut reader = read("building\nd");
    assert_eq!(reader.run().format, None);
    feed(&mut reader, Stream::Stdout, "one\n");
    reader.end();
    assert_eq!(reader.run().format, Some(Format::Plain));
    assert_eq!(steps(&reader), [("raw", "building"), ("raw", "done")]);
}

#[test]
fn banners_blanks_colours_and_marks_may_stand_before() {
    let log = format!(
        "npm warn\n\n+ claude\n\u{feff} \u{1b}[0m{INIT}\r\n{}\n",
        says("Hm.")
    );
    let reader = read(&log);
    assert_eq!(reader.run().format, Some(Format::Claude));
    assert_eq!(
        steps(&reader),
        [("raw", "npm warn"), ("raw", "+ claude"), ("text", "Hm.")]
    );
}

#[test]
fn after_fifty_lines_it_is_plain_for_good() {
    let mut log = "line\n".repeat(50);
    log.push_str(INIT);
    log.push('\n');
    assert_eq!(read(&log).run().format, Some(Format::Plain));
    let log = format!("{}{INIT}\n", "line\n".repeat(49));
    assert_eq!(read(&log).run().format, Some(Format::Claude));
}

#[test]
fn standard_error_and_strings_decide_nothing() {
    let mut reader = Reader::new();
    feed(&mut reader, Stream::Stderr, &format!("{INIT}\n"));
    assert_eq!(reader.run().format, None);
    assert_eq!(steps(&reader), []);
    // An agent that reads another one's log.
    let inner = INIT.replace('"', "\\\"");
    let codex = r#"{"type":"thread.started","thread_id":"t"}"#;
    let log = format!(
        "{codex}\n{{\"type\":\"item.completed\",\"item\":{{\"id\":\"i\",\"type\":\"agent_message\",\"text\":\"{inner}\"}}}}\n"
    );
    feed(&mut reader, Stream::Stdout, &log);
    assert_eq!(reader.run().format, Some(Format::Codex));
}

#[test]
fn another_agent_may_follow_in_the_same_log() {
    let thread = r#"{"type":"thread.started","thread_id":"t"}"#;
    let reader = read(&format!("{INIT}\n{}\n{thread}\n", says("Hm.")));
    let run = reader.run();
    assert_eq!(
        (run.format, run.version.as_ref()),
        (Some(Format::Codex), None)
    );
    assert_eq!(run.sections.len(), 2);
    // Its own lines never make it another one.
    let retry = r#"{"type":"init","model":"m","session_id":"x"}"#;
    let reader = read(&format!("{INIT}\n{}\n{INIT}\n", says("Hm.")));
    assert_eq!(reader.run().format, Some(Format::Claude));
    let reader = read(&format!("{INIT}\n{retry}\n"));
    assert_eq!(reader.run().format, Some(Format::Gemini));
}

#[test]
fn a_format_can_be_forced() {
    let mut reader = Reader::forced(Format::Claude);
    feed(&mut reader, Stream::Stdout, &format!("{}\n", says("Hm.")));
    assert_eq!(steps(&reader), [("text", "Hm.")]);
    let mut reader = Reader::forced(Format::Plain);
    feed(&mut reader, Stream::Stdout, &format!("{INIT}\n"));
    assert_eq!(reader.run().format, Some(Format::Plain));
}

#[test]
fn a_line_that_is_no_json_is_kept_as_it_is_and_reading_goes_on() {
    let cut = &says("lost")[..60];
    let log = format!(
        "{INIT}\n{cut}\n[SandboxDebug] x\nnot json\n{}\n",
        says("Hm.")
    );
    let reader = read(&log);
    assert_eq!(
        steps(&reader),
        [
            ("raw", cut),
            ("raw", "[SandboxDebug] x"),
            ("raw", "not json"),
            ("text", "Hm.")
        ]
    );
}

#[test]
fn a_broken_object_before_the_first_whole_one_swallows_nothing() {
    let log = format!("{{\"half\": 1,\n{INIT}\n{}\n", says("Hm."));
    let reader = read(&log);
    assert_eq!(steps(&reader), [("raw", "{\"half\": 1,"), ("text", "Hm.")]);
}

#[test]
fn an_object_over_many_lines_is_one() {
    let pretty = "{\n  \"type\": \"result\",\n  \"subtype\": \"success\",\n  \"more\": [\n    {},\n    {\"a\": 1}\n  ],\n  \"result\": \"Hm.\"\n}\nbye\n";
    let reader = read(&format!("banner\n{pretty}"));
    assert_eq!(reader.run().format, Some(Format::ClaudeJson));
    assert_eq!(
        steps(&reader),
        [("raw", "banner"), ("text", "Hm."), ("raw", "bye")]
    );
    assert_eq!(reader.run().phase, Phase::Done);
}

#[test]
fn a_line_that_broke_off_does_not_go_on() {
    let mut reader = read(&format!("{INIT}\n{}", &says("lost")[..40]));
    reader.break_off();
    feed(&mut reader, Stream::Stdout, &format!("{}\n", says("Hm.")));
    assert_eq!(
        steps(&reader),
        [("raw", &says("lost")[..40]), ("text", "Hm.")]
    );
}

#[test]
fn one_object_that_is_cut_still_tells_what_it_was() {
    let cut = r#"{"type":"result","subtype":"success","is_error":false,"result":"half of a sen"#;
    let mut reader = read(cut);
    reader.end();
    assert_eq!(reader.run().format, Some(Format::ClaudeJson));
    assert_eq!(steps(&reader), [("raw", cut)]);
    let outside = Outside {
        process: Process::Exited(0),
        named: false,
    };
    assert_eq!(state(reader.run(), &outside).word(), "ended-without-result");
}

#[test]
fn the_last_words_are_those_that_say_why() {
    let words = |stdout: &str, stderr: &str| -> Option<String> {
        let mut reader = read(stdout);
        feed(&mut reader, Stream::Stderr, stderr);
        reader.end();
        reader
            .run()
            .last_words()
            .map(|words| words.as_raw().to_owned())
    };
    let trace = "TypeError: no fetch\n    at run (x.js:1:2)\n\nNode.js v24.1.0\n";
    assert_eq!(words("", trace).as_deref(), Some("TypeError: no fetch"));
    assert_eq!(words("", "one\ntwo\n").as_deref(), Some("two"));
    assert_eq!(words("No login\n", "").as_deref(), Some("No login"));
    assert_eq!(words("", ""), None);
}

/// Screenshots stand twice in their line.
#[test]
fn lines_of_many_megabytes_are_read_and_kept_small() {
    for megabytes in [1, 8, 20] {
        let data = "QUJD".repeat(megabytes * 125_000);
        let log = format!(
            r#"{INIT}
{{"type":"assistant","message":{{"id":"m","content":[{{"type":"tool_use","id":"t","name":"Read","input":{{"file_path":"a.png"}}}}]}}}}
{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}]}}]}},"tool_use_result":{{"base64":"{data}"}}}}
{}
"#,
            says("Noise.")
        );
        let reader = read(&log);
        assert_eq!(steps(&reader), [("tool", "a.png"), ("text", "Noise.")]);
        let Body::Tool(tool) = &reader.run().steps[0].body else {
            panic!("no tool")
        };
        let kilobytes = megabytes * 375;
        assert_eq!(tool.output.as_raw(), format!("[image/png {kilobytes} kB]"));
    }
}

#[test]
fn a_line_beyond_all_measure_is_told_by_its_size() {
    let mut reader = read(&format!("{INIT}\n"));
    let megabyte = "x".repeat(1 << 20);
    for _ in 0..40 {
        feed(&mut reader, Stream::Stdout, &megabyte);
    }
    feed(&mut reader, Stream::Stdout, &format!("\n{}\n", says("Hm.")));
    assert_eq!(
        steps(&reader),
        [("raw", "[a line of 41943 kB]"), ("text", "Hm.")]
    );
}

#[test]
fn bodies_stay_within_their_budget_and_lines_stay() {
    let mut reader = read(&format!("{INIT}\n"));
    let words = "word ".repeat(12_000);
    for _ in 0..600 {
        feed(&mut reader, Stream::Stdout, &format!("{}\n", says(&words)));
    }
    let run = reader.run();
    assert_eq!(run.steps.len(), 600);
    assert_eq!(run.steps[0].body, Body::LetGo);
    assert!(matches!(run.steps[599].body, Body::Text { .. }));
    let held: usize = run.steps.iter().map(|step| step.body.held()).sum();
    assert!(held <= 16 << 20, "{held}");
    assert!(run.steps.iter().all(|step| !step.short.is_empty()));
}

#[test]
fn what_changed_is_told_by_revision() {
    let mut reader = read(&format!("{INIT}\n"));
    let call = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}"#;
    feed(
        &mut reader,
        Stream::Stdout,
        &format!("{}\n{call}\n{}\n", says("a"), says("b")),
    );
    let revision = reader.revision();
    assert_eq!(reader.changed_since(revision), 3);
    let result = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#;
    feed(
        &mut reader,
        Stream::Stdout,
        &format!("{result}\n{}\n", says("c")),
    );
    assert_eq!(reader.changed_since(revision), 1);
    assert_eq!(reader.changed_since(0), 0);
}

#[test]
fn lines_are_those_of_the_log() {
    let mut reader = Reader::new();
    for (line, text) in [
        (10, INIT),
        (10, "\n"),
        (11, &says("Hm.")[..20]),
        (11, &says("Hm.")[20..]),
        (11, "\n"),
    ] {
        reader.feed(Piece {
            stream: Stream::Stdout,
            line,
            arrived: Some(Timestamp(5)),
            bytes: text.as_bytes(),
        });
    }
    let step = &reader.run().steps[0];
    assert_eq!((step.lines.clone(), step.at), (11..=11, Some(Timestamp(5))));
}

/// Format, phase, process, whether the command line names an agent; state and reason.
type Row = (
    Option<Format>,
    Phase,
    Process,
    bool,
    &'static str,
    &'static str,
);

#[rustfmt::skip]
fn table() -> Vec<Row> {
    use Process::{Exited, Lost, Running};
    use Phase::{Answered, Broken, Done, Failed, RateLimited, Silent, Started, Waiting, Working};
    let (plain, claude) = (Some(Format::Plain), Some(Format::Claude));
    let why = || Foreign::from("why");
    vec![
        (None, Silent, Running, false, "starting", ""),
        (None, Silent, Exited(0), false, "not-an-agent", ""),
        (plain, Silent, Running, false, "not-an-agent", ""),
        (Some(Format::JsonLines), Silent, Exited(0), false, "not-an-agent", ""),
        (plain, Silent, Running, true, "running", ""),
        (plain, Silent, Exited(0), true, "done", ""),
        (plain, Silent, Exited(41), true, "failed", "exit 41: no login"),
        (plain, Silent, Lost, true, "ended-without-result", "its session has ended"),
        (claude, Silent, Running, false, "starting", ""),
        (claude, Started, Running, false, "starting", ""),
        (claude, Started, Exited(0), false, "ended-without-result", "exit 0 without a result"),
        (claude, Working, Running, false, "running", ""),
        (claude, Working, Exited(0), false, "ended-without-result", "exit 0 without a result"),
        (claude, Working, Exited(137), false, "ended-without-result", "exit 137: no login"),
        (claude, Working, Lost, false, "ended-without-result", "its session has ended"),
        (claude, Waiting(why()), Running, false, "waiting", "why"),
        (claude, Waiting(why()), Exited(143), false, "ended-without-result", "exit 143: no login"),
        (claude, RateLimited(None), Running, false, "rate-limited", ""),
        (claude, RateLimited(None), Exited(1), false, "ended-without-result", "exit 1: no login"),
        (claude, Answered, Running, false, "running", ""),
        (claude, Answered, Exited(0), false, "done", ""),
        (claude, Answered, Exited(1), false, "ended-without-result", "exit 1: no login"),
        (claude, Done, Running, false, "done", ""),
        (claude, Done, Exited(0), false, "done", ""),
        (claude, Done, Lost, false, "done", ""),
        (claude, Done, Exited(3), false, "failed", "exit 3 after a good result"),
        (claude, Failed(why()), Running, false, "failed", "why"),
        (claude, Failed(why()), Exited(0), false, "failed", "why"),
        (claude, Failed(why()), Lost, false, "failed", "why"),
        (claude, Broken(why()), Running, false, "running", ""),
        (claude, Broken(why()), Exited(0), false, "ended-without-result", "why"),
    ]
}

#[test]
fn the_table_of_states() {
    for (format, phase, process, named, word, reason) in table() {
        let told = format!("{format:?} {phase:?} {process:?} {named}");
        let run = Run {
            format,
            phase,
            complaints: vec!["no login".into()],
            ..Run::default()
        };
        let state = state(&run, &Outside { process, named });
        assert_eq!(state.word(), word, "{told}");
        assert_eq!(state.reason().map_or("", Foreign::as_raw), reason, "{told}");
    }
}

#[test]
fn silence_is_a_hint_where_output_is_expected() {
    let working = State::Working {
        on: None,
        since: None,
    };
    assert_eq!(
        silent_for(&working, Span::minutes(5)),
        Some(Span::minutes(5))
    );
    assert_eq!(silent_for(&working, Span::seconds(20)), None);
    assert_eq!(
        silent_for(&State::Waiting("x".into()), Span::minutes(5)),
        None
    );
    assert_eq!(silent_for(&State::Done, Span::minutes(5)), None);
}
