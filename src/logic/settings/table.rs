//! The settings and their table: a row says where one stands in `config.toml` and how its value is taken.

use super::document::{self, Entry};
use super::notices::{quiet, ways};
use super::{Complaint, Complaints};
use crate::logic::notices::{Notices, Sequence};
use crate::logic::{Column, LogLimits, ShellOptions};
use crate::model::Span;
use crate::text::nearest;
use toml::Spanned;
use toml::de::DeValue;

/// What the colours stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ThemeChoice {
    /// As the terminal's own background is.
    #[default]
    Auto,
    Dark,
    Light,
    /// No colour.
    Plain,
}

/// Which clock times of day are told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Times {
    #[default]
    Utc,
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub theme: ThemeChoice,
    /// Clicks and the wheel are ours at the start.
    pub mouse: bool,
    /// Leaves only actions of the class *free*.
    pub read_only: bool,
    /// How long a stop or delete can be taken back before it is sent; 0–60 s, 0 = it is sent at once.
    pub undo: Span,
    pub times: Times,
    /// The list's columns, in their order; the name is always among them.
    pub columns: Vec<Column>,
    /// The most of the screen's height that the list takes, 10–90 percent.
    pub list_share: u16,
    /// Long lines of a log go on below, instead of being cut.
    pub wrap: bool,
    /// When an engine that was left serving ends for want of work; 1–1440 min.
    pub idle_after: Span,
    pub notices: Notices,
    /// How much of them is kept; set in MiB.
    pub logs: LogLimits,
    pub shells: ShellOptions,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::Auto,
            mouse: true,
            read_only: false,
            undo: Span::seconds(5),
            times: Times::Utc,
            columns: Column::ALL.to_vec(),
            list_share: 40,
            wrap: true,
            idle_after: Span::minutes(30),
            notices: Notices::default(),
            logs: LogLimits::default(),
            shells: ShellOptions::default(),
        }
    }
}

pub(super) type Value<'a> = Spanned<DeValue<'a>>;
type Take = fn(&mut Settings, &Value<'_>, &mut Complaints<'_>);

const THEMES: &[(&str, ThemeChoice)] = &[
    ("auto", ThemeChoice::Auto),
    ("dark", ThemeChoice::Dark),
    ("light", ThemeChoice::Light),
    ("plain", ThemeChoice::Plain),
];
const TIMES: &[(&str, Times)] = &[("utc", Times::Utc), ("local", Times::Local)];

const SEQUENCES: &[(&str, Sequence)] = &[
    ("osc9", Sequence::Osc9),
    ("osc777", Sequence::Osc777),
    ("osc99", Sequence::Osc99),
];

/// Table of the file (none: its top), name, and how the value is taken.
pub(super) const TABLE: &[(Option<&str>, &str, Take)] = &[
    (None, "theme", |to, value, complaints| {
        put(&mut to.theme, word(value, THEMES, complaints));
    }),
    (None, "mouse", |to, value, complaints| {
        put(&mut to.mouse, flag(value, complaints));
    }),
    (None, "read_only", |to, value, complaints| {
        put(&mut to.read_only, flag(value, complaints));
    }),
    (None, "undo", |to, value, complaints| {
        let seconds = number(value, 0, 60, complaints);
        put(
            &mut to.undo,
            seconds.map(|count| Span::seconds(count.into())),
        );
    }),
    (None, "times", |to, value, complaints| {
        put(&mut to.times, word(value, TIMES, complaints));
    }),
    (Some("list"), "columns", |to, value, complaints| {
        put(&mut to.columns, columns(value, complaints));
    }),
    (Some("list"), "share", |to, value, complaints| {
        put(&mut to.list_share, number(value, 10, 90, complaints));
    }),
    (Some("logs"), "wrap", |to, value, complaints| {
        put(&mut to.wrap, flag(value, complaints));
    }),
    (Some("logs"), "memory", |to, value, complaints| {
        let size = number(value, 1, 4096, complaints);
        put(&mut to.logs.memory, size.map(mebibytes));
    }),
    (Some("logs"), "memory_in_all", |to, value, complaints| {
        let size = number(value, 1, u16::MAX, complaints);
        put(&mut to.logs.memory_in_all, size.map(mebibytes));
    }),
    (Some("logs"), "file", |to, value, complaints| {
        let size = number(value, 0, u16::MAX, complaints);
        put(&mut to.logs.file, size.map(|size| u64::from(size) << 20));
    }),
    (Some("logs"), "streams", |to, value, complaints| {
        let count = number(value, 1, 1024, complaints);
        put(&mut to.logs.streams, count.map(usize::from));
    }),
    (Some("shell"), "keep_alive", |to, value, complaints| {
        put(&mut to.shells.keep_alive, flag(value, complaints));
    }),
    (Some("shell"), "scrollback", |to, value, complaints| {
        let size = number(value, 0, 1024, complaints);
        put(&mut to.shells.scrollback, size.map(mebibytes));
    }),
    (Some("notices"), "waiting", |to, value, complaints| {
        put(&mut to.notices.waiting, ways(value, complaints));
    }),
    (Some("notices"), "failed", |to, value, complaints| {
        put(&mut to.notices.failed, ways(value, complaints));
    }),
    (Some("notices"), "done", |to, value, complaints| {
        put(&mut to.notices.done, ways(value, complaints));
    }),
    (Some("notices"), "rate_limited", |to, value, complaints| {
        put(&mut to.notices.rate_limited, ways(value, complaints));
    }),
    (Some("notices"), "lease", |to, value, complaints| {
        put(&mut to.notices.lease, ways(value, complaints));
    }),
    (Some("notices"), "sequence", |to, value, complaints| {
        put(&mut to.notices.sequence, word(value, SEQUENCES, complaints));
    }),
    (Some("notices"), "quiet", |to, value, complaints| {
        put(&mut to.notices.quiet, quiet(value, complaints));
    }),
    (Some("engine"), "idle_after", |to, value, complaints| {
        let minutes = number(value, 1, 1440, complaints);
        put(
            &mut to.idle_after,
            minutes.map(|count| Span::minutes(count.into())),
        );
    }),
];

impl Settings {
    /// Reads a `config.toml`; `file`: how to name it in complaints.
    pub fn parse(file: &str, text: &str) -> (Self, Vec<Complaint>) {
        let mut complaints = Complaints::new(file, text);
        let mut settings = Self::default();
        for (name, value) in document::entries(&mut complaints) {
            let is_table = |row: &&(Option<&str>, _, _)| row.0 == Some(name.get_ref().as_str());
            if !TABLE.iter().any(|row| is_table(&row)) {
                settings.take(None, &(name, value), &mut complaints);
                continue;
            }
            let at = value.span();
            let DeValue::Table(table) = value.into_inner() else {
                let what = format!("`{0}` is a table: [{0}]", name.get_ref());
                complaints.add(at, what, None);
                continue;
            };
            for entry in document::in_order(table, &complaints) {
                settings.take(Some(name.get_ref()), &entry, &mut complaints);
            }
        }
        (settings, complaints.in_order())
    }

    fn take(
        &mut self,
        table: Option<&str>,
        (name, value): &Entry<'_>,
        complaints: &mut Complaints<'_>,
    ) {
        let id = name.get_ref();
        let row = TABLE.iter().find(|row| row.0 == table && row.1 == id);
        if let Some((_, _, take)) = row {
            return take(self, value, complaints);
        }
        let names = TABLE.iter().filter(|row| row.0 == table).map(|row| row.1);
        let tables = TABLE
            .iter()
            .filter_map(|row| row.0.filter(|_| table.is_none()));
        let near = nearest(id, names.chain(tables));
        let what = match (table, value.get_ref()) {
            (None, DeValue::Table(_)) => format!("there is no table `{id}`"),
            (None, _) => format!("there is no setting `{id}`"),
            (Some(table), _) => format!("there is no setting `{id}` in `{table}`"),
        };
        complaints.add(name.span(), what, near);
    }
}

fn mebibytes(size: u16) -> usize {
    usize::from(size) << 20
}

fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn flag(value: &Value<'_>, complaints: &mut Complaints<'_>) -> Option<bool> {
    let flag = value.get_ref().as_bool();
    if flag.is_none() {
        let kind = document::kind(value.get_ref());
        complaints.add(
            value.span(),
            format!("this is true or false, not {kind}"),
            None,
        );
    }
    flag
}

fn number(
    value: &Value<'_>,
    least: u16,
    most: u16,
    complaints: &mut Complaints<'_>,
) -> Option<u16> {
    let number = match value.get_ref() {
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
        _ => None,
    };
    let number = number.and_then(|number| u16::try_from(number).ok());
    let number = number.filter(|number| (least..=most).contains(number));
    if number.is_none() {
        let what = format!("this is a whole number from {least} to {most}");
        complaints.add(value.span(), what, None);
    }
    number
}

fn word<T: Copy>(
    value: &Value<'_>,
    known: &[(&'static str, T)],
    complaints: &mut Complaints<'_>,
) -> Option<T> {
    let names = || known.iter().map(|(name, _)| *name);
    let given = value.get_ref().as_str();
    let found = known.iter().find(|(name, _)| Some(*name) == given);
    if found.is_none() {
        let near = given.and_then(|given| nearest(given, names()));
        let all: Vec<String> = names().map(|name| format!("\"{name}\"")).collect();
        let what = format!("this is one of {}", all.join(", "));
        complaints.add(value.span(), what, near);
    }
    found.map(|(_, value)| *value)
}

/// Those that are columns, each once; none of them: no setting.
fn columns(value: &Value<'_>, complaints: &mut Complaints<'_>) -> Option<Vec<Column>> {
    let Some(words) = value.get_ref().as_array() else {
        let what = "this is a list of columns: [\"name\", \"status\"]";
        complaints.add(value.span(), what.to_owned(), None);
        return None;
    };
    let mut columns = Vec::new();
    for word in words {
        let Some(id) = word.get_ref().as_str() else {
            let kind = document::kind(word.get_ref());
            complaints.add(
                word.span(),
                format!("a column is a word in quotes, not {kind}"),
                None,
            );
            continue;
        };
        match Column::of_id(id) {
            Some(column) if columns.contains(&column) => {
                complaints.add(word.span(), format!("`{id}` stands here twice"), None);
            }
            Some(column) => columns.push(column),
            None => {
                let near = nearest(id, Column::ALL.iter().map(|column| column.id()));
                complaints.add(word.span(), format!("there is no column `{id}`"), near);
            }
        }
    }
    if !columns.contains(&Column::Name) {
        let what = "`name` is missing: without it nobody sees what a key acts on";
        complaints.add(value.span(), what.to_owned(), None);
        columns.insert(0, Column::Name);
    }
    Some(columns)
}
