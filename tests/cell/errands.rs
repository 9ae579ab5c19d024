//! Work on a cell's files: whose they are afterwards, and how far it reaches.

use super::origin::{Origin, PASSWORD, USER};
use super::rig::*;
use sandtop::engine::cell::{Errand, FileError, Login, Repository};
use std::fs::File;
use std::io::{Read, Seek, Write};
use tar::{Builder, Header};

/// A tar that is not packed, of files with this content.
fn archive(files: &[(&str, &str)]) -> File {
    let mut tar = Builder::new(tempfile::tempfile().unwrap());
    for (name, content) in files {
        let mut header = Header::new_gnu();
        header.set_mode(0o640);
        header.set_size(content.len() as u64);
        tar.append_data(&mut header, name, content.as_bytes())
            .unwrap();
    }
    let mut file = tar.into_inner().unwrap();
    file.flush().unwrap();
    // Whoever reads it starts at its start by himself.
    file.seek(std::io::SeekFrom::End(0)).unwrap();
    file
}

async fn unpack(cell: &Cell, into: &str, files: &[(&str, &str)]) -> Result<(), FileError> {
    let into = into.to_owned();
    cell.errand(Errand::Unpack { into }, Some(archive(files)))
        .await
}

async fn read(cell: &Cell, path: &str) -> Result<String, FileError> {
    let mut text = String::new();
    let mut opened = cell.open(path.to_owned(), None).await?;
    opened.file.read_to_string(&mut text).unwrap();
    Ok(text)
}

#[tokio::test]
async fn files_belong_to_the_user_of_commands() {
    for rig in Rig::all().await {
        let cell = rig.boot("a", &[]).await;
        unpack(&cell, cell.cwd(), &[("d/f", "one"), ("g", "two")])
            .await
            .unwrap();
        let make = Errand::MakeDirectory {
            path: "e".into(),
            cwd: Some("d".into()),
            recursive: false,
        };
        cell.errand(make, None).await.unwrap();
        let own =
            "test -O d && test -O d/f && test -O d/e && stat -c %a d d/f d/e; echo more >> d/f";
        assert_eq!(says(&cell, own).await, "755\n640\n755", "{:?}", rig.level);
        assert_eq!(read(&cell, "d/f").await.unwrap(), "onemore\n");
        assert_eq!(read(&cell, "/vercel/sandbox/g").await.unwrap(), "two");
        assert!(matches!(
            read(&cell, "none").await,
            Err(FileError::Missing(_))
        ));
        cell.end().await;
        assert_eq!(read(&cell, "g").await, Err(FileError::CellGone));
    }
}

#[tokio::test]
async fn work_reaches_no_further_than_a_command() {
    for rig in Rig::apart().await {
        let cell = rig.boot("a", &[]).await;
        let name = marker(&rig, "reach");
        // Links lead to places of the cell, not of the machine.
        says(&cell, &format!("ln -s /tmp/{name} link; mkdir /tmp/{name}")).await;
        let linked = format!("vercel/sandbox/link/{name}");
        unpack(&cell, "/", &[(&linked, "in")]).await.unwrap();
        assert_eq!(
            read(&cell, &format!("/tmp/{name}/{name}")).await.unwrap(),
            "in"
        );
        assert!(!Path::new("/tmp").join(&name).exists());
        let outside = unpack(&cell, "/vercel/sandbox", &[("good", ""), ("link/x", "")]).await;
        assert!(matches!(outside, Err(FileError::Refused(_))), "{outside:?}");
        // What only the superuser may, at the machine's own files and at the cell's.
        let script = "mkdir -m 700 /srv/shut; echo s > /srv/shut/f; echo s > /srv/secret; chmod 600 /srv/secret";
        assert_eq!(run(&cell, sudo(script)).await.code, 0);
        for path in ["usr/bin/env", "etc/new", "srv/shut/f", "srv/secret", "new"] {
            let refused = unpack(&cell, "/", &[("tmp/good", ""), (path, "x")]).await;
            // A user namespace has one user: what is the superuser's is the user's as well.
            if rig.level == Level::Root {
                assert!(
                    matches!(refused, Err(FileError::Refused(_))),
                    "{path}: {refused:?}"
                );
                says(&cell, "test ! -e /tmp/good").await;
            }
        }
        if rig.level == Level::Root {
            for path in ["/srv/secret", "/srv/shut/f"] {
                let refused = read(&cell, path).await;
                assert!(
                    matches!(refused, Err(FileError::Refused(_))),
                    "{path}: {refused:?}"
                );
            }
        }
        // Nothing of the engine's is to be seen, also not by way of the process that does the work.
        let data = rig.dir.path().join("cells");
        let refused = read(&cell, data.to_str().unwrap()).await;
        assert!(matches!(refused, Err(FileError::Missing(_))), "{refused:?}");
        cell.end().await;
    }
}

#[tokio::test]
async fn a_repository_behind_a_login_becomes_the_users() {
    let origin = Origin::start([]).await;
    for rig in Rig::all().await {
        let cell = rig.boot("a", &[]).await;
        let repository = Repository {
            url: format!("{}/private.git", origin.url),
            revision: Some(origin.commits[0].clone()),
            depth: None,
            login: Some(Login {
                username: USER.into(),
                password: PASSWORD.into(),
            }),
        };
        let cloned = cell.errand(Errand::Clone(repository), None).await;
        assert_eq!(cloned, Ok(()), "{:?}", rig.level);
        let script = "test -O file && test -O .git/config && cat file && git status --short";
        assert_eq!(says(&cell, script).await, "one", "{:?}", rig.level);
        cell.end().await;
    }
    assert_eq!(origin.leaks(), Vec::<PathBuf>::new());
}
