//! A notice on the desktop, by the program that the system has for it.

use crate::model::{Clean, Foreign};
use std::process::Stdio;
use tokio::process::Command;
use tokio::time::{Duration, timeout};

/// A desktop that does not answer is waited for no longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// # Errors
/// Why not, in a sentence.
pub async fn tell(sentence: &Clean) -> Result<(), Foreign> {
    let mut command = command(sentence);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null()).kill_on_drop(true);
    let program = command
        .as_std()
        .get_program()
        .to_string_lossy()
        .into_owned();
    match timeout(PATIENCE, command.status()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("{program} ended with {status}").into()),
        Ok(Err(error)) => Err(format!("{program} cannot be started: {error}").into()),
        Err(_) => Err(format!("{program} does not end").into()),
    }
}

/// The sentence is an argument, never a part of a script.
fn command(sentence: &Clean) -> Command {
    let mut command;
    if cfg!(target_os = "macos") {
        command = Command::new("osascript");
        for line in [
            "on run words",
            "display notification (item 1 of words) with title \"sandtop\"",
            "end run",
        ] {
            command.args(["-e", line]);
        }
        command.arg("--");
    } else {
        command = Command::new("notify-send");
        // As the summary: a body would be read as markup.
        command.args(["--app-name=sandtop", "--"]);
    }
    command.arg(sentence.as_str());
    command
}
