//! What a `config.toml` sets, and what is said of its faults.

use super::{Config, DEFAULT_CONFIG, Settings, Source, ThemeChoice, Times};
use crate::logic::notices::{Notices, Quiet, Sequence, Ways};
use crate::logic::{Column, Keymap, LogLimits, ShellOptions};
use crate::model::Span;

fn parse(text: &str) -> (Settings, Vec<String>) {
    let (settings, complaints) = Settings::parse("config.toml", text);
    let said = complaints
        .iter()
        .map(|complaint| complaint.sentence().as_str().to_owned());
    (settings, said.collect())
}

fn ways(set: impl FnOnce(&mut Ways)) -> Ways {
    let mut ways = Ways::default();
    set(&mut ways);
    ways
}

/// Settings and tables without their `# `; sentences stay comments.
fn uncommented(text: &str) -> String {
    let is_setting = |line: &&str| {
        line.starts_with('[')
            || line
                .split_once(" = ")
                .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    text.lines()
        .map(|line| line.strip_prefix("# ").filter(is_setting).unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_printed_file_sets_every_default() {
    let nothing = parse(DEFAULT_CONFIG);
    assert_eq!(nothing, (Settings::default(), Vec::new()));
    let all = uncommented(DEFAULT_CONFIG);
    assert_eq!(parse(&all), (Settings::default(), Vec::new()), "{all}");
    let rows = super::table::TABLE.len();
    let lines = all.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter(|line| line.contains(" = ")).count();
    assert_eq!(named, rows, "the file and the table name the same settings");
}

#[test]
fn every_setting_is_taken() {
    let text = "\u{feff}theme = 'light'\r\nmouse = false\r\nread_only = true\r\nundo = 0\r\ntimes = \"local\"\r\n\
                [list]\r\ncolumns = ['status', 'name']\r\nshare = 0x14\r\n[logs]\r\nwrap = false\r\nmemory = 8\r\nmemory_in_all = 16\r\nfile = 0\r\nstreams = 2\r\n\
                [shell]\r\nkeep_alive = true\r\nscrollback = 2\r\n[notices]\r\nwaiting = ['desktop']\r\nfailed = []\r\ndone = ['bell']\r\nrate_limited = ['terminal', 'app']\r\nlease = ['app']\r\nsequence = 'osc99'\r\nquiet = '22:30-7:00'\r\n[engine]\r\nidle_after = 90\r\n";
    let wanted = Settings {
        theme: ThemeChoice::Light,
        mouse: false,
        read_only: true,
        undo: Span(0),
        times: Times::Local,
        columns: vec![Column::Status, Column::Name],
        list_share: 20,
        wrap: false,
        idle_after: Span::minutes(90),
        notices: Notices {
            waiting: ways(|ways| ways.desktop = true),
            failed: Ways::default(),
            done: ways(|ways| ways.bell = true),
            rate_limited: ways(|ways| (ways.terminal, ways.app) = (true, true)),
            lease: ways(|ways| ways.app = true),
            sequence: Sequence::Osc99,
            quiet: Some(Quiet {
                from: 1350,
                to: 420,
            }),
        },
        logs: LogLimits {
            memory: 8 << 20,
            memory_in_all: 16 << 20,
            file: 0,
            streams: 2,
        },
        shells: ShellOptions {
            keep_alive: true,
            scrollback: 2 << 20,
        },
    };
    assert_eq!(parse(text), (wanted, Vec::new()));
}

/// A text, and all that is said of it; every value in it is wrong, so the defaults remain.
const WRONG: &[(&str, &[&str])] = &[
    ("", &[]),
    ("# nothing\n", &[]),
    (
        "thme = 'dark'",
        &["1:1: there is no setting `thme`; did you mean `theme`?"],
    ),
    ("frobnicate = 1", &["1:1: there is no setting `frobnicate`"]),
    (
        "\n\ntheme = 'drak'",
        &["3:9: this is one of \"auto\", \"dark\", \"light\", \"plain\"; did you mean `dark`?"],
    ),
    (
        "theme = 1",
        &["1:9: this is one of \"auto\", \"dark\", \"light\", \"plain\""],
    ),
    ("mouse = 'yes'", &["1:9: this is true or false, not a word"]),
    ("undo = 61", &["1:8: this is a whole number from 0 to 60"]),
    ("undo = -1", &["1:8: this is a whole number from 0 to 60"]),
    ("undo = 1.5", &["1:8: this is a whole number from 0 to 60"]),
    (
        "[lists]\nshare = 40",
        &["1:2: there is no table `lists`; did you mean `list`?"],
    ),
    (
        "[list]\nwrap = true",
        &["2:1: there is no setting `wrap` in `list`"],
    ),
    (
        "[engine]\nidle_after = 0",
        &["2:14: this is a whole number from 1 to 1440"],
    ),
    ("list = 40", &["1:8: `list` is a table: [list]"]),
    (
        "[list]\ncolumns = 'name'",
        &["2:11: this is a list of columns: [\"name\", \"status\"]"],
    ),
];

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_defaults_remain() {
    for (text, wanted) in WRONG {
        let wanted: Vec<String> = wanted
            .iter()
            .map(|said| format!("config.toml:{said}"))
            .collect();
        assert_eq!(parse(text), (Settings::default(), wanted), "{text:?}");
    }
}

#[test]
fn columns_that_are_none_are_left_out_and_the_name_stays() {
    let (settings, said) = parse("[list]\ncolumns = ['status', 'imge', 'cost', 'status', 7]");
    assert_eq!(
        settings.columns,
        [Column::Name, Column::Status, Column::Cost]
    );
    let wanted = [
        "2:11: `name` is missing: without it nobody sees what a key acts on",
        "2:22: there is no column `imge`; did you mean `image`?",
        "2:38: `status` stands here twice",
        "2:48: a column is a word in quotes, not a number",
    ];
    assert_eq!(said, wanted.map(|said| format!("config.toml:{said}")));
}

#[test]
fn around_a_fault_of_syntax_the_rest_applies() {
    let (settings, said) =
        parse("mouse = false\ntheme = light\nundo = 9\n[list]\nshare = 20%\n[logs]\nwrap = false");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].starts_with("config.toml:5:"), "{said:?}");
    assert!(said[0].starts_with("config.toml:2:9: "), "{said:?}");
    assert_eq!((settings.mouse, settings.undo), (false, Span::seconds(9)));
    assert_eq!(
        (settings.theme, settings.list_share),
        (ThemeChoice::Auto, 40)
    );
    assert!(!settings.wrap, "{said:?}");
}

#[test]
fn both_files_are_read_and_one_that_cannot_be_spoils_nothing() {
    let config = Source::Unreadable {
        file: "a/config.toml".to_owned(),
        why: "this is a directory".to_owned(),
    };
    let keys = Source::Text {
        file: "a/keys.toml".to_owned(),
        text: "sort = ['K', 'KK']".to_owned(),
    };
    let read = Config::read(&config, &keys);
    let said: Vec<_> = read
        .complaints
        .iter()
        .map(|complaint| complaint.sentence())
        .collect();
    assert_eq!(said[0].as_str(), "a/config.toml: this is a directory");
    assert!(said[1].as_str().starts_with("a/keys.toml:1:14: "));
    assert_eq!(read.settings, Settings::default());
    assert_ne!(read.keymap, Keymap::default());
    assert_eq!(
        Config::read(&Source::Missing, &Source::Missing),
        Config::default()
    );
}
