//! The two clocks, read at the one place where events get their time.

use crate::logic::{Mono, Now};
use crate::model::Timestamp;
use jiff::tz::TimeZone;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Starts at zero when the program does.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    pub fn start() -> Self {
        Self {
            start: Instant::now(),
        }
    }

    pub fn now(&self) -> Now {
        let since = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Now {
            mono: Mono(since(self.start.elapsed())),
            wall: Timestamp(i64::try_from(since(wall)).unwrap_or(i64::MAX)),
        }
    }

    /// That moment as the system counts.
    pub fn instant(&self, at: Mono) -> Instant {
        self.start + Duration::from_millis(at.0)
    }
}

/// This machine's time zone. Read from its file where nothing else is set: the library would look for its name first,
/// through the files of all zones.
pub fn zone() -> TimeZone {
    let file = match std::env::var_os("TZ") {
        None => std::fs::read("/etc/localtime").ok(),
        Some(_) => None,
    };
    file.and_then(|data| TimeZone::tzif("Local", &data).ok())
        .unwrap_or_else(TimeZone::system)
}
