//! Text whose characters the service cut in two: `"\ud83d"` at the end of one piece, `"\ude00"` at the start of
//! the next piece of the same stream.
//!
//! serde_json hands such halves out as three bytes, `ED A0..BF xx`, which occur in no valid UTF-8.

use crate::model::StreamName;
use serde::de::{Deserialize, Deserializer, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// More streams than this are not waited for: their halves are replaced at once.
const MOST_WAITING: usize = 16;

/// A JSON string as bytes, halves of surrogate pairs included.
pub(super) struct Loose(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Loose;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Loose, E> {
                Ok(Loose(bytes.to_vec()))
            }
        }
        from.deserialize_bytes(Text)
    }
}

/// The first halves that wait for their second, by stream.
#[derive(Default)]
pub(super) struct Halves(BTreeMap<StreamName, [u8; 3]>);

impl Halves {
    pub(super) fn waits(&self, stream: &StreamName) -> bool {
        self.0.contains_key(stream)
    }

    /// The piece as text, with what waited before it; a half at its end waits.
    pub(super) fn join(&mut self, stream: &StreamName, piece: &[u8]) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let mut bytes = Vec::with_capacity(piece.len() + 3);
        bytes.extend(self.0.remove(stream).into_iter().flatten());
        bytes.extend_from_slice(piece);
        if self.0.len() < MOST_WAITING
            && let Some((_, last)) = bytes.split_last_chunk::<3>()
            && is_high(last)
        {
            self.0.insert(stream.clone(), *last);
            bytes.truncate(bytes.len() - 3);
        }
        text(&bytes)
    }

    /// The streams whose second half never came.
    pub(super) fn left(&mut self) -> impl Iterator<Item = StreamName> + use<> {
        std::mem::take(&mut self.0).into_keys()
    }
}

/// Joins the pairs, replaces lone halves and what is no UTF-8.
pub(super) fn text(mut bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    while let Some(at) = bytes.windows(3).position(|w| is_high(w) || is_low(w)) {
        let (before, half) = bytes.split_at(at);
        out.push_str(&String::from_utf8_lossy(before));
        let pair = half.get(..6).filter(|p| is_high(p) && is_low(&p[3..]));
        let units = pair.map(|p| [unit(&p[..3]), unit(&p[3..])]);
        let whole = units.and_then(|units| char::decode_utf16(units).next()?.ok());
        out.push(whole.unwrap_or(char::REPLACEMENT_CHARACTER));
        bytes = &half[if whole.is_some() { 6 } else { 3 }..];
    }
    out.push_str(&String::from_utf8_lossy(bytes));
    out
}

fn is_high(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..=0xAF, 0x80..=0xBF, ..])
}

fn is_low(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..])
}

fn unit(half: &[u8]) -> u16 {
    0xD000 | (u16::from(half[1] & 0x3F) << 6) | u16::from(half[2] & 0x3F)
}
