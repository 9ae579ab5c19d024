//! Small things that the tests of this folder build worlds from.

use super::{Answer, Call, Calls, Effect, Mono, Now, Purpose, Reply, Settled, World};
use crate::model::{
    Command, CommandId, Count, Failure, FailureKind, Foreign, NetworkFault, RetryAfter, Sandbox,
    SandboxAnswer, SandboxName, Session, SessionId, Status, Timestamp,
};
use serde_json::json;

/// The wall clock at the start of every test.
pub const EPOCH: i64 = 1_790_000_000_000;

/// So many milliseconds after the start, by both clocks.
pub fn at(ms: u64) -> Now {
    Now {
        mono: Mono(ms),
        wall: Timestamp(EPOCH + i64::try_from(ms).unwrap()),
    }
}

pub fn sandbox(name: &str, created: i64, status: Status) -> Sandbox {
    serde_json::from_value(json!({
        "name": name, "createdAt": EPOCH + created, "updatedAt": EPOCH + created, "status": status,
        "statusUpdatedAt": EPOCH + created, "currentSessionId": format!("sbx_{name}"), "memory": 4096,
        "persistent": true,
    }))
    .unwrap()
}

pub fn running(name: &str, created: i64) -> Sandbox {
    sandbox(name, created, Status::Running)
}

pub fn detail(sandbox: &Sandbox) -> SandboxAnswer {
    let session = json!({"id": sandbox.current_session_id, "status": sandbox.status});
    let session: Session = serde_json::from_value(session).unwrap();
    SandboxAnswer {
        sandbox: sandbox.clone(),
        session: Some(session),
        routes: Vec::new(),
        resumed: None,
    }
}

pub fn command(id: &str, exit: Option<i64>) -> Command {
    Command {
        id: CommandId::new(id),
        name: Some(Foreign::from("sh")),
        args: vec![Foreign::from("-c"), Foreign::from("make all")],
        cwd: None,
        session_id: None,
        exit_code: exit.map(Count),
        started_at: None,
        duration_ms: None,
    }
}

pub fn status(status: u16) -> Failure {
    refusal(status, None, None)
}

pub fn refusal(status: u16, code: Option<&str>, retry_after: Option<RetryAfter>) -> Failure {
    let code = code.map(Foreign::from);
    let kind = FailureKind::Status {
        status,
        code,
        message: None,
        request_id: None,
        retry_after,
    };
    Failure {
        call: "read sandbox",
        request: Foreign::from("GET /x"),
        kind,
        causes: Vec::new(),
    }
}

pub fn network(sent: bool) -> Failure {
    let kind = FailureKind::Network {
        fault: NetworkFault::Connect,
        sent,
    };
    Failure {
        call: "read sandbox",
        request: Foreign::from("GET /x"),
        kind,
        causes: Vec::new(),
    }
}

pub fn name(text: &str) -> SandboxName {
    SandboxName::new(text)
}

pub fn session(text: &str) -> SessionId {
    SessionId::new(text)
}

/// The one call among effects.
pub fn the_call(effects: &[Effect]) -> &Call {
    let calls: Vec<&Call> = calls_of(effects).collect();
    assert_eq!(calls.len(), 1, "{effects:?}");
    calls[0]
}

pub fn calls_of(effects: &[Effect]) -> impl Iterator<Item = &Call> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Call { call, .. } => Some(call),
        _ => None,
    })
}

/// Answers the call in `effect`.
pub fn answer(
    effect: &Effect,
    result: Result<Reply, Failure>,
    calls: &mut Calls,
    world: &mut World,
    now: Now,
) -> Settled {
    let Effect::Call { tag, call } = effect else {
        panic!("no call: {effect:?}")
    };
    let answer = Answer {
        tag: *tag,
        call: call.clone(),
        date: None,
        request_id: None,
        result,
    };
    calls.answered(&answer, world, now)
}

/// As [`answer`], for a call that is not tried again by itself.
pub fn settle(
    effect: &Effect,
    result: Result<Reply, Failure>,
    calls: &mut Calls,
    world: &mut World,
    now: Now,
) -> Purpose {
    match answer(effect, result, calls, world, now) {
        Settled::For(purpose) => purpose,
        other => panic!("{other:?}"),
    }
}
