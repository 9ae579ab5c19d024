//! Which failures are tried again, and when. One limiter for all calls: the link's state in the world.

use super::{Call, Link, Mono, Now, World, explain};
use crate::model::{Failure, FailureKind, RetryAfter, Span, Timestamp};

/// First wait after a network or server fault; doubles with every further one.
const FIRST_WAIT: Span = Span(1_000);
const LONGEST_WAIT: Span = Span::seconds(60);
/// However long a `Retry-After` asks for, a person is told and asked within this time.
const LONGEST_ASKED: Span = Span::minutes(5);
/// Without a usable `Retry-After` on a 429.
const THROTTLED_WAIT: Span = Span::seconds(10);
/// Refused credentials are read again after this; the first time sooner, since a fresh login takes a moment.
const REFUSED_WAIT: Span = Span::seconds(30);
const FIRST_REFUSED_WAIT: Span = Span(500);
/// Tries of one action in all.
const MOST_TRIES: u32 = 3;

/// A call was answered: the link lives, and the service's clock is known.
pub fn succeeded(world: &mut World, date: Option<Timestamp>, now: Now) {
    learn_skew(world, date, now);
    if !world.link.is_live() {
        world.link = Link::Live { since: now.mono };
        world.attempts = 0;
    }
}

/// A call failed: sets the link's state where the fault is the link's, and tells how long to wait. A failure
/// of the call alone (404, 410, 422…) shows that the service answers, and needs no wait.
pub fn failed(
    world: &mut World,
    call: &Call,
    failure: &Failure,
    date: Option<Timestamp>,
    now: Now,
) -> Option<Span> {
    learn_skew(world, date, now);
    let attempt = world.attempts + 1;
    let wait = match &failure.kind {
        FailureKind::Status { status, .. } if refuses_us(*status, call) => {
            let wait = if attempt == 1 {
                FIRST_REFUSED_WAIT
            } else {
                REFUSED_WAIT
            };
            let why = explain::in_full(failure);
            world.link = Link::Unauthorized {
                at: now.mono.after(wait),
                why,
            };
            world.attempts = attempt;
            return Some(wait);
        }
        FailureKind::Status {
            status: 429,
            retry_after,
            ..
        } => asked_wait(*retry_after, world.service_now(now)).unwrap_or(THROTTLED_WAIT),
        // "Not implemented" is an answer, not a fault that passes.
        FailureKind::Status {
            status: 500 | 502..,
            retry_after,
            ..
        } => asked_wait(*retry_after, world.service_now(now))
            .unwrap_or_else(|| backoff(attempt, now)),
        FailureKind::Network { .. } => backoff(attempt, now),
        FailureKind::Status { .. } | FailureKind::Unreadable => {
            succeeded(world, date, now);
            return None;
        }
        FailureKind::Refused(_) => return None,
    };
    let offline = matches!(failure.kind, FailureKind::Network { .. });
    let held = world.link.held_until().unwrap_or_default();
    let at = now.mono.after(wait).max(held);
    world.link = Link::Retrying {
        at,
        attempt,
        why: explain::in_short(failure),
        offline,
    };
    world.attempts = attempt;
    Some(at.since(now.mono))
}

/// A 401 is about the token; a 403 may be about one thing only, unless the list itself is refused.
fn refuses_us(status: u16, call: &Call) -> bool {
    status == 401 || status == 403 && matches!(call, Call::ListSandboxes(_))
}

/// Whether this call may be sent once more after that failure, by itself (api.md §6.4). A POST that may have
/// run is not; neither is anything that a person has to decide.
pub fn may_repeat(call: &Call, failure: &Failure, tries: u32) -> bool {
    if tries >= MOST_TRIES {
        return false;
    }
    let not_run = matches!(
        failure.kind,
        FailureKind::Status { status: 429, .. } | FailureKind::Network { sent: false, .. }
    );
    match call {
        Call::CreateSandbox(_) | Call::RunCommand(..) | Call::Extend(..) | Call::Resume(_) => {
            not_run
        }
        // Done is done: a second stop answers 410 and a second deletion 404, which both count as done.
        Call::Stop(_) | Call::DeleteSandbox { .. } | Call::Kill(..) => {
            not_run || is_passing(failure)
        }
        _ => not_run || is_passing(failure) || failure.status() == Some(401) && tries == 1,
    }
}

fn is_passing(failure: &Failure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Status {
            status: 500 | 502..,
            ..
        } | FailureKind::Network { .. }
    )
}

/// What the header asks for, bounded; `None` when it says nothing usable.
pub fn asked_wait(asked: Option<RetryAfter>, service_now: Timestamp) -> Option<Span> {
    let wait = match asked? {
        RetryAfter::Wait(ms) => Span(ms),
        RetryAfter::At(date) => date.since(service_now),
        RetryAfter::Nonsense => return None,
    };
    // Zero, or a date in the past, is no leave to hammer.
    (wait > Span(0)).then(|| wait.max(FIRST_WAIT).min(LONGEST_ASKED))
}

/// 1, 2, 4 … 60 s, each a little longer by chance so that many clients do not come back at once.
pub fn backoff(attempt: u32, now: Now) -> Span {
    let doubled = FIRST_WAIT
        .0
        .saturating_mul(1_i64 << attempt.saturating_sub(1).min(16));
    let wait = doubled.min(LONGEST_WAIT.0);
    Span(wait + jitter(now, wait / 4))
}

/// 0..=most, from the clock's own digits: pure, and different for two programs.
fn jitter(now: Now, most: i64) -> i64 {
    let seed = u64::from_ne_bytes(now.wall.0.to_ne_bytes()) ^ now.mono.0.rotate_left(32);
    let mut random = fastrand::Rng::with_seed(seed);
    random.i64(0..=most.max(0))
}

fn learn_skew(world: &mut World, date: Option<Timestamp>, now: Now) {
    let Some(date) = date else { return };
    let skew = date.since(now.wall);
    // The header has whole seconds: a smaller difference is no difference.
    world.skew = if skew.0.abs() <= 1_500 {
        Some(Span(0))
    } else {
        Some(skew)
    };
}

/// The earliest moment at which anything may be sent.
pub fn open_at(world: &World) -> Mono {
    world.link.held_until().unwrap_or_default()
}
