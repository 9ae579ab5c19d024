//! Logs read to their ends: the dashboard's own state machine, with nothing around it.

use super::super::clock::Clock;
use super::super::connection::Link;
use super::super::streams::Streams;
use super::read;
use crate::api::{Client, LogStream};
use crate::logic::{
    Call, Effect, Event, Follow, Heard, Jumps, Mono, Outlook, Reply, StreamId, StreamNews, World,
    tail,
};
use crate::model::{CommandKey, Failure, LogObject};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Pieces of news that wait to be taken.
const WAITING: usize = 4;

pub struct Readings {
    client: Client,
    clock: Clock,
    streams: Streams,
    inbox: mpsc::Receiver<Event>,
    /// How commands stand whose streams ended.
    questions: JoinSet<(StreamId, Result<Reply, Failure>)>,
    logs: Vec<Follow>,
    due: Option<Mono>,
    clock_jumps: Jumps,
    /// So often the clock jumped: connections older than that may be dead.
    jumps: u64,
}

/// What [`Readings::wait`] waits for.
pub enum Happened {
    News(StreamId, StreamNews),
    Told(StreamId, Box<Result<Reply, Failure>>),
    Due,
}

impl Readings {
    pub fn new(client: &Client, clock: Clock) -> Self {
        let (news, inbox) = mpsc::channel(WAITING);
        Self {
            client: client.clone(),
            clock,
            streams: Streams::new(Link::to(client.clone()), news),
            inbox,
            questions: JoinSet::new(),
            logs: Vec::new(),
            due: None,
            clock_jumps: Jumps::default(),
            jumps: 0,
        }
    }

    /// In the order in which they were added.
    pub fn logs(&self) -> &[Follow] {
        &self.logs
    }

    pub fn add(&mut self, command: CommandKey) {
        self.logs.push(Follow::new(command));
    }

    /// One whose first stream is open already; `first` is what came of it.
    pub fn adopt(&mut self, command: CommandKey, first: Vec<LogObject>, stream: LogStream) {
        let mut log = Follow::new(command);
        let id = log.opening(self.clock.now());
        self.streams.adopt(id, first, stream);
        self.logs.push(log);
    }

    /// Opens what is to be opened, `most` at once. How many wait for another's end.
    pub fn settle(&mut self, world: &World, most: usize) -> usize {
        let now = self.clock.now();
        self.jumps += u64::from(self.clock_jumps.jumped(now));
        self.due = None;
        let going = self.logs.iter_mut().filter(|log| !log.is_over());
        let mut places = most;
        let mut waiting = 0;
        for log in going {
            if places == 0 {
                waiting += 1;
                continue;
            }
            places -= 1;
            let outlook = Outlook {
                jumps: self.jumps,
                ..tail::outlook(world, &log.stream.command, log.is_silent(now))
            };
            for effect in log.settle(&outlook, now) {
                match effect {
                    Effect::OpenStream(id) => self.streams.open(id),
                    Effect::CloseStream(id) => self.streams.close(&id),
                    _ => {}
                }
            }
            self.due = self.due.into_iter().chain(log.next_due(&outlook)).min();
        }
        waiting
    }

    /// Safe to drop while it waits.
    pub async fn wait(&mut self) -> Happened {
        let due = self.due.map(|at| self.clock.instant(at));
        let due = async {
            match due {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some(Event::Stream { stream, news }) = self.inbox.recv() => Happened::News(stream, news),
            Some(Ok((stream, told))) = self.questions.join_next() => {
                Happened::Told(stream, Box::new(told))
            }
            () = due => Happened::Due,
        }
    }

    /// `hear`: what is new, with the number of its log.
    pub fn take(&mut self, happened: Happened, mut hear: impl FnMut(usize, Heard<'_>)) {
        let now = self.clock.now();
        let (Happened::News(stream, _) | Happened::Told(stream, _)) = &happened else {
            return;
        };
        let mut logs = self.logs.iter_mut().enumerate();
        let Some((number, log)) = logs.find(|(_, log)| log.stream == *stream) else {
            return;
        };
        let mut hear = |heard: Heard<'_>| hear(number, heard);
        match happened {
            Happened::News(stream, news) if log.is_open() => {
                if let Some(call) = log.take(news, now, &mut hear) {
                    self.ask(stream, call);
                }
            }
            Happened::Told(_, told) => match &*told {
                Ok(Reply::Command(command)) => log.told(Ok(command), now, &mut hear),
                Ok(_) => {}
                Err(failure) => log.told(Err(failure), now, &mut hear),
            },
            _ => {}
        }
    }

    fn ask(&mut self, stream: StreamId, call: Call) {
        let (client, clock) = (self.client.clone(), self.clock);
        self.questions.spawn(async move {
            let told = read(&client, call, clock).await;
            (stream, told.map(|(reply, _)| reply))
        });
    }
}
