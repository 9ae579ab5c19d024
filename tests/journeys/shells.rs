//! Shells in the dashboard: opened, typed in, left alone, lost and closed; orders out, news in, no socket.

use super::scene::{EPOCH, Scene, Service, options};
use super::{at_row, twenty};
use sandtop::app::Options;
use sandtop::logic::{
    Call, Effect, EngineFate, Event, Pane, ShellId, ShellNews, ShellOrder, ShellStart,
};
use sandtop::model::{Failure, FailureKind, SandboxName, SessionId, Span, Status, Timestamp};
use sandtop::ui::layout::USABLE;

/// The orders since the last look.
pub fn orders(scene: &mut Scene) -> Vec<(ShellId, ShellOrder)> {
    let effects = std::mem::take(&mut scene.effects);
    let orders = effects.into_iter().filter_map(|effect| match effect {
        Effect::Shell(id, order) => Some((id, order)),
        _ => None,
    });
    orders.collect()
}

/// What was typed since the last look, all shells together.
pub fn typed(scene: &mut Scene) -> Vec<u8> {
    let orders = orders(scene).into_iter();
    orders
        .filter_map(|(_, order)| match order {
            ShellOrder::Input(typed) => Some(typed.0),
            _ => None,
        })
        .flatten()
        .collect()
}

/// The one shell that was opened since the last look.
pub fn started(scene: &mut Scene) -> (ShellId, ShellStart) {
    let mut opened = orders(scene)
        .into_iter()
        .filter_map(|(id, order)| match order {
            ShellOrder::Open(start) => Some((id, *start)),
            _ => None,
        });
    let first = opened.next().expect("no shell was opened");
    assert!(opened.next().is_none(), "more than one was opened");
    first
}

pub fn prints(scene: &mut Scene, id: ShellId, text: &str) {
    scene.send(Event::Shell(id, ShellNews::Output(text.to_owned().into())));
}

/// Opens a shell in the selected sandbox, to its prompt.
pub fn open(scene: &mut Scene) -> ShellId {
    scene.press("s");
    let (id, _) = started(scene);
    for news in [ShellNews::Asked, ShellNews::Healthy, ShellNews::Open] {
        scene.send(Event::Shell(id, news));
    }
    prints(scene, id, "\r\n$ ");
    id
}

pub fn lost(scene: &mut Scene, id: ShellId) {
    let news = ShellNews::Lost {
        why: "the connection was reset".into(),
        unsent: 5,
    };
    scene.send(Event::Shell(id, news));
}

#[test]
fn one_key_opens_a_shell_of_the_panes_size_without_a_question() {
    let mut scene = at_row(twenty(), 3);
    scene.press("s");
    let (id, start) = started(&mut scene);
    assert_eq!(start.session, SessionId::new("sbx_box-03"));
    let own = Some("/vercel/sandbox".to_owned());
    assert_eq!((start.command, start.cwd), (None, own));
    assert!(!start.sudo);
    let stage = scene.state.shell.inner();
    assert_eq!((start.columns, start.rows), (stage.width, stage.height));
    assert!(start.columns > 100 && start.rows > 5 && start.rows < 39);
    assert!(scene.shows("asking"), "{}", scene.screen());
    scene.send(Event::Shell(id, ShellNews::Open));
    assert!(scene.shows("open 0 s"), "{}", scene.screen());
    assert!(scene.shows("ctrl-] leaves it"), "{}", scene.screen());
    assert_eq!(scene.changes(), Vec::<&Call>::new());
    // The second time the same key leads into the same one.
    scene.press("ctrl-] d j k s");
    assert_eq!(orders(&mut scene), []);
    assert_eq!(scene.state.pane, Pane::Shell);
}

#[test]
fn a_stopped_sandbox_is_resumed_once_and_only_after_a_yes() {
    let mut service = twenty();
    let now = at_row(twenty(), 0).now;
    service.set_status("box-03", Status::Stopped, now);
    let mut scene = at_row(service, 3);
    scene.press("s");
    assert!(scene.shows("Resume box-03?"), "{}", scene.screen());
    assert!(
        scene.shows("there is no shell in it now"),
        "{}",
        scene.screen()
    );
    scene.press("esc").answer();
    assert_eq!((scene.changes().len(), orders(&mut scene).len()), (0, 0));
    scene.press("s y").answer();
    scene.wait(3_000);
    let resume = Call::Resume(SandboxName::new("box-03"));
    assert_eq!(scene.changes(), [&resume]);
    let (_, start) = started(&mut scene);
    assert_eq!(start.session, SessionId::new("sbx_resumed_1"));
    assert_eq!(scene.state.pane, Pane::Shell);
}

#[test]
fn a_resume_that_fails_opens_nothing_and_says_so() {
    let mut service = twenty();
    let now = at_row(twenty(), 0).now;
    service.set_status("box-03", Status::Stopped, now);
    service.refuses = Some(|call| {
        matches!(call, Call::Resume(_)).then_some(FailureKind::Status {
            status: 402,
            code: None,
            message: None,
            request_id: None,
            retry_after: None,
        })
    });
    let mut scene = at_row(service, 3);
    scene.press("s y").answer();
    scene.wait(3_000);
    assert_eq!(orders(&mut scene), []);
    assert_eq!(scene.changes().len(), 1);
    assert!(scene.shows("box-03"), "{}", scene.screen());
}

#[test]
fn a_session_that_ended_meanwhile_is_told_and_cured_only_on_request() {
    let mut scene = at_row(twenty(), 3);
    scene.press("s");
    let (id, _) = started(&mut scene);
    let now = scene.now;
    scene.service.set_status("box-03", Status::Stopped, now);
    let failure = Failure {
        call: "open shell",
        request: "POST /x".into(),
        kind: FailureKind::Status {
            status: 410,
            code: Some("sandbox_stopped".into()),
            message: None,
            request_id: None,
            retry_after: None,
        },
        causes: Vec::new(),
    };
    scene
        .send(Event::Shell(id, ShellNews::Failed(failure)))
        .answer();
    assert!(scene.shows("not opened"), "{}", scene.screen());
    assert!(scene.shows("410 gone"), "{}", scene.screen());
    assert!(
        scene.shows("its session is stopped"),
        "the list follows\n{}",
        scene.screen()
    );
    scene.press("l s enter").answer();
    assert_eq!(typed(&mut scene), b"", "nobody is there");
    assert_eq!(scene.changes(), Vec::<&Call>::new());
    scene.press("ctrl-] R");
    assert!(scene.shows("Resume box-03?"), "{}", scene.screen());
    scene.press("y").answer();
    scene.wait(3_000);
    let (again, start) = started(&mut scene);
    assert_ne!(again, id);
    assert_eq!(start.session, SessionId::new("sbx_resumed_1"));
}

#[test]
fn a_lost_shell_keeps_its_screen_and_can_be_opened_again() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    prints(&mut scene, id, "make: all is well");
    lost(&mut scene, id);
    scene.wait(3_000);
    assert!(scene.shows("make: all is well"), "{}", scene.screen());
    assert!(scene.shows("lost 3 s ago"), "{}", scene.screen());
    assert!(scene.shows("ctrl-] R opens it again"), "{}", scene.screen());
    assert!(
        scene.shows("5 bytes typed may not have arrived"),
        "{}",
        scene.screen()
    );
    orders(&mut scene);
    scene.press("x");
    assert!(scene.shows("This shell is over"), "{}", scene.screen());
    assert_eq!(typed(&mut scene), b"");
    scene.press("ctrl-] R");
    let (again, _) = started(&mut scene);
    scene.send(Event::Shell(again, ShellNews::Open));
    prints(&mut scene, again, "new$ ");
    assert!(
        scene.shows("make: all is well") && scene.shows("new$"),
        "{}",
        scene.screen()
    );
    prints(&mut scene, id, "late");
    assert!(!scene.shows("late"), "of the former connection");
}

#[test]
fn a_session_stopped_under_the_shell_is_told_in_its_border() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    let now = scene.now;
    scene
        .service
        .set_status("box-03", Status::Snapshotting, now);
    lost(&mut scene, id);
    scene.answer();
    assert!(
        scene.shows("its session is snapshotting"),
        "{}",
        scene.screen()
    );
    scene.service.remove("box-03");
    scene.press("ctrl-] q r").answer();
    scene.wait(60_000);
    assert!(scene.shows("its sandbox is deleted") || scene.state.list.selected().is_some());
}

#[test]
fn resizes_send_the_last_size_and_hidden_panes_no_size() {
    let mut scene = at_row(twenty(), 3);
    open(&mut scene);
    let sizes = |scene: &mut Scene| -> Vec<(u16, u16)> {
        let orders = orders(scene).into_iter();
        orders
            .filter_map(|(_, order)| match order {
                ShellOrder::Resize { columns, rows } => Some((columns, rows)),
                _ => None,
            })
            .collect()
    };
    for width in (USABLE.0..200).chain((90..200).rev()) {
        scene.resize(width, 40);
    }
    scene.wait(1_000);
    let inner = scene.state.shell.inner();
    assert_eq!(sizes(&mut scene), [(inner.width, inner.height)]);
    for (width, height) in [(10, 3), (1, 1), (0, 0), (1, 200), (500, 1)] {
        scene.resize(width, height);
        scene.buffer();
    }
    scene.wait(1_000);
    assert_eq!(sizes(&mut scene), [], "there is no pane to have a size");
    scene.resize(90, 40);
    scene.wait(1_000);
    assert_eq!(sizes(&mut scene), [], "it is as it was");
    scene.press("ctrl-] z");
    scene.wait(1_000);
    let zoomed = sizes(&mut scene);
    assert_eq!(zoomed.len(), 1);
    assert!(
        zoomed[0].1 > inner.height && zoomed[0].0 == 88,
        "{zoomed:?}"
    );
}

#[test]
fn shells_live_on_while_others_are_looked_at_and_are_listed_with_marks() {
    let mut scene = at_row(twenty(), 3);
    let first = open(&mut scene);
    scene.press("ctrl-] d j");
    let second = open(&mut scene);
    assert_ne!(first, second);
    prints(&mut scene, first, "done\x07");
    assert!(scene.effects.contains(&Effect::Bell));
    scene.press("ctrl-] S");
    let list = scene.screen();
    assert!(list.contains("box-03") && list.contains("bell"), "{list}");
    scene.press("k enter");
    assert_eq!(
        (scene.selected(), scene.state.pane),
        (Some("box-03"), Pane::Shell)
    );
    assert!(scene.shows("done"), "{}", scene.screen());
    orders(&mut scene);
    scene.press("w");
    assert!(matches!(orders(&mut scene).as_slice(), [(id, ShellOrder::Input(_))] if *id == first));
}

#[test]
fn several_shells_of_a_sandbox_are_walked_named_and_closed() {
    let mut scene = at_row(twenty(), 3);
    let first = open(&mut scene);
    scene.press("ctrl-] c");
    assert!(scene.shows("Open a shell"), "{}", scene.screen());
    scene
        .type_text("htop -d 5")
        .press("tab space tab")
        .type_text("/srv");
    scene.press("tab").type_text("A=1").press("ctrl-s");
    let (second, start) = started(&mut scene);
    assert_eq!(
        (start.command.as_deref(), start.args.len()),
        (Some("htop"), 2)
    );
    assert!(start.sudo && start.cwd.as_deref() == Some("/srv"));
    assert_eq!(start.env, [("A".to_owned(), "1".to_owned())]);
    scene.send(Event::Shell(second, ShellNews::Open));
    prints(&mut scene, second, "load");
    scene.press("ctrl-] , w e b enter");
    assert!(scene.shows("Shell 1 · web"), "{}", scene.screen());
    scene.press("ctrl-] n");
    assert!(!scene.shows("load"), "{}", scene.screen());
    scene.press("ctrl-] p");
    assert!(scene.shows("load"), "{}", scene.screen());
    orders(&mut scene);
    scene.press("ctrl-] x");
    assert!(scene.shows("Close the shell"), "{}", scene.screen());
    scene.press("esc ctrl-] x y");
    assert_eq!(orders(&mut scene), [(second, ShellOrder::Close)]);
    assert_eq!(scene.state.pane, Pane::Shell, "its neighbour has the keys");
    scene.send(Event::Shell(first, ShellNews::Exited(Some(3))));
    assert!(scene.shows("exited 3"), "{}", scene.screen());
    scene.press("ctrl-] x");
    assert!(
        scene.shows("No shell is open in box-03"),
        "{}",
        scene.screen()
    );
    assert_eq!(scene.state.pane, Pane::Stage);
}

#[test]
fn quitting_with_open_shells_asks_and_names_them() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    scene.press("ctrl-] d q");
    let asked = scene.screen();
    assert!(
        asked.contains("One shell is open") && asked.contains("box-03: shell 1"),
        "{asked}"
    );
    assert!(!scene.effects.contains(&Effect::Quit(EngineFate::End)));
    scene.press("esc");
    scene.send(Event::Shell(id, ShellNews::Exited(Some(0))));
    scene.press("q");
    assert!(
        scene.effects.contains(&Effect::Quit(EngineFate::End)),
        "it is over"
    );
}

#[test]
fn time_is_shown_and_given_only_where_that_was_chosen() {
    let mut service = twenty();
    service.get("box-03").expires_at = Some(Timestamp(EPOCH + 200_000));
    let mut scene = at_row(service, 3);
    open(&mut scene);
    assert!(scene.shows("left"), "{}", scene.screen());
    scene.wait(60_000);
    assert_eq!(scene.changes(), Vec::<&Call>::new(), "off until chosen");
    scene.press("ctrl-] k");
    assert!(scene.shows("kept alive"), "{}", scene.screen());
    scene.answer();
    let extend = Call::Extend(SessionId::new("sbx_box-03"), Span::minutes(5));
    assert_eq!(scene.changes(), [&extend]);
    scene.wait(120_000);
    assert_eq!(scene.changes().len(), 1, "there is time enough");
    // Nobody is in the shell: nobody wants it kept.
    scene.press("ctrl-] q");
    scene.wait(400_000);
    assert_eq!(scene.changes().len(), 1);
}

#[test]
fn the_first_refusal_ends_keeping_alive() {
    let mut service = twenty();
    service.get("box-03").expires_at = Some(Timestamp(EPOCH + 100_000));
    service.refuses = Some(|call| {
        matches!(call, Call::Extend(..)).then_some(FailureKind::Status {
            status: 400,
            code: Some("sandbox_timeout_invalid".into()),
            message: None,
            request_id: None,
            retry_after: None,
        })
    });
    let mut scene = at_row(service, 3);
    open(&mut scene);
    scene.press("ctrl-] k").answer();
    assert!(scene.shows("kept alive no longer"), "{}", scene.screen());
    scene.wait(90_000);
    assert_eq!(scene.changes().len(), 1);
}

#[test]
fn read_only_opens_no_shell_by_any_key() {
    let read_only = Options {
        read_only: true,
        ..options(120, 40)
    };
    let mut scene = Scene::new(read_only, twenty());
    scene.press("s c ] enter s c enter S esc").answer();
    scene.press(": s h e l l enter y").answer();
    assert_eq!(orders(&mut scene), []);
    assert_eq!(scene.changes(), Vec::<&Call>::new());
}

#[test]
fn twenty_shells_are_open_at_once_and_each_hears_its_own() {
    let mut scene = at_row(twenty(), 0);
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(open(&mut scene));
        scene.press("ctrl-] d j");
    }
    for (at, id) in ids.iter().enumerate() {
        prints(&mut scene, *id, &format!("I am {at}"));
    }
    scene.press("G g s");
    assert!(scene.shows("I am 0"), "{}", scene.screen());
    scene.press("ctrl-] S G enter");
    assert!(scene.shows("I am 19"), "{}", scene.screen());
}

#[test]
fn looks_at_three_sizes() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let names = Service::with(&["web", "agent"]);
        let mut scene = Scene::new(options(width, height), names);
        let id = open(&mut scene);
        prints(
            &mut scene,
            id,
            "\x1b]0;~/app\x07ls\r\n\x1b[1;34msrc\x1b[0m  Cargo.toml\r\n$ ",
        );
        insta::assert_snapshot!(format!("shell_at_{width}x{height}"), scene.screen());
        if width == 80 {
            scene.press("ctrl-]");
            insta::assert_snapshot!("shell_keys_at_80x24", scene.screen());
        }
    }
}
