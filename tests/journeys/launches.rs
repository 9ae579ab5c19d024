//! Running commands and creating sandboxes, by the forms: what is sent, once, and to which session.

use super::scene::{Scene, Service, key, of_kind, options};
use super::{LEFT, at_row, twenty};
use crossterm::event::{KeyEventKind, KeyModifiers};
use sandtop::logic::{Call, Event};
use sandtop::model::request::RunCommand;
use sandtop::model::{FailureKind, NetworkFault, SessionId, Status};
use serde_json::json;

fn runs(scene: &Scene) -> Vec<(&str, &RunCommand)> {
    let runs = scene.calls.iter().filter_map(|call| match call {
        Call::RunCommand(session, wanted) => Some((session.as_raw(), &**wanted)),
        _ => None,
    });
    runs.collect()
}

#[test]
fn a_command_is_run_by_the_form_and_its_log_is_shown() {
    let mut scene = at_row(twenty(), 3);
    scene.service.runs("box-03", "cmd_old", "npm start", None);
    scene.refresh();
    scene.press("] !");
    assert!(
        scene.shows("Run a command") && scene.shows("In box-03, session sbx_box-03"),
        "{}",
        scene.screen()
    );
    scene
        .type_text("make 'a b'")
        .press("tab tab")
        .type_text("/srv")
        .press("tab")
        .type_text("CI=1");
    scene
        .press("tab space tab")
        .type_text("2m")
        .press("enter")
        .answer();
    let [(session, wanted)] = runs(&scene)[..] else {
        panic!("{:?}", scene.changes())
    };
    assert_eq!(session, "sbx_box-03");
    assert_eq!(
        (wanted.command.as_str(), &wanted.args[..]),
        ("make", &["a b".to_owned()][..])
    );
    assert_eq!(
        (wanted.cwd.as_deref(), wanted.sudo, wanted.timeout),
        (Some("/srv"), true, Some(120_000))
    );
    assert_eq!(wanted.env.0["CI"], "1");
    assert!(
        scene.shows("[Logs]") && scene.shows("running in box-03"),
        "{}",
        scene.screen()
    );
    let chosen = scene.state.logs.chosen().unwrap();
    assert_eq!(
        (chosen.session.as_raw(), chosen.command.as_raw()),
        ("sbx_box-03", "cmd_2")
    );
    // It stays chosen when older and newer ones come and go.
    scene.service.runs("box-03", "cmd_newer", "other", None);
    scene.wait(60_000);
    assert_eq!(scene.state.logs.chosen().unwrap().command.as_raw(), "cmd_2");
}

#[test]
fn nothing_is_sent_while_something_is_wrong_or_after_esc() {
    let mut scene = at_row(twenty(), 3);
    scene.press("! ctrl-s").answer();
    assert!(scene.shows("what is to be run?"), "{}", scene.screen());
    scene
        .type_text("make")
        .press("tab tab tab")
        .type_text("1A")
        .press("ctrl-s")
        .answer();
    assert!(scene.shows("1A is no NAME=value"), "{}", scene.screen());
    scene.press("esc").answer();
    assert!(!scene.shows("Run a command"));
    scene.press("n").type_text("a b").press("ctrl-s").answer();
    assert!(
        scene.shows("letters, digits, - and _ only"),
        "{}",
        scene.screen()
    );
    scene.press("esc").answer();
    scene
        .press("n")
        .type_text("box-07")
        .press("ctrl-s")
        .answer();
    assert!(
        scene.shows("there is a sandbox of that name"),
        "{}",
        scene.screen()
    );
    scene.press("esc").answer();
    assert_eq!(scene.changes(), Vec::<&Call>::new());
}

#[test]
fn nothing_is_run_in_another_session_than_the_form_named() {
    // Resumed while the form stood: told, and not sent.
    let mut scene = at_row(twenty(), 3);
    scene.press("!").type_text("make");
    scene.service.get("box-03").current_session_id = Some(SessionId::new("sbx_next"));
    let now = scene.now;
    scene.service.set_status("box-03", Status::Running, now);
    scene.refresh();
    assert!(scene.shows("another session"), "{}", scene.screen());
    scene.press("ctrl-s").answer();
    assert_eq!(runs(&scene).len(), 0);
    // Resumed where only the second look can tell.
    let mut scene = at_row(twenty(), 3);
    scene.press("!").type_text("make");
    scene.service.get("box-03").current_session_id = Some(SessionId::new("sbx_next"));
    scene.press("ctrl-s").answer();
    assert_eq!(runs(&scene).len(), 0);
    assert!(
        scene.shows("nothing was run in box-03"),
        "{}",
        scene.screen()
    );
    // Another one selected meanwhile, by a list that reorders: the form's own is meant.
    let mut scene = at_row(twenty(), 3);
    scene.press("!").type_text("make");
    (0..3).for_each(|n| scene.service.add(&format!("new-{n}"), json!({})));
    scene.refresh().press("ctrl-s").answer();
    assert_eq!(runs(&scene)[0].0, "sbx_box-03");
}

#[test]
fn only_what_runs_is_offered() {
    let mut service = twenty();
    service.add("asleep", json!({"status": "stopped"}));
    let mut scene = at_row(service, 0);
    assert!(!scene.shows("! run"), "{}", scene.screen());
    for keys in ["!", ".", ","] {
        scene.press(keys).answer();
        assert!(
            scene.shows("asleep does not run: it is stopped"),
            "{}",
            scene.screen()
        );
    }
    assert_eq!(scene.changes(), Vec::<&Call>::new());
}

#[test]
fn a_lost_answer_is_told_and_never_repeated() {
    let lost = FailureKind::Network {
        fault: NetworkFault::Cut,
        sent: true,
    };
    let mut scene = at_row(twenty(), 3);
    scene
        .press("!")
        .type_text("make")
        .press("ctrl-s")
        .answer_once();
    scene.service.fault = Some(lost.clone());
    scene.answer_once();
    assert!(
        scene.shows("The command may have been run in box-03"),
        "{}",
        scene.screen()
    );
    assert!(
        scene.shows("commands (Logs)"),
        "where to look: {}",
        scene.screen()
    );
    scene.press("enter");
    scene.service.fault = None;
    scene.wait(300_000);
    assert_eq!(runs(&scene).len(), 1);
    scene.press("n").type_text("new").press("ctrl-s");
    scene.service.fault = Some(lost);
    scene.answer_once();
    assert!(
        scene.shows("It may be that new was created"),
        "{}",
        scene.screen()
    );
    scene.press("enter");
    scene.service.fault = None;
    scene.wait(300_000);
    assert_eq!(scene.changes().len(), 2);
}

#[test]
fn the_chosen_command_is_run_again_after_a_question() {
    let mut scene = at_row(twenty(), 2);
    scene.service.runs("box-02", "cmd_1", "npm test", Some(1));
    scene.refresh().press(".").answer();
    assert!(
        scene.shows("Run it again") && scene.shows("npm test"),
        "{}",
        scene.screen()
    );
    assert!(
        scene.shows("does not tell a command's environment"),
        "{}",
        scene.screen()
    );
    for _ in 0..20 {
        scene.send(of_kind("y", KeyEventKind::Repeat));
        scene.send(of_kind(".", KeyEventKind::Repeat));
    }
    scene.press(".").answer();
    assert_eq!(runs(&scene).len(), 0, "a held key answers nothing");
    scene.press("y").answer();
    let [(session, wanted)] = runs(&scene)[..] else {
        panic!()
    };
    assert_eq!(
        (session, wanted.command.as_str(), wanted.args.len()),
        ("sbx_box-02", "npm", 1)
    );
    // Edited: begins as the chosen one.
    scene.press(",");
    scene.type_text(" --watch").press("ctrl-s").answer();
    assert_eq!(runs(&scene)[1].1.args, ["test", "--watch"]);
}

#[test]
fn a_sandbox_is_created_by_the_form_and_selected() {
    let mut scene = at_row(twenty(), 7);
    scene
        .press("n")
        .type_text("fresh")
        .press("tab")
        .type_text("0");
    assert!(
        scene.shows("Create a sandbox") && scene.shows("billable"),
        "{}",
        scene.screen()
    );
    scene
        .press("backspace tab")
        .type_text("4")
        .press("ctrl-s")
        .answer();
    let [Call::CreateSandbox(wanted)] = scene.changes()[..] else {
        panic!("{:?}", scene.changes())
    };
    assert_eq!(wanted.name.as_ref().unwrap().as_raw(), "fresh");
    assert_eq!(
        (wanted.timeout, wanted.resources.unwrap().vcpus),
        (Some(300_000), 4)
    );
    assert_eq!(scene.selected(), Some("fresh"));
    assert!(scene.shows("fresh is created"));
    // Also where the filter hides it.
    scene
        .press("/")
        .type_text("box")
        .press("enter n")
        .type_text("other")
        .press("ctrl-s")
        .answer();
    assert_eq!(scene.selected(), Some("other"), "{}", scene.screen());
}

#[test]
fn pastes_and_clicks_reach_the_form() {
    let mut scene = at_row(twenty(), 1);
    scene.press("!");
    scene.send(Event::Paste("echo a\nrm -rf /\n".into()));
    assert_eq!(runs(&scene).len(), 0, "a pasted line break sends nothing");
    let (column, row) = scene.find("sudo").unwrap();
    scene.mouse(LEFT, column + 14, row);
    let (column, row) = scene.find("Run ]").unwrap();
    scene.mouse(LEFT, column, row).answer();
    let [(_, wanted)] = runs(&scene)[..] else {
        panic!("{}", scene.screen())
    };
    assert_eq!(
        (wanted.args.join(" "), wanted.sudo),
        ("a rm -rf /".to_owned(), true)
    );
    scene.press("!").type_text("x");
    let (column, row) = scene.find("Cancel").unwrap();
    scene.mouse(LEFT, column, row).answer();
    assert_eq!(runs(&scene).len(), 1);
}

#[test]
fn forms_are_drawn_at_any_size() {
    for opened in ["!", "n", ":", "."] {
        let mut scene = at_row(twenty(), 1);
        scene
            .service
            .runs("box-01", "cmd_1", &"é漢😀é ".repeat(200), Some(1));
        scene.refresh().press(opened).type_text("é漢😀é");
        for (columns, rows) in [
            (40, 10),
            (10, 3),
            (1, 1),
            (0, 0),
            (1, 200),
            (500, 1),
            (80, 24),
            (24, 6),
        ] {
            scene.resize(columns, rows).press("tab down").screen();
            scene.mouse(LEFT, columns / 2, rows / 2);
        }
        scene.press("esc esc").answer();
    }
}

#[test]
fn read_only_leaves_no_form() {
    let read_only = sandtop::app::Options {
        read_only: true,
        ..options(120, 40)
    };
    let mut scene = Scene::new(read_only, Service::with(&["box"]));
    scene.service.runs("box", "cmd_1", "npm test", Some(1));
    scene.refresh();
    for keys in ["!", ".", ",", "n"] {
        scene.press(keys).answer();
        assert!(scene.shows("Read-only: "), "{}", scene.screen());
    }
    let alt_enter = crossterm::event::KeyEvent::new(key("enter").code, KeyModifiers::ALT);
    scene.send(Event::Key(alt_enter)).answer();
    assert_eq!(scene.changes(), Vec::<&Call>::new());
}
