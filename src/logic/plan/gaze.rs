//! What is looked at: what the plan reads first.

use crate::model::SandboxKey;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Gaze {
    /// The terminal window has the focus.
    pub focused: bool,
    pub selected: Option<SandboxKey>,
    /// What a dialog asks about: what runs in it is read before the rest.
    pub asked: Vec<SandboxKey>,
    /// Those whose commands may be agents at work.
    pub agents: Arc<[SandboxKey]>,
    /// Those whose commands are merged as they begin.
    pub followed: Arc<[SandboxKey]>,
    /// Rows on screen.
    pub visible: Vec<SandboxKey>,
    /// The selected sandbox's commands are on screen.
    pub commands: bool,
    /// Its sessions are on screen.
    pub sessions: bool,
}
