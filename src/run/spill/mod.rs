//! Keeps older lines of logs in a file: a task for all that blocks, which begins with the first order.

mod file;
mod space;

use crate::logic::Event;
use crate::logic::tail::{SpillNews, SpillOrder, StoreId};
use crate::model::Foreign;
use crate::text::{Chunk, ChunkId};
use file::SpillFile;
use std::collections::VecDeque;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::mpsc;

/// What the task is asked for.
enum Order {
    Carry(StoreId, SpillOrder),
    /// For somebody who waits for it.
    Fetch(StoreId, ChunkId, Sender<Result<Arc<Chunk>, Foreign>>),
}

/// Reads what is in the file, beside what the logs themselves read back.
#[derive(Clone, Debug)]
pub struct Shelf {
    orders: Option<Sender<Order>>,
}

impl Shelf {
    /// Waits for the file: not on the loop's thread.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self, store: StoreId, chunk: ChunkId) -> Result<Arc<Chunk>, Foreign> {
        let (give, given) = channel();
        let orders = self.orders.as_ref().ok_or("nothing was written")?;
        let gone = "the file's keeper has ended";
        let sent = orders.send(Order::Fetch(store, chunk, give));
        sent.map_err(|_| gone)?;
        given.recv().map_err(|_| gone)?
    }
}

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

    pub fn shelf(&self) -> Shelf {
        let orders = self.orders.clone();
        Shelf { orders }
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
        let _ = orders.send(Order::Carry(store, order));
    }
}

fn work(orders: &Receiver<Order>, mut file: SpillFile, tell: impl Fn(StoreId, SpillNews)) {
    let mut queue = VecDeque::new();
    while let Some(order) = next(orders, &mut queue) {
        let (store, order) = match order {
            Order::Carry(store, order) => (store, order),
            Order::Fetch(store, id, give) => {
                let _ = give.send(read(&file, store, id));
                continue;
            }
        };
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
            SpillOrder::Read(id) => tell(
                store,
                match read(&file, store, id) {
                    Ok(chunk) => SpillNews::Read(chunk),
                    Err(why) => SpillNews::NotRead(id, why),
                },
            ),
            SpillOrder::Free(id) => file.free((store, id)),
            SpillOrder::FreeAll => file.free_all(store),
        }
    }
}

fn read(file: &SpillFile, store: StoreId, id: ChunkId) -> Result<Arc<Chunk>, Foreign> {
    let bytes = file.read((store, id)).map_err(|error| why(&error))?;
    let chunk = Chunk::unpack(&bytes).map_err(|error| why(&error))?;
    Ok(Arc::new(chunk))
}

/// Who reads waits for it: that goes first.
fn next(orders: &Receiver<Order>, queue: &mut VecDeque<Order>) -> Option<Order> {
    if queue.is_empty() {
        queue.push_back(orders.recv().ok()?);
    }
    queue.extend(orders.try_iter());
    let read = queue.iter().position(|order| {
        matches!(
            order,
            Order::Fetch(..) | Order::Carry(_, SpillOrder::Read(_))
        )
    });
    queue.remove(read.unwrap_or(0))
}

fn why(error: &dyn Error) -> Foreign {
    error.to_string().as_str().into()
}

#[cfg(test)]
mod tests;
