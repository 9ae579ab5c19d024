//! What the file keeps, and what becomes of its room.

use super::{Key, SpillFile, nameless, unlinked};
use crate::logic::tail::Keeping;
use crate::text::{Chunk, LogStore};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

fn chunks() -> Vec<Arc<Chunk>> {
    let mut store = LogStore::new(1 << 20);
    store.set_limits(1 << 20, true);
    store.push(
        &crate::model::StreamName::Stdout,
        &"a line\n".repeat(200_000),
        None,
    );
    store.spill(0)
}

fn keys() -> (Key, Key, Key) {
    let (mut keeping, chunks) = (Keeping::default(), chunks());
    let (one, other) = (keeping.next_store(), keeping.next_store());
    (
        (one, chunks[0].id()),
        (one, chunks[1].id()),
        (other, chunks[0].id()),
    )
}

fn file(home: &TempDir) -> SpillFile {
    SpillFile::new(vec![home.path().join("made/when/needed")])
}

#[test]
fn what_is_written_is_read_until_it_is_freed() {
    let home = TempDir::new().unwrap();
    let (mut file, (a, b, c)) = (file(&home), keys());
    assert!(file.read(a).is_err());
    file.write(a, b"first").unwrap();
    file.write(b, b"second").unwrap();
    file.write(c, b"another log's").unwrap();
    assert_eq!(file.read(a).unwrap(), b"first");
    assert_eq!(file.read(b).unwrap(), b"second");
    file.free_all(a.0);
    assert!(file.read(a).is_err() && file.read(b).is_err());
    assert_eq!(file.read(c).unwrap(), b"another log's");
    file.write(a, b"first again").unwrap();
    assert_eq!(file.space.end(), 24, "its room is used again");
    assert_eq!(file.read(a).unwrap(), b"first again");
    assert_eq!(file.read(c).unwrap(), b"another log's");
}

#[test]
fn room_goes_back_to_the_system() {
    let home = TempDir::new().unwrap();
    let (mut file, (a, b, c)) = (file(&home), keys());
    for key in [a, b, c] {
        file.write(key, &vec![7; 1 << 20]).unwrap();
    }
    let meta = |file: &SpillFile| file.file.as_ref().unwrap().metadata().unwrap();
    file.free(a);
    assert_eq!(file.read(b).unwrap(), vec![7; 1 << 20]);
    file.free(c);
    assert_eq!(meta(&file).len(), 2 << 20, "the end is cut off");
    file.free(b);
    assert_eq!(meta(&file).len(), 0);
}

#[test]
fn nobody_else_finds_it() {
    let home = TempDir::new().unwrap();
    for made in [
        nameless(&[home.path().to_owned()]),
        unlinked(home.path()),
        nameless(&[PathBuf::from("/proc/nowhere"), home.path().to_owned()]),
    ] {
        let meta = made.unwrap().metadata().unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, 0o600);
        assert_eq!(meta.nlink(), 0);
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn without_a_place_it_says_why() {
    let mut file = SpillFile::new(vec![PathBuf::from("/proc/nowhere")]);
    assert!(file.write(keys().0, b"text").is_err());
    assert!(SpillFile::new(Vec::new()).write(keys().0, b"text").is_err());
}
