//! A JSON text over several lines, collected from its first bracket to that bracket's partner.

use super::LONGEST_LINE;
use super::value::Object;

#[derive(Debug)]
pub struct Document {
    pub text: String,
    pub first_line: u64,
    pub last_line: u64,
    depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Open,
    Complete,
    /// Too long, or it cannot be one.
    Hopeless,
}

/// Where in a JSON text one is.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    open: usize,
    in_string: bool,
    escaped: bool,
}

impl Depth {
    fn step(&mut self, byte: u8) {
        if self.in_string {
            let ends = byte == b'"' && !self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            self.in_string = !ends;
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.open += 1,
            b'}' | b']' => self.open = self.open.saturating_sub(1),
            _ => {}
        }
    }
}

impl Document {
    pub fn begin(line: &str, number: u64) -> Self {
        let mut begun = Self {
            text: String::new(),
            first_line: number,
            last_line: number,
            depth: Depth::default(),
        };
        begun.add(line, number);
        begun
    }

    /// One more line.
    pub fn add(&mut self, line: &str, number: u64) -> Progress {
        if self.text.len() + line.len() > LONGEST_LINE {
            return Progress::Hopeless;
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.last_line = number;
        line.bytes().for_each(|byte| self.depth.step(byte));
        match (self.depth.open, self.depth.in_string) {
            (0, false) => Progress::Complete,
            // A line never ends within a string.
            (_, true) => Progress::Hopeless,
            (_, false) => Progress::Open,
        }
    }

    pub fn is_array(&self) -> bool {
        self.text.trim_start().starts_with('[')
    }
}

/// The object that a cut text begins with, as far as its fields are whole; for telling what it was.
pub fn beginning(cut: &str) -> Option<Object> {
    let (mut depth, mut whole) = (Depth::default(), None);
    for (at, byte) in cut.bytes().enumerate() {
        depth.step(byte);
        if byte == b',' && depth.open == 1 && !depth.in_string {
            whole = Some(at);
        }
    }
    serde_json::from_str(&format!("{}}}", &cut[..whole?])).ok()
}

/// The elements of an array that are whole, even if the array is cut.
pub fn elements(array: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (Depth::default(), None);
    for (at, byte) in array.bytes().enumerate() {
        let before = depth;
        depth.step(byte);
        if before.in_string {
            continue;
        }
        match (before.open, depth.open) {
            (1, 2) => start = Some(at),
            (2, 1) => found.extend(start.take().map(|start| &array[start..=at])),
            _ => {}
        }
    }
    found
}
