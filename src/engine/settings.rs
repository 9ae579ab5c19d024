//! What a request asks a sandbox to be: the fields that create and update share (api.md §2.2, §2.4).

use super::fields::Fields;
use super::plan::Plan;
use super::refusal::Refusal;
use super::{names, policy, rules};
use crate::model::request::{Env, Resources};
use crate::model::{Count, Foreign, KeepLastSnapshots, NetworkPolicy, Sandbox, Span, Tags};
use crate::store::Kept;

/// `None` = not sent, so not changed.
#[derive(Debug)]
pub(super) struct Settings {
    persistent: Option<bool>,
    timeout: Option<Span>,
    resources: Option<Resources>,
    pub runtime: Option<Foreign>,
    ports: Option<Vec<u16>>,
    env: Option<Env>,
    tags: Option<Tags>,
    snapshot_expiration: Option<Span>,
    keep_last_snapshots: Option<Option<KeepLastSnapshots>>,
    region: Option<Foreign>,
    failover_regions: Option<Vec<Foreign>>,
    network_policy: Option<NetworkPolicy>,
}

const RUNTIMES: &[&str] = &["node22", "node24", "node26", "python3.13"];

impl Settings {
    pub fn read(fields: &Fields) -> Result<Self, Refusal> {
        let settings = Self {
            persistent: fields.get("persistent", rules::flag)?,
            timeout: fields.get("timeout", rules::session_timeout)?,
            resources: fields.get("resources", rules::resources)?,
            runtime: fields.get("runtime", runtime)?,
            ports: fields.get("ports", rules::ports)?,
            env: fields.get("env", rules::env)?,
            tags: fields.get("tags", rules::tags)?,
            snapshot_expiration: fields.get("snapshotExpiration", rules::snapshot_expiration)?,
            keep_last_snapshots: fields.get("keepLastSnapshots", rules::keep_last_snapshots)?,
            region: fields.get("region", rules::short)?,
            failover_regions: fields.get("failoverRegions", rules::regions)?,
            network_policy: fields.get("networkPolicy", policy::read)?,
        };
        fields.get("networkId", rules::none_of)?;
        fields.get("mounts", rules::mounts)?;
        Ok(settings)
    }

    /// Refuses what cannot stand beside what the sandbox is already, and what the plan does not grant.
    pub fn check(&self, sandbox: &Sandbox, plan: Plan) -> Result<(), Refusal> {
        if let Some(timeout) = self.timeout {
            plan.allow_timeout(timeout)?;
        }
        if let Some(resources) = self.resources {
            plan.allow_vcpus(resources.vcpus)?;
        }
        let region = self.region.as_ref().or(sandbox.region.as_ref());
        let failover = self.failover_regions.as_ref();
        if failover.is_some_and(|regions| !regions.is_empty()) {
            plan.allow_failover()?;
        }
        match (region, failover) {
            (Some(region), Some(failover)) if failover.contains(region) => Err(Refusal::field(
                "failoverRegions",
                "must not hold the sandbox's own region",
            )),
            _ => Ok(()),
        }
    }

    /// Writes what was sent into the sandbox.
    pub fn apply(self, sandbox: &mut Sandbox, kept: &mut Kept) {
        if let Some(resources) = self.resources {
            sandbox.vcpus = Some(Count(resources.vcpus));
            sandbox.memory = resources.memory.map(Count);
        }
        if let Some(ports) = self.ports {
            let name_of = |port: &u16| kept.ports.iter().find(|(known, _)| known == port);
            kept.ports = ports
                .iter()
                .map(|port| name_of(port).cloned())
                .zip(&ports)
                .map(|(known, port)| known.unwrap_or_else(|| (*port, names::subdomain())))
                .collect();
        }
        if let Some(env) = self.env {
            kept.env = env;
        }
        if let Some(tags) = self.tags {
            sandbox.tags = Some(tags).filter(|tags| !tags.is_empty());
        }
        if let Some(keep) = self.keep_last_snapshots {
            sandbox.keep_last_snapshots = keep;
        }
        set(&mut sandbox.persistent, self.persistent);
        set(&mut sandbox.timeout, self.timeout);
        set(&mut sandbox.runtime, self.runtime);
        set(&mut sandbox.snapshot_expiration, self.snapshot_expiration);
        set(&mut sandbox.region, self.region);
        set(&mut sandbox.failover_regions, self.failover_regions);
        set(&mut sandbox.network_policy, self.network_policy);
        // An overlap with the region is kept out of what is told, as is an empty list.
        if let Some(regions) = &mut sandbox.failover_regions {
            regions.retain(|region| Some(region) != sandbox.region.as_ref());
        }
        sandbox
            .failover_regions
            .take_if(|regions| regions.is_empty());
    }
}

fn set<T>(setting: &mut Option<T>, sent: Option<T>) {
    if sent.is_some() {
        *setting = sent;
    }
}

fn runtime(field: &str, value: &serde_json::Value) -> Result<Foreign, Refusal> {
    let word = rules::text(field, value)?;
    if RUNTIMES.contains(&word.as_str()) {
        return Ok(Foreign::from(word));
    }
    let rule = format!("must be one of {}", RUNTIMES.join(", "));
    Err(Refusal::field(field, rule))
}
