//! What comes back of a cell's files: all of it, however they were changed and however long the chain.

use super::rig::*;
use fastrand::Rng;

/// So long a chain is put into one layer, and grows anew. At `plain` there is none.
const LONG_CHAIN: usize = 35;
const NO_CHAIN: usize = 5;

/// Everything below some directories, by name, kind, mode, owner, time and content. Sizes and link counts of
/// directories are the file system's own business.
fn listing(directories: &str) -> String {
    format!(
        r"for d in {directories}; do
            find $d -type d -printf '%p %y %m %U %G %T@\n' -o -printf '%p %y %m %U %G %T@ %s %l\n'
            find $d -type f -exec cksum {{}} +
        done | sort"
    )
}

/// A change that may well be impossible: then nothing happens.
fn change(rng: &mut Rng, top: &str) -> String {
    let mut place = |depth: usize| {
        let parts = (0..=rng.usize(0..depth)).map(|_| rng.choice(["a", "b", "c"]).unwrap());
        format!("{top}/{}", parts.collect::<Vec<_>>().join("/"))
    };
    let (one, two, deep) = (place(2), place(3), place(4));
    let number = rng.u16(..);
    match rng.u8(0..14) {
        0 | 1 => format!("mkdir -p {deep}"),
        2 | 3 => format!("echo {number} > {two}"),
        4 => format!("echo {number} >> {deep}"),
        5 => format!("rm -rf {one}"),
        6 => format!("rm -rf {two}; mkdir {two}"),
        7 => format!("mv -T {two} {one}"),
        8 => format!("ln {two} {deep}"),
        9 => format!("ln -sfn {number} {two}"),
        10 => format!(
            "chmod {} {two}",
            rng.choice(["700", "555", "4751", "1777"]).unwrap()
        ),
        11 => format!("cp -a {one} {deep}"),
        12 => format!("touch -d @{number} {two}"),
        _ => format!("truncate -s {number} {two}; mkfifo {deep}.pipe"),
    }
}

fn changes(rng: &mut Rng, directories: &[&str], count: usize) -> String {
    let lines = (0..count).map(|_| {
        let top = rng.choice(directories).unwrap();
        format!("{{ {}; }} 2>/dev/null || :\n", change(rng, top))
    });
    lines.collect()
}

async fn as_superuser(cell: &Cell, script: &str) -> String {
    let done = run(cell, sudo(script)).await;
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{script}");
    done.out
}

/// Sessions change files at random; each finds what the one before it left.
#[tokio::test]
async fn whatever_is_done_to_files_the_next_session_finds_them_so() {
    for rig in Rig::all().await {
        let seed = 1;
        let mut rng = Rng::with_seed(seed);
        let mut directories = vec!["w"];
        if rig.level == Level::Root {
            // Over directories of the machine, one of them with files of its own.
            directories.extend(["/opt/w", "/etc/default"]);
        }
        let all = directories.join(" ");
        let mut chain: Vec<String> = Vec::new();
        let mut longest = 0;
        let mut left = String::new();
        let (sessions, most) = match rig.level {
            Level::Plain => (NO_CHAIN, 1),
            _ => (LONG_CHAIN, 32),
        };
        for session in 0..sessions {
            let base: Vec<&str> = chain.iter().map(String::as_str).collect();
            let cell = rig.boot("s", &base).await;
            let place = format!("{} seed {seed} session {session}", rig.level.word());
            if session > 0 {
                assert_eq!(as_superuser(&cell, &listing(&all)).await, left, "{place}");
            }
            let script = changes(&mut rng, &directories, 12);
            as_superuser(&cell, &format!("mkdir -p {all}\n{script}")).await;
            left = as_superuser(&cell, &listing(&all)).await;
            cell.end().await;
            let name = format!("layer-{session}");
            let base: Vec<LayerId> = chain.iter().map(|name| layer(name)).collect();
            let frozen = rig.ground.freeze("s", &layer(&name), &base).await.unwrap();
            if frozen.whole {
                chain.clear();
            }
            chain.insert(0, name);
            longest = longest.max(chain.len());
        }
        assert_eq!(longest, most);
    }
}

/// What others are built upon stays as it was when a chain is put into one layer.
#[tokio::test]
async fn layers_that_were_put_into_one_serve_others_on() {
    for rig in Rig::apart().await {
        let mut chain: Vec<String> = Vec::new();
        loop {
            let base: Vec<&str> = chain.iter().map(String::as_str).collect();
            let cell = rig.boot("s", &base).await;
            let number = chain.len();
            says(
                &cell,
                &format!(
                    "echo {number} > file; rm -f {number}; ln file {}",
                    number + 1
                ),
            )
            .await;
            cell.end().await;
            let name = format!("layer-{number}");
            let base: Vec<LayerId> = chain.iter().map(|name| layer(name)).collect();
            let frozen = rig.ground.freeze("s", &layer(&name), &base).await.unwrap();
            if frozen.whole && number > 0 {
                break;
            }
            chain.insert(0, name);
        }
        let last = format!("layer-{}", chain.len());
        let below: Vec<&str> = chain.iter().map(String::as_str).collect();
        let one = rig.boot("one", &[&last]).await;
        let old = rig.boot("old", &below).await;
        let (new, before) = (chain.len(), chain.len() - 1);
        let look = "cat file; ls; stat -c %h file";
        assert_eq!(
            says(&one, look).await,
            format!("{new}\n{}\nfile\n2", new + 1)
        );
        assert_eq!(says(&old, look).await, format!("{before}\n{new}\nfile\n2"));
        tokio::join!(one.end(), old.end());
        for session in ["one", "old"] {
            rig.ground.discard(session).await.unwrap();
        }
        // The one needs none of them.
        for name in &chain {
            rig.ground.remove_layer(&layer(name)).await.unwrap();
        }
        let one = rig.boot("one", &[&last]).await;
        assert_eq!(says(&one, "cat file").await, new.to_string());
        one.end().await;
    }
}

#[tokio::test]
async fn names_of_one_file_and_holes_come_back_as_they_were() {
    for rig in Rig::all().await {
        let cell = rig.boot("a", &[]).await;
        let script = "echo x > one; ln one two; truncate -s 100M sparse; echo end >> sparse";
        says(&cell, script).await;
        cell.end().await;
        rig.ground.freeze("a", &layer("first"), &[]).await.unwrap();
        let cell = rig.boot("b", &["first"]).await;
        let look = "test one -ef two && stat -c %h one; tail -c 4 sparse; \
                    test $(stat -c %b sparse) -lt 1000 && stat -c %s sparse";
        assert_eq!(says(&cell, look).await, "2\nend\n104857604");
        cell.end().await;
    }
}

#[tokio::test]
async fn what_cannot_be_kept_leaves_nothing_half_done_and_nothing_is_replaced() {
    for rig in Rig::all().await {
        for session in ["a", "b"] {
            let cell = rig.boot(session, &[]).await;
            says(&cell, &format!("echo {session} > file")).await;
            cell.end().await;
        }
        rig.ground.freeze("a", &layer("first"), &[]).await.unwrap();
        rig.ground
            .freeze("b", &layer("first"), &[])
            .await
            .unwrap_err();
        let cell = rig.boot("c", &["first"]).await;
        assert_eq!(says(&cell, "cat file").await, "a");
        cell.end().await;
        rig.ground.discard("b").await.unwrap();
        rig.ground.discard("c").await.unwrap();

        let stray = rig.ground.sweep([layer("second")].into()).await;
        stray.unwrap();
        let kept = rig.dir.path().join("layers").join(rig.level.word());
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 0);
    }
}
