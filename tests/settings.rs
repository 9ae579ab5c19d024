//! The settings through the real program: what `config` and `keys` say of files that are right, wrong or no files.
//!
//! A folder of `tests/data/config` is a directory of settings; `said` is what `config check` says of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn sandtop(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sandtop"))
        .args(arguments)
        .env_clear()
        .env("HOME", directory)
        .env("SANDTOP_CONFIG_DIR", directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    assert!(!bytes.contains(&0x1b), "an escape");
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What `config check` says, without the directory, and its exit code.
fn check(directory: &Path) -> (String, Option<i32>) {
    let output = sandtop(directory, &["config", "check"]);
    assert_eq!(text(&output.stderr), "");
    let prefix = format!("{}/", directory.display());
    let said = text(&output.stdout).replace(&prefix, "");
    (said, output.status.code())
}

#[test]
fn every_folder_of_settings_is_judged_as_it_says() {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/config");
    let mut count = 0;
    for folder in fs::read_dir(folders).unwrap() {
        let folder = folder.unwrap().path();
        let wanted = fs::read_to_string(folder.join("said")).unwrap();
        let code = Some(i32::from(!wanted.is_empty()));
        assert_eq!(check(&folder), (wanted, code), "{}", folder.display());
        count += 1;
    }
    assert!(count >= 6, "{count} folders");
}

#[test]
fn what_is_no_file_of_settings_is_told_and_ends_nothing() {
    let home = TempDir::new().unwrap();
    assert_eq!(check(home.path()), (String::new(), Some(0)), "no files");
    fs::create_dir(home.path().join("config.toml")).unwrap();
    fs::write(home.path().join("keys.toml"), vec![b'#'; 5 << 20]).unwrap();
    let (said, code) = check(home.path());
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("config.toml: this is a directory"),
        "{said}"
    );
    assert!(
        lines[1].starts_with("keys.toml: this file has 5120 KiB"),
        "{said}"
    );
    assert_eq!((lines.len(), code), (2, Some(1)));
}

#[test]
fn the_paths_follow_the_option_and_the_variable() {
    let home = TempDir::new().unwrap();
    let path = |arguments: &[&str]| text(&sandtop(home.path(), arguments).stdout);
    let of = |directory: &str| format!("{directory}/config.toml\n{directory}/keys.toml\n");
    assert_eq!(
        path(&["config", "path"]),
        of(&home.path().display().to_string())
    );
    assert_eq!(
        path(&["config", "--config-dir", "/else", "path"]),
        of("/else")
    );
}

#[test]
fn the_printed_settings_are_without_fault() {
    let home = TempDir::new().unwrap();
    let printed = sandtop(home.path(), &["config", "print"]);
    fs::write(home.path().join("config.toml"), &printed.stdout).unwrap();
    assert_eq!(check(home.path()), (String::new(), Some(0)));
    assert!(text(&printed.stdout).contains("# theme = \"auto\""));
}

#[test]
fn the_keys_are_those_of_readme_and_a_users_own() {
    let home = TempDir::new().unwrap();
    let printed = sandtop(home.path(), &["keys"]);
    let table = text(&printed.stdout);
    assert!(include_str!("../README.md").contains(&table), "{table}");
    fs::write(home.path().join("keys.toml"), "top = ['g g']\nnope = []\n").unwrap();
    let printed = sandtop(home.path(), &["keys"]);
    assert!(text(&printed.stdout).contains("| `g g` | top | free |"));
    assert!(text(&printed.stderr).contains("there is no action `nope`"));
    assert_eq!(printed.status.code(), Some(0));
}
