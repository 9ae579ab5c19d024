//! What an engine is started with.

use super::Plan;
use super::cell::Level;
use super::fault::FaultRule;
use secrecy::SecretString;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug)]
pub struct Options {
    /// A loopback address; port 0 = any free one.
    pub listen: SocketAddr,
    /// What clients must present; nothing = a new random one.
    pub token: Option<SecretString>,
    /// Where records, files of sandboxes and logs are. One engine at a time.
    pub data_dir: PathBuf,
    /// This program, to be started inside the sandboxes.
    pub agent: PathBuf,
    /// How sandboxes are kept apart; `None` = as well as this machine allows.
    pub level: Option<Level>,
    /// Records to begin with.
    pub import: Option<PathBuf>,
    /// What clients may have at once.
    pub plan: Plan,
    /// Requests a minute; more are refused. `None` = as many as come.
    pub rate_limit: Option<u32>,
    /// A line for each request on standard error, without secrets.
    pub log_requests: bool,
    /// What goes wrong on request; chance is drawn from the seed.
    pub faults: Vec<FaultRule>,
    pub fault_seed: u64,
}
