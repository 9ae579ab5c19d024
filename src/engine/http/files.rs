//! Calls about files (api.md §2.9).

use super::super::cell::Opened;
use super::super::fields::Fields;
use super::super::refusal::Refusal;
use super::super::state::Live;
use super::super::{rules, spool};
use super::{App, Segments, to_the_end};
use crate::model::SessionId;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::io::AsyncReadExt;

/// Where to unpack; an absolute path.
const CWD: HeaderName = HeaderName::from_static("x-cwd");
const CHUNK: usize = 256 * 1024;

pub(super) async fn write(
    State(engine): App,
    Segments(session): Segments<SessionId>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Refusal> {
    let pieces = body.into_data_stream();
    let into = match engine
        .accepting(&session)
        .and_then(|live| directory(&headers, &live))
    {
        Ok(into) => into,
        Err(refusal) => {
            // A client that is sending sees the answer only when all is sent.
            pieces.for_each(async |_| {}).await;
            return Err(refusal);
        }
    };
    let archive = spool::take(&engine.spool, pieces).await?;
    to_the_end(async move { engine.unpack(&session, into, archive).await }).await?;
    Ok(Json(json!({})))
}

fn directory(headers: &HeaderMap, live: &Live) -> Result<String, Refusal> {
    let Some(value) = headers.get(CWD) else {
        return Ok(live.cell.cwd().to_owned());
    };
    match std::str::from_utf8(value.as_bytes()) {
        Ok(path) if path.starts_with('/') => Ok(path.to_owned()),
        _ => Err(Refusal::field("x-cwd", "must be an absolute path")),
    }
}

pub(super) async fn make_directory(
    State(engine): App,
    Segments(session): Segments<SessionId>,
    fields: Fields,
) -> Result<Json<Value>, Refusal> {
    engine.accepting(&session)?;
    let path = fields.need("path", rules::path)?;
    let cwd = fields.get("cwd", rules::path)?;
    let recursive = fields.get("recursive", rules::flag)?.unwrap_or_default();
    let make = async move { engine.make_directory(&session, path, cwd, recursive).await };
    to_the_end(make).await?;
    Ok(Json(json!({})))
}

pub(super) async fn read(
    State(engine): App,
    Segments(session): Segments<SessionId>,
    fields: Fields,
) -> Result<Response, Refusal> {
    engine.accepting(&session)?;
    let path = fields.need("path", rules::path)?;
    let cwd = fields.get("cwd", rules::path)?;
    let disposition = disposition(&path);
    let (live, opened) = engine.open(&session, path, cwd).await?;
    let size = opened.size;
    let mut headers = HeaderMap::from_iter([
        (
            CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        ),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    if size > 0 {
        headers.insert(CONTENT_LENGTH, size.into());
    }
    let content = stream::try_unfold(Content::new(live, opened), Content::next);
    Ok((headers, Body::from_stream(content)).into_response())
}

/// A file on its way to a client: its bytes as they were when it was opened, as many if it only grew.
struct Content {
    live: Arc<Live>,
    file: tokio::fs::File,
    left: u64,
    /// The kernel's own files do not say how long they are.
    known: bool,
}

impl Content {
    fn new(live: Arc<Live>, opened: Opened) -> Self {
        let known = opened.size > 0;
        Self {
            live,
            file: tokio::fs::File::from_std(opened.file),
            left: if known { opened.size } else { u64::MAX },
            known,
        }
    }

    /// Breaks off when the file became shorter, or the session has ended.
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        let room = usize::try_from(self.left).map_or(CHUNK, |left| left.min(CHUNK));
        if room == 0 {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(room);
        let mut rest = (&mut self.file).take(self.left);
        let got = tokio::select! {
            got = rest.read_buf(&mut bytes) => got?,
            () = self.live.cell.gone() => return Err(io::ErrorKind::ConnectionAborted.into()),
        };
        match got {
            0 if self.known => Err(io::ErrorKind::UnexpectedEof.into()),
            0 => Ok(None),
            _ => {
                self.left -= got as u64;
                Ok(Some((bytes.into(), self)))
            }
        }
    }
}

/// The file's name, for who saves it.
fn disposition(path: &str) -> HeaderValue {
    let name = Path::new(path).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let plain =
        |letter: char| letter == ' ' || letter.is_ascii_graphic() && !"\"\\%".contains(letter);
    let ascii = name.replace(|letter| !plain(letter), "_");
    let mut value = format!("attachment; filename=\"{ascii}\"");
    if ascii != name {
        value.push_str("; filename*=UTF-8''");
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                value.push(char::from(byte));
            } else {
                value.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::disposition;

    #[test]
    fn a_name_is_told_so_that_no_header_breaks() {
        let told = [
            ("/a/b.txt", "attachment; filename=\"b.txt\""),
            ("a b", "attachment; filename=\"a b\""),
            (
                "/x/a\"\r\nż",
                "attachment; filename=\"a____\"; filename*=UTF-8''a%22%0D%0A%C5%BC",
            ),
            ("/", "attachment; filename=\"\""),
        ];
        for (path, wanted) in told {
            assert_eq!(disposition(path), wanted, "{path:?}");
        }
    }
}
