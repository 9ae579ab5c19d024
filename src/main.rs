//! Arguments → settings → backend → run; nothing else.

fn main() {}
