//! Stopping: what was named is all that can be ended.

use crate::logic::testing::{
    at, calls_of, command, detail, running, sandbox, session, settle, status, the_call,
};
use crate::logic::{Aged, Call, Calls, Effect, Listing, Purpose, Reply, Step, Stops, World};
use crate::model::{Failure, Sandbox, Status, StopAnswer};

struct Scene {
    world: World,
    calls: Calls,
    stops: Stops,
}

fn scene(sandboxes: &[Sandbox]) -> Scene {
    let mut world = World::default();
    for sandbox in sandboxes {
        world.saw(sandbox.clone(), at(0));
    }
    Scene {
        world,
        calls: Calls::default(),
        stops: Stops::default(),
    }
}

impl Scene {
    /// Asks, confirms, and gives the second look this answer.
    fn confirm(&mut self, sandbox: &Sandbox, look: Result<Reply, Failure>) -> Step {
        let stop = self.stops.ask(&self.world, &sandbox.key()).unwrap();
        let effects = self
            .stops
            .confirmed(stop, &mut self.calls, &mut self.world, at(1));
        assert_eq!(
            the_call(&effects),
            &Call::GetSandbox(sandbox.name.clone()),
            "first a look"
        );
        let Purpose::Verify(id) = settle(
            &effects[0],
            look.clone(),
            &mut self.calls,
            &mut self.world,
            at(2),
        ) else {
            panic!()
        };
        self.stops
            .verified(id, look.as_ref(), &mut self.calls, &mut self.world, at(2))
    }

    /// The service's answer to the stop that `step` sent.
    fn answer(&mut self, step: &Step, result: Result<Reply, Failure>) -> Step {
        let [effect] = step.effects.as_slice() else {
            panic!("{step:?}")
        };
        let purpose = settle(
            effect,
            result.clone(),
            &mut self.calls,
            &mut self.world,
            at(3),
        );
        let Purpose::Stop(id) = purpose else {
            panic!("{purpose:?}")
        };
        self.stops
            .answered(id, result.as_ref(), &mut self.calls, &mut self.world, at(3))
    }
}

#[test]
fn the_question_names_what_runs_and_what_becomes_of_the_files() {
    let mut scene = scene(&[running("box", 0)]);
    let stop = scene
        .stops
        .ask(&scene.world, &running("box", 0).key())
        .unwrap();
    assert_eq!(
        stop.loss(&scene.world).running,
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
    let loss = stop.loss(&scene.world);
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
fn there_is_nothing_to_stop_in_what_ended_or_is_gone() {
    let stopped = sandbox("box", 0, Status::Stopped);
    let mut scene = scene(std::slice::from_ref(&stopped));
    let why = scene.stops.ask(&scene.world, &stopped.key()).unwrap_err();
    assert_eq!(why.as_str(), "box does not run: it is stopped");
    scene.world.lost(&stopped.key());
    assert_eq!(
        scene
            .stops
            .ask(&scene.world, &stopped.key())
            .unwrap_err()
            .as_str(),
        "box is deleted"
    );
}

#[test]
fn a_confirmed_stop_looks_again_and_then_stops_that_session() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.confirm(&target, Ok(Reply::Sandbox(detail(&target))));
    assert_eq!(the_call(&step.effects), &Call::Stop(session("sbx_box")));
    assert!(scene.world.fact(&target.key()).unwrap().requested.is_some());
    let mut ended = detail(&target).session.unwrap();
    ended.status = Some(Status::Stopped);
    let answer = StopAnswer {
        session: ended,
        sandbox: None,
        snapshot: None,
    };
    let step = scene.answer(&step, Ok(Reply::Stopped(answer)));
    assert_eq!(step.message.unwrap().as_str(), "box is stopped");
    assert_eq!(
        the_call(&step.effects),
        &Call::GetSandbox(target.name.clone())
    );
    let fact = scene.world.fact(&target.key()).unwrap();
    assert_eq!(fact.sandbox.status, Some(Status::Stopped));
    assert!(fact.requested.is_none());
}

#[test]
fn another_sandbox_of_the_same_name_is_not_stopped() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.confirm(&target, Ok(Reply::Sandbox(detail(&running("box", 9_000)))));
    assert_eq!(calls_of(&step.effects).count(), 0);
    let message = step.message.unwrap();
    assert_eq!(
        message.as_str(),
        "box was not stopped: it was deleted, and another sandbox of that name was made since"
    );
}

#[test]
fn a_newer_session_is_not_stopped() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let mut resumed = target.clone();
    resumed.current_session_id = Some(session("sbx_next"));
    let step = scene.confirm(&target, Ok(Reply::Sandbox(detail(&resumed))));
    assert_eq!(calls_of(&step.effects).count(), 0);
    assert!(step.message.unwrap().as_str().contains("another session"));
}

#[test]
fn one_that_vanished_or_cannot_be_read_is_not_stopped() {
    for code in [404, 403] {
        let target = running("box", 0);
        let mut scene = scene(std::slice::from_ref(&target));
        let step = scene.confirm(&target, Err(status(code)));
        assert_eq!(step.effects, []);
        assert!(
            step.message
                .unwrap()
                .as_str()
                .starts_with("box was not stopped")
        );
        assert_eq!(scene.world.fact(&target.key()).unwrap().gone, code == 404);
    }
}

#[test]
fn a_410_means_that_session_is_gone_and_is_read_again() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.confirm(&target, Ok(Reply::Sandbox(detail(&target))));
    let step = scene.answer(&step, Err(status(410)));
    assert_eq!(
        step.message.unwrap().as_str(),
        "box: that session had ended already"
    );
    let [Effect::Call { call, .. }] = step.effects.as_slice() else {
        panic!()
    };
    assert_eq!(call, &Call::GetSandbox(target.name));
}

#[test]
fn a_stop_that_failed_leaves_the_services_word_on_the_row() {
    let target = running("box", 0);
    let mut scene = scene(std::slice::from_ref(&target));
    let step = scene.confirm(&target, Ok(Reply::Sandbox(detail(&target))));
    let step = scene.answer(&step, Err(status(402)));
    assert!(step.message.unwrap().as_str().contains("402"));
    assert!(scene.world.fact(&target.key()).unwrap().requested.is_none());
}
