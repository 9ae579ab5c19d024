//! Writes asciicast, version 2: what a terminal got, with the times.

use crate::model::{Span, Timestamp};
use serde_json::json;

/// Makes the lines of one recording, in their order.
#[derive(Debug, Default)]
pub struct CastEncoder {
    /// The beginning of a character whose other bytes are still to come; at most three bytes.
    cut: Vec<u8>,
}

impl CastEncoder {
    /// And the first line. `at`: by this machine's clock.
    pub fn begin(columns: u16, rows: u16, at: Timestamp) -> (Self, String) {
        let header = json!({
            "version": 2, "width": columns, "height": rows, "timestamp": at.0 / 1000,
            "env": {"TERM": "xterm-256color"},
        });
        (Self::default(), format!("{header}\n"))
    }

    /// `after`: since the beginning. What is no UTF-8 is replaced, since the format has no room for it.
    pub fn output(&mut self, after: Span, bytes: &[u8]) -> Option<String> {
        self.cut.extend_from_slice(bytes);
        let whole = self.cut.len() - cut_off(&self.cut);
        let text = String::from_utf8_lossy(&self.cut[..whole]).into_owned();
        self.cut.drain(..whole);
        (!text.is_empty()).then(|| event(after, "o", &text))
    }

    pub fn resize(&self, after: Span, columns: u16, rows: u16) -> String {
        event(after, "r", &format!("{columns}x{rows}"))
    }
}

fn event(after: Span, kind: &str, data: &str) -> String {
    let ms = after.0.max(0);
    let (seconds, rest) = (ms / 1000, ms % 1000);
    format!("[{seconds}.{rest:03}, \"{kind}\", {}]\n", json!(data))
}

/// How many bytes at the end begin a character that is not complete.
fn cut_off(bytes: &[u8]) -> usize {
    let begins = |count: &usize| {
        let end = bytes.len().checked_sub(*count).map(|at| &bytes[at..]);
        let read = end.map(std::str::from_utf8);
        matches!(read, Some(Err(error)) if error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=3).find(begins).unwrap_or(0)
}
