//! What nobody needs any more is removed: files of sessions that are over and of snapshots that nothing is built
//! upon. What cannot be removed costs room, nothing else; the next start tries again.

use super::command::logs_of;
use super::refusal::Refusal;
use super::start::layer_of;
use super::state::Engine;
use crate::model::{SessionId, SnapshotId};
use std::sync::Arc;

impl Engine {
    /// Removes what a dead engine left on disk: nothing runs yet.
    pub async fn sweep(self: &Arc<Self>) -> Result<(), Refusal> {
        let known = self.store.with(|records| records.layers())?;
        let known = known.iter().filter_map(layer_of).collect();
        if let Err(error) = self.ground.sweep(known).await {
            tracing::warn!("{error}");
        }
        Ok(())
    }

    /// Waits until what was written down would survive a loss of power.
    pub(super) async fn sync(self: &Arc<Self>) {
        let engine = Arc::clone(self);
        let synced = tokio::task::spawn_blocking(move || engine.store.sync()).await;
        if let Ok(Err(error)) = synced {
            tracing::warn!("{error}");
        }
    }

    /// Removes, while others go on, the files of snapshots that nothing is built upon any more.
    pub(super) fn clear_soon(self: &Arc<Self>) {
        let engine = Arc::clone(self);
        tokio::spawn(async move { engine.clear_layers().await });
    }

    async fn clear_layers(self: &Arc<Self>) {
        let _alone = self.clearing.lock().await;
        let idle = match self.store.with(|records| records.idle_layers()) {
            Ok(idle) if idle.is_empty() => return,
            Ok(idle) => idle,
            Err(error) => return tracing::warn!("looking for files of deleted snapshots: {error}"),
        };
        // No snapshot may come back without its files.
        self.sync().await;
        for id in &idle {
            self.clear_layer(id).await;
        }
    }

    pub(super) async fn clear_layer(&self, id: &SnapshotId) {
        let Some(layer) = layer_of(id) else { return };
        let cleared = match self.ground.remove_layer(&layer).await {
            Ok(()) => self
                .store
                .with(|records| records.forget_layer(id))
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = cleared {
            tracing::warn!("removing the files of {id:?}: {error}");
        }
    }

    /// Removes what is left of a session on disk.
    pub(super) async fn discard(&self, id: &SessionId) {
        if let Err(error) = self.ground.discard(id.as_raw()).await {
            tracing::warn!("{id:?}: {error}");
        }
        self.discard_logs(id).await;
    }

    pub(super) async fn discard_logs(&self, id: &SessionId) {
        let logs = logs_of(&self.logs, id);
        match tokio::fs::remove_dir_all(&logs).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!("cannot remove {}: {error}", logs.display());
            }
            _ => {}
        }
    }
}
