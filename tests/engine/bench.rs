//! An engine to test, and a plain HTTP client for it.

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use sandtop::engine::cell::Level;
use sandtop::engine::{Clock, ManualClock, Options, Plan, Running, serve};
use sandtop::model::{Span, Timestamp};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

pub const TOKEN: &str = "test-token";
/// Nothing here takes long; this only ends a test that hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const START: i64 = 1_790_000_000_000;
pub const DAY: i64 = 86_400_000;

/// An engine in this process. Its time stands still until it is moved.
pub struct Bench {
    pub dir: TempDir,
    pub clock: ManualClock,
    pub engine: Running,
    pub api: Api,
}

/// Speaks to an engine as a client would.
#[derive(Clone)]
pub struct Api {
    pub url: String,
    client: Client,
}

#[derive(Debug, PartialEq)]
pub struct Reply {
    pub status: StatusCode,
    pub body: Value,
}

pub fn options(data_dir: &Path) -> Options {
    Options {
        listen: "127.0.0.1:0".parse().unwrap(),
        token: Some(TOKEN.into()),
        data_dir: data_dir.to_owned(),
        agent: env!("CARGO_BIN_EXE_sandtop").into(),
        level: Some(Level::Plain),
        import: None,
        plan: Plan::default(),
        rate_limit: None,
        log_requests: false,
        faults: Vec::new(),
        fault_seed: 0,
    }
}

impl Bench {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// One with other options.
    pub async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = ManualClock::at(Timestamp(START));
        let mut options = options(dir.path());
        change(&mut options);
        let engine = serve(options, Clock::Manual(clock.clone())).await.unwrap();
        let api = Api::new(&engine.url);
        Self {
            dir,
            clock,
            engine,
            api,
        }
    }

    pub fn advance(&self, ms: i64) {
        self.clock.advance(Span(ms));
    }
}

impl Api {
    pub fn new(url: &str) -> Self {
        // Only the first test of the process installs it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            url: url.to_owned(),
            client: Client::builder().no_proxy().build().unwrap(),
        }
    }

    /// A request without a token. `path` is below `/v2/sandboxes`, or absolute with a leading `//`.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        let url = match path.strip_prefix("//") {
            Some(path) => format!("{}/{path}", self.url),
            None => format!("{}/v2/sandboxes{path}", self.url),
        };
        self.client.request(method, url)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(TOKEN)
    }

    pub async fn get(&self, path: &str) -> Reply {
        reply(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        reply(self.request(Method::POST, path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        reply(self.request(Method::PATCH, path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        reply(self.request(Method::DELETE, path)).await
    }

    /// Creates a sandbox and gives the whole answer.
    pub async fn create(&self, body: &Value) -> Value {
        self.post("//v3/sandboxes", body).await.ok()
    }

    /// Creates a sandbox of this name and gives its session's id.
    pub async fn boot(&self, name: &str) -> String {
        session_of(&self.create(&json!({"name": name})).await)
    }

    /// Runs a shell script to its end; its standard output.
    pub async fn sh(&self, session: &str, script: &str) -> String {
        let lines = lines(&self.stream(session, script).await);
        let stdout = lines.iter().filter(|line| line["stream"] == "stdout");
        let text: String = stdout.map(|line| line["data"].as_str().unwrap()).collect();
        assert_eq!(
            lines.last().unwrap()["command"]["exitCode"],
            0,
            "{script}: {lines:?}"
        );
        text
    }

    /// The body of a run that was waited for.
    pub async fn stream(&self, session: &str, script: &str) -> String {
        let body = json!({"command": "sh", "args": ["-c", script], "wait": true, "logs": true});
        let request = self.request(Method::POST, &format!("/sessions/{session}/cmd"));
        let answer = request.json(&body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        answer.text().await.unwrap()
    }

    /// Starts a shell script and gives its command's path.
    pub async fn start(&self, session: &str, script: &str) -> String {
        let body = json!({"command": "sh", "args": ["-c", script]});
        let path = format!("/sessions/{session}/cmd");
        let started = self.post(&path, &body).await.ok();
        format!("{path}/{}", started["command"]["id"].as_str().unwrap())
    }

    pub async fn logs(&self, command: &str) -> String {
        let request = self.request(Method::GET, &format!("{command}/logs"));
        request.send().await.unwrap().text().await.unwrap()
    }
}

impl Reply {
    /// The body of an answer that must be a success.
    pub fn ok(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        self.body
    }

    /// Status and code of an answer that must be an error in the service's form.
    pub fn error(&self) -> (u16, &str) {
        let error = &self.body["error"];
        assert_ne!(
            error["message"].as_str().unwrap_or_default(),
            "",
            "{self:?}"
        );
        (self.status.as_u16(), error["code"].as_str().unwrap())
    }
}

pub async fn reply(request: RequestBuilder) -> Reply {
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    Reply { status, body }
}

pub fn session_of(answer: &Value) -> String {
    answer["session"]["id"].as_str().unwrap().to_owned()
}

/// The objects of an NDJSON body.
pub fn lines(body: &str) -> Vec<Value> {
    let full = body.lines().filter(|line| !line.is_empty());
    full.map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// All text of one stream.
pub fn text(body: &str, stream: &str) -> String {
    let lines = lines(body);
    let of_stream = lines.iter().filter(|line| line["stream"] == stream);
    of_stream
        .map(|line| line["data"].as_str().unwrap())
        .collect()
}

/// Asks again until `found` is content.
pub async fn until<T>(
    what: &str,
    mut ask: impl AsyncFnMut() -> T,
    found: impl Fn(&T) -> bool,
) -> T {
    let asking = async {
        loop {
            let answer = ask().await;
            if found(&answer) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking)
        .await
        .unwrap_or_else(|_| panic!("never: {what}"))
}
