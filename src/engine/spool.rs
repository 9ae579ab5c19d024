//! A file on disk for what comes in over the network and is too much for memory. It has no name, so it is gone with
//! whoever holds it.

use super::names;
use super::refusal::Refusal;
use axum::body::Bytes;
use futures_util::{Stream, StreamExt};
use std::fs::{File, remove_file};
use std::io::{self, ErrorKind};
use std::path::Path;
use tokio::io::AsyncWriteExt;

/// The largest body that is taken, in bytes: the largest disk of the service.
const LARGEST: u64 = 64 << 30;

/// Takes all of `pieces`. What is refused half-way is still read to its end: only then does a client that is sending
/// see why.
pub(super) async fn take<E: std::error::Error>(
    dir: &Path,
    pieces: impl Stream<Item = Result<Bytes, E>>,
) -> Result<File, Refusal> {
    let mut pieces = std::pin::pin!(pieces);
    let mut file = match open(dir) {
        Ok(file) => Ok(tokio::fs::File::from_std(file)),
        Err(error) => Err(not_kept(&error)),
    };
    let mut got: u64 = 0;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| {
            Refusal::bad_request(format!("the body broke off after {got} bytes: {error}"))
        })?;
        got += piece.len() as u64;
        if got > LARGEST {
            return Err(Refusal::too_large("the body has more than 64 GiB"));
        }
        if let Ok(kept) = &mut file
            && let Err(error) = kept.write_all(&piece).await
        {
            file = Err(not_kept(&error));
        }
    }
    let mut file = file?;
    file.flush().await.map_err(|error| not_kept(&error))?;
    Ok(file.into_std().await)
}

fn open(dir: &Path) -> io::Result<File> {
    let path = dir.join(names::id("in"));
    let mut options = File::options();
    let file = options
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    remove_file(path)?;
    Ok(file)
}

fn not_kept(error: &io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Refusal::disk_full(format!("no room on the disk for the upload: {error}"))
        }
        _ => Refusal::internal("keeping what was sent", error),
    }
}
