//! The command line, and what its help says.

use super::serve::ServeArguments;
use crate::model::Span;
use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sandtop                       with credentials your project's sandboxes, else the local engine
  sandtop --local --demo        sample sandboxes that really run, on this machine; no account
  sandtop --read-only           look, and nothing else
  sandtop ls --json | jq        the running sandboxes, for scripts
  sandtop stop web --yes        stop without a screen; rm, extend and run likewise
  sandtop tail web              what its newest command prints, as it comes

Settings: config.toml and keys.toml; `sandtop config path` says where, `sandtop config print` and `sandtop keys` what.

Credentials, the first that is found:
  --token or SANDTOP_TOKEN with --team and --project
  VERCEL_TOKEN with VERCEL_TEAM_ID and VERCEL_PROJECT_ID
  VERCEL_AUTH_TOKEN, VERCEL_OIDC_TOKEN
  the login of the Vercel CLI, with .vercel/project.json
Variables are also read from .env.local and .env of the working directory.

Environment:
  SANDTOP_API_URL   as --api-url      SANDTOP_TOKEN   as --token      SANDTOP_CONFIG_DIR   as --config-dir
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

const DOCTOR_HELP: &str = "\
Credentials are told by the name of their place, never by their value. It asks the service for one page of the list,
starts no engine, and changes nothing but a directory to try the isolation in, which it clears again.

Exit codes:
  0  usable    1  something is in the way    2  wrong usage";

const DEED_HELP: &str = "\
Prints a line for each name on standard output, as it comes; with --json an object a line: name, deed, result (done,
refused, failed, unknown) and why. A sandbox that was made anew or runs in another session since it was looked up is
left alone.

Exit codes:
  0  done to all of them    1  not to all, or the answer was no
  2  wrong usage, credentials without team and project, or no terminal to ask in (--yes does not ask)
  130  Ctrl-C: what was sent may still happen";

const RUN_HELP: &str = "\
Standard output and standard error stay apart. Into a file or a pipe they go as the command wrote them; on a terminal
without what does something to it. With --json each piece is an object a line, and the last one tells the exit code.
Ctrl-C leaves the command running, and says where.

Examples:
  sandtop run web -- npm test
  sandtop run web --cwd app --env CI=1 --timeout 10m -- sh -c 'make && make check'
  sandtop run web --detach -- node server.js

Exit codes:
  the command's own    2  wrong usage, credentials without team and project, or no terminal to ask in
  125  it was not run, or its end was not seen    130  Ctrl-C    141  nobody reads the output any more";

const TAIL_HELP: &str = "\
Without --cmd or --all: of each sandbox the newest command that runs, else the newest one. A log is told from its start.
A stream that breaks off is opened again, and what was told already is not told again. Looking is free: nothing is
resumed, and the logs of a sandbox that has stopped are not there any more.

On a terminal colours stay, unless NO_COLOR or --no-color is there, and nothing else that a command may do to it. Into a
file or a pipe the text goes without its control sequences. With several logs each line begins with its source. With
--json a line is an object: time (of its arrival; not of what was written before), sandbox, command, stream, text. The
texts of a command's stream, one after the other, are its bytes; one without a line break at its end was not finished.
What is to be told about a log itself goes to standard error.

Examples:
  sandtop tail web
  sandtop tail web worker --all --include error --exclude healthcheck
  sandtop tail web --cmd cmd_1 --json | jq -j .text

Exit codes:
  one command    its own
  several        0  all ended with 0    1  one of them did not
  125  a log could not be read, or its end was not seen
  2  wrong usage, or credentials without team and project    130  Ctrl-C    141  nobody reads the output any more";

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
    #[command(flatten)]
    pub settings: SettingsArguments,
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
    #[command(after_help = super::serve::HELP)]
    Serve(ServeArguments),
    /// List the running sandboxes
    #[command(after_help = LS_EXAMPLES)]
    Ls(LsArguments),
    /// Tell what sandtop finds here, and what is in its way
    #[command(after_help = DOCTOR_HELP)]
    Doctor(DoctorArguments),
    /// Stop what runs in sandboxes; persistent ones keep their files in a snapshot
    #[command(after_help = DEED_HELP)]
    Stop(StopArguments),
    /// Delete sandboxes, running or not
    #[command(after_help = DEED_HELP)]
    Rm(RmArguments),
    /// Give running sandboxes more time
    #[command(after_help = DEED_HELP)]
    Extend(ExtendArguments),
    /// Run a command in a sandbox and show what it prints
    #[command(after_help = RUN_HELP)]
    Run(RunArguments),
    /// Print what commands print, from the start, and follow it
    #[command(after_help = TAIL_HELP)]
    Tail(TailArguments),
    /// Say where the settings are, what they may be, and what is wrong in them
    Config(ConfigArguments),
    /// Print the keys as they are bound, as a Markdown table
    Keys(SettingsArguments),
}

/// Where to find the settings.
#[derive(Debug, Args)]
pub struct SettingsArguments {
    /// Where config.toml and keys.toml are [default: this user's configuration directory]
    #[arg(long, value_name = "DIR", env = "SANDTOP_CONFIG_DIR")]
    pub config_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ConfigArguments {
    #[command(flatten)]
    pub settings: SettingsArguments,
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the paths of config.toml and keys.toml, whether or not they exist
    Path,
    /// Print a config.toml with every setting, commented out
    Print,
    /// Say what is wrong in both files; exit code 1 if anything is
    Check,
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

#[derive(Debug, Args)]
pub struct DoctorArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    #[command(flatten)]
    pub settings: SettingsArguments,
}

#[derive(Debug, Args)]
pub struct NamedArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    /// Names of sandboxes
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// Print the results as JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct StopArguments {
    #[command(flatten)]
    pub named: NamedArguments,
}

#[derive(Debug, Args)]
pub struct RmArguments {
    #[command(flatten)]
    pub named: NamedArguments,
    /// Also delete the snapshots that no other sandbox uses; without it all of them stay
    #[arg(long)]
    pub delete_orphan_snapshots: bool,
}

#[derive(Debug, Args)]
pub struct ExtendArguments {
    #[command(flatten)]
    pub named: NamedArguments,
    /// How much more time: 90s, 5m, 1h, 1h30m
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub by: Span,
}

#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    /// Name of the sandbox
    pub name: String,
    /// Where to run it [default: the sandbox's own directory]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<String>,
    /// A variable for the command, as KEY=VALUE; KEY alone takes the value it has here
    #[arg(long, value_name = "KEY[=VALUE]", value_parser = variable)]
    pub env: Vec<(String, SecretString)>,
    /// Run it as root
    #[arg(long)]
    pub sudo: bool,
    /// Kill it after this time: 90s, 5m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Span>,
    /// Print the command's id and leave it running
    #[arg(long)]
    pub detach: bool,
    /// Resume a stopped sandbox, which is billed, without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct TailArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    #[command(flatten)]
    pub settings: SettingsArguments,
    /// Names of sandboxes
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// This command of the one sandbox
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    pub cmd: Option<String>,
    /// All commands, also those that begin later, until the sandboxes have stopped
    #[arg(long)]
    pub all: bool,
    /// Only lines that match: a regular expression, case-insensitive without a capital in it; may be given again
    #[arg(long, value_name = "RE")]
    pub include: Vec<String>,
    /// No lines that match; may be given again
    #[arg(long, value_name = "RE")]
    pub exclude: Vec<String>,
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// No colours, also on a terminal
    #[arg(long)]
    pub no_color: bool,
}

pub(super) fn time(text: &str) -> Result<Span, &'static str> {
    let time: jiff::SignedDuration = text
        .parse()
        .map_err(|_| "a time has a unit: 90s, 5m, 1h30m")?;
    match i64::try_from(time.as_millis()) {
        Ok(ms) if ms >= 1000 => Ok(Span(ms)),
        _ => Err("the time is at least 1s"),
    }
}

/// A value that is not told here does not show in the list of processes.
fn variable(text: &str) -> Result<(String, SecretString), &'static str> {
    let (key, value) = match text.split_once('=') {
        Some((key, value)) => (key, value.to_owned()),
        None => (
            text,
            std::env::var(text).map_err(|_| "this variable is not set here")?,
        ),
    };
    match key.is_empty() {
        true => Err("the variable needs a name"),
        false => Ok((key.to_owned(), value.into())),
    }
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
            "sandtop stop",
            "sandtop rm --yes",
            "sandtop extend box",
            "sandtop extend box --by 5",
            "sandtop extend box --by 10ms",
            "sandtop extend box --by=-5m",
            "sandtop run box",
            "sandtop run box --env =x -- ls",
            "sandtop run box ls",
            "sandtop tail",
            "sandtop tail box --all --cmd cmd_1",
        ] {
            assert!(
                Arguments::try_parse_from(line.split(' ')).is_err(),
                "{line}"
            );
        }
    }

    #[test]
    fn times_are_written_with_their_unit() {
        for (text, ms) in [
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("1h30m", 5_400_000),
        ] {
            assert_eq!(time(text), Ok(Span(ms)), "{text}");
        }
    }

    #[test]
    fn a_token_is_not_in_what_is_printed_of_the_arguments() {
        let arguments = Arguments::try_parse_from(["sandtop", "--token", "hush"]).unwrap();
        assert!(!format!("{arguments:?}").contains("hush"));
    }
}
