//! Tests of the core's small parts; the plan and the tail have their own beside them.

mod deadlines;
mod keys;
mod launch;
mod order;
mod overlay;
mod retry;
mod words;
mod world;
