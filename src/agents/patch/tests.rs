//! Diffs and patches, good and bad.

use super::*;

fn sides(hunks: &[Hunk]) -> Vec<(&str, &str)> {
    let sides = hunks.iter();
    sides
        .map(|hunk| (hunk.old.as_raw(), hunk.new.as_raw()))
        .collect()
}

#[test]
fn a_diff_has_two_sides_a_hunk() {
    let diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n\n@@ -9 +9 @@\n-nine\n\\ No newline\n+9";
    assert_eq!(
        sides(&hunks(diff)),
        [("one\ntwo\n\n", "one\n2\n\n"), ("nine\n", "9\n")]
    );
    assert_eq!(hunks("no diff"), []);
}

#[test]
fn a_patch_tells_what_happens_to_each_file() {
    let patch = "cd x && apply_patch <<EOF\n*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@ fn f\n-old\n+new\n@@\n-é\n+è\n*** Add File: c.rs\n+whole\n*** Delete File: d.rs\n*** End Patch\nEOF";
    let found = patched(patch);
    assert_eq!(line(&found), "update a.rs, add c.rs, delete d.rs");
    assert_eq!(sides(&found[0].hunks), [("old\n", "new\n"), ("é\n", "è\n")]);
    assert_eq!(sides(&found[1].hunks), [("", "whole\n")]);
    assert_eq!(patched("*** Update File: a.rs"), []);
}

#[test]
fn both_shapes_of_the_map_are_read() {
    let told = r#"{"changes": {
        "a": {"add": {"content": "new"}},
        "b": {"type": "update", "unified_diff": "@@\n-x\n+y", "move_path": null},
        "c": {"delete": {"content": "gone"}},
        "d": 4
    }}"#;
    let told: Object = serde_json::from_str(told).unwrap();
    let found = of_changes(&told);
    assert_eq!(line(&found), "add a, update b, delete c");
    assert_eq!(sides(&found[0].hunks), [("", "new")]);
    assert_eq!(sides(&found[1].hunks), [("x\n", "y\n")]);
    assert_eq!(sides(&found[2].hunks), []);
}
