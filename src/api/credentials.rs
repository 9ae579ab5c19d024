//! The token, team and project to work with, and where each was found (api.md §1.3, §1.4).

use super::claims::{Claims, seconds};
use super::link;
use super::options::{Scope, TokenOrigin};
use super::surroundings::{Surroundings, Variables, read};
use crate::model::{Id, ProjectId, TeamId, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::path::PathBuf;

/// What the command line names, or the program's own variables that stand for it. Empty is absent.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    pub token: Option<SecretString>,
    pub team: Option<TeamId>,
    pub project: Option<ProjectId>,
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Flag,
    /// A variable of the environment, or of a dotenv file.
    Variable {
        name: &'static str,
        file: Option<PathBuf>,
    },
    /// The claims of the token.
    Token,
    /// The Vercel CLI's `auth.json`, the project link `.vercel/project.json`, or a dotenv file as a whole.
    File(PathBuf),
    /// The service was asked.
    Service,
}

#[derive(Clone, Debug)]
pub struct Sourced<T> {
    pub value: T,
    pub source: Source,
}

/// Something that was found and passed over, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub source: Source,
    pub why: &'static str,
}

#[derive(Clone, Debug)]
pub struct Credentials {
    pub token: Sourced<SecretString>,
    pub team: Option<Sourced<TeamId>>,
    pub project: Option<Sourced<ProjectId>>,
}

/// No credentials and nothing skipped means that this person has no account here.
#[derive(Clone, Debug)]
pub struct Found {
    pub credentials: Option<Credentials>,
    pub skipped: Vec<Skipped>,
}

impl Credentials {
    /// Only a flag names a token for whatever host is called.
    pub fn origin(&self) -> TokenOrigin {
        match self.token.source {
            Source::Flag => TokenOrigin::Given,
            _ => TokenOrigin::Found,
        }
    }

    /// What is known so far; [`super::infer`] asks the service for the rest.
    pub fn scope(&self) -> Scope {
        Scope {
            team: self.team.as_ref().map(|team| team.value.clone()),
            project: self.project.as_ref().map(|project| project.value.clone()),
        }
    }
}

/// Looks in every place, in order: flags, `VERCEL_TOKEN`, `VERCEL_AUTH_TOKEN`, `VERCEL_OIDC_TOKEN` (each in the
/// environment, then in `.env.local`, then in `.env`), the Vercel CLI's `auth.json`. Reads files, writes none.
pub fn find(flags: &Flags, around: &Surroundings) -> Found {
    let (variables, unreadable) = around.variables();
    let mut skipped: Vec<Skipped> = unreadable
        .into_iter()
        .map(|(path, why)| Skipped {
            source: Source::File(path),
            why,
        })
        .collect();
    let token = token(flags, around, &variables, &mut skipped);
    let credentials = token.map(|token| {
        let mut places = places(flags, &token, &variables, &mut skipped);
        skipped.extend(link::fill_in(&mut places, &around.cwd));
        let (team, project) = places;
        Credentials {
            token,
            team,
            project,
        }
    });
    Found {
        credentials,
        skipped,
    }
}

fn token(
    flags: &Flags,
    around: &Surroundings,
    variables: &Variables,
    skipped: &mut Vec<Skipped>,
) -> Option<Sourced<SecretString>> {
    // A token read from a file often brings its newline along.
    let flag = flags
        .token
        .as_ref()
        .map(|token| token.expose_secret().trim());
    if let Some(token) = flag.filter(|token| !token.is_empty()) {
        return Some(Sourced {
            value: token.into(),
            source: Source::Flag,
        });
    }
    for name in ["VERCEL_TOKEN", "VERCEL_AUTH_TOKEN", "VERCEL_OIDC_TOKEN"] {
        let Some(variable) = variables.get(name) else {
            continue;
        };
        let source = Source::Variable {
            name,
            file: variable.file,
        };
        let claims = Claims::of(&variable.value);
        let why = match claims.as_ref() {
            None if name == "VERCEL_OIDC_TOKEN" => Some("it is no OIDC token"),
            Some(claims) if expired(claims.expires_at, around.now) => {
                Some("the token has expired: `vercel env pull` fetches a new one")
            }
            _ => None,
        };
        match why {
            Some(why) => skipped.push(Skipped { source, why }),
            None => {
                return Some(Sourced {
                    value: variable.value.into(),
                    source,
                });
            }
        }
    }
    around.auth_files().into_iter().find_map(|path| {
        let told = auth_file(&path, around.now).transpose()?;
        let source = Source::File(path);
        match told {
            Ok(value) => Some(Sourced { value, source }),
            Err(why) => {
                skipped.push(Skipped { source, why });
                None
            }
        }
    })
}

/// The token of the Vercel CLI. It is not refreshed: that is the CLI's own affair, and its file is not ours to write.
fn auth_file(path: &std::path::Path, now: Timestamp) -> Result<Option<SecretString>, &'static str> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let auth: Value = serde_json::from_str(&text).map_err(|_| "the file is not JSON")?;
    let Some(token) = auth["token"].as_str().filter(|token| !token.is_empty()) else {
        // So it looks after a logout.
        return Ok(None);
    };
    if expired(seconds(&auth["expiresAt"]), now) {
        return Err("the login has expired: any command of the Vercel CLI renews it");
    }
    Ok(Some(token.into()))
}

pub(super) type Places = (Option<Sourced<TeamId>>, Option<Sourced<ProjectId>>);

/// Claims beat flags for the team, as the service goes by them; for the project a flag beats them (api.md §1.3).
fn places(
    flags: &Flags,
    token: &Sourced<SecretString>,
    variables: &Variables,
    skipped: &mut Vec<Skipped>,
) -> Places {
    let claims = Claims::of(token.value.expose_secret());
    let (team, project) = match claims {
        Some(claims) => (Some(claims.team), claims.project),
        None => (None, None),
    };
    if let (Some(own), Some(flag)) = (&team, given(flags.team.as_ref()))
        && *own != flag
    {
        skipped.push(Skipped {
            source: Source::Flag,
            why: "the token belongs to another team than the one given, and the service goes by the token",
        });
    }
    let team = sourced(team, Source::Token)
        .or_else(|| sourced(given(flags.team.as_ref()), Source::Flag))
        .or_else(|| variable(variables, "VERCEL_TEAM_ID"));
    let project = sourced(given(flags.project.as_ref()), Source::Flag)
        .or_else(|| sourced(project, Source::Token))
        .or_else(|| variable(variables, "VERCEL_PROJECT_ID"));
    (team, project)
}

fn given<K: Clone>(flag: Option<&Id<K>>) -> Option<Id<K>> {
    flag.filter(|id| !id.as_raw().is_empty()).cloned()
}

fn variable<K>(variables: &Variables, name: &'static str) -> Option<Sourced<Id<K>>> {
    let variable = variables.get(name)?;
    Some(Sourced {
        value: Id::new(variable.value),
        source: Source::Variable {
            name,
            file: variable.file,
        },
    })
}

fn sourced<T>(value: Option<T>, source: Source) -> Option<Sourced<T>> {
    value.map(|value| Sourced { value, source })
}

fn expired(at: Option<Timestamp>, now: Timestamp) -> bool {
    at.is_some_and(|at| at <= now)
}
