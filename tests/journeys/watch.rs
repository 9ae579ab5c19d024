//! The deadline guard: one warning a deadline, and a key that extends exactly that sandbox.

use super::scene::{EPOCH, Scene, Service, options};
use super::{at_row, twenty};
use sandtop::app::Options;
use sandtop::logic::{Call, Effect};
use sandtop::model::{SessionId, Timestamp};

/// `box-01` ends in seven minutes; a command runs in it where that is wanted.
fn ending(busy: bool) -> Service {
    let mut service = twenty();
    service.get("box-01").expires_at = Some(Timestamp(EPOCH + 420_000));
    if busy {
        service.runs("box-01", "cmd_1", "npm run dev", None);
    }
    service
}

fn warnings(scene: &Scene) -> Vec<&str> {
    let notices = scene.effects.iter().filter_map(|effect| match effect {
        Effect::Notify(_, text) => Some(text.as_str()),
        _ => None,
    });
    notices.collect()
}

#[test]
fn near_deadline_of_a_busy_sandbox_is_warned_of_once() {
    let mut scene = at_row(ending(true), 1);
    scene.press("j").answer();
    scene.wait(100_000);
    assert_eq!(warnings(&scene).len(), 0);
    scene.wait(30_000);
    assert_eq!(
        warnings(&scene),
        ["box-01 ends in 4 m 59 s while a command still runs"]
    );
    assert!(scene.effects.contains(&Effect::Bell));
    assert!(scene.shows("E extends it"), "{}", scene.screen());
    scene.wait(120_000);
    assert_eq!(warnings(&scene).len(), 1, "once a deadline");
    // The key is for that one, whatever is selected or marked.
    scene.press("j space E").answer();
    assert!(scene.shows("Give box-01 more time?"), "{}", scene.screen());
    scene.press("tab enter").answer();
    let extended = Call::Extend(
        SessionId::new("sbx_box-01"),
        sandtop::model::Span::minutes(5),
    );
    assert_eq!(scene.changes(), [&extended]);
    scene.press("E");
    assert!(
        scene.shows("Nothing that runs ends soon."),
        "{}",
        scene.screen()
    );
    // A new deadline is a new warning.
    scene.wait(300_000);
    assert_eq!(warnings(&scene).len(), 2);
}

#[test]
fn who_runs_nothing_is_not_warned_of() {
    let mut scene = at_row(ending(false), 1);
    scene.wait(500_000);
    assert_eq!(warnings(&scene), [""; 0]);
    assert!(!scene.effects.contains(&Effect::Bell));
}

#[test]
fn read_only_is_warned_and_offered_nothing() {
    let read_only = Options {
        read_only: true,
        ..options(120, 40)
    };
    let mut scene = Scene::new(read_only, ending(true));
    scene.press("j").answer();
    scene.wait(140_000);
    assert_eq!(warnings(&scene).len(), 1);
    assert!(!scene.shows("extends it"), "{}", scene.screen());
}
