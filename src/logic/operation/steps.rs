//! One target's way: the second look, the request, and what came of it.

use super::{Deed, Operation, Target, TargetState, line_of};
use crate::logic::{Call, Now, Purpose, Reply, World, explain};
use crate::model::{Clean, Failure, SandboxAnswer, Status, StopAnswer};
use crate::text::{Side, clean, clean_str, cut, say};

/// Of a command's line, in a sentence.
const LINE: usize = 60;
const ANOTHER_SESSION: &str = "it runs in another session by now; look at that one first";

/// The call that shows whether the target still is what was meant. It only reads.
pub(super) fn look(target: &Target) -> Call {
    Call::GetSandbox(target.key.name.clone())
}

/// Takes a look in: what is sent next, if anything is.
pub(super) fn looked(
    deed: &Deed,
    target: &mut Target,
    (operation, at): (u64, usize),
    result: Result<&Reply, &Failure>,
    world: &mut World,
    now: Now,
) -> Option<(Call, Purpose)> {
    match verdict(deed, target, result, world, now) {
        Ok(Next::Look(call)) => Some((
            call,
            Purpose::Look {
                operation,
                target: at,
            },
        )),
        Ok(Next::Act) => {
            target.state = TargetState::Sent;
            if let (Deed::Stop, Some(session)) = (deed, &target.session) {
                world.request(&target.key, session.clone(), now);
            }
            let call = act(deed, target);
            Some((
                call,
                Purpose::Act {
                    operation,
                    target: at,
                },
            ))
        }
        Err(state) => {
            target.state = state;
            None
        }
    }
}

/// Takes in what came of the request. Whatever that is, the row is read again: only the service says what is.
pub(super) fn acted(
    deed: &Deed,
    target: &mut Target,
    result: Result<&Reply, &Failure>,
    world: &mut World,
    now: Now,
) -> Option<(Call, Purpose)> {
    target.state = outcome(deed, target, result, world, now);
    let deleted = matches!(deed, Deed::Delete { .. }) && target.state.is_done();
    let call = Call::GetSandbox(target.key.name.clone());
    (!deleted).then(|| (call, Purpose::Row(target.key.clone())))
}

/// The request itself.
fn act(deed: &Deed, target: &Target) -> Call {
    let name = || target.key.name.clone();
    match (deed, &target.session) {
        (Deed::Stop, Some(session)) => Call::Stop(session.clone()),
        (Deed::Extend { by }, Some(session)) => Call::Extend(session.clone(), *by),
        (Deed::Kill { command, signal }, _) => Call::Kill(command.clone(), *signal),
        (Deed::Delete { orphans }, _) => Call::DeleteSandbox {
            name: name(),
            orphans: *orphans,
        },
        (Deed::Resume, _) => Call::Resume(name()),
        // A target without a session is refused before it comes to this; a reading harms nothing.
        (Deed::Stop | Deed::Extend { .. }, None) => Call::GetSandbox(name()),
    }
}

/// What a look allows next.
enum Next {
    /// One more look: a command is looked at when its sandbox was.
    Look(Call),
    Act,
}

/// Whether to go on after a look.
fn verdict(
    deed: &Deed,
    target: &Target,
    result: Result<&Reply, &Failure>,
    world: &mut World,
    now: Now,
) -> Result<Next, TargetState> {
    let refused = |why: Clean| TargetState::Refused { why };
    match (deed, result) {
        (Deed::Kill { .. }, Ok(Reply::Command(command))) => match command.exit_code {
            None => still_known(target, world)
                .map(|()| Next::Act)
                .map_err(refused),
            Some(exit) => Err(refused(say(format_args!(
                "it ended already, with exit code {}",
                exit.0
            )))),
        },
        (_, Ok(Reply::Sandbox(answer))) => {
            let verdict = still_meant(deed, target, answer);
            world.saw_detail(answer.clone(), now);
            let next = match deed {
                Deed::Kill { command, .. } => Next::Look(Call::GetCommand(command.clone())),
                _ => Next::Act,
            };
            verdict.map(|()| next).map_err(refused)
        }
        (_, Ok(_)) => Err(TargetState::Failed {
            why: Clean::from("the service answered something else"),
        }),
        (_, Err(failure)) => {
            if failure.status() == Some(404) {
                world.lost(&target.key);
            }
            Err(TargetState::Failed {
                why: explain::in_full(failure),
            })
        }
    }
}

/// While a command is looked at, more may become known of its sandbox.
fn still_known(target: &Target, world: &World) -> Result<(), Clean> {
    match world.fact(&target.key).filter(|fact| !fact.gone) {
        None => Err(Clean::from("its sandbox was deleted meanwhile")),
        Some(fact) if fact.sandbox.current_session_id != target.session => {
            Err(Clean::from(ANOTHER_SESSION))
        }
        Some(_) => Ok(()),
    }
}

/// The same sandbox, in the same session, still in a state for it.
fn still_meant(deed: &Deed, target: &Target, answer: &SandboxAnswer) -> Result<(), Clean> {
    if answer.sandbox.key() != target.key {
        return Err(Clean::from(
            "it was deleted, and another sandbox of that name was made since",
        ));
    }
    if answer.sandbox.current_session_id != target.session {
        return Err(Clean::from(ANOTHER_SESSION));
    }
    let over = answer
        .sandbox
        .status
        .as_ref()
        .filter(|status| status.is_final());
    match (deed, over) {
        (Deed::Stop | Deed::Extend { .. } | Deed::Kill { .. }, Some(status)) => {
            let word = clean_str(status.word());
            Err(say(format_args!("it is {word} already")))
        }
        (Deed::Resume, None) => Err(Clean::from("it is not stopped any more")),
        _ => Ok(()),
    }
}

/// The target's state after the service's answer to the request.
fn outcome(
    deed: &Deed,
    target: &Target,
    result: Result<&Reply, &Failure>,
    world: &mut World,
    now: Now,
) -> TargetState {
    match (deed, result) {
        (Deed::Stop, Ok(Reply::Stopped(answer))) => {
            stopped(target, answer, world, now);
            TargetState::Done
        }
        (Deed::Delete { .. }, Ok(_)) => {
            world.lost(&target.key);
            TargetState::Done
        }
        (Deed::Resume, Ok(Reply::Sandbox(answer))) => {
            world.saw_detail(answer.clone(), now);
            TargetState::Done
        }
        (Deed::Extend { .. } | Deed::Kill { .. }, Ok(_)) => TargetState::Done,
        (_, Ok(_)) => TargetState::Failed {
            why: Clean::from("the service answered something else"),
        },
        (Deed::Stop, Err(failure)) if failure.status() == Some(410) => {
            world.unrequest(&target.key);
            TargetState::OverBefore
        }
        (Deed::Delete { .. }, Err(failure)) if failure.status() == Some(404) => {
            world.lost(&target.key);
            TargetState::OverBefore
        }
        (_, Err(failure)) => {
            world.unrequest(&target.key);
            let why = match failure.code() {
                Some("sandbox_timeout_invalid") => say(format_args!(
                    "{}; the plan's longest session would be exceeded",
                    explain::in_full(failure)
                )),
                _ => explain::in_full(failure),
            };
            TargetState::Failed { why }
        }
    }
}

fn stopped(target: &Target, answer: &StopAnswer, world: &mut World, now: Now) {
    if let Some(sandbox) = &answer.sandbox {
        world.saw(sandbox.clone(), now);
    }
    if answer.session.status.as_ref().is_some_and(Status::is_final)
        && let Some(fact) = world.sandboxes.get_mut(&target.key)
        && fact.sandbox.current_session_id.as_ref() == Some(&answer.session.id)
    {
        fact.sandbox.status = answer.session.status.clone();
        fact.sandbox.expires_at = None;
        fact.requested = None;
        world.revision += 1;
    }
}

/// One sentence for the whole: what was done, and what was not and why.
pub(super) fn summary(operation: &Operation, world: &World) -> Clean {
    let done = operation.deed.done();
    if let [target] = operation.targets.as_slice() {
        let name = subject(&operation.deed, target, world);
        return match &target.state {
            TargetState::Refused { why } | TargetState::Failed { why } => {
                say(format_args!("{name} was not {done}: {why}"))
            }
            TargetState::OverBefore if operation.deed == Deed::Stop => {
                say(format_args!("{name}: that session had ended already"))
            }
            TargetState::OverBefore => say(format_args!("{name} was {done} already")),
            _ => say(format_args!("{name} is {done}")),
        };
    }
    let count = operation.count(TargetState::is_done);
    let all = operation.targets.len();
    let failed = all - count;
    if failed == 0 {
        return say(format_args!("{all} sandboxes are {done}"));
    }
    say(format_args!(
        "{count} of {all} sandboxes are {done}, {failed} not"
    ))
}

/// The sandbox's name; of a signal the command that it was for as well.
fn subject(deed: &Deed, target: &Target, world: &World) -> Clean {
    let name = clean(target.key.name.as_foreign());
    match deed {
        Deed::Kill { command, .. } => {
            let line = line_of(command, world);
            let line = cut(&line, LINE, Side::End);
            say(format_args!("{line} in {name}"))
        }
        _ => name,
    }
}
