//! `sandtop serve` as a process of its own, and another program's requests to it.

use super::program::Program;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Generous: only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

pub const TOKEN: &str = "the-token-of-this-test";

pub struct Server {
    pub url: String,
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
    http: reqwest::Client,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    pub fn start(program: &Program) -> Self {
        Self::start_with(program, &[])
    }

    /// With more arguments.
    pub fn start_with(program: &Program, more: &[&str]) -> Self {
        let mut command: Command = program.command(&["serve", "--log-requests", "--token", TOKEN]);
        command.args(more);
        command.arg("--data-dir").arg(program.data_dir());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut announced = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = announced
            .next()
            .expect("it ended before it served")
            .unwrap();
        let url = first.strip_prefix("url ").unwrap().trim().to_owned();
        let log = Arc::<Mutex<Vec<String>>>::default();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let lines = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            // The rest of the announcement, so that the pipe stays open.
            let _announced = announced;
            for line in stderr.lines() {
                lines.lock().unwrap().push(line.unwrap());
            }
        });
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            url,
            child,
            log,
            reader: Some(reader),
            http,
            runtime,
        }
    }

    /// The arguments of a dashboard that looks at it.
    pub fn dashboard(&self, program: &Program) -> Command {
        program.command(&["--api-url", &self.url, "--token", TOKEN])
    }

    pub fn get(&self, path: &str) -> Value {
        self.ask(self.http.get(format!("{}{path}", self.url)))
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.ask(self.http.post(format!("{}{path}", self.url)).json(body))
    }

    fn ask(&self, request: reqwest::RequestBuilder) -> Value {
        self.runtime.block_on(async {
            let response = request.bearer_auth(TOKEN).send().await.unwrap();
            let status = response.status();
            let answer = response.json().await.unwrap();
            assert!(status.is_success(), "{status}: {answer}");
            answer
        })
    }

    /// A running sandbox; its session.
    pub fn create(&self, name: &str) -> String {
        let wanted = serde_json::json!({
            "name": name, "projectId": "elsewhere", "runtime": "node24", "timeout": 600_000,
        });
        let answer = self.post("/v2/sandboxes", &wanted);
        answer["session"]["id"].as_str().unwrap().to_owned()
    }

    /// Runs a line of shell in the background; the command's id.
    pub fn run(&self, session: &str, line: &str) -> String {
        let wanted = serde_json::json!({ "command": "sh", "args": ["-c", line] });
        let answer = self.post(&format!("/v2/sandboxes/sessions/{session}/cmd"), &wanted);
        answer["command"]["id"].as_str().unwrap().to_owned()
    }

    /// The log comes a little after the answers.
    pub fn wait_for_request(&self, what: &str, wanted: impl Fn(&String) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !self.requests().iter().any(&wanted) {
            assert!(Instant::now() < deadline, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// As when its machine loses power.
    pub fn kill(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }

    /// The requests so far: method, path with query, status.
    pub fn requests(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::TERM,
        );
        let _ = self.child.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}
