//! Sandboxes: list, get, create, update, delete (api.md §2.1–§2.5).

use super::answer::Answered;
use super::call::Call;
use super::client::Client;
use crate::model::request::{CreateSandbox, ListSandboxes, ListStatus, SortBy, UpdateSandbox};
use crate::model::{Failure, Foreign, Page, Sandbox, SandboxAnswer, SandboxName};
use reqwest::Method;
use serde::Deserialize;

/// Whether a get may boot a stopped sandbox, which bills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    No,
    Yes,
}

impl Client {
    /// One page. Refuses combinations that the service refuses (api.md §2.1), before they cost a request.
    pub async fn list_sandboxes(
        &self,
        asked: &ListSandboxes,
    ) -> Result<Answered<Page<Sandbox>>, Failure> {
        let sort_by = asked.sort_by.unwrap_or(SortBy::CreatedAt);
        let refused = if asked.name_prefix.is_some() && sort_by != SortBy::Name {
            Some("a name prefix goes only with sorting by name")
        } else if asked.status.is_some() && sort_by != SortBy::CreatedAt {
            Some("a status filter goes only with sorting by creation")
        } else {
            None
        };
        let tag = asked
            .tag
            .as_ref()
            .map(|(key, value)| format!("{key}:{value}"));
        let call = Call::get("list sandboxes", "/v2/sandboxes")
            .project("project", self.scope())
            .limit(asked.limit)
            .ask_some("sortBy", asked.sort_by.map(sort_word))
            .order(asked.ascending)
            .ask_some("namePrefix", asked.name_prefix.as_deref())
            .ask_some("status", asked.status.map(status_word))
            .ask_some("cursor", asked.cursor.as_ref().map(Foreign::as_raw))
            .ask_some("tags", tag)
            .refuse(refused);
        self.page(call, "sandboxes", false).await
    }

    /// [`Resume::Yes`] boots a stopped sandbox: it may take long, and must not be sent twice.
    pub async fn get_sandbox(
        &self,
        name: &SandboxName,
        resume: Resume,
    ) -> Result<Answered<SandboxAnswer>, Failure> {
        let call = self.sandbox(Method::GET, "get sandbox", name);
        let call = match resume {
            Resume::No => call.ask("resume", "false"),
            Resume::Yes => call.ask("resume", "true").slow(),
        };
        self.fetch(call).await
    }

    /// A legacy runtime takes the v2 call, everything else v3. The project of the scope stands in for an absent one.
    pub async fn create_sandbox(
        &self,
        wanted: &CreateSandbox,
    ) -> Result<Answered<SandboxAnswer>, Failure> {
        let mut wanted = wanted.clone();
        wanted.project_id = wanted.project_id.or_else(|| self.scope().project.clone());
        let path = match wanted.runtime {
            Some(_) => "/v2/sandboxes",
            None => "/v3/sandboxes",
        };
        let both = wanted.runtime.is_some() && wanted.image.is_some();
        let call = Call::post("create sandbox", path)
            .body(&wanted)
            .slow()
            .refuse(both.then_some("a sandbox has a runtime or an image, not both"));
        self.fetch(call).await
    }

    /// Only the fields present change; never resumes.
    pub async fn update_sandbox(
        &self,
        name: &SandboxName,
        change: &UpdateSandbox,
    ) -> Result<Answered<SandboxAnswer>, Failure> {
        let call = self.sandbox(Method::PATCH, "update sandbox", name);
        self.fetch(call.body(change)).await
    }

    /// Stops it first where it runs. Its snapshots stay unless `delete_orphans`.
    pub async fn delete_sandbox(
        &self,
        name: &SandboxName,
        delete_orphans: bool,
    ) -> Result<Answered<Sandbox>, Failure> {
        #[derive(Deserialize)]
        struct Deleted {
            sandbox: Sandbox,
        }
        let call = self
            .sandbox(Method::DELETE, "delete sandbox", name)
            .ask_some("deleteOrphanSnapshots", delete_orphans.then_some("true"))
            .slow();
        let answer = self.fetch::<Deleted>(call).await?;
        Ok(answer.map(|deleted| deleted.sandbox))
    }

    fn sandbox(&self, method: Method, call: &'static str, name: &SandboxName) -> Call {
        Call::new(call, method, "/v2/sandboxes")
            .name(name)
            .project("projectId", self.scope())
    }
}

fn sort_word(by: SortBy) -> &'static str {
    match by {
        SortBy::CreatedAt => "createdAt",
        SortBy::Name => "name",
        SortBy::StatusUpdatedAt => "statusUpdatedAt",
        SortBy::CurrentSnapshotId => "currentSnapshotId",
    }
}

fn status_word(status: ListStatus) -> &'static str {
    match status {
        ListStatus::Running => "running",
        ListStatus::Stopping => "stopping",
        ListStatus::Stopped => "stopped",
    }
}
