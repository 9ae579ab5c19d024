//! Forking: a new sandbox with the settings of another, from its current snapshot (api.md §2.6).

use super::fields::Fields;
use super::refusal::Refusal;
use super::settings::Settings;
use super::state::Engine;
use super::{facts, image, names, rules};
use crate::model::{ProjectId, SandboxName, Session};
use crate::store::SandboxRecord;
use std::sync::Arc;

impl Engine {
    /// What runs in the source now is not part of the fork; without a snapshot it starts afresh.
    pub async fn fork(
        self: &Arc<Self>,
        project: Option<&ProjectId>,
        name: &str,
        fields: &Fields,
    ) -> Result<(SandboxRecord, Session), Refusal> {
        let source = self.find(project, name)?.record;
        let fork = read(&source, fields, self)?;
        self.found(fork, source.fact.current_snapshot_id, None)
            .await
    }
}

/// Settings that are not given are the source's; a given one replaces the source's as a whole.
fn read(
    source: &SandboxRecord,
    fields: &Fields,
    engine: &Engine,
) -> Result<SandboxRecord, Refusal> {
    let name = fields.get("name", rules::sandbox_name)?;
    let name = name.unwrap_or_else(|| SandboxName::new(names::sandbox()));
    let settings = Settings::read(fields)?;
    if settings.runtime.is_some() {
        return Err(Refusal::field("runtime", "is not for forks"));
    }
    let image = fields.get("image", image::rule)?;
    let interactive = fields.get("__interactive", rules::flag)? == Some(true);

    let mut fork = source.clone();
    fork.fact = facts::forked_sandbox(&source.fact, name, engine.clock.now());
    if image.is_some() {
        fork.fact.image = image;
        fork.fact.runtime = None;
    }
    // Routes have names of their own.
    for (_, name) in &mut fork.kept.ports {
        *name = names::subdomain();
    }
    let terminal = interactive || source.kept.terminal.is_some();
    fork.kept.terminal = terminal.then(names::subdomain);
    settings.check(&fork.fact, engine.plan)?;
    settings.apply(&mut fork.fact, &mut fork.kept);
    Ok(fork)
}
