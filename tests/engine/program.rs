//! The real program as an engine, in a process of its own.

use super::bench::{Api, TOKEN};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub struct Program {
    child: Child,
    pub api: Api,
}

impl Program {
    pub fn start(data_dir: &Path) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sandtop"));
        program.args(["serve", "--isolation", "plain"]);
        Self::start_by(program, data_dir)
    }

    /// Started by a shell, after this script.
    pub fn start_after(script: &str, data_dir: &Path) -> Self {
        let mut shell = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_sandtop");
        shell.args(["-c", &format!(r#"{script} exec "$0" "$@""#), program]);
        shell.args(["serve", "--isolation", "plain"]);
        Self::start_by(shell, data_dir)
    }

    /// Started by this command, which says everything but the token and the directory.
    pub fn start_by(mut command: Command, data_dir: &Path) -> Self {
        let mut child = command
            .args(["--token", TOKEN])
            .arg("--data-dir")
            .arg(data_dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().expect("it says where it is").unwrap();
        let api = Api::new(first.strip_prefix("url ").unwrap());
        Self { child, api }
    }

    pub fn signal(&mut self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).unwrap();
        self.child.wait().unwrap();
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How many files it has open.
    pub fn open_files(&self) -> usize {
        let files = format!("/proc/{}/fd", self.id());
        std::fs::read_dir(files).unwrap().count()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Only there to kill after a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
