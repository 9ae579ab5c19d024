//! Level 8, edge: what touches the world on behalf of the rest. For now the engine as a command of its own.

pub mod serve;
