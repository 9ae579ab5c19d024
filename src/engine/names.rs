//! Names and ids that the engine gives.

use std::iter::repeat_with;

const ADJECTIVES: &[&str] = &[
    "amber", "brave", "brisk", "calm", "clear", "crisp", "eager", "early", "fleet", "fresh",
    "gentle", "grand", "green", "happy", "keen", "light", "lucky", "mellow", "neat", "noble",
    "plain", "proud", "quick", "quiet", "rapid", "ready", "sharp", "silver", "smart", "steady",
    "sunny", "swift", "tidy", "vivid", "warm", "wise",
];
const NOUNS: &[&str] = &[
    "anchor", "badger", "beacon", "birch", "brook", "canyon", "cedar", "comet", "coral", "crane",
    "dune", "falcon", "fern", "fjord", "forest", "garden", "harbor", "heron", "island", "lagoon",
    "maple", "meadow", "orchid", "otter", "pebble", "pine", "prairie", "raven", "reef", "river",
    "sparrow", "spruce", "summit", "tern", "valley", "willow",
];

/// A name for a sandbox that was given none, such as `calm-otter-k3x9`.
pub(super) fn sandbox() -> String {
    let [adjective, noun] = [ADJECTIVES, NOUNS].map(|words| words[fastrand::usize(..words.len())]);
    format!("{adjective}-{noun}-{}", letters(4).to_lowercase())
}

/// `prefix` and enough random letters and digits never to meet another.
pub(super) fn id(prefix: &str) -> String {
    format!("{prefix}_{}", letters(20))
}

/// The first label of a route's host name.
pub(super) fn subdomain() -> String {
    format!("sb-{}", letters(12).to_lowercase())
}

fn letters(count: usize) -> String {
    repeat_with(fastrand::alphanumeric).take(count).collect()
}
