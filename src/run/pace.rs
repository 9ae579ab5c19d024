//! When a frame is due: soon after something happened, and never more often than anyone can see.

use std::time::{Duration, Instant};

const AFTER_KEYS: Duration = Duration::from_millis(8);
/// Flowing output is read by nobody at full speed.
const AFTER_OUTPUT: Duration = Duration::from_millis(16);

/// After as long without a frame a few may come at once: at the start the terminal's answer and the first rows would
/// each wait for the frame before.
const PAUSE: Duration = Duration::from_millis(100);
const AFTER_PAUSE: u8 = 2;

#[derive(Debug, Default)]
pub struct Pace {
    /// What happened since the last frame asks for the next one after this time.
    wanted: Option<Duration>,
    last: Option<Instant>,
    /// Frames that wait for nothing.
    free: u8,
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
        let wait = if self.free > 0 {
            Duration::ZERO
        } else {
            wanted
        };
        Some(self.last.map_or(now, |last| last + wait))
    }

    pub fn drew(&mut self, now: Instant) {
        self.wanted = None;
        let paused = self.last.is_none_or(|last| now - last >= PAUSE);
        self.free = if paused {
            AFTER_PAUSE
        } else {
            self.free.saturating_sub(1)
        };
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
        for _ in 0..AFTER_PAUSE {
            pace.output_arrived();
            assert_eq!(pace.frame_at(start), Some(start), "nor do the next ones");
            pace.drew(start);
        }

        pace.output_arrived();
        assert_eq!(pace.frame_at(start + MS), Some(start + AFTER_OUTPUT));
        pace.something_happened();
        pace.output_arrived();
        assert_eq!(pace.frame_at(start + MS), Some(start + AFTER_KEYS));
        pace.drew(start + AFTER_KEYS);
        pace.something_happened();
        assert_eq!(
            pace.frame_at(start),
            Some(start + AFTER_KEYS * 2),
            "without a pause none is free"
        );
    }
}
