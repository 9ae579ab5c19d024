//! A terminal for tests: a real pseudo-terminal with the program in it, and an emulator that knows its screen.
//! Waits are for what the screen shows, never for time.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Term, TermMode};
use alacritty_terminal::vte::ansi::Processor;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Generous: what is waited for comes in milliseconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Terminal {
    master: Option<File>,
    /// Kept open, so that the last of the program's bytes can be read when it is gone.
    _slave: File,
    child: Child,
    term: Term<VoidListener>,
    parser: Processor,
    /// Everything that the program wrote.
    pub raw: Vec<u8>,
    before: Termios,
}

struct Size(u16, u16);

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        self.1.into()
    }
    fn screen_lines(&self) -> usize {
        self.1.into()
    }
    fn columns(&self) -> usize {
        self.0.into()
    }
}

impl Terminal {
    /// Starts a program as the leader of the terminal's session. Standard error too is the terminal.
    pub fn start(command: &Command, columns: u16, rows: u16) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let noctty = i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).unwrap();
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(noctty)
            .open(name)
            .unwrap();
        let master = File::from(master);
        let before = tcgetattr(&master).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        // setsid(1) makes the terminal the controlling one and becomes the program.
        let mut leader = Command::new("setsid");
        leader
            .arg("-c")
            .arg(command.get_program())
            .args(command.get_args());
        leader.env_clear().envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        if let Some(directory) = command.get_current_dir() {
            leader.current_dir(directory);
        }
        let size = Size(columns, rows);
        set_size(&master, &size);
        let child = leader
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        Self {
            master: Some(master),
            child,
            term: Term::new(Config::default(), &size, VoidListener),
            parser: Processor::new(),
            raw: Vec::new(),
            before,
            _slave: slave,
        }
    }

    pub fn send(&mut self, keys: &str) {
        self.master().write_all(keys.as_bytes()).unwrap();
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        let size = Size(columns, rows);
        set_size(self.master(), &size);
        self.term.resize(size);
    }

    /// The screen as text, a line a row.
    pub fn screen(&self) -> String {
        let mut text = String::new();
        let mut line = None;
        for cell in self.term.renderable_content().display_iter {
            if line
                .replace(cell.point.line)
                .is_some_and(|line| line != cell.point.line)
            {
                text.truncate(text.trim_end_matches(' ').len());
                text.push('\n');
            }
            text.push(cell.c);
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The row that holds that text.
    pub fn row_with(&self, text: &str) -> Option<String> {
        self.screen()
            .lines()
            .find(|row| row.contains(text))
            .map(str::to_owned)
    }

    pub fn wait_for_text(&mut self, text: &str) {
        self.wait(&format!("{text:?} on the screen"), |this| {
            this.screen().contains(text)
        });
    }

    pub fn wait_without_text(&mut self, text: &str) {
        self.wait(&format!("no {text:?} on the screen"), |this| {
            !this.screen().contains(text)
        });
    }

    /// Reads on until that holds.
    pub fn wait(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            let gone = self.child.try_wait().unwrap();
            let read = self.read_for(Duration::from_millis(50));
            if holds(self) {
                return;
            }
            assert!(
                Instant::now() < deadline && (gone.is_none() || read),
                "waited in vain for {what}; program: {gone:?}; screen:\n{}",
                self.screen()
            );
        }
    }

    /// Waits for something that is not on the screen, when the program is gone.
    pub fn wait_idle(&self, what: &str, holds: impl Fn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds() {
            assert!(Instant::now() < deadline, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the program's end, reading all that it writes.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let ended = self.child.try_wait().unwrap();
            while self.master.is_some() && self.read_for(Duration::from_millis(20)) {}
            if let Some(status) = ended {
                return status;
            }
            if self.master.is_none() {
                std::thread::yield_now();
            }
            assert!(
                Instant::now() < deadline,
                "the program goes on; screen:\n{}",
                self.screen()
            );
        }
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(self.pid(), signal).unwrap();
    }

    pub fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// The job that a shell in this terminal runs.
    pub fn child_of_shell(&self) -> rustix::process::Pid {
        let shell = self.pid().as_raw_nonzero();
        let children = format!("/proc/{shell}/task/{shell}/children");
        let children = std::fs::read_to_string(children).unwrap();
        let child = children.split_whitespace().last().unwrap().parse().unwrap();
        rustix::process::Pid::from_raw(child).unwrap()
    }

    /// The terminal goes away, as when its window is closed.
    pub fn close(&mut self) {
        self.master = None;
    }

    /// Everything as it was found: modes of the line, main screen, visible cursor, no mouse, no paste brackets.
    pub fn assert_restored(&self) {
        let now = tcgetattr(self.master.as_ref().unwrap()).unwrap();
        assert_eq!(now.local_modes, self.before.local_modes, "local modes");
        assert_eq!(now.input_modes, self.before.input_modes, "input modes");
        assert_eq!(now.output_modes, self.before.output_modes, "output modes");
        assert_eq!(
            now.control_modes, self.before.control_modes,
            "control modes"
        );
        let left = self.term.mode();
        assert!(left.contains(TermMode::SHOW_CURSOR), "the cursor is hidden");
        let ours = TermMode::ALT_SCREEN
            | TermMode::MOUSE_MODE
            | TermMode::SGR_MOUSE
            | TermMode::FOCUS_IN_OUT
            | TermMode::BRACKETED_PASTE;
        assert!(
            !left.intersects(ours),
            "modes left on: {:?}",
            left.intersection(ours)
        );
    }

    pub fn has_alternate_screen(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    /// Whether bytes came.
    fn read_for(&mut self, patience: Duration) -> bool {
        let master = self.master.as_ref().unwrap();
        let mut watched = [PollFd::new(master, PollFlags::IN)];
        let patience = Timespec::try_from(patience).unwrap();
        if poll(&mut watched, Some(&patience)).unwrap() == 0 {
            return false;
        }
        let mut buffer = [0; 64 << 10];
        let Ok(count) = self.master().read(&mut buffer) else {
            return false;
        };
        self.raw.extend_from_slice(&buffer[..count]);
        self.parser.advance(&mut self.term, &buffer[..count]);
        count > 0
    }

    fn master(&mut self) -> &mut File {
        self.master.as_mut().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Closing it ends the program, in order.
        self.close();
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().is_ok_and(|status| status.is_none()) {
            if Instant::now() > deadline {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Ended by itself or by a signal: what a shell would call its status.
pub fn shell_status(status: ExitStatus) -> i32 {
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap())
}

fn set_size(master: &File, size: &Size) {
    let size = Winsize {
        ws_col: size.0,
        ws_row: size.1,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(master, size).unwrap();
}
