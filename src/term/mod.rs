//! Level 2, pure: a terminal emulator behind a small face: bytes to cells and replies, keys to bytes.
