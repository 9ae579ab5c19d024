//! Keys, clicks, pastes and window news, from the terminal to the loop's first channel.

use super::Control;
use super::terminal::Terminal;
use crate::logic::Event;
use crossterm::event::{Event as Read, EventStream, KeyEventKind, MouseEventKind};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Reads until it is stopped. The terminal must be ours while it runs: two readers would share out the keys.
pub struct Input {
    task: JoinHandle<()>,
}

impl Input {
    pub fn start(keys: mpsc::Sender<Event>, control: mpsc::UnboundedSender<Control>) -> Self {
        let task = tokio::spawn(async move {
            let mut stream = EventStream::new();
            // Before this nobody would have told of a change.
            let (columns, rows) = Terminal::size();
            if keys.send(Event::Resize { columns, rows }).await.is_err() {
                return;
            }
            while let Some(Ok(read)) = stream.next().await {
                if let Some(event) = admit(read)
                    && keys.send(event).await.is_err()
                {
                    return;
                }
            }
            let _ = control.send(Control::TerminalGone);
        });
        Self { task }
    }

    /// Comes back when nothing reads the terminal any more.
    pub async fn stop(self) {
        self.task.abort();
        let _ = self.task.await;
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
        Read::Resize(columns, rows) => Some(Event::Resize { columns, rows }),
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
