//! A service of a few sandboxes, as values: it answers calls as the real one does.

use sandtop::logic::{Answer, Call, Now, Reply, Tag};
use sandtop::model::request::{ListStatus, RunCommand};
use sandtop::model::{
    Command, Failure, FailureKind, Foreign, NetworkFault, Page, RetryAfter, Sandbox, SandboxAnswer,
    SandboxName, Session, SessionId, Status, StopAnswer, Timestamp,
};
use serde_json::{Value, json};

pub const EPOCH: i64 = 1_790_000_000_000;
const PAGE: usize = 50;

#[derive(Clone, Default)]
pub struct Service {
    /// Newest first.
    pub sandboxes: Vec<Sandbox>,
    pub commands: Vec<(SessionId, Vec<Command>)>,
    /// Fails every call in this way.
    pub fault: Option<FailureKind>,
    /// Fails the calls that it speaks of.
    pub refuses: Option<fn(&Call) -> Option<FailureKind>>,
    /// Sessions end by themselves just before a stop arrives, which is answered with 410.
    pub stop_is_gone: bool,
    /// Sessions that resumes have booted.
    resumed: u64,
}

impl Service {
    /// Running sandboxes of these names, the first one the newest.
    pub fn with(names: &[&str]) -> Self {
        let mut service = Self::default();
        for name in names.iter().rev() {
            service.add(name, json!({}));
        }
        service
    }

    /// One more, the newest.
    pub fn add(&mut self, name: &str, more: Value) {
        let age = 60_000 * (40 - i64::try_from(self.sandboxes.len()).unwrap());
        let mut fields = json!({
            "name": name, "persistent": true, "status": "running", "region": "iad1", "runtime": "node22",
            "createdAt": EPOCH - age, "updatedAt": EPOCH - age, "statusUpdatedAt": EPOCH - age, "vcpus": 2,
            "memory": 4096, "timeout": 3_600_000, "expiresAt": EPOCH - age + 3_600_000,
            "currentSessionId": format!("sbx_{name}"),
        });
        for (field, value) in more.as_object().unwrap() {
            match value {
                Value::Null => fields.as_object_mut().unwrap().remove(field),
                _ => fields
                    .as_object_mut()
                    .unwrap()
                    .insert(field.clone(), value.clone()),
            };
        }
        self.sandboxes
            .insert(0, serde_json::from_value(fields).unwrap());
    }

    pub fn remove(&mut self, name: &str) {
        self.sandboxes
            .retain(|sandbox| sandbox.name.as_raw() != name);
    }

    pub fn get(&mut self, name: &str) -> &mut Sandbox {
        self.sandboxes
            .iter_mut()
            .find(|sandbox| sandbox.name.as_raw() == name)
            .unwrap()
    }

    pub fn set_status(&mut self, name: &str, status: Status, now: Now) {
        let sandbox = self.get(name);
        sandbox.status = Some(status);
        sandbox.status_updated_at = Some(now.wall);
        sandbox.updated_at = Some(now.wall);
    }

    /// A command of the sandbox's session; without an exit code it runs.
    pub fn runs(&mut self, name: &str, id: &str, line: &str, exit: Option<i64>) {
        let session = SessionId::new(format!("sbx_{name}"));
        let mut words = line.split(' ');
        let command = json!({
            "id": id, "name": words.next(), "args": words.collect::<Vec<_>>(), "exitCode": exit,
            "sessionId": format!("sbx_{name}"), "startedAt": EPOCH - 60_000, "durationMs": exit.map(|_| 8_300),
        });
        let command = serde_json::from_value(command).unwrap();
        match self.commands.iter_mut().find(|(of, _)| *of == session) {
            Some((_, commands)) => commands.insert(0, command),
            None => self.commands.push((session, vec![command])),
        }
    }

    /// A command that begins now.
    pub fn begins(&mut self, name: &str, id: &str, now: Now) {
        self.runs(name, id, "make all", None);
        let session = SessionId::new(format!("sbx_{name}"));
        let of = self.commands.iter_mut().find(|(of, _)| *of == session);
        if let Some(command) = of.and_then(|(_, commands)| commands.first_mut()) {
            command.started_at = Some(now.wall);
        }
    }

    pub fn throttled(wait: i64) -> FailureKind {
        FailureKind::Status {
            status: 429,
            code: Some("rate_limited".into()),
            message: Some("Too many requests.".into()),
            request_id: None,
            retry_after: Some(RetryAfter::Wait(wait)),
        }
    }

    pub fn unreachable() -> FailureKind {
        FailureKind::Network {
            fault: NetworkFault::Connect,
            sent: false,
        }
    }

    pub fn status(status: u16) -> FailureKind {
        FailureKind::Status {
            status,
            code: None,
            message: None,
            request_id: None,
            retry_after: None,
        }
    }

    pub fn answer(&mut self, tag: Tag, call: Call, now: Now) -> Answer {
        let result = match &self.fault {
            Some(kind) => Err(kind.clone()),
            None => match self.refuses.and_then(|refuses| refuses(&call)) {
                Some(kind) => Err(kind),
                None => self.reply(&call, now),
            },
        };
        let failed = |kind| Failure {
            call: call.title(),
            request: Foreign::from("GET /"),
            kind,
            causes: Vec::new(),
        };
        Answer {
            tag,
            date: Some(now.wall),
            request_id: None,
            result: result.map_err(failed),
            call,
        }
    }

    fn reply(&mut self, call: &Call, now: Now) -> Result<Reply, FailureKind> {
        match call {
            Call::ListSandboxes(query) => Ok(Reply::Sandboxes(self.page(query))),
            Call::GetSandbox(name) => self.read(name).map(Reply::Sandbox),
            Call::ListCommands(session) => {
                let known = self.commands.iter().find(|(of, _)| of == session);
                let entries = known
                    .map(|(_, commands)| commands.clone())
                    .unwrap_or_default();
                Ok(Reply::Commands(Page {
                    entries,
                    skipped: 0,
                    next: None,
                }))
            }
            Call::ListSessions(of) => {
                let name = of.name.as_ref().unwrap();
                let entries = self
                    .read(name)
                    .ok()
                    .and_then(|answer| answer.session)
                    .into_iter()
                    .collect();
                Ok(Reply::Sessions(Page {
                    entries,
                    skipped: 0,
                    next: None,
                }))
            }
            Call::Stop(session) => self.stop(session, now),
            Call::RunCommand(session, wanted) => self.run(session, wanted),
            Call::CreateSandbox(wanted) => {
                let name = wanted
                    .name
                    .as_ref()
                    .map_or("found-by-the-service", |name| name.as_raw());
                let name = name.to_owned();
                self.add(&name, json!({"createdAt": now.wall, "updatedAt": now.wall, "statusUpdatedAt": now.wall}));
                self.read(&SandboxName::new(name)).map(Reply::Sandbox)
            }
            call => self.operate(call, now),
        }
    }

    fn operate(&mut self, call: &Call, now: Now) -> Result<Reply, FailureKind> {
        match call {
            Call::DeleteSandbox { name, .. } => {
                let answer = self.read(name)?;
                self.remove(name.as_raw());
                Ok(Reply::Deleted(answer.sandbox))
            }
            Call::Extend(id, by) => {
                let sandbox = self.running(id)?;
                sandbox.expires_at = sandbox.expires_at.map(|at| at + *by);
                Ok(Reply::Session(session(sandbox, id)))
            }
            Call::Resume(name) => {
                self.resumed += 1;
                let id = SessionId::new(format!("sbx_resumed_{}", self.resumed));
                self.read(name)?;
                self.get(name.as_raw()).current_session_id = Some(id);
                self.set_status(name.as_raw(), Status::Running, now);
                self.read(name).map(Reply::Sandbox)
            }
            Call::GetCommand(key) | Call::Kill(key, _) => {
                let known = self.commands.iter().find(|(of, _)| *of == key.session);
                let mut commands = known.into_iter().flat_map(|(_, commands)| commands);
                let found = commands.find(|command| command.id == key.command);
                found.cloned().map(Reply::Command).ok_or(Self::status(404))
            }
            _ => Err(Self::status(501)),
        }
    }

    fn page(&self, query: &sandtop::model::request::ListSandboxes) -> Page<Sandbox> {
        let running = query.status == Some(ListStatus::Running);
        let mut found: Vec<&Sandbox> = self
            .sandboxes
            .iter()
            .filter(|s| !running || s.is_running())
            .collect();
        if query.sort_by == Some(sandtop::model::request::SortBy::StatusUpdatedAt) {
            found.sort_by_key(|sandbox| std::cmp::Reverse(sandbox.status_updated_at));
        }
        let from: usize = query
            .cursor
            .as_ref()
            .map_or(0, |cursor| cursor.as_raw().parse().unwrap());
        let next = (from + PAGE < found.len()).then(|| Foreign::from((from + PAGE).to_string()));
        let entries = found.into_iter().skip(from).take(PAGE).cloned().collect();
        Page {
            entries,
            skipped: 0,
            next,
        }
    }

    fn read(&self, name: &SandboxName) -> Result<SandboxAnswer, FailureKind> {
        let sandbox = self
            .sandboxes
            .iter()
            .find(|sandbox| sandbox.name == *name)
            .ok_or(Self::status(404))?;
        let session = sandbox
            .current_session_id
            .as_ref()
            .map(|id| session(sandbox, id));
        Ok(SandboxAnswer {
            sandbox: sandbox.clone(),
            session,
            routes: Vec::new(),
            resumed: None,
        })
    }

    fn run(&mut self, session: &SessionId, wanted: &RunCommand) -> Result<Reply, FailureKind> {
        let runs = |sandbox: &&Sandbox| {
            sandbox.is_running() && sandbox.current_session_id.as_ref() == Some(session)
        };
        let sandbox = self.sandboxes.iter().find(runs).ok_or(Self::status(410))?;
        let name = sandbox.name.as_raw().to_owned();
        let count: usize = self
            .commands
            .iter()
            .map(|(_, commands)| commands.len())
            .sum();
        let line = [vec![wanted.command.clone()], wanted.args.clone()]
            .concat()
            .join(" ");
        self.runs(&name, &format!("cmd_{}", count + 1), &line, None);
        let (_, commands) = self.commands.iter().find(|(of, _)| of == session).unwrap();
        Ok(Reply::Command(commands[0].clone()))
    }

    fn running(&mut self, id: &SessionId) -> Result<&mut Sandbox, FailureKind> {
        let mut sandboxes = self.sandboxes.iter_mut();
        let found = sandboxes.find(|s| s.current_session_id.as_ref() == Some(id) && s.is_running());
        found.ok_or(Self::status(410))
    }

    fn stop(&mut self, id: &SessionId, now: Now) -> Result<Reply, FailureKind> {
        let gone = self.stop_is_gone;
        let sandbox = self.running(id)?;
        sandbox.status = Some(Status::Stopped);
        sandbox.status_updated_at = Some(now.wall);
        sandbox.updated_at = Some(now.wall);
        sandbox.expires_at = None;
        if gone {
            return Err(Self::status(410));
        }
        let session = session(sandbox, id);
        Ok(Reply::Stopped(StopAnswer {
            session,
            sandbox: Some(sandbox.clone()),
            snapshot: None,
        }))
    }
}

fn session(sandbox: &Sandbox, id: &SessionId) -> Session {
    let started = sandbox.created_at.unwrap_or(Timestamp(EPOCH));
    let fields = json!({
        "id": id, "status": sandbox.status, "createdAt": started, "startedAt": started, "timeout": sandbox.timeout,
        "memory": sandbox.memory, "vcpus": sandbox.vcpus, "sourceSandboxName": sandbox.name, "cwd": "/vercel/sandbox",
    });
    serde_json::from_value(fields).unwrap()
}
