//! JSON from outside: text that is not quite Unicode must not cost the whole answer.

use serde_json::Value;

/// Reads one JSON value. A half of a surrogate pair, or bytes that are no UTF-8, become U+FFFD.
pub(super) fn read(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| {
        let mended = mend(String::from_utf8_lossy(bytes).into_owned().into_bytes());
        serde_json::from_slice(&mended).map_err(|_| error)
    })
}

/// Writes `\ufffd` over every escaped half of a surrogate pair that lacks the other half.
fn mend(mut json: Vec<u8>) -> Vec<u8> {
    let mut at = 0;
    while at < json.len() {
        if json[at] != b'\\' {
            at += 1;
        } else if let Some(unit) = escaped(&json[at..]) {
            let low = |unit: u16| (0xDC00..0xE000).contains(&unit);
            let pair =
                (0xD800..0xDC00).contains(&unit) && escaped(&json[at + 6..]).is_some_and(low);
            if pair {
                at += 12;
            } else {
                if (0xD800..0xE000).contains(&unit) {
                    json[at + 2..at + 6].copy_from_slice(b"fffd");
                }
                at += 6;
            }
        } else {
            at += 2;
        }
    }
    json
}

/// The UTF-16 unit of a `\uXXXX` at the very start.
fn escaped(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
