//! The log on screen: which it is, and its lines.

use super::state::State;
use crate::logic::{Held, Merged, StoreId, Strand, World};
use crate::model::CommandKey;
use crate::text::{Away, ChunkId, Log, LogStore};

#[derive(Clone, Debug)]
pub(super) struct Shown<'a> {
    /// Another one when its lines have other numbers.
    pub(super) id: StoreId,
    pub(super) log: Log<'a>,
    whose: Whose<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Whose<'a> {
    Command(&'a CommandKey),
    Several(&'a Merged),
}

impl State {
    pub(super) fn shown<'a>(&self, world: &'a World) -> Option<Shown<'a>> {
        if let Some(merged) = world.merged.as_ref().filter(|_| self.merges) {
            return Some(Shown {
                id: merged.id,
                log: merged.log(&world.tails),
                whose: Whose::Several(merged),
            });
        }
        let (command, tail) = world.tails.get_key_value(self.chosen()?)?;
        Some(Shown {
            id: tail.store_id,
            log: Log::One(&tail.store),
            whose: Whose::Command(command),
        })
    }
}

impl<'a> Shown<'a> {
    pub(super) fn merged(&self) -> Option<&'a Merged> {
        match self.whose {
            Whose::Command(_) => None,
            Whose::Several(merged) => Some(merged),
        }
    }

    /// The log on its own: it stays as it is while this one goes on.
    pub(super) fn held(&self) -> Held {
        let (order, stores) = match &self.log {
            Log::One(store) => return Held::One(self.id, Box::new((*store).clone())),
            Log::Woven(order, stores) => (*order, stores.iter().enumerate()),
        };
        let strand = |(strand, store): (usize, &Option<&LogStore>)| {
            let merged = self.merged()?;
            let source = merged.source(strand);
            Some(Strand {
                id: merged.store(strand),
                store: (*store)?.clone(),
                name: source.and_then(|at| Some(merged.sources.get(at)?.name.clone())),
            })
        };
        Held::Woven(order.clone(), stores.map(strand).collect())
    }

    /// Whose chunk has to be read back.
    pub(super) fn needs(&self, away: Away) -> Option<(CommandKey, ChunkId)> {
        let command = match self.whose {
            Whose::Command(command) => command,
            Whose::Several(merged) => &merged.sources.get(merged.source(away.strand)?)?.command,
        };
        Some((command.clone(), away.chunk))
    }
}
