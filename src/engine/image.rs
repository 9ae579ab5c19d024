//! Names of images. The engine runs this machine's own system and says so elsewhere; the name is stored and
//! told in the service's form, `<repository>@sha256:<digest>`.

use super::refusal::Refusal;
use super::rules;
use crate::model::Foreign;
use serde_json::Value;

pub(super) const DEFAULT: &str = "vercel/sandbox/universal:latest";
const REGISTRY: &str = "vcr.vercel.com/";

/// `repo`, `repo:tag`, `repo@sha256:…` or any of them behind the vendor's registry (api.md §2.2).
pub(super) fn rule(field: &str, value: &Value) -> Result<Foreign, Refusal> {
    let name = rules::short_text(field, value)?;
    pinned(&name).ok_or_else(|| {
        let rule = "must be a repository, `repository:tag` or `repository@sha256:<64 hex digits>`";
        Refusal::field(field, rule)
    })
}

/// The name with a digest; `None` when it is no name of an image.
pub(super) fn pinned(name: &str) -> Option<Foreign> {
    let name = name.strip_prefix(REGISTRY).unwrap_or(name);
    if let Some((repository, digest)) = name.split_once("@sha256:") {
        let hex = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return (hex && is_path(repository)).then(|| Foreign::from(name));
    }
    let (repository, tag) = name.split_once(':').unwrap_or((name, "latest"));
    let fits = is_path(repository) && is_word(tag);
    fits.then(|| Foreign::from(format!("{repository}@sha256:{}", digest(repository, tag))))
}

fn is_path(text: &str) -> bool {
    text.split('/').all(is_word)
}

fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

/// Stands for the digest of an image that is not there: the same for the same name and tag, nothing more.
fn digest(repository: &str, tag: &str) -> String {
    (0_u64..4)
        .map(|part| {
            // FNV-1a, 64 bits.
            let bytes = repository.bytes().chain([b':']).chain(tag.bytes());
            let hash = bytes.fold(0xcbf2_9ce4_8422_2325 ^ part, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            format!("{hash:016x}")
        })
        .collect()
}
