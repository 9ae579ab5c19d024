//! Calls into the emulator crate that may panic: the panic ends there and costs nobody else anything.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread, now, would be caught and survived: the panic hook leaves such a one alone, because
/// the program goes on and its terminal must stay as it is.
pub fn is_expected_panic() -> bool {
    INSIDE.get()
}

/// `None` if the work panicked. What it changed is then of unknown state: throw it away.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    INSIDE.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(false);
    done.ok()
}
