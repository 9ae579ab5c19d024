//! What the dashboard makes of a job, by keys, beside what the official tools send for the same job.

use super::recorded::{Recorded, body_of, query, recorded};
use super::scene::{Scene, Service, options};
use super::server::{Reply, Server, answer};
use sandtop::api::{Client, Resume};
use sandtop::logic::Call;
use sandtop::model::Status;
use serde_json::json;

/// The keys, and what was recorded of that job; `box` runs one command, in `session`.
const JOBS: &[(&str, &str)] = &[
    ("x y", "sdk.stop"),
    ("delete b o x tab enter", "sdk.delete"),
    (
        "delete b o x tab tab enter shift-tab enter",
        "sdk.delete with orphan snapshots",
    ),
    ("e tab enter", "sdk.extendTimeout"),
    ("enter t tab enter", "sdk.command.kill"),
    ("enter t down tab enter", "sdk.command.kill SIGINT"),
    ("enter t u s r 1 tab enter", "sdk.command.kill 10"),
    (
        "! s l e e p space 1 tab tab tab tab tab 5 s ctrl-s",
        "sdk.runCommand detached",
    ),
];

fn service() -> Service {
    let mut service = Service::default();
    service.add("box", json!({"currentSessionId": "sbx_session"}));
    service.runs("session", "command", "npm run dev", None);
    service
}

/// The change that comes of it.
fn change(service: Service, keys: &str) -> Call {
    let mut scene = Scene::new(options(120, 40), service);
    keys.split(' ').for_each(|key| {
        scene.press(key).answer();
    });
    let changes = scene.changes();
    assert_eq!(changes.len(), 1, "{keys}\n{}", scene.screen());
    changes[0].clone()
}

/// As the program carries calls out. What is answered does not matter: the server knows nothing.
async fn send(client: &Client, call: &Call) {
    match call {
        Call::Stop(session) => drop(client.stop(session).await),
        Call::Extend(session, by) => drop(client.extend(session, *by).await),
        Call::Kill(key, signal) => {
            drop(client.kill(&key.session, &key.command, *signal).await);
        }
        Call::DeleteSandbox { name, orphans } => {
            drop(client.delete_sandbox(name, *orphans).await);
        }
        Call::Resume(name) => drop(client.get_sandbox(name, Resume::Yes).await),
        Call::RunCommand(session, wanted) => drop(client.run_command(session, wanted).await),
        Call::CreateSandbox(wanted) => drop(client.create_sandbox(wanted).await),
        other => panic!("{other:?}"),
    }
}

fn recorded_of(op: &str) -> Recorded {
    let mut all = recorded().into_iter();
    let found = all.find(|recorded| recorded.op == op && recorded.changes());
    found.unwrap_or_else(|| panic!("{op} was not recorded"))
}

#[tokio::test]
async fn a_job_by_keys_is_the_request_of_the_official_tools() {
    let mut stopped = service();
    stopped.get("box").status = Some(Status::Stopped);
    let none = Service::with(&["other"]);
    let more = [
        (change(stopped, "w y"), "sdk.get resume"),
        (change(none, "n b o x ctrl-s"), "cli.create"),
    ];
    let jobs = JOBS.iter().map(|(keys, op)| (change(service(), keys), *op));
    let server = Server::start(|_| Reply::Bytes(answer("404 Not Found", "", "{}"))).await;
    for (call, op) in jobs.chain(more) {
        let wanted = recorded_of(op);
        send(&server.client().with_scope(wanted.scope()), &call).await;
        let seen = server.seen();
        let seen = seen.last().unwrap();
        // The dashboard's sessions are told by the service, with this in front.
        let path = seen.path().replace("sbx_session", "session");
        assert_eq!(seen.method, wanted.method, "{op}");
        assert_eq!(path, format!("/some/api{}", wanted.path), "{op}");
        assert_eq!(query(seen), wanted.query, "{op}");
        assert_eq!(body_of(seen), wanted.body, "{op}");
    }
}
