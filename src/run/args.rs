//! The command line, and what its help says.

use super::serve::ServeArguments;
use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sandtop                       with credentials your project's sandboxes, else the local engine
  sandtop --local --demo        sample sandboxes that really run, on this machine; no account
  sandtop --read-only           look, and nothing else
  sandtop ls --json | jq        the running sandboxes, for scripts

Credentials, the first that is found:
  --token or SANDTOP_TOKEN with --team and --project
  VERCEL_TOKEN with VERCEL_TEAM_ID and VERCEL_PROJECT_ID
  VERCEL_AUTH_TOKEN, VERCEL_OIDC_TOKEN
  the login of the Vercel CLI, with .vercel/project.json
Variables are also read from .env.local and .env of the working directory.

Environment:
  SANDTOP_API_URL   as --api-url      SANDTOP_TOKEN   as --token
  SANDTOP_LOG       what sandtop logs about itself to sandtop.log in the data directory (debug, info, ...)
  NO_COLOR          set and not empty: no colours
  HTTPS_PROXY, SSL_CERT_FILE and their like are honoured

Exit codes:
  0  done    1  failed    2  wrong usage, no terminal, or credentials without team and project
  101  a bug in sandtop    128+n  ended by signal n";

const LS_EXAMPLES: &str = "\
Without credentials, or with --local, this asks the local engine that is running; none is started for it.

Exit codes:
  0  listed    1  failed    2  wrong usage, or credentials without team and project";

/// See what your Vercel sandboxes do, and stop them.
///
/// Without credentials sandtop starts its own local engine, which runs sandboxes as processes of this machine behind the
/// service's API.
#[derive(Debug, Parser)]
#[command(name = "sandtop", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub connection: ConnectionArguments,
    /// Offer only what changes nothing
    #[arg(long)]
    pub read_only: bool,
    /// Use the local engine, and create the sample sandboxes in it
    #[arg(long, conflicts_with_all = ["remote", "read_only"])]
    pub demo: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the local engine for others: the official SDK and CLI, or another sandtop
    Serve(ServeArguments),
    /// List the running sandboxes
    #[command(after_help = LS_EXAMPLES)]
    Ls(LsArguments),
}

/// Whom to talk to.
#[derive(Debug, Args)]
pub struct ConnectionArguments {
    /// Use the local engine, whatever credentials there are
    #[arg(long, conflicts_with = "remote")]
    pub local: bool,
    /// Use the service, and fail without credentials
    #[arg(long)]
    pub remote: bool,
    /// Another server that speaks the service's API, such as `sandtop serve`
    #[arg(long, value_name = "URL", env = "SANDTOP_API_URL")]
    pub api_url: Option<String>,
    /// Access token; better given as the environment variable, which other users cannot see
    #[arg(long, env = "SANDTOP_TOKEN", hide_env_values = true)]
    pub token: Option<SecretString>,
    /// Team, by id or slug
    #[arg(long)]
    pub team: Option<String>,
    /// Project, by id or name
    #[arg(long)]
    pub project: Option<String>,
    /// Where the local engine keeps its sandboxes [default: this user's data directory]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LsArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    /// Print JSON: every fact the service told
    #[arg(long)]
    pub json: bool,
    /// Stopped ones too
    #[arg(long)]
    pub all: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn contradictions_are_refused() {
        for line in [
            "sandtop --local --remote",
            "sandtop --demo --remote",
            "sandtop --demo --read-only",
            "sandtop --read-only ls",
            "sandtop ls --nonsense",
        ] {
            assert!(
                Arguments::try_parse_from(line.split(' ')).is_err(),
                "{line}"
            );
        }
    }

    #[test]
    fn a_token_is_not_in_what_is_printed_of_the_arguments() {
        let arguments = Arguments::try_parse_from(["sandtop", "--token", "hush"]).unwrap();
        assert!(!format!("{arguments:?}").contains("hush"));
    }
}
