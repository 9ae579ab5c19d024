//! Open shells: a task each, from the question where to connect to the last word (api.md §5).
//!
//! Nothing piles up: output waits on the wire while the loop holds as much as it may, and input has a bound.

mod credit;
mod frame;
mod open;
mod pulse;
mod record;
mod talk;
#[cfg(test)]
mod tests;

use super::clock::Clock;
use super::connection::Link;
use crate::logic::{Event, Now, ShellId, ShellNews, ShellOrder, ShellStart, Told};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Input that may wait for its shell, in bytes.
const MOST_INPUT: usize = 8 << 20;
/// Between two looks at the clocks and at the other side's silence.
const TICK: Duration = Duration::from_secs(5);

pub struct Shells {
    desk: Desk,
    open: HashMap<ShellId, Line>,
}

/// What every shell's task works with.
#[derive(Clone)]
struct Desk {
    link: Link,
    news: mpsc::Sender<Event>,
    now: Arc<dyn Fn() -> Now + Send + Sync>,
    tick: Duration,
}

/// Our end of one shell's task.
struct Line {
    queue: Queue,
    size: watch::Sender<(u16, u16)>,
    close: CancellationToken,
    task: JoinHandle<()>,
}

/// Input on its way to one shell.
#[derive(Clone)]
pub struct Queue {
    wishes: mpsc::UnboundedSender<Wish>,
    room: Arc<Semaphore>,
    /// Bytes of input that were ever accepted.
    typed: Arc<AtomicU64>,
}

/// The task's end of it.
struct Orders {
    wishes: mpsc::UnboundedReceiver<Wish>,
    typed: Arc<AtomicU64>,
    size: watch::Receiver<(u16, u16)>,
    close: CancellationToken,
}

/// What is done in the order of its coming.
enum Wish {
    /// With the room it takes in the queue.
    Input(Vec<u8>, OwnedSemaphorePermit),
    Record(Option<PathBuf>),
}

impl Shells {
    pub fn new(link: Link, news: mpsc::Sender<Event>) -> Self {
        let clock = Clock::start();
        Self::with(Desk {
            link,
            news,
            now: Arc::new(move || clock.now()),
            tick: TICK,
        })
    }

    fn with(desk: Desk) -> Self {
        Self {
            desk,
            open: HashMap::new(),
        }
    }

    pub fn carry_out(&mut self, id: ShellId, order: ShellOrder) {
        match order {
            ShellOrder::Open(start) => self.open(id, *start),
            ShellOrder::Input(typed) => self.type_in(id, typed.0),
            ShellOrder::Resize { columns, rows } => {
                if let Some(line) = self.open.get(&id) {
                    line.size.send_replace((columns, rows));
                }
            }
            ShellOrder::Record(path) => {
                if let Some(line) = self.open.get(&id) {
                    let _ = line.queue.wishes.send(Wish::Record(path));
                }
            }
            ShellOrder::Close => {
                if let Some(line) = self.open.remove(&id) {
                    line.close.cancel();
                }
            }
        }
    }

    /// Where its input waits; `None`: there is no such shell.
    pub fn queue(&self, id: ShellId) -> Option<Queue> {
        Some(self.open.get(&id)?.queue.clone())
    }

    /// As a `Close`, and returns when all of it is over.
    pub async fn close(&mut self, id: ShellId) {
        if let Some(line) = self.open.remove(&id) {
            line.close.cancel();
            let _ = line.task.await;
        }
    }

    fn open(&mut self, id: ShellId, start: ShellStart) {
        self.open.retain(|_, line| !line.task.is_finished());
        let (to_wishes, wishes) = mpsc::unbounded_channel();
        let (to_size, size) = watch::channel((start.columns, start.rows));
        let typed = Arc::<AtomicU64>::default();
        let close = CancellationToken::new();
        let orders = Orders {
            wishes,
            typed: Arc::clone(&typed),
            size,
            close: close.clone(),
        };
        let line = Line {
            queue: Queue {
                wishes: to_wishes,
                room: Arc::new(Semaphore::new(MOST_INPUT)),
                typed,
            },
            size: to_size,
            close,
            task: tokio::spawn(live(self.desk.clone(), id, start, orders)),
        };
        if let Some(former) = self.open.insert(id, line) {
            former.close.cancel();
        }
    }

    fn type_in(&mut self, id: ShellId, bytes: Vec<u8>) {
        let Some(line) = self.open.get(&id) else {
            return;
        };
        let count = bytes.len();
        if line.queue.type_now(bytes) {
            return;
        }
        let news = self.desk.news.clone();
        let told = Told::Failed {
            what: "type it in",
            why: format!(
                "the program takes no input and {MOST_INPUT} bytes wait already; {count} bytes were left out"
            )
            .into(),
        };
        // The loop that waits here for itself would wait for ever.
        tokio::spawn(async move { news.send(Event::Told(told)).await });
    }
}

impl Queue {
    /// Waits until there is room for it. `false`: the shell is over.
    pub async fn type_in(&self, bytes: Vec<u8>) -> bool {
        let room = Arc::clone(&self.room).acquire_many_owned(weight(&bytes));
        room.await.is_ok_and(|room| self.accept(bytes, room))
    }

    /// `false`: there is no room for it.
    fn type_now(&self, bytes: Vec<u8>) -> bool {
        let room = Arc::clone(&self.room).try_acquire_many_owned(weight(&bytes));
        // A shell that is over needs no room either.
        room.is_ok_and(|room| {
            self.accept(bytes, room);
            true
        })
    }

    fn accept(&self, bytes: Vec<u8>, room: OwnedSemaphorePermit) -> bool {
        self.typed.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.wishes.send(Wish::Input(bytes, room)).is_ok()
    }
}

/// In permits of its queue's room. A single piece that is larger than all of it has to wait for all of it.
fn weight(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len().min(MOST_INPUT)).unwrap_or(u32::MAX)
}

/// One shell's life. It ends with a word to the loop, unless the loop closed it.
async fn live(mut desk: Desk, id: ShellId, start: ShellStart, orders: Orders) {
    let close = orders.close.clone();
    let opened = tokio::select! {
        opened = open::open(&mut desk, id, &start) => opened,
        () = close.cancelled() => return,
    };
    let last = match opened {
        Ok(shell) => talk::talk(&desk, id, shell, orders).await,
        Err(failure) => Some(ShellNews::Failed(failure)),
    };
    if let Some(last) = last {
        desk.tell(id, last).await;
    }
}

impl Desk {
    /// `false`: nobody listens any more.
    async fn tell(&self, id: ShellId, news: ShellNews) -> bool {
        self.news.send(Event::Shell(id, news)).await.is_ok()
    }

    fn now(&self) -> Now {
        (self.now)()
    }
}
