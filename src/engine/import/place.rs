//! Records that were read find their place among each other and in the store.

use super::super::accounts::DEFAULT_PROJECT;
use super::super::refusal::Refusal;
use super::super::{facts, names, rules};
use super::complete::{Completing, stamp};
use super::ended;
use super::read::{Entry, Kind};
use super::shape::Fields;
use crate::model::{ProjectId, SandboxName, Session, Status, Timestamp};
use crate::store::{Kept, Records, SandboxRecord, SessionRecord, SnapshotRecord, StoreError};
use serde_json::Value;
use std::net::SocketAddr;

pub(super) struct Placing<'a> {
    records: &'a Records<'a>,
    completing: Completing,
    sandboxes: Vec<Draft>,
    later: Vec<Entry>,
}

/// A sandbox with its sessions, not stored yet.
struct Draft {
    line: usize,
    given: Fields,
    record: SandboxRecord,
    sessions: Vec<Session>,
}

/// Why a record has no place.
enum Trouble {
    Line(String),
    Store(StoreError),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Line(why)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

type Complaints = Vec<(usize, String)>;

/// A line that has trouble is complained of; the others go on.
fn go_on(
    line: usize,
    result: Result<(), Trouble>,
    complaints: &mut Complaints,
) -> Result<(), StoreError> {
    match result {
        Ok(()) => Ok(()),
        Err(Trouble::Line(why)) => {
            complaints.push((line, why));
            Ok(())
        }
        Err(Trouble::Store(error)) => Err(error),
    }
}

impl<'a> Placing<'a> {
    pub fn new(records: &'a Records<'a>, engine: SocketAddr, now: Timestamp) -> Self {
        Self {
            records,
            completing: Completing { engine, now },
            sandboxes: Vec::new(),
            later: Vec::new(),
        }
    }

    /// Sandboxes come first, whatever their line.
    pub fn add(&mut self, entry: Entry, complaints: &mut Complaints) -> Result<(), StoreError> {
        if entry.kind != Kind::Sandbox {
            self.later.push(entry);
            return Ok(());
        }
        let line = entry.line;
        let result = self.sandbox(entry);
        go_on(line, result, complaints)
    }

    /// Stores everything; the sessions that have not ended. Nothing is stored when there is something to complain of
    /// already: what follows from that would only be complained of again.
    pub fn finish(mut self, complaints: &mut Complaints) -> Result<Vec<Session>, StoreError> {
        if !complaints.is_empty() {
            return Ok(Vec::new());
        }
        let (sessions, snapshots): (Vec<_>, Vec<_>) = std::mem::take(&mut self.later)
            .into_iter()
            .partition(|entry| entry.kind == Kind::Session);
        for entry in sessions {
            let result = self.session(&entry.given);
            go_on(entry.line, result, complaints)?;
        }
        for index in 0..self.sandboxes.len() {
            let result = self.settle(index);
            go_on(self.sandboxes[index].line, result, complaints)?;
        }
        for entry in snapshots {
            let result = self.snapshot(&entry.given);
            go_on(entry.line, result, complaints)?;
        }
        let sessions = self.sandboxes.into_iter().flat_map(|draft| draft.sessions);
        Ok(sessions.filter(|session| !ended(session)).collect())
    }

    fn sandbox(&mut self, entry: Entry) -> Result<(), Trouble> {
        let given = entry.given;
        let said = |refusal: Refusal| refusal.message;
        let name = given.get("name").ok_or("`name` is missing".to_owned())?;
        let name = rules::sandbox_name("name", name).map_err(said)?;
        let project = self.named_project(&given)?;
        let project = project.unwrap_or_else(|| ProjectId::new(DEFAULT_PROJECT));
        let taken = self
            .records
            .sandboxes_named(Some(&project), name.as_raw())?;
        if !taken.is_empty() || self.find(name.as_raw(), Some(&project)).is_some() {
            let why = format!(
                "there is a sandbox {:?} in project {:?} already",
                name.as_raw(),
                project.as_raw()
            );
            return Err(why.into());
        }
        let fact = self.completing.sandbox(name, &given)?;
        if let Some(tags) = given.get("tags") {
            rules::tags("tags", tags).map_err(said)?;
        }
        let ports = given.get("ports").map(|ports| rules::ports("ports", ports));
        let ports = ports.transpose().map_err(said)?.unwrap_or_default();
        let kept = Kept {
            ports: ports
                .into_iter()
                .map(|port| (port, names::subdomain()))
                .collect(),
            ..Kept::default()
        };
        self.sandboxes.push(Draft {
            line: entry.line,
            given,
            record: SandboxRecord {
                project,
                fact,
                kept,
            },
            sessions: Vec::new(),
        });
        Ok(())
    }

    fn session(&mut self, given: &Fields) -> Result<(), Trouble> {
        let name = text(given, "sourceSandboxName");
        let name = name.ok_or("`sourceSandboxName` is missing".to_owned())?;
        let project = self.named_project(given)?;
        let Some(owner) = self.find(name, project.as_ref()) else {
            return Err(format!("there is no sandbox {name:?} in this file").into());
        };
        let record = &self.sandboxes[owner].record;
        let mut given = given.clone();
        given.remove("projectId");
        let created = record.fact.created_at.unwrap_or(self.completing.now);
        let session = self.completing.session(record, &given, created)?;
        let known = self.sandboxes.iter().flat_map(|draft| &draft.sessions);
        let known = known.map(|session| &session.id).any(|id| *id == session.id);
        if known || self.records.session(&session.id)?.is_some() {
            return Err(format!("there is a session {:?} already", session.id).into());
        }
        self.sandboxes[owner].sessions.push(session);
        Ok(())
    }

    /// Stores a sandbox and its sessions; one that has none gets the one that its own fields tell of.
    fn settle(&mut self, index: usize) -> Result<(), Trouble> {
        let draft = &self.sandboxes[index];
        let newest = draft
            .sessions
            .iter()
            .max_by_key(|session| session.created_at);
        let current = match &draft.record.fact.current_session_id {
            Some(id) => draft.sessions.iter().find(|session| session.id == *id),
            None => newest,
        };
        let current = match current {
            Some(current) => {
                let told = current.status.as_ref().map_or("", Status::word);
                if draft.given.contains_key("status") && current.status != draft.record.fact.status
                {
                    return Err(format!(
                        "`status` is that of the current session, which is {told}"
                    )
                    .into());
                }
                current.clone()
            }
            None => {
                let session = self.completing.told_by(&draft.record, &draft.given)?;
                self.sandboxes[index].sessions.push(session.clone());
                session
            }
        };
        let draft = &mut self.sandboxes[index];
        let fact = &mut draft.record.fact;
        let moment = current.updated_at.unwrap_or(self.completing.now);
        facts::reflect(fact, &current, moment);
        for (name, field) in [
            ("statusUpdatedAt", &mut fact.status_updated_at),
            ("updatedAt", &mut fact.updated_at),
        ] {
            *field = stamp(&draft.given, name).or(*field);
        }
        if !draft.given.keys().any(|name| name.starts_with("total")) {
            let over = |session: &&Session| session.status == Some(Status::Stopped);
            for session in draft.sessions.iter().filter(over) {
                facts::add_totals(fact, session);
            }
        }
        let row = self.records.add_sandbox(&draft.record)?;
        for session in &draft.sessions {
            self.records.add_session(&SessionRecord {
                sandbox: row,
                fact: session.clone(),
            })?;
        }
        Ok(())
    }

    fn snapshot(&mut self, given: &Fields) -> Result<(), Trouble> {
        let name = text(given, "sourceSandboxName");
        let project = self.named_project(given)?;
        let owner = match (name, text(given, "sourceSessionId")) {
            (Some(name), _) => self.find(name, project.as_ref()),
            (None, session) => self.sandboxes.iter().position(|draft| {
                let mut sessions = draft.sessions.iter();
                sessions.any(|known| Some(known.id.as_raw()) == session)
            }),
        };
        let owner = owner.map(|index| &self.sandboxes[index].record);
        let sandbox = match (name, owner) {
            (Some(name), _) => SandboxName::new(name),
            (None, Some(owner)) => owner.fact.name.clone(),
            (None, None) => {
                let why = "`sourceSandboxName` is missing, and `sourceSessionId` is no session of this file";
                return Err(why.to_owned().into());
            }
        };
        let project = match (project, owner) {
            (Some(project), _) => project,
            (None, Some(owner)) => owner.project.clone(),
            (None, None) => ProjectId::new(DEFAULT_PROJECT),
        };
        let fact = self.completing.snapshot(owner, given)?;
        if self.records.snapshot(&fact.id)?.is_some() {
            return Err(format!("there is a snapshot {:?} already", fact.id).into());
        }
        let used = fact.last_used_at.unwrap_or(self.completing.now);
        let record = SnapshotRecord {
            project,
            sandbox,
            expiration: fact.expires_at.map(|expiry| expiry.since(used)),
            base: None,
            fact,
        };
        self.records.add_snapshot(&record)?;
        // It has no files.
        self.records.forget_layer(&record.fact.id)?;
        Ok(())
    }

    /// The project that a record names.
    fn named_project(&self, given: &Fields) -> Result<Option<ProjectId>, Trouble> {
        let Some(value) = given.get("projectId") else {
            return Ok(None);
        };
        let called = rules::short_text("projectId", value).map_err(|refusal| refusal.message)?;
        Ok(Some(self.records.project_id(&ProjectId::new(called))?))
    }

    fn find(&self, name: &str, project: Option<&ProjectId>) -> Option<usize> {
        self.sandboxes.iter().position(|draft| {
            draft.record.fact.name.as_raw() == name
                && project.is_none_or(|project| draft.record.project == *project)
        })
    }
}

fn text<'a>(given: &'a Fields, name: &str) -> Option<&'a str> {
    given.get(name).and_then(Value::as_str)
}
