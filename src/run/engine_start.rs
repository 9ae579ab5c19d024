//! The local engine of a data directory: found when one runs, else started as a child of this program.

use crate::engine::{Discovery, discover};
use crate::model::{Foreign, Span};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// It looks at what this machine allows first, by really trying.
const STARTS_WITHIN: Duration = Duration::from_secs(30);
/// It stops the sandboxes and keeps their files.
const ENDS_WITHIN: Duration = Duration::from_secs(20);
/// On its lifeline, before the end of that: it is to go on alone.
pub const FAREWELL: &[u8] = b"leave\n";
/// Tells an engine when to end for want of work.
pub const IDLE_AFTER: &str = "SANDTOP_ENGINE_IDLE_AFTER";
/// Of what it says on standard error.
const LAST_WORDS: usize = 5;

/// An engine that answers.
pub struct Started {
    pub found: Discovery,
    /// `None`: somebody else's.
    pub child: Option<EngineChild>,
}

/// Ends in order when this program is gone, even killed, unless it was told to stay: its standard input is a pipe
/// that only we hold.
pub struct EngineChild {
    child: Child,
    lifeline: Option<ChildStdin>,
    words: Arc<Mutex<VecDeque<String>>>,
    listeners: Vec<JoinHandle<()>>,
}

/// `idle_after`: when an engine that is started here and then left alone is to end for want of work.
///
/// # Errors
/// Why there is no engine, in sentences.
pub async fn start(data_dir: &Path, idle_after: Span) -> Result<Started, Foreign> {
    let look = || discover(data_dir).map_err(|error| unusable(data_dir, &error));
    if let Some(found) = look()? {
        return Ok(Started { found, child: None });
    }
    let mut child = EngineChild::spawn(data_dir, idle_after)
        .map_err(|error| format!("it could not be started: {error}"))?;
    match timeout(STARTS_WITHIN, child.announced()).await {
        Ok(true) => {}
        Ok(false) => {
            let status = child.child.wait().await;
            // Another one was faster.
            return match look()? {
                Some(found) => Ok(Started { found, child: None }),
                None => Err(child.obituary(status.ok()).await),
            };
        }
        Err(_) => {
            child.end().await;
            return Err(format!("it did not start within {} s", STARTS_WITHIN.as_secs()).into());
        }
    }
    match look()? {
        Some(found) => Ok(Started {
            found,
            child: Some(child),
        }),
        None => {
            child.end().await;
            Err("it started, but left no note of where it is".into())
        }
    }
}

fn unusable(data_dir: &Path, error: &io::Error) -> Foreign {
    format!(
        "its data directory {} cannot be used: {error}",
        data_dir.display()
    )
    .into()
}

impl EngineChild {
    fn spawn(data_dir: &Path, idle_after: Span) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["serve", "--lifeline", "--data-dir"])
            .arg(data_dir);
        // The variable, where it is set, goes before the settings.
        if std::env::var_os(IDLE_AFTER).is_none() {
            command.env(IDLE_AFTER, format!("{}s", idle_after.0 / 1000));
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let words = Arc::default();
        let listener = child
            .stderr
            .take()
            .map(|stderr| tokio::spawn(listen(stderr, Arc::clone(&words))));
        Ok(Self {
            lifeline: child.stdin.take(),
            child,
            words,
            listeners: listener.into_iter().collect(),
        })
    }

    /// Waits for its first line; whether there was one.
    async fn announced(&mut self) -> bool {
        let Some(stdout) = self.child.stdout.take() else {
            return false;
        };
        let mut lines = BufReader::new(stdout).lines();
        let announced = matches!(lines.next_line().await, Ok(Some(_)));
        // Read on, or its further lines would break it.
        self.listeners.push(tokio::spawn(async move {
            while let Ok(Some(_)) = lines.next_line().await {}
        }));
        announced
    }

    /// Waits until it ends by itself, and tells how.
    pub async fn ended(&mut self) -> Foreign {
        let status = self.child.wait().await.ok();
        self.obituary(status).await
    }

    async fn obituary(&mut self, status: Option<ExitStatus>) -> Foreign {
        for listener in self.listeners.drain(..) {
            // A grandchild may keep the pipe open.
            let _ = timeout(Duration::from_secs(1), listener).await;
        }
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let said = words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" | ");
        match (status, said.is_empty()) {
            (_, false) => said.into(),
            (Some(status), true) => format!("it ended with {status}").into(),
            (None, true) => "it ended".into(),
        }
    }

    /// Lets it outlive this program. Whether it was told so.
    pub async fn leave(&mut self) -> bool {
        match &mut self.lifeline {
            Some(lifeline) => lifeline.write_all(FAREWELL).await.is_ok(),
            None => false,
        }
    }

    /// Asks it to end, waits, and makes it end.
    pub async fn end(&mut self) {
        if let Some(id) = self
            .child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
        {
            let _ = kill_process(id, Signal::TERM);
        }
        if timeout(ENDS_WITHIN, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

async fn listen(from: impl AsyncRead + Unpin, words: Arc<Mutex<VecDeque<String>>>) {
    let mut lines = BufReader::new(from).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.len() == LAST_WORDS {
            words.pop_front();
        }
        words.push_back(line);
    }
}
