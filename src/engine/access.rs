//! The access log: a line of JSON for each request, in the data directory, when its answer has ended.
//!
//! No token, no body and no variable is in it. Two files of bounded size: what is older is dropped.

use super::clock::Clock;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header::USER_AGENT};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use tokio::time::Instant;
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};

/// The one before it has `.1` behind its name.
const FILE: &str = "access.log";

/// Where the access log of this data directory is.
pub fn access_log(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// Of one file, in bytes.
const LARGEST: u64 = 4 << 20;
/// What a client says of itself and where it goes is cut here, in characters.
const LONGEST_AGENT: usize = 200;
const LONGEST_TARGET: usize = 2000;

/// Parameters whose values are no secrets. All others are told by their name.
const PLAIN: &[&str] = &[
    "project",
    "projectId",
    "teamId",
    "slug",
    "limit",
    "cursor",
    "sortBy",
    "sortOrder",
    "status",
    "namePrefix",
    "name",
    "tags",
    "resume",
    "wait",
    "from",
    "to",
    "until",
    "since",
    "search",
    "snapshotId",
    "deleteOrphanSnapshots",
    "__includeSystemRoutes",
    "cols",
    "rows",
];

/// What is done with a request beyond what its status tells, for the log: `(StatusCode, Extension(Remark(…)))`.
#[derive(Clone, Debug)]
pub(super) struct Remark(pub String);

/// Where entries go; written by a thread of its own, so that a slow disk holds up no answer.
#[derive(Clone)]
pub(super) struct AccessLog {
    writer: NonBlocking,
    clock: Clock,
    on_stderr: bool,
}

/// A request that is being answered; written down when dropped.
pub(super) struct Entry {
    log: AccessLog,
    line: Line,
    began: Instant,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Line {
    time: String,
    method: String,
    path: String,
    /// Missing: the client left before there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    bytes: u64,
    ms: u64,
    id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    agent: String,
    /// The answer did not come to its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

impl AccessLog {
    /// Keep the guard: it writes the rest when dropped.
    pub fn open(data_dir: &Path, clock: Clock, on_stderr: bool) -> io::Result<(Self, WorkerGuard)> {
        let (writer, guard) = tracing_appender::non_blocking(Bounded::open(access_log(data_dir))?);
        let log = Self {
            writer,
            clock,
            on_stderr,
        };
        Ok((log, guard))
    }

    /// A request has come; `id` is what the answer calls it.
    pub fn begin(&self, id: &str, method: &Method, uri: &Uri, headers: &HeaderMap) -> Entry {
        let now = jiff::Timestamp::from_millisecond(self.clock.now().0).unwrap_or_default();
        let agent = headers.get(USER_AGENT).map(|agent| agent.as_bytes());
        let line = Line {
            time: format!("{now:.3}"),
            method: method.to_string(),
            path: printable(uri).chars().take(LONGEST_TARGET).collect(),
            id: id.to_owned(),
            agent: String::from_utf8_lossy(agent.unwrap_or_default())
                .chars()
                .take(LONGEST_AGENT)
                .collect(),
            cut: true,
            ..Line::default()
        };
        Entry {
            log: self.clone(),
            line,
            began: Instant::now(),
        }
    }
}

impl Entry {
    /// The answer's head is known.
    pub fn answered(&mut self, status: StatusCode, remark: Option<String>) {
        let status = status.as_u16();
        self.line.status = Some(status);
        self.line.remark = remark;
        if self.log.on_stderr {
            let (method, path) = (&self.line.method, &self.line.path);
            // Who closed standard error wants no log.
            let _ = writeln!(io::stderr(), "{method} {path} {status}");
        }
    }

    pub fn sent(&mut self, bytes: usize) {
        self.line.bytes += bytes as u64;
    }

    /// All is sent.
    pub fn whole(&mut self) {
        self.line.cut = false;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.line.ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Ok(mut line) = serde_json::to_vec(&self.line) {
            line.push(b'\n');
            // A full disk is no reason not to answer.
            let _ = self.log.writer.write_all(&line);
        }
    }
}

/// Path and query, with the values of known parameters only.
fn printable(uri: &Uri) -> String {
    let Some(query) = uri.query() else {
        return uri.path().to_owned();
    };
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if !PLAIN.contains(&name) => format!("{name}=…"),
        _ => pair.to_owned(),
    };
    let pairs: Vec<String> = query.split('&').map(pair).collect();
    format!("{}?{}", uri.path(), pairs.join("&"))
}

/// A file that moves aside when it is full, over the one that moved before it.
struct Bounded {
    path: PathBuf,
    file: File,
    size: u64,
}

impl Bounded {
    fn open(path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size })
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + bytes.len() as u64 > LARGEST {
            std::fs::rename(&self.path, self.path.with_extension("log.1"))?;
            *self = Self::open(self.path.clone())?;
        }
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_are_no_secrets_are_told() {
        let uri = Uri::from_static("/shell?cols=80&token=secret&%74oken=secret&x&teamId=team_a");
        assert_eq!(
            printable(&uri),
            "/shell?cols=80&token=…&%74oken=…&x&teamId=team_a"
        );
        assert_eq!(
            printable(&Uri::from_static("/v2/sandboxes")),
            "/v2/sandboxes"
        );
    }

    #[test]
    fn two_files_of_bounded_size_hold_the_newest_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let mut file = Bounded::open(path.clone()).unwrap();
        let line = |number: u32| format!("{number:>1023}\n");
        // Two and a half files, and a start in the middle of them.
        for number in 0..5000 {
            file.write_all(line(number).as_bytes()).unwrap();
        }
        drop(file);
        let mut file = Bounded::open(path.clone()).unwrap();
        for number in 5000..10_240 {
            file.write_all(line(number).as_bytes()).unwrap();
        }
        let old = std::fs::read_to_string(path.with_extension("log.1")).unwrap();
        let new = std::fs::read_to_string(&path).unwrap();
        assert!(old.len() as u64 <= LARGEST && new.len() as u64 <= LARGEST);
        let kept = old + &new;
        let first = 10_240 - u32::try_from(kept.len() / 1024).unwrap();
        assert!(first < 10_240 - 4096, "at least one whole file");
        let wanted: String = (first..10_240).map(line).collect();
        assert_eq!(kept, wanted);
    }
}
