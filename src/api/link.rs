//! The directory's link to a project: `.vercel/project.json`, as the Vercel CLI writes it (api.md §1.6).

use super::credentials::{Places, Skipped, Source, Sourced};
use super::surroundings::read;
use crate::model::{Id, ProjectId, TeamId};
use serde_json::Value;
use std::path::Path;

struct Link {
    team: TeamId,
    project: ProjectId,
}

/// Fills in what is missing, unless the link is about another team. Says why where it is there and of no use.
pub(super) fn fill_in((team, project): &mut Places, cwd: &Path) -> Option<Skipped> {
    if team.is_some() && project.is_some() {
        return None;
    }
    let path = cwd.join(".vercel").join("project.json");
    let link = link(&path).transpose()?;
    let source = Source::File(path);
    match link {
        Ok(link) if fits(team.as_ref(), &link.team) => {
            team.get_or_insert(Sourced {
                value: link.team,
                source: source.clone(),
            });
            project.get_or_insert(Sourced {
                value: link.project,
                source,
            });
            None
        }
        Ok(_) => Some(Skipped {
            source,
            why: "the directory is linked to a project of another team",
        }),
        Err(why) => Some(Skipped { source, why }),
    }
}

fn link(path: &Path) -> Result<Option<Link>, &'static str> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let link: Value = serde_json::from_str(&text).map_err(|_| "the file is not JSON")?;
    let word = |key: &str| link[key].as_str().filter(|word| !word.is_empty());
    match (word("orgId"), word("projectId")) {
        (Some(team), Some(project)) => Ok(Some(Link {
            team: Id::new(team),
            project: Id::new(project),
        })),
        _ => Err("the link lacks `projectId` or `orgId`"),
    }
}

/// A team given by its slug cannot be compared with an id: the person knows.
fn fits(team: Option<&Sourced<TeamId>>, linked: &TeamId) -> bool {
    team.is_none_or(|team| team.value == *linked || !team.value.as_raw().starts_with("team_"))
}
