//! Whom to talk to: decided from the arguments and from the credentials that lie around, before anything is drawn.

use super::args::ConnectionArguments;
use super::clock::Clock;
use super::complaint::Complaint;
use super::places;
use crate::api::{
    Credentials, DEFAULT_BASE, Flags, Found, Missing, Options, Patience, Scope, Skipped, Source,
    Surroundings, find,
};
use crate::logic::Backend;
use crate::model::Id;
use crate::text::{clean, clean_str};
use secrecy::ExposeSecret;
use std::fmt::Write;
use std::path::PathBuf;

const LOCAL_HINT: &str = "`sandtop --local` uses the local engine instead.";

#[derive(Clone)]
pub enum Wanted {
    /// The engine of that data directory.
    Local(PathBuf),
    Remote(Box<Remote>),
}

/// The service, or a server that speaks like it.
#[derive(Clone)]
pub struct Remote {
    /// As given; `None` = the service.
    api_url: Option<String>,
    flags: Flags,
    credentials: Credentials,
}

/// # Errors
/// What is missing or contradicts itself, in sentences.
pub fn choose(arguments: &ConnectionArguments, demo: bool) -> Result<Wanted, Complaint> {
    if arguments.local || demo {
        return local(arguments);
    }
    // A variable that is set to nothing is not set.
    let api_url = arguments.api_url.clone().filter(|url| !url.is_empty());
    let (flags, found) = look(arguments);
    match decide(found, arguments.remote || api_url.is_some())? {
        Some(credentials) => Ok(Wanted::Remote(Box::new(Remote {
            api_url,
            flags,
            credentials,
        }))),
        None => local(arguments),
    }
}

/// What was given, and all that lies around.
pub fn look(arguments: &ConnectionArguments) -> (Flags, Found) {
    let token = arguments.token.clone();
    let flags = Flags {
        token: token.filter(|token| !token.expose_secret().is_empty()),
        team: arguments.team.as_deref().map(Id::new),
        project: arguments.project.as_deref().map(Id::new),
    };
    let found = find(&flags, &surroundings());
    (flags, found)
}

/// The credentials to use; `None` = the local engine. What was found and cannot be used is said, never passed over.
fn decide(found: Found, remote: bool) -> Result<Option<Credentials>, Complaint> {
    let mut sentence = match found.credentials {
        Some(credentials) => return Ok(Some(credentials)),
        None if !found.skipped.is_empty() => {
            String::from("There are credentials, but none that can be used.")
        }
        None if remote => String::from(
            "There are no credentials: give --token, set VERCEL_TOKEN, or log in with the Vercel CLI.",
        ),
        None => return Ok(None),
    };
    for Skipped { source, why } in &found.skipped {
        let _ = write!(sentence, "\n  {}: {why}", place(source));
    }
    if !remote {
        let _ = write!(sentence, "\n{LOCAL_HINT}");
    }
    Err(Complaint::new(&sentence))
}

/// What to say when the service was asked for team and project, in vain.
pub fn complain(missing: &Missing) -> Complaint {
    let about = match missing {
        Missing::Team => String::new(),
        Missing::Refused(team) => format!("Team {}: ", team.as_raw()),
        Missing::Project { team, project } => {
            format!("Team {}, project {}: ", team.as_raw(), project.as_raw())
        }
    };
    Complaint::new(&format!("{about}{}.\n{LOCAL_HINT}", missing.sentence()))
}

fn local(arguments: &ConnectionArguments) -> Result<Wanted, Complaint> {
    places::data_dir(arguments.data_dir.clone()).map(Wanted::Local)
}

fn surroundings() -> Surroundings {
    Surroundings::of_this_process(Clock::start().now().wall)
}

/// Where something was found, in words.
pub fn place(source: &Source) -> String {
    match source {
        Source::Flag => "the command line".to_owned(),
        Source::Variable { name, file: None } => format!("{name} of the environment"),
        Source::Variable {
            name,
            file: Some(file),
        } => format!("{name} in {}", file.display()),
        Source::Token => "the token's claims".to_owned(),
        Source::File(path) => path.display().to_string(),
        Source::Service => "the service".to_owned(),
    }
}

impl Remote {
    pub fn options(&self) -> Options {
        Options {
            base: self
                .api_url
                .clone()
                .unwrap_or_else(|| DEFAULT_BASE.to_owned()),
            token: self.credentials.token.value.clone(),
            origin: self.credentials.origin(),
            scope: self.credentials.scope(),
            patience: Patience::default(),
        }
    }

    /// Only the service itself knows people, teams and their default projects.
    pub fn infers_scope(&self) -> bool {
        self.api_url.is_none()
    }

    /// Reads the credentials again; whether they are others.
    pub fn reread(&mut self) -> bool {
        let Some(now) = find(&self.flags, &surroundings()).credentials else {
            return false;
        };
        let secret = |credentials: &Credentials| credentials.token.value.expose_secret().to_owned();
        let changed =
            secret(&now) != secret(&self.credentials) || now.scope() != self.credentials.scope();
        self.credentials = now;
        changed
    }

    pub fn backend(&self, scope: &Scope) -> Backend {
        let url = self.api_url.as_deref().unwrap_or(DEFAULT_BASE);
        // Host and port; never a password that stands before them.
        let host = match reqwest::Url::parse(url) {
            Ok(url) => {
                let host = url.host_str().unwrap_or_default();
                url.port()
                    .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
            }
            Err(_) => "an API URL that is none".to_owned(),
        };
        Backend {
            name: clean_str(&host),
            isolation: None,
            team: scope.team.as_ref().map(|team| clean(team.as_foreign())),
            project: scope
                .project
                .as_ref()
                .map(|project| clean(project.as_foreign())),
            local: false,
            owned: false,
        }
    }
}

impl Wanted {
    /// What the header says before anything answered.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Local(_) => Backend {
                name: "local engine".into(),
                local: true,
                ..Backend::default()
            },
            Self::Remote(remote) => remote.backend(&remote.credentials.scope()),
        }
    }
}
