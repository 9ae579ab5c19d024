//! What an action is meant for, as it stood when the question was asked, and how that is told.

use crate::logic::{Backend, Deed, Loss, Target, World};
use crate::model::{Clean, SandboxKey, Status};
use crate::text::{Side, clean, clean_str, cut, pad, say, width};
use crate::ui::{Piece, Role, label, span};

/// Identities, never rows: a yes touches these and nothing else.
#[derive(Clone, Debug)]
pub(in crate::app) struct Meant {
    pub(super) targets: Vec<Target>,
    /// Why it is not for the others.
    pub(super) refused: Vec<Clean>,
    /// How many of the targets the filter hides.
    pub(super) hidden: usize,
}

/// Command lines named one by one, and how much of each: some hold a whole program.
const NAMED: usize = 4;
const NAMED_COLUMNS: usize = 100;
/// In a list of many: columns for a name, and for its facts.
const NAME: usize = 24;
const FACTS: usize = 28;
/// Sandboxes named one by one.
const LISTED: usize = 200;

impl Meant {
    /// `shown`: whether the list shows it at the moment.
    pub(in crate::app) fn of(
        deed: &Deed,
        keys: &[SandboxKey],
        world: &World,
        shown: impl Fn(&SandboxKey) -> bool,
    ) -> Self {
        let (targets, refused) = deed.targets(keys, world);
        let hidden = targets.iter().filter(|target| !shown(&target.key)).count();
        Self {
            targets,
            refused,
            hidden,
        }
    }

    pub(in crate::app) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Why nothing is left to do.
    pub(in crate::app) fn into_reasons(self) -> Vec<Clean> {
        self.refused
    }

    /// The only one, if it is one.
    pub(super) fn one(&self) -> Option<&Target> {
        match self.targets.as_slice() {
            [target] => Some(target),
            _ => None,
        }
    }

    pub(super) fn subjects(&self) -> impl Iterator<Item = &SandboxKey> {
        self.targets.iter().map(|target| &target.key)
    }

    /// The name, or how many there are.
    pub(super) fn subject(&self) -> Clean {
        match self.one() {
            Some(target) => clean(target.key.name.as_foreign()),
            None => say(format_args!("{} sandboxes", self.targets.len())),
        }
    }

    /// Below the question: what is hidden, what changed meanwhile, and for many a line each.
    pub(super) fn told(
        &self,
        world: &World,
        facts: impl Fn(&Target) -> Vec<Piece>,
    ) -> Vec<Vec<Piece>> {
        let mut lines = Vec::new();
        if self.hidden > 0 && self.one().is_none() {
            let words = say(format_args!("The filter hides {} of them.", self.hidden));
            lines.push(vec![span(&words, Role::Warn)]);
        } else if self.hidden > 0 {
            lines.push(vec![label("The filter hides it.", Role::Warn)]);
        }
        if let Some(target) = self.one() {
            let changed = changed(target, world);
            lines.extend(changed.map(|words| vec![label(words, Role::Bad)]));
        } else {
            let listed_ones = self.targets.iter().take(LISTED);
            let names = listed_ones.clone().map(name_width).max().unwrap_or(0);
            lines.extend(listed_ones.map(|target| {
                let facts = match changed(target, world) {
                    Some(words) => vec![label(words, Role::Bad)],
                    None => facts(target),
                };
                listed(&clean(target.key.name.as_foreign()), names, facts)
            }));
            if self.targets.len() > LISTED {
                let more = say(format_args!("and {} more", self.targets.len() - LISTED));
                lines.push(vec![span(&more, Role::Warn)]);
            }
        }
        lines.extend(self.not_for());
        lines
    }

    /// What the action does not fit, with the reasons.
    fn not_for(&self) -> Vec<Vec<Piece>> {
        let heading = [vec![label("Not for these:", Role::Warn)]];
        let reasons = self
            .refused
            .iter()
            .take(LISTED)
            .map(|why| vec![span(why, Role::Dim)]);
        let lines: Vec<Vec<Piece>> = heading.into_iter().chain(reasons).collect();
        if self.refused.is_empty() {
            Vec::new()
        } else {
            lines
        }
    }
}

/// Columns for its name in a list.
pub(super) fn name_width(target: &Target) -> usize {
    width(clean(target.key.name.as_foreign()).as_str()).min(NAME)
}

/// A line of a list: the name, and what is told of it.
pub(super) fn listed(name: &Clean, columns: usize, facts: Vec<Piece>) -> Vec<Piece> {
    let name = pad(&cut(name, columns, Side::End), columns, Side::End);
    let mut line = vec![span(&name, Role::Title), label("  ", Role::Text)];
    line.extend(facts);
    line
}

/// What happened to the sandbox while the question stood.
fn changed(target: &Target, world: &World) -> Option<&'static str> {
    let fact = world.fact(&target.key).filter(|fact| !fact.gone);
    match fact {
        None => Some("It is deleted meanwhile."),
        Some(fact) if fact.sandbox.current_session_id != target.session => {
            Some("It runs in another session meanwhile; that one will not be touched.")
        }
        Some(_) => None,
    }
}

/// What runs, a line a command; none is told as such, and not known as well.
pub(super) fn running(loss: &Loss) -> Vec<(&'static str, Vec<Piece>)> {
    let Some(commands) = &loss.running else {
        let words = "not known (its commands are being read)";
        return vec![("runs", vec![label(words, Role::Warn)])];
    };
    if commands.is_empty() {
        return vec![("runs", vec![label("no command", Role::Text)])];
    }
    let lines = named(commands);
    let names = ["runs"].into_iter().chain(std::iter::repeat(""));
    names
        .zip(&lines)
        .map(|(name, line)| (name, vec![span(line, Role::Warn)]))
        .collect()
}

/// The first of them, a line each, and how many more there are.
pub(in crate::app) fn named(commands: &[Clean]) -> Vec<Clean> {
    let first = commands.iter().take(NAMED);
    let mut lines: Vec<Clean> = first
        .map(|line| cut(line, NAMED_COLUMNS, Side::End))
        .collect();
    if commands.len() > NAMED {
        lines.push(say(format_args!("and {} more", commands.len() - NAMED)));
    }
    lines
}

/// As [`running`], on a line with others.
pub(super) fn running_shortly(loss: &Loss) -> Piece {
    match loss.running.as_deref() {
        None => label("what runs is not known", Role::Warn),
        Some([]) => label("runs nothing", Role::Text),
        Some([one]) => span(
            &cut(&say(format_args!("runs {one}")), FACTS, Side::End),
            Role::Warn,
        ),
        Some([one, more @ ..]) => {
            let one = cut(one, NAME, Side::End);
            let words = say(format_args!("runs {one} and {} more", more.len()));
            span(&words, Role::Warn)
        }
    }
}

/// What becomes of the file system (api.md §4.2).
pub(super) fn files(loss: &Loss, backend: &Backend) -> Piece {
    match loss.persistent {
        Some(true) if backend.local => label("kept: a snapshot is taken", Role::Text),
        Some(true) => label(
            "kept: a snapshot is taken, and its storage is billed",
            Role::Text,
        ),
        Some(false) => label("lost: this sandbox is not persistent", Role::Bad),
        None => label("not known whether they are kept", Role::Warn),
    }
}

/// As [`files`], on a line with others.
pub(super) fn files_shortly(loss: &Loss) -> Piece {
    match loss.persistent {
        Some(true) => label("files kept", Role::Text),
        Some(false) => label("files lost", Role::Bad),
        None => label("files: not known", Role::Warn),
    }
}

/// The state as the service told it.
pub(super) fn status(target: &Target, world: &World) -> Piece {
    let status = world
        .fact(&target.key)
        .and_then(|fact| fact.sandbox.status.as_ref());
    span(
        &clean_str(status.map_or("state not known", Status::word)),
        Role::Text,
    )
}
