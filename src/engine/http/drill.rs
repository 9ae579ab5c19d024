//! Where faults on request befall answers: behind the gate, around everything else.

use super::super::access::Remark;
use super::super::fault::{Answer, Break, Drill, Fault, Refused};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fastrand::Rng;
use http_body::{Body as HttpBody, Frame, SizeHint};
use serde_json::json;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

pub(super) async fn strike(
    State(drill): State<Arc<Drill>>,
    request: Request,
    next: Next,
) -> Response {
    let Some((fault, random)) = drill.strikes(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let Fault { delay, answer } = fault;
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    let mut response = match answer {
        Some(Answer::Refused(refused)) => refuse(refused),
        Some(Answer::Broken { after, by }) => next.run(request).await.map(|whole| {
            Body::new(Broken {
                whole,
                left: after,
                by,
                random,
                flushed: false,
            })
        }),
        None => next.run(request).await,
    };
    response
        .extensions_mut()
        .insert(Remark("a fault on request".into()));
    response
}

fn refuse(refused: Refused) -> Response {
    let code = refused.code.as_deref().unwrap_or("fault_on_request");
    let message = refused
        .message
        .as_deref()
        .unwrap_or("this engine was asked to fail here");
    let body = json!({"error": {"code": code, "message": message}});
    let mut response = (refused.status, Json(body)).into_response();
    if let Some(seconds) = refused.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// An answer that is right up to a byte. Its length is told as if it were whole.
struct Broken {
    whole: Body,
    /// Bytes that are still right.
    left: u64,
    by: Break,
    random: Rng,
    /// What was right is on its way.
    flushed: bool,
}

type Polled = Poll<Option<Result<Frame<Bytes>, axum::Error>>>;

impl HttpBody for Broken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        if self.left == 0 && self.by != Break::Garbage {
            return self.stop(context);
        }
        let polled = Pin::new(&mut self.whole).poll_frame(context);
        let Poll::Ready(Some(Ok(frame))) = polled else {
            return polled;
        };
        Poll::Ready(Some(Ok(frame.map_data(|data| self.spoil(data)))))
    }

    fn size_hint(&self) -> SizeHint {
        self.whole.size_hint()
    }
}

impl Broken {
    /// What is let through of it.
    fn spoil(&mut self, mut data: Bytes) -> Bytes {
        let right = usize::try_from(self.left).map_or(data.len(), |left| left.min(data.len()));
        self.left -= right as u64;
        if self.by != Break::Garbage {
            return data.split_to(right);
        }
        let mut spoilt = data.to_vec();
        self.random.fill(&mut spoilt[right..]);
        spoilt.into()
    }

    fn stop(&mut self, context: &Context<'_>) -> Polled {
        if self.by == Break::Stall {
            // Nobody wakes this up: it ends when the client leaves.
            return Poll::Pending;
        }
        if !std::mem::replace(&mut self.flushed, true) {
            // The server sends what it has while there is nothing new; after an error it sends nothing more.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Some(Err(axum::Error::new(io::Error::other(
            "a fault on request",
        )))))
    }
}
