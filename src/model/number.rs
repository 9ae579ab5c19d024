//! Numbers with a unit. Each is read tolerantly: a float is rounded, a number beyond the type saturates, a
//! number in a string counts; anything else is an error, which [`super::lenient`] turns into "unknown".

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Milliseconds since the Unix epoch, by the service's clock. May be negative or absurd: nothing is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Default)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A length of time in milliseconds. May be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Default)]
#[serde(transparent)]
pub struct Span(pub i64);

/// A count of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Default)]
#[serde(transparent)]
pub struct Bytes(pub i64);

/// A plain count (vCPUs, MB of memory, a port), read as tolerantly as the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Default)]
#[serde(transparent)]
pub struct Count(pub i64);

impl Timestamp {
    /// `self - earlier`, saturating.
    pub fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl std::ops::Add<Span> for Timestamp {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl std::ops::Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Span {
    pub const fn seconds(n: i64) -> Self {
        Self(n.saturating_mul(1000))
    }

    pub const fn minutes(n: i64) -> Self {
        Self(n.saturating_mul(60_000))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Whole).map(Self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Whole).map(Self)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Whole).map(Self)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Whole).map(Self)
    }
}

/// Reads any kind of number into an `i64`.
struct Whole;

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_i64<E: de::Error>(self, n: i64) -> Result<i64, E> {
        Ok(n)
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<i64, E> {
        Ok(i64::try_from(n).unwrap_or(i64::MAX))
    }

    fn visit_f64<E: de::Error>(self, n: f64) -> Result<i64, E> {
        if n.is_nan() {
            return Err(E::custom("not a number"));
        }
        // `as` saturates, which is what is wanted for 1.5e300.
        Ok(n.round() as i64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<i64, E> {
        let text = text.trim();
        text.parse::<i64>().or_else(|_| match text.parse::<f64>() {
            Ok(n) if n.is_finite() => self.visit_f64(n),
            _ => Err(E::custom("not a number")),
        })
    }
}
