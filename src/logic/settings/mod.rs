//! What a user may set, in two files: `config.toml` and `keys.toml`. Here their text is read; finding the files is not.

mod complaint;
pub(super) mod document;

pub use complaint::{Complaint, Complaints, nearest};
