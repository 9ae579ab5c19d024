//! Snapshots: list, get (api.md §2.10).

use super::answer::Answered;
use super::call::Call;
use super::client::Client;
use crate::model::request::ListOfSandbox;
use crate::model::{Failure, Page, Snapshot, SnapshotId};
use serde::Deserialize;

impl Client {
    /// One page, of one sandbox or of the whole project.
    pub async fn list_snapshots(
        &self,
        asked: &ListOfSandbox,
    ) -> Result<Answered<Page<Snapshot>>, Failure> {
        let call = Call::get("list snapshots", "/v2/sandboxes/snapshots")
            .project("project", self.scope())
            .of_sandbox(asked);
        self.page(call, "snapshots", true).await
    }

    pub async fn get_snapshot(&self, id: &SnapshotId) -> Result<Answered<Snapshot>, Failure> {
        #[derive(Deserialize)]
        struct OfSnapshot {
            snapshot: Snapshot,
        }
        let call = Call::get("get snapshot", "/v2/sandboxes/snapshots").id(id);
        Ok(self.fetch::<OfSnapshot>(call).await?.map(|of| of.snapshot))
    }
}
