//! Output that the loop has not taken yet: bounded, so that a flood stops in the sandbox and not in our memory.

use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of one shell between the wire and the loop.
const MOST: usize = 256 << 10;

#[derive(Clone)]
pub struct Credit(Arc<Semaphore>);

/// Bytes that give their room back when the last one who has them is done.
struct Held {
    bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Credit {
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// Waits for room. A piece that is larger than all of the room waits for all of it.
    pub async fn hold(&self, bytes: Bytes) -> Bytes {
        let weight = u32::try_from(bytes.len().min(MOST)).unwrap_or(u32::MAX);
        match Arc::clone(&self.0).acquire_many_owned(weight).await {
            Ok(room) => Bytes::from_owner(Held { bytes, _room: room }),
            // Nobody closes it.
            Err(_) => bytes,
        }
    }
}
