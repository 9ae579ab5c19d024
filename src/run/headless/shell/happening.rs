//! What reaches a shell without the dashboard: its news, signals, and panics.

use super::local::Local;
use crate::logic::{Event, ShellNews};
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

/// Pieces of news that wait.
const WAITING: usize = 4;
/// What a program that panicked exits with.
const PANICKED: u8 = 101;

pub struct Happenings {
    news: mpsc::Receiver<Event>,
    /// Exit codes.
    ends: mpsc::UnboundedReceiver<u8>,
    resized: Signal,
    continued: Signal,
}

pub enum Happened {
    News(ShellNews),
    Resized,
    /// After a stop, during which somebody else had the terminal.
    Continued,
    /// With this exit code.
    Ended(u8),
}

impl Happenings {
    /// Also where the news is to be sent.
    pub fn new(local: &Local) -> io::Result<(Self, mpsc::Sender<Event>)> {
        let (to_news, news) = mpsc::channel(WAITING);
        let (to_ends, ends) = mpsc::unbounded_channel();
        for kind in [
            SignalKind::terminate(),
            SignalKind::hangup(),
            SignalKind::interrupt(),
            SignalKind::quit(),
        ] {
            let mut arrived = signal(kind)?;
            let to_ends = to_ends.clone();
            let code = 128 + u8::try_from(kind.as_raw_value()).unwrap_or_default();
            tokio::spawn(async move {
                while arrived.recv().await.is_some() && to_ends.send(code).is_ok() {}
            });
        }
        let this = Self {
            news,
            ends,
            resized: signal(SignalKind::window_change())?,
            continued: signal(SignalKind::from_raw(libc::SIGCONT))?,
        };
        restore_first(local.clone(), to_ends);
        Ok((this, to_news))
    }

    pub async fn next(&mut self) -> Happened {
        loop {
            return tokio::select! {
                biased;
                Some(code) = self.ends.recv() => Happened::Ended(code),
                Some(()) = self.resized.recv() => Happened::Resized,
                Some(()) = self.continued.recv() => Happened::Continued,
                event = self.news.recv() => match event {
                    Some(Event::Shell(_, news)) => Happened::News(news),
                    Some(_) => continue,
                    None => Happened::Ended(PANICKED),
                },
            };
        }
    }
}

/// A panic gives the terminal back before its report is printed, and ends the program.
fn restore_first(local: Local, ends: mpsc::UnboundedSender<u8>) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        local.leave();
        report(panic);
        let _ = ends.send(PANICKED);
    }));
}
