//! Rust source as tokens and paths: enough of the language to see what a file names.

#[derive(Debug, PartialEq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// Identifiers, `::` and single signs; comments, strings, characters and lifetimes are left out.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < source.len() {
        let rest = &source[at..];
        let (size, keep) = token(rest);
        if keep {
            found.push(Token {
                text: rest[..size].trim_start_matches("r#"),
                line,
            });
        }
        line += rest[..size].matches('\n').count();
        at += size;
    }
    found
}

/// Length of what `rest` begins with, and whether it is a token of interest.
fn token(rest: &str) -> (usize, bool) {
    let word = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    let first = rest.chars().next().unwrap();
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if rest.starts_with("::") {
        return (2, true);
    }
    if let Some(size) = string(rest) {
        return (size, false);
    }
    if first == '\'' {
        let inner: Vec<char> = rest.chars().skip(1).take(2).collect();
        return match inner[..] {
            ['\\', _] => (
                rest[3..].find('\'').map_or(rest.len(), |end| end + 4),
                false,
            ),
            [c, '\''] => (2 + c.len_utf8(), false),
            _ => (1 + word(&rest[1..]), false),
        };
    }
    if let Some(raw) = rest.strip_prefix("r#") {
        return (2 + word(raw), true);
    }
    if first.is_alphanumeric() || first == '_' {
        return (word(rest), true);
    }
    (first.len_utf8(), !first.is_whitespace())
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        let (step, change) = match here {
            _ if here.starts_with("/*") => (2, 1),
            _ if here.starts_with("*/") => (2, -1),
            _ => (here.chars().next().map_or(1, char::len_utf8), 0),
        };
        at += step;
        depth += change;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Length of the string literal at the beginning of `rest`, raw ones and prefixes included.
fn string(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|tail| tail.trim_start_matches('#').starts_with('"'))
    })?;
    let tail = &rest[prefix.len()..];
    let hashes = tail.len() - tail.trim_start_matches('#').len();
    let raw = prefix.ends_with('r');
    if hashes > 0 && !raw {
        return None;
    }
    let open = prefix.len() + hashes + 1;
    if raw {
        let close = format!("\"{}", "#".repeat(hashes));
        return Some(
            rest[open..]
                .find(&close)
                .map_or(rest.len(), |end| open + end + close.len()),
        );
    }
    let mut escaped = false;
    for (at, c) in rest[open..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(open + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// A path as written, groups taken apart (`a::{b, c::d}` is two); one that reaches the crate's root begins with `crate`.
#[derive(Debug, PartialEq)]
pub struct Named {
    pub parts: Vec<String>,
    pub line: usize,
}

impl Named {
    /// Whether the path begins with that one, segment by segment; a `::` at its end asks for more to follow.
    pub fn begins(&self, with: &str) -> bool {
        let mut parts = self.parts.iter();
        with.split("::").all(|wanted| {
            parts
                .next()
                .is_some_and(|part| wanted.is_empty() || part == wanted)
        })
    }
}

pub fn paths(tokens: &[Token], file_depth: usize) -> Vec<Named> {
    let mut found = Vec::new();
    let mut braces: Vec<bool> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let text = tokens[at].text;
        match text {
            "{" => braces.push(at >= 2 && tokens[at - 2].text == "mod"),
            "}" => {
                braces.pop();
            }
            _ if is_word(text) => {
                let depth = file_depth + braces.iter().filter(|module| **module).count();
                let from = found.len();
                at = path(tokens, at, &mut Vec::new(), &mut found);
                for named in &mut found[from..] {
                    lead_to_root(&mut named.parts, depth);
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads one path or group from `at` on, below `prefix`; returns where it ended.
fn path(
    tokens: &[Token],
    mut at: usize,
    prefix: &mut Vec<String>,
    found: &mut Vec<Named>,
) -> usize {
    let line = tokens[at].line;
    let base = prefix.len();
    while let Some(token) = tokens.get(at) {
        if token.text == "{" {
            at += 1;
            while tokens.get(at).is_some_and(|token| token.text != "}") {
                let renamed = tokens[at - 1].text == "as";
                if !renamed
                    && (is_word(tokens[at].text) && tokens[at].text != "as"
                        || tokens[at].text == "*")
                {
                    at = path(tokens, at, prefix, found);
                } else {
                    at += 1;
                }
            }
            prefix.truncate(base);
            return at + 1;
        }
        prefix.push(token.text.to_owned());
        at += 1;
        let goes_on = tokens.get(at).is_some_and(|token| token.text == "::")
            && tokens
                .get(at + 1)
                .is_some_and(|next| is_word(next.text) || matches!(next.text, "{" | "*"));
        if !goes_on {
            break;
        }
        at += 1;
    }
    let is = |at: usize, sign| {
        tokens
            .get(at)
            .is_some_and(|token: &Token| token.text == sign)
    };
    if let Some(last) = prefix
        .last_mut()
        .filter(|_| is(at, "!") && !is(at + 1, "="))
    {
        last.push('!');
    }
    found.push(Named {
        parts: prefix.clone(),
        line,
    });
    prefix.truncate(base);
    at
}

/// `super::super::x` that climbs to the crate's root becomes `crate::x`.
fn lead_to_root(parts: &mut Vec<String>, depth: usize) {
    let start = usize::from(parts[0] == "self");
    let climbed = parts[start..]
        .iter()
        .take_while(|part| *part == "super")
        .count();
    if climbed > 0 && climbed >= depth {
        parts.splice(..start + climbed, ["crate".to_owned()]);
    }
}
