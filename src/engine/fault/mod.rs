//! Faults on request: what goes wrong for clients because somebody wants to see what they do then.
//!
//! A rule names requests and what befalls their answers (`rule`); chance is drawn from a seed, so that a drill can be
//! repeated. Without a rule nothing here has any effect.

mod parse;
mod pattern;
mod rule;

#[cfg(test)]
mod tests;

pub use parse::RuleError;
pub use rule::FaultRule;
pub(super) use rule::{Answer, Break, Fault, Refused};

use axum::http::Method;
use fastrand::Rng;
use std::sync::{Mutex, PoisonError};

/// The rules of a running engine.
pub(super) struct Drill {
    rules: Vec<Mutex<Course>>,
}

/// How far a rule has come.
struct Course {
    rule: FaultRule,
    random: Rng,
    /// Requests that it was for, and how many of them it struck.
    met: u64,
    struck: u64,
}

impl Drill {
    /// Each rule draws by itself: what another one strikes does not change what it does.
    pub fn new(rules: Vec<FaultRule>, seed: u64) -> Self {
        let mut seeds = Rng::with_seed(seed);
        let course = |rule| {
            Mutex::new(Course {
                rule,
                random: seeds.fork(),
                met: 0,
                struck: 0,
            })
        };
        Self {
            rules: rules.into_iter().map(course).collect(),
        }
    }

    pub fn is_off(&self) -> bool {
        self.rules.is_empty()
    }

    /// What befalls this request: the first rule that is for it and strikes. With a number for its garbage.
    pub fn strikes(&self, method: &Method, path: &str) -> Option<(Fault, Rng)> {
        self.rules.iter().find_map(|course| {
            let mut course = course.lock().unwrap_or_else(PoisonError::into_inner);
            course.meet(method, path)
        })
    }
}

impl Course {
    fn meet(&mut self, method: &Method, path: &str) -> Option<(Fault, Rng)> {
        if !self.rule.is_for(method, path) {
            return None;
        }
        self.met += 1;
        let limits = &self.rule.limits;
        if self.met <= limits.skip || limits.count.is_some_and(|count| self.struck >= count) {
            return None;
        }
        if limits
            .chance
            .is_some_and(|chance| self.random.f64() >= chance)
        {
            return None;
        }
        self.struck += 1;
        Some((self.rule.fault.clone(), self.random.fork()))
    }
}
