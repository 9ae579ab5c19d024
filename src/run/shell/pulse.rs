//! Whether the other side of a shell is still there: when it is asked, and when its silence is its end.
//!
//! Pure: the times come from outside, so that a laptop's sleep can be told in a test.

use crate::logic::{Mono, Now};
use crate::model::Span;

/// Between two pings while nothing is typed.
const BEAT: Span = Span::seconds(10);
/// The silence after which a connection counts as lost.
const PATIENCE: Span = Span::seconds(25);
/// The same after this machine slept, when most connections are gone.
const AFTER_SLEEP: Span = Span::seconds(10);
/// The same while much input is on its way: a program that does not read holds up the pings behind it.
const WHILE_STUFFED: Span = Span::minutes(2);
/// More input than this on its way is much, in bytes.
const STUFFED: u64 = 4096;
/// What a ping may take at the least, however long it was silent before.
const ANSWER: Span = Span::seconds(10);
/// The two clocks part by this much only when the machine slept, or somebody set one.
const JUMP: Span = Span::seconds(5);

#[derive(Debug)]
pub struct Pulse {
    last: Now,
    heard: Mono,
    pinged: Mono,
    unanswered: Option<Mono>,
    /// Output waits for us, so nothing is heard: that is no silence.
    deaf: bool,
    slept: bool,
    /// Bytes of input that were handed over, and that have arrived for certain.
    sent: u64,
    arrived: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Fine,
    Ping,
    Dead,
}

impl Pulse {
    pub fn new(now: Now) -> Self {
        Self {
            last: now,
            heard: now.mono,
            pinged: now.mono,
            unanswered: None,
            deaf: false,
            slept: false,
            sent: 0,
            arrived: 0,
        }
    }

    /// Anything came.
    pub fn heard(&mut self, now: Now) {
        self.heard = now.mono;
        (self.slept, self.deaf) = (false, false);
    }

    /// The answer to the ping of that number came.
    pub fn answered(&mut self, number: u64, now: Now) {
        self.heard(now);
        self.unanswered = None;
        self.arrived = self.arrived.max(number.min(self.sent));
    }

    /// Until something is heard again.
    pub fn stop_listening(&mut self) {
        self.deaf = true;
    }

    pub fn sent(&mut self, bytes: usize) {
        self.sent += bytes as u64;
    }

    /// What a ping that is sent now proves when it is answered.
    pub fn number(&self) -> u64 {
        self.sent
    }

    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// To be asked every few seconds.
    pub fn look(&mut self, now: Now) -> Beat {
        let (wall, mono) = (
            now.wall.since(self.last.wall),
            now.mono.since(self.last.mono),
        );
        let jumped = wall.0 - mono.0 >= JUMP.0;
        self.last = now;
        self.slept |= jumped;
        if !jumped && let Some(since) = self.unanswered {
            let over = now.mono.since(since) >= ANSWER && self.silence(now) >= self.patience();
            return if over { Beat::Dead } else { Beat::Fine };
        }
        let typed = self.sent > self.arrived;
        if jumped || typed || now.mono.since(self.pinged) >= BEAT {
            self.pinged = now.mono;
            self.unanswered = Some(now.mono);
            return Beat::Ping;
        }
        Beat::Fine
    }

    fn silence(&self, now: Now) -> Span {
        if self.deaf {
            Span(0)
        } else {
            now.mono.since(self.heard)
        }
    }

    fn patience(&self) -> Span {
        if self.sent - self.arrived > STUFFED {
            WHILE_STUFFED
        } else if self.slept {
            AFTER_SLEEP
        } else {
            PATIENCE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;

    const TICK: u64 = 5000;

    fn at(ms: u64) -> Now {
        slept(ms, 0)
    }

    /// `ms` by the clock that stands still while the machine sleeps, which it did for `asleep` ms so far.
    fn slept(ms: u64, asleep: i64) -> Now {
        Now {
            mono: Mono(ms),
            wall: Timestamp(1_790_000_000_000 + ms as i64 + asleep),
        }
    }

    /// Looks every few seconds until it is dead, and tells when that was.
    fn dies(pulse: &mut Pulse, from: u64, asleep: i64) -> u64 {
        let mut ms = from;
        while pulse.look(slept(ms, asleep)) != Beat::Dead {
            ms += TICK;
            assert!(ms < from + 1_000_000, "it lives for ever");
        }
        ms - from
    }

    #[test]
    fn a_quiet_connection_is_asked_every_ten_seconds_and_lives_by_its_answers() {
        let mut pulse = Pulse::new(at(0));
        let mut pings = 0;
        for ms in (TICK..=100_000).step_by(TICK as usize) {
            match pulse.look(at(ms)) {
                Beat::Ping => {
                    pings += 1;
                    pulse.answered(pulse.number(), at(ms + 40));
                }
                Beat::Fine => {}
                Beat::Dead => panic!("dead at {ms}"),
            }
        }
        assert_eq!(pings, 10);
    }

    #[test]
    fn a_silent_one_is_dead_within_half_a_minute() {
        for heard in (0..20_000).step_by(1000) {
            let mut pulse = Pulse::new(at(0));
            pulse.heard(at(heard));
            pulse.sent(3);
            let first = heard.next_multiple_of(TICK);
            let after = dies(&mut pulse, first, 0) + first - heard;
            assert!((25_000..=30_000).contains(&after), "{after}");
        }
    }

    #[test]
    fn output_is_a_sign_of_life_and_an_end_of_our_own_is_none_of_its_silence() {
        let mut pulse = Pulse::new(at(0));
        for ms in (TICK..=200_000).step_by(TICK as usize) {
            pulse.heard(at(ms));
            assert_ne!(pulse.look(at(ms)), Beat::Dead);
        }
        pulse.stop_listening();
        for ms in (200_000..=900_000).step_by(TICK as usize) {
            assert_ne!(pulse.look(at(ms)), Beat::Dead, "nobody listens");
        }
    }

    #[test]
    fn after_a_sleep_it_is_asked_at_once_and_has_less_time() {
        let mut pulse = Pulse::new(at(0));
        pulse.look(at(TICK));
        let hour = 3_600_000;
        assert_eq!(pulse.look(slept(2 * TICK, hour)), Beat::Ping);
        assert_eq!(dies(&mut pulse, 3 * TICK, hour), TICK);

        let mut awake = Pulse::new(at(0));
        assert_eq!(awake.look(slept(TICK, hour)), Beat::Ping);
        awake.answered(0, slept(TICK + 90, hour));
        assert_eq!(awake.look(slept(2 * TICK, hour)), Beat::Fine);
        assert_eq!(
            awake.look(slept(3 * TICK, hour)),
            Beat::Ping,
            "asked as ever"
        );
    }

    #[test]
    fn a_program_that_does_not_read_is_no_lost_connection_for_long() {
        let mut pulse = Pulse::new(at(0));
        pulse.sent(1 << 20);
        assert!(dies(&mut pulse, TICK, 0) > 90_000);
    }

    #[test]
    fn an_answer_proves_what_was_sent_before_its_ping() {
        let mut pulse = Pulse::new(at(0));
        pulse.sent(10);
        let number = pulse.number();
        pulse.sent(5);
        pulse.answered(number, at(1));
        assert_eq!(pulse.arrived(), 10);
        pulse.answered(3, at(2));
        assert_eq!(pulse.arrived(), 10, "an old answer takes nothing back");
        pulse.answered(u64::MAX, at(3));
        assert_eq!(
            pulse.arrived(),
            15,
            "a wrong one proves no more than was sent"
        );
    }

    #[test]
    fn what_was_typed_is_asked_for_at_the_next_look() {
        let mut pulse = Pulse::new(at(0));
        assert_eq!(pulse.look(at(TICK)), Beat::Fine);
        pulse.sent(1);
        assert_eq!(pulse.look(at(TICK + 1)), Beat::Ping);
    }
}
