//! README tells the truth: its table of keys is the table of actions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use sandtop::app::report;
use sandtop::logic::Keymap;

#[test]
fn the_table_of_keys_is_the_table_of_actions() {
    let readme = include_str!("../README.md");
    let (_, rest) = readme.split_once("<!-- keys -->\n").unwrap();
    let (table, _) = rest.split_once("<!-- /keys -->").unwrap();
    let wanted = report::keys(&Keymap::default());
    assert!(
        table == wanted,
        "README's table of keys should read:\n{wanted}"
    );
}
