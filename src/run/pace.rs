//! When a frame is due: soon after something happened, and never more often than anyone can see.

use std::time::{Duration, Instant};

const AFTER_KEYS: Duration = Duration::from_millis(8);
/// Flowing output is read by nobody at full speed.
const AFTER_OUTPUT: Duration = Duration::from_millis(16);

#[derive(Debug, Default)]
pub struct Pace {
    /// What happened since the last frame asks for the next one after this time.
    wanted: Option<Duration>,
    last: Option<Instant>,
}

impl Pace {
    pub fn something_happened(&mut self) {
        self.wanted = Some(AFTER_KEYS);
    }

    pub fn output_arrived(&mut self) {
        self.wanted.get_or_insert(AFTER_OUTPUT);
    }

    /// `None`: nothing to show.
    pub fn frame_at(&self, now: Instant) -> Option<Instant> {
        let wanted = self.wanted?;
        Some(self.last.map_or(now, |last| last + wanted))
    }

    pub fn drew(&mut self, now: Instant) {
        self.wanted = None;
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn no_frame_without_news_and_keys_do_not_wait_for_output() {
        let start = Instant::now();
        let mut pace = Pace::default();
        assert_eq!(pace.frame_at(start), None);

        pace.output_arrived();
        assert_eq!(
            pace.frame_at(start),
            Some(start),
            "the first frame waits for nothing"
        );
        pace.drew(start);
        assert_eq!(pace.frame_at(start + MS), None);

        pace.output_arrived();
        assert_eq!(pace.frame_at(start + MS), Some(start + AFTER_OUTPUT));
        pace.something_happened();
        pace.output_arrived();
        assert_eq!(pace.frame_at(start + MS), Some(start + AFTER_KEYS));
    }
}
