//! Programs in a terminal of their own, inside a cell.

use super::rig::*;
use sandtop::engine::cell::{Shell, Size};

const SIZE: Size = Size {
    cols: 101,
    rows: 33,
};

async fn open(cell: &Cell, job: Job) -> Shell {
    cell.spawn_in_terminal(job, SIZE).await.unwrap()
}

/// Reads until `wanted` has come; all that came.
async fn sees(shell: &Shell, wanted: &str) -> String {
    let mut seen = String::new();
    let reading = async {
        let mut buffer = [0; 4096];
        while !seen.contains(wanted) {
            let got = shell.terminal.read(&mut buffer).await.unwrap();
            assert_ne!(got, 0, "the terminal ended: {seen:?}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..got]));
        }
    };
    timeout(LONG, reading)
        .await
        .unwrap_or_else(|_| panic!("never {wanted:?}"));
    seen
}

async fn ends(shell: Shell) -> i32 {
    timeout(LONG, shell.exit)
        .await
        .expect("a program does not end")
}

#[tokio::test]
async fn a_terminal_is_a_device_of_the_cell_that_its_user_can_open() {
    let script = "tty; stty size; echo again > $(tty); test -O $(tty) && echo own";
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let shell = open(&cell, shell(script)).await;
        let seen = sees(&shell, "own\r\n").await;
        let lines: Vec<&str> = seen.split("\r\n").collect();
        assert_eq!(lines[1..], ["33 101", "again", "own", ""], "{seen}");
        if rig.level == Level::Plain {
            assert!(lines[0].starts_with("/dev/pts/"), "{seen}");
        } else {
            assert_eq!(lines[0], "/dev/pts/0");
        }
        assert_eq!(shell.terminal.read(&mut [0; 9]).await.unwrap(), 0);
        assert_eq!(ends(shell).await, 0);
        cell.end().await;
    }
}

#[tokio::test]
async fn input_signals_and_sizes_reach_the_program() {
    let script = "trap 'stty size' WINCH; trap 'echo stopped; exit 7' INT; echo ready; \
                  read line; echo got $line; while :; do sleep 0.02; done";
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let shell = open(&cell, shell(script)).await;
        sees(&shell, "ready").await;
        assert_eq!(shell.terminal.write(b"words\r").await.unwrap(), 6);
        sees(&shell, "got words").await;
        let size = Size { cols: 60, rows: 20 };
        shell.terminal.resize(size).unwrap();
        sees(&shell, "20 60").await;
        assert_eq!(shell.terminal.write(b"\x03").await.unwrap(), 1);
        sees(&shell, "stopped").await;
        assert_eq!(ends(shell).await, 7);
        cell.end().await;
    }
}

#[tokio::test]
async fn dropping_a_terminal_hangs_up() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let Shell { terminal, exit, .. } = open(&cell, job("sleep", &["1000"])).await;
        drop(terminal);
        let code = timeout(LONG, exit).await.expect("it does not end");
        assert_eq!(code, 128 + libc::SIGHUP, "{}", rig.level.word());
        cell.end().await;
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_gets_no_terminal() {
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let refused = cell.spawn_in_terminal(job("no-such-program", &[]), SIZE);
        let error = refused.await.err().unwrap();
        assert_eq!(error, SpawnError::NotFound("no-such-program".to_owned()));
        cell.end().await;
    }
}
