//! Tests of this folder, a file a subject.

mod clean;
mod figures;
mod fitting;
