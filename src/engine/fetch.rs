//! Fetching what a new sandbox starts with: a repository by git inside it, an archive by the engine.

use super::cell::{Cell, Errand, FileError};
use super::refusal::{Refusal, with_causes};
use super::source::Content;
use super::spool;
use super::state::Engine;
use crate::text::clean_str;
use axum::body::Bytes;
use futures_util::StreamExt;
use reqwest::{Client, Error, Response, Url, redirect};
use rustls::crypto::ring::default_provider;
use std::fs::File;
use std::time::Duration;

/// For all of it.
const LIMIT: Duration = Duration::from_secs(600);
/// Without a single byte.
const SILENCE: Duration = Duration::from_secs(60);
const MOST_REDIRECTS: usize = 10;

impl Engine {
    /// Brings `content` into the home of a cell that nobody uses yet.
    pub(super) async fn fetch(&self, content: &Content, cell: &Cell) -> Result<(), Refusal> {
        let fetched = tokio::time::timeout(LIMIT, async {
            let (errand, archive) = match content {
                Content::Git(repository) => (Errand::Clone(repository.clone()), None),
                Content::Tarball(url) => {
                    let into = cell.cwd().to_owned();
                    (Errand::Unpack { into }, Some(self.download(url).await?))
                }
            };
            let done = cell.errand(errand, archive).await;
            done.map_err(|error| not_there(&error))
        });
        fetched
            .await
            .unwrap_or_else(|_| Err(refused("was not there after ten minutes")))
    }

    async fn download(&self, url: &Url) -> Result<File, Refusal> {
        // No message repeats the address: it may hold a secret.
        let why = |error: Error| {
            refused(format_args!(
                "cannot be fetched: {}",
                with_causes(&error.without_url())
            ))
        };
        let answer = client().map_err(why)?.get(url.clone()).send().await;
        let answer = answer.and_then(Response::error_for_status).map_err(why)?;
        let pieces = answer.bytes_stream();
        spool::take(
            &self.spool,
            pieces.map(|piece: Result<Bytes, Error>| piece.map_err(Error::without_url)),
        )
        .await
    }
}

/// The bytes as the server has them: an archive that is packed stays so.
fn client() -> Result<Client, Error> {
    // Fails only when there is one already.
    let _ = default_provider().install_default();
    Client::builder()
        .user_agent(concat!("sandtop/", env!("CARGO_PKG_VERSION")))
        .gzip(false)
        .referer(false)
        .redirect(redirect::Policy::limited(MOST_REDIRECTS))
        .connect_timeout(SILENCE)
        .read_timeout(SILENCE)
        .build()
}

fn not_there(error: &FileError) -> Refusal {
    match error {
        FileError::Missing(why) | FileError::Refused(why) => {
            refused(format_args!("cannot be used: {}", clean_str(why)))
        }
        FileError::Full(why) => Refusal::disk_full(why.as_str()),
        FileError::Broken(_) | FileError::CellGone => {
            Refusal::internal("fetching the source of the sandbox", error)
        }
    }
}

fn refused(why: impl std::fmt::Display) -> Refusal {
    Refusal::field("source", why)
}
