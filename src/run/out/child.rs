//! Small programs that take text and end soon: clipboards, and questions to tmux.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// A program that takes longer hangs. Generous: it may be given megabytes.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST_ANSWER: u64 = 4096;

/// Gives it what `write` writes, and waits for its end. It may leave a process behind, as clipboards of X11 do: that
/// is in a group of its own, so that it outlives this terminal.
///
/// # Errors
/// When it is not there, fails, or does not end.
pub fn feed(
    words: &[&str],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send,
) -> io::Result<()> {
    let mut child = command(words)?
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()?;
    let stdin = child.stdin.take();
    thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.map_or(Ok(()), |mut stdin| write(&mut stdin)));
        let ended = wait(&mut child);
        let written = writer.join().unwrap_or(Ok(()));
        match ended? {
            status if status.success() => written,
            status => Err(io::Error::other(status.to_string())),
        }
    })
}

/// What it says, without blanks around it; nothing if it says nothing or cannot.
pub fn answer(words: &[&str]) -> Option<String> {
    let mut child = command(words)
        .ok()?
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let ended = wait(&mut child).ok()?;
    let mut said = String::new();
    let mut out = child.stdout.take()?.take(MOST_ANSWER);
    out.read_to_string(&mut said).ok()?;
    ended.success().then(|| said.trim().to_owned())
}

fn command(words: &[&str]) -> io::Result<Command> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).stderr(Stdio::null());
    Ok(command)
}

/// Kills it when it does not end in time.
fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let process = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let mut watched = [PollFd::new(&process, PollFlags::IN)];
    let patience = Timespec::try_from(PATIENCE).map_err(io::Error::other)?;
    if poll(&mut watched, Some(&patience))? == 0 {
        child.kill()?;
    }
    child.wait()
}
