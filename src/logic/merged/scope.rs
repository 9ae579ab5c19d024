//! Which commands are meant, and how those that begin later join.

use super::{Merged, Source, name};
use crate::logic::{World, command_line};
use crate::model::{Clean, Command, CommandKey, SandboxKey, Timestamp};
use crate::text::{clean, say};
use std::sync::Arc;

/// More sandboxes are not asked for new commands: one round would take longer than most commands do.
const MOST_FOLLOWED: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// These and no others.
    Commands(Vec<(SandboxKey, CommandKey)>),
    /// All of this sandbox's session, and what it starts.
    Sandbox(SandboxKey),
    /// What runs in these, and what they start.
    Running(Vec<SandboxKey>),
    /// What begins from now on, wherever something runs.
    New,
}

/// The sandboxes that are asked for new commands.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    pub keys: Arc<[SandboxKey]>,
    /// So many more run, and are not asked.
    pub left_out: usize,
    /// The world's revision that this follows from.
    revision: Option<u64>,
}

impl Merged {
    /// Takes in the commands that are meant and are no sources yet, in the order in which they began.
    pub(super) fn join(&mut self, world: &World) {
        self.follow_sandboxes(world);
        let mut new = Vec::new();
        if let Scope::Commands(meant) = &self.scope {
            if self.sources.is_empty() {
                new.extend(meant.iter().map(|(sandbox, key)| {
                    let known = world.commands.get(&key.session);
                    let mut known = known.into_iter().flat_map(|known| &known.value.entries);
                    let command = known.find(|command| command.id == key.command);
                    Source::new(sandbox, key.clone(), command)
                }));
            }
        } else {
            new = self.begun(world);
        }
        if new.is_empty() {
            return;
        }
        let late = !self.sources.is_empty();
        let before = self.sources.len();
        self.sources.extend(new);
        name::give(&mut self.sources);
        let names: Vec<Clean> = self.sources[before..]
            .iter()
            .map(|source| source.name.clone())
            .collect();
        for name in names.iter().filter(|_| late) {
            self.note(&say(format_args!("{name} joined")));
        }
    }

    /// What is meant and no source yet, of the lists of commands that are new.
    fn begun(&mut self, world: &World) -> Vec<Source> {
        let mut begun = Vec::new();
        for (session, known) in &world.commands {
            let state = (known.seen, known.value.entries.len());
            if self.looked_at.get(session) == Some(&state) {
                continue;
            }
            self.looked_at.insert(session.clone(), state);
            let of_session = |key: &&SandboxKey| {
                let fact = world.fact(key);
                fact.and_then(|fact| fact.sandbox.current_session_id.as_ref()) == Some(session)
            };
            let Some(sandbox) = self.followed.keys.iter().find(of_session) else {
                continue;
            };
            for command in &known.value.entries {
                let key = command.key(session);
                let is_source = self.sources.iter().any(|source| source.command == key);
                if !is_source && self.scope.means(command, self.since) {
                    let began = (command.started_at, key.clone());
                    begun.push((began, Source::new(sandbox, key, Some(command))));
                }
            }
        }
        begun.sort_by(|(a, _), (b, _)| a.cmp(b));
        begun.into_iter().map(|(_, source)| source).collect()
    }

    fn follow_sandboxes(&mut self, world: &World) {
        if self.followed.revision == Some(world.revision) {
            return;
        }
        self.looked_at.clear();
        let keys: Vec<SandboxKey> = match &self.scope {
            Scope::Commands(_) => Vec::new(),
            Scope::Sandbox(key) => vec![key.clone()],
            Scope::Running(keys) => keys.clone(),
            Scope::New => {
                let running = world.sandboxes.iter();
                let running = running.filter(|(_, fact)| !fact.gone && fact.sandbox.is_running());
                running.map(|(key, _)| key.clone()).collect()
            }
        };
        let left_out = keys.len().saturating_sub(MOST_FOLLOWED);
        self.followed = Followed {
            keys: keys.into_iter().take(MOST_FOLLOWED).collect(),
            left_out,
            revision: Some(world.revision),
        };
    }
}

impl Scope {
    /// Whether a command of one of its sandboxes is meant.
    fn means(&self, command: &Command, since: Timestamp) -> bool {
        let is_new = command.started_at.is_some_and(|began| began >= since);
        match self {
            Self::Commands(_) => false,
            Self::Sandbox(_) => true,
            Self::Running(_) => command.is_running() || is_new,
            Self::New => is_new,
        }
    }
}

impl Source {
    fn new(sandbox: &SandboxKey, key: CommandKey, command: Option<&Command>) -> Self {
        let id = clean(key.command.as_foreign());
        Self {
            name: Clean::default(),
            sandbox: clean(sandbox.name.as_foreign()),
            program: command.map_or(id.clone(), name::program),
            line: command.map_or(id, command_line),
            command: key,
            muted: false,
            strand: None,
            ended: false,
        }
    }
}
