//! Figures for people: short, of a bounded width, `–` for what is not known. Sort by the value, never by these.
//!
//! Whatever number comes in, a short text comes out. A negative size or duration is no size or duration, so it
//! counts as unknown; a time in the future says so.

use super::clean::say;
use crate::model::{Bytes, Clean, Count, NanoDollars, Span, Timestamp};
use jiff::tz::TimeZone;

/// Stands for what is not known.
pub const UNKNOWN: &str = "–";
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;

/// How long ago: `12 s`, `5 m`, `3 h`, `4 d`, `2 y`; for a time to come `in 5 m`. At most 8 columns.
pub fn ago(span: Option<Span>) -> Clean {
    let Some(span) = span else {
        return UNKNOWN.into();
    };
    let size = coarse(span);
    if seconds(span) > 0 && span.0 < 0 {
        say(format_args!("in {size}"))
    } else {
        size
    }
}

/// How long still: `4 d`, `1:05:09`, `12 m`, `45 s`; when it is past, `over by 5 m`. At most 13 columns.
pub fn left(span: Option<Span>) -> Clean {
    let Some(span) = span else {
        return UNKNOWN.into();
    };
    let total = seconds(span);
    if span.0 < 0 && total > 0 {
        return say(format_args!("over by {}", coarse(span)));
    }
    match total {
        HOUR..=359_999 => say(format_args!(
            "{}:{:02}:{:02}",
            total / HOUR,
            total % HOUR / MINUTE,
            total % MINUTE
        )),
        _ => coarse(span),
    }
}

/// Whole seconds until something happens, never 0 before it has: `4 s`.
pub fn countdown(span: Span) -> Clean {
    say(format_args!(
        "{} s",
        u64::try_from(span.0).unwrap_or(0).div_ceil(1000)
    ))
}

/// How long something took: `85 ms`, `3.2 s`, `1 m 05 s`, `1 h 05 m`, `3 d 04 h`. At most 9 columns.
pub fn duration(span: Option<Span>) -> Clean {
    let Some(ms) = span.and_then(|span| u64::try_from(span.0).ok()) else {
        return UNKNOWN.into();
    };
    let total = ms / 1000;
    match total {
        0 => say(format_args!("{ms} ms")),
        1..10 => say(format_args!("{}.{} s", total, ms % 1000 / 100)),
        10..MINUTE => say(format_args!("{total} s")),
        MINUTE..HOUR => say(format_args!("{} m {:02} s", total / MINUTE, total % MINUTE)),
        HOUR..DAY => say(format_args!(
            "{} h {:02} m",
            total / HOUR,
            total % HOUR / MINUTE
        )),
        DAY..8_640_000 => say(format_args!(
            "{} d {:02} h",
            total / DAY,
            total % DAY / HOUR
        )),
        _ => coarse(Span(i64::try_from(ms).unwrap_or(i64::MAX))),
    }
}

/// `900 B`, `1.0 KiB`, `83 MiB`…: steps of 1024, one decimal below 10. At most 8 columns.
pub fn bytes(bytes: Option<Bytes>) -> Clean {
    let units = [" B", " KiB", " MiB", " GiB", " TiB", " PiB"];
    match bytes.and_then(|n| u64::try_from(n.0).ok()) {
        Some(n) => scaled(n, 1024, &units),
        None => UNKNOWN.into(),
    }
}

/// Memory as the service counts it, in MB of 1024 × 1024 bytes: `512 MB`, `2 GB`, `2.5 GB`.
pub fn memory_mb(memory: Option<Count>) -> Clean {
    let units = [" MB", " GB", " TB", " PB"];
    match memory.and_then(|n| u64::try_from(n.0).ok()) {
        Some(n) if n >= 1024 && n % 1024 == 0 && n < 1024 * 1024 => {
            say(format_args!("{} GB", n / 1024))
        }
        Some(n) => scaled(n, 1024, &units),
        None => UNKNOWN.into(),
    }
}

/// A plain count: `8080`, `12,345`, then `1.2 M`, `34 G`. At most 8 columns.
pub fn number(count: Option<Count>) -> Clean {
    let Some(Count(n)) = count else {
        return UNKNOWN.into();
    };
    let size = n.unsigned_abs();
    let text = match size {
        0..10_000 => say(format_args!("{size}")),
        10_000..1_000_000 => say(format_args!("{},{:03}", size / 1000, size % 1000)),
        _ => scaled(size, 1000, &["", " k", " M", " G", " T", " P"]),
    };
    signed(n, text)
}

/// Dollars: `$0.0012`, `$12.30`, `$1234`, `$1.2 M`; less than a hundredth of a cent is `<$0.0001`.
pub fn money(amount: Option<NanoDollars>) -> Clean {
    let Some(NanoDollars(nano)) = amount else {
        return UNKNOWN.into();
    };
    let size = nano.unsigned_abs();
    let text = match size {
        0 => "$0.00".into(),
        1..100_000 => "<$0.0001".into(),
        100_000..=999_949_999 => {
            let parts = (size + 50_000) / 100_000;
            say(format_args!("$0.{parts:04}"))
        }
        999_950_000..=999_994_999_999 => {
            let cents = (size + 5_000_000) / 10_000_000;
            say(format_args!("${}.{:02}", cents / 100, cents % 100))
        }
        _ => {
            let dollars = (size + 500_000_000) / 1_000_000_000;
            match dollars {
                ..100_000 => say(format_args!("${dollars}")),
                _ => say(format_args!(
                    "${}",
                    scaled(dollars, 1000, &["", " k", " M", " G"])
                )),
            }
        }
    };
    signed(nano, text)
}

/// The time of day, `14:05:09`.
pub fn clock(time: Option<Timestamp>, zone: &TimeZone) -> Clean {
    formatted(time, zone, "%H:%M:%S")
}

/// The date and the time of day, `2026-11-29 14:05`.
pub fn date(time: Option<Timestamp>, zone: &TimeZone) -> Clean {
    formatted(time, zone, "%Y-%m-%d %H:%M")
}

/// As [`date`], with the zone's name: `2026-11-29 14:05 UTC`.
pub fn moment(time: Option<Timestamp>, zone: &TimeZone) -> Clean {
    formatted(time, zone, "%Y-%m-%d %H:%M %Z")
}

/// Unknown, and years that no calendar here can say (beyond 0–9999), give `–`.
fn formatted(time: Option<Timestamp>, zone: &TimeZone, format: &str) -> Clean {
    time.and_then(|time| jiff::Timestamp::from_millisecond(time.0).ok())
        .map(|time| time.to_zoned_datetime(zone.clone()))
        .filter(|time| time.year() >= 0)
        .map_or(UNKNOWN.into(), |time| {
            say(format_args!("{}", time.strftime(format)))
        })
}

fn seconds(span: Span) -> u64 {
    span.0.unsigned_abs() / 1000
}

/// The size of a span in its largest unit, rounded down. At most 6 columns.
fn coarse(span: Span) -> Clean {
    let total = seconds(span);
    match total {
        0..MINUTE => say(format_args!("{total} s")),
        MINUTE..HOUR => say(format_args!("{} m", total / MINUTE)),
        HOUR..DAY => say(format_args!("{} h", total / HOUR)),
        DAY..YEAR => say(format_args!("{} d", total / DAY)),
        _ if total < 100 * YEAR => say(format_args!("{} y", total / YEAR)),
        _ => ">99 y".into(),
    }
}

/// `n` in the first unit that keeps it below `step`, or in the last.
fn scaled(n: u64, step: u64, units: &[&str]) -> Clean {
    let n = u128::from(n);
    let mut size = 1;
    let mut last = "";
    for unit in units {
        last = unit;
        let whole = (n + size / 2) / size;
        let tenths = (n * 10 + size / 2) / size;
        if size > 1 && tenths < 100 {
            return say(format_args!("{}.{}{unit}", tenths / 10, tenths % 10));
        }
        if whole < u128::from(step) {
            return say(format_args!("{whole}{unit}"));
        }
        size *= u128::from(step);
    }
    say(format_args!(">999{last}"))
}

fn signed(n: i64, size: Clean) -> Clean {
    if n < 0 {
        say(format_args!("-{size}"))
    } else {
        size
    }
}
