//! Team and project, by asking the service: the part of the official inference that only reads (api.md §1.6). A
//! project is never created; where one is missing, a sentence says so.

use super::call::Call;
use super::client::Client;
use super::options::Scope;
use crate::model::{Failure, ProjectId, TeamId};
use serde_json::Value;

/// The project that the official tools make where none is named.
pub const DEFAULT_PROJECT: &str = "vercel-sandbox-default-project";
/// Of twenty teams each.
const MOST_PAGES: usize = 20;

/// Why there is no usable scope.
#[derive(Clone, Debug, PartialEq)]
pub enum ScopeProblem {
    Missing(Missing),
    /// The service could not be asked.
    Failed(Failure),
}

/// Credentials are there, a team or a project is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No team that these credentials may use.
    Team,
    /// The team is not open to these credentials.
    Refused(TeamId),
    /// The team has no such project.
    Project { team: TeamId, project: ProjectId },
}

impl Missing {
    /// What is missing and what to do; the team and the project are told beside it.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::Team => {
                "no team was found that these credentials may use: name one with --team and a project with --project"
            }
            Self::Refused(_) => {
                "these credentials may not use the team: name another with --team, or log in as one of its members"
            }
            Self::Project { project, .. } if project.as_raw() == DEFAULT_PROJECT => {
                "no project was named, and the team has no default project for sandboxes yet: name one with --project"
            }
            Self::Project { .. } => {
                "the team has no such project: check --project (VERCEL_PROJECT_ID, .vercel/project.json), or name its team with --team"
            }
        }
    }
}

/// Completes the client's scope. Asks nothing when it is complete.
pub async fn infer(client: &Client) -> Result<Scope, ScopeProblem> {
    let known = client.scope();
    if let (Some(_), Some(_)) = (&known.team, &known.project) {
        return Ok(known.clone());
    }
    let search = Search {
        client,
        project: match &known.project {
            Some(project) => project.clone(),
            None => ProjectId::new(DEFAULT_PROJECT),
        },
    };
    if let Some(team) = &known.team {
        let refused = ScopeProblem::Missing(Missing::Refused(team.clone()));
        return search.try_team(team.as_raw()).await?.ok_or(refused);
    }
    let missing = ScopeProblem::Missing(Missing::Team);
    search.over_all().await?.ok_or(missing)
}

struct Search<'a> {
    client: &'a Client,
    project: ProjectId,
}

impl Search<'_> {
    /// The default team, then the person's own team of each page, then the team named like the person.
    async fn over_all(&self) -> Result<Option<Scope>, ScopeProblem> {
        let user = self.ask(Call::get("get user", "/v2/user")).await?;
        let user = &user["user"];
        if let Some(team) = user["defaultTeamId"].as_str()
            && let Some(scope) = self.try_team(team).await?
        {
            return Ok(Some(scope));
        }
        let name = user["username"].as_str().unwrap_or_default();
        let mut until: Option<i64> = None;
        for _ in 0..MOST_PAGES {
            let call = Call::get("list teams", "/v2/teams")
                .ask("limit", "20")
                .ask_some("until", until.map(|until| until.to_string()));
            let page = self.ask(call).await?;
            if let Some(team) = own_team(&page, name)
                && let Some(scope) = self.try_team(team).await?
            {
                return Ok(Some(scope));
            }
            let next = page["pagination"]["next"].as_i64();
            if next.is_none() || next == until {
                break;
            }
            until = next;
        }
        if name.is_empty() {
            return Ok(None);
        }
        self.try_team(name).await
    }

    /// `None`: these credentials cannot use the team.
    async fn try_team(&self, team: &str) -> Result<Option<Scope>, ScopeProblem> {
        let key = if team.starts_with("team_") {
            "teamId"
        } else {
            "slug"
        };
        let call = Call::get("get project", "/v2/projects")
            .segment(self.project.as_raw())
            .ask(key, team);
        let team = TeamId::new(team);
        match self.client.object(call).await {
            Ok(_) => Ok(Some(Scope {
                team: Some(team),
                project: Some(self.project.clone()),
            })),
            Err(failure) => match failure.status() {
                Some(402 | 403) => Ok(None),
                Some(404) => Err(ScopeProblem::Missing(Missing::Project {
                    team,
                    project: self.project.clone(),
                })),
                _ => Err(ScopeProblem::Failed(failure)),
            },
        }
    }

    async fn ask(&self, call: Call) -> Result<Value, ScopeProblem> {
        let answer = self.client.object(call).await;
        Ok(answer.map_err(ScopeProblem::Failed)?.value)
    }
}

/// Of a page the hobby teams that the person owns: the one named like the person, else the one changed last.
fn own_team<'a>(page: &'a Value, name: &str) -> Option<&'a str> {
    let teams = page["teams"].as_array()?.iter().filter(|team| {
        team["membership"]["role"] == "OWNER"
            && team["billing"]["plan"] == "hobby"
            && team["id"].is_string()
    });
    let rank = |team: &&Value| (team["slug"] == name, team["updatedAt"].as_i64());
    teams.max_by_key(rank)?["id"].as_str()
}
