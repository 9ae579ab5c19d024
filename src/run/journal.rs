//! What sandtop logs about itself: to a file, on request, from a thread of its own. No secrets, no bodies.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;

/// Names the wanted detail: `debug`, `sandtop=trace,reqwest=info`…
pub const VARIABLE: &str = "SANDTOP_LOG";

/// In the data directory.
pub const FILE: &str = "sandtop.log";

/// Writes `sandtop.log` below the data directory when [`VARIABLE`] is set. Keep the guard: it writes the rest when
/// dropped. A directory that cannot be written leaves no log; that is no reason not to run.
pub fn start(data_dir: &Path) -> Option<WorkerGuard> {
    let wanted = std::env::var(VARIABLE)
        .ok()
        .filter(|wanted| !wanted.is_empty())?;
    // As the engine makes it, which may come later.
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(data_dir)
        .ok()?;
    let file = tracing_appender::rolling::never(data_dir, FILE);
    let (writer, guard) = tracing_appender::non_blocking(file);
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(wanted))
        .with_writer(writer)
        .with_ansi(false)
        .init();
    Some(guard)
}
