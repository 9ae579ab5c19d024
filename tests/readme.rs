//! README tells the truth: its table of keys is the table of actions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use sandtop::logic::{ACTIONS, keys_of};

#[test]
fn the_table_of_keys_is_the_table_of_actions() {
    let readme = include_str!("../README.md");
    let (_, rest) = readme.split_once("<!-- keys -->\n").unwrap();
    let (table, _) = rest.split_once("<!-- /keys -->").unwrap();
    let mut wanted = String::from("| key | action | class | what it does |\n|---|---|---|---|\n");
    for row in ACTIONS {
        let keys: Vec<String> = keys_of(row.action)
            .map(|key| format!("`{}`", key.label()))
            .collect();
        let class = row.class.word();
        wanted += &format!(
            "| {} | {} | {class} | {} |\n",
            keys.join(" "),
            row.title,
            row.help
        );
    }
    assert!(
        table == wanted,
        "README's table of keys should read:\n{wanted}"
    );
}
