//! How the program is started in tests: with nothing of this machine around it.

use super::terminal::Terminal;
use std::process::Command;
use tempfile::TempDir;

pub struct Program {
    pub home: TempDir,
}

impl Program {
    pub fn new() -> Self {
        Self {
            home: TempDir::new().unwrap(),
        }
    }

    /// The program with those arguments, in an environment of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandtop"));
        command.args(arguments);
        self.surround(&mut command);
        command
    }

    pub fn surround(&self, command: &mut Command) {
        command
            .current_dir(self.home.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.home.path())
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8");
    }

    pub fn data_dir(&self) -> std::path::PathBuf {
        self.home.path().join("data")
    }

    /// A dashboard for which nobody answers: enough for what only concerns the terminal.
    pub fn unanswered(&self) -> Command {
        self.command(&["--api-url", "http://127.0.0.1:9", "--token", "t"])
    }

    pub fn dashboard(&self, command: &Command) -> Terminal {
        let mut terminal = Terminal::start(command, 120, 40);
        terminal.wait_for_text(MARK);
        terminal
    }
}

/// On the dashboard, whatever it knows.
pub const MARK: &str = "Sandboxes";
