//! Whose files a cell sees, and what is kept of them.

use super::rig::*;
use std::os::unix::fs::PermissionsExt;

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
            let path = format!("{dir}/{name}");
            let done = run(&one, sudo(&format!("echo mine > {path}"))).await;
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
async fn a_kept_layer_brings_back_files_and_deletions_in_each_who_starts_from_it() {
    for rig in Rig::all().await {
        let cell = rig.boot("a", &[]).await;
        says(
            &cell,
            "echo one > file; echo gone > other; mkdir -p d/e; ln -s file link; chmod 750 d",
        )
        .await;
        cell.end().await;
        let kept = rig.ground.freeze("a", &layer("first"), &[]).await.unwrap();
        assert!(kept.size_bytes >= 9, "{kept:?}");

        let cell = rig.boot("b", &["first"]).await;
        assert_eq!(
            says(&cell, "cat file link other; stat -c %a d").await,
            "one\none\ngone\n750"
        );
        says(&cell, "rm other; rm -r d; echo two > file").await;
        cell.end().await;
        rig.ground.freeze("b", &layer("second"), &[]).await.unwrap();

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
async fn system_files_and_deletions_are_kept_with_the_rest() {
    for rig in Rig::apart().await {
        let cell = rig.boot("a", &[]).await;
        let done = run(
            &cell,
            sudo("echo mine > /etc/own; rm /etc/os-release; mkdir /data; echo d > /data/x"),
        )
        .await;
        assert_eq!(done.code, 0, "{done:?}");
        cell.end().await;
        rig.ground.freeze("a", &layer("first"), &[]).await.unwrap();
        assert!(Path::new("/etc/os-release").exists());

        let cell = rig.boot("b", &["first"]).await;
        let script = "cat /etc/own /data/x; ls /etc/os-release; rm /etc/own; mkdir /etc/own; touch /etc/own/x";
        let done = run(&cell, sudo(script)).await;
        assert_eq!(done.out, "mine\nd\n", "{done:?}");
        cell.end().await;
        rig.ground.freeze("b", &layer("second"), &[]).await.unwrap();

        let cell = rig.boot("c", &["second", "first"]).await;
        assert_eq!(
            says(&cell, "ls /etc/own /data").await,
            "/data:\nx\n\n/etc/own:\nx"
        );
        cell.end().await;
    }
}

#[tokio::test]
async fn a_data_directory_below_the_system_shows_that_part_as_it_is_and_never_the_data() {
    for level in Rig::apart().await.into_iter().map(|rig| rig.level) {
        let rig = Rig::within(Path::new("/var/tmp"), level);
        let cell = rig.boot("s", &[]).await;
        let data = rig.dir.path().display();
        let look = run(
            &cell,
            sudo(&format!(
                "ls -A {data}; test ! -e {data}/cells && echo hidden"
            )),
        )
        .await;
        assert_eq!(look.out, "hidden\n", "{look:?}");
        assert_ne!(run(&cell, sudo("touch /var/x")).await.code, 0);
        assert_eq!(run(&cell, sudo("touch /etc/x")).await.code, 0);
        cell.end().await;
    }
}

#[tokio::test]
async fn a_chain_may_be_long_and_nobody_else_reaches_what_is_kept() {
    for rig in Rig::apart().await {
        let mut chain: Vec<String> = Vec::new();
        for number in 0..20 {
            let base: Vec<&str> = chain.iter().map(String::as_str).collect();
            let cell = rig.boot("s", &base).await;
            let seen = says(
                &cell,
                &format!("echo {number} >> all; tail -n 2 all | head -n 1"),
            )
            .await;
            assert_eq!(seen, (number.max(1) - 1).to_string());
            cell.end().await;
            let name = format!("snap_{number}_with_a_rather_long_name_for_a_layer");
            rig.ground.freeze("s", &layer(&name), &[]).await.unwrap();
            chain.insert(0, name);
        }
        for name in ["cells", "layers"] {
            let mode = std::fs::metadata(rig.dir.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }
}
