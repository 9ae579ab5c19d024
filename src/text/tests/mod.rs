//! Tests of this folder, a file a subject.

mod ansi;
mod cast;
mod clean;
mod export;
mod figures;
mod fitting;
mod json;
mod level;
mod packed;
mod replay;
mod scan;
mod search;
mod spill;
mod store;
mod weave;
