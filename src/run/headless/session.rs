//! The session of a sandbox, for what is to run in it. A stopped one is booted only by somebody's word.

use super::ask::can_ask;
use super::drive::{Drive, Driven};
use super::operate::Desk;
use super::{Trouble, told, trouble};
use crate::app::report::Outcome;
use crate::logic::{Deed, Target};
use crate::model::{SandboxKey, SandboxName, Session, SessionId, Status};
use crate::text::clean_str;

/// What becomes of a sandbox that has stopped. Booting it is billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boot {
    Ask,
    Agreed,
    /// It stays stopped; this option would boot it.
    Without(&'static str),
}

/// Looks the sandbox up, and boots it if it may.
pub async fn session(name: &str, boot: Boot, desk: &mut Desk) -> Result<SessionId, Trouble> {
    let key = desk.look_up(&SandboxName::new(name)).await;
    let key = key.map_err(|why| told(&why))?;
    let sandbox = desk.world.fact(&key).map(|fact| &fact.sandbox);
    let status = sandbox.and_then(|sandbox| sandbox.status.as_ref());
    if status.is_some_and(Status::is_final) {
        boot_it(&key, boot, desk).await?;
    }
    let fact = desk.world.fact(&key);
    let session = fact.and_then(|fact| fact.sandbox.current_session_id.clone());
    session.ok_or_else(|| trouble("The service does not tell its session."))
}

/// What is known of it since it was looked up.
pub fn known<'a>(name: &str, id: &SessionId, desk: &'a Desk) -> Option<&'a Session> {
    let mut facts = desk.world.sandboxes.values();
    let fact = facts.find(|fact| fact.sandbox.name.as_raw() == name)?;
    let session = fact.detail.as_ref()?.value.session.as_ref();
    session.filter(|session| session.id == *id)
}

async fn boot_it(key: &SandboxKey, boot: Boot, desk: &mut Desk) -> Result<(), Trouble> {
    if let Boot::Without(option) = boot {
        return Err(trouble(&format!(
            "{} does not run. {option} boots it, which is billed.",
            clean_str(key.name.as_raw())
        )));
    }
    let (targets, refused) = Deed::Resume.targets(std::slice::from_ref(key), &desk.world);
    if let Some(why) = refused.first() {
        return Err(trouble(why.as_str()));
    }
    if boot == Boot::Ask {
        can_ask()?;
        if !desk.agreed(&Deed::Resume, &targets).await? {
            return Err(trouble("Nothing was done."));
        }
    }
    let drive = Drive {
        client: &desk.client,
        clock: desk.clock,
        world: &mut desk.world,
    };
    let mut outcome = None;
    let tell = |target: &Target| outcome = Some(Outcome::of(target, &Deed::Resume));
    let driven = drive.through(Deed::Resume, targets, tell).await;
    match (driven, outcome) {
        (Driven::Through, Some(outcome)) if outcome.is_done() => Ok(()),
        (_, Some(outcome)) => Err(trouble(outcome.line().as_str())),
        (_, None) => Err(trouble("The service does not tell its session.")),
    }
}
