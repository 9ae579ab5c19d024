//! JSON on several lines.

use crate::text::pretty;
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn what_is_no_object_and_no_array_stays_as_it_is() {
    for line in [
        "",
        "text",
        "7",
        "\"a\"",
        "{",
        "{\"a\":}",
        "[1,]",
        "{} more",
        "INFO {\"a\":1}",
    ] {
        assert_eq!(pretty(line), None, "{line}");
    }
    assert_eq!(pretty("{}"), Some(vec!["{}".to_owned()]));
    assert_eq!(pretty(" [ ] "), Some(vec!["[]".to_owned()]));
}

proptest! {
    /// Nothing but blanks is added, and every line but the outer ones is set in.
    #[test]
    fn the_value_stays_the_same(keys in prop::collection::vec(("[a-z:,{\\\\\"\\]é]{0,6}", 0..9_u8), 0..6)) {
        let mut value = Value::Null;
        for (text, kind) in keys {
            value = match kind {
                0..=2 => serde_json::json!({ &text: value, "b": text }),
                3..=5 => serde_json::json!([value, text, 1.5, {}]),
                _ => serde_json::json!({ &text: [], "value": value }),
            };
        }
        let json = value.to_string();
        if let Some(lines) = pretty(&json) {
            prop_assert_eq!(serde_json::from_str::<Value>(&lines.join("\n")).unwrap(), value);
            for line in &lines[1..lines.len().max(2) - 1] {
                prop_assert!(line.starts_with("  "), "{}", line);
            }
        }
    }
}
