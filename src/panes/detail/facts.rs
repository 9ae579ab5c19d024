//! A sandbox's facts as rows: section, label, value. What the service did not tell is `–`.

use super::words::{self, expiration, kept, list, mounted, size, span, word};
use crate::logic::{Backend, Detail, SandboxFact, World};
use crate::model::{Clean, Count, Foreign, Route, Sandbox, Session, Timestamp};
use crate::panes::Ctx;
use crate::text::{clean, figures, say};
use crate::ui::Role;
use jiff::tz::TimeZone;

/// A fact's identity: rows of tags, mounts and routes are told apart by what they are about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FactKey {
    pub section: &'static str,
    pub label: &'static str,
    about: Option<Foreign>,
}

#[derive(Clone, Debug)]
pub struct Fact {
    pub key: FactKey,
    /// `None` = the service did not tell.
    pub value: Option<Clean>,
    pub role: Role,
    /// Set for a route.
    pub url: Option<Foreign>,
}

impl Fact {
    /// What copying it gives: of a route the URL alone.
    pub fn copied(&self) -> Option<Clean> {
        self.url.as_ref().map(clean).or_else(|| self.value.clone())
    }
}

/// All facts of the pane's sandbox; none when there is no such sandbox.
pub fn facts(world: &World, ctx: &Ctx<'_>) -> Vec<Fact> {
    let Some(fact) = ctx.subject.and_then(|key| world.fact(key)) else {
        return Vec::new();
    };
    let service_now = world.service_now(ctx.now);
    let mut rows = Rows {
        section: "Sandbox",
        facts: Vec::new(),
        zone: ctx.zone,
    };
    rows.sandbox(fact);
    rows.session(fact, service_now, ctx);
    rows.routes(fact.detail.as_ref().map(|detail| &detail.value));
    rows.totals(fact, service_now);
    rows.settings(&fact.sandbox, &world.backend);
    rows.maps(&fact.sandbox);
    rows.facts
}

/// The fact of that identity, as it is now.
pub fn of_key(world: &World, ctx: &Ctx<'_>, key: &FactKey) -> Option<Fact> {
    facts(world, ctx).into_iter().find(|fact| fact.key == *key)
}

struct Rows<'a> {
    section: &'static str,
    facts: Vec<Fact>,
    zone: &'a TimeZone,
}

impl Rows<'_> {
    fn date(&mut self, label: &'static str, time: Option<Timestamp>) {
        let moment = time.map(|time| figures::moment(Some(time), self.zone));
        self.add(label, moment);
    }

    fn add(&mut self, label: &'static str, value: Option<Clean>) {
        self.about(label, None, value);
    }

    fn about(&mut self, label: &'static str, about: Option<Foreign>, value: Option<Clean>) {
        let key = FactKey {
            section: self.section,
            label,
            about,
        };
        self.facts.push(Fact {
            key,
            value,
            role: Role::Text,
            url: None,
        });
    }

    fn sandbox(&mut self, fact: &SandboxFact) {
        let sandbox = &fact.sandbox;
        self.add("name", Some(clean(sandbox.name.as_foreign())));
        let status = sandbox.status.as_ref().map(word);
        match (&status, fact.gone, &fact.requested) {
            (_, true, _) => self.add(
                "status",
                Some("gone: the service does not know it any more".into()),
            ),
            (Some(status), _, Some(_)) => self.add(
                "status",
                Some(say(format_args!("{status}, stop requested"))),
            ),
            _ => self.add("status", status),
        }
        if fact.gone || fact.requested.is_some() {
            self.mark(Role::Requested);
        }
        self.date("status since", sandbox.status_updated_at);
        self.date("created", sandbox.created_at);
        self.date("changed", sandbox.updated_at);
    }

    fn settings(&mut self, sandbox: &Sandbox, backend: &Backend) {
        self.section = "Settings";
        self.add(
            "persistent",
            sandbox
                .persistent
                .map(|yes| Clean::from(if yes { "yes" } else { "no" })),
        );
        self.add("vCPUs", sandbox.vcpus.map(|n| figures::number(Some(n))));
        self.add(
            "memory",
            sandbox.memory.map(|mb| figures::memory_mb(Some(mb))),
        );
        self.add("region", sandbox.region.as_ref().map(clean));
        self.add("failover", sandbox.failover_regions.as_deref().map(list));
        self.add("image", sandbox.image.as_ref().map(clean));
        self.add("runtime", sandbox.runtime.as_ref().map(clean));
        self.add("time limit", sandbox.timeout.map(span));
        self.add("directory", sandbox.cwd.as_ref().map(clean));
        let policy = sandbox.network_policy.as_ref();
        let policy = policy.and_then(|policy| words::policy(policy, backend));
        self.add("network policy", policy);
        self.add("network", sandbox.network_id.as_ref().map(clean));
        self.add(
            "snapshot",
            sandbox
                .current_snapshot_id
                .as_ref()
                .map(|id| clean(id.as_foreign())),
        );
        self.add("snapshots kept", sandbox.keep_last_snapshots.map(kept));
        self.add(
            "snapshots expire",
            sandbox.snapshot_expiration.map(expiration),
        );
    }

    fn maps(&mut self, sandbox: &Sandbox) {
        self.section = "Tags";
        for (tag, value) in sandbox.tags.iter().flatten() {
            let shown = say(format_args!("{} = {}", clean(tag), clean(value)));
            self.about("tag", Some(tag.clone()), Some(shown));
        }
        self.section = "Mounts";
        for (path, mount) in sandbox.mounts.iter().flatten() {
            self.about("mount", Some(path.clone()), Some(mounted(path, mount)));
        }
    }

    fn session(&mut self, fact: &SandboxFact, service_now: Timestamp, ctx: &Ctx<'_>) {
        self.section = "Session";
        let told = fact.current_session();
        let id = fact.sandbox.current_session_id.as_ref();
        self.add("id", id.map(|id| clean(id.as_foreign())));
        let age = fact
            .detail
            .as_ref()
            .filter(|_| told.is_some())
            .map(|detail| detail.age(ctx.now));
        self.add(
            "read",
            age.map(|age| say(format_args!("{} ago", figures::ago(Some(age))))),
        );
        self.add(
            "status",
            told.and_then(|session| session.status.as_ref()).map(word),
        );
        self.date("started", told.and_then(|session| session.started_at));
        let deadline = fact.sandbox.expires_at.or_else(|| told?.deadline());
        self.date("deadline", deadline.filter(|_| fact.sandbox.is_running()));
        self.add(
            "time left",
            fact.left(service_now).map(|left| figures::left(Some(left))),
        );
        self.add(
            "time limit",
            told.and_then(|session| session.timeout).map(span),
        );
        self.date(
            "stopped",
            told.and_then(|session| session.stopped_at.or(session.aborted_at)),
        );
        self.add(
            "region",
            told.and_then(|session| session.region.as_ref()).map(clean),
        );
        let source = told.and_then(|session| session.source_snapshot_id.as_ref());
        self.add("from snapshot", source.map(|id| clean(id.as_foreign())));
    }

    fn totals(&mut self, fact: &SandboxFact, service_now: Timestamp) {
        self.section = "Totals";
        let sandbox = &fact.sandbox;
        self.add("active CPU", sandbox.total_active_cpu_duration_ms.map(span));
        self.add("duration", sandbox.total_duration_ms.map(span));
        self.add("net in", sandbox.total_ingress_bytes.map(size));
        self.add("net out", sandbox.total_egress_bytes.map(size));
        let cost = fact.cost(service_now);
        self.add(
            "session cost",
            cost.map(|cost| {
                say(format_args!(
                    "{} (estimate, memory only)",
                    figures::money(Some(cost))
                ))
            }),
        );
    }

    fn routes(&mut self, detail: Option<&Detail>) {
        self.section = "Routes";
        let Some(detail) = detail else {
            return self.add("port", None);
        };
        let interactive = detail
            .session
            .as_ref()
            .and_then(|session: &Session| session.interactive_port);
        for route in detail
            .routes
            .iter()
            .filter(|route| !is_systems(route, interactive))
        {
            let port = figures::number(route.port);
            let address = route.url.as_ref().map_or_else(|| "–".into(), clean);
            let about = route
                .url
                .clone()
                .unwrap_or_else(|| Foreign::from(port.as_str()));
            self.about(
                "port",
                Some(about),
                Some(say(format_args!("{port} {address}"))),
            );
            self.mark(Role::Info);
            if let Some(fact) = self.facts.last_mut() {
                fact.url = route.url.clone();
            }
        }
    }

    fn mark(&mut self, role: Role) {
        if let Some(fact) = self.facts.last_mut() {
            fact.role = role;
        }
    }
}

/// Routes that the system keeps for terminals (api.md §3.6).
fn is_systems(route: &Route, interactive: Option<Count>) -> bool {
    route.system == Some(true) || (route.port.is_some() && route.port == interactive)
}
