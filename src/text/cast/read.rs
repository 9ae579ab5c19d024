//! Reads asciicast, versions 2 and 3. Files come from anywhere: what cannot be read is counted and passed over.

use crate::model::Span;
use serde_json::Value;

/// Recordings are not longer than this, in milliseconds; three years are enough.
const LONGEST: f64 = 1e11;

/// A recording, its times counted from its beginning, and pauses no longer than its header allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Cast {
    /// At the beginning.
    pub columns: u16,
    pub rows: u16,
    /// In the order of their times.
    pub events: Vec<(Span, CastEvent)>,
    /// Lines that mean nothing here.
    pub unread: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CastEvent {
    /// As a program printed it: for an emulator, and never for a terminal.
    Output(String),
    Resize {
        columns: u16,
        rows: u16,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Its times count from the beginning.
    Two,
    /// Its times count from the event before.
    Three,
}

impl Cast {
    /// # Errors
    /// Says why it is none.
    pub fn read(file: &[u8]) -> Result<Self, &'static str> {
        let mut lines = file.split(|byte| *byte == b'\n');
        let header = lines.next().unwrap_or_default();
        let header: Value = serde_json::from_slice(header)
            .map_err(|_| "it does not begin with a header of JSON")?;
        let (version, size) = match header["version"].as_u64() {
            Some(2) => (Version::Two, [&header["width"], &header["height"]]),
            Some(3) => (
                Version::Three,
                [&header["term"]["cols"], &header["term"]["rows"]],
            ),
            Some(_) => return Err("it is of a version that is not known here: 2 and 3 are"),
            None => return Err("its header tells no version"),
        };
        let side = |value: &Value| u16::try_from(value.as_u64()?).ok().filter(|side| *side > 0);
        let [Some(columns), Some(rows)] = size.map(side) else {
            return Err("its header tells no size");
        };
        let mut cast = Self {
            columns,
            rows,
            events: Vec::new(),
            unread: 0,
        };
        let idle = header["idle_time_limit"].as_f64();
        let idle = idle
            .filter(|limit| *limit > 0.0)
            .map_or(LONGEST, |limit| limit * 1000.0);
        cast.take(lines, version, idle);
        Ok(cast)
    }

    pub fn length(&self) -> Span {
        self.events.last().map_or(Span(0), |(at, _)| *at)
    }

    /// `idle`: the longest pause, in milliseconds.
    fn take<'a>(&mut self, lines: impl Iterator<Item = &'a [u8]>, version: Version, idle: f64) {
        // As the file tells the time, and as it is shown.
        let (mut told, mut shown) = (0.0, 0.0);
        for line in lines {
            let line = line.trim_ascii();
            let comment = version == Version::Three && line.starts_with(b"#");
            if line.is_empty() || comment {
                continue;
            }
            let Some(event) = Line::read(line) else {
                self.unread += 1;
                continue;
            };
            let ms = event.seconds * 1000.0;
            let pause = match version {
                Version::Two => ms - told,
                Version::Three => ms,
            };
            // One that goes back is shown at once.
            let pause = pause.clamp(0.0, LONGEST);
            told += pause;
            shown = (shown + pause.min(idle)).min(LONGEST);
            match event.what() {
                Some(what) => self.events.push((Span(shown as i64), what)),
                None => self.unread += usize::from(!event.is_known()),
            }
        }
    }
}

struct Line {
    seconds: f64,
    kind: String,
    data: Value,
}

impl Line {
    /// Further fields are a newer writer's affair.
    fn read(line: &[u8]) -> Option<Self> {
        let mut fields: Vec<Value> = serde_json::from_slice(line).ok()?;
        let data = fields.get_mut(2).map(Value::take)?;
        Some(Self {
            seconds: fields[0].as_f64()?,
            kind: fields[1].as_str()?.to_owned(),
            data,
        })
    }

    fn what(&self) -> Option<CastEvent> {
        let data = self.data.as_str()?;
        match self.kind.as_str() {
            "o" => Some(CastEvent::Output(data.to_owned())),
            "r" => {
                let (columns, rows) = data.split_once('x')?;
                let side = |text: &str| text.parse().ok().filter(|side| *side > 0);
                Some(CastEvent::Resize {
                    columns: side(columns)?,
                    rows: side(rows)?,
                })
            }
            _ => None,
        }
    }

    /// Of the format, though there is nothing to show: input, markers, the exit.
    fn is_known(&self) -> bool {
        matches!(self.kind.as_str(), "i" | "m" | "x")
    }
}
