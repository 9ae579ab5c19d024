//! Cells on this machine: real processes at every isolation level that it allows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use sandtop::engine::cell::{
    Boot, Cell, Ground, Job, KillError, LayerId, Level, Process, SpawnError, probe,
};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// For what must happen at all; nothing here measures time.
const LONG: Duration = Duration::from_secs(60);

fn agent() -> PathBuf {
    env!("CARGO_BIN_EXE_sandtop").into()
}

struct Rig {
    level: Level,
    ground: Ground,
    dir: TempDir,
}

impl Rig {
    fn new(level: Level) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let ground = Ground::new(dir.path(), &agent(), level).unwrap();
        Self { level, ground, dir }
    }

    /// One for each level that works here.
    async fn all() -> Vec<Self> {
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
    async fn apart() -> Vec<Self> {
        let mut rigs = Self::all().await;
        rigs.retain(|rig| rig.level != Level::Plain);
        rigs
    }

    async fn try_boot(&self, session: &str, base: &[&str]) -> Result<Cell, String> {
        let spec = Boot {
            session,
            hostname: "box",
            base: base.iter().map(|name| layer(name)).collect(),
        };
        let booted = timeout(LONG, self.ground.boot(&spec))
            .await
            .expect("boot takes too long");
        booted.map_err(|error| error.to_string())
    }

    async fn boot(&self, session: &str, base: &[&str]) -> Cell {
        self.try_boot(session, base)
            .await
            .unwrap_or_else(|error| panic!("{}: {error}", self.level.word()))
    }
}

fn layer(name: &str) -> LayerId {
    LayerId::new(name).unwrap()
}

fn job(program: &str, args: &[&str]) -> Job {
    Job {
        program: program.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..Job::default()
    }
}

fn shell(script: &str) -> Job {
    job("sh", &["-c", script])
}

#[derive(Debug, PartialEq)]
struct Done {
    code: i32,
    out: String,
    err: String,
}

async fn finish(mut process: Process) -> Done {
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

async fn run(cell: &Cell, job: Job) -> Done {
    finish(cell.spawn(job).await.unwrap()).await
}

async fn says(cell: &Cell, script: &str) -> String {
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
fn with_marker(marker: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(marker))
        .collect()
}

/// Waits until no process has `marker` any more.
async fn all_gone(marker: &str) {
    let gone = async {
        while !with_marker(marker).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LONG, gone)
        .await
        .unwrap_or_else(|_| panic!("still there: {:?}", with_marker(marker)));
}

fn marker(rig: &Rig, what: &str) -> String {
    let name = rig
        .dir
        .path()
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    format!("marker-{what}-{name}")
}

#[tokio::test]
async fn output_streams_are_apart_and_exit_codes_are_the_commands_own() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let both = run(&cell, shell("echo out; echo err >&2; exit 7")).await;
        let expected = Done {
            code: 7,
            out: "out\n".to_owned(),
            err: "err\n".to_owned(),
        };
        assert_eq!(both, expected);
        for code in [0, 1, 255] {
            assert_eq!(run(&cell, shell(&format!("exit {code}"))).await.code, code);
        }
        for signal in [9, 11, 15] {
            let killed = run(&cell, shell(&format!("kill -{signal} $$"))).await;
            assert_eq!(killed.code, 128 + signal, "{}", rig.level.word());
        }
        cell.end().await;
    }
}

#[tokio::test]
async fn arguments_arrive_as_they_are() {
    let args = [
        "a b",
        "",
        "$HOME",
        "`id`",
        "it's",
        "new\nline",
        "*",
        "\\t",
        "ü☃",
        "--",
        ";",
    ];
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let mut all = vec!["-c", r#"for a; do printf '%s\0' "$a"; done"#, "sh"];
        all.extend(args);
        let done = run(&cell, job("sh", &all)).await;
        let got: Vec<&str> = done.out.trim_end_matches('\0').split('\0').collect();
        assert_eq!(got, args);
        cell.end().await;
    }
}

#[tokio::test]
async fn commands_start_where_and_with_what_they_are_told() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        assert_eq!(says(&cell, "pwd").await, cell.cwd());
        assert_eq!(cell.cwd() == "/vercel/sandbox", rig.level != Level::Plain);
        says(&cell, "mkdir sub").await;
        for (cwd, expected) in [
            ("/tmp", "/tmp".to_owned()),
            ("sub", format!("{}/sub", cell.cwd())),
            ("/vercel/sandbox/sub", format!("{}/sub", cell.cwd())),
        ] {
            let cwd = Some(cwd.to_owned());
            let done = run(
                &cell,
                Job {
                    cwd,
                    ..shell("pwd")
                },
            )
            .await;
            assert_eq!(done.out.trim_end(), expected);
        }
        let env = vec![
            ("FOO".to_owned(), "a=b\nc".to_owned()),
            ("LANG".to_owned(), "X".to_owned()),
        ];
        let done = run(
            &cell,
            Job {
                env,
                ..shell(r#"printf '%s|%s' "$FOO" "$LANG""#)
            },
        )
        .await;
        assert_eq!(done.out, "a=b\nc|X");
        let path = says(&cell, r#"echo "$PATH""#).await;
        assert!(path.split(':').any(|dir| dir == "/usr/bin"), "{path}");
        assert!(
            says(&cell, r#"cd && echo "$HOME$USER" && touch it && rm it"#)
                .await
                .starts_with('/')
        );
        assert_eq!(says(&cell, "cat").await, "", "standard input is not empty");
        // The engine's own surroundings are nobody's business.
        assert_eq!(says(&cell, r#"echo "$CARGO_MANIFEST_DIR""#).await, "");
        cell.end().await;
    }
}

#[tokio::test]
async fn what_cannot_be_started_is_told_apart() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let refused = |job| async { cell.spawn(job).await.err().expect("it was started") };
        for program in ["no-such-program", "/no/such", "./none", ""] {
            let expected = SpawnError::NotFound(program.to_owned());
            assert_eq!(refused(job(program, &[])).await, expected);
        }
        let cwd = Some("/no/such".to_owned());
        let expected = SpawnError::BadCwd("/no/such".to_owned());
        assert_eq!(
            refused(Job {
                cwd,
                ..shell("true")
            })
            .await,
            expected
        );
        says(&cell, "echo hi > file").await;
        for odd in [
            job("./file", &[]),
            job("sh", &["a\0b"]),
            Job {
                env: vec![("A=B".to_owned(), String::new())],
                ..shell("true")
            },
        ] {
            assert!(matches!(refused(odd).await, SpawnError::Other { .. }));
        }
        // None of that harmed the cell.
        assert_eq!(says(&cell, "echo ok").await, "ok");
        cell.end().await;
        assert_eq!(refused(shell("true")).await, SpawnError::CellGone);
    }
}

#[tokio::test]
async fn a_signal_reaches_the_whole_group_of_a_command() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let marker = marker(&rig, "group");
        let script = format!("sh -c 'echo up; sleep 1000; :' {marker}; :");
        let mut process = cell.spawn(shell(&script)).await.unwrap();
        let mut up = [0; 3];
        process.stdout.read_exact(&mut up).await.unwrap();
        assert_eq!(cell.kill(process.id, 65), Err(KillError::BadSignal));
        let id = process.id;
        cell.kill(id, 15).unwrap();
        assert_eq!(finish(process).await.code, 128 + 15);
        all_gone(&marker).await;
        assert_eq!(cell.kill(id, 15), Err(KillError::NotRunning));
        cell.end().await;
    }
}

#[tokio::test]
async fn what_a_command_leaves_behind_runs_on_until_the_cell_ends() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let marker = marker(&rig, "left");
        // One that ignores being asked, and one that has left its group and holds no output.
        let script = format!(
            "sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' {marker}-a & \
             setsid sh -c 'while :; do sleep 0.05; done' {marker}-b >/dev/null 2>&1 & exit 3"
        );
        let process = cell.spawn(shell(&script)).await.unwrap();
        assert_eq!(timeout(LONG, process.exit).await.unwrap(), 3);
        assert_eq!(says(&cell, "echo ok").await, "ok");
        for one in ["-a", "-b"] {
            assert!(
                !with_marker(&format!("{marker}{one}")).is_empty(),
                "{one} is gone"
            );
        }
        let running = cell.spawn(shell("sleep 1000")).await.unwrap();
        timeout(LONG, cell.end())
            .await
            .expect("the end does not come");
        assert_eq!(with_marker(&marker), Vec::<String>::new());
        assert!(timeout(LONG, running.exit).await.unwrap() >= 128);
        assert_eq!(cell.counters(), None);
    }
}

#[tokio::test]
async fn dropping_a_cell_ends_it() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let marker = marker(&rig, "dropped");
        let script = format!("trap '' TERM HUP; echo up; while :; do sleep 0.05; done; {marker}");
        let mut process = cell.spawn(shell(&script)).await.unwrap();
        process.stdout.read_exact(&mut [0; 3]).await.unwrap();
        drop(cell);
        all_gone(&marker).await;
    }
}

#[tokio::test]
async fn a_kept_layer_brings_back_files_and_deletions_in_each_who_starts_from_it() {
    for rig in Rig::all().await {
        let cell = rig.boot("a", &[]).await;
        says(
            &cell,
            "echo one > file; echo gone > other; mkdir -p d/e; ln -s file link; chmod 750 d",
        )
        .await;
        cell.end().await;
        let kept = rig.ground.freeze("a", &layer("first")).await.unwrap();
        assert!(kept.size_bytes >= 9, "{kept:?}");

        let cell = rig.boot("b", &["first"]).await;
        assert_eq!(
            says(&cell, "cat file link other; stat -c %a d").await,
            "one\none\ngone\n750"
        );
        says(&cell, "rm other; rm -r d; echo two > file").await;
        cell.end().await;
        rig.ground.freeze("b", &layer("second")).await.unwrap();

        let (one, two, old) = tokio::join!(
            rig.boot("c", &["second", "first"]),
            rig.boot("d", &["second", "first"]),
            rig.boot("e", &["first"]),
        );
        says(&one, "echo mine > file").await;
        assert_eq!(says(&two, "cat file; ls").await, "two\nfile\nlink");
        assert_eq!(
            says(&old, "cat file; ls").await,
            "one\nd\nfile\nlink\nother"
        );
        assert_eq!(says(&one, "cat file").await, "mine");
        tokio::join!(one.end(), two.end(), old.end());
        for session in ["c", "d", "e"] {
            rig.ground.discard(session).await.unwrap();
        }
        rig.ground.remove_layer(&layer("second")).await.unwrap();
        rig.ground.remove_layer(&layer("first")).await.unwrap();
        assert!(
            rig.try_boot("f", &["first"])
                .await
                .err()
                .unwrap()
                .contains("first")
        );
        let left = |dir: &Path| std::fs::read_dir(dir).unwrap().count();
        assert_eq!(left(&rig.dir.path().join("cells")), 0);
        assert_eq!(
            left(&rig.dir.path().join("layers").join(rig.level.word())),
            0
        );
    }
}

#[tokio::test]
async fn files_are_a_cells_own() {
    for rig in Rig::apart().await {
        let level = rig.level.word();
        let one = rig.boot("one", &[]).await;
        let two = rig.boot("two", &[]).await;
        let name = marker(&rig, "file");
        for dir in [
            "/etc",
            "/vercel",
            "/vercel/sandbox",
            "/tmp",
            "/home/vercel-sandbox",
            "/opt",
        ] {
            let sudo = true;
            let path = format!("{dir}/{name}");
            let done = run(
                &one,
                Job {
                    sudo,
                    ..shell(&format!("echo mine > {path}"))
                },
            )
            .await;
            assert_eq!((done.code, done.err.as_str()), (0, ""), "{level} {path}");
            assert_eq!(says(&one, &format!("cat {path}")).await, "mine", "{level}");
            assert!(
                !Path::new(&path).exists(),
                "{level}: {path} is on the machine"
            );
            assert_eq!(
                says(&two, &format!("test -e {path} || echo none")).await,
                "none"
            );
        }
        // What is in the machine's root and not of the system is not there; nor are other cells.
        assert_eq!(
            says(
                &one,
                &format!("ls -d {} 2>/dev/null || :", rig.dir.path().display())
            )
            .await
            .lines()
            .count(),
            0
        );
        let root = says(&one, "echo /*").await;
        for dir in root.split(' ') {
            let known = "app bin dev etc home lib lib32 lib64 libx32 mnt nix opt proc root run sbin srv tmp usr var vercel";
            assert!(
                known.split(' ').any(|name| dir == format!("/{name}")),
                "{level}: {dir}"
            );
        }
        says(
            &one,
            "test -r /etc/os-release && echo > /dev/null && head -c1 /dev/urandom > x",
        )
        .await;
        tokio::join!(one.end(), two.end());
    }
}

#[tokio::test]
async fn processes_names_and_users_are_a_cells_own() {
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let seen = says(
            &cell,
            "cd /proc; for p in [0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done",
        )
        .await;
        let seen: Vec<&str> = seen
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        assert!(
            seen.len() <= 3 && seen[0].contains("__agent inner"),
            "{seen:?}"
        );
        assert_eq!(says(&cell, "hostname").await, "box");
        assert_eq!(says(&cell, "id -un; id -u").await, "vercel-sandbox\n1000");
        assert_eq!(
            says(
                &cell,
                "cd; pwd; touch x; cd /vercel/sandbox; touch x; stat -c %U x"
            )
            .await,
            "/home/vercel-sandbox\nvercel-sandbox"
        );
        let root = run(
            &cell,
            Job {
                sudo: true,
                ..shell("id -u; echo $USER $HOME; touch /etc/x /root/x")
            },
        )
        .await;
        assert_eq!(
            (root.code, root.out.as_str()),
            (0, "0\nroot /root\n"),
            "{root:?}"
        );
        let caps = says(
            &cell,
            "grep -E 'Cap(Prm|Eff|Bnd)|NoNew' /proc/self/status | tr -d '\\t\\n'",
        )
        .await;
        assert_eq!(
            caps,
            "CapPrm:0000000000000000CapEff:0000000000000000CapBnd:0000000000000000NoNewPrivs:1"
        );
        for job in [
            shell("kill -9 1"),
            Job {
                sudo: true,
                ..shell("kill -9 1")
            },
        ] {
            run(&cell, job).await;
        }
        for refused in [
            "mount -t tmpfs none /mnt",
            "cd /proc/sys/kernel; cat core_pattern > core_pattern",
            ": > /proc/sysrq-trigger",
            "mknod /tmp/d b 254 0 && cat /tmp/d",
        ] {
            let done = run(
                &cell,
                Job {
                    sudo: true,
                    ..shell(refused)
                },
            )
            .await;
            assert_ne!(done.code, 0, "{}: {refused} was allowed", rig.level.word());
        }
        cell.end().await;
    }
}

#[tokio::test]
async fn system_files_and_deletions_are_kept_with_the_rest() {
    for rig in Rig::apart().await {
        let sudo = |script: &str| Job {
            sudo: true,
            ..shell(script)
        };
        let cell = rig.boot("a", &[]).await;
        let done = run(
            &cell,
            sudo("echo mine > /etc/own; rm /etc/os-release; mkdir /data; echo d > /data/x"),
        )
        .await;
        assert_eq!(done.code, 0, "{done:?}");
        cell.end().await;
        rig.ground.freeze("a", &layer("first")).await.unwrap();
        assert!(Path::new("/etc/os-release").exists());

        let cell = rig.boot("b", &["first"]).await;
        let script = "cat /etc/own /data/x; ls /etc/os-release; rm /etc/own; mkdir /etc/own; touch /etc/own/x";
        let done = run(&cell, sudo(script)).await;
        assert_eq!(done.out, "mine\nd\n", "{done:?}");
        cell.end().await;
        rig.ground.freeze("b", &layer("second")).await.unwrap();

        let cell = rig.boot("c", &["second", "first"]).await;
        assert_eq!(
            says(&cell, "ls /etc/own /data").await,
            "/data:\nx\n\n/etc/own:\nx"
        );
        cell.end().await;
    }
}

#[tokio::test]
async fn ten_cells_at_once() {
    for rig in Rig::all().await {
        let names: Vec<String> = (0..10).map(|number| format!("s{number}")).collect();
        let rig = &rig;
        let each = names.iter().map(|name| async move {
            let cell = rig.boot(name, &[]).await;
            says(&cell, &format!("echo {name} > file")).await;
            let read = says(&cell, "cat file; ls").await;
            cell.end().await;
            read
        });
        let read = futures_util::future::join_all(each).await;
        let expected: Vec<String> = names.iter().map(|name| format!("{name}\nfile")).collect();
        assert_eq!(read, expected);
    }
}

#[tokio::test]
async fn a_busy_command_is_counted_and_stays_counted() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let before = cell.counters().unwrap();
        let busy = cell.spawn(shell("while :; do :; done")).await.unwrap();
        let grown = async {
            while cell.counters().unwrap().cpu_ms < before.cpu_ms + 100 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, grown).await.expect("the count does not grow");
        cell.kill(busy.id, 9).unwrap();
        assert_eq!(finish(busy).await.code, 137);
        let after = cell.counters().unwrap();
        let last = cell.end().await;
        assert!(after.cpu_ms >= before.cpu_ms + 100 && last.cpu_ms >= after.cpu_ms);
        assert_eq!((last.ingress, last.egress), (None, None));
        assert_eq!(cell.end().await, last);
    }
}

#[tokio::test]
async fn the_probe_takes_the_best_that_works() {
    let dir = tempfile::tempdir().unwrap();
    let best = Rig::all().await.first().unwrap().level;
    let found = probe(&agent(), dir.path(), None).await;
    assert_eq!(found.level, best, "{}", found.why);
    assert_eq!(found.why.is_empty(), best == Level::Root);
    assert_eq!(
        std::fs::read_dir(dir.path().join("cells")).unwrap().count(),
        0
    );

    let forced = probe(&agent(), dir.path(), Some(Level::Plain)).await;
    assert_eq!(forced.level, Level::Plain);

    let missing = probe(Path::new("/no/such/agent"), dir.path(), None).await;
    assert_eq!(missing.level, Level::Plain);
    assert!(missing.why.contains("/no/such/agent"), "{}", missing.why);
}
