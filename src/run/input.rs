//! Keys, clicks, pastes and window news, from the terminal to the loop's first channel.

use super::Control;
use super::background::{self, Asked, Late};
use super::terminal::Terminal;
use crate::logic::Event;
use crossterm::event::{Event as Read, EventStream, KeyEventKind, MouseEventKind};
use futures_util::StreamExt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, mpsc};

/// The reader of a terminal that is gone may never come back.
const STOPS_WITHIN: Duration = Duration::from_millis(500);

/// Reads until it is stopped. The terminal must be ours while it runs: two readers would share out the keys.
pub struct Input {
    stop: Arc<Notify>,
    /// Closed when the thread is done.
    done: Receiver<()>,
}

impl Input {
    /// On a thread of its own: reading a terminal may block in the middle of a sequence. `ask`: first for the
    /// background of that terminal. Changes of size from now on are told, so look at the size after this.
    ///
    /// # Errors
    /// When the system refuses a thread, or a handler.
    pub fn start(
        keys: mpsc::Sender<Event>,
        control: mpsc::UnboundedSender<Control>,
        ask: Option<Arc<Terminal>>,
    ) -> io::Result<Self> {
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let (working, done) = channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let resized = {
            let _within = runtime.enter();
            signal(SignalKind::window_change())?
        };
        let read = move || {
            let asked = ask.map(|terminal| background::ask(&terminal));
            let asked = asked.unwrap_or_default();
            runtime.block_on(async {
                tokio::select! {
                    () = forward(&keys, asked, resized) => {
                        let _ = control.send(Control::TerminalGone);
                    }
                    () = stopped.notified() => {}
                }
            });
            drop(working);
        };
        std::thread::Builder::new()
            .name("input".into())
            .spawn(read)?;
        Ok(Self { stop, done })
    }

    /// Comes back when nothing reads the terminal any more.
    pub fn stop(self) {
        self.stop.notify_one();
        let _ = self.done.recv_timeout(STOPS_WITHIN);
    }
}

/// Ends when there is nothing to read from, or nobody to tell.
async fn forward(keys: &mpsc::Sender<Event>, asked: Asked, mut resized: Signal) {
    let mut late = Late::new(asked.late);
    for event in asked.events {
        if keys.send(event).await.is_err() {
            return;
        }
    }
    let mut stream = EventStream::new();
    loop {
        let event = tokio::select! {
            read = stream.next() => match read {
                Some(Ok(read)) if late.takes(&read) => None,
                Some(Ok(read)) => admit(read),
                _ => return,
            },
            _ = resized.recv() => {
                let (columns, rows) = Terminal::size();
                Some(Event::Resize { columns, rows })
            }
        };
        if let Some(event) = event
            && keys.send(event).await.is_err()
        {
            return;
        }
    }
}

/// Terminals that tell releases of keys tell them besides the presses: a key would act twice.
fn admit(read: Read) -> Option<Event> {
    match read {
        Read::Key(key) if key.kind == KeyEventKind::Release => None,
        Read::Key(key) => Some(Event::Key(key)),
        Read::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => None,
        Read::Mouse(mouse) => Some(Event::Mouse(mouse)),
        Read::Paste(text) => Some(Event::Paste(text)),
        // The crate loses a change of size that comes together with a key; we hear of all of them ourselves.
        Read::Resize(..) => None,
        Read::FocusGained => Some(Event::Focus(true)),
        Read::FocusLost => Some(Event::Focus(false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    #[test]
    fn a_released_key_does_nothing_and_a_held_one_repeats() {
        for code in [KeyCode::Char('j'), KeyCode::Enter, KeyCode::Char('d')] {
            let passes = |kind| {
                let key = KeyEvent::new_with_kind(code, KeyModifiers::NONE, kind);
                admit(Read::Key(key)).is_some()
            };
            assert!(passes(KeyEventKind::Press));
            assert!(passes(KeyEventKind::Repeat));
            assert!(!passes(KeyEventKind::Release));
        }
    }
}
