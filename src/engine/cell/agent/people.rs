//! The users a cell knows: the host's, and the one its commands run as.

use std::io;

/// The user that commands run as.
pub const NAME: &str = "vercel-sandbox";
pub const ID: u32 = 1000;
pub const HOME: &str = "/home/vercel-sandbox";

/// Makes the cell's user known in its own `/etc`, leaving every other line as it is.
pub fn settle() -> io::Result<()> {
    let user = format!("{NAME}:x:{ID}:{ID}::{HOME}:/bin/bash");
    add("/etc/passwd", &user)?;
    add("/etc/group", &format!("{NAME}:x:{ID}:"))
}

/// Replaced, not rewritten: at `userns` the host's own file can only be hidden by a new one.
fn add(path: &str, line: &str) -> io::Result<()> {
    let before = std::fs::read_to_string(path).unwrap_or_default();
    if let Some(after) = with(&before, line) {
        let new = format!("{path}.new");
        std::fs::write(&new, after)?;
        std::fs::rename(new, path)?;
    }
    Ok(())
}

/// `file` with `line` before the first of the same number, so that the number is called by this name.
/// `None` when the name is taken already.
fn with(file: &str, line: &str) -> Option<String> {
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
    use super::with;

    const LINE: &str = "vercel-sandbox:x:1000:1000::/home/vercel-sandbox:/bin/bash";

    #[test]
    fn the_user_comes_before_another_of_its_number_and_nobody_is_lost() {
        let host = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n";
        let expected =
            format!("root:x:0:0::/root:/bin/sh\n{LINE}\nann:x:1000:1000::/home/ann:/bin/sh\n");
        assert_eq!(with(host, LINE), Some(expected));
    }

    #[test]
    fn a_known_user_is_left_alone() {
        assert_eq!(with(&format!("{LINE}\n"), LINE), None);
        assert_eq!(with("", LINE), Some(format!("{LINE}\n")));
    }
}
