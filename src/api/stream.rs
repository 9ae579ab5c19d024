//! A command's output as it arrives (api.md §6.2, §6.3).

use super::answer::text;
use super::asked::Asked;
use super::ndjson::Decoder;
use crate::model::{Failure, LogObject};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

/// An open stream. Dropping it closes the connection; the command is not touched.
pub struct LogStream {
    response: Response,
    decoder: Decoder,
    asked: Asked,
    ended: bool,
}

impl LogStream {
    pub(super) fn new(response: Response, asked: Asked) -> Result<Self, Failure> {
        let given = text(response.headers(), CONTENT_TYPE.as_str()).unwrap_or_default();
        let essence = given.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-ndjson") {
            return Err(asked.unreadable(&format!(
                "expected content of type application/x-ndjson, got {given:?}"
            )));
        }
        Ok(Self {
            response,
            decoder: Decoder::default(),
            asked,
            ended: false,
        })
    }

    /// All objects that are complete in what arrived, at least one; `None` at the normal end and ever after. A
    /// stream that breaks off is a failure, never an end. Waits without limit: a command may be silent for hours.
    ///
    /// Safe to drop while it waits: nothing that arrived is lost.
    pub async fn next(&mut self) -> Result<Option<Vec<LogObject>>, Failure> {
        while !self.ended {
            let objects = match self.response.chunk().await {
                Ok(Some(bytes)) => self.decoder.feed(&bytes),
                Ok(None) => {
                    self.ended = true;
                    self.decoder.finish()
                }
                Err(error) => {
                    self.ended = true;
                    return Err(self.asked.cut(error));
                }
            };
            if !objects.is_empty() {
                return Ok(Some(objects));
            }
        }
        Ok(None)
    }
}
