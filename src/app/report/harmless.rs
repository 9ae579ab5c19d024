//! JSON that does nothing to a terminal.

/// The same JSON, with every character escaped that does something to a terminal: they stand in strings only.
pub fn harmless(json: &str) -> String {
    if json.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return json.to_owned();
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' => text.push(c),
            c if c.is_control() || is_direction(c) => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_says_the_same_and_does_nothing_to_a_terminal() {
        let facts = serde_json::json!({ "name": "a\u{9b}31m\u{7f}\u{202e}é\u{1b}]", "n": 1 });
        let json = harmless(&serde_json::to_string_pretty(&facts).unwrap());
        assert!(
            json.chars()
                .all(|c| c == '\n' || !c.is_control() && !is_direction(c)),
            "{json:?}"
        );
        assert!(json.contains('é'));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).unwrap(),
            facts
        );
    }
}
