//! Frames of words on an interactive shell's websocket (api.md §5). Input and output go beside them, as bytes.

use super::lenient;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first frame of a caller, sent once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StartFrame {
    pub command: String,
    pub args: Vec<String>,
    /// `NAME=VALUE`, the last of a name counts.
    pub env: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Columns and rows are absent where the caller has no window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cols: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u16>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CallerFrame<'a> {
    Start(&'a StartFrame),
    Resize { cols: u16, rows: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ServerFrame {
    /// The program has ended. A code that is no number is none.
    Exit {
        #[serde(default, deserialize_with = "lenient::field")]
        code: Option<i32>,
    },
    /// Of a newer server; of no meaning here.
    #[serde(other)]
    Other,
}

impl CallerFrame<'_> {
    pub fn text(&self) -> String {
        text(self)
    }
}

impl ServerFrame {
    pub fn text(self) -> String {
        text(&self)
    }

    /// `None`: it is not JSON, and stands for output (api.md §5.7).
    pub fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        Some(serde_json::from_value(value).unwrap_or(Self::Other))
    }
}

/// Texts and numbers always can be written.
fn text(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).unwrap_or_default()
}
