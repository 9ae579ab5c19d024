//! What a caller says in words: what is to be started, and how large its window is (api.md §5).

use super::super::cell::Size;
use super::super::fields::Fields;
use super::super::refusal::Refusal;
use super::super::rules;
use serde_json::Value;

/// For a caller without a window.
const DEFAULT: Size = Size { cols: 80, rows: 24 };

/// The first frame.
#[derive(Debug, PartialEq)]
pub(super) struct Start {
    pub program: String,
    pub args: Vec<String>,
    /// In their order; the last of a name counts.
    pub env: Vec<(String, String)>,
    pub cwd: Option<String>,
    pub size: Size,
}

/// Any frame of words after the first.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Control {
    Resize(Size),
    Start,
    /// Of no meaning here, maybe of one to newer servers.
    Other,
}

impl Start {
    pub fn read(frame: &str) -> Result<Self, Refusal> {
        let fields = Fields::parse(frame.as_bytes())?;
        if fields.need("type", rules::text)? != "start" {
            return Err(Refusal::field(
                "type",
                "of the first frame must be \"start\"",
            ));
        }
        let side = |name, default| {
            let given = fields.get(name, side)?.filter(|side| *side > 0);
            Ok::<_, Refusal>(given.unwrap_or(default))
        };
        Ok(Self {
            program: fields.need("command", rules::short_text)?,
            args: fields.get("args", rules::texts)?.unwrap_or_default(),
            env: fields.get("env", assignments)?.unwrap_or_default(),
            cwd: fields
                .get("cwd", rules::text)?
                .filter(|cwd| !cwd.is_empty()),
            size: Size {
                cols: side("cols", DEFAULT.cols)?,
                rows: side("rows", DEFAULT.rows)?,
            },
        })
    }
}

impl Control {
    pub fn read(frame: &str) -> Self {
        let Ok(Value::Object(fields)) = serde_json::from_str(frame) else {
            return Self::Other;
        };
        let side = |name: &str| {
            let value = fields.get(name)?;
            side(name, value).ok().filter(|side| *side > 0)
        };
        match fields.get("type").and_then(Value::as_str) {
            Some("start") => Self::Start,
            Some("resize") => match (side("cols"), side("rows")) {
                (Some(cols), Some(rows)) => Self::Resize(Size { cols, rows }),
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

fn side(field: &str, value: &Value) -> Result<u16, Refusal> {
    let side = value.as_u64().and_then(|side| u16::try_from(side).ok());
    side.ok_or_else(|| Refusal::field(field, "must be a whole number from 0 to 65535"))
}

/// `NAME=VALUE`, as a list.
fn assignments(field: &str, value: &Value) -> Result<Vec<(String, String)>, Refusal> {
    let split = |entry: String| match entry.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Refusal::field(field, "must hold texts like NAME=VALUE")),
    };
    rules::texts(field, value)?.into_iter().map(split).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shell::{CallerFrame, StartFrame};
    use serde_json::json;

    #[test]
    fn what_is_left_out_has_a_default() {
        let start = Start::read(r#"{"type":"start","command":"bash"}"#).unwrap();
        let wanted = Start {
            program: "bash".to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            size: Size { cols: 80, rows: 24 },
        };
        assert_eq!(start, wanted);
        let zero = r#"{"type":"start","command":"bash","cwd":"","cols":0,"rows":0}"#;
        assert_eq!(Start::read(zero).unwrap(), wanted);
    }

    #[test]
    fn all_of_it_is_read() {
        let frame = json!({
            "type": "start", "command": "sudo", "args": ["sh", ""], "env": ["A=1", "PS1=\u{1}=\u{2}", "A=2"],
            "cwd": "/tmp", "cols": 101, "rows": 33, "new": true,
        });
        let start = Start::read(&frame.to_string()).unwrap();
        let env = [("A", "1"), ("PS1", "\u{1}=\u{2}"), ("A", "2")];
        assert_eq!(start.args, ["sh", ""]);
        assert_eq!(
            start.env,
            env.map(|(name, value)| (name.into(), value.into()))
        );
        assert_eq!(start.cwd.as_deref(), Some("/tmp"));
        let size = Size {
            cols: 101,
            rows: 33,
        };
        assert_eq!(start.size, size);
    }

    #[test]
    fn what_our_own_client_says_is_read() {
        let said = StartFrame {
            command: "sh".into(),
            args: vec!["-l".into()],
            env: vec!["A=b=c".into()],
            cwd: Some("/tmp".into()),
            cols: Some(9),
            rows: Some(3),
        };
        let start = Start::read(&CallerFrame::Start(&said).text()).unwrap();
        let wanted = Start {
            program: said.command.clone(),
            args: said.args.clone(),
            env: vec![("A".into(), "b=c".into())],
            cwd: said.cwd,
            size: Size { cols: 9, rows: 3 },
        };
        assert_eq!(start, wanted);
        let resize = CallerFrame::Resize { cols: 9, rows: 3 }.text();
        assert_eq!(Control::read(&resize), Control::Resize(wanted.size));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("", "type"),
            ("hello", "JSON"),
            ("[]", "object"),
            (r#"{"type":"resize","cols":1,"rows":1}"#, "type"),
            (r#"{"type":"start"}"#, "command"),
            (r#"{"type":"start","command":""}"#, "command"),
            (r#"{"type":"start","command":"sh","args":"-l"}"#, "args"),
            (r#"{"type":"start","command":"sh","env":{"A":"1"}}"#, "env"),
            (r#"{"type":"start","command":"sh","env":["A"]}"#, "env"),
            (r#"{"type":"start","command":"sh","env":["=1"]}"#, "env"),
            (r#"{"type":"start","command":"sh","cols":65536}"#, "cols"),
            (r#"{"type":"start","command":"sh","rows":"24"}"#, "rows"),
        ];
        for (frame, named) in cases {
            let message = Start::read(frame).unwrap_err().message;
            assert!(message.contains(named), "{frame}: {message}");
        }
    }

    #[test]
    fn control_frames_that_mean_nothing_are_passed_over() {
        let resize = Control::read(r#"{"type":"resize","cols":100,"rows":30}"#);
        let size = Size {
            cols: 100,
            rows: 30,
        };
        assert_eq!(resize, Control::Resize(size));
        assert_eq!(
            Control::read(r#"{"type":"start","command":"x"}"#),
            Control::Start
        );
        for frame in [
            "",
            "words",
            "[]",
            "{}",
            r#"{"type":"new"}"#,
            r#"{"type":"resize","cols":100}"#,
            r#"{"type":"resize","cols":0,"rows":30}"#,
            r#"{"type":"resize","cols":-1,"rows":30}"#,
        ] {
            assert_eq!(Control::read(frame), Control::Other, "{frame}");
        }
    }
}
