//! What a run cost so far. Unknown is not zero, and some figures are only a lower bound.

/// A count that is known, known to be at least so much, or not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Figure {
    #[default]
    Unknown,
    AtLeast(u64),
    Exactly(u64),
}

/// Tokens as the maker counts them: whether input holds what came from the cache is the maker's affair.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Totals {
    pub input: Option<u64>,
    pub output: Figure,
    pub reasoning: Option<u64>,
    pub cache_read: Option<u64>,
    pub cache_write: Option<u64>,
    /// All of them, where the maker gives that figure.
    pub total: Option<u64>,
    /// Dollars.
    pub cost: Option<f64>,
    pub turns: Option<u64>,
}

impl Figure {
    /// The number, be it exact or not.
    pub fn known(self) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::AtLeast(n) | Self::Exactly(n) => Some(n),
        }
    }

    /// A bound plus anything is a bound.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, figure) | (figure, Self::Unknown) => figure,
            (Self::Exactly(a), Self::Exactly(b)) => Self::Exactly(a.saturating_add(b)),
            (Self::AtLeast(a) | Self::Exactly(a), Self::AtLeast(b) | Self::Exactly(b)) => {
                Self::AtLeast(a.saturating_add(b))
            }
        }
    }
}

/// `None` only where both are.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
    }
}

impl Totals {
    /// Both together, each figure for itself.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: sum(self.input, other.input),
            output: self.output.plus(other.output),
            reasoning: sum(self.reasoning, other.reasoning),
            cache_read: sum(self.cache_read, other.cache_read),
            cache_write: sum(self.cache_write, other.cache_write),
            total: sum(self.total, other.total),
            cost: match (self.cost, other.cost) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
            },
            turns: sum(self.turns, other.turns),
        }
    }
}
