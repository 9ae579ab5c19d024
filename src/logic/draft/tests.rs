//! What is typed becomes the request that the official tools send for the same job; what is wrong is told.

use super::{CreateDraft, CreateField, RUNTIMES, RunDraft, RunField, again};
use crate::logic::World;
use crate::logic::testing::{at, running};
use crate::model::Command;
use serde_json::{Value, json};

/// The recorded body of that operation of the official tools.
fn recorded(op: &str) -> Value {
    let lines = include_str!("../../../tests/data/recorded-requests.jsonl").lines();
    let mut requests = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let posted = |request: &Value| request["op"] == op && request["method"] == "POST";
    let mut body = requests.find(posted).unwrap()["body"].take();
    // The client adds its scope's project.
    body.as_object_mut().unwrap().remove("projectId");
    body
}

fn sent<T: serde::Serialize>(request: &T) -> Value {
    serde_json::to_value(request).unwrap()
}

fn run(line: &str) -> RunDraft {
    RunDraft {
        line: line.to_owned(),
        ..RunDraft::default()
    }
}

#[test]
fn a_command_is_sent_as_the_official_tools_send_it() {
    let detached = RunDraft {
        timeout: "5s".into(),
        ..run("sleep 1")
    };
    let request = detached.request().unwrap();
    assert_eq!(sent(&request), recorded("sdk.runCommand detached"));
    let all = RunDraft {
        cwd: "src".into(),
        env: "CI=1".into(),
        sudo: true,
        timeout: "30s".into(),
        ..run("make -j2")
    };
    // Detached: the only difference is that nobody waits.
    let mut expected = recorded("sdk.runCommand all options");
    for waiting in ["wait", "logs"] {
        expected.as_object_mut().unwrap().remove(waiting);
    }
    assert_eq!(sent(&all.request().unwrap()), expected);
}

#[test]
fn a_line_for_a_shell_is_one_argument() {
    let draft = RunDraft {
        shell: true,
        ..run("ls *.rs | wc -l")
    };
    let request = draft.request().unwrap();
    assert_eq!(request.command, "sh");
    assert_eq!(request.args, ["-c", "ls *.rs | wc -l"]);
}

#[test]
fn what_is_wrong_with_a_command_is_told_at_its_field() {
    let table = [
        (run(" "), RunField::Line),
        (run("echo 'a"), RunField::Line),
        (run("'' a"), RunField::Line),
        (
            RunDraft {
                env: "1A=b".into(),
                ..run("a")
            },
            RunField::Env,
        ),
        (
            RunDraft {
                env: "A".into(),
                ..run("a")
            },
            RunField::Env,
        ),
        (
            RunDraft {
                env: "A=1 A=2".into(),
                ..run("a")
            },
            RunField::Env,
        ),
        (
            RunDraft {
                timeout: "soon".into(),
                ..run("a")
            },
            RunField::Timeout,
        ),
        (
            RunDraft {
                timeout: "0s".into(),
                ..run("a")
            },
            RunField::Timeout,
        ),
        (
            RunDraft {
                timeout: "-5m".into(),
                ..run("a")
            },
            RunField::Timeout,
        ),
    ];
    for (draft, field) in table {
        let wrong = draft.request().unwrap_err();
        assert_eq!(wrong.len(), 1, "{field:?}");
        assert_eq!(wrong[0].0, field);
    }
}

fn command(fields: Value) -> Command {
    let mut command = json!({"id": "cmd_1", "exitCode": 0});
    let more = fields.as_object().unwrap().clone();
    command.as_object_mut().unwrap().extend(more);
    serde_json::from_value(command).unwrap()
}

#[test]
fn a_command_that_is_edited_and_not_changed_is_the_same_again() {
    let table = [
        json!({"name": "npm", "args": ["run", "a b", "it's", "", "back\\slash"], "cwd": "/srv"}),
        json!({"name": "sh", "args": ["-c", "make | tee 'a b'"]}),
        json!({"name": "sh", "args": ["-c", "line one\nline\ttwo \u{1b}[0m"]}),
        json!({"name": "é漢😀", "args": ["$HOME", "$'x'", "\"", "a;b"]}),
    ];
    for fields in table {
        let command = command(fields);
        let edited = RunDraft::of(&command).request().unwrap();
        assert_eq!(Some(edited), again(&command), "{command:?}");
    }
    assert_eq!(again(&command(json!({}))), None, "nobody told what it ran");
}

#[test]
fn a_sandbox_is_created_as_the_official_command_line_creates_it() {
    let world = World::default();
    let draft = CreateDraft {
        name: "box".into(),
        ..CreateDraft::default()
    };
    let request = draft.request(&world).unwrap();
    assert_eq!(sent(&request), recorded("cli.create"));
    let runtime = RUNTIMES.iter().position(|name| *name == "node24").unwrap();
    let legacy = CreateDraft {
        runtime,
        ..CreateDraft::default()
    };
    let request = legacy.request(&world).unwrap();
    assert_eq!(sent(&request), recorded("cli.create --runtime"));
}

#[test]
fn every_field_of_a_new_sandbox_is_sent() {
    let draft = CreateDraft {
        name: "box".into(),
        timeout: "10m".into(),
        vcpus: "4".into(),
        persistent: false,
        ports: "3000, 8080".into(),
        tags: "env=staging".into(),
        image: "vercel/sandbox/ubuntu".into(),
        runtime: 0,
        env: "A=1".into(),
    };
    let mut expected = recorded("cli.create all flags");
    let expected = expected.as_object_mut().unwrap();
    // These have no field yet.
    for absent in [
        "networkId",
        "snapshotExpiration",
        "keepLastSnapshots",
        "mounts",
        "region",
        "failoverRegions",
    ] {
        assert!(expected.remove(absent).is_some(), "{absent}");
    }
    expected["networkPolicy"] = json!({"mode": "allow-all"});
    let request = draft.request(&World::default()).unwrap();
    assert_eq!(sent(&request), Value::Object(expected.clone()));
}

/// Each text in that field: whether it is wrong, and wrong there.
fn judged(
    field: CreateField,
    of: fn(&mut CreateDraft) -> &mut String,
    bad: &[&str],
    good: &[&str],
) {
    let mut world = World::default();
    world.saw(running("taken", 0), at(0));
    let request = |text: &str| {
        let mut draft = CreateDraft::default();
        text.clone_into(of(&mut draft));
        draft.request(&world)
    };
    for text in good {
        assert!(request(text).is_ok(), "{field:?} {text:?}");
    }
    for text in bad {
        let wrong = request(text).unwrap_err();
        let fields: Vec<CreateField> = wrong.iter().map(|(field, _)| *field).collect();
        assert_eq!(fields, [field], "{text:?}");
    }
}

#[test]
fn what_is_wrong_with_a_sandbox_is_told_at_its_field() {
    use CreateField as F;
    let long = "a".repeat(129);
    let names = ["a b", "é", "a/b", &long, "taken", "a\u{1b}"];
    judged(
        F::Name,
        |draft| &mut draft.name,
        &names,
        &["", "A-b_9", "taken-2"],
    );
    judged(
        F::Timeout,
        |draft| &mut draft.timeout,
        &["5", "m", "0s", "é漢😀é"],
        &["", "90s", "2h"],
    );
    judged(
        F::Vcpus,
        |draft| &mut draft.vcpus,
        &["0", "3", "-2", "two"],
        &["", "1", "2", "8"],
    );
    let ports = ["80", "70000", "3000,3000", "http"];
    judged(
        F::Ports,
        |draft| &mut draft.ports,
        &ports,
        &["", "1024 65535", "3000,3001"],
    );
    let tags = ["a", "=b", "a=1 a=2", "a=1 b=1 c=1 d=1 e=1 f=1"];
    judged(
        F::Tags,
        |draft| &mut draft.tags,
        &tags,
        &["", "a=", "a='b c'"],
    );
    judged(
        F::Env,
        |draft| &mut draft.env,
        &["a-b=1", "A", "'"],
        &["", "A= B=2"],
    );
    let both = CreateDraft {
        image: "a:b".into(),
        runtime: 1,
        ..CreateDraft::default()
    };
    let wrong = both.request(&World::default()).unwrap_err();
    assert_eq!(wrong[0].0, F::Image);
}

#[test]
fn a_name_is_free_again_when_its_bearer_is_gone() {
    let mut world = World::default();
    let bearer = running("box", 0);
    world.saw(bearer.clone(), at(0));
    let draft = CreateDraft {
        name: "box".into(),
        ..CreateDraft::default()
    };
    assert!(draft.request(&world).is_err());
    world.lost(&bearer.key());
    assert!(draft.request(&world).is_ok());
}
