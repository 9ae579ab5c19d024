//! The formats that are read, by the words of `sandtop read --json`.

/// What a run is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `claude -p --output-format stream-json --verbose`
    Claude,
    /// `--output-format json`: one result at the end.
    ClaudeJson,
    /// The same with `--verbose`: an array of all events.
    ClaudeJsonArray,
    /// A session's file.
    ClaudeTranscript,
    /// `codex exec --json`
    Codex,
    /// `codex exec --experimental-json`, of a few versions.
    CodexExperimental,
    /// `codex exec --json` up to autumn 2025: `{id, msg}`.
    CodexLegacy,
    CodexRollout,
    /// `opencode run --format json`
    OpenCode,
    /// `gemini -o stream-json`
    Gemini,
    /// `gemini -o json`: one object at the end.
    GeminiJson,
    /// `cursor-agent -p --output-format stream-json` or `json`
    Cursor,
    /// `openclaw agent --json`: one object at the end.
    OpenClawFinal,
    OpenClawSession,
    /// Any log of JSON objects, a line each. No agent.
    JsonLines,
    /// A log. No agent.
    Plain,
}

/// Format, its word, the agent behind it.
const TABLE: [(Format, &str, &str); 16] = [
    (Format::Claude, "claude", "claude-code"),
    (Format::ClaudeJson, "claude-json", "claude-code"),
    (Format::ClaudeJsonArray, "claude-json-array", "claude-code"),
    (Format::ClaudeTranscript, "claude-transcript", "claude-code"),
    (Format::Codex, "codex", "codex"),
    (Format::CodexExperimental, "codex-exp", "codex"),
    (Format::CodexLegacy, "codex-legacy", "codex"),
    (Format::CodexRollout, "codex-rollout", "codex"),
    (Format::OpenCode, "opencode", "opencode"),
    (Format::Gemini, "gemini", "gemini-cli"),
    (Format::GeminiJson, "gemini-json", "gemini-cli"),
    (Format::Cursor, "cursor", "cursor"),
    (Format::OpenClawFinal, "openclaw-final", "openclaw"),
    (Format::OpenClawSession, "openclaw-session", "openclaw"),
    (Format::JsonLines, "json-lines", ""),
    (Format::Plain, "plain", ""),
];

impl Format {
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str) {
        let found = TABLE.iter().find(|row| row.0 == self);
        found.unwrap_or(&TABLE[TABLE.len() - 1])
    }

    pub fn word(self) -> &'static str {
        self.row().1
    }

    /// The agent's name; empty for what is none.
    pub fn agent(self) -> &'static str {
        self.row().2
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::all().find(|format| format.word() == word)
    }

    pub fn is_agent(self) -> bool {
        !self.agent().is_empty()
    }

    /// Its objects go over several lines: it is read from a bracket to its partner.
    pub(super) fn is_document(self) -> bool {
        matches!(
            self,
            Self::ClaudeJson | Self::ClaudeJsonArray | Self::GeminiJson | Self::OpenClawFinal
        )
    }

    /// A record of what happened, not the output of the process that did it: its end says nothing of a result.
    pub fn is_file(self) -> bool {
        matches!(
            self,
            Self::ClaudeTranscript | Self::CodexRollout | Self::OpenClawSession
        )
    }
}
