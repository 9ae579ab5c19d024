//! Our requests beside those of the official tools, as recorded from SDK 3.5.0 and CLI 4.5.0.

use crate::server::{Reply, Seen, Server, answer, ok};
use sandtop::api::{Client, Resume, Scope};
use sandtop::model::request::{
    CreateSandbox, ListOfSandbox, ListSandboxes, ListStatus, RunCommand, SortBy, UpdateSandbox,
};
use sandtop::model::{CommandId, ProjectId, SandboxName, SessionId, SnapshotId, Span, TeamId};
use serde_json::{Map, Value};

const RECORDED: &str = include_str!("../data/recorded-requests.jsonl");

/// Changes the request where it applies, and says whether it did.
type Change = fn(&mut Recorded) -> bool;

/// Where we send something else on purpose: why, and what that makes of the recorded request.
const DIFFERENT: &[(&str, Change)] = &[
    (
        "the CLI asks for the terminal's own route before it runs something; we show the user's routes only",
        |recorded| {
            let before = recorded.query.len();
            recorded
                .query
                .retain(|(key, _)| key != "__includeSystemRoutes");
            recorded.query.len() < before
        },
    ),
    (
        "the SDK leaves `resume` out; we always say `resume=false`, so that looking never boots anything",
        |recorded| {
            let get = recorded.method == "GET" && recorded.value("projectId").is_some();
            let silent = get && recorded.value("resume").is_none();
            if silent {
                recorded.query.push(("resume".into(), "false".into()));
            }
            silent
        },
    ),
];

/// Recorded calls that this client does not have (yet), by path or kind.
const ABSENT: &[(&str, &str)] = &[
    ("/fs/", "files come with their pane"),
    ("WEBSOCKET", "the socket of a shell; tested in shells.rs"),
    ("/health", "of a shell's server; tested in shells.rs"),
    ("/fork", "fork comes with its dialog"),
    ("/drives", "drives come with their pane"),
    ("/snapshots/tree", "the tree comes with the snapshots pane"),
    (
        "DELETE /v2/sandboxes/snapshots",
        "comes with the snapshots pane",
    ),
    ("/snapshot?", "comes with the snapshots pane"),
    ("/network-policy", "comes with the network pane"),
    (
        "POST /v11/projects",
        "a project is never created without asking",
    ),
    ("GET /v2/user", "scope inference; tested in scope.rs"),
    ("GET /v2/teams", "scope inference; tested in scope.rs"),
    ("GET /v2/projects", "scope inference; tested in scope.rs"),
];

/// One recorded request, its placeholders made ids that may stand in a path.
pub struct Recorded {
    pub op: String,
    pub method: String,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Value,
}

pub fn recorded() -> Vec<Recorded> {
    let read = |line: &str| {
        let line = line.replace(['<', '>'], "");
        let mut value: Map<String, Value> = serde_json::from_str(&line).unwrap();
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        // The order of the file is the order sent; the map has lost it.
        let at = line.find("\"query\":").unwrap();
        let place = |key: &str| line[at..].find(&format!("\"{key}\":"));
        let mut query: Vec<(String, String)> = value["query"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, value)| (key.clone(), word(value)))
            .collect();
        query.sort_by_key(|(key, _)| place(key));
        Recorded {
            op: word(&value["op"]),
            method: word(&value["method"]),
            path: word(&value["path"]),
            query,
            body: value.remove("body").unwrap_or(Value::Null),
        }
    };
    RECORDED.lines().map(read).collect()
}

impl Recorded {
    /// `GET /v2/sandboxes?teamId&project`: for the lists above.
    fn key(&self) -> String {
        let keys: Vec<&str> = self.query.iter().map(|(key, _)| key.as_str()).collect();
        format!("{} {}?{}", self.method, self.path, keys.join("&"))
    }

    /// The tools' own scope; the project may be one that they found out.
    pub fn scope(&self) -> Scope {
        let in_query = self.value("project").or_else(|| self.value("projectId"));
        let project = in_query.or_else(|| self.body["projectId"].as_str());
        Scope {
            team: self.value("teamId").map(TeamId::new),
            project: project.map(ProjectId::new),
        }
    }

    /// Whether it is more than a reading.
    pub fn changes(&self) -> bool {
        self.method != "GET" || self.value("resume") == Some("true")
    }

    fn value(&self, key: &str) -> Option<&str> {
        let found = self.query.iter().find(|(name, _)| name == key)?;
        Some(&found.1)
    }
}

fn list(recorded: &Recorded) -> ListSandboxes {
    ListSandboxes {
        limit: recorded.value("limit").map(|n| n.parse().unwrap()),
        sort_by: recorded.value("sortBy").map(|word| match word {
            "name" => SortBy::Name,
            "statusUpdatedAt" => SortBy::StatusUpdatedAt,
            other => panic!("{other}"),
        }),
        ascending: recorded.value("sortOrder").map(|word| word == "asc"),
        name_prefix: recorded.value("namePrefix").map(str::to_owned),
        status: None,
        tag: recorded.value("tags").map(|tag| {
            let (key, value) = tag.split_once(':').unwrap();
            (key.to_owned(), value.to_owned())
        }),
        cursor: recorded.value("cursor").map(Into::into),
    }
}

fn of_sandbox(recorded: &Recorded) -> ListOfSandbox {
    ListOfSandbox {
        name: recorded.value("name").map(SandboxName::new),
        limit: recorded.value("limit").map(|n| n.parse().unwrap()),
        ascending: recorded.value("sortOrder").map(|word| word == "asc"),
        cursor: recorded.value("cursor").map(Into::into),
    }
}

/// The call of ours that means the same. Its answer does not matter: the server knows nothing.
async fn repeat(client: &Client, recorded: &Recorded) {
    let body = || recorded.body.clone();
    let steps: Vec<&str> = recorded.path.split('/').skip(2).collect();
    match (recorded.method.as_str(), &steps[..]) {
        ("GET", ["sandboxes"]) => drop(client.list_sandboxes(&list(recorded)).await),
        ("GET", ["sandboxes", "sessions"]) => {
            drop(client.list_sessions(&of_sandbox(recorded)).await);
        }
        ("GET", ["sandboxes", "snapshots"]) => {
            drop(client.list_snapshots(&of_sandbox(recorded)).await);
        }
        ("GET", ["sandboxes", "snapshots", id]) => {
            drop(client.get_snapshot(&SnapshotId::new(*id)).await);
        }
        ("POST", ["sandboxes"]) => {
            let mut wanted: CreateSandbox = serde_json::from_value(body()).unwrap();
            wanted.project_id = None;
            drop(client.create_sandbox(&wanted).await);
        }
        ("GET", ["sandboxes", name]) => {
            let resume = match recorded.value("resume") {
                Some("true") => Resume::Yes,
                _ => Resume::No,
            };
            drop(client.get_sandbox(&decoded(name), resume).await);
        }
        ("PATCH", ["sandboxes", name]) => {
            let change: UpdateSandbox = serde_json::from_value(body()).unwrap();
            drop(client.update_sandbox(&decoded(name), &change).await);
        }
        ("DELETE", ["sandboxes", name]) => {
            let orphans = recorded.value("deleteOrphanSnapshots").is_some();
            drop(client.delete_sandbox(&decoded(name), orphans).await);
        }
        (_, ["sandboxes", "sessions", id, rest @ ..]) => {
            repeat_in_session(client, recorded, &SessionId::new(*id), rest).await;
        }
        other => panic!("neither repeated nor known as absent: {other:?}"),
    }
}

async fn repeat_in_session(
    client: &Client,
    recorded: &Recorded,
    session: &SessionId,
    steps: &[&str],
) {
    match (recorded.method.as_str(), steps) {
        ("POST", ["interactive"]) => drop(client.invite_to_shell(session).await),
        ("POST", ["stop"]) => drop(client.stop(session).await),
        ("POST", ["extend-timeout"]) => {
            let by = Span(recorded.body["duration"].as_i64().unwrap());
            drop(client.extend(session, by).await);
        }
        ("POST", ["cmd"]) => {
            let wanted: RunCommand = serde_json::from_value(recorded.body.clone()).unwrap();
            if wanted.wait {
                drop(client.run_command_waiting(session, &wanted).await);
            } else {
                drop(client.run_command(session, &wanted).await);
            }
        }
        ("GET", ["cmd", id]) => {
            let wait = recorded.value("wait").is_some();
            drop(
                client
                    .get_command(session, &CommandId::new(*id), wait)
                    .await,
            );
        }
        ("GET", ["cmd", id, "logs"]) => {
            drop(client.logs(session, &CommandId::new(*id)).await);
        }
        ("POST", ["cmd", id, "kill"]) => {
            let signal = recorded.body["signal"].as_i64().unwrap();
            drop(
                client
                    .kill(session, &CommandId::new(*id), signal.try_into().unwrap())
                    .await,
            );
        }
        other => panic!("neither repeated nor known as absent: {other:?}"),
    }
}

fn decoded(segment: &str) -> SandboxName {
    let mut bytes = Vec::new();
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    SandboxName::new(String::from_utf8(bytes).unwrap())
}

/// Query pairs in the order sent, decoded by an independent reader.
pub fn query(seen: &Seen) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://h{}", seen.target)).unwrap();
    url.query_pairs().into_owned().collect()
}

pub fn body_of(seen: &Seen) -> Value {
    match seen.body.as_str() {
        "" => Value::Null,
        body => serde_json::from_str(body).unwrap(),
    }
}

fn check_headers(seen: &Seen) {
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("authorization"), Some("Bearer tok_s3cret"));
    let agent = seen.header("user-agent").unwrap();
    assert!(agent.starts_with("sandtop/"), "{agent}");
}

#[tokio::test]
async fn our_requests_are_those_of_the_official_tools() {
    let server = Server::start(|_| Reply::Bytes(answer("404 Not Found", "", "{}"))).await;
    let client = server.client();
    let mut absent = vec![0; ABSENT.len()];
    let mut different = vec![0; DIFFERENT.len()];
    let mut sent = 0;
    for mut recorded in recorded() {
        let key = recorded.key();
        if let Some(known) = ABSENT.iter().position(|(part, _)| key.contains(part)) {
            absent[known] += 1;
            continue;
        }
        let client = client.with_scope(recorded.scope());
        repeat(&client, &recorded).await;
        for ((_, change), count) in DIFFERENT.iter().zip(&mut different) {
            *count += usize::from(change(&mut recorded));
        }
        let op = &recorded.op;
        let seen = server.seen();
        sent += 1;
        assert_eq!(seen.len(), sent, "{op}: one request a call");
        let seen = seen.last().unwrap();
        assert_eq!(seen.method, recorded.method, "{op}");
        assert_eq!(seen.path(), format!("/some/api{}", recorded.path), "{op}");
        assert_eq!(query(seen), recorded.query, "{op}");
        assert_eq!(body_of(seen), recorded.body, "{op}");
        check_headers(seen);
    }
    assert!(sent > 100, "{sent}");
    for ((part, _), count) in ABSENT.iter().zip(absent) {
        assert!(
            count > 0,
            "nothing recorded matches {part}: strike it from the list"
        );
    }
    for ((why, _), count) in DIFFERENT.iter().zip(different) {
        assert!(count > 0, "no difference any more: {why}");
    }
}

/// Calls the official tools never make (api.md §2.0), by the reference.
#[tokio::test]
async fn the_calls_nobody_recorded() {
    let server = Server::always(ok(r#"{"commands":[],"session":{"id":"s"},"sandboxes":[]}"#)).await;
    let client = server.client();
    let session = SessionId::new("sbx_1");
    client.list_commands(&session).await.unwrap();
    client.get_session(&session).await.unwrap();
    let running = ListSandboxes {
        status: Some(ListStatus::Running),
        sort_by: Some(SortBy::CreatedAt),
        ascending: Some(false),
        ..Default::default()
    };
    client.list_sandboxes(&running).await.unwrap();
    client
        .with_scope(Scope::default())
        .get_session(&session)
        .await
        .unwrap();
    let targets: Vec<String> = server.seen().into_iter().map(|seen| seen.target).collect();
    let expected = [
        "/some/api/v2/sandboxes/sessions/sbx_1/cmd?teamId=team_recorded",
        "/some/api/v2/sandboxes/sessions/sbx_1?teamId=team_recorded",
        "/some/api/v2/sandboxes?teamId=team_recorded&project=prj_recorded&sortBy=createdAt&sortOrder=desc&status=running",
        "/some/api/v2/sandboxes/sessions/sbx_1",
    ];
    assert_eq!(targets, expected);
}
