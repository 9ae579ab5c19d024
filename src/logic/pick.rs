//! What can be picked in the palette: something to do, or a sandbox to go to.

use super::Action;
use crate::model::SandboxKey;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    Do(Action),
    GoTo(SandboxKey),
}
