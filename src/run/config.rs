//! `sandtop config` and `sandtop keys`: the settings without a screen.

use super::args::{ConfigArguments, ConfigCommand, SettingsArguments};
use super::complaint::Complaint;
use super::settings::SettingsFiles;
use super::{FAILED, fail, places, write_out};
use crate::app::report;
use crate::logic::settings::{Config, DEFAULT_CONFIG};
use std::fmt::Write;
use std::io::{self, Write as _};
use std::process::ExitCode;

pub fn config(arguments: ConfigArguments) -> ExitCode {
    let mut files = files(arguments.settings);
    match arguments.command {
        ConfigCommand::Path => path(&files),
        ConfigCommand::Print => print(DEFAULT_CONFIG),
        ConfigCommand::Check => {
            let wrong = complaints(&files.read());
            let code = print(&wrong);
            if wrong.is_empty() || code != ExitCode::SUCCESS {
                return code;
            }
            ExitCode::from(FAILED)
        }
    }
}

/// The table goes to standard output, and what is wrong in the files beside it.
pub fn keys(arguments: SettingsArguments) -> ExitCode {
    let config = files(arguments).read();
    let _ = io::stderr().write_all(complaints(&config).as_bytes());
    print(&report::keys(&config.keymap))
}

fn print(text: &str) -> ExitCode {
    match write_out(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(
            FAILED,
            &Complaint::new(&format!("The output cannot be written: {error}.")),
        ),
    }
}

fn files(arguments: SettingsArguments) -> SettingsFiles {
    SettingsFiles::of(places::config_dir(arguments.config_dir))
}

fn path(files: &SettingsFiles) -> ExitCode {
    let Some(paths) = files.paths() else {
        let sentence =
            "There is no home directory to keep settings in: name one with --config-dir.";
        return fail(FAILED, &Complaint::new(sentence));
    };
    let lines = paths.map(|path| format!("{}\n", path.display()));
    print(&lines.concat())
}

/// A line each.
fn complaints(config: &Config) -> String {
    let mut lines = String::new();
    for complaint in &config.complaints {
        let _ = writeln!(lines, "{}", complaint.sentence());
    }
    lines
}
