//! A recording under way: a private file that is new, written by a thread of its own so that a slow disk holds nothing
//! up.

use crate::logic::{Mono, Now};
use crate::model::Foreign;
use crate::text::cast::CastEncoder;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::{self, JoinHandle};

/// What may wait for the disk, in bytes.
const MOST_WAITING: usize = 32 << 20;
/// What servers assume of a caller without a window.
const NO_WINDOW: (u16, u16) = (80, 24);

pub struct Recorder {
    encoder: CastEncoder,
    start: Mono,
    lines: mpsc::Sender<String>,
    state: Arc<State>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    /// Bytes.
    waiting: AtomicUsize,
    failed: OnceLock<io::Error>,
}

impl Recorder {
    /// # Errors
    /// When there is such a file already, or none can be made there.
    pub fn start(path: &Path, (columns, rows): (u16, u16), now: Now) -> io::Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        let (columns, rows) = match (columns, rows) {
            (0, _) | (_, 0) => NO_WINDOW,
            window => window,
        };
        let (encoder, header) = CastEncoder::begin(columns, rows, now.wall);
        let (lines, waiting) = mpsc::channel();
        let state = Arc::new(State::default());
        let seen = Arc::clone(&state);
        let thread = thread::Builder::new()
            .name("recording".into())
            .spawn(move || seen.write_all(file, &waiting))?;
        let this = Self {
            encoder,
            start: now.mono,
            lines,
            state,
            thread,
        };
        this.write(header);
        Ok(this)
    }

    pub fn output(&mut self, now: Now, bytes: &[u8]) {
        if let Some(line) = self.encoder.output(now.mono.since(self.start), bytes) {
            self.write(line);
        }
    }

    pub fn resize(&self, now: Now, (columns, rows): (u16, u16)) {
        self.write(
            self.encoder
                .resize(now.mono.since(self.start), columns, rows),
        );
    }

    /// Why nothing more is recorded, if so.
    pub fn failed(&self) -> Option<Foreign> {
        if let Some(error) = self.state.failed.get() {
            return Some(error.to_string().into());
        }
        let slow = self.state.waiting.load(Ordering::Relaxed) > MOST_WAITING;
        slow.then(|| "the disk is too slow for it".into())
    }

    /// Returns when all of it is in the file.
    ///
    /// # Errors
    /// When it is not.
    pub async fn finish(self) -> Result<(), Foreign> {
        let Self {
            lines,
            state,
            thread,
            ..
        } = self;
        drop(lines);
        // A thread that is gone has told why.
        let _ = tokio::task::spawn_blocking(|| thread.join()).await;
        match state.failed.get() {
            Some(error) => Err(error.to_string().into()),
            None => Ok(()),
        }
    }

    fn write(&self, line: String) {
        self.state.waiting.fetch_add(line.len(), Ordering::Relaxed);
        // Fails only when the file did.
        let _ = self.lines.send(line);
    }
}

impl State {
    fn write_all(&self, mut file: File, lines: &mpsc::Receiver<String>) {
        for line in lines {
            if let Err(error) = file.write_all(line.as_bytes()) {
                let _ = self.failed.set(error);
                return;
            }
            self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
        }
    }
}
