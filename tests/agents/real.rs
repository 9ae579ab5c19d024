//! Recordings of real coding agents, where they are there: format, state, steps and totals as a careful reader has
//! them.

use sandtop::agents::{Figure, Outside, Piece, Process, Reader, Run, State, Stream, state};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn recordings() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agent-recordings");
    let named = std::env::var_os("SANDTOP_AGENT_RECORDINGS").map(PathBuf::from);
    named.or(Some(beside)).filter(|found| found.is_dir())
}

fn read(folder: &Path, name: &str) -> Reader {
    let mut reader = Reader::new();
    for (stream, ending) in [(Stream::Stdout, "stdout"), (Stream::Stderr, "stderr")] {
        let bytes = fs::read(folder.join(format!("{name}.{ending}"))).unwrap();
        reader.feed(Piece {
            stream,
            line: 0,
            arrived: None,
            bytes: &bytes,
        });
    }
    reader.end();
    reader
}

#[test]
fn real_recordings_are_read_as_expected() {
    let Some(folder) = recordings() else {
        eprintln!("skipped: no recordings of real agents beside the repository");
        return;
    };
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".meta.json").map(str::to_owned)
        })
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let only = std::env::var("ONLY").ok();
    let wrong: Vec<String> = names
        .iter()
        .filter(|name| {
            only.as_ref()
                .is_none_or(|only| name.contains(only.as_str()))
        })
        .flat_map(|name| compare(&folder, name))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn compare(folder: &Path, name: &str) -> Vec<String> {
    let meta = fs::read(folder.join(format!("{name}.meta.json"))).unwrap();
    let meta: Value = serde_json::from_slice(&meta).unwrap();
    let expected = &meta["expected"];
    let reader = read(folder, name);
    let run = reader.run();
    let process = match meta["exit_code"].as_i64() {
        Some(code) => Process::Exited(code),
        None => Process::Running,
    };
    let named = false;
    let stands = state(run, &Outside { process, named });
    let mut wrong = Vec::new();
    let mut hold = |what: &str, right: bool, seen: String| {
        if !right {
            wrong.push(format!("{name}: {what}: {seen}"));
        }
    };
    let format = run.format.unwrap().word();
    let wanted = expected["format"].as_str().unwrap();
    let is_accepted = expected["accept_states"]
        .as_array()
        .is_some_and(|states| states.iter().any(|state| state == stands.word()));
    hold(
        "format",
        wanted.split(' ').next() == Some(format),
        format.to_owned(),
    );
    hold(
        "state",
        expected["state"] == stands.word() || is_accepted,
        format!("{stands:?}"),
    );
    hold(
        "reason",
        has_reason(expected, &stands),
        format!("{stands:?}"),
    );
    for key in ["model", "version"] {
        let seen = if key == "model" {
            &run.model
        } else {
            &run.version
        };
        let seen = seen.as_ref().map(|seen| seen.as_raw());
        let wanted = expected[key].as_str();
        hold(key, wanted.is_none() || wanted == seen, format!("{seen:?}"));
    }
    wrong.extend(steps(name, expected, run));
    wrong.extend(totals(name, expected, run));
    wrong
}

fn has_reason(expected: &Value, stands: &State) -> bool {
    let words = |text: &str| -> Vec<String> {
        let parts = text.to_lowercase();
        let parts = parts
            .split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned);
        parts.filter(|word| !word.is_empty()).collect()
    };
    let Some(wanted) = expected["reason"].as_str() else {
        return true;
    };
    let seen = words(stands.reason().map_or("", |reason| reason.as_raw()));
    words(wanted).iter().all(|word| seen.contains(word))
}

/// Meaning, not wording: kind, tool, the beginning of the line, status, parent. Notices, thinking and what a person
/// said may be there or not.
fn steps(name: &str, expected: &Value, run: &Run) -> Vec<String> {
    const OPTIONAL: [&str; 4] = ["notice", "user", "thinking", "raw"];
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.take(40).collect()
    };
    let wanted: Vec<(String, String, String, String)> = expected["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| !OPTIONAL.contains(&step["kind"].as_str().unwrap()))
        .map(|step| {
            let text = |key: &str| step[key].as_str().unwrap_or("").to_owned();
            let what = format!("{} {}", text("kind"), text("tool"));
            (what, plain(&text("short")), text("status"), text("parent"))
        })
        .collect();
    let seen: Vec<(String, String, String, String)> = run
        .steps
        .iter()
        .filter(|step| !OPTIONAL.contains(&step.kind.word()))
        .map(|step| {
            let tool = step.tool.as_ref().map_or("", |tool| tool.as_raw());
            let parent = step.parent.as_ref().map_or("", |parent| parent.as_raw());
            let status = step.status.map_or("", |status| status.word());
            let what = format!("{} {tool}", step.kind.word());
            (
                what,
                plain(step.short.as_raw()),
                status.to_owned(),
                parent.to_owned(),
            )
        })
        .collect();
    let is_same = wanted.len() == seen.len()
        && wanted.iter().zip(&seen).all(|(wanted, seen)| {
            wanted.0 == seen.0
                && seen.1.starts_with(wanted.1.as_str())
                && (wanted.2.is_empty() || wanted.2 == seen.2)
                && wanted.3 == seen.3
        });
    match is_same {
        true => Vec::new(),
        false => vec![format!(
            "{name}: steps\n  wanted {wanted:?}\n  seen   {seen:?}"
        )],
    }
}

fn totals(name: &str, expected: &Value, run: &Run) -> Vec<String> {
    let (exact, bound) = match run.totals.output {
        Figure::Unknown => (None, None),
        Figure::AtLeast(n) => (None, Some(n)),
        Figure::Exactly(n) => (Some(n), None),
    };
    let figures = [
        ("input_tokens", run.totals.input),
        ("output_tokens", exact),
        ("output_tokens_at_least", bound),
        ("cache_read_tokens", run.totals.cache_read),
        ("cache_write_tokens", run.totals.cache_write),
        ("reasoning_tokens", run.totals.reasoning),
        ("total_tokens", run.totals.total),
        ("turns", run.totals.turns),
    ];
    let also: Vec<&Value> = match expected["totals_also_right"].as_object() {
        Some(others) => others.values().collect(),
        None => Vec::new(),
    };
    let is_right = |key: &str, seen: Option<u64>| {
        let optional = matches!(
            key,
            "cache_write_tokens" | "reasoning_tokens" | "total_tokens" | "turns"
        );
        let wanted = expected["totals"][key].as_u64();
        wanted == seen
            || also
                .iter()
                .any(|other| other[key].as_u64().is_some() && other[key].as_u64() == seen)
            || optional && (wanted.is_none() || seen.is_none())
    };
    let mut wrong: Vec<String> = figures
        .into_iter()
        .filter(|(key, seen)| !is_right(key, *seen))
        .map(|(key, seen)| {
            format!(
                "{name}: {key}: {seen:?}, wanted {}",
                expected["totals"][key]
            )
        })
        .collect();
    let cost = (run.totals.cost, expected["totals"]["cost_usd"].as_f64());
    let is_right = match cost {
        (None, None) => true,
        (Some(seen), Some(wanted)) => (seen - wanted).abs() < 1e-9,
        _ => false,
    };
    if !is_right {
        wrong.push(format!("{name}: cost: {cost:?}"));
    }
    wrong
}
