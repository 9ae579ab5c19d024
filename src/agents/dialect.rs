//! What a format must do: the one seam between the reader and the files of the formats.

use super::json_lines::JsonLines;
use super::ledger::Ledger;
use super::opencode::OpenCode;
use super::plain::Plain;
use super::value::Object;
use super::{Format, claude, codex, cursor, gemini, openclaw};
use std::fmt::Debug;

/// One format's reader. It gets what was framed and parsed, and writes steps, totals and phase to the ledger.
pub trait Dialect: Debug + Send {
    /// A whole JSON object of standard output, of one line or of several.
    fn object(&mut self, ledger: &mut Ledger, object: &Object);

    /// A line of standard output that is no JSON object.
    fn line(&mut self, ledger: &mut Ledger, line: &str) {
        ledger.raw(line);
    }

    /// A line of standard error; the ledger has kept it already. What it says is for people, and no step by itself.
    fn complaint(&mut self, _ledger: &mut Ledger, _line: &str) {}

    /// A piece was read to its end: what is held back for speed (text that grows) goes to the ledger now.
    fn pause(&mut self, _ledger: &mut Ledger) {}

    /// Both streams have ended.
    fn end(&mut self, _ledger: &mut Ledger) {}
}

pub fn dialect(format: Format) -> Box<dyn Dialect> {
    match format {
        Format::Claude | Format::ClaudeJson | Format::ClaudeJsonArray => {
            Box::new(claude::Claude::default())
        }
        Format::ClaudeTranscript => Box::new(claude::Transcript::default()),
        Format::Codex | Format::CodexExperimental => Box::new(codex::Codex::default()),
        Format::CodexLegacy => Box::new(codex::Legacy::default()),
        Format::CodexRollout => Box::new(codex::Rollout::default()),
        Format::OpenCode => Box::new(OpenCode::default()),
        Format::Gemini => Box::new(gemini::Gemini::default()),
        Format::GeminiJson => Box::new(gemini::Document::default()),
        Format::Cursor => Box::new(cursor::Cursor::default()),
        Format::OpenClawFinal => Box::new(openclaw::Final::default()),
        Format::OpenClawSession => Box::new(openclaw::Session::default()),
        Format::JsonLines => Box::new(JsonLines),
        Format::Plain => Box::new(Plain),
    }
}
