//! A process and all its descendants, as `/proc` shows them.

use std::collections::{HashMap, HashSet};
use std::fs;

/// What `/proc/<pid>/stat` says of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub pid: i32,
    pub parent: i32,
    pub zombie: bool,
    /// Clock ticks of its own and of the children it has reaped.
    pub ticks: u64,
}

/// `root` and everything below it that is there now; empty when `root` is gone.
pub fn family(root: i32) -> Vec<Member> {
    let all = everyone();
    let mut below: HashMap<i32, Vec<Member>> = HashMap::new();
    for member in &all {
        below.entry(member.parent).or_default().push(*member);
    }
    let mut found: Vec<Member> = all.into_iter().filter(|m| m.pid == root).collect();
    let mut seen: HashSet<i32> = found.iter().map(|m| m.pid).collect();
    let mut next = 0;
    while let Some(member) = found.get(next) {
        next += 1;
        for child in below.remove(&member.pid).unwrap_or_default() {
            if seen.insert(child.pid) {
                found.push(child);
            }
        }
    }
    found
}

/// CPU time of a whole family in milliseconds, what has ended and was reaped included.
/// Ticks are 10 ms on every Linux user interface.
pub fn cpu_ms(root: i32) -> i64 {
    let ticks: u64 = family(root).iter().map(|m| m.ticks).sum();
    i64::try_from(ticks.saturating_mul(10)).unwrap_or(i64::MAX)
}

fn everyone() -> Vec<Member> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?))
        .collect()
}

/// `pid (name) state ppid …`; the name may hold blanks and brackets.
fn parse(stat: &str) -> Option<Member> {
    let (pid, rest) = stat.split_once(" (")?;
    let fields: Vec<&str> = rest.rsplit_once(") ")?.1.split(' ').collect();
    let number = |at: usize| fields.get(at)?.parse::<i64>().ok();
    let mut ticks = 0;
    for at in 11..=14 {
        ticks += u64::try_from(number(at)?).unwrap_or(0);
    }
    Some(Member {
        pid: pid.parse().ok()?,
        parent: i32::try_from(number(1)?).ok()?,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        ticks,
    })
}

#[cfg(test)]
mod tests {
    use super::{Member, family, parse};

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
        let stat = "42 (a) b (c) Z 7 42 42 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 5 6 7";
        let expected = Member {
            pid: 42,
            parent: 7,
            zombie: true,
            ticks: 10,
        };
        assert_eq!(parse(stat), Some(expected));
    }

    #[test]
    fn this_process_is_the_first_of_its_family() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert_eq!(family(own).first().map(|m| m.pid), Some(own));
        assert_eq!(family(-5), []);
    }
}
