//! An answer whose bytes are counted on their way out, for the access log.

use super::super::access::Entry;
use axum::body::{Body, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// As long as the answer it holds: its length stays told.
pub(super) struct Watched {
    answer: Body,
    entry: Entry,
    /// It told its end; an answer of known length may be left before that.
    at_end: bool,
}

impl Watched {
    pub fn new(answer: Body, entry: Entry) -> Self {
        Self {
            answer,
            entry,
            at_end: false,
        }
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.answer).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                self.entry.sent(bytes);
            }
            Poll::Ready(None) => self.at_end = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.at_end || self.answer.is_end_stream() {
            self.entry.whole();
        }
    }
}
