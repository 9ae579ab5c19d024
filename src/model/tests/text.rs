//! Text from outside keeps its bytes and has no way to be drawn by accident.

use crate::model::*;
use std::collections::BTreeMap;

#[test]
fn foreign_text_keeps_its_bytes_and_prints_only_escaped() {
    let hostile = "a\u{1b}[2Jb\u{202e}c\0";
    let foreign = Foreign::from(hostile);
    assert_eq!(foreign.as_raw(), hostile);
    let json = serde_json::to_string(&foreign).unwrap();
    assert_eq!(serde_json::from_str::<Foreign>(&json).unwrap(), foreign);
    let debug = format!("{foreign:?}");
    assert!(
        !debug.contains('\u{1b}') && !debug.contains('\0'),
        "{debug:?}"
    );
}

#[test]
fn a_name_made_again_is_another_identity() {
    let key = |created| SandboxKey {
        name: SandboxName::new("box"),
        created_at: Some(Timestamp(created)),
    };
    assert_ne!(key(1), key(2));
    let rows = BTreeMap::from([(key(2), "new"), (key(1), "old")]);
    assert_eq!(rows.values().copied().collect::<Vec<_>>(), ["old", "new"]);
}

#[test]
fn a_command_without_a_session_belongs_to_the_one_asked_about() {
    let command: Command = serde_json::from_str(r#"{"id": "cmd_1"}"#).unwrap();
    let asked = SessionId::new("sbx_1");
    assert_eq!(
        command.key(&asked),
        CommandKey {
            session: asked.clone(),
            command: CommandId::new("cmd_1")
        }
    );
    let told: Command = serde_json::from_str(r#"{"id": "cmd_1", "sessionId": "sbx_2"}"#).unwrap();
    assert_eq!(told.key(&asked).session, SessionId::new("sbx_2"));
}

#[test]
fn stream_words_are_kept() {
    assert_eq!(StreamName::from_word("stderr"), StreamName::Stderr);
    assert_eq!(StreamName::from_word("system").word(), "system");
}
