//! The loop: takes events, lets `app` decide, carries out effects, draws when there is something new.
//!
//! Keys have a channel of their own and are served first; after one, the frame comes before further news. Nothing
//! due is no wake-up and no frame.

use super::clock::Clock;
use super::effects::Executor;
use super::inbox::{Inbox, Incoming};
use super::input::Input;
use super::out::Visit;
use super::pace::Pace;
use super::screen::Screen;
use super::settings::SettingsFiles;
use super::terminal::Terminal;
use super::{Control, End, signals};
use crate::app;
use crate::logic::settings::Remembered;
use crate::logic::{Effect, Event, Told};
use ratatui::layout::Size;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Keys that wait; a terminal that sends faster waits itself.
const KEYS: usize = 256;
/// Events between two looks at the clock and the other channels.
const MOST_A_TURN: usize = 64;
/// The least time between two looks at what is due.
const LEAST_WAIT: Duration = Duration::from_millis(5);
/// A stop takes effect at once, if at all.
const STOPS_WITHIN: Duration = Duration::from_millis(500);

pub struct Loop {
    state: app::State,
    clock: Clock,
    terminal: Arc<Terminal>,
    screen: ratatui::Terminal<Screen>,
    executor: Executor,
    inbox: Inbox,
    to_control: mpsc::UnboundedSender<Control>,
    to_keys: mpsc::Sender<Event>,
    input: Option<Input>,
    pace: Pace,
    /// The last of a row of resizes; only that one counts.
    resized: Option<Size>,
    due_seen: Instant,
    /// Stops that we sent ourselves and will hear of.
    own_stops: u32,
    settings: SettingsFiles,
    /// The terminal's window has the focus.
    focused: bool,
    /// Another program has the terminal: nothing is drawn, and all else goes on.
    lent: bool,
    end: Option<End>,
}

/// What the loop is built around.
pub struct Parts {
    pub clock: Clock,
    pub terminal: Arc<Terminal>,
    pub executor: Executor,
    pub settings: SettingsFiles,
    pub news: mpsc::Receiver<Event>,
    pub control: mpsc::UnboundedReceiver<Control>,
    pub to_control: mpsc::UnboundedSender<Control>,
}

impl Loop {
    /// Draws the first frame; what it shows is asked for only then. Within a runtime, on the thread that will run it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn start(parts: Parts, options: app::Options) -> io::Result<Self> {
        let size = options.size;
        let (state, effects) = app::start(options, parts.clock.now());
        let (to_keys, keys) = mpsc::channel(KEYS);
        let mut this = Self {
            state,
            clock: parts.clock,
            screen: ratatui::Terminal::new(Screen::new(Arc::clone(&parts.terminal), size))?,
            terminal: parts.terminal,
            executor: parts.executor,
            inbox: Inbox::new(parts.control, keys, parts.news),
            to_control: parts.to_control,
            to_keys,
            input: None,
            pace: Pace::default(),
            resized: None,
            due_seen: Instant::now(),
            own_stops: 0,
            settings: parts.settings,
            focused: true,
            lent: false,
            end: None,
        };
        this.draw()?;
        let ask = this.state.asks_background();
        this.listen(ask.then(|| Arc::clone(&this.terminal)))?;
        this.carry_out(effects)?;
        Ok(this)
    }

    /// Runs until something ends it. What is typed after that belongs to the shell.
    pub fn run(&mut self) -> End {
        loop {
            // Only the terminal can fail here, and only by being gone.
            if let Err(error) = self.turn() {
                tracing::warn!(%error, "terminal");
                return End::TerminalGone;
            }
            if let Some(end) = self.end.take() {
                if end.may_wait() {
                    self.stop_listening();
                }
                return end;
            }
        }
    }

    fn turn(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let frame = self.pace.frame_at(now).filter(|_| !self.lent);
        if frame.is_some_and(|at| at <= now) {
            return self.draw();
        }
        let due = app::next_due(&self.state)
            .map(|due| self.clock.instant(due).max(self.due_seen + LEAST_WAIT));
        let until = frame.into_iter().chain(due).min();
        let incoming = match self.lent {
            true => self.inbox.next_but_keys(until),
            false => self.inbox.next(until),
        };
        match incoming {
            Some(Incoming::Control(control)) => self.controlled(control)?,
            Some(Incoming::Key(event)) => self.drain(event, true)?,
            Some(Incoming::News(event)) => self.drain(event, false)?,
            None => {}
        }
        if due.is_some_and(|due| due <= Instant::now()) {
            self.due_seen = Instant::now();
            self.pace.something_happened();
            self.tell(Event::Due)?;
            if self.focused && self.settings.are_due(self.due_seen) {
                self.reread_settings()?;
            }
        }
        Ok(())
    }

    /// What waits, up to a bound. Keys overtake news, and after a key the frame comes first.
    fn drain(&mut self, first: Event, from_keys: bool) -> io::Result<()> {
        let mut keyed = from_keys;
        self.take(first)?;
        for _ in 1..MOST_A_TURN {
            if let Some(event) = self.inbox.waiting_key() {
                keyed = true;
                self.take(event)?;
            } else if !keyed && let Some(event) = self.inbox.waiting_news() {
                self.take(event)?;
            } else {
                break;
            }
        }
        self.resize()
    }

    fn take(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Resize { columns, rows } => {
                self.resized = Some(Size::new(columns, rows));
                return Ok(());
            }
            Event::Stream { .. } | Event::Spill(..) | Event::Shell(..) => {
                self.pace.output_arrived();
            }
            Event::Focus(focused) => {
                self.focused = focused;
                self.pace.something_happened();
                if focused {
                    self.reread_settings()?;
                }
            }
            // Polls mostly tell what is known, and a key in a shell shows with its echo: neither is a frame.
            Event::Answer(_) | Event::Key(_) => {
                self.resize()?;
                self.tell(event)?;
                if self.state.shows_news() {
                    self.pace.something_happened();
                }
                return Ok(());
            }
            _ => self.pace.something_happened(),
        }
        self.resize()?;
        self.tell(event)
    }

    fn resize(&mut self) -> io::Result<()> {
        let Some(size) = self.resized.take() else {
            return Ok(());
        };
        self.pace.something_happened();
        // Even where it is the size of the last frame: it was another one meanwhile, by which the terminal may have
        // lost what we believe to be there.
        self.screen.clear()?;
        self.screen.backend_mut().set_size(size);
        self.tell(Event::Resize {
            columns: size.width,
            rows: size.height,
        })
    }

    fn tell(&mut self, event: Event) -> io::Result<()> {
        let effects = app::update(&mut self.state, self.clock.now(), event);
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Quit(fate) => self.end = Some(End::Quit(fate)),
                Effect::RereadSettings => self.reread_settings()?,
                Effect::Redraw => self.screen.clear()?,
                Effect::Bell => self.terminal.write(b"\x07")?,
                Effect::Notify(sequence, text) => self.terminal.notify(sequence, &text)?,
                Effect::MouseCapture(on) => self.terminal.set_mouse(on)?,
                Effect::Suspend if signals::can_suspend() => {
                    let _ = self.to_control.send(Control::SuspendJob);
                }
                Effect::Suspend => self.tell(Event::Told(Told::Failed {
                    what: "suspend",
                    why: "no shell waits for this program".into(),
                }))?,
                Effect::TellKeysApart(on) => self.terminal.tell_keys_apart(on)?,
                Effect::CursorShape(shape) => self.screen.backend_mut().shape_cursor(shape)?,
                effect => self.executor.carry_out(effect),
            }
        }
        Ok(())
    }

    fn reread_settings(&mut self) -> io::Result<()> {
        match self.settings.changed(Instant::now()) {
            Some(config) => {
                self.pace.something_happened();
                self.tell(Event::Settings(Box::new(config)))
            }
            None => Ok(()),
        }
    }

    /// What the next start should find again.
    pub fn remembered(&self) -> Remembered {
        self.state.remembered()
    }

    fn draw(&mut self) -> io::Result<()> {
        #[cfg(debug_assertions)]
        super::panics::on_purpose("render");
        self.screen.draw(|frame| app::view(&self.state, frame))?;
        self.pace.drew(Instant::now());
        Ok(())
    }

    fn controlled(&mut self, control: Control) -> io::Result<()> {
        match control {
            Control::Signal(number) => self.end = Some(End::Signal(number)),
            Control::TerminalGone => self.end = Some(End::TerminalGone),
            Control::Panicked => self.end = Some(End::Panicked),
            Control::Unusable(why) => self.end = Some(End::Unusable(why)),
            Control::Visit(visit) => self.lend(visit)?,
            Control::Visited(told) => {
                self.lent = false;
                self.come_back()?;
                self.take(Event::Told(told))?;
            }
            // The stop goes to the whole job, and so does the shell's signal that it goes on.
            Control::Suspend | Control::SuspendJob if self.lent => signals::stop_self(),
            Control::Continued if self.lent => {}
            Control::SuspendJob => {
                self.own_stops += 1;
                self.suspend(true)?;
            }
            Control::Suspend if self.own_stops > 0 => self.own_stops -= 1,
            Control::Suspend => self.suspend(false)?,
            Control::Continued => self.come_back()?,
        }
        Ok(())
    }

    /// Gives the terminal back and stops, alone or with the whole job, until a shell continues us.
    fn suspend(&mut self, whole_job: bool) -> io::Result<()> {
        if !signals::can_suspend() {
            return Ok(());
        }
        self.stop_listening();
        self.terminal.leave();
        if whole_job {
            signals::stop_job();
        }
        signals::stop_self();
        // The stop may begin a moment later; what follows belongs after it.
        let moment = Some(Instant::now() + STOPS_WITHIN);
        while let Some(control) = self.inbox.next_control(moment) {
            match control {
                Control::Continued => break,
                Control::Suspend => self.own_stops = self.own_stops.saturating_sub(1),
                Control::SuspendJob => {}
                end => {
                    let _ = self.to_control.send(end);
                    break;
                }
            }
        }
        self.come_back()
    }

    /// Hands the terminal to a program, until `Control::Visited` tells that it is done.
    fn lend(&mut self, visit: Visit) -> io::Result<()> {
        if self.lent {
            return self.tell(Event::Told(Told::Failed {
                what: "start a program",
                why: "another one has the terminal".into(),
            }));
        }
        self.stop_listening();
        // What was typed ahead was not meant for us any more.
        while self.inbox.waiting_key().is_some() {}
        self.terminal.lend();
        self.lent = true;
        let control = self.to_control.clone();
        std::thread::Builder::new()
            .name("visit".into())
            .spawn(move || control.send(Control::Visited(visit.run())))?;
        Ok(())
    }

    /// Also after a stop that we did not hear of: the shell had the terminal meanwhile.
    fn come_back(&mut self) -> io::Result<()> {
        self.terminal.leave();
        self.terminal.enter()?;
        if self.input.is_none() {
            self.listen(None)?;
        }
        let (columns, rows) = Terminal::size();
        self.take(Event::Resize { columns, rows })?;
        self.take(Event::Resumed)
    }

    /// Returns when nobody reads the terminal any more.
    fn stop_listening(&mut self) {
        if let Some(input) = self.input.take() {
            input.stop();
        }
    }

    /// `ask`: the terminal that should say what its background is.
    fn listen(&mut self, ask: Option<Arc<Terminal>>) -> io::Result<()> {
        let input = Input::start(self.to_keys.clone(), self.to_control.clone(), ask)?;
        self.input = Some(input);
        let size = Terminal::size().into();
        self.resized = (self.screen.size()? != size).then_some(size);
        Ok(())
    }
}
