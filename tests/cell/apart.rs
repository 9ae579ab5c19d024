//! What a cell's own processes and users are, and what its superuser may not do.

use super::rig::*;
use rustix::thread::{capabilities, set_capabilities};
use std::os::unix::process::CommandExt;

#[tokio::test]
async fn processes_and_the_name_are_a_cells_own() {
    let script = r"cd /proc; for p in [0-9]*; do tr '\0' ' ' < $p/cmdline; echo; done";
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let seen = says(&cell, script).await;
        let seen: Vec<&str> = seen
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        // The agent, the shell, maybe the shell before it becomes `tr`.
        assert!(
            seen.len() <= 3 && seen[0].contains("__agent inner"),
            "{seen:?}"
        );
        assert_eq!(
            says(&cell, "hostname; cat /etc/hostname").await,
            "box-1\nbox-1"
        );
        assert!(says(&cell, "cat /etc/hosts").await.contains(" box-1"));
        cell.end().await;
    }
}

#[tokio::test]
async fn commands_run_as_a_user_without_any_rights() {
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        assert_eq!(says(&cell, "id -un; id -u").await, "vercel-sandbox\n1000");
        let own = "cd; pwd; touch x; cd /vercel/sandbox; touch x; stat -c %U x";
        assert_eq!(
            says(&cell, own).await,
            "/home/vercel-sandbox\nvercel-sandbox"
        );
        let rights = says(&cell, "grep -E 'Cap(Prm|Eff|Bnd)|NoNew' /proc/self/status").await;
        let values: Vec<&str> = rights.split_whitespace().skip(1).step_by(2).collect();
        assert_eq!(
            values,
            [
                "0000000000000000",
                "0000000000000000",
                "0000000000000000",
                "1"
            ]
        );
        cell.end().await;
    }
}

#[tokio::test]
async fn the_superuser_of_a_cell_rules_the_cell_and_not_the_machine() {
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let root = run(&cell, sudo("id -u; echo $USER $HOME; touch /etc/x /root/x")).await;
        assert_eq!(
            (root.code, root.out.as_str()),
            (0, "0\nroot /root\n"),
            "{root:?}"
        );
        for refused in [
            "mount -t tmpfs none /mnt",
            "cd /proc/sys/kernel; cat core_pattern > core_pattern",
            ": > /proc/sysrq-trigger",
            // A device that would answer.
            "mknod /tmp/d c 1 5 && head -c 1 /tmp/d",
            "mknod /dev/d c 1 5 && head -c 1 /dev/d",
            "mknod /run/d c 1 5 && head -c 1 /run/d",
            "hostname other",
            // Its own mode: nothing changes should it be allowed.
            "chmod 666 /dev/null",
        ] {
            let done = run(&cell, sudo(refused)).await;
            assert_ne!(done.code, 0, "{}: {refused} was allowed", rig.level.word());
        }
        // Process 1 cannot be had from inside.
        run(&cell, sudo("kill -9 1")).await;
        run(&cell, shell("kill -9 1")).await;
        assert_eq!(
            says(&cell, "echo none > /dev/null; head -c 2 /dev/zero | wc -c").await,
            "2"
        );
        cell.end().await;
    }
}

#[tokio::test]
async fn rights_that_the_engine_may_pass_on_do_not_reach_a_cell() {
    // Of this thread, which starts the agents.
    let mut own = capabilities(None).unwrap();
    own.inheritable = own.permitted;
    set_capabilities(None, own).unwrap();
    for rig in Rig::apart().await {
        let cell = rig.boot("s", &[]).await;
        let rights = run(&cell, sudo("grep -E 'Cap(Inh|Prm|Bnd)' /proc/self/status")).await;
        let values: Vec<&str> = rights.out.split_whitespace().skip(1).step_by(2).collect();
        let [inherited, held, bound] = values[..] else {
            panic!("{rights:?}")
        };
        assert_eq!(inherited, "0000000000000000", "{}", rig.level.word());
        assert_eq!(held, bound, "{}", rig.level.word());
        cell.end().await;
    }
}

/// Most people are not root: the tests of files and users once more, as somebody else.
#[test]
fn the_same_holds_for_an_ordinary_user() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(dir.path(), Some(65533), Some(65533)).unwrap();
    let tests = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "files::",
            "layers::",
            "apart::",
            "commands::",
            "network::",
            "terminals::",
            "--nocapture",
        ])
        .env("TMPDIR", dir.path())
        .current_dir("/")
        .uid(65533)
        .gid(65533)
        .output();
    match tests {
        Err(error) => eprintln!("skipped: this program cannot be run by another user: {error}"),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stdout);
            let errors = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{said}\n{errors}");
            // Those that this machine allows were not skipped without a word.
            eprintln!("as an ordinary user: {errors}");
        }
    }
}
