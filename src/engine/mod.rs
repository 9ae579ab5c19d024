//! Level 4, edge: the embedded engine, an HTTP server speaking the service's API (api.md) over real processes.
//!
//! A request passes the gate (`http/gate.rs`), finds its path (`http/mod.rs`), is read by rules that name the
//! field they refuse (`fields`, `rules`, `settings`, `query`), and is carried out by [`Engine`](state::Engine):
//! `start` makes sandboxes and boots sessions (`fork` by the example of another), `stop` ends both, `update` changes
//! them, `command` runs programs in them and `output` keeps what they print, `shell` runs them in terminals, `policy`
//! says which have a network, `files` writes and reads files in them (`spool` holds what comes in; `fetch` brings what
//! a new one starts with), `snapshot` keeps their files for as long as `retention` says, `clearing` removes what nobody
//! needs. Who asks is in `accounts`, what they may have in `plan`, what it would cost in `billing`; `import` brings
//! records from a file. Records are in `store`; files and processes of sessions are cells (`cell`). Time comes from a
//! [`Clock`] that tests can move by hand.

mod access;
mod accounts;
mod billing;
pub mod cell;
mod clearing;
mod clock;
mod command;
mod facts;
mod fault;
mod fetch;
mod fields;
mod files;
mod fork;
mod http;
mod image;
mod import;
mod lock;
mod names;
mod ndjson;
mod options;
mod output;
mod plan;
mod policy;
mod preload;
mod query;
mod refusal;
mod retention;
mod rules;
mod secret;
mod serve;
mod settings;
mod shell;
mod snapshot;
mod snapshot_tree;
mod source;
mod spool;
mod start;
mod state;
mod stop;
mod update;

pub use access::access_log;
pub use clock::{Clock, ManualClock};
pub use fault::{FaultRule, RuleError};
pub use import::ImportError;
pub use lock::{Discovery, discover};
pub use options::Options;
pub use plan::Plan;
pub use preload::preload;
pub use serve::{Running, ServeError, serve};
