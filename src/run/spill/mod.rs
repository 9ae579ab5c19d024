//! Keeps older lines of logs in a file: a task for all that blocks, which begins with the first order.

mod file;
mod space;

use crate::logic::Event;
use crate::logic::tail::{SpillNews, SpillOrder, StoreId};
use crate::model::Foreign;
use crate::text::Chunk;
use file::SpillFile;
use std::collections::VecDeque;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::mpsc;

type Order = (StoreId, SpillOrder);

pub struct Spill {
    directories: Vec<PathBuf>,
    news: mpsc::Sender<Event>,
    orders: Option<Sender<Order>>,
}

impl Spill {
    /// `directories`: where the file may be, the best place first.
    pub fn new(directories: Vec<PathBuf>, news: mpsc::Sender<Event>) -> Self {
        Self {
            directories,
            news,
            orders: None,
        }
    }

    /// Within a runtime.
    pub fn carry_out(&mut self, store: StoreId, order: SpillOrder) {
        let orders = self.orders.get_or_insert_with(|| {
            let (orders, received) = channel();
            let (news, directories) = (self.news.clone(), self.directories.clone());
            tokio::task::spawn_blocking(move || {
                work(&received, SpillFile::new(directories), |store, told| {
                    let _ = news.blocking_send(Event::Spill(store, told));
                });
            });
            orders
        });
        // The task ends only with the program.
        let _ = orders.send((store, order));
    }
}

fn work(orders: &Receiver<Order>, mut file: SpillFile, tell: impl Fn(StoreId, SpillNews)) {
    let mut queue = VecDeque::new();
    while let Some((store, order)) = next(orders, &mut queue) {
        match order {
            SpillOrder::Write(chunk) => {
                let id = chunk.id();
                tell(
                    store,
                    match file.write((store, id), &chunk.packed()) {
                        Ok(()) => SpillNews::Written(id),
                        Err(error) => SpillNews::NotWritten(id, why(&error)),
                    },
                );
            }
            SpillOrder::Read(id) => {
                let read = file.read((store, id)).map_err(|error| why(&error));
                let read =
                    read.and_then(|bytes| Chunk::unpack(&bytes).map_err(|error| why(&error)));
                tell(
                    store,
                    match read {
                        Ok(chunk) => SpillNews::Read(Arc::new(chunk)),
                        Err(why) => SpillNews::NotRead(id, why),
                    },
                );
            }
            SpillOrder::Free(id) => file.free((store, id)),
            SpillOrder::FreeAll => file.free_all(store),
        }
    }
}

/// Who reads waits for it: that goes first.
fn next(orders: &Receiver<Order>, queue: &mut VecDeque<Order>) -> Option<Order> {
    if queue.is_empty() {
        queue.push_back(orders.recv().ok()?);
    }
    queue.extend(orders.try_iter());
    let read = queue
        .iter()
        .position(|(_, order)| matches!(order, SpillOrder::Read(_)));
    queue.remove(read.unwrap_or(0))
}

fn why(error: &dyn Error) -> Foreign {
    error.to_string().as_str().into()
}

#[cfg(test)]
mod tests;
