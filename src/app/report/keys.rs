//! The table of keys.

use crate::logic::{ACTIONS, Keymap};
use std::fmt::Write;

/// The table of keys, as Markdown: for README and for `sandtop keys`.
pub fn keys(keymap: &Keymap) -> String {
    let mut table = String::from("| key | action | class | what it does |\n|---|---|---|---|\n");
    for row in ACTIONS {
        let keys: Vec<String> = keymap
            .labels(row.action)
            .iter()
            .map(|keys| format!("`{}`", keys.replace('|', "\\|")))
            .collect();
        let (keys, class) = (keys.join(" "), row.class.word());
        let _ = writeln!(table, "| {keys} | {} | {class} | {} |", row.title, row.help);
    }
    table
}
