//! A service with one session, whose shell does what the test says, down to the socket.

use crate::api::{Client, Options, Patience, Scope, TokenOrigin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{WebSocketStream, accept_async};

pub type Socket = WebSocketStream<TcpStream>;

pub struct Fake {
    pub client: Client,
    /// First lines of requests, in their order.
    seen: Arc<Mutex<Vec<String>>>,
    /// Websockets that are open.
    pub sockets: Arc<AtomicUsize>,
}

/// What the two questions before the socket are answered with.
#[derive(Clone)]
pub struct Manners {
    pub invite: u16,
    /// So many looks find it not healthy.
    pub ill: usize,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            invite: 200,
            ill: 0,
        }
    }
}

impl Fake {
    pub async fn start<F: Future<Output = ()> + Send + 'static>(
        manners: Manners,
        shell: impl Fn(Socket) -> F + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let base = format!("http://{host}");
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let sockets = Arc::<AtomicUsize>::default();
        let (log, open, shell) = (Arc::clone(&seen), Arc::clone(&sockets), Arc::new(shell));
        let looks = Arc::<AtomicUsize>::default();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, open, shell) = (Arc::clone(&log), Arc::clone(&open), Arc::clone(&shell));
                let (manners, looks, host) = (manners.clone(), Arc::clone(&looks), host.clone());
                tokio::spawn(async move {
                    let first = first_line(&stream).await;
                    log.lock().unwrap().push(first.clone());
                    if first.is_empty() {
                        // It left without a word.
                    } else if first.contains("/ws?") {
                        open.fetch_add(1, Ordering::SeqCst);
                        shell(accept_async(stream).await.unwrap()).await;
                        open.fetch_sub(1, Ordering::SeqCst);
                    } else if first.contains("/health") {
                        let well = looks.fetch_add(1, Ordering::SeqCst) >= manners.ill;
                        answer(stream, if well { 200 } else { 503 }, "{}").await;
                    } else {
                        let body = format!(r#"{{"url":"ws://{host}/ws","token":"a b&c"}}"#);
                        answer(stream, manners.invite, &body).await;
                    }
                });
            }
        });
        let client = Client::new(Options {
            base,
            token: "tok_s3cret".into(),
            origin: TokenOrigin::Given,
            scope: Scope::default(),
            patience: Patience::default(),
        });
        Self {
            client: client.unwrap(),
            seen,
            sockets,
        }
    }

    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// Leaves all of it in the socket.
async fn first_line(stream: &TcpStream) -> String {
    let mut head = vec![0; 4096];
    loop {
        let count = stream.peek(&mut head).await.unwrap();
        let text = String::from_utf8_lossy(&head[..count]).into_owned();
        if count == 0 {
            return String::new();
        }
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            return head.lines().next().unwrap_or_default().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn answer(mut stream: TcpStream, status: u16, body: &str) {
    let mut request = vec![0; 4096];
    let _ = stream.read(&mut request).await;
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}
