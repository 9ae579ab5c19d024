//! The tree of snapshots, walked from one of them up to its root or down its newest branch (api.md §2.10).

use super::refusal::Refusal;
use super::state::Engine;
use crate::model::{Foreign, ProjectId, SnapshotId, SnapshotTreeNode};
use crate::store::{Records, SnapshotRecord, StoreError};
use std::sync::Arc;

/// Siblings told of one snapshot; how many there are is told in any case.
const MOST_SIBLINGS: usize = 10;

/// A stretch of the tree. The anchor is not among the nodes.
pub(super) struct Stretch {
    pub anchor: SnapshotTreeNode,
    /// Nearest to the anchor first.
    pub nodes: Vec<SnapshotTreeNode>,
    /// Where the next stretch starts from.
    pub next: Option<SnapshotId>,
}

impl Engine {
    /// At most `limit` snapshots: those that `anchor` is built upon, or with `down` those built upon it.
    pub fn snapshot_tree(
        self: &Arc<Self>,
        project: Option<&ProjectId>,
        anchor: &SnapshotId,
        down: bool,
        limit: usize,
    ) -> Result<Stretch, Refusal> {
        self.expire_snapshots()?;
        self.store.with(|records| {
            let project = project
                .map(|called| records.project_id(called))
                .transpose()?;
            let found = records.snapshot(anchor)?;
            let anchor = found
                .filter(|snapshot| project.is_none_or(|project| snapshot.project == project))
                .ok_or_else(|| Refusal::unknown("snapshot", anchor.as_raw()))?;
            let mut nodes = Vec::new();
            let mut at = step(records, &anchor, down)?;
            while let Some(snapshot) = at.take_if(|_| nodes.len() < limit) {
                at = step(records, &snapshot, down)?;
                nodes.push(node(records, snapshot)?);
            }
            let last: Option<&SnapshotTreeNode> = nodes.last();
            let next = at.and(last.map(|node| node.snapshot.id.clone()));
            Ok(Stretch {
                anchor: node(records, anchor)?,
                nodes,
                next,
            })
        })
    }
}

/// The parent, or the newest child.
fn step(
    records: &Records<'_>,
    from: &SnapshotRecord,
    down: bool,
) -> Result<Option<SnapshotRecord>, StoreError> {
    if down {
        return Ok(records.children(&from.fact.id, 1)?.pop());
    }
    match &from.fact.parent_id {
        Some(parent) => records.snapshot(parent),
        None => Ok(None),
    }
}

/// A snapshot among the others of its parent. A root stands alone.
fn node(records: &Records<'_>, snapshot: SnapshotRecord) -> Result<SnapshotTreeNode, StoreError> {
    let snapshot = snapshot.fact;
    let (siblings, count) = match &snapshot.parent_id {
        Some(parent) => {
            let mut siblings = records.children(parent, MOST_SIBLINGS + 1)?;
            siblings.retain(|sibling| sibling.fact.id != snapshot.id);
            siblings.truncate(MOST_SIBLINGS);
            (siblings, records.count_children(parent)?)
        }
        None => (Vec::new(), 1),
    };
    Ok(SnapshotTreeNode {
        siblings: siblings.into_iter().map(|sibling| sibling.fact).collect(),
        count: Some(Foreign::from(count.to_string())),
        snapshot,
    })
}
