//! What the service would charge for what ran here, by the day (api.md §2.12): list prices as `EffectiveCost`, and
//! nothing billed.

use super::accounts::DEFAULT_PROJECT;
use super::facts::DEFAULT_REGION;
use super::refusal::Refusal;
use super::rules::DAY;
use super::state::Engine;
use super::stop::ended;
use crate::model::{
    Foreign, LEAST_BILLED, Meter, ProjectId, Session, SnapshotStatus, Span, Timestamp,
};
use crate::store::SnapshotRecord;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The longest time that one request may be about.
const LONGEST: Span = Span(366 * DAY);
/// Of storage.
const MONTH: i128 = 30 * DAY as i128;
const HOUR: i128 = 3_600_000;
const GIGABYTE: i128 = 1_000_000_000;

/// Amounts in the smallest units that are measured: ms, MB·ms, pieces, bytes, bytes·ms.
struct Bill {
    /// Days since 1970.
    days: Range<i64>,
    amounts: BTreeMap<(i64, ProjectId, Foreign, Meter), i128>,
}

impl Engine {
    /// A charge a day, project, region and meter, oldest first: the days that `from..to` touches.
    pub fn charges(&self, from: Timestamp, to: Timestamp) -> Result<Vec<Value>, Refusal> {
        if from >= to || to.since(from) > LONGEST {
            let rule = "must be after `from`, by a year at most";
            return Err(Refusal::field("to", rule));
        }
        let now = self.clock.now();
        let days = from.0.div_euclid(DAY)..to.0.saturating_sub(1).div_euclid(DAY) + 1;
        let mut bill = Bill {
            days,
            amounts: BTreeMap::new(),
        };
        self.store.with(|records| {
            for session in records.sessions_started_before(to)? {
                bill.add_session(&session, now);
            }
            for snapshot in records.snapshots_taken_before(to)? {
                bill.add_snapshot(&snapshot, now);
            }
            let mut names = HashMap::new();
            for (_, project, ..) in bill.amounts.keys() {
                if let Some(record) = records.project(project.as_raw())? {
                    names.insert(project.clone(), record.name);
                }
            }
            Ok(bill.lines(&names))
        })
    }
}

impl Bill {
    fn add_session(&mut self, session: &Session, now: Timestamp) {
        let Some(start) = session.started_at else {
            return;
        };
        let over = ended(session);
        let end = session.stopped_at.or(session.aborted_at).unwrap_or(now);
        let project = session.project_id.clone();
        let project = project.unwrap_or_else(|| ProjectId::new(DEFAULT_PROJECT));
        let region = session.region.clone();
        let mut here = Place {
            bill: self,
            project,
            region: region.unwrap_or_else(|| Foreign::from(DEFAULT_REGION)),
        };
        here.add(Meter::Creations, start, 1);
        let memory = session.memory.unwrap_or_default().0.max(0);
        let billed = end.max(start + LEAST_BILLED);
        here.spread(Meter::ProvisionedMemory, start..billed, memory);
        // What follows is known from the end on, and counted there.
        if over {
            let cpu = session.active_cpu_duration_ms.unwrap_or_default().0;
            here.add(Meter::ActiveCpu, end, cpu);
            let sent = session
                .network_transfer
                .and_then(|transfer| transfer.egress);
            here.add(Meter::DataTransfer, end, sent.unwrap_or_default().0);
        }
    }

    fn add_snapshot(&mut self, snapshot: &SnapshotRecord, now: Timestamp) {
        let fact = &snapshot.fact;
        let (Some(taken), Some(size)) = (fact.created_at, fact.size_bytes) else {
            return;
        };
        let gone = match fact.status {
            Some(SnapshotStatus::Created) => fact.expires_at.map_or(now, |expiry| expiry.min(now)),
            Some(SnapshotStatus::Deleted) => fact.updated_at.unwrap_or(taken),
            _ => return,
        };
        let region = fact.region.clone();
        let mut here = Place {
            bill: self,
            project: snapshot.project.clone(),
            region: region.unwrap_or_else(|| Foreign::from(DEFAULT_REGION)),
        };
        here.spread(Meter::SnapshotStorage, taken..gone, size.0.max(0));
    }

    fn lines(&self, names: &HashMap<ProjectId, String>) -> Vec<Value> {
        let amounts = self.amounts.iter().filter(|(_, amount)| **amount > 0);
        amounts
            .map(|((day, project, region, meter), amount)| {
                let (service, unit, size) = told(*meter);
                let quantity = *amount as f64 / size as f64;
                let name = names.get(project).map_or(project.as_raw(), String::as_str);
                json!({
                    "BilledCost": 0, "EffectiveCost": quantity * meter.price().0 as f64 / 1e9,
                    "BillingCurrency": "USD", "PricingCurrency": "USD",
                    "ChargeCategory": "Usage", "PricingCategory": "Standard",
                    "ChargePeriodStart": midnight(*day), "ChargePeriodEnd": midnight(day + 1),
                    "ConsumedQuantity": quantity, "ConsumedUnit": unit,
                    "PricingQuantity": quantity, "PricingUnit": unit,
                    "ServiceName": service, "ServiceProviderName": "Vercel", "RegionId": region,
                    "Tags": {"ProjectId": project, "ProjectName": name},
                })
            })
            .collect()
    }
}

/// Whose usage is being added, and where it was.
struct Place<'a> {
    bill: &'a mut Bill,
    project: ProjectId,
    region: Foreign,
}

impl Place<'_> {
    fn add(&mut self, meter: Meter, at: Timestamp, amount: i64) {
        self.add_on(at.0.div_euclid(DAY), meter, i128::from(amount));
    }

    /// Adds `amount` for every ms of the time.
    fn spread(&mut self, meter: Meter, time: Range<Timestamp>, amount: i64) {
        let (start, end) = (time.start.0, time.end.0);
        let days = &self.bill.days;
        let first = start.div_euclid(DAY).max(days.start);
        let last = end.div_euclid(DAY).min(days.end - 1);
        for day in first..=last {
            let inside = end.min((day + 1) * DAY) - start.max(day * DAY);
            self.add_on(day, meter, i128::from(inside) * i128::from(amount));
        }
    }

    fn add_on(&mut self, day: i64, meter: Meter, amount: i128) {
        if self.bill.days.contains(&day) {
            let key = (day, self.project.clone(), self.region.clone(), meter);
            *self.bill.amounts.entry(key).or_default() += amount;
        }
    }
}

/// The service's name for a meter and its unit, and how much of what is measured one unit has.
const fn told(meter: Meter) -> (&'static str, &'static str, i128) {
    match meter {
        Meter::ActiveCpu => ("Sandbox Active CPU", "hour", HOUR),
        Meter::ProvisionedMemory => ("Sandbox Provisioned Memory", "gigabyte-hour", 1024 * HOUR),
        Meter::Creations => ("Sandbox Creations", "Creations", 1),
        Meter::DataTransfer => ("Sandbox Data Transfer", "gigabyte", GIGABYTE),
        Meter::SnapshotStorage => ("Snapshot Storage", "gigabyte", GIGABYTE * MONTH),
    }
}

/// The start of a day, as the service writes it.
fn midnight(day: i64) -> String {
    jiff::Timestamp::from_millisecond(day.saturating_mul(DAY))
        .map(|time| time.to_string())
        .unwrap_or_default()
}
