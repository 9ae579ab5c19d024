//! How a command starts and ends: its output, arguments, surroundings, exit code.

use super::rig::*;

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
async fn requests_and_output_may_be_larger_than_any_buffer() {
    let long = "x".repeat(100_000);
    let args = [&["-c", r#"printf %s "$@""#, "sh"][..], &[long.as_str(); 9]].concat();
    for rig in Rig::all().await {
        let cell = rig.boot("s", &[]).await;
        let done = run(&cell, job("sh", &args)).await;
        assert_eq!((done.code, done.out.len()), (0, 900_000), "{}", done.err);
        // A closed pipe ends its writer, as everywhere.
        assert_eq!(says(&cell, "yes | head -n 1").await, "y");
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
