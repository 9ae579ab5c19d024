//! JSON on several lines, as it was written otherwise: the order of its fields, and every digit of its numbers.

use serde::de::IgnoredAny;

const INDENT: &str = "  ";

/// The lines of an object or an array; `None` for everything else.
pub fn pretty(line: &str) -> Option<Vec<String>> {
    let json = line.trim();
    let is_json = json.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(json).is_ok();
    if !is_json {
        return None;
    }
    let mut lines = vec![String::new()];
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(c) = rest.chars().next() {
        let len = if c == '"' { string(rest) } else { c.len_utf8() };
        let (token, after) = rest.split_at(len);
        rest = after;
        match c {
            '{' | '[' => {
                put(&mut lines, token);
                let inner = rest.trim_start();
                match inner.strip_prefix(['}', ']']) {
                    Some(after) => {
                        put(&mut lines, &inner[..1]);
                        rest = after;
                    }
                    None => {
                        depth += 1;
                        lines.push(INDENT.repeat(depth));
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                lines.push(INDENT.repeat(depth));
                put(&mut lines, token);
            }
            ',' => {
                put(&mut lines, token);
                lines.push(INDENT.repeat(depth));
            }
            ':' => put(&mut lines, ": "),
            c if c.is_ascii_whitespace() => {}
            _ => put(&mut lines, token),
        }
    }
    Some(lines)
}

fn put(lines: &mut [String], token: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(token);
    }
}

/// Bytes of the string that a text begins with, its quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}
