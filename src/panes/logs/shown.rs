//! The log on screen: which it is, and its lines.

use super::state::State;
use crate::logic::{StoreId, World};
use crate::model::CommandKey;
use crate::text::{Away, ChunkId, Log};

#[derive(Clone, Debug)]
pub(super) struct Shown<'a> {
    /// Another one when its lines have other numbers.
    pub(super) id: StoreId,
    pub(super) log: Log<'a>,
    command: &'a CommandKey,
}

impl State {
    pub(super) fn shown<'a>(&self, world: &'a World) -> Option<Shown<'a>> {
        let (command, tail) = world.tails.get_key_value(self.chosen()?)?;
        Some(Shown {
            id: tail.store_id,
            log: Log::One(&tail.store),
            command,
        })
    }
}

impl Shown<'_> {
    /// Whose chunk has to be read back.
    pub(super) fn needs(&self, away: Away) -> (CommandKey, ChunkId) {
        (self.command.clone(), away.chunk)
    }
}
