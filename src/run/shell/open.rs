//! The way to an open shell: asked for, found healthy, connected.

use super::super::connection::Connection;
use super::super::effects::nobody_listens;
use super::Desk;
use super::frame::start_frame;
use crate::api::{Invitation, Shell};
use crate::logic::{ShellId, ShellNews, ShellStart};
use crate::model::Failure;
use std::time::Duration;

/// Before the second look at its health and each further one, in milliseconds; each grows by a random part, up to
/// twice (api.md §5.2).
const WAITS: [u64; 5] = [100, 200, 400, 800, 1600];

pub async fn open(desk: &mut Desk, id: ShellId, start: &ShellStart) -> Result<Shell, Failure> {
    let client = match desk.link.settled().await {
        Connection::Ready(client) => client,
        Connection::Failed(failure) => return Err(failure),
    };
    let invited = client.invite_to_shell(&start.session).await;
    if invited.as_ref().is_err_and(nobody_listens) {
        desk.link.doubt();
    }
    let invitation = invited?.value;
    desk.tell(id, ShellNews::Asked).await;
    healthy(&invitation).await?;
    desk.tell(id, ShellNews::Healthy).await;
    let shell = invitation.accept(&start_frame(start)).await?;
    desk.tell(id, ShellNews::Open).await;
    Ok(shell)
}

async fn healthy(invitation: &Invitation) -> Result<(), Failure> {
    for wait in WAITS {
        if invitation.health().await.is_ok() {
            return Ok(());
        }
        let wait = wait + fastrand::u64(0..=wait);
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
    invitation.health().await
}
