//! The command line, and what its help says.

use super::headless::{PlayArguments, ShellArguments};
use super::help;
use super::serve::ServeArguments;
use crate::agents::Format;
use crate::model::Span;
use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;
use std::path::PathBuf;

/// See what your Vercel sandboxes do, and stop them.
///
/// Without credentials sandtop starts its own local engine, which runs sandboxes as processes of this machine behind the
/// service's API.
#[derive(Debug, Parser)]
#[command(name = "sandtop", version, after_help = help::EXAMPLES, args_conflicts_with_subcommands = true)]
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
    #[command(after_help = help::LS_EXAMPLES)]
    Ls(LsArguments),
    /// Tell what sandtop finds here, and what is in its way
    #[command(after_help = help::DOCTOR_HELP)]
    Doctor(DoctorArguments),
    /// Stop what runs in sandboxes; persistent ones keep their files in a snapshot
    #[command(after_help = help::DEED_HELP)]
    Stop(StopArguments),
    /// Delete sandboxes, running or not
    #[command(after_help = help::DEED_HELP)]
    Rm(RmArguments),
    /// Give running sandboxes more time
    #[command(after_help = help::DEED_HELP)]
    Extend(ExtendArguments),
    /// Run a command in a sandbox and show what it prints
    #[command(after_help = help::RUN_HELP)]
    Run(RunArguments),
    /// Print what commands print, from the start, and follow it
    #[command(after_help = help::TAIL_HELP)]
    Tail(TailArguments),
    /// Read what a coding agent printed, or its session file: steps, state, tokens and money
    #[command(after_help = help::READ_HELP)]
    Read(ReadArguments),
    /// Open a shell in a sandbox, in this terminal
    #[command(after_help = help::SHELL)]
    Shell(ShellArguments),
    /// Play a recording of a terminal, such as `shell --record` makes
    #[command(after_help = help::PLAY)]
    Play(PlayArguments),
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
    /// Read it as a coding agent's run: steps and state instead of lines; of one sandbox
    #[arg(long, conflicts_with_all = ["all", "include", "exclude"])]
    pub agent: bool,
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// No colours, also on a terminal
    #[arg(long)]
    pub no_color: bool,
}

#[derive(Debug, Args)]
pub struct ReadArguments {
    /// What it printed on standard output, or its session file; `-`: standard input
    pub file: PathBuf,
    /// What it printed on standard error
    #[arg(long, value_name = "FILE")]
    pub stderr: Option<PathBuf>,
    /// It has ended, with this exit code
    #[arg(long, value_name = "CODE", allow_hyphen_values = true)]
    pub exit: Option<i64>,
    /// Read it as this format, whatever it looks like
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub format: Option<Format>,
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

fn format(word: &str) -> Result<Format, String> {
    let words: Vec<&str> = Format::all().map(Format::word).collect();
    Format::from_word(word).ok_or_else(|| format!("the formats are {}", words.join(", ")))
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
pub(super) fn variable(text: &str) -> Result<(String, SecretString), &'static str> {
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
            "sandtop shell",
            "sandtop play",
            "sandtop play a.cast --speed 0",
            "sandtop shell box sh",
            "sandtop shell box --env =x",
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
