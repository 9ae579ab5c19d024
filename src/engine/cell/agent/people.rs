//! What a cell's `/etc` says of itself: the user of its commands, its own name, where names are looked up.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;

/// The user that commands run as.
pub const NAME: &str = "vercel-sandbox";
pub const ID: u32 = 1000;
pub const HOME: &str = "/home/vercel-sandbox";

/// Writes that into the cell's own `/etc`, leaving every other line as it is. `resolver` is the machine's
/// `resolv.conf`: the network is the machine's as well, and there it may be a link to what a cell does not see.
pub fn settle(hostname: &str, resolver: Option<&[u8]>) -> io::Result<()> {
    let user = format!("{NAME}:x:{ID}:{ID}::{HOME}:/bin/bash");
    add("/etc/passwd", |file| with_user(file, &user))?;
    add("/etc/group", |file| {
        with_user(file, &format!("{NAME}:x:{ID}:"))
    })?;
    add("/etc/hosts", |file| with_host(file, hostname))?;
    replace("/etc/hostname", format!("{hostname}\n").as_bytes())?;
    match resolver {
        Some(resolver) => replace("/etc/resolv.conf", resolver),
        None => Ok(()),
    }
}

fn add(path: &str, change: impl FnOnce(&str) -> Option<String>) -> io::Result<()> {
    let before = fs::read_to_string(path).unwrap_or_default();
    change(&before).map_or(Ok(()), |after| replace(path, after.as_bytes()))
}

/// Replaced, not rewritten: at `userns` the machine's own file can only be hidden by a new one.
fn replace(path: &str, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|before| before == content) {
        return Ok(());
    }
    let new = format!("{path}.new");
    fs::write(&new, content)?;
    fs::set_permissions(&new, fs::Permissions::from_mode(0o644))?;
    fs::rename(new, path)
}

/// `file` with a line for the cell's own name; `None` when it has one.
fn with_host(file: &str, hostname: &str) -> Option<String> {
    let names = |line: &str| line.split_whitespace().skip(1).any(|name| name == hostname);
    if file.lines().any(names) {
        return None;
    }
    let gap = if file.is_empty() || file.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{file}{gap}127.0.1.1 {hostname}\n"))
}

/// `file` with `line` before the first of the same number, so that the number is called by this name.
/// `None` when the name is taken already.
fn with_user(file: &str, line: &str) -> Option<String> {
    let number_of = |line: &str| line.split(':').nth(2).and_then(|id| id.parse::<u32>().ok());
    if file
        .lines()
        .any(|known| known.split(':').next() == Some(NAME))
    {
        return None;
    }
    let mut lines: Vec<&str> = file.lines().collect();
    let at = lines
        .iter()
        .position(|known| number_of(known) == Some(ID))
        .unwrap_or(lines.len());
    lines.insert(at, line);
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::{with_host, with_user};

    const LINE: &str = "vercel-sandbox:x:1000:1000::/home/vercel-sandbox:/bin/bash";

    #[test]
    fn the_user_comes_before_another_of_its_number_and_nobody_is_lost() {
        let host = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n";
        let expected =
            format!("root:x:0:0::/root:/bin/sh\n{LINE}\nann:x:1000:1000::/home/ann:/bin/sh\n");
        assert_eq!(with_user(host, LINE), Some(expected));
    }

    #[test]
    fn a_known_user_is_left_alone() {
        assert_eq!(with_user(&format!("{LINE}\n"), LINE), None);
        assert_eq!(with_user("", LINE), Some(format!("{LINE}\n")));
    }

    #[test]
    fn a_cell_knows_its_own_name_once() {
        let file = with_host("127.0.0.1 localhost", "box").unwrap();
        assert_eq!(file, "127.0.0.1 localhost\n127.0.1.1 box\n");
        assert_eq!(with_host(&file, "box"), None);
    }
}
