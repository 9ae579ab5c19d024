//! A server that sandboxes get their first files from: a git repository, also behind a login, and archives.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::net::TcpListener;

pub const USER: &str = "octo-user";
pub const PASSWORD: &str = "pass-w0rd that nobody sees";

pub struct Origin {
    pub url: String,
    /// The repository's commits, oldest first.
    pub commits: Vec<String>,
    shared: Arc<Shared>,
}

struct Shared {
    dir: TempDir,
    archives: HashMap<&'static str, Vec<u8>>,
    /// Processes in whose arguments or environment the password was.
    leaks: Mutex<Vec<PathBuf>>,
}

impl Origin {
    pub async fn start(archives: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let commits = repository(dir.path());
        let shared = Arc::new(Shared {
            dir,
            archives: archives.into_iter().collect(),
            leaks: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&shared));
        tokio::spawn(axum::serve(listener, router).into_future());
        Self {
            url,
            commits,
            shared,
        }
    }

    pub fn leaks(&self) -> Vec<PathBuf> {
        self.shared.leaks.lock().unwrap().clone()
    }
}

/// Three commits: the second is tagged, the third is on a branch of its own.
fn repository(dir: &Path) -> Vec<String> {
    let work = dir.join("work");
    let repo = work.to_str().unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-C", repo, "-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    std::fs::create_dir(&work).unwrap();
    git(&["init", "-q", "-b", "main"]);
    let commit = |content: &str| {
        std::fs::write(work.join("file"), content).unwrap();
        git(&["add", "file"]);
        git(&["commit", "-q", "-m", content]);
        git(&["rev-parse", "HEAD"])
    };
    let mut commits = vec![commit("one"), commit("two")];
    git(&["tag", "v2"]);
    git(&["checkout", "-q", "-b", "dev"]);
    commits.push(commit("three"));
    git(&["checkout", "-q", "main"]);
    git(&["clone", "-q", "--bare", repo, "../repo.git"]);
    commits
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let moved = |to: &'static str| (StatusCode::FOUND, [(LOCATION, to)]).into_response();
    if let Some(archive) = shared.archives.get(path) {
        return archive.clone().into_response();
    }
    if path.starts_with("/repo.git/") {
        return git(
            &shared,
            path,
            &parts,
            to_bytes(body, usize::MAX).await.unwrap(),
        );
    }
    if let Some(rest) = path.strip_prefix("/private.git/") {
        shared.look_for_leaks();
        if !is_me(&parts.headers) {
            let ask = [(WWW_AUTHENTICATE, "Basic realm=\"private\"")];
            return (StatusCode::UNAUTHORIZED, ask).into_response();
        }
        let path = format!("/repo.git/{rest}");
        return git(
            &shared,
            &path,
            &parts,
            to_bytes(body, usize::MAX).await.unwrap(),
        );
    }
    match path {
        "/moved" => moved("/moved-again"),
        "/moved-again" => moved("/archive.tar.gz"),
        "/round" => moved("/round"),
        "/hangs" => std::future::pending().await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn is_me(headers: &HeaderMap) -> bool {
    let wanted = BASE64_STANDARD.encode(format!("{USER}:{PASSWORD}"));
    headers
        .get(AUTHORIZATION)
        .is_some_and(|value| value.as_bytes() == format!("Basic {wanted}").as_bytes())
}

impl Shared {
    fn look_for_leaks(&self) {
        let known = |path: &PathBuf| {
            let content = std::fs::read(path).unwrap_or_default();
            content
                .windows(PASSWORD.len())
                .any(|part| part == PASSWORD.as_bytes())
        };
        let processes = std::fs::read_dir("/proc").unwrap();
        let files = processes.flat_map(|entry| {
            let process = entry.unwrap().path();
            [process.join("cmdline"), process.join("environ")]
        });
        self.leaks.lock().unwrap().extend(files.filter(known));
    }
}

/// What git's own program for servers answers.
fn git(shared: &Shared, path: &str, parts: &axum::http::request::Parts, body: Bytes) -> Response {
    let header = |name: &str| {
        let value = parts.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap()).to_owned()
    };
    let mut server = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", shared.dir.path())
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("REQUEST_METHOD", parts.method.as_str())
        .env("QUERY_STRING", parts.uri.query().unwrap_or_default())
        .env("CONTENT_TYPE", header("content-type"))
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    server.stdin.take().unwrap().write_all(&body).unwrap();
    let said = server.wait_with_output().unwrap().stdout;
    let end = said
        .windows(4)
        .position(|part| part == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8_lossy(&said[..end]).into_owned();
    let of = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    let status = of("Status: ").map_or(200, |status| status[..3].parse().unwrap());
    let kind = of("Content-Type: ").unwrap_or("text/plain").to_owned();
    let status = StatusCode::from_u16(status).unwrap();
    let body = Body::from(said[end + 4..].to_vec());
    (status, [(CONTENT_TYPE, kind)], body).into_response()
}
