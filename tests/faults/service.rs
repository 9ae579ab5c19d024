//! A service on the loopback that says what the test wants, down to the bytes, and counts what it is asked.

use crate::program::Program;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, LazyLock, Mutex};

static STARTED: LazyLock<i64> = LazyLock::new(now);

pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_millis().try_into().unwrap()
}

/// The same one whenever it is asked for.
pub fn running(name: &str) -> Value {
    let made = *STARTED - 60_000;
    json!({
        "name": name, "status": "running", "createdAt": made, "updatedAt": made,
        "statusUpdatedAt": made, "expiresAt": made + 1_860_000, "timeout": 1_860_000, "memory": 2048,
        "vcpus": 1, "region": "iad1", "persistent": true, "currentSessionId": format!("sbx_{name}"),
    })
}

pub enum Reply {
    /// Status and JSON.
    Json(u16, Value),
    /// Status, further header lines, JSON.
    With(u16, String, Value),
    /// These bytes, then the end of the connection.
    Raw(Vec<u8>),
    /// These bytes, and the rest when [`Service::release`] was called.
    Held(Vec<u8>, Vec<u8>),
}

type Script = Box<dyn FnMut(&str) -> Option<Reply> + Send>;

struct Inner {
    rows: Mutex<Vec<Value>>,
    commands: Mutex<Vec<Value>>,
    script: Mutex<Script>,
    seen: Mutex<Vec<String>>,
    released: (Mutex<bool>, Condvar),
}

/// Answers as the service would, unless the script has an answer of its own.
#[derive(Clone)]
pub struct Service {
    address: SocketAddr,
    inner: Arc<Inner>,
}

impl Service {
    pub fn start(rows: Vec<Value>) -> Self {
        Self::listen(TcpListener::bind("127.0.0.1:0").unwrap(), rows)
    }

    pub fn listen(listener: TcpListener, rows: Vec<Value>) -> Self {
        let service = Self {
            address: listener.local_addr().unwrap(),
            inner: Arc::new(Inner {
                rows: Mutex::new(rows),
                commands: Mutex::default(),
                script: Mutex::new(Box::new(|_| None)),
                seen: Mutex::default(),
                released: (Mutex::new(false), Condvar::new()),
            }),
        };
        let serving = service.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                std::thread::spawn(move || serving.serve(stream));
            }
        });
        service
    }

    /// From now on: given method and path with query, another answer than usual.
    pub fn script(&self, script: impl FnMut(&str) -> Option<Reply> + Send + 'static) {
        *self.inner.script.lock().unwrap() = Box::new(script);
    }

    /// Every request gets this answer.
    pub fn always(&self, reply: impl Fn() -> Reply + Send + 'static) {
        self.script(move |_| Some(reply()));
    }

    pub fn behave(&self) {
        self.script(|_| None);
    }

    pub fn set_rows(&self, rows: Vec<Value>) {
        *self.inner.rows.lock().unwrap() = rows;
    }

    pub fn set_commands(&self, commands: Vec<Value>) {
        *self.inner.commands.lock().unwrap() = commands;
    }

    pub fn release(&self) {
        *self.inner.released.0.lock().unwrap() = true;
        self.inner.released.1.notify_all();
    }

    /// The requests so far whose line holds that.
    pub fn asked(&self, part: &str) -> usize {
        let seen = self.inner.seen.lock().unwrap();
        seen.iter().filter(|line| line.contains(part)).count()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn open(&self, program: &Program, columns: u16, rows: u16) -> Terminal {
        open(program, self.address, columns, rows)
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some(line) = request(&stream) else { return };
        self.inner.seen.lock().unwrap().push(line.clone());
        let scripted = (self.inner.script.lock().unwrap())(&line);
        let reply = scripted.unwrap_or_else(|| self.usual(&line));
        // A client that hangs up early is the client's own affair.
        let _ = match reply {
            Reply::Json(status, body) => stream.write_all(&answer(status, "", &body)),
            Reply::With(status, headers, body) => {
                stream.write_all(&answer(status, &headers, &body))
            }
            Reply::Raw(bytes) => stream.write_all(&bytes),
            Reply::Held(now, later) => {
                let _ = stream.write_all(&now);
                let released = self.inner.released.0.lock().unwrap();
                drop(self.inner.released.1.wait_while(released, |done| !*done));
                stream.write_all(&later)
            }
        };
    }

    fn usual(&self, line: &str) -> Reply {
        let path = line.split_once(' ').unwrap().1;
        let path = path.split('?').next().unwrap();
        let parts: Vec<&str> = path.split('/').skip(3).collect();
        let rows = self.inner.rows.lock().unwrap();
        let commands = self.inner.commands.lock().unwrap();
        let of_id = |id: &str| commands.iter().find(|command| command["id"] == id);
        let page = json!({"count": rows.len(), "next": null});
        match parts[..] {
            [] => Reply::Json(200, json!({"sandboxes": *rows, "pagination": page})),
            ["sessions"] => Reply::Json(200, json!({"sessions": []})),
            ["sessions", _, "cmd"] => Reply::Json(200, json!({"commands": *commands})),
            ["sessions", _, "cmd", id] => match of_id(id) {
                Some(command) => Reply::Json(200, json!({"command": command})),
                None => gone(404),
            },
            [name] => match rows.iter().find(|row| row["name"] == name) {
                Some(row) => Reply::Json(200, json!({"sandbox": row, "routes": []})),
                None => gone(404),
            },
            _ => gone(404),
        }
    }
}

pub fn open(program: &Program, address: SocketAddr, columns: u16, rows: u16) -> Terminal {
    let url = format!("http://{address}");
    Terminal::start(
        &program.command(&["--api-url", &url, "--token", "t"]),
        columns,
        rows,
    )
}

pub fn gone(status: u16) -> Reply {
    Reply::Json(
        status,
        json!({"error": {"code": "gone", "message": "no longer here"}}),
    )
}

fn answer(status: u16, headers: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}

/// Method and path with query; the body is read and dropped.
fn request(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()?;
    Some(first.rsplit_once(' ')?.0.to_owned())
}
