//! Commands that are kept off the network.

use super::rig::*;
use std::net::TcpListener;

fn offline(script: &str) -> Job {
    Job {
        offline: true,
        ..job("bash", &["-c", script])
    }
}

#[tokio::test]
async fn a_command_is_kept_off_the_network_while_its_neighbours_are_on_it() {
    let here = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = here.local_addr().unwrap().port();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let devices = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '";
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let on = job("bash", &["-c", &connect]);
        for job in [
            offline(&connect),
            Job {
                sudo: true,
                ..offline(&connect)
            },
        ] {
            assert_eq!(run(&cell, on.clone()).await.code, 0);
            let off = run(&cell, job).await;
            assert!(off.err.contains("refused"), "{}: {off:?}", rig.level.word());
        }
        assert_eq!(run(&cell, offline(devices)).await.out, "lo\n");
        let away = run(&cell, offline("exec 3<>/dev/tcp/192.0.2.1/80")).await;
        assert!(away.err.contains("unreachable"), "{away:?}");
        cell.end().await;
    }
}

#[tokio::test]
async fn those_that_are_kept_off_reach_each_other_and_cannot_get_back() {
    let name = "readlink /proc/self/ns/net";
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let one = run(&cell, offline(name)).await;
        let other = run(
            &cell,
            Job {
                sudo: true,
                ..offline(name)
            },
        )
        .await;
        assert_eq!((one.code, &one.out), (0, &other.out));
        assert_ne!(one.out.trim(), says(&cell, name).await);
        let neighbour = cell.spawn(job("sleep", &["1000"])).await.unwrap();
        for back in [
            "nsenter -n -t 1 true",
            "nsenter -n -t $(pgrep -x sleep) true",
        ] {
            for job in [
                offline(back),
                Job {
                    sudo: true,
                    ..offline(back)
                },
            ] {
                let done = run(&cell, job).await;
                assert_ne!(done.code, 0, "{}: {back} was allowed", rig.level.word());
            }
        }
        cell.kill(neighbour.id, 9).unwrap();
        cell.end().await;
    }
}

#[tokio::test]
async fn at_the_weakest_level_there_is_only_the_machines_network() {
    let rig = Rig::new(Level::Plain);
    let cell = rig.boot("s", &[]).await;
    let own = std::fs::read_link("/proc/self/ns/net").unwrap();
    let done = run(&cell, offline("readlink /proc/self/ns/net")).await;
    assert_eq!(done.out.trim(), own.to_str().unwrap());
    cell.end().await;
}

#[tokio::test]
async fn the_probe_tells_whether_commands_can_be_kept_off() {
    for rig in Rig::apart().await {
        let found = probe(&agent(), rig.dir.path(), None).await;
        assert_eq!(found.offline, Ok(()));
    }
    let rig = Rig::new(Level::Plain);
    let found = probe(&agent(), rig.dir.path(), Some(Level::Plain)).await;
    assert!(found.offline.unwrap_err().contains("plain"));
}
