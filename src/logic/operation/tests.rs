//! Operations: what was named is all that can be touched.

use crate::logic::testing::{
    at, calls_of, command, detail, refusal, running, sandbox, session, settle, status, the_call,
};
use crate::logic::{
    Aged, Call, Calls, Deed, Effect, Listing, Operations, Reply, Step, TargetState, World,
};
use crate::model::{CommandId, CommandKey, Failure, Sandbox, SandboxKey, Span, Status, StopAnswer};

struct Scene {
    world: World,
    calls: Calls,
    operations: Operations,
}

fn scene(sandboxes: &[Sandbox]) -> Scene {
    let mut world = World::default();
    for sandbox in sandboxes {
        world.saw(sandbox.clone(), at(0));
    }
    Scene {
        world,
        calls: Calls::default(),
        operations: Operations::default(),
    }
}

impl Scene {
    /// Asks and confirms, without time to take it back; gives the calls that go out at once.
    fn confirm(&mut self, deed: Deed, sandboxes: &[Sandbox]) -> Vec<Effect> {
        let keys: Vec<SandboxKey> = sandboxes.iter().map(Sandbox::key).collect();
        let (targets, refused) = deed.targets(&keys, &self.world);
        assert_eq!(refused, []);
        self.operations.confirmed(deed, targets, Span(0), at(1));
        self.operations
            .tick(&mut self.calls, &mut self.world, at(1))
            .effects
    }

    fn answer(&mut self, effect: &Effect, result: Result<Reply, Failure>) -> Step {
        let purpose = settle(
            effect,
            result.clone(),
            &mut self.calls,
            &mut self.world,
            at(2),
        );
        let Scene {
            world,
            calls,
            operations,
        } = self;
        operations
            .answered(&purpose, result.as_ref(), calls, world, at(2))
            .unwrap()
    }

    /// One sandbox, looked at with this answer.
    fn look(&mut self, deed: Deed, target: &Sandbox, look: Result<Reply, Failure>) -> Step {
        let effects = self.confirm(deed, std::slice::from_ref(target));
        assert_eq!(
            the_call(&effects),
            &Call::GetSandbox(target.name.clone()),
            "first a look"
        );
        self.answer(&effects[0], look)
    }

    fn states(&self) -> Vec<&TargetState> {
        self.operations
            .latest()
            .unwrap()
            .targets
            .iter()
            .map(|target| &target.state)
            .collect()
    }
}

fn seen(sandbox: &Sandbox) -> Result<Reply, Failure> {
    Ok(Reply::Sandbox(detail(sandbox)))
}

fn ended(sandbox: &Sandbox) -> Result<Reply, Failure> {
    let mut session = detail(sandbox).session.unwrap();
    session.status = Some(Status::Stopped);
    Ok(Reply::Stopped(StopAnswer {
        session,
        sandbox: None,
        snapshot: None,
    }))
}

fn message(step: &Step) -> &str {
    let [message] = step.messages.as_slice() else {
        panic!("{step:?}")
    };
    message.as_str()
}

#[test]
fn the_question_names_what_runs_and_what_becomes_of_the_files() {
    let mut scene = scene(&[running("box", 0)]);
    let (targets, _) = Deed::Stop.targets(&[running("box", 0).key()], &scene.world);
    assert_eq!(
        targets[0].loss(&scene.world).running,
        None,
        "not known is not nothing"
    );
    let entries = vec![command("cmd_1", None), command("cmd_2", Some(0))];
    let listing = Listing {
        entries,
        read: Some(at(0).mono),
        ..Default::default()
    };
    scene
        .world
        .commands
        .insert(session("sbx_box"), Aged::new(listing, at(0)));
    let loss = targets[0].loss(&scene.world);
    let lines: Vec<String> = loss
        .running
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(lines, ["sh -c make all"]);
    assert_eq!(loss.persistent, Some(true));
}

#[test]
fn what_a_deed_does_not_fit_is_left_out_with_a_reason() {
    let (up, down, gone) = (
        running("up", 0),
        sandbox("down", 0, Status::Stopped),
        running("gone", 0),
    );
    let mut scene = scene(&[up.clone(), down.clone(), gone.clone()]);
    scene.world.lost(&gone.key());
    let keys = [up.key(), down.key(), gone.key()];
    for (deed, fits, reasons) in [
        (
            Deed::Stop,
            vec!["up"],
            vec!["down does not run: it is stopped", "gone is deleted"],
        ),
        (
            Deed::Resume,
            vec!["down"],
            vec!["up needs no resume: it is running", "gone is deleted"],
        ),
        (
            Deed::Delete { orphans: false },
            vec!["up", "down"],
            vec!["gone is deleted"],
        ),
    ] {
        let (targets, refused) = deed.targets(&keys, &scene.world);
        let names: Vec<&str> = targets
            .iter()
            .map(|target| target.key.name.as_raw())
            .collect();
        assert_eq!(names, fits, "{deed:?}");
        let refused: Vec<&str> = refused.iter().map(|why| why.as_str()).collect();
        assert_eq!(refused, reasons, "{deed:?}");
    }
}

#[test]
fn a_stop_looks_again_and_then_stops_that_session() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.look(Deed::Stop, &target, seen(&target));
    assert_eq!(the_call(&step.effects), &Call::Stop(session("sbx_box")));
    assert!(scene.world.fact(&target.key()).unwrap().requested.is_some());
    let step = scene.answer(&step.effects[0], ended(&target));
    assert_eq!(message(&step), "box is stopped");
    assert_eq!(
        the_call(&step.effects),
        &Call::GetSandbox(target.name.clone()),
        "and reads it again"
    );
    let fact = scene.world.fact(&target.key()).unwrap();
    assert_eq!(fact.sandbox.status, Some(Status::Stopped));
    assert!(fact.requested.is_none());
}

#[test]
fn what_is_no_longer_what_was_meant_is_not_touched() {
    let target = running("box", 0);
    let remade = running("box", 9_000);
    let resumed = Sandbox {
        current_session_id: Some(session("sbx_next")),
        ..target.clone()
    };
    for deed in [
        Deed::Stop,
        Deed::Delete { orphans: true },
        Deed::Extend {
            by: Span::minutes(5),
        },
    ] {
        for (now, why) in [
            (&remade, "another sandbox of that name"),
            (&resumed, "another session"),
        ] {
            let mut scene = scene(std::slice::from_ref(&target));
            let step = scene.look(deed.clone(), &target, seen(now));
            assert_eq!(calls_of(&step.effects).count(), 0, "{deed:?}");
            assert!(message(&step).contains(why), "{deed:?}: {}", message(&step));
            assert!(matches!(scene.states()[..], [TargetState::Refused { .. }]));
        }
    }
}

#[test]
fn one_that_vanished_or_cannot_be_read_is_not_touched() {
    for code in [404, 403] {
        let target = running("box", 0);
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.look(Deed::Stop, &target, Err(status(code)));
        assert_eq!(step.effects, []);
        assert!(message(&step).starts_with("box was not stopped"));
        assert_eq!(scene.world.fact(&target.key()).unwrap().gone, code == 404);
    }
}

#[test]
fn what_had_ended_or_gone_already_is_done_and_told_as_such() {
    let target = running("box", 0);
    let cases = [
        (Deed::Stop, 410, "box: that session had ended already"),
        (
            Deed::Delete { orphans: false },
            404,
            "box was deleted already",
        ),
    ];
    for (deed, code, words) in cases {
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.look(deed.clone(), &target, seen(&target));
        let step = scene.answer(&step.effects[0], Err(status(code)));
        assert_eq!(scene.states(), [&TargetState::OverBefore], "{deed:?}");
        assert!(scene.states()[0].is_done());
        assert_eq!(message(&step), words);
        assert_eq!(scene.world.fact(&target.key()).unwrap().requested, None);
    }
}

#[test]
fn a_failure_leaves_the_services_word_on_the_row_and_can_be_tried_again() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.look(Deed::Stop, &target, seen(&target));
    let step = scene.answer(&step.effects[0], Err(status(402)));
    assert!(message(&step).contains("402"));
    assert!(scene.world.fact(&target.key()).unwrap().requested.is_none());
    let id = scene.operations.latest().unwrap().id;
    scene.operations.retry_failed(id);
    let effects = scene
        .operations
        .tick(&mut scene.calls, &mut scene.world, at(3))
        .effects;
    assert_eq!(
        the_call(&effects),
        &Call::GetSandbox(target.name),
        "with a new look"
    );
}

#[test]
fn a_refused_extension_says_that_the_plan_has_a_longest_session() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.look(
        Deed::Extend {
            by: Span::minutes(60),
        },
        &target,
        seen(&target),
    );
    assert_eq!(
        the_call(&step.effects),
        &Call::Extend(session("sbx_box"), Span::minutes(60))
    );
    let refused = refusal(400, Some("sandbox_timeout_invalid"), None);
    let step = scene.answer(&step.effects[0], Err(refused));
    assert!(
        message(&step).contains("longest session"),
        "{}",
        message(&step)
    );
}

fn kill_of(id: &str) -> (Deed, CommandKey) {
    let key = CommandKey {
        session: session("sbx_box"),
        command: CommandId::new(id),
    };
    let kill = Deed::Kill {
        command: key.clone(),
        signal: 15,
    };
    (kill, key)
}

fn kills(step: &Step) -> usize {
    calls_of(&step.effects)
        .filter(|call| matches!(call, Call::Kill(..)))
        .count()
}

#[test]
fn a_kill_looks_at_the_sandbox_and_then_at_the_command() {
    let target = running("box", 0);
    let (kill, key) = kill_of("cmd_1");
    for (exit, sent) in [(None, 1), (Some(0), 0)] {
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.look(kill.clone(), &target, seen(&target));
        assert_eq!(the_call(&step.effects), &Call::GetCommand(key.clone()));
        let reply = Ok(Reply::Command(command("cmd_1", exit)));
        let step = scene.answer(&step.effects[0], reply);
        assert_eq!(kills(&step), sent);
        if sent == 0 {
            let why = "cmd_1 in box was not signalled: it ended already";
            assert!(message(&step).starts_with(why), "{}", message(&step));
            continue;
        }
        let listing = Listing {
            entries: vec![command("cmd_1", None)],
            ..Listing::default()
        };
        let listing = Aged::new(listing, at(2));
        scene.world.commands.insert(session("sbx_box"), listing);
        let reply = Ok(Reply::Command(command("cmd_1", None)));
        let step = scene.answer(&step.effects[0], reply);
        assert_eq!(message(&step), "sh -c make all in box is signalled");
    }
}

#[test]
fn a_kill_is_not_sent_once_the_sandbox_is_another_one_or_over() {
    let target = running("box", 0);
    let resumed = Sandbox {
        current_session_id: Some(session("sbx_next")),
        ..target.clone()
    };
    let stopped = Sandbox {
        status: Some(Status::Stopped),
        ..target.clone()
    };
    for (now, why) in [
        (&resumed, "another session"),
        (&running("box", 9_000), "another sandbox of that name"),
        (&stopped, "it is stopped already"),
    ] {
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.look(kill_of("cmd_1").0, &target, seen(now));
        let commands = calls_of(&step.effects)
            .filter(|call| matches!(call, Call::GetCommand(_) | Call::Kill(..)));
        assert_eq!(commands.count(), 0, "{why}");
        assert!(message(&step).contains(why), "{}", message(&step));
    }
}

/// Between the two looks a refresh may tell something new.
#[test]
fn a_kill_is_not_sent_once_another_session_or_sandbox_is_known() {
    let target = running("box", 0);
    let resumed = Sandbox {
        current_session_id: Some(session("sbx_next")),
        ..target.clone()
    };
    for (news, why) in [
        (Some(resumed), "another session"),
        (Some(running("box", 9_000)), "deleted"),
        (None, "deleted"),
    ] {
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.look(kill_of("cmd_1").0, &target, seen(&target));
        match news {
            Some(news) => {
                scene.world.saw(news, at(2));
            }
            None => scene.world.lost(&target.key()),
        }
        let reply = Ok(Reply::Command(command("cmd_1", None)));
        let step = scene.answer(&step.effects[0], reply);
        assert_eq!(kills(&step), 0, "{why}");
        assert!(message(&step).contains(why), "{}", message(&step));
    }
}

#[test]
fn many_go_out_a_few_at_a_time_and_each_has_its_result() {
    let boxes: Vec<Sandbox> = (0..10).map(|n| running(&format!("box-{n}"), n)).collect();
    let mut scene = scene(&boxes);
    let mut out = scene.confirm(Deed::Stop, &boxes);
    assert_eq!(out.len(), 4);
    let mut most = out.len();
    let mut messages = Vec::new();
    while let Some(effect) = out.pop() {
        let Effect::Call { call, .. } = &effect else {
            panic!()
        };
        let result = match call {
            Call::GetSandbox(name) => {
                seen(boxes.iter().find(|sandbox| sandbox.name == *name).unwrap())
            }
            Call::Stop(id) if id.as_raw() == "sbx_box-3" => Err(status(402)),
            Call::Stop(id) => ended(
                boxes
                    .iter()
                    .find(|sandbox| sandbox.current_session_id.as_ref() == Some(id))
                    .unwrap(),
            ),
            other => panic!("{other:?}"),
        };
        let step = scene.answer(&effect, result);
        messages.extend(step.messages);
        let rows = |effect: &Effect| {
            matches!(effect, Effect::Call { call: Call::GetSandbox(name), .. }
            if scene.world.named(name).is_some_and(|(_, fact)| !fact.sandbox.is_running())
                || name.as_raw() == "box-3" && messages_pending(&scene.operations))
        };
        out.extend(step.effects.into_iter().filter(|effect| !rows(effect)));
        most = most.max(out.len());
    }
    assert!(most <= 4, "{most}");
    let done = scene
        .states()
        .into_iter()
        .filter(|state| **state == TargetState::Done)
        .count();
    assert_eq!(done, 9);
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].as_str(), "9 of 10 sandboxes are stopped, 1 not");
}

/// The row of the one that failed is read again after its failure.
fn messages_pending(operations: &Operations) -> bool {
    operations
        .latest()
        .unwrap()
        .count(|state| matches!(state, TargetState::Failed { .. }))
        > 0
}

#[test]
fn nothing_is_sent_while_it_can_be_taken_back() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let (targets, _) = Deed::Stop.targets(&[target.key()], &scene.world);
    scene
        .operations
        .confirmed(Deed::Stop, targets.clone(), Span::seconds(5), at(1_000));
    let (_, left) = scene.operations.held(at(3_000)).unwrap();
    assert_eq!(left, Span(3_000));
    assert_eq!(
        scene
            .operations
            .tick(&mut scene.calls, &mut scene.world, at(5_999)),
        Step::default()
    );
    assert_eq!(
        scene.operations.take_back(at(5_999)).unwrap().as_str(),
        "taken back: box was not stopped"
    );
    assert_eq!(
        scene
            .operations
            .tick(&mut scene.calls, &mut scene.world, at(60_000)),
        Step::default()
    );
    scene
        .operations
        .confirmed(Deed::Stop, targets, Span::seconds(5), at(60_000));
    assert_eq!(scene.operations.next_due(at(60_000)), Some(at(65_000).mono));
    let step = scene
        .operations
        .tick(&mut scene.calls, &mut scene.world, at(65_000));
    assert_eq!(step.effects.len(), 1);
    assert_eq!(scene.operations.take_back(at(65_000)), None, "too late");
}

#[test]
fn an_extension_is_not_held_back() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let extend = Deed::Extend {
        by: Span::minutes(5),
    };
    let (targets, _) = extend.targets(&[target.key()], &scene.world);
    scene
        .operations
        .confirmed(extend, targets, Span::seconds(5), at(0));
    assert_eq!(
        scene
            .operations
            .tick(&mut scene.calls, &mut scene.world, at(0))
            .effects
            .len(),
        1
    );
}
