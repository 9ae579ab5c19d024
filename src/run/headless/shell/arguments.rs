//! The command line of `sandtop shell`.

use super::super::super::args::{ConnectionArguments, SettingsArguments, variable};
use clap::Args;
use secrecy::SecretString;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ShellArguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    #[command(flatten)]
    pub settings: SettingsArguments,
    /// Name of the sandbox
    pub name: String,
    /// Where it begins [default: the session's own directory]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<String>,
    /// A variable for it, as KEY=VALUE; KEY alone takes the value it has here
    #[arg(long, value_name = "KEY[=VALUE]", value_parser = variable)]
    pub env: Vec<(String, SecretString)>,
    /// As root
    #[arg(long)]
    pub sudo: bool,
    /// Boot a sandbox that has stopped, which is billed
    #[arg(long)]
    pub resume: bool,
    /// Record what is shown, to a new file (asciicast)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// The command and its arguments, in place of a shell
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}
