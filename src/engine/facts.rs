//! How the service's objects follow from each other: a session from its sandbox, a sandbox's status from its
//! session, routes from ports.

use super::names;
use crate::model::{
    Bytes, Count, Foreign, NetworkPolicy, NetworkTransfer, PolicyMode, Route, Sandbox, SandboxName,
    Session, SessionId, SnapshotId, Span, Status, Timestamp,
};
use crate::store::{Kept, SandboxRecord};
use std::net::SocketAddr;

const DEFAULT_TIMEOUT: Span = Span::minutes(5);
const DEFAULT_VCPUS: i64 = 2;
const DEFAULT_MEMORY: i64 = 4096;
pub(super) const DEFAULT_REGION: &str = "iad1";

/// A sandbox with the service's defaults and no session yet.
pub(super) fn new_sandbox(name: SandboxName, now: Timestamp) -> Sandbox {
    Sandbox {
        name,
        persistent: Some(true),
        status: Some(Status::Pending),
        status_updated_at: Some(now),
        created_at: Some(now),
        updated_at: Some(now),
        expires_at: None,
        current_session_id: None,
        current_snapshot_id: None,
        region: None,
        failover_regions: None,
        network_id: None,
        vcpus: Some(Count(DEFAULT_VCPUS)),
        memory: Some(Count(DEFAULT_MEMORY)),
        runtime: None,
        image: None,
        timeout: Some(DEFAULT_TIMEOUT),
        cwd: None,
        network_policy: Some(NetworkPolicy::of(PolicyMode::AllowAll)),
        tags: None,
        mounts: None,
        snapshot_expiration: None,
        keep_last_snapshots: None,
        total_active_cpu_duration_ms: None,
        total_duration_ms: None,
        total_ingress_bytes: None,
        total_egress_bytes: None,
    }
}

/// A sandbox with the settings of another one, and no session yet.
pub(super) fn forked_sandbox(source: &Sandbox, name: SandboxName, now: Timestamp) -> Sandbox {
    Sandbox {
        name,
        status: Some(Status::Pending),
        status_updated_at: Some(now),
        created_at: Some(now),
        updated_at: Some(now),
        expires_at: None,
        current_session_id: None,
        current_snapshot_id: None,
        cwd: None,
        total_active_cpu_duration_ms: None,
        total_duration_ms: None,
        total_ingress_bytes: None,
        total_egress_bytes: None,
        ..source.clone()
    }
}

/// The next session of a sandbox, not started yet.
pub(super) fn new_session(
    owner: &SandboxRecord,
    engine: SocketAddr,
    source: Option<SnapshotId>,
    now: Timestamp,
) -> Session {
    let sandbox = &owner.fact;
    let region = sandbox.region.clone();
    Session {
        id: SessionId::new(names::id("sbx")),
        status: Some(Status::Pending),
        source_sandbox_name: Some(sandbox.name.clone()),
        project_id: Some(owner.project.clone()),
        memory: sandbox.memory,
        vcpus: sandbox.vcpus,
        region: Some(region.unwrap_or_else(|| Foreign::from(DEFAULT_REGION))),
        runtime: sandbox.runtime.clone(),
        timeout: sandbox.timeout,
        cwd: None,
        requested_at: Some(now),
        created_at: Some(now),
        updated_at: Some(now),
        started_at: None,
        requested_stop_at: None,
        stopped_at: None,
        aborted_at: None,
        snapshotted_at: None,
        duration: None,
        source_snapshot_id: source,
        interactive_port: terminal_port(&owner.kept, engine),
        network_policy: sandbox.network_policy.clone(),
        active_cpu_duration_ms: None,
        network_transfer: None,
    }
}

/// The sandbox tells the state of its current session, and its deadline while that one runs.
pub(super) fn reflect(sandbox: &mut Sandbox, session: &Session, now: Timestamp) {
    if sandbox.status != session.status || sandbox.current_session_id.as_ref() != Some(&session.id)
    {
        sandbox.status_updated_at = Some(now);
    }
    let running = session.status == Some(Status::Running);
    sandbox.status = session.status.clone();
    sandbox.current_session_id = Some(session.id.clone());
    sandbox.expires_at = session.deadline().filter(|_| running);
    sandbox.cwd = session.cwd.clone().or(sandbox.cwd.take());
    sandbox.updated_at = Some(now);
}

/// Adds the figures of a session that was stopped to its sandbox's totals.
pub(super) fn add_totals(sandbox: &mut Sandbox, session: &Session) {
    let add = |total: &mut Option<Span>, more: Option<Span>| {
        if let Some(more) = more {
            *total = Some(total.unwrap_or_default() + more);
        }
    };
    add(&mut sandbox.total_duration_ms, session.duration);
    let cpu = session.active_cpu_duration_ms;
    add(&mut sandbox.total_active_cpu_duration_ms, cpu);
    let add = |total: &mut Option<Bytes>, more: Option<Bytes>| {
        if let Some(Bytes(more)) = more {
            *total = Some(Bytes(total.unwrap_or_default().0.saturating_add(more)));
        }
    };
    let NetworkTransfer { ingress, egress } = session.network_transfer.unwrap_or(NetworkTransfer {
        ingress: None,
        egress: None,
    });
    add(&mut sandbox.total_ingress_bytes, ingress);
    add(&mut sandbox.total_egress_bytes, egress);
}

/// Published ports. The sandbox shares this machine's network, so each is reached at its own number; the
/// terminals are served by the engine itself.
pub(super) fn routes(kept: &Kept, engine: SocketAddr, with_system: bool) -> Vec<Route> {
    let route = |port: u16, name: &str, system: Option<bool>| Route {
        url: Some(Foreign::from(format!("http://127.0.0.1:{port}"))),
        subdomain: Some(Foreign::from(name)),
        port: Some(Count(i64::from(port))),
        system,
    };
    let published = kept
        .ports
        .iter()
        .map(|(port, name)| route(*port, name, None));
    let terminal = kept.terminal.as_ref().filter(|_| with_system);
    let system = terminal.map(|name| route(engine.port(), name, Some(true)));
    published.chain(system).collect()
}

fn terminal_port(kept: &Kept, engine: SocketAddr) -> Option<Count> {
    kept.terminal
        .as_ref()
        .map(|_| Count(i64::from(engine.port())))
}
