//! The engine's clock: the system's, or one that tests move by hand.

use crate::model::{Span, Timestamp};
use std::time::Duration;
use tokio::sync::watch;

/// Every stamp and every deadline of the engine comes from here.
#[derive(Clone)]
pub enum Clock {
    System,
    Manual(ManualClock),
}

/// Stands still until it is moved.
#[derive(Clone)]
pub struct ManualClock(watch::Sender<Timestamp>);

/// The system's clock may be set, and machines sleep: a wait looks again at least this often.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

impl ManualClock {
    pub fn at(start: Timestamp) -> Self {
        Self(watch::Sender::new(start))
    }

    /// Moves on; what is due by the new time happens.
    pub fn advance(&self, span: Span) {
        self.0.send_modify(|now| *now = *now + span);
    }
}

impl Clock {
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp(jiff::Timestamp::now().as_millisecond()),
            Self::Manual(clock) => *clock.0.borrow(),
        }
    }

    /// Returns when it is `time` or later.
    pub async fn reaches(&self, time: Timestamp) {
        match self {
            Self::System => loop {
                let left = time.since(self.now());
                let Ok(left @ 1..) = u64::try_from(left.0) else {
                    return;
                };
                tokio::time::sleep(Duration::from_millis(left).min(LOOK_AGAIN)).await;
            },
            Self::Manual(clock) => {
                // Fails only when the clock is gone, and `self` holds it.
                let _ = clock.0.subscribe().wait_for(|now| *now >= time).await;
            }
        }
    }
}
