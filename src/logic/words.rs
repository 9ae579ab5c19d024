//! Command lines as people type them: words with quotes, and back. Nothing is expanded: no shell reads them.

use crate::model::Clean;
use crate::text::{clean_str, say};

/// Splits at blanks outside of quotes. `'…'` is taken as it stands, in `"…"` a backslash stands before `"` and
/// `\`, `$'…'` knows `\n`, `\t`, `\r`, `\e` and `\xNN` besides, and outside a backslash takes the next character as it is.
///
/// # Errors
/// What is not closed.
pub fn split(line: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = word(rest)?;
        words.push(word);
        rest = after.trim_start();
    }
    Ok(words)
}

/// The first word, and what follows it.
fn word(line: &str) -> Result<(String, &str), &'static str> {
    let mut word = String::new();
    let mut rest = line;
    loop {
        let mut chars = rest.chars();
        match chars.next() {
            Some('\'') => {
                let (inside, after) = chars.as_str().split_once('\'').ok_or("a ' is not closed")?;
                word.push_str(inside);
                rest = after;
            }
            Some('"') => rest = quoted(chars.as_str(), '"', &mut word)?,
            Some('$') if chars.as_str().starts_with('\'') => {
                rest = quoted(&chars.as_str()[1..], '\'', &mut word)?;
            }
            Some('\\') => {
                word.push(chars.next().ok_or("nothing follows the last \\")?);
                rest = chars.as_str();
            }
            Some(c) if !c.is_whitespace() => {
                word.push(c);
                rest = chars.as_str();
            }
            _ => return Ok((word, rest)),
        }
    }
}

/// Up to the closing quote; what stands behind it is returned. `"` knows only the escapes of itself and `\`.
fn quoted<'a>(text: &'a str, quote: char, word: &mut String) -> Result<&'a str, &'static str> {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => return Ok(chars.as_str()),
            '\\' => match chars.next() {
                Some(c) if c == quote || c == '\\' => word.push(c),
                Some(c) if quote == '\'' => word.push(escaped(c, &mut chars)?),
                Some(c) => word.extend(['\\', c]),
                None => break,
            },
            c => word.push(c),
        }
    }
    Err(if quote == '"' {
        "a \" is not closed"
    } else {
        "a $' is not closed"
    })
}

fn escaped(c: char, rest: &mut std::str::Chars<'_>) -> Result<char, &'static str> {
    Ok(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'e' => '\u{1b}',
        'x' => {
            let digits: String = rest.by_ref().take(2).collect();
            let code = u8::from_str_radix(&digits, 16).ok().filter(u8::is_ascii);
            char::from(code.ok_or("\\x wants two hexadecimal digits, up to 7f")?)
        }
        _ => return Err("after \\ in $'…' stands one of n, t, r, e, xNN, ' and \\"),
    })
}

/// One line that [`split`] takes apart into these words.
pub fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(spelled).collect();
    words.join(" ")
}

fn spelled(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+~^*?[]{}#!|&;<>()`".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.contains(|c: char| c.is_control() || c == '\'') {
        return format!("'{word}'");
    }
    let mut spelled = String::from("$'");
    for c in word.chars() {
        match c {
            '\n' => spelled.push_str("\\n"),
            '\t' => spelled.push_str("\\t"),
            '\r' => spelled.push_str("\\r"),
            '\'' | '\\' => spelled.extend(['\\', c]),
            c if c.is_ascii_control() => spelled.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => spelled.push(c),
        }
    }
    spelled.push('\'');
    spelled
}

/// `A=1 B="two words"`, in its order.
///
/// # Errors
/// The first word that is no pair.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, Clean> {
    let words = split(text).map_err(Clean::from)?;
    let pair = |word: String| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(say(format_args!(
            "{} is no NAME=value",
            clean_str(word.split('=').next().unwrap_or_default())
        ))),
    };
    words.into_iter().map(pair).collect()
}
