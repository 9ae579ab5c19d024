//! Piles of layers as overlays write them, put into one, and what a copy keeps.

use super::merge;
use crate::engine::cell::Level;
use rustix::fs::{CWD, FileType, Mode, XattrFlags, getxattr, mknodat, setxattr};
use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Layers as an overlay in a user namespace writes them: nobody needs rights for these.
struct Layers {
    dir: TempDir,
    /// Newest first.
    paths: Vec<PathBuf>,
}

impl Layers {
    fn new(count: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let names = (0..count).map(|number| dir.path().join(number.to_string()));
        let paths: Vec<PathBuf> = names.collect();
        for path in &paths {
            fs::create_dir(path).unwrap();
        }
        Self { dir, paths }
    }

    fn dir(&self, layer: usize, name: &str) {
        fs::create_dir_all(self.paths[layer].join(name)).unwrap();
    }

    fn file(&self, layer: usize, name: &str, text: &str) {
        fs::write(self.paths[layer].join(name), text).unwrap();
    }

    fn hide(&self, layer: usize, name: &str) {
        let path = self.paths[layer].join(name);
        mknodat(CWD, path, FileType::CharacterDevice, Mode::empty(), 0).unwrap();
    }

    /// Nothing of this name shows through from below.
    fn close(&self, layer: usize, name: &str) {
        let path = self.paths[layer].join(name);
        setxattr(path, "user.overlay.opaque", b"y", XattrFlags::empty()).unwrap();
    }

    fn merge(&self, level: Level, sealed: bool, own: Option<&Path>) -> PathBuf {
        let to = self.dir.path().join("merged");
        merge(self.paths.clone(), &to, level, sealed, own).unwrap();
        to
    }
}

fn is_hidden(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_char_device())
}

fn is_closed(path: &Path) -> bool {
    getxattr(path, "user.overlay.opaque", &mut [0; 8][..]).is_ok()
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_newest_of_each_name_shows_and_what_lies_beneath_all_stays_hidden() {
    let layers = Layers::new(3);
    layers.file(2, "old", "oldest");
    layers.file(1, "old", "newer");
    layers.file(2, "gone", "");
    layers.hide(0, "gone");
    layers.file(1, "back", "again");
    layers.hide(2, "back");
    let merged = layers.merge(Level::Userns, false, None);
    assert_eq!(text(&merged.join("old")), "newer");
    // There may be one beneath.
    assert!(is_hidden(&merged.join("gone")));
    assert_eq!(text(&merged.join("back")), "again");
}

#[test]
fn directories_come_together_down_to_what_closes_them() {
    let layers = Layers::new(3);
    for layer in 0..3 {
        layers.dir(layer, "open/in");
        layers.file(layer, &format!("open/in/{layer}"), "");
        layers.dir(layer, "shut/in");
        layers.file(layer, &format!("shut/in/{layer}"), "");
    }
    layers.close(1, "shut");
    layers.hide(0, "shut/in/1");
    layers.hide(0, "open/in/1");
    let merged = layers.merge(Level::Userns, false, None);
    assert_eq!(names(&merged.join("open/in")), ["0", "1", "2"]);
    assert!(is_hidden(&merged.join("open/in/1")) && !is_closed(&merged.join("open")));
    // A mark that hides nothing would be seen as a file that is not there.
    assert_eq!(names(&merged.join("shut/in")), ["0"]);
    assert!(is_closed(&merged.join("shut")) && !is_closed(&merged.join("shut/in")));
}

#[test]
fn a_directory_in_the_place_of_something_else_does_not_let_it_through() {
    let layers = Layers::new(3);
    layers.dir(2, "a");
    layers.file(2, "a/old", "");
    layers.hide(1, "a");
    layers.dir(0, "a");
    layers.dir(2, "b");
    layers.file(1, "b", "a file meanwhile");
    layers.dir(0, "b");
    layers.file(0, "c", "a file now");
    layers.dir(1, "c");
    let merged = layers.merge(Level::Userns, false, None);
    for name in ["a", "b"] {
        assert!(names(&merged.join(name)).is_empty() && is_closed(&merged.join(name)));
    }
    assert_eq!(text(&merged.join("c")), "a file now");
}

#[test]
fn where_nothing_lies_beneath_no_mark_is_left() {
    let layers = Layers::new(2);
    layers.dir(1, "a");
    layers.file(1, "a/file", "");
    layers.dir(0, "a");
    layers.hide(0, "a/file");
    layers.close(0, "a");
    let merged = layers.merge(Level::Userns, true, None);
    assert!(names(&merged.join("a")).is_empty() && !is_closed(&merged.join("a")));
}

#[test]
fn what_was_copied_up_is_still_searched_for_deletions() {
    let layers = Layers::new(1);
    layers.dir(0, "a");
    layers.hide(0, "a/file");
    let origin = "user.overlay.origin";
    let path = layers.paths[0].join("a");
    setxattr(path, origin, b"somewhere", XattrFlags::empty()).unwrap();
    let merged = layers.merge(Level::Userns, false, None);
    assert!(getxattr(merged.join("a"), origin, &mut [0; 16][..]).is_ok());
}

#[test]
fn names_of_one_file_stay_names_of_one_and_own_files_are_not_copied() {
    let layers = Layers::new(2);
    for layer in 0..2 {
        layers.file(layer, &format!("{layer}-one"), "text");
        let at = |name: &str| layers.paths[layer].join(format!("{layer}-{name}"));
        fs::hard_link(at("one"), at("two")).unwrap();
    }
    let merged = layers.merge(Level::Userns, false, Some(&layers.paths[0]));
    let inode = |path: PathBuf| fs::symlink_metadata(path).unwrap().ino();
    let own = inode(layers.paths[0].join("0-one"));
    assert_eq!(
        [own, own],
        ["0-one", "0-two"].map(|name| inode(merged.join(name)))
    );
    let other = inode(merged.join("1-one"));
    assert_eq!(other, inode(merged.join("1-two")));
    assert_ne!(other, inode(layers.paths[1].join("1-one")));
}

#[test]
fn a_copy_has_content_holes_kinds_modes_times_and_attributes_of_the_original() {
    let layers = Layers::new(1);
    let from = &layers.paths[0];
    layers.dir(0, "sub");
    layers.file(0, "sub/run", "12345");
    let attribute = |path: &Path| {
        let mut value = [0; 8];
        let length = getxattr(path, "user.note", &mut value[..]).unwrap();
        value[..length].to_vec()
    };
    for name in ["sub/run", "sub"] {
        setxattr(from.join(name), "user.note", b"mine", XattrFlags::empty()).unwrap();
    }
    fs::set_permissions(from.join("sub/run"), Permissions::from_mode(0o4751)).unwrap();
    symlink("nowhere", from.join("link")).unwrap();
    mknodat(CWD, from.join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let sparse = fs::File::create(from.join("sparse")).unwrap();
    sparse.set_len(64 << 20).unwrap();
    std::os::unix::fs::FileExt::write_at(&sparse, b"far", 32 << 20).unwrap();
    fs::set_permissions(from.join("sub"), Permissions::from_mode(0o555)).unwrap();
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::open(from.join("sub"))
        .unwrap()
        .set_modified(old)
        .unwrap();

    let to = layers.merge(Level::Plain, true, None);
    let meta = |path: PathBuf| fs::symlink_metadata(path).unwrap();
    assert_eq!(
        fs::read_link(to.join("link")).unwrap(),
        Path::new("nowhere")
    );
    for name in ["sub", "sub/run", "link", "pipe", "sparse"] {
        let (old, new) = (meta(from.join(name)), meta(to.join(name)));
        assert_eq!(old.mode(), new.mode(), "{name}");
        assert_eq!(old.modified().unwrap(), new.modified().unwrap(), "{name}");
    }
    for name in ["sub/run", "sub"] {
        assert_eq!(attribute(&to.join(name)), b"mine");
    }
    assert_eq!(text(&to.join("sub/run")), "12345");
    let far = fs::read(to.join("sparse")).unwrap();
    assert_eq!((far.len(), &far[32 << 20..][..3]), (64 << 20, &b"far"[..]));
    assert!(
        meta(to.join("sparse")).blocks() < 4096,
        "the holes are filled"
    );
}

/// Whose owner may not read it either; the superuser never notices.
#[test]
fn what_forbids_to_be_read_is_copied_and_forbids_it_again() {
    let layers = Layers::new(1);
    let from = &layers.paths[0];
    layers.dir(0, "shut");
    layers.file(0, "shut/file", "text");
    for name in ["shut/file", "shut"] {
        fs::set_permissions(from.join(name), Permissions::from_mode(0o0)).unwrap();
    }
    let to = layers.merge(Level::Plain, true, None);
    for top in [from, &to] {
        let shut = top.join("shut");
        let mode = fs::symlink_metadata(&shut).unwrap().mode();
        assert_eq!(mode & 0o777, 0, "{}", shut.display());
        fs::set_permissions(&shut, Permissions::from_mode(0o700)).unwrap();
        let file = fs::symlink_metadata(shut.join("file")).unwrap();
        assert_eq!((file.mode() & 0o777, file.len()), (0, 4));
    }
}
