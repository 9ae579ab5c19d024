//! A dashboard and a service that answers it, without a terminal, a network or a clock.
#![allow(dead_code)] // each test program uses a part of it

mod service;

pub use service::{EPOCH, Service};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Size;
use sandtop::app::{self, Options, State};
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::{Backend, Call, Effect, Event, Mono, Now};
use sandtop::model::{SandboxName, Span, Timestamp};
use sandtop::ui::{Depth, Looks};

pub struct Scene {
    pub state: State,
    pub now: Now,
    pub service: Service,
    /// Every call ever sent, in order.
    pub calls: Vec<Call>,
    /// Effects that are no calls.
    pub effects: Vec<Effect>,
    /// Calls that are not answered yet.
    waiting: Vec<(sandtop::logic::Tag, Call)>,
}

/// What is confirmed is sent at once.
fn at_once() -> Config {
    let mut config = Config::default();
    config.settings.undo = Span(0);
    config
}

pub fn options(width: u16, height: u16) -> Options {
    Options {
        read_only: false,
        sample: false,
        looks: Looks {
            depth: Depth::True,
            light: false,
            ascii: false,
        },
        zone: jiff::tz::TimeZone::UTC,
        config: at_once(),
        remembered: Remembered::default(),
        backend: Backend {
            name: "local engine".into(),
            isolation: Some("userns".into()),
            local: true,
            ..Backend::default()
        },
        size: Size::new(width, height),
    }
}

impl Scene {
    /// Starts, and lets the first reading come to its end.
    pub fn new(options: Options, service: Service) -> Self {
        let mut scene = Self::unanswered(options, service);
        scene.answer();
        scene.wait(2_000);
        scene
    }

    /// Starts; nothing is answered yet.
    pub fn unanswered(options: Options, service: Service) -> Self {
        let now = Now {
            mono: Mono(10_000),
            wall: Timestamp(EPOCH),
        };
        let (state, effects) = app::start(options, now);
        let mut scene = Self {
            state,
            now,
            service,
            calls: Vec::new(),
            effects: Vec::new(),
            waiting: Vec::new(),
        };
        scene.take(effects);
        scene
    }

    /// An event, and nothing answered.
    pub fn send(&mut self, event: Event) -> &mut Self {
        let effects = app::update(&mut self.state, self.now, event);
        self.take(effects);
        self
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Call { tag, call } => {
                    self.calls.push(call.clone());
                    self.waiting.push((tag, call));
                }
                other => self.effects.push(other),
            }
        }
    }

    /// Answers all calls, and those that follow from the answers.
    pub fn answer(&mut self) -> &mut Self {
        while !self.waiting.is_empty() {
            self.answer_once();
        }
        self
    }

    /// Answers the oldest call; `false`: none waits.
    pub fn answer_next(&mut self) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        let (tag, call) = self.waiting.remove(0);
        let answer = self.service.answer(tag, call, self.now);
        self.send(Event::Answer(Box::new(answer)));
        true
    }

    /// Answers what is sent by now, and nothing that follows.
    pub fn answer_once(&mut self) -> &mut Self {
        for (tag, call) in std::mem::take(&mut self.waiting) {
            let answer = self.service.answer(tag, call, self.now);
            self.send(Event::Answer(Box::new(answer)));
        }
        self
    }

    /// Answers some of what is sent by now, in any order.
    pub fn answer_by_chance(&mut self, random: &mut fastrand::Rng) -> &mut Self {
        let mut waiting = std::mem::take(&mut self.waiting);
        random.shuffle(&mut waiting);
        let now = random.usize(0..=waiting.len());
        self.waiting = waiting.split_off(now);
        for (tag, call) in waiting {
            let answer = self.service.answer(tag, call, self.now);
            self.send(Event::Answer(Box::new(answer)));
        }
        self
    }

    /// Lets time pass: what is due happens when it is due, and is answered at once.
    pub fn wait(&mut self, ms: u64) -> &mut Self {
        let end = self.now.mono.0 + ms;
        while let Some(due) = app::next_due(&self.state).filter(|due| due.0 <= end) {
            self.pass_to(due.0.max(self.now.mono.0 + 1).min(end));
            self.send(Event::Due).answer();
            if self.now.mono.0 >= end {
                break;
            }
        }
        self.pass_to(end);
        self.send(Event::Due).answer()
    }

    /// Lets time pass and nothing be answered.
    pub fn pass(&mut self, ms: u64) -> &mut Self {
        self.pass_to(self.now.mono.0 + ms);
        self.send(Event::Due)
    }

    fn pass_to(&mut self, mono: u64) {
        let passed = i64::try_from(mono - self.now.mono.0).unwrap();
        self.now = Now {
            mono: Mono(mono),
            wall: Timestamp(self.now.wall.0 + passed),
        };
    }

    /// The refresh key, answered.
    pub fn refresh(&mut self) -> &mut Self {
        self.wait(6_000)
    }

    /// Presses keys one after the other: `x`, `enter`, `esc`, `tab`, `ctrl-c`…
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for name in keys.split(' ') {
            self.send(Event::Key(key(name)));
        }
        self
    }

    pub fn type_text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.send(Event::Key(KeyEvent::new(
                KeyCode::Char(c),
                KeyModifiers::NONE,
            )));
        }
        self
    }

    pub fn mouse(
        &mut self,
        kind: crossterm::event::MouseEventKind,
        column: u16,
        row: u16,
    ) -> &mut Self {
        let modifiers = KeyModifiers::NONE;
        self.send(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        }))
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.send(Event::Resize { columns, rows })
    }

    pub fn selected(&self) -> Option<&str> {
        self.state.list.selected().map(|key| key.name.as_raw())
    }

    /// Names of the rows, in order.
    pub fn rows(&self) -> Vec<&str> {
        self.state
            .list
            .rows()
            .iter()
            .map(|key| key.name.as_raw())
            .collect()
    }

    /// Calls that are no reads.
    pub fn changes(&self) -> Vec<&Call> {
        self.calls.iter().filter(|call| !call.is_read()).collect()
    }

    pub fn reads_of(&self, name: &str) -> usize {
        let name = SandboxName::new(name);
        self.calls
            .iter()
            .filter(|call| **call == Call::GetSandbox(name.clone()))
            .count()
    }

    pub fn buffer(&self) -> Buffer {
        let Size { width, height } = self.state.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| app::view(&self.state, frame))
            .unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen as text, without blanks at the ends of lines.
    pub fn screen(&self) -> String {
        let buffer = self.buffer();
        let width = usize::from(buffer.area.width).max(1);
        let mut text = String::new();
        for row in buffer.content.chunks(width) {
            let mut hidden = 0;
            let mut line = String::new();
            for cell in row {
                if hidden == 0 {
                    line.push_str(cell.symbol());
                    hidden = usize::from(cell.symbol().cell_width()).saturating_sub(1);
                } else {
                    hidden -= 1;
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    pub fn shows(&self, words: &str) -> bool {
        self.screen().contains(words)
    }

    /// Where words stand: column and row of their first cell.
    pub fn find(&self, words: &str) -> Option<(u16, u16)> {
        let screen = self.screen();
        let (row, line) = screen
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(words))?;
        let column = line[..line.find(words)?].chars().count();
        Some((u16::try_from(column).ok()?, u16::try_from(row).ok()?))
    }
}

/// `q`, `G`, `enter`, `shift-tab`, `ctrl-c`…
pub fn key(name: &str) -> KeyEvent {
    let (name, modifiers) = match name.strip_prefix("ctrl-") {
        Some(name) => (name, KeyModifiers::CONTROL),
        None => (name, KeyModifiers::NONE),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "shift-tab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "pgdn" => KeyCode::PageDown,
        "pgup" => KeyCode::PageUp,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "space" => KeyCode::Char(' '),
        _ => KeyCode::Char(name.chars().next().unwrap()),
    };
    KeyEvent::new(code, modifiers)
}

pub fn of_kind(name: &str, kind: KeyEventKind) -> Event {
    Event::Key(KeyEvent { kind, ..key(name) })
}
