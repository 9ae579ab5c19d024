//! So many requests a minute and no more (api.md §4.3), for those who want to see what their program does then.

use super::super::clock::Clock;
use super::super::refusal::Refusal;
use crate::model::{Span, Timestamp};
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, Mutex, PoisonError};

const MINUTE: Span = Span::minutes(1);

pub(in crate::engine) struct Quota {
    per_minute: u32,
    clock: Clock,
    window: Mutex<Window>,
}

/// A minute that began with a request, and how many came in it.
struct Window {
    start: Timestamp,
    taken: u32,
}

impl Quota {
    pub fn new(per_minute: u32, clock: Clock) -> Self {
        let start = clock.now();
        Self {
            per_minute,
            clock,
            window: Mutex::new(Window { start, taken: 0 }),
        }
    }

    /// # Errors
    /// How long until requests are taken again.
    fn take(&self) -> Result<(), Span> {
        let now = self.clock.now();
        // A panic elsewhere leaves the two numbers as they were.
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let left = (window.start + MINUTE).since(now);
        // A clock that was set back starts a new minute as well.
        if left.0 <= 0 || left > MINUTE {
            *window = Window {
                start: now,
                taken: 0,
            };
        } else if window.taken >= self.per_minute {
            return Err(left);
        }
        window.taken += 1;
        Ok(())
    }
}

pub(super) async fn pass(
    State(quota): State<Arc<Quota>>,
    request: Request,
    next: Next,
) -> Response {
    let Err(left) = quota.take() else {
        return next.run(request).await;
    };
    let seconds = (left.0 + 999) / 1000;
    let refusal = Refusal::rate_limited(format!(
        "more than {} requests in a minute; the next is taken in {seconds} s",
        quota.per_minute
    ));
    ([(RETRY_AFTER, seconds.to_string())], refusal).into_response()
}
