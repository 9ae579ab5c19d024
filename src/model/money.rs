//! What things cost, as estimates from list prices (api.md §4.4). Money is counted in billionths of a dollar.

use super::{Count, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct NanoDollars(pub i64);

impl std::ops::Add for NanoDollars {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// $0.0212 per GB-hour of provisioned memory, list price in `iad1`.
const MEMORY_NANO_PER_GB_HOUR: i128 = 21_200_000;
/// Memory is billed for at least one minute.
const LEAST_BILLED_MS: i128 = 60_000;
const HOUR_MS: i128 = 3_600_000;

/// The memory part of one session that has run for `ran` so far.
pub fn memory_cost(memory_mb: Count, ran: Span) -> NanoDollars {
    let ran = i128::from(ran.0).max(LEAST_BILLED_MS);
    let memory = i128::from(memory_mb.0.max(0));
    let nano = memory
        .saturating_mul(ran)
        .saturating_mul(MEMORY_NANO_PER_GB_HOUR)
        / (HOUR_MS * 1024);
    NanoDollars(i64::try_from(nano).unwrap_or(i64::MAX))
}

/// The memory part per hour of running.
pub fn memory_cost_per_hour(memory_mb: Count) -> NanoDollars {
    let nano = i128::from(memory_mb.0.max(0)) * MEMORY_NANO_PER_GB_HOUR / 1024;
    NanoDollars(i64::try_from(nano).unwrap_or(i64::MAX))
}
