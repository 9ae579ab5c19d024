//! The embedded engine: an HTTP server speaking the same API over real processes.

pub mod cell;
