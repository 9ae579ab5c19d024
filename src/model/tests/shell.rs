//! Frames of shells, written and read.

use crate::model::shell::{CallerFrame, ServerFrame, StartFrame};

#[test]
fn the_start_frame_leaves_out_what_is_not_known() {
    let mut start = StartFrame {
        command: "sh".into(),
        args: vec!["-c".into()],
        env: vec!["A=1".into()],
        ..StartFrame::default()
    };
    let bare = r#"{"type":"start","command":"sh","args":["-c"],"env":["A=1"]}"#;
    assert_eq!(CallerFrame::Start(&start).text(), bare);
    (start.cwd, start.cols, start.rows) = (Some("/".into()), Some(80), Some(24));
    let full = r#"{"type":"start","command":"sh","args":["-c"],"env":["A=1"],"cwd":"/","cols":80,"rows":24}"#;
    assert_eq!(CallerFrame::Start(&start).text(), full);
    let resize = CallerFrame::Resize { cols: 9, rows: 3 };
    assert_eq!(resize.text(), r#"{"type":"resize","cols":9,"rows":3}"#);
}

#[test]
fn what_a_server_says_is_an_exit_or_output_or_nothing() {
    let exit = |code| Some(ServerFrame::Exit { code });
    for (text, read) in [
        (r#"{"type":"exit","code":7}"#, exit(Some(7))),
        (r#"{"type":"exit","code":"7"}"#, exit(None)),
        (r#"{"type":"exit","code":99999999999}"#, exit(None)),
        (r#"{"type":"exit"}"#, exit(None)),
        (r#"{"type":"news","code":1}"#, Some(ServerFrame::Other)),
        ("{}", Some(ServerFrame::Other)),
        ("[1]", Some(ServerFrame::Other)),
        ("words", None),
        ("", None),
    ] {
        assert_eq!(ServerFrame::read(text), read, "{text}");
    }
    let told = ServerFrame::Exit { code: Some(7) }.text();
    assert_eq!(told, r#"{"type":"exit","code":7}"#);
}
