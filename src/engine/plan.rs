//! What the plans of the service grant (api.md §4.3).

use super::refusal::Refusal;
use super::rules::DAY;
use crate::model::Span;

/// How much one may have at once. The engine's own default is the most generous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plan {
    Hobby,
    Pro,
    #[default]
    Enterprise,
}

impl Plan {
    pub const ALL: [Self; 3] = [Self::Hobby, Self::Pro, Self::Enterprise];

    /// The service's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hobby => "hobby",
            Self::Pro => "pro",
            Self::Enterprise => "enterprise",
        }
    }

    /// The longest a session may last, extensions included.
    const fn longest_session(self) -> Span {
        match self {
            Self::Hobby => Span::minutes(45),
            Self::Pro | Self::Enterprise => Span(DAY),
        }
    }

    /// The most vCPUs of one sandbox.
    const fn most_vcpus(self) -> i64 {
        match self {
            Self::Hobby => 4,
            Self::Pro => 8,
            Self::Enterprise => 32,
        }
    }

    /// The most sandboxes that run at once.
    const fn most_running(self) -> u32 {
        match self {
            Self::Hobby => 10,
            Self::Pro | Self::Enterprise => 10_000,
        }
    }

    pub(super) fn allow_timeout(self, timeout: Span) -> Result<(), Refusal> {
        let longest = self.longest_session();
        if timeout <= longest {
            return Ok(());
        }
        Err(Refusal::timeout_invalid(format!(
            "a session of the {} plan lasts at most {} ms in all; this would make it {} ms",
            self.word(),
            longest.0,
            timeout.0
        )))
    }

    pub(super) fn allow_vcpus(self, vcpus: i64) -> Result<(), Refusal> {
        let most = self.most_vcpus();
        if vcpus <= most {
            return Ok(());
        }
        let rule = format!("must be at most {most} on the {} plan", self.word());
        Err(Refusal::field("resources.vcpus", rule))
    }

    pub(super) fn allow_failover(self) -> Result<(), Refusal> {
        match self {
            Self::Hobby => Err(Refusal::payment_required(
                "`failoverRegions` is not part of the hobby plan",
            )),
            Self::Pro | Self::Enterprise => Ok(()),
        }
    }

    /// Whether one more sandbox may run beside `running` others.
    pub(super) fn allow_one_more(self, running: u32) -> Result<(), Refusal> {
        let most = self.most_running();
        if running < most {
            return Ok(());
        }
        Err(Refusal::rate_limited(format!(
            "concurrency limit exceeded: on the {} plan {most} sandboxes run at once; stop one first",
            self.word()
        )))
    }
}

impl std::str::FromStr for Plan {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|plan| plan.word() == word)
            .ok_or_else(|| format!("no plan {word:?}: use hobby, pro or enterprise"))
    }
}
