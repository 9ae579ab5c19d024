//! What lines say of their own gravity.

use crate::model::StreamName;
use crate::text::{Level, LogStore};
use Level::{Debug, Error, Fatal, Info, Trace, Unknown, Warn};

const LINES: &[(&str, Level)] = &[
    // JSON
    (r#"{"level":"error","msg":"no"}"#, Error),
    (r#"{"time":1,"severity" : "WARNING"}"#, Warn),
    (r#"{"level":50,"msg":"pino"}"#, Error),
    (r#"{"level":30}"#, Info),
    (r#"{"version":"1.1","level":3}"#, Error),
    (r#"{"msg":"ERROR in a text"}"#, Unknown),
    (r#"{"msg":"\"level\":\"error\""}"#, Unknown),
    ("{", Unknown),
    // logfmt
    ("time=2026-01-01T00:00:00Z level=warn msg=\"slow\"", Warn),
    ("ts=1 lvl=dbug msg=x", Debug),
    ("level=\"error\" msg=x", Error),
    ("level= msg=ERROR", Error),
    // words
    ("2026-01-01 00:00:00,123 ERROR root: no", Error),
    ("[ERROR] no", Error),
    ("[warn] slow", Warn),
    ("<info> up", Info),
    ("12:00:00.1 [main] DEBUG com.example.Main - x", Debug),
    ("\u{1b}[2m12:00\u{1b}[0m \u{1b}[31mERROR\u{1b}[0m no", Error),
    ("\u{1b}[1m\u{1b}[31merror\u{1b}[0m\u{1b}[1m: no", Error),
    ("TRACE x", Trace),
    ("CRITICAL:root:no", Fatal),
    ("   WARN  slow", Warn),
    ("INF started", Info),
    // compilers, npm
    ("error: could not compile `x`", Error),
    ("error[E0308]: mismatched types", Error),
    ("warning: unused variable", Warn),
    ("main.c:3:5: error: expected ;", Error),
    ("npm ERR! code 1", Error),
    ("npm error code 1", Error),
    ("npm warn deprecated", Warn),
    ("fatal: not a git repository", Fatal),
    // what fails
    ("Traceback (most recent call last):", Error),
    ("ValueError: no", Error),
    ("java.lang.NullPointerException: no", Error),
    ("thread 'main' panicked at src/main.rs:1:1:", Error),
    ("panic: runtime error: index out of range", Fatal),
    ("TypeError: x is not a function", Error),
    // syslog, klog
    ("<11>Jan  1 00:00:00 host app: no", Error),
    ("<30>Jan  1 00:00:00 host app: up", Info),
    ("E0102 15:04:05.678 1 main.go:3] no", Error),
    ("W0102 15:04:05.678 1 main.go:3] slow", Warn),
    // what only looks so
    ("0 errors found", Unknown),
    ("an error in a sentence", Unknown),
    ("Error", Unknown),
    ("errors: 0", Unknown),
    ("terror: no", Unknown),
    ("ERROR_COUNT=0", Unknown),
    ("E01 is a name", Unknown),
    ("<html>", Unknown),
    ("<1234>", Unknown),
    ("", Unknown),
    ("\u{1b}[", Unknown),
    ("漢字 ERROR", Error),
];

#[test]
fn levels_are_known_by_their_usual_forms() {
    for (line, level) in LINES {
        let mut store = LogStore::new(1 << 20);
        store.push(&StreamName::Stdout, line, None);
        let guess = |store: &LogStore| store.get(0).line().map(|line| line.level);
        if !line.is_empty() {
            assert_eq!(guess(&store), Some(*level), "open: {line}");
        }
        store.push(&StreamName::Stdout, "\n", None);
        assert_eq!(guess(&store), Some(*level), "{line}");
    }
}

#[test]
fn late_lines_and_notes_have_theirs() {
    let mut store = LogStore::new(1 << 20);
    store.push(&StreamName::Stdout, "ERR", None);
    store.push(&StreamName::Stderr, "INFO up\n", None);
    store.push(&StreamName::Stdout, "OR no\n", None);
    store.note(&"ERROR of ours".into());
    let levels: Vec<_> = (0..3)
        .filter_map(|n| store.get(n).line())
        .map(|line| line.level)
        .collect();
    assert_eq!(levels, [Error, Info, Unknown]);
}
