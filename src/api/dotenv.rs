//! A reader of `.env` files: what their usual writers write. Nothing is expanded, nothing is executed.

use std::collections::BTreeMap;

/// The last assignment of a name counts; what is no assignment is passed over.
pub(super) fn parse(text: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    while !rest.is_empty() {
        let (line, mut next) = split_line(rest);
        if let Some((left, _)) = line.split_once('=')
            && let Some(name) = name(left)
        {
            let right = rest[left.len() + 1..].trim_start_matches([' ', '\t']);
            let value = match quoted(right) {
                Some((value, after)) => {
                    next = split_line(after).1;
                    value
                }
                None => plain(split_line(right).0),
            };
            values.insert(name.to_owned(), value);
        }
        rest = next;
    }
    values
}

fn split_line(text: &str) -> (&str, &str) {
    match text.find(['\n', '\r']) {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, ""),
    }
}

fn name(left: &str) -> Option<&str> {
    let left = left.trim();
    let name = left.strip_prefix("export ").unwrap_or(left).trim();
    let fine = |b: u8| b.is_ascii_alphanumeric() || b"_.-".contains(&b);
    (!name.is_empty() && name.bytes().all(fine)).then_some(name)
}

/// Up to a comment.
fn plain(right: &str) -> String {
    let end = right.find('#').unwrap_or(right.len());
    right[..end].trim().to_owned()
}

/// A value in quotes, which may hold lines and `#`, and what follows it. Only double quotes know escapes.
fn quoted(right: &str) -> Option<(String, &str)> {
    let quote = right.chars().next().filter(|c| "\"'`".contains(*c))?;
    let mut value = String::new();
    let mut chars = right[1..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((value, &right[1 + at + 1..])),
            '\\' if quote == '"' => match chars.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                c @ ('"' | '\\') => value.push(c),
                c => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
    None
}
