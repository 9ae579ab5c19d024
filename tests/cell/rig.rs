//! A place for cells at each level that works here, and ways to ask them.

pub use sandtop::engine::cell::{
    Boot, Cell, Ground, Job, KillError, LayerId, Level, Process, SpawnError, probe,
};
pub use std::path::{Path, PathBuf};
pub use std::time::Duration;
use tempfile::TempDir;
pub use tokio::io::AsyncReadExt;
pub use tokio::time::timeout;

/// For what must happen at all; nothing here measures time.
pub const LONG: Duration = Duration::from_secs(60);

pub fn agent() -> PathBuf {
    env!("CARGO_BIN_EXE_sandtop").into()
}

pub struct Rig {
    pub level: Level,
    pub ground: Ground,
    pub dir: TempDir,
}

impl Rig {
    pub fn new(level: Level) -> Self {
        Self::within(&std::env::temp_dir(), level)
    }

    pub fn within(parent: &Path, level: Level) -> Self {
        let dir = tempfile::tempdir_in(parent).unwrap();
        let ground = Ground::new(dir.path(), &agent(), level).unwrap();
        Self { level, ground, dir }
    }

    /// One for each level that works here.
    pub async fn all() -> Vec<Self> {
        let mut rigs = Vec::new();
        for level in Level::ALL {
            let rig = Self::new(level);
            match rig.try_boot("first", &[]).await {
                Ok(cell) => {
                    cell.end().await;
                    rig.ground.discard("first").await.unwrap();
                    rigs.push(rig);
                }
                Err(error) if level == Level::Plain => panic!("plain must always work: {error}"),
                Err(error) => eprintln!("skipped level {}: {error}", level.word()),
            }
        }
        rigs
    }

    /// Those with files and processes of their own.
    pub async fn apart() -> Vec<Self> {
        let mut rigs = Self::all().await;
        rigs.retain(|rig| rig.level != Level::Plain);
        rigs
    }

    pub async fn try_boot(&self, session: &str, base: &[&str]) -> Result<Cell, String> {
        let spec = Boot {
            session,
            hostname: "box_1",
            base: base.iter().map(|name| layer(name)).collect(),
        };
        let booted = timeout(LONG, self.ground.boot(&spec))
            .await
            .expect("boot takes too long");
        booted.map_err(|error| error.to_string())
    }

    pub async fn boot(&self, session: &str, base: &[&str]) -> Cell {
        self.try_boot(session, base)
            .await
            .unwrap_or_else(|error| panic!("{}: {error}", self.level.word()))
    }
}

pub fn layer(name: &str) -> LayerId {
    LayerId::new(name).unwrap()
}

pub fn job(program: &str, args: &[&str]) -> Job {
    Job {
        program: program.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..Job::default()
    }
}

pub fn shell(script: &str) -> Job {
    job("sh", &["-c", script])
}

pub fn sudo(script: &str) -> Job {
    Job {
        sudo: true,
        ..shell(script)
    }
}

#[derive(Debug, PartialEq)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub async fn finish(mut process: Process) -> Done {
    let (mut out, mut err) = (String::new(), String::new());
    let all = async {
        let (code, _, _) = tokio::join!(
            process.exit,
            process.stdout.read_to_string(&mut out),
            process.stderr.read_to_string(&mut err)
        );
        code
    };
    let code = timeout(LONG, all).await.expect("a command does not end");
    Done { code, out, err }
}

pub async fn run(cell: &Cell, job: Job) -> Done {
    finish(cell.spawn(job).await.unwrap()).await
}

pub async fn says(cell: &Cell, script: &str) -> String {
    let done = run(cell, shell(script)).await;
    assert_eq!(
        (done.code, done.err.as_str()),
        (0, ""),
        "{script}: {}",
        done.out
    );
    done.out.trim_end().to_owned()
}

/// Processes of this machine with `marker` in their command line.
pub fn with_marker(marker: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(marker))
        .collect()
}

/// Waits until no process has `marker` any more.
pub async fn all_gone(marker: &str) {
    let gone = async {
        while !with_marker(marker).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LONG, gone)
        .await
        .unwrap_or_else(|_| panic!("still there: {:?}", with_marker(marker)));
}

pub fn marker(rig: &Rig, what: &str) -> String {
    let name = rig
        .dir
        .path()
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    format!("marker-{what}-{name}")
}
