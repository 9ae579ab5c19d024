//! What one command's output says, read as it comes.

use crate::agents::{Format, Piece, Reader, Run, Stream};
use crate::logic::{StoreId, Tail};
use crate::model::{StreamName, Timestamp};
use crate::text::{LogStore, Lookup};

/// A log, read as an agent's run. A plain log of what is no agent by its name is not kept as steps.
#[derive(Debug)]
pub struct AgentRun {
    reader: Reader,
    /// The store whose lines it counts; another one: the log began anew.
    store: StoreId,
    /// By the command's name: what it prints is a run, whatever it looks like.
    named: bool,
    forced: bool,
    /// It is a plain log: no use in reading on.
    deaf: bool,
    ended: bool,
}

impl AgentRun {
    pub(super) fn new(store: StoreId, named: bool) -> Self {
        Self {
            reader: Reader::new(),
            store,
            named,
            forced: false,
            deaf: false,
            ended: false,
        }
    }

    /// What was read so far. Of a plain log only its format.
    pub fn run(&self) -> &Run {
        self.reader.run()
    }

    /// For what changed since: see [`Reader::revision`] and [`Reader::changed_since`]. Another store, or a revision
    /// that is lower than before, means that it is read anew.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The store whose lines the steps name.
    pub fn store(&self) -> StoreId {
        self.store
    }

    /// It is an agent's, by its name, by its output, or because somebody said so.
    pub fn is_agent(&self) -> bool {
        self.named || self.forced || self.run().format.is_some_and(Format::is_agent)
    }

    /// A piece of output that the store is about to take.
    pub(in crate::logic) fn hear(
        &mut self,
        store: &LogStore,
        stream: &StreamName,
        text: &str,
        arrived: Option<Timestamp>,
    ) {
        let Some(of_reader) = of_reader(stream).filter(|_| !self.deaf) else {
            return;
        };
        self.ended = false;
        // The lines after an open one are numbered as if it were the newest.
        let line = store.end() - u64::from(store.is_open(stream));
        self.reader.feed(Piece {
            stream: of_reader,
            line,
            arrived,
            bytes: text.as_bytes(),
        });
        if !self.is_agent() && self.run().format == Some(Format::Plain) {
            self.deaf = true;
            self.reader = Reader::forced(Format::Plain);
        }
    }

    /// What comes now does not go on where the log broke off.
    pub(in crate::logic) fn anew(&mut self, store: StoreId) {
        *self = Self::new(store, self.named);
    }

    pub(super) fn follow(&mut self, tail: &Tail, named: bool) {
        self.named |= named;
        if tail.follow.has_all() && !self.ended {
            self.ended = true;
            self.reader.end();
        }
    }

    /// Reads the log once more, as that format. Lines that are not in memory are left out.
    pub(super) fn read_as(&mut self, format: Format, tail: &Tail) {
        self.reader = Reader::forced(format);
        (self.forced, self.deaf, self.ended) = (true, false, false);
        let store = &tail.store;
        for number in store.first()..store.end() {
            let Lookup::Line(line) = store.get(number) else {
                continue;
            };
            let Some(stream) = line.stream.and_then(of_reader) else {
                continue;
            };
            let end = if line.open { "" } else { "\n" };
            for bytes in [line.raw.as_bytes(), end.as_bytes()] {
                self.reader.feed(Piece {
                    stream,
                    line: number,
                    arrived: line.arrived,
                    bytes,
                });
            }
        }
        self.follow(tail, false);
    }
}

fn of_reader(stream: &StreamName) -> Option<Stream> {
    match stream {
        StreamName::Stdout => Some(Stream::Stdout),
        StreamName::Stderr => Some(Stream::Stderr),
        StreamName::Other(_) => None,
    }
}
