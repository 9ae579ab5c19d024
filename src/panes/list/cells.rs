//! What a column says of a sandbox, as text; the headless list says the same.

use crate::logic::Column;
use crate::model::{Clean, Foreign, Mount, MountMode, Sandbox, Timestamp};
use crate::text::{clean, clean_str, figures, say};

/// The service's default where the field is absent (api.md §3.1).
const DEFAULT_REGION: &str = "iad1";
/// Hexadecimal digits of an image's digest that are shown.
const DIGEST: usize = 12;

/// `–` for what is not known.
pub fn text(sandbox: &Sandbox, column: Column, service_now: Timestamp) -> Clean {
    let ago = |time: Option<Timestamp>| figures::ago(time.map(|time| service_now.since(time)));
    let or_unknown = |text: Option<Clean>| text.unwrap_or_else(|| figures::UNKNOWN.into());
    match column {
        Column::Name => clean(sandbox.name.as_foreign()),
        Column::Status => or_unknown(
            sandbox
                .status
                .as_ref()
                .map(|status| clean_str(status.word())),
        ),
        Column::Left => {
            let deadline = sandbox.expires_at.filter(|_| sandbox.is_running());
            figures::left(deadline.map(|deadline| deadline.since(service_now)))
        }
        // Need the session and the commands, which the list does not tell.
        Column::Cost | Column::Agent => figures::UNKNOWN.into(),
        Column::Created => ago(sandbox.created_at),
        Column::Changed => ago(sandbox.status_updated_at),
        Column::Region => sandbox.region.as_ref().map_or(DEFAULT_REGION.into(), clean),
        Column::Memory => figures::memory_mb(sandbox.memory),
        Column::Vcpus => figures::number(sandbox.vcpus),
        Column::Image => or_unknown(
            sandbox
                .image
                .as_ref()
                .or(sandbox.runtime.as_ref())
                .map(image),
        ),
        Column::Cpu => figures::duration(sandbox.total_active_cpu_duration_ms),
        Column::Egress => figures::bytes(sandbox.total_egress_bytes),
        Column::Ingress => figures::bytes(sandbox.total_ingress_bytes),
        Column::Snapshot => or_unknown(
            sandbox
                .current_snapshot_id
                .as_ref()
                .map(|id| clean(id.as_foreign())),
        ),
        Column::Mounts => listed(
            sandbox
                .mounts
                .iter()
                .flatten()
                .map(|(path, mount)| mounted(path, mount)),
        ),
        Column::Tags => listed(
            sandbox
                .tags
                .iter()
                .flatten()
                .map(|(name, value)| say(format_args!("{}:{}", clean(name), clean(value)))),
        ),
    }
}

/// A digest is cut: nobody reads 64 digits.
fn image(image: &Foreign) -> Clean {
    let image = clean(image);
    let Some((name, digest)) = image.as_str().split_once("sha256:") else {
        return image;
    };
    match digest.get(..DIGEST) {
        Some(start) if digest.len() > DIGEST => say(format_args!("{name}sha256:{start}…")),
        _ => image,
    }
}

fn mounted(path: &Foreign, mount: &Mount) -> Clean {
    let mode = match &mount.mode {
        None | Some(MountMode::ReadWrite) => "read-write".into(),
        Some(MountMode::Snapshot) => "snapshot".into(),
        Some(MountMode::ReadOnly) => "read-only".into(),
        Some(MountMode::Other(word)) => clean(word),
    };
    say(format_args!(
        "{}:{}:{mode}",
        clean(&mount.drive),
        clean(path)
    ))
}

fn listed(parts: impl Iterator<Item = Clean>) -> Clean {
    let parts: Vec<Clean> = parts.collect();
    let words: Vec<&str> = parts.iter().map(Clean::as_str).collect();
    if words.is_empty() {
        figures::UNKNOWN.into()
    } else {
        say(format_args!("{}", words.join(", ")))
    }
}
