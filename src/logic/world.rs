//! Everything known about the service, with the age of each fact. Panes read it; only answers change it.

use super::tail::Keeping;
use super::{Activity, Aged, AgentRuns, Link, Merged, Mono, Now, Shells, Tail};
use crate::model::{
    Clean, Command, CommandId, CommandKey, Count, NanoDollars, Page, Route, Sandbox, SandboxAnswer,
    SandboxKey, SandboxName, Session, SessionId, Span, Timestamp, memory_cost,
};
use std::collections::{BTreeMap, HashMap};

#[derive(Debug, Default)]
pub struct World {
    pub backend: Backend,
    pub sandboxes: BTreeMap<SandboxKey, SandboxFact>,
    /// Newest first.
    pub sessions: HashMap<SandboxKey, Aged<Listing<Session>>>,
    /// Newest first.
    pub commands: HashMap<SessionId, Aged<Listing<Command>>>,
    /// Commands that no list of commands was asked for since they began.
    pub just_began: Vec<CommandId>,
    pub tails: HashMap<CommandKey, Tail>,
    pub agent_runs: AgentRuns,
    /// Those of several commands as one.
    pub merged: Option<Merged>,
    pub keeping: Keeping,
    pub shells: Shells,
    pub link: Link,
    pub activity: Activity,
    /// How often the clock jumped: connections older than that may be dead.
    pub jumps: u64,
    /// Failures of the link in a row.
    pub attempts: u32,
    /// The service's clock minus ours, from the `Date` header.
    pub skew: Option<Span>,
    /// Why the list could not be read the last time, where that is not the link's fault.
    pub list_trouble: Option<Clean>,
    /// When the whole list was last read to its end.
    pub swept: Option<Mono>,
    /// Grows with every change of `sandboxes`: orders computed from an older one are stale.
    pub revision: u64,
}

/// Whom we talk to, for the header.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Backend {
    /// `local engine`, or the host of the service.
    pub name: Clean,
    /// Isolation level of a local engine, in a word.
    pub isolation: Option<Clean>,
    pub team: Option<Clean>,
    pub project: Option<Clean>,
    /// A local engine: sample sandboxes may be made, nothing costs money.
    pub local: bool,
    /// An engine that this program started, and that ends with it.
    pub owned: bool,
}

/// A list that was read, or why it could not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<T> {
    pub entries: Vec<T>,
    /// The service has more than was read.
    pub more: bool,
    /// When `entries` were told; `None` before the first answer.
    pub read: Option<Mono>,
    /// Why the last reading failed; `entries` are then what was known before.
    pub trouble: Option<Clean>,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            more: false,
            read: None,
            trouble: None,
        }
    }
}

impl<T: PartialEq> Aged<Listing<T>> {
    /// A reading that succeeded. Returns whether anything but its age is new.
    pub fn renew(&mut self, entries: Vec<T>, more: bool, now: Now) -> bool {
        let known = &self.value;
        let is_news = known.read.is_none()
            || known.trouble.is_some()
            || (&known.entries, known.more) != (&entries, more);
        let read = Some(now.mono);
        *self = Self::new(
            Listing {
                entries,
                more,
                read,
                trouble: None,
            },
            now,
        );
        is_news
    }

    /// A reading that failed: what was known stays, and the next one waits as after a success.
    pub fn trouble(&mut self, why: Clean, now: Now) {
        self.value.trouble = Some(why);
        self.seen = now.mono;
    }
}

impl<T> Default for Aged<Listing<T>> {
    fn default() -> Self {
        Self {
            value: Listing::default(),
            seen: Mono(0),
        }
    }
}

/// One sandbox as it was last read.
#[derive(Clone, Debug, PartialEq)]
pub struct SandboxFact {
    pub sandbox: Sandbox,
    /// When this row was last told by the service: ages are per row.
    pub seen: Mono,
    /// Session and routes come only with a reading of this one sandbox.
    pub detail: Option<Aged<Detail>>,
    /// When the last reading of this one sandbox came back, whatever it said.
    pub tried: Option<Mono>,
    /// What was asked of it and is not yet confirmed.
    pub requested: Option<Requested>,
    /// The service no longer knows it; kept while something on screen still needs it.
    pub gone: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    pub session: Option<Session>,
    pub routes: Vec<Route>,
}

/// An action sent and not yet confirmed by what the service says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requested {
    pub session: SessionId,
    pub since: Mono,
}

impl SandboxFact {
    /// It is there, and runs: what was deleted has neither time left nor a cost that grows.
    fn runs(&self) -> bool {
        !self.gone && self.sandbox.is_running()
    }

    /// The session's start, as far as it is known: for age and cost.
    pub fn started_at(&self) -> Option<Timestamp> {
        let session = self.current_session()?;
        session.started_at.or(session.created_at)
    }

    /// The detail's session, if it still is the current one.
    pub fn current_session(&self) -> Option<&Session> {
        let session = self.detail.as_ref()?.value.session.as_ref()?;
        (Some(&session.id) == self.sandbox.current_session_id.as_ref()).then_some(session)
    }

    /// Time left until the service stops it; only a running sandbox has a deadline.
    pub fn left(&self, service_now: Timestamp) -> Option<Span> {
        if !self.runs() {
            return None;
        }
        Some(self.deadline()?.since(service_now))
    }

    /// When the service stops it, extensions included.
    pub fn deadline(&self) -> Option<Timestamp> {
        let told = self.sandbox.expires_at;
        told.or_else(|| self.current_session()?.deadline())
    }

    /// Memory part of the running session's cost so far. Without the session's start it follows from the
    /// deadline and the configured limit only when nothing was extended, so it stays unknown.
    pub fn cost(&self, service_now: Timestamp) -> Option<NanoDollars> {
        if !self.runs() {
            return None;
        }
        let memory = self
            .sandbox
            .memory
            .or_else(|| Some(Count(self.sandbox.vcpus?.0.saturating_mul(2048))))?;
        let since = self.started_at().or_else(|| self.first_session_start())?;
        Some(memory_cost(memory, service_now.since(since)))
    }

    /// A sandbox whose status last changed when it began to run tells its start by that.
    fn first_session_start(&self) -> Option<Timestamp> {
        self.sandbox
            .is_running()
            .then_some(self.sandbox.status_updated_at)
            .flatten()
    }
}

impl World {
    /// The service's clock now, by the skew last seen.
    pub fn service_now(&self, now: Now) -> Timestamp {
        now.wall + self.skew.unwrap_or_default()
    }

    pub fn fact(&self, key: &SandboxKey) -> Option<&SandboxFact> {
        self.sandboxes.get(key)
    }

    /// The living sandbox of that name; of two the newest.
    pub fn named(&self, name: &SandboxName) -> Option<(&SandboxKey, &SandboxFact)> {
        let first = SandboxKey {
            name: name.clone(),
            created_at: None,
        };
        self.sandboxes
            .range(first..)
            .take_while(|(key, _)| key.name == *name)
            .filter(|(_, fact)| !fact.gone)
            .last()
    }

    /// Takes a sandbox in as the service told it. Returns whether anything but its age is new.
    pub fn saw(&mut self, sandbox: Sandbox, now: Now) -> bool {
        let key = sandbox.key();
        self.replaced_by(&key);
        let Some(fact) = self.sandboxes.get_mut(&key) else {
            let fact = SandboxFact {
                sandbox,
                seen: now.mono,
                detail: None,
                tried: None,
                requested: None,
                gone: false,
            };
            self.sandboxes.insert(key, fact);
            self.revision += 1;
            return true;
        };
        // Answers can overtake each other: an older telling is not news.
        if sandbox.updated_at < fact.sandbox.updated_at
            && sandbox.status_updated_at <= fact.sandbox.status_updated_at
        {
            return false;
        }
        fact.seen = now.mono;
        let changed = fact.gone || fact.sandbox != sandbox;
        fact.gone = false;
        fact.sandbox = sandbox;
        fact.forget_fulfilled_request();
        if changed {
            self.revision += 1;
        }
        changed
    }

    /// As [`World::saw`], with what only the reading of one sandbox tells.
    pub fn saw_detail(&mut self, answer: SandboxAnswer, now: Now) -> bool {
        let key = answer.sandbox.key();
        let changed = self.saw(answer.sandbox, now);
        let detail = Detail {
            session: answer.session,
            routes: answer.routes,
        };
        let Some(fact) = self.sandboxes.get_mut(&key) else {
            return changed;
        };
        let new = fact
            .detail
            .as_ref()
            .is_none_or(|known| known.value != detail);
        fact.detail = Some(Aged::new(detail, now));
        if new {
            self.revision += 1;
        }
        changed || new
    }

    /// The service says that it runs a command now: shown without waiting for the next list of commands.
    pub fn began(&mut self, command: Command) {
        let Some(session) = command.session_id.clone() else {
            return;
        };
        let known = &mut self.commands.entry(session).or_default().value.entries;
        if known.iter().all(|other| other.id != command.id) {
            self.just_began.push(command.id.clone());
            known.insert(0, command);
        }
    }

    /// Takes a session's commands in. An answer may have been on its way when a command began: one answer that
    /// does not know it yet is forgiven, and asked for again at once.
    /// Returns whether anything but its age is new.
    pub fn told_commands(&mut self, session: &SessionId, page: &Page<Command>, now: Now) -> bool {
        let listing = self.commands.entry(session.clone()).or_default();
        let began = std::mem::take(&mut self.just_began);
        let young = |known: &&Command| {
            began.contains(&known.id) && page.entries.iter().all(|told| told.id != known.id)
        };
        let mut entries: Vec<Command> = listing
            .value
            .entries
            .iter()
            .filter(young)
            .cloned()
            .collect();
        let early = !entries.is_empty();
        entries.extend_from_slice(&page.entries);
        let is_news = listing.renew(entries, page.next.is_some(), now);
        if early {
            listing.seen = Mono(0);
        }
        is_news
    }

    /// The service says there is no such sandbox.
    pub fn lost(&mut self, key: &SandboxKey) {
        if let Some(fact) = self.sandboxes.get_mut(key)
            && !fact.gone
        {
            fact.gone = true;
            fact.requested = None;
            self.revision += 1;
        }
    }

    pub fn request(&mut self, key: &SandboxKey, session: SessionId, now: Now) {
        if let Some(fact) = self.sandboxes.get_mut(key) {
            fact.requested = Some(Requested {
                session,
                since: now.mono,
            });
            self.revision += 1;
        }
    }

    /// The request failed: the row shows the service's state again.
    pub fn unrequest(&mut self, key: &SandboxKey) {
        if let Some(fact) = self.sandboxes.get_mut(key)
            && fact.requested.take().is_some()
        {
            self.revision += 1;
        }
    }

    /// Lets go of the gone ones that nothing needs any more.
    pub fn forget_gone(&mut self, needed: impl Fn(&SandboxKey) -> bool) {
        let gone = self.sandboxes.iter().filter(|(_, fact)| fact.gone);
        let gone = gone.map(|(key, _)| key).filter(|key| !needed(key));
        for key in gone.cloned().collect::<Vec<_>>() {
            self.sandboxes.remove(&key);
            self.revision += 1;
        }
    }

    /// A name told with another time of creation: the former bearer is gone.
    fn replaced_by(&mut self, key: &SandboxKey) {
        let former: Vec<SandboxKey> = self
            .sandboxes
            .range(
                SandboxKey {
                    name: key.name.clone(),
                    created_at: None,
                }..,
            )
            .take_while(|(other, _)| other.name == key.name)
            .filter(|(other, fact)| other.created_at < key.created_at && !fact.gone)
            .map(|(other, _)| other.clone())
            .collect();
        for other in former {
            self.lost(&other);
        }
    }
}

impl SandboxFact {
    fn forget_fulfilled_request(&mut self) {
        let Some(requested) = &self.requested else {
            return;
        };
        let other_session = self.sandbox.current_session_id.as_ref() != Some(&requested.session);
        if other_session || !self.sandbox.is_running() {
            self.requested = None;
        }
    }
}
