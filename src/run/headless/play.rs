//! `sandtop play`: a recording of a terminal, in this terminal.

use super::super::complaint::Complaint;
use super::super::inbox::{Inbox, Incoming};
use super::super::input::Input;
use super::super::screen::Screen;
use super::super::terminal::Terminal;
use super::super::{Control, End, FAILED, UNUSABLE, fail, panics, signals};
use crate::app::player::{self, Player, Wish};
use crate::logic::{EngineFate, Event};
use crate::model::Span;
use crate::text::cast::Cast;
use crate::ui::{Looks, Theme};
use clap::Args;
use ratatui::layout::Size;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 512 << 20;
/// Keys that wait.
const KEYS: usize = 64;
/// Between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Between two frames when nothing happens: the time goes on.
const SLOW_FRAME: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct PlayArguments {
    /// An asciicast file, version 2 or 3
    pub file: PathBuf,
    /// How fast: 0.5 is half as fast, 2 twice
    #[arg(long, default_value = "1", value_name = "FACTOR", value_parser = speed)]
    pub speed: f64,
}

fn speed(text: &str) -> Result<f64, &'static str> {
    let factor: f64 = text.parse().map_err(|_| "the speed is a number: 0.5, 2")?;
    let sensible = factor.is_finite() && factor > 0.0;
    sensible.then_some(factor).ok_or("the speed is more than 0")
}

pub fn play(arguments: &PlayArguments) -> ExitCode {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let sentence = "A recording is played in a terminal, and there is none.";
        return fail(UNUSABLE, &Complaint::new(sentence));
    }
    let cast = match read(&arguments.file) {
        Ok(cast) => cast,
        Err(why) => {
            let sentence = format!("{} cannot be played: {why}.", arguments.file.display());
            return fail(FAILED, &Complaint::new(&sentence));
        }
    };
    let ended = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .and_then(|runtime| {
            let entered = runtime.enter();
            let ended = show(Player::new(cast, arguments.speed));
            drop(entered);
            runtime.shutdown_background();
            ended
        });
    match ended {
        Ok(end) => end.code(),
        Err(error) => {
            let sentence = format!("The terminal cannot be used: {error}.");
            fail(FAILED, &Complaint::new(&sentence))
        }
    }
}

fn read(path: &Path) -> Result<Cast, String> {
    let mut file = Vec::new();
    let read = File::open(path).and_then(|from| from.take(LARGEST + 1).read_to_end(&mut file));
    read.map_err(|error| error.to_string())?;
    if file.len() as u64 > LARGEST {
        return Err(format!("it is larger than {} MiB", LARGEST >> 20));
    }
    Cast::read(&file).map_err(str::to_owned)
}

/// Within a runtime.
fn show(player: Player) -> io::Result<End> {
    let terminal = Arc::new(Terminal::default());
    let (to_control, control) = mpsc::unbounded_channel();
    let (to_keys, keys) = mpsc::channel(KEYS);
    let (_no_news, news) = mpsc::channel(1);
    panics::restore_first(Arc::clone(&terminal), to_control.clone());
    signals::watch(&to_control, &terminal)?;
    let (columns, rows) = Terminal::size();
    let screen = Screen::new(Arc::clone(&terminal), Size::new(columns, rows));
    let mut showing = Showing {
        player,
        theme: Theme::choose(Looks::of(|name| std::env::var(name).ok())),
        screen: ratatui::Terminal::new(screen)?,
        terminal: Arc::clone(&terminal),
        inbox: Inbox::new(control, keys, news),
        seen: Instant::now(),
    };
    let ended = terminal.enter().and_then(|()| {
        let input = Input::start(to_keys, to_control, None)?;
        let size = Terminal::size().into();
        showing.screen.backend_mut().set_size(size);
        let ended = showing.run();
        if ended.as_ref().is_ok_and(End::may_wait) {
            input.stop();
        }
        ended
    });
    terminal.leave();
    ended
}

struct Showing {
    player: Player,
    theme: Theme,
    screen: ratatui::Terminal<Screen>,
    terminal: Arc<Terminal>,
    inbox: Inbox,
    /// When the player was last told the time.
    seen: Instant,
}

impl Showing {
    fn run(&mut self) -> io::Result<End> {
        loop {
            let now = Instant::now();
            // The player counts in whole milliseconds.
            let by = u64::try_from((now - self.seen).as_millis()).unwrap_or(u64::MAX);
            self.seen += Duration::from_millis(by);
            self.player
                .advance(Span(i64::try_from(by).unwrap_or(i64::MAX)));
            self.screen
                .draw(|frame| player::view(&self.player, &self.theme, frame))?;
            if let Some(end) = self.wait(now)? {
                return Ok(end);
            }
        }
    }

    /// For the next event, or until there is something new to show.
    fn wait(&mut self, now: Instant) -> io::Result<Option<End>> {
        let due = self.player.due().map(|due| {
            let due = Duration::from_millis(due.0.unsigned_abs());
            now + due.clamp(FRAME, SLOW_FRAME)
        });
        match self.inbox.next(due) {
            Some(Incoming::Key(Event::Key(key))) => {
                let quits = self.player.key(key) == Wish::Quit;
                return Ok(quits.then_some(End::Quit(EngineFate::End)));
            }
            Some(Incoming::Key(Event::Resize { columns, rows })) => {
                let size = Size::new(columns, rows);
                self.screen.backend_mut().set_size(size);
                // The terminal may have had yet another one meanwhile, and lost what was drawn.
                self.screen.clear()?;
            }
            Some(Incoming::Control(control)) => return self.controlled(control),
            Some(Incoming::Key(_) | Incoming::News(_)) | None => {}
        }
        Ok(None)
    }

    fn controlled(&mut self, control: Control) -> io::Result<Option<End>> {
        match control {
            Control::Signal(number) => return Ok(Some(End::Signal(number))),
            Control::TerminalGone => return Ok(Some(End::TerminalGone)),
            Control::Panicked => return Ok(Some(End::Panicked)),
            Control::Unusable(why) => return Ok(Some(End::Unusable(why))),
            Control::Suspend | Control::SuspendJob => {
                self.terminal.leave();
                signals::stop_self();
            }
            Control::Continued => {
                self.terminal.leave();
                self.terminal.enter()?;
                self.screen.clear()?;
                // A stop is no time of the recording.
                self.seen = Instant::now();
            }
            // Nothing here hands the terminal on.
            Control::Visit(_) | Control::Visited(_) => {}
        }
        Ok(None)
    }
}
