//! Lines get out whole, by the way that works, and over nothing that was not meant.

use super::ways::{Tmux, Way, ways};
use super::{Shelf, child, clipboard, file, lines};
use crate::logic::tail::{Keeping, SpillNews, SpillOrder};
use crate::logic::{Amount, CopyWay, Event, Excerpt, Held, Strand};
use crate::model::StreamName;
use crate::run::spill::Spill;
use crate::text::{Form, LogStore, Weave};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tokio::sync::mpsc;

const BUDGET: usize = 64 << 10;

/// 20 000 lines of which most are in the file, and what reads that.
fn spilled(home: &Path) -> (Excerpt, Shelf, String) {
    let (news, mut told) = mpsc::channel(64);
    let mut spill = Spill::new(vec![home.to_owned()], news);
    let id = Keeping::default().next_store();
    let mut store = LogStore::new(BUDGET);
    store.set_limits(BUDGET, true);
    let mut all = String::new();
    for number in 0..20_000 {
        let line = format!("line {number:06}\n");
        all.push_str(&line);
        store.push(&StreamName::Stdout, &line, None);
        for chunk in store.spill(BUDGET) {
            spill.carry_out(id, SpillOrder::Write(chunk));
            match told.blocking_recv() {
                Some(Event::Spill(_, SpillNews::Written(chunk))) => store.written(chunk),
                other => panic!("{other:?}"),
            }
        }
    }
    let lines = 0..store.end();
    let filter = None;
    let held = Held::One(id, Box::new(store));
    let excerpt = Excerpt {
        id,
        held,
        lines,
        filter,
    };
    (excerpt, spill.shelf(), all)
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).build().unwrap()
}

#[test]
fn what_is_away_goes_out_as_if_it_were_in_memory_and_takes_no_more_of_that() {
    let (runtime, home) = (runtime(), tempfile::TempDir::new().unwrap());
    let _entered = runtime.enter();
    let (mut excerpt, shelf, all) = spilled(home.path());
    assert!(excerpt.held.log().away_at(0).is_some(), "nothing is away");
    for _ in 0..2 {
        let mut out = Vec::new();
        let amount = lines::write(&mut excerpt, Form::Ansi, &shelf, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), all);
        let wanted = Amount {
            lines: 20_000,
            bytes: all.len() as u64,
            missing: 0,
        };
        assert_eq!(amount, wanted);
        assert!(excerpt.held.log().bytes() <= 3 * BUDGET);
    }
    excerpt.lines = 5..7;
    let mut out = Vec::new();
    lines::write(&mut excerpt, Form::Plain, &shelf, &mut out).unwrap();
    assert_eq!(out, b"line 000005\nline 000006\n");
}

/// Chunks of each come from where that one's are.
#[test]
fn several_logs_go_out_as_one_and_tell_whose_each_line_is() {
    let (runtime, home) = (runtime(), tempfile::TempDir::new().unwrap());
    let _entered = runtime.enter();
    let (one, shelf, _) = spilled(home.path());
    let Held::One(id, store) = one.held else {
        panic!("it is one log")
    };
    let mut keeping = Keeping::default();
    keeping.next_store();
    let mut other = LogStore::new(BUDGET);
    other.push(&StreamName::Stdout, "other\n", None);
    let mut order = Weave::default();
    let strands = [(id, *store, "one"), (keeping.next_store(), other, "two")];
    let strands = strands.map(|(id, store, name)| {
        order.add(0);
        Strand {
            id,
            store,
            name: Some(name.into()),
        }
    });
    order.take(0, 2);
    order.take(1, 1);
    order.take(0, 3);
    let mut excerpt = Excerpt {
        id: keeping.next_store(),
        held: Held::Woven(order, strands.map(Some).into()),
        lines: 0..4,
        filter: None,
    };
    let mut out = Vec::new();
    let amount = lines::write(&mut excerpt, Form::Jsonl, &shelf, &mut out).unwrap();
    assert_eq!((amount.lines, amount.missing), (4, 0));
    let told: Vec<String> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {}", object["source"], object["text"])
        })
        .collect();
    let wanted = [
        r#""one" "line 000000\n""#,
        r#""one" "line 000001\n""#,
        r#""two" "other\n""#,
        r#""one" "line 000002\n""#,
    ];
    assert_eq!(told, wanted);
}

#[test]
fn what_cannot_be_read_back_is_counted() {
    let (runtime, home) = (runtime(), tempfile::TempDir::new().unwrap());
    let _entered = runtime.enter();
    let (mut excerpt, _, all) = spilled(home.path());
    let (news, _told) = mpsc::channel(1);
    let empty = Spill::new(Vec::new(), news).shelf();
    let mut out = Vec::new();
    let amount = lines::write(&mut excerpt, Form::Plain, &empty, &mut out).unwrap();
    assert_eq!(amount.lines + amount.missing, 20_000);
    assert!(amount.missing > 10_000, "{amount:?}");
    assert!(all.ends_with(&String::from_utf8(out).unwrap()));
}

fn set(names: &'static [&'static str]) -> impl Fn(&str) -> Option<String> {
    move |name| match name {
        "TERM" => Some("xterm-256color".to_owned()),
        name => names.contains(&name).then(|| "x".to_owned()),
    }
}

#[test]
fn the_best_way_comes_first_and_a_file_last() {
    const PLAIN: Way = Way::Terminal { wrapped: false };
    let none = || panic!("nobody asks a tmux that is not there");
    let first = |bytes, names: &'static [&'static str]| ways(bytes, set(names), none)[0];
    assert_eq!(first(100, &["DISPLAY"]), PLAIN);
    assert_eq!(first(74_994, &[]), PLAIN);
    assert_eq!(
        first(74_995, &["DISPLAY"]),
        Way::Program(&["xclip", "-selection", "clipboard"])
    );
    assert_eq!(
        first(74_995, &["WAYLAND_DISPLAY", "DISPLAY"]),
        Way::Program(&["wl-copy"])
    );
    assert_eq!(
        first(100, &["STY", "WAYLAND_DISPLAY"]),
        Way::Program(&["wl-copy"])
    );
    assert_eq!(ways(1 << 40, set(&["DISPLAY"]), none), [Way::File]);
    let console = |name: &str| (name == "TERM").then(|| "linux".to_owned());
    assert!(!ways(1, console, none).contains(&PLAIN));

    let tmux = |takes, passes_on| ways(100, set(&["TMUX"]), || Tmux { takes, passes_on });
    assert_eq!(tmux(true, true)[0], PLAIN);
    assert_eq!(tmux(false, true)[0], Way::Terminal { wrapped: true });
    assert_eq!(
        tmux(false, false),
        [Way::Program(&["pbcopy"]), Way::Tmux, Way::File]
    );
}

#[test]
fn sequences_are_wrapped_for_tmux() {
    assert_eq!(
        clipboard::sequence("hi", false).unwrap(),
        "\u{1b}]52;c;aGk=\u{1b}\\"
    );
    let wrapped = "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;aGk=\u{1b}\u{1b}\\\u{1b}\\";
    assert_eq!(clipboard::sequence("hi", true).unwrap(), wrapped);
}

fn two_lines(out: &mut dyn Write) -> io::Result<Amount> {
    out.write_all(b"one\n")?;
    out.write_all(b"two\n")?;
    Ok(Amount {
        lines: 2,
        bytes: 8,
        missing: 0,
    })
}

/// A shell into which it is pasted must wait for Enter.
#[test]
fn the_first_way_that_works_takes_the_text_without_its_last_break() {
    let home = tempfile::TempDir::new().unwrap();
    let private = [home.path().join("a/b")];
    let took = home.path().join("took");
    let script = format!("cat > '{}'", took.display());
    let words: [&'static str; 3] = ["sh", "-c", Box::leak(script.into_boxed_str())];
    let program = Way::Program(Box::leak(Box::new(words)));
    let no_terminal = |_: &str| Err(ErrorKind::BrokenPipe.into());
    let copy = |ways: &[Way]| {
        clipboard::by_first(ways, &two_lines, "one\ntwo", no_terminal, &private).unwrap()
    };
    let dead = [
        Way::Terminal { wrapped: false },
        Way::Program(&["false"]),
        Way::Program(&["/nowhere/at/all"]),
    ];
    let (way, amount) = copy(&[&dead[..], &[program, Way::File]].concat());
    assert_eq!((way, amount.lines), (CopyWay::Program("sh"), 2));
    assert_eq!(fs::read_to_string(took).unwrap(), "one\ntwo");

    for _ in 0..2 {
        let (way, _) = copy(&[&dead[..], &[Way::File]].concat());
        let CopyWay::File(path) = way else {
            panic!("{way:?}")
        };
        assert_eq!(fs::read_to_string(path.as_raw()).unwrap(), "one\ntwo");
        assert_eq!(mode(Path::new(path.as_raw())), 0o600);
    }
    assert_eq!(mode(&private[0]), 0o700);
}

#[test]
fn a_program_that_fails_is_told_and_one_that_answers_is_heard() {
    assert!(child::feed(&["false"], |_| Ok(())).is_err());
    assert!(child::feed(&["true"], |_| Ok(())).is_ok());
    assert_eq!(child::answer(&["echo", "on"]).as_deref(), Some("on"));
    assert_eq!(child::answer(&["false"]), None);
    assert_eq!(child::answer(&["/nowhere/at/all"]), None);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn put(text: &'static str) -> impl FnOnce(&mut dyn Write) -> io::Result<()> {
    move |out| out.write_all(text.as_bytes())
}

#[test]
fn a_file_is_written_whole_for_its_owner_and_never_over_another_unasked() {
    let home = tempfile::TempDir::new().unwrap();
    let path = home.path().join("a.log");
    file::save(&path, false, put("first")).unwrap();
    assert_eq!(mode(&path), 0o600);
    let refused = file::save(&path, false, put("second")).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");

    // Through a link, which stays one.
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    file::save(&link, true, put("second")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

    let broken = |out: &mut dyn Write| -> io::Result<()> {
        out.write_all(b"half")?;
        Err(ErrorKind::StorageFull.into())
    };
    file::save(&path, true, broken).unwrap_err();
    file::save(&home.path().join("b.log"), false, broken).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second");
    let names = fs::read_dir(home.path()).unwrap();
    assert_eq!(names.count(), 2, "something was left behind");

    for odd in ["/dev/null", "/", "/nowhere/at/all"] {
        assert!(file::save(Path::new(odd), true, put("x")).is_err(), "{odd}");
    }
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn somebody_elses_file_of_that_name_stays() {
    let home = tempfile::TempDir::new().unwrap();
    let path = home.path().join("a.log");
    let meanwhile = path.clone();
    let write = move |out: &mut dyn Write| {
        fs::write(&meanwhile, "theirs")?;
        out.write_all(b"ours")
    };
    let refused = file::save(&path, false, write).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn a_path_is_taken_as_a_shell_takes_it() {
    let home = Path::new("/home/u");
    let whole = |typed| file::whole_path(typed, Some(home));
    assert_eq!(whole("~/a b.log"), Path::new("/home/u/a b.log"));
    assert_eq!(whole("/x/~/y"), Path::new("/x/~/y"));
    assert_eq!(
        whole("a.log"),
        std::env::current_dir().unwrap().join("a.log")
    );
}

#[test]
fn a_scrap_goes_with_its_owner() {
    let home = tempfile::TempDir::new().unwrap();
    let (scrap, amount) = file::scrap(&[home.path().to_owned()], two_lines).unwrap();
    assert_eq!((amount.lines, mode(&scrap.0)), (2, 0o600));
    let path = scrap.0.clone();
    drop(scrap);
    assert!(!path.exists());
}
