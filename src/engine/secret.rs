//! Words that nobody guesses.

use rustls::crypto::ring::default_provider;
use std::fmt::Write;

/// 128 random bits in hexadecimal digits; `None` when the system gives no random bytes.
pub(super) fn random() -> Option<String> {
    let mut bytes = [0_u8; 16];
    default_provider().secure_random.fill(&mut bytes).ok()?;
    let mut word = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(word, "{byte:02x}");
    }
    Some(word)
}
