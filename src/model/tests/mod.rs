//! Facts read, kept and written: the documented examples, odd answers, and hostile input.

mod fixtures;
mod hostile;
mod shell;
mod text;
