//! Open log streams: a task each, that reads as fast as the loop takes.

use super::connection::{Connection, Link};
use crate::api::LogStream;
use crate::logic::{Event, StreamId, StreamNews};
use crate::model::LogObject;
use std::collections::HashMap;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::SendError;
use tokio::task::AbortHandle;
use tokio::time::{Duration, Instant, timeout_at};

/// A piece of news holds about this much text at most: the loop looks at keys between two.
const BATCH: usize = 64 << 10;
/// Small pieces that follow each other this closely come together.
const GATHER: Duration = Duration::from_millis(10);

pub struct Streams {
    link: Link,
    news: mpsc::Sender<Event>,
    open: HashMap<StreamId, AbortHandle>,
}

impl Streams {
    pub fn new(link: Link, news: mpsc::Sender<Event>) -> Self {
        Self {
            link,
            news,
            open: HashMap::new(),
        }
    }

    pub fn open(&mut self, id: StreamId) {
        let task = open(self.link.clone(), id.clone(), self.news.clone());
        self.spawn(id, task);
    }

    /// Reads one on that is open already; `first` is what came of it.
    pub fn adopt(&mut self, id: StreamId, first: Vec<LogObject>, logs: LogStream) {
        let task = pass_on(first, logs, id.clone(), self.news.clone());
        self.spawn(id, task);
    }

    fn spawn(&mut self, id: StreamId, task: impl Future<Output = ()> + Send + 'static) {
        self.open.retain(|_, task| !task.is_finished());
        let task = tokio::spawn(task).abort_handle();
        if let Some(former) = self.open.insert(id, task) {
            former.abort();
        }
    }

    pub fn close(&mut self, id: &StreamId) {
        if let Some(task) = self.open.remove(id) {
            task.abort();
        }
    }
}

async fn open(mut link: Link, stream: StreamId, news: mpsc::Sender<Event>) {
    let key = &stream.command;
    let opened = match link.settled().await {
        Connection::Ready(client) => client.logs(&key.session, &key.command).await,
        Connection::Failed(failure) => Err(failure),
    };
    match opened {
        Ok(answered) => pass_on(Vec::new(), answered.value, stream, news).await,
        Err(failure) => {
            let _ = tell(&news, &stream, StreamNews::Failed(failure)).await;
        }
    }
}

async fn pass_on(
    first: Vec<LogObject>,
    mut logs: LogStream,
    stream: StreamId,
    news: mpsc::Sender<Event>,
) {
    if tell(&news, &stream, StreamNews::Opened).await.is_err() {
        return;
    }
    let (mut objects, mut end) = (first, None);
    loop {
        let objects_came = !objects.is_empty();
        if objects_came
            && tell(&news, &stream, StreamNews::Objects(objects))
                .await
                .is_err()
        {
            return;
        }
        if let Some(end) = end {
            let _ = tell(&news, &stream, end).await;
            return;
        }
        (objects, end) = gather(&mut logs).await;
    }
}

async fn tell(
    news: &mpsc::Sender<Event>,
    stream: &StreamId,
    told: StreamNews,
) -> Result<(), SendError<Event>> {
    let stream = stream.clone();
    news.send(Event::Stream { stream, news: told }).await
}

/// What arrives, up to a batch; and how the stream ended, if it did.
async fn gather(logs: &mut LogStream) -> (Vec<LogObject>, Option<StreamNews>) {
    let mut objects = Vec::new();
    let mut size = 0;
    let mut until = None;
    while size < BATCH {
        let next = match until {
            None => logs.next().await,
            Some(until) => match timeout_at(until, logs.next()).await {
                Ok(next) => next,
                Err(_) => break,
            },
        };
        match next {
            Ok(Some(more)) => {
                size += more.iter().map(weight).sum::<usize>();
                objects.extend(more);
                until.get_or_insert_with(|| Instant::now() + GATHER);
            }
            Ok(None) => return (objects, Some(StreamNews::Ended)),
            Err(failure) => return (objects, Some(StreamNews::Failed(failure))),
        }
    }
    (objects, None)
}

fn weight(object: &LogObject) -> usize {
    match object {
        LogObject::Piece { data, .. } => data.len(),
        _ => 64,
    }
}
