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

/// What the service counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meter {
    /// By the CPU-hour.
    ActiveCpu,
    /// By the GB-hour.
    ProvisionedMemory,
    /// By the session.
    Creations,
    /// By the GB (10⁹ bytes).
    DataTransfer,
    /// By the GB (10⁹ bytes) and month.
    SnapshotStorage,
}

impl Meter {
    /// Of one unit, list price in `iad1`.
    pub const fn price(self) -> NanoDollars {
        NanoDollars(match self {
            Self::ActiveCpu => 128_000_000,
            Self::ProvisionedMemory => 21_200_000,
            Self::Creations => 600,
            Self::DataTransfer => 150_000_000,
            Self::SnapshotStorage => 80_000_000,
        })
    }
}

/// Memory is billed for at least one minute.
pub const LEAST_BILLED: Span = Span::minutes(1);
const HOUR_MS: i128 = 3_600_000;

/// The memory part of one session that has run for `ran` so far.
pub fn memory_cost(memory_mb: Count, ran: Span) -> NanoDollars {
    let ran = i128::from(ran.max(LEAST_BILLED).0);
    let memory = i128::from(memory_mb.0.max(0));
    let price = i128::from(Meter::ProvisionedMemory.price().0);
    let nano = memory.saturating_mul(ran).saturating_mul(price) / (HOUR_MS * 1024);
    NanoDollars(i64::try_from(nano).unwrap_or(i64::MAX))
}

/// The memory part per hour of running.
pub fn memory_cost_per_hour(memory_mb: Count) -> NanoDollars {
    let price = i128::from(Meter::ProvisionedMemory.price().0);
    let nano = i128::from(memory_mb.0.max(0)) * price / 1024;
    NanoDollars(i64::try_from(nano).unwrap_or(i64::MAX))
}
