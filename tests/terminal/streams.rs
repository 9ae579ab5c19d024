//! What real programs and hand-written sequences print, against the screens that xterm.js and tmux showed.

use super::{terminal, text, without_blank_end};
use sandtop::term::{Colour, Emulator, Heard, Size, Style, Underline};
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Case {
    name: String,
    steps: Vec<Step>,
    /// What xterm.js sent back, hexadecimal.
    replies: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    /// Hexadecimal.
    Feed(String),
    /// Columns, rows.
    Resize((u16, u16)),
    Expect(Expect),
}

/// Either is right where the two differ.
#[derive(Deserialize)]
struct Expect {
    xterm: Seen,
    tmux_text: Option<Vec<String>>,
    tmux_cursor: Option<(u16, u16)>,
}

#[derive(Deserialize)]
struct Seen {
    rows: Vec<SeenRow>,
    cursor: (u16, u16),
}

/// Trailing blanks are left out.
#[derive(Deserialize)]
#[serde(untagged)]
enum SeenRow {
    Styled(String, Vec<Run>),
    Plain((String,)),
}

/// Start and length in characters, foreground, background, attributes.
#[derive(Deserialize)]
struct Run(usize, usize, String, String, String);

impl SeenRow {
    fn text(&self) -> String {
        let (Self::Styled(text, _) | Self::Plain((text,))) = self;
        // A soft hyphen is one column of a hyphen in the references, and is kept as one here.
        text.replace('\u{ad}', "-")
    }
}

/// Screens that look like neither reference, and why.
const OTHER_TEXT: &[(&str, usize, &str)] = &[
    (
        "u_zwsp_bom",
        1,
        "all marks without width are kept; the references lose one or move it",
    ),
    (
        "u_invalid",
        1,
        "broken UTF-8 is shown as U+FFFD, not passed over in silence",
    ),
    (
        "u_wide_ich",
        1,
        "both halves of a wide character cut by an insertion are blank, not one",
    ),
    (
        "r_rep",
        1,
        "REP repeats the last character even after SGR, as the standard lets it",
    ),
    (
        "r_rep_after_cr",
        1,
        "REP repeats the last character even after CR",
    ),
    (
        "r_wrap_pending_decsc",
        1,
        "DECSC keeps a pending wrap, as the VT420 does",
    ),
    ("r_revwrap", 1, "reverse wrap (?45) is not supported"),
    (
        "app_pip",
        4,
        "the recorded path was replaced by one of another length",
    ),
    (
        "app_tmux_in",
        14,
        "the recorded user name was replaced by one of another length",
    ),
];
const OTHER_CURSOR: &[(&str, usize, &str)] = &[
    ("u_invalid", 1, "as its text"),
    (
        "u_new_emoji",
        1,
        "emoji newer than the references' Unicode are wide",
    ),
    ("r_rep", 1, "as its text"),
    ("r_rep_after_cr", 1, "as its text"),
    ("r_wrap_pending_decsc", 1, "as its text"),
    ("r_revwrap", 1, "as its text"),
];
const OTHER_STYLE: &[(&str, usize, &str)] = &[
    (
        "s_true",
        1,
        "38:2:7:8:9 has no colour space: 7 is the red, as in tmux",
    ),
    ("s_mixed", 1, "38;5 without an index changes nothing"),
    ("o_osc8", 1, "links are told apart from underlines"),
    (
        "app_vttest",
        29,
        "xterm.js has an underline of no kind after changing the screen's width",
    ),
];

macro_rules! version {
    () => {
        concat!("\x1bP>|sandtop ", env!("CARGO_PKG_VERSION"), "\x1b\\")
    };
}

/// Cases where the answers are not xterm.js's: the terminal names itself, and answers queries that one does not.
const OWN_REPLIES: &[(&str, &str)] = &[
    (
        "o_osc_color",
        "\x1b]10;rgb:e5e5/e5e5/e5e5\x07\x1b]11;rgb:0000/0000/0000\x1b\\\
         \x1b]12;rgb:e5e5/e5e5/e5e5\x07\x1b]4;1;rgb:cdcd/0000/0000\x07",
    ),
    ("o_da", concat!("\x1b[?6c\x1b[>0;2600;1c", version!())),
    ("o_kitty", "\x1b[?0u\x1b[?1u\x1b[?0u\x1b[?5u"),
    ("o_xtversion_xtgettcap", version!()),
    ("o_modkeys", "\x1b[>4;0m"),
    ("app_tmux_in", concat!("\x1b[>0;2600;1c", version!())),
    ("app_vim_code", VIM),
    ("app_vim_uni", VIM),
    ("app_vttest", "\x1b[?6c"),
];
const VIM: &str = "\x1b[2;2R\x1b[3;1R\x1b[>0;2600;1c\
    \x1b]10;rgb:e5e5/e5e5/e5e5\x07\x1b]11;rgb:0000/0000/0000\x07\x1b[>4;2m";

fn cases() -> Vec<Case> {
    let lines = include_str!("../data/terminal-streams.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = (0..hex.len()).step_by(2).map(|at| &hex[at..at + 2]);
    digits
        .map(|digits| u8::from_str_radix(digits, 16).unwrap())
        .collect()
}

/// Plays a case, hands every screen to `look` with its number from 1, and gives back what was answered.
fn play(case: &Case, mut look: impl FnMut(usize, &Emulator, &Expect)) -> String {
    let mut emulator = terminal(80, 24);
    let (mut replies, mut screen) = (Vec::new(), 0);
    for step in &case.steps {
        match step {
            Step::Feed(hex) => {
                for heard in emulator.feed(&bytes(hex)) {
                    match heard {
                        Heard::Reply(reply) => replies.extend(reply),
                        Heard::Restarted => panic!("{} broke the emulator", case.name),
                        _ => (),
                    }
                }
            }
            Step::Resize((columns, rows)) => {
                emulator.resize(Size {
                    columns: *columns,
                    rows: *rows,
                });
            }
            Step::Expect(expect) => {
                screen += 1;
                look(screen, &emulator, expect);
            }
        }
    }
    String::from_utf8(replies).unwrap()
}

/// Plays all cases and holds the screens that `differs` against the list of those that may. Gives their number.
fn compare(
    known: &[(&str, usize, &str)],
    differs: impl Fn(&Emulator, &Expect) -> Option<String>,
) -> usize {
    let (mut all, mut found, mut told) = (0, BTreeSet::new(), String::new());
    for case in &cases() {
        play(case, |screen, emulator, expect| {
            all += 1;
            if let Some(how) = differs(emulator, expect) {
                told += &format!("{} {screen}: {how}\n", case.name);
                found.insert((case.name.clone(), screen));
            }
        });
    }
    let known = known
        .iter()
        .map(|(name, screen, _)| ((*name).to_owned(), *screen));
    assert_eq!(
        found,
        known.collect(),
        "left: what differs, right: what is known to\n{told}"
    );
    all - found.len()
}

#[test]
fn text_equals_a_reference() {
    let equal = compare(OTHER_TEXT, |emulator, expect| {
        let seen = text(emulator);
        let xterm = without_blank_end(expect.xterm.rows.iter().map(SeenRow::text).collect());
        let is_equal = seen == xterm || expect.tmux_text.as_ref() == Some(&seen);
        let pairs = || {
            seen.iter()
                .zip(&xterm)
                .filter(|(ours, theirs)| ours != theirs)
        };
        (!is_equal).then(|| format!("{:?}, {} rows", pairs().next(), seen.len()))
    });
    assert!(equal >= 352, "{equal}");
}

#[test]
fn cursor_equals_a_reference() {
    compare(OTHER_CURSOR, |emulator, expect| {
        let seen = emulator
            .cursor()
            .map(|cursor| (cursor.row, cursor.column))?;
        // xterm.js counts a column more while a wrap is pending.
        let (row, column) = expect.xterm.cursor;
        let xterm = (row, column.min(emulator.size().columns - 1));
        let is_equal = seen == xterm || Some(seen) == expect.tmux_cursor;
        (!is_equal).then(|| format!("{seen:?}, not {xterm:?}"))
    });
}

#[test]
fn styles_equal_the_reference() {
    compare(OTHER_STYLE, |emulator, expect| {
        let seen = text(emulator);
        for (row, theirs) in expect.xterm.rows.iter().enumerate() {
            // Styles stand at characters: without the same text there is nothing to compare.
            let SeenRow::Styled(text, runs) = theirs else {
                continue;
            };
            if seen.get(row).map_or("", String::as_str) != text.as_str() {
                continue;
            }
            let mut at = 0;
            for cell in emulator.screen().row(u16::try_from(row).unwrap()) {
                let run = runs.iter().find(|run| (run.0..run.0 + run.1).contains(&at));
                let wanted =
                    run.map_or_else(plain, |run| [run.2.clone(), run.3.clone(), run.4.clone()]);
                let have = described(cell.style);
                if at < text.chars().count() && have != wanted {
                    return Some(format!(
                        "row {row}, character {at}: {have:?}, not {wanted:?}"
                    ));
                }
                at += 1 + cell.more.len();
            }
        }
        None
    });
}

fn plain() -> [String; 3] {
    ["d".into(), "d".into(), String::new()]
}

fn described(style: Style) -> [String; 3] {
    let flags = [
        (style.bold, "B"),
        (style.dim, "D"),
        (style.italic, "I"),
        (style.underline == Underline::Single, "U1"),
        (style.underline == Underline::Double, "U2"),
        (style.underline == Underline::Curly, "U3"),
        (style.underline == Underline::Dotted, "U4"),
        (style.underline == Underline::Dashed, "U5"),
        (style.reverse, "R"),
        (style.hidden, "H"),
        (style.strike, "S"),
    ];
    let flags = flags
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, letter)| *letter);
    [colour(style.fg), colour(style.bg), flags.collect()]
}

fn colour(colour: Colour) -> String {
    match colour {
        Colour::Default => "d".to_owned(),
        Colour::Index(index) => format!("i{index}"),
        Colour::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

#[test]
fn queries_are_answered() {
    for case in &cases() {
        let replies = play(case, |_, _, _| ());
        let own = OWN_REPLIES.iter().find(|(name, _)| *name == case.name);
        let theirs = case.replies.as_deref().map(bytes).unwrap_or_default();
        let wanted = own.map_or(String::from_utf8(theirs).unwrap(), |(_, own)| {
            (*own).to_owned()
        });
        assert_eq!(replies, wanted, "{}", case.name);
    }
}
