//! Figures as tables: usual values, borders, and absurd ones.

use crate::model::{Bytes, Clean, Count, NanoDollars, Span, Timestamp};
use crate::text::figures::*;
use crate::text::width;
use jiff::tz::{TimeZone, offset};

const S: i64 = 1000;
const M: i64 = 60 * S;
const H: i64 = 60 * M;
const D: i64 = 24 * H;

fn check(figure: fn(Option<Span>) -> Clean, cases: &[(i64, &str)]) {
    for (ms, want) in cases {
        assert_eq!(figure(Some(Span(*ms))).as_str(), *want, "{ms}");
    }
    assert_eq!(figure(None).as_str(), "–");
}

#[test]
fn ages() {
    check(
        ago,
        &[
            (0, "0 s"),
            (999, "0 s"),
            (12 * S, "12 s"),
            (59_999, "59 s"),
            (5 * M, "5 m"),
            (3 * H + 59 * M, "3 h"),
            (4 * D, "4 d"),
            (800 * D, "2 y"),
            (i64::MAX, ">99 y"),
            // A clock that is a little ahead is no news; one that is further ahead is named.
            (-400, "0 s"),
            (-5 * M, "in 5 m"),
            (-3 * D, "in 3 d"),
            (i64::MIN, "in >99 y"),
        ],
    );
}

#[test]
fn countdowns() {
    check(
        left,
        &[
            (45 * S, "45 s"),
            (12 * M + 59 * S, "12 m"),
            (H, "1:00:00"),
            (H + 5 * M + 9 * S, "1:05:09"),
            (99 * H + 59 * M + 59 * S, "99:59:59"),
            (100 * H, "4 d"),
            (0, "0 s"),
            (-900, "0 s"),
            (-5 * M, "over by 5 m"),
            (i64::MIN, "over by >99 y"),
            (i64::MAX, ">99 y"),
        ],
    );
}

#[test]
fn durations() {
    check(
        duration,
        &[
            (0, "0 ms"),
            (850, "850 ms"),
            (3_290, "3.2 s"),
            (10_000, "10 s"),
            (65 * S, "1 m 05 s"),
            (H + 5 * M, "1 h 05 m"),
            (3 * D + 4 * H, "3 d 04 h"),
            (99 * D + 23 * H, "99 d 23 h"),
            (100 * D, "100 d"),
            (i64::MAX, ">99 y"),
            (-1, "–"),
        ],
    );
}

#[test]
fn sizes() {
    let cases = [
        (0, "0 B"),
        (900, "900 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (10_188, "9.9 KiB"),
        // 9.96 KiB rounds up, to no "10.0".
        (10_199, "10 KiB"),
        (1024 * 1024 - 1, "1.0 MiB"),
        (83 << 20, "83 MiB"),
        (9 << 30, "9.0 GiB"),
        (5 << 40, "5.0 TiB"),
        (512 << 50, "512 PiB"),
        ((1 << 53) + 1, "8.0 PiB"),
        (9_223_372_036_854_771_712, ">999 PiB"),
        (i64::MAX, ">999 PiB"),
        (-1, "–"),
        (i64::MIN, "–"),
    ];
    for (n, want) in cases {
        assert_eq!(bytes(Some(Bytes(n))).as_str(), want, "{n}");
    }
    assert_eq!(bytes(None).as_str(), "–");
}

#[test]
fn memory() {
    let cases = [
        (512, "512 MB"),
        (2048, "2 GB"),
        (2560, "2.5 GB"),
        (16_384, "16 GB"),
        (i64::MAX, ">999 PB"),
        (-1, "–"),
    ];
    for (n, want) in cases {
        assert_eq!(memory_mb(Some(Count(n))).as_str(), want, "{n}");
    }
    assert_eq!(memory_mb(None).as_str(), "–");
}

#[test]
fn numbers() {
    let cases = [
        (0, "0"),
        (137, "137"),
        (8080, "8080"),
        (12_345, "12,345"),
        (999_999, "999,999"),
        (1_000_000, "1.0 M"),
        (34_000_000_000, "34 G"),
        (i64::MAX, ">999 P"),
        (-9, "-9"),
        (i64::MIN, "->999 P"),
    ];
    for (n, want) in cases {
        assert_eq!(number(Some(Count(n))).as_str(), want, "{n}");
    }
    assert_eq!(number(None).as_str(), "–");
}

#[test]
fn dollars() {
    let cases = [
        (0, "$0.00"),
        (1, "<$0.0001"),
        (1_200_000, "$0.0012"),
        (999_949_999, "$0.9999"),
        (999_950_000, "$1.00"),
        (12_300_000_000, "$12.30"),
        (999_994_999_999, "$999.99"),
        (999_995_000_000, "$1000"),
        (1_234_567_000_000_000, "$1.2 M"),
        (i64::MAX, "$9.2 G"),
        (-1_200_000, "-$0.0012"),
    ];
    for (n, want) in cases {
        assert_eq!(money(Some(NanoDollars(n))).as_str(), want, "{n}");
    }
    assert_eq!(money(None).as_str(), "–");
}

#[test]
fn times() {
    let cases = [
        (0, "00:00:00", "1970-01-01 00:00"),
        (-1, "23:59:59", "1969-12-31 23:59"),
        (1_796_000_709_000, "01:05:09", "2026-11-30 01:05"),
        (9_000_000_000_000_000, "–", "–"),
        (i64::MAX, "–", "–"),
        (i64::MIN, "–", "–"),
    ];
    for (ms, time, day) in cases {
        let at = Some(Timestamp(ms));
        assert_eq!(clock(at, &TimeZone::UTC).as_str(), time, "{ms}");
        assert_eq!(date(at, &TimeZone::UTC).as_str(), day, "{ms}");
    }
    let there = TimeZone::fixed(offset(-3));
    assert_eq!(clock(Some(Timestamp(0)), &there).as_str(), "21:00:00");
    assert_eq!(
        date(Some(Timestamp(0)), &there).as_str(),
        "1969-12-31 21:00"
    );
    assert_eq!(clock(None, &there).as_str(), "–");
}

#[test]
fn figures_stay_narrow() {
    let mut n: i64 = 1;
    while let Some(next) = n.checked_mul(3) {
        n = next;
        for n in [n, -n, n - 1, n + 1] {
            let narrow = |figure: Clean, columns| {
                assert!(width(figure.as_str()) <= columns, "{n}: {figure}");
            };
            narrow(ago(Some(Span(n))), 8);
            narrow(left(Some(Span(n))), 13);
            narrow(duration(Some(Span(n))), 9);
            narrow(bytes(Some(Bytes(n))), 8);
            narrow(memory_mb(Some(Count(n))), 7);
            narrow(number(Some(Count(n))), 8);
            narrow(money(Some(NanoDollars(n))), 9);
        }
    }
}
