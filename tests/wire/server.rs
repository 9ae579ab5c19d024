//! A server of raw bytes on the loopback: it answers what the test says, down to the last missing one.

use sandtop::api::{Client, Options, Patience, Scope, TokenOrigin};
use sandtop::model::{ProjectId, TeamId};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A bound for what should come at once; nothing waits this long unless it is broken.
pub const SOON: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name)?;
        Some(&found.1)
    }

    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap()
    }
}

pub enum Reply {
    /// These bytes, then the end of the connection.
    Bytes(Vec<u8>),
    /// The same, one byte a write.
    Drip(Vec<u8>),
    /// These bytes, then silence for as long as the client holds on.
    Stall(Vec<u8>),
}

pub struct Server {
    pub base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub async fn start(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/some/api", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let reply = Arc::new(reply);
        let log = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (reply, log) = (reply.clone(), log.clone());
                tokio::spawn(async move { serve(stream, &*reply, &log).await });
            }
        });
        Self { base, seen }
    }

    pub async fn always(reply: Vec<u8>) -> Self {
        Self::start(move |_| Reply::Bytes(reply.clone())).await
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn client(&self) -> Client {
        Client::new(self.options()).unwrap()
    }

    pub fn options(&self) -> Options {
        Options {
            base: self.base.clone(),
            token: "tok_s3cret".into(),
            origin: TokenOrigin::Given,
            scope: Scope {
                team: Some(TeamId::new("team_recorded")),
                project: Some(ProjectId::new("prj_recorded")),
            },
            patience: Patience {
                connect: SOON,
                quick: SOON,
                slow: SOON,
            },
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    reply: &(dyn Fn(&Seen) -> Reply + Sync),
    log: &Mutex<Vec<Seen>>,
) {
    let Some(seen) = request(&mut stream).await else {
        return;
    };
    log.lock().unwrap().push(seen.clone());
    // A client that hangs up early is the client's own affair.
    let _ = match reply(&seen) {
        Reply::Bytes(bytes) => stream.write_all(&bytes).await,
        Reply::Drip(bytes) => drip(&mut stream, &bytes).await,
        Reply::Stall(bytes) => {
            let _ = stream.write_all(&bytes).await;
            stream.read(&mut [0]).await.map(drop)
        }
    };
    let _ = stream.shutdown().await;
}

async fn drip(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(bytes[..head].to_vec()).unwrap();
    let mut lines = text.lines();
    let mut first = lines.next()?.split(' ');
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.to_lowercase(), value.trim().to_owned()))
        .collect();
    let mut seen = Seen {
        method: first.next()?.to_owned(),
        target: first.next()?.to_owned(),
        headers,
        body: String::new(),
    };
    let length = seen
        .header("content-length")
        .map_or(0, |n| n.parse().unwrap());
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    seen.body = String::from_utf8(bytes[head + 4..].to_vec()).unwrap();
    Some(seen)
}

/// `200 OK` with a JSON body and any further header lines.
pub fn ok(body: &str) -> Vec<u8> {
    answer("200 OK", "content-type: application/json\r\n", body)
}

pub fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}
