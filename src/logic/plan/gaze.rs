//! What is looked at: what the plan reads first.

use crate::model::SandboxKey;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Gaze {
    /// The terminal window has the focus.
    pub focused: bool,
    pub selected: Option<SandboxKey>,
    /// Rows on screen.
    pub visible: Vec<SandboxKey>,
    /// The selected sandbox's commands are on screen.
    pub commands: bool,
    /// Its sessions are on screen.
    pub sessions: bool,
}
