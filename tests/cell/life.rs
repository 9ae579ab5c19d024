//! From boot to end: signals, what is left behind, what is counted, what is found out beforehand.

use super::rig::*;

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

/// The engine of the next test: boots a cell, starts what does not want to end, and waits to be killed.
#[tokio::test]
async fn an_engine_to_be_killed() {
    let Ok(told) = std::env::var("CELL_OF_AN_ENGINE") else {
        return;
    };
    let [level, dir, marker] = told.split('\n').collect::<Vec<_>>().try_into().unwrap();
    let ground = Ground::new(Path::new(dir), &agent(), level.parse().unwrap()).unwrap();
    let spec = Boot {
        session: "s",
        hostname: "box",
        base: Vec::new(),
    };
    let cell = ground.boot(&spec).await.unwrap();
    let stubborn = format!("trap '' TERM HUP INT; while :; do sleep 0.05; done; {marker}");
    cell.spawn(job("setsid", &["-f", "sh", "-c", &stubborn]))
        .await
        .unwrap();
    let process = cell.spawn(shell(&stubborn)).await.unwrap();
    process.exit.await;
}

#[tokio::test]
async fn a_killed_engine_leaves_no_process_behind() {
    for rig in Rig::all().await {
        let marker = marker(&rig, "orphan");
        let told = [rig.level.word(), rig.dir.path().to_str().unwrap(), &marker].join("\n");
        let mut engine = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "life::an_engine_to_be_killed", "--nocapture"])
            .env("CELL_OF_AN_ENGINE", told)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let up = async {
            while with_marker(&marker).len() < 2 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, up)
            .await
            .expect("the engine does not start its commands");
        let outer = children(engine.id());
        let inner: Vec<u32> = outer.iter().flat_map(|pid| children(*pid)).collect();
        assert_eq!((outer.len(), inner.len()), (1, 1));
        engine.kill().unwrap();
        engine.wait().unwrap();
        all_gone(&marker).await;
        let agents = async {
            while outer.iter().chain(&inner).any(|pid| is_agent(*pid)) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, agents).await.expect("an agent stays");
        rig.ground.discard("s").await.unwrap();
    }
}

fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let wanted = format!("\nPPid:\t{parent}\n");
    let status = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/status"));
    numbers
        .filter(|pid| status(pid).is_ok_and(|text| text.contains(&wanted)))
        .collect()
}

fn is_agent(pid: u32) -> bool {
    let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline"));
    line.is_ok_and(|line| line.contains("__agent"))
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
