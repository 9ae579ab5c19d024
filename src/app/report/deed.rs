//! Stop, delete, extend and resume without a screen: the question before, what answers it, and a line a result.

use crate::app::dialogs::named;
use crate::logic::{Deed, Loss, Target, TargetState, World};
use crate::model::{Clean, Mounts, SandboxKey, SandboxName, Status, Timestamp};
use crate::text::{clean, clean_str, figures, say};
use serde::Serialize;
use std::collections::HashMap;

/// What the question is asked about, beside the targets.
pub struct Known<'a> {
    pub world: &'a World,
    pub snapshots: HashMap<SandboxKey, Snapshots>,
    pub service_now: Timestamp,
}

/// A sandbox's snapshots, as far as they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshots {
    pub count: usize,
    /// There are more than were read.
    pub more: bool,
}

type Fact = (&'static str, Clean);

/// The question's lines: the same facts as the dialogs tell.
pub fn question(deed: &Deed, targets: &[Target], known: &Known<'_>) -> Vec<Clean> {
    let mut lines = vec![head(deed, targets.len())];
    for target in targets {
        lines.push(say(format_args!(
            "  {}",
            clean(target.key.name.as_foreign())
        )));
        let facts = facts(deed, target, known).into_iter();
        lines.extend(facts.map(|(title, fact)| say(format_args!("    {title:<10} {fact}"))));
    }
    lines
}

/// What has to be typed to go on; `None` = a `y`. What cannot be undone wants more than a reflex.
pub fn guard(deed: &Deed, targets: &[Target]) -> Option<String> {
    match (deed, targets) {
        (Deed::Delete { .. }, [target]) => Some(target.key.name.as_raw().to_owned()),
        (Deed::Delete { .. }, targets) => Some(format!("{} delete", targets.len())),
        _ => None,
    }
}

fn head(deed: &Deed, count: usize) -> Clean {
    let what = match count {
        1 => Clean::from("this sandbox"),
        _ => say(format_args!("these {count} sandboxes")),
    };
    match deed {
        Deed::Stop => say(format_args!("Stop {what} now? Its processes are ended.")),
        Deed::Delete { .. } => say(format_args!(
            "Delete {what}? That cannot be undone, and ends what runs."
        )),
        Deed::Extend { by } => {
            let by = figures::duration(Some(*by));
            say(format_args!("Extend {what} by {by}? More time costs more."))
        }
        Deed::Resume => say(format_args!("Resume {what}? A new session is billed.")),
        Deed::Kill { .. } => say(format_args!("Signal a command of {what}?")),
    }
}

fn facts(deed: &Deed, target: &Target, known: &Known<'_>) -> Vec<Fact> {
    let fact = known.world.fact(&target.key);
    let sandbox = fact.map(|fact| &fact.sandbox);
    let status = sandbox.and_then(|sandbox| sandbox.status.as_ref());
    let loss = target.loss(known.world);
    match deed {
        Deed::Stop => {
            let files = files(loss.persistent, known.world.backend.local);
            running(&loss)
                .into_iter()
                .chain([("files", files)])
                .collect()
        }
        Deed::Delete { orphans } => {
            let kept = known.snapshots.get(&target.key).copied();
            let fixed = [
                ("files", "lost, with its sessions and their logs".into()),
                ("snapshots", snapshots(kept, *orphans)),
            ];
            let mounts = sandbox.and_then(|sandbox| sandbox.mounts.as_ref());
            let running = running(&loss).into_iter();
            std::iter::once(("state", state(status)))
                .chain(running)
                .chain(fixed)
                .chain(mounts.into_iter().flat_map(drives))
                .collect()
        }
        Deed::Extend { .. } => {
            let left = fact.and_then(|fact| fact.left(known.service_now));
            vec![("left", figures::left(left))]
        }
        Deed::Resume => {
            let from = sandbox.and_then(|sandbox| sandbox.current_snapshot_id.as_ref());
            let from = from.map(|id| say(format_args!("snapshot {}", clean(id.as_foreign()))));
            let from = from.unwrap_or("its image: there is no snapshot".into());
            vec![("state", state(status)), ("from", from)]
        }
        Deed::Kill { .. } => Vec::new(),
    }
}

fn state(status: Option<&Status>) -> Clean {
    status.map_or(figures::UNKNOWN.into(), |status| clean_str(status.word()))
}

fn running(loss: &Loss) -> Vec<Fact> {
    let commands = match loss.running.as_deref() {
        None => return vec![("runs", "not known: its commands could not be read".into())],
        Some([]) => return vec![("runs", "no command".into())],
        Some(commands) => commands,
    };
    let lines = named(commands);
    let titles = ["runs"].into_iter().chain(std::iter::repeat(""));
    titles.zip(lines).collect()
}

/// What becomes of the file system when the session ends (api.md §4.2).
fn files(persistent: Option<bool>, local: bool) -> Clean {
    let words = match persistent {
        Some(true) if local => "kept: a snapshot is taken",
        Some(true) => "kept: a snapshot is taken, and its storage is billed",
        Some(false) => "lost: this sandbox is not persistent",
        None => "not known whether they are kept",
    };
    words.into()
}

/// What becomes of the snapshots when the sandbox is deleted (api.md §2.5).
fn snapshots(kept: Option<Snapshots>, orphans: bool) -> Clean {
    let count = match kept {
        None => Clean::from("not known how many"),
        Some(Snapshots { count: 0, .. }) => return "none".into(),
        Some(Snapshots { count, more }) => say(format_args!(
            "{count}{}",
            if more { " or more" } else { "" }
        )),
    };
    let fate = if orphans {
        "those that no other sandbox uses are deleted too"
    } else {
        "they stay, and so does the bill for them"
    };
    say(format_args!("{count}: {fate}"))
}

fn drives(mounts: &Mounts) -> impl Iterator<Item = Fact> {
    let drives = mounts.values().map(|mount| clean(&mount.drive));
    drives.map(|drive| ("mount", say(format_args!("the drive {drive} stays"))))
}

/// What became of one name of the command line.
#[derive(Debug, Serialize)]
pub struct Outcome {
    name: SandboxName,
    deed: &'static str,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip)]
    line: Clean,
}

impl Outcome {
    /// Nothing was sent for it.
    pub fn refused(name: &SandboxName, deed: &Deed, why: &Clean) -> Self {
        Self::new(name, deed, "refused", Some(why))
    }

    pub fn of(target: &Target, deed: &Deed) -> Self {
        let name = &target.key.name;
        match &target.state {
            TargetState::Done => Self::new(name, deed, "done", None),
            TargetState::OverBefore => {
                let why = Clean::from("it had ended before");
                Self::new(name, deed, "done", Some(&why))
            }
            TargetState::Refused { why } => Self::new(name, deed, "refused", Some(why)),
            TargetState::Failed { why } => Self::new(name, deed, "failed", Some(why)),
            TargetState::Sent => {
                let why = Clean::from("the request is out, and its answer was not waited for");
                Self::new(name, deed, "unknown", Some(&why))
            }
            TargetState::Waiting | TargetState::Looking | TargetState::TakenBack => {
                let why = Clean::from("nothing was sent");
                Self::new(name, deed, "refused", Some(&why))
            }
        }
    }

    fn new(name: &SandboxName, deed: &Deed, result: &'static str, why: Option<&Clean>) -> Self {
        let shown = clean(name.as_foreign());
        let line = match why {
            None => say(format_args!("{shown}: {}", deed.done())),
            Some(why) => {
                let not = if result == "unknown" {
                    "perhaps"
                } else {
                    "not"
                };
                say(format_args!("{shown}: {not} {}: {why}", deed.done()))
            }
        };
        Self {
            name: name.clone(),
            deed: deed.verb(),
            result,
            why: why.map(|why| why.as_str().to_owned()),
            line,
        }
    }

    pub fn is_done(&self) -> bool {
        self.result == "done"
    }

    /// For people.
    pub fn line(&self) -> &Clean {
        &self.line
    }
}
