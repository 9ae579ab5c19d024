//! The documented examples go in and come out as they were.

use crate::model::request::{CreateSandbox, Env, RunCommand, Source, UpdateSandbox};
use crate::model::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const SANDBOX: &str = include_str!("data/sandbox.json");
const SESSION: &str = include_str!("data/session.json");
const COMMAND: &str = include_str!("data/command.json");
const TREE_NODE: &str = include_str!("data/snapshot_tree_node.json");
const DRIVE: &str = include_str!("data/drive_routes_pagination.json");
const POLICY: &str = include_str!("data/network_policy.json");

/// Reads, writes, and compares with what came.
fn round<T: DeserializeOwned + Serialize>(json: &Value) -> T {
    let read: T = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), *json);
    read
}

fn fixture(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_sandbox_comes_out_as_it_went_in() {
    let sandbox: Sandbox = round(&fixture(SANDBOX));
    assert_eq!(sandbox.status, Some(Status::Running));
    assert_eq!(sandbox.expires_at, Some(Timestamp(1_790_002_212_310)));
    assert_eq!(sandbox.memory, Some(Count(4096)));
    assert_eq!(sandbox.total_egress_bytes, Some(Bytes(1_294_336)));
    let mounts = sandbox.mounts.unwrap();
    assert_eq!(
        mounts[&Foreign::from("/cache")].mode,
        Some(MountMode::ReadWrite)
    );
}

#[test]
fn a_session_comes_out_as_it_went_in_and_knows_its_deadline() {
    let session: Session = round(&fixture(SESSION));
    assert_eq!(
        session.deadline(),
        Some(Timestamp(1_790_000_410_120 + 1_800_000))
    );
    assert_eq!(
        session.network_transfer.unwrap().egress,
        Some(Bytes(40_960))
    );
    let unstarted = Session {
        started_at: None,
        ..session
    };
    assert_eq!(
        unstarted.deadline(),
        Some(Timestamp(1_790_000_409_005 + 1_800_000))
    );
}

#[test]
fn a_command_always_tells_its_exit_code() {
    let command: Command = round(&fixture(COMMAND));
    assert_eq!(command.exit_code, Some(Count(0)));
    let running: Command = round(&json!({"id": "cmd_1", "args": [], "exitCode": null}));
    assert!(running.is_running());
}

#[test]
fn snapshots_drives_routes_and_policies_come_out_as_they_went_in() {
    let node: SnapshotTreeNode = round(&fixture(TREE_NODE));
    assert_eq!(
        node.snapshot.creation_method,
        Some(CreationMethod::Automatic)
    );
    let all = fixture(DRIVE);
    let drive: Drive = round(&all["drive"]);
    assert_eq!(drive.max_size_bytes, Some(Bytes(1_099_511_627_776)));
    let routes: Vec<Route> = round(&all["routes"]);
    assert_eq!(routes[1].system, Some(true));
    let pagination: Pagination = round(&all["pagination"]);
    assert_eq!(pagination.count, 20);
    let policy: NetworkPolicy = round(&fixture(POLICY)["response"]);
    assert_eq!(policy.mode, Some(PolicyMode::Custom));
    assert_eq!(
        policy.injection_rules.unwrap()[0].header_names,
        [Foreign::from("authorization")]
    );
}

#[test]
fn the_last_page_says_so_with_null() {
    let last = Pagination {
        count: 0,
        next: None,
    };
    assert_eq!(
        serde_json::to_value(last).unwrap(),
        json!({"count": 0, "next": null})
    );
    let page = Page::<Sandbox>::read(
        json!({"sandboxes": [], "pagination": {"count": 0, "next": null}}),
        "sandboxes",
    );
    assert_eq!(page.next, None);
    let page = Page::<Sandbox>::read(json!({}), "sandboxes");
    assert_eq!((page.entries.len(), page.next), (0, None));
    let page = Page::<Sandbox>::read(json!({"pagination": {"next": ""}}), "sandboxes");
    assert_eq!(
        page.next,
        Some(Foreign::from("")),
        "what to make of it is for the reader of the list"
    );
}

#[test]
fn a_run_leaves_out_what_the_official_client_leaves_out() {
    let run = RunCommand {
        command: "sleep".into(),
        args: vec!["1".into()],
        timeout: Some(5_000),
        ..Default::default()
    };
    let sent =
        json!({"command": "sleep", "args": ["1"], "env": {}, "sudo": false, "timeout": 5_000});
    assert_eq!(serde_json::to_value(&run).unwrap(), sent);
    assert_eq!(serde_json::from_value::<RunCommand>(sent).unwrap(), run);
}

#[test]
fn a_create_sends_ports_even_when_there_are_none() {
    let create = CreateSandbox {
        project_id: Some(ProjectId::new("prj")),
        ..Default::default()
    };
    assert_eq!(
        serde_json::to_value(&create).unwrap(),
        json!({"projectId": "prj", "ports": []})
    );
    for wrong in [
        json!({"timeout": "soon"}),
        json!({"ports": ["http"]}),
        json!({"ports": [70_000]}),
        json!("text"),
    ] {
        assert!(
            serde_json::from_value::<CreateSandbox>(wrong.clone()).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn an_update_tells_null_from_absent() {
    let update: UpdateSandbox = round(&json!({"keepLastSnapshots": null, "tags": {}}));
    assert!(update.0.contains_key("keepLastSnapshots") && !update.0.contains_key("networkId"));
}

#[test]
fn secrets_of_requests_are_not_printed() {
    let env = Env([("TOKEN".to_owned(), "s3cret".to_owned())].into());
    let url = "https://u:s3cret@host/r.git".to_owned();
    let git = Source::Git {
        url,
        depth: None,
        revision: None,
        username: None,
        password: Some("s3cret".into()),
    };
    let create = CreateSandbox {
        env: Some(env),
        source: Some(git),
        ..Default::default()
    };
    let printed = format!("{create:?}");
    assert!(
        printed.contains("TOKEN") && !printed.contains("s3cret"),
        "{printed}"
    );
}

#[test]
fn money_is_memory_by_time_with_a_minute_at_least() {
    let hour = memory_cost(Count(4096), Span::minutes(60));
    assert_eq!(hour, NanoDollars(84_800_000), "4 GB for an hour at $0.0212");
    assert_eq!(memory_cost_per_hour(Count(4096)), hour);
    assert_eq!(
        memory_cost(Count(4096), Span(5)),
        memory_cost(Count(4096), Span::minutes(1))
    );
    assert_eq!(memory_cost(Count(-1), Span(i64::MAX)), NanoDollars(0));
    let most = memory_cost(Count(i64::MAX), Span(i64::MAX));
    assert!(most > NanoDollars(0), "absurd, but no overflow: {most:?}");
}
