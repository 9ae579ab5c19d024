//! Whom the engine belongs to: one person, one team, and the project of all that names none (api.md §1.6).

use super::facts::DEFAULT_REGION;
use super::refusal::Refusal;
use super::state::Engine;
use crate::model::{ProjectId, Timestamp};
use crate::store::{ProjectRecord, StoreError};
use serde_json::{Value, json};

/// The project of what is created without one.
pub(super) const DEFAULT_PROJECT: &str = "local";
/// What the official tools call the project they use where none is named.
const DEFAULT_PROJECT_NAME: &str = "vercel-sandbox-default-project";
const USER: &str = "user_local";
const TEAM: &str = "team_local";
const TEAM_SLUG: &str = "local";
const NAME: &str = "Local engine";

impl Engine {
    /// Makes the project that is always there.
    pub(super) fn make_default_project(&self) -> Result<(), StoreError> {
        let project = ProjectRecord {
            id: ProjectId::new(DEFAULT_PROJECT),
            name: DEFAULT_PROJECT_NAME.to_owned(),
            created_at: self.clock.now(),
        };
        self.store
            .with(|records| records.add_project(&project).map(drop))
    }

    /// The team, as old as the project that is always there.
    pub(super) fn team(&self) -> Result<Value, Refusal> {
        let founded = self
            .store
            .with(|records| records.project(DEFAULT_PROJECT))?
            .map_or(Timestamp::default(), |project| project.created_at);
        Ok(json!({
            "id": TEAM, "slug": TEAM_SLUG, "name": NAME, "avatar": null,
            "createdAt": founded, "updatedAt": founded,
            "membership": {"role": "OWNER", "confirmed": true, "teamId": TEAM, "uid": USER},
            "billing": {"plan": self.plan.word()},
        }))
    }
}

pub(super) fn user() -> Value {
    json!({
        "id": USER, "username": TEAM_SLUG, "name": NAME, "email": "local@localhost", "avatar": null,
        "defaultTeamId": TEAM,
    })
}

pub(super) fn project(record: &ProjectRecord) -> Value {
    json!({
        "id": record.id, "name": record.name, "accountId": TEAM,
        "createdAt": record.created_at, "updatedAt": record.created_at,
        "sandbox": {"region": DEFAULT_REGION},
    })
}
