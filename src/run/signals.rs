//! What comes from outside the terminal: signals, and the end of the terminal itself.

use super::Control;
use super::terminal::Terminal;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, getpgid, getpid, getsid, kill_process, kill_process_group};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;

/// The loop has this long to end in order after a signal: it may hang in a terminal that takes no bytes.
const PATIENCE: Duration = Duration::from_secs(3);

/// Sends what arrives to the loop, for the rest of the program's life.
///
/// # Errors
/// When the system refuses a handler.
pub fn watch(control: &UnboundedSender<Control>, terminal: &Arc<Terminal>) -> io::Result<()> {
    for kind in [
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
    ] {
        let mut arrived = signal(kind)?;
        let (control, terminal) = (control.clone(), Arc::clone(terminal));
        tokio::spawn(async move {
            let status = 128 + kind.as_raw_value();
            while arrived.recv().await.is_some() {
                let typed = kind == SignalKind::interrupt() || kind == SignalKind::quit();
                if typed && terminal.is_lent() {
                    continue;
                }
                // The second one, while the rest ends in order: that can wait no longer.
                if !terminal.is_ours() && !terminal.is_lent() {
                    std::process::exit(status);
                }
                let _ = control.send(Control::Signal(kind.as_raw_value()));
                tokio::time::sleep(PATIENCE).await;
                if terminal.is_ours() {
                    terminal.leave();
                    std::process::exit(status);
                }
            }
        });
    }
    pass_on(Signal::TSTP, || Control::Suspend, control)?;
    pass_on(Signal::CONT, || Control::Continued, control)?;
    watch_terminal(control.clone())
}

fn pass_on(
    signal: Signal,
    news: fn() -> Control,
    control: &UnboundedSender<Control>,
) -> io::Result<()> {
    let mut arrived = tokio::signal::unix::signal(SignalKind::from_raw(signal.as_raw()))?;
    let control = control.clone();
    tokio::spawn(
        async move { while arrived.recv().await.is_some() && control.send(news()).is_ok() {} },
    );
    Ok(())
}

/// A terminal that was closed sends no signal to a program that was told to survive that, or that is not its
/// foreground job. Nothing wakes this thread but the end.
fn watch_terminal(control: UnboundedSender<Control>) -> io::Result<()> {
    let wait = move || {
        let input = rustix::stdio::stdin();
        loop {
            let mut watched = [PollFd::new(&input, PollFlags::empty())];
            match poll(&mut watched, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(0) => {}
                _ => break,
            }
        }
        let _ = control.send(Control::TerminalGone);
    };
    std::thread::Builder::new()
        .name("terminal".into())
        .spawn(wait)?;
    Ok(())
}

/// Whether a shell is there that would continue us.
pub fn can_suspend() -> bool {
    match (getpgid(None), getsid(None)) {
        (Ok(group), Ok(session)) => group != session,
        _ => false,
    }
}

/// Stops the rest of the job too, as the terminal does for a Ctrl-Z: a wrapper must not wait for a stopped child.
/// Our own handler hears it as well.
pub fn stop_job() {
    let group = getpgid(None);
    let _ = group.and_then(|group: Pid| kill_process_group(group, Signal::TSTP));
}

/// Stops this process until it is continued. The stop may take effect a moment after the call.
pub fn stop_self() {
    let _ = kill_process(getpid(), Signal::STOP);
}
