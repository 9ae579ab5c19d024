//! What is started: only where it was meant, once, and the truth about lost answers.

use crate::logic::testing::{
    at, calls_of, command, detail, network, running, sandbox, session, settle, status, the_call,
};
use crate::logic::{Call, Calls, Effect, Launch, Launches, Purpose, Reply, Settled, Site, World};
use crate::model::request::{CreateSandbox, RunCommand};
use crate::model::{Failure, FailureKind, Sandbox, SandboxName, Status};

#[derive(Default)]
struct Scene {
    world: World,
    calls: Calls,
    launches: Launches,
}

impl Scene {
    fn with(sandbox: &Sandbox) -> Self {
        let mut scene = Self::default();
        scene.world.saw(sandbox.clone(), at(0));
        scene
    }

    fn run(&mut self, sandbox: &Sandbox) -> Effect {
        let Self {
            world,
            calls,
            launches,
        } = self;
        let site = Site::of(&sandbox.key(), world).unwrap();
        launches.run(site, wanted(), calls, world, at(1))
    }

    fn answer(&mut self, effect: &Effect, result: Result<Reply, Failure>) -> Launch {
        let Self {
            world,
            calls,
            launches,
        } = self;
        let purpose = settle(effect, result.clone(), calls, world, at(2));
        let result = result.as_ref();
        match purpose {
            Purpose::RunLook(id) => launches.looked(id, result, calls, world, at(2)),
            Purpose::Run(id) => launches.ran(id, result, world),
            Purpose::Create(id) => launches.created(id, result, world, at(2)),
            other => panic!("{other:?}"),
        }
    }

    /// Looked at, found as it was: the request goes out.
    fn sent(&mut self, target: &Sandbox) -> Effect {
        let look = self.run(target);
        let Launch::Sent(mut effects) = self.answer(&look, Ok(Reply::Sandbox(detail(target))))
        else {
            panic!("refused")
        };
        assert_eq!(calls_of(&effects).count(), 1);
        effects.remove(0)
    }
}

fn wanted() -> RunCommand {
    RunCommand {
        command: "make".into(),
        args: vec!["all".into()],
        ..RunCommand::default()
    }
}

fn of_kind(kind: FailureKind) -> Failure {
    Failure {
        kind,
        ..status(500)
    }
}

#[test]
fn a_command_runs_in_the_session_that_was_seen() {
    let target = running("box", 0);
    let mut scene = Scene::with(&target);
    let look = scene.run(&target);
    assert_eq!(
        the_call(&[look]),
        &Call::GetSandbox(target.name.clone()),
        "first a look"
    );
    let mut scene = Scene::with(&target);
    let run = scene.sent(&target);
    let call = Call::RunCommand(session("sbx_box"), Box::new(wanted()));
    assert_eq!(the_call(std::slice::from_ref(&run)), &call);
    let launch = scene.answer(&run, Ok(Reply::Command(command("cmd_1", None))));
    let Launch::Command(key, command, said) = launch else {
        panic!("{launch:?}")
    };
    assert_eq!((key, command.command.as_raw()), (target.key(), "cmd_1"));
    assert_eq!(said.as_str(), "running in box: sh -c make all");
    let known = &scene.world.commands[&session("sbx_box")].value.entries;
    assert_eq!(known.len(), 1, "it is in the list before the next reading");
}

#[test]
fn nothing_runs_in_what_is_no_longer_what_was_meant() {
    let target = running("box", 0);
    let remade = running("box", 9_000);
    let resumed = Sandbox {
        current_session_id: Some(session("sbx_next")),
        ..target.clone()
    };
    let stopped = Sandbox {
        status: Some(Status::Stopped),
        ..target.clone()
    };
    for (now, why) in [
        (Ok(&remade), "another sandbox of that name"),
        (Ok(&resumed), "another session"),
        (Ok(&stopped), "it is stopped"),
        (Err(status(404)), "404"),
        (Err(status(403)), "403"),
    ] {
        let mut scene = Scene::with(&target);
        let look = scene.run(&target);
        let answer = now.map(|sandbox| Reply::Sandbox(detail(sandbox)));
        let launch = scene.answer(&look, answer);
        let Launch::Refused(said) = launch else {
            panic!("{launch:?}")
        };
        assert!(
            said.as_str().starts_with("nothing was run in box: ") && said.as_str().contains(why),
            "{said}"
        );
    }
}

#[test]
fn a_site_is_where_something_runs() {
    let mut world = World::default();
    let (up, down) = (running("up", 0), sandbox("down", 0, Status::Stopped));
    world.saw(up.clone(), at(0));
    world.saw(down.clone(), at(0));
    let site = Site::of(&up.key(), &world).unwrap();
    assert_eq!(site.changed(&world), None);
    let why = Site::of(&down.key(), &world).unwrap_err();
    assert_eq!(why.as_str(), "down does not run: it is stopped");
    let next = Sandbox {
        current_session_id: Some(session("sbx_next")),
        ..up.clone()
    };
    world.saw(next, at(1));
    assert!(
        site.changed(&world)
            .unwrap()
            .as_str()
            .contains("another session")
    );
    world.lost(&up.key());
    assert_eq!(site.changed(&world).unwrap().as_str(), "up is deleted");
}

/// A lost answer is told as such, and nothing goes out again by itself; only what surely did not run is.
#[test]
fn what_may_have_happened_is_never_sent_again() {
    let table = [
        (status(500), true),
        (status(502), true),
        (network(true), true),
        (of_kind(FailureKind::Unreadable), true),
        (status(400), false),
        (status(410), false),
        (status(501), false),
        (of_kind(FailureKind::Refused("no")), false),
    ];
    for (failure, unknown) in table {
        let target = running("box", 0);
        let mut scene = Scene::with(&target);
        let run = scene.sent(&target);
        let launch = scene.answer(&run, Err(failure.clone()));
        match launch {
            Launch::Unknown(said) => {
                assert!(
                    unknown && said.as_str().contains("may have been run in box"),
                    "{failure:?}"
                );
                assert!(said.as_str().contains("Logs"), "where to look");
            }
            Launch::Refused(_) => assert!(!unknown, "{failure:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(scene.calls.next_due(), None, "{failure:?}");
        let create = create(&mut scene);
        let launch = scene.answer(&create, Err(failure.clone()));
        assert_eq!(matches!(launch, Launch::Unknown(_)), unknown, "{failure:?}");
        assert_eq!(scene.calls.next_due(), None, "{failure:?}");
    }
    // Refused before it ran: sent again, after the wait that was asked for.
    for failure in [status(429), network(false)] {
        let mut scene = Scene::default();
        let create = create(&mut scene);
        let Scene { world, calls, .. } = &mut scene;
        let settled = crate::logic::testing::answer(&create, Err(failure), calls, world, at(2));
        assert_eq!(settled, Settled::Again);
    }
}

fn create(scene: &mut Scene) -> Effect {
    let wanted = CreateSandbox {
        name: Some(SandboxName::new("new")),
        ..CreateSandbox::default()
    };
    let Scene {
        world,
        calls,
        launches,
    } = scene;
    launches.create(wanted, calls, world, at(1))
}

#[test]
fn a_sandbox_that_was_created_is_known_at_once() {
    let mut scene = Scene::default();
    let effect = create(&mut scene);
    let made = running("new", 5);
    let launch = scene.answer(&effect, Ok(Reply::Sandbox(detail(&made))));
    let Launch::Sandbox(key, said) = launch else {
        panic!("{launch:?}")
    };
    assert_eq!((key, said.as_str()), (made.key(), "new is created"));
    assert!(scene.world.fact(&made.key()).unwrap().detail.is_some());
}

#[test]
fn an_answer_that_nobody_waits_for_does_nothing() {
    let mut scene = Scene::default();
    let Scene {
        world,
        calls,
        launches,
    } = &mut scene;
    let failure = status(500);
    assert_eq!(
        launches.looked(7, Err(&failure), calls, world, at(0)),
        Launch::Nothing
    );
    assert_eq!(launches.ran(7, Err(&failure), world), Launch::Nothing);
    assert_eq!(
        launches.created(7, Err(&failure), world, at(0)),
        Launch::Nothing
    );
}
