//! Whether anybody reads standard output any more.

use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::oneshot;

/// As a program that dies of a pipe without a reader.
pub const UNREAD: u8 = 141;

/// Comes back when the other end of standard output is gone, even while there is nothing to write; into a file never.
pub async fn unread() {
    let (gone, heard) = oneshot::channel();
    let wait = move || {
        let output = rustix::stdio::stdout();
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut watched, None) == Err(rustix::io::Errno::INTR) {}
        let _ = gone.send(());
    };
    let watching = std::thread::Builder::new()
        .name("reader".into())
        .spawn(wait);
    // Without the thread it shows with the next byte that is written.
    if watching.is_err() || heard.await.is_err() {
        std::future::pending::<()>().await;
    }
}
