//! What stands before a line, as it was chosen: its number, when it arrived, which stream it is of.

use super::line::Kind;
use super::shown::Shown;
use super::window::WindowRow;
use crate::logic::{LineTimes, LogLooks, Merged};
use crate::model::Clean;
use crate::panes::Ctx;
use crate::text::{Origin, Side, cut, figures, pad, say, width};
use crate::ui::{Piece, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The signs before lines: words of colour are not enough to tell the streams apart.
const STDERR: &str = "! ";
const OTHER: &str = "? ";
const NOTE: &str = "* ";
const EVICTED: &str = "x ";
const NONE: &str = "  ";

/// As wide as `14:05:09` and `in 59 m`.
const TIME: usize = 8;
/// Numbers and times go where they would leave the text less than this.
const LEAST_TEXT: usize = 20;
/// Longer names of sources are cut.
pub(super) const LONGEST_NAME: usize = 16;

/// In columns, each with a gap behind it; 0 = it is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gutter {
    number: usize,
    time: usize,
    name: usize,
    stream: usize,
}

impl Gutter {
    /// `room`: for all and the text.
    pub(super) fn of(looks: LogLooks, shown: &Shown<'_>, room: u16) -> Self {
        let most = shown.log.most_lines().max(1);
        let digits = usize::try_from(most.ilog10()).unwrap_or_default() + 1;
        let all = Self {
            number: if looks.numbers { digits.max(3) + 1 } else { 0 },
            time: if looks.times == LineTimes::Off {
                0
            } else {
                TIME + 1
            },
            name: match shown.merged() {
                Some(merged) if looks.sources => names(merged) + 1,
                _ => 0,
            },
            stream: if looks.streams { STDERR.len() } else { 0 },
        };
        if all.number + all.time == 0 || all.width() + LEAST_TEXT <= usize::from(room) {
            return all;
        }
        Self {
            number: 0,
            time: 0,
            ..all
        }
    }

    pub(super) fn width(self) -> usize {
        self.number + self.time + self.name + self.stream
    }

    /// Draws it for a row. Returns the room that is left for the text.
    pub(super) fn draw(
        self,
        row: &WindowRow,
        (shown, times): (&Shown<'_>, LineTimes),
        ctx: &Ctx<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) -> Rect {
        let width = u16::try_from(self.width())
            .unwrap_or(u16::MAX)
            .min(line.width);
        let place = Rect { width, ..line };
        if row.spot.row == 0 {
            let pieces = self.pieces(row, shown, times, ctx);
            text::draw(buffer, place, ctx.theme, &pieces);
        }
        Rect {
            x: line.x + width,
            width: line.width - width,
            ..line
        }
    }

    fn pieces(
        self,
        row: &WindowRow,
        shown: &Shown<'_>,
        times: LineTimes,
        ctx: &Ctx<'_>,
    ) -> Vec<Piece> {
        let is_line = !matches!(row.kind, Kind::Gap | Kind::Away);
        let mut pieces = Vec::new();
        let mut column = |width: usize, text: Clean| {
            if width > 0 {
                pieces.push(span(&pad(&text, width - 1, Side::Start), Role::Dim));
                pieces.push(label(" ", Role::Dim));
            }
        };
        let is_ours = |origin: &Origin| {
            let merged = shown.merged();
            merged.is_some_and(|merged| merged.source(origin.strand).is_none())
        };
        let own = row.origin.filter(|origin| is_line && !is_ours(origin));
        let number = own.map(|origin| say(format_args!("{}", origin.line + 1)));
        column(self.number, number.unwrap_or_default());
        let is_output = is_line && row.kind != Kind::Note;
        let time = is_output.then(|| arrived(row, times, ctx));
        column(self.time, time.unwrap_or_default());
        if self.name > 0 {
            pieces.extend(name(row, shown, self.name - 1));
        }
        if self.stream > 0 {
            pieces.push(match row.kind {
                _ if row.evicted => label(EVICTED, Role::Warn),
                Kind::Stderr => label(STDERR, Role::Stderr),
                Kind::Other => label(OTHER, Role::Info),
                Kind::Note => label(NOTE, Role::Info),
                Kind::Stdout | Kind::Gap | Kind::Away => label(NONE, Role::Dim),
            });
        }
        pieces
    }
}

/// Columns for the names of sources.
pub(super) fn names(merged: &Merged) -> usize {
    let widths = merged
        .sources
        .iter()
        .map(|source| width(source.name.as_str()));
    widths.max().unwrap_or_default().min(LONGEST_NAME)
}

/// Whose line it is.
fn name(row: &WindowRow, shown: &Shown<'_>, columns: usize) -> [Piece; 2] {
    let source = row
        .origin
        .and_then(|origin| shown.merged()?.source(origin.strand));
    let named = source.and_then(|at| Some((at, shown.merged()?.sources.get(at)?)));
    let (role, name) = match named {
        Some((at, source)) => (
            Role::of_source(at),
            cut(&source.name, columns, Side::Middle),
        ),
        None => (Role::Dim, Clean::default()),
    };
    [
        span(&pad(&name, columns, Side::End), role),
        label(" ", Role::Dim),
    ]
}

/// `–` where nobody knows it: in a replay.
fn arrived(row: &WindowRow, times: LineTimes, ctx: &Ctx<'_>) -> Clean {
    match times {
        LineTimes::Off => Clean::default(),
        LineTimes::Relative => figures::ago(row.arrived.map(|at| ctx.now.wall.since(at))),
        LineTimes::Local => figures::clock(row.arrived, ctx.local),
        LineTimes::Utc => figures::clock(row.arrived, &jiff::tz::TimeZone::UTC),
    }
}
