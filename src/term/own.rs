//! What a program set that the emulator crate does not keep, or not well: keyboard protocols and the scroll region.

use super::modes::KeyboardFlags;
use alacritty_terminal::vte::ansi::{KeyboardModes, KeyboardModesApplyBehavior, ModifyOtherKeys};

/// Entries of one screen's stack of keyboard flags; the oldest falls out.
const DEEPEST: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Own {
    /// Stacks of keyboard flags: of the main and of the alternate screen.
    keyboards: [Vec<u8>; 2],
    pub(super) other_keys: u8,
    /// The scroll region, first row and the row after its last; `None`: the whole screen.
    pub(super) region: Option<(i32, i32)>,
}

impl Own {
    pub(super) fn keyboard(&self, alternate: bool) -> KeyboardFlags {
        let stack = &self.keyboards[usize::from(alternate)];
        KeyboardFlags(stack.last().copied().unwrap_or(0))
    }

    pub(super) fn push_keyboard(&mut self, alternate: bool, flags: KeyboardModes) {
        let stack = &mut self.keyboards[usize::from(alternate)];
        if stack.len() == DEEPEST {
            stack.remove(0);
        }
        stack.push(flags.bits());
    }

    pub(super) fn pop_keyboards(&mut self, alternate: bool, count: u16) {
        let stack = &mut self.keyboards[usize::from(alternate)];
        stack.truncate(stack.len().saturating_sub(usize::from(count)));
    }

    pub(super) fn set_keyboard(
        &mut self,
        alternate: bool,
        flags: KeyboardModes,
        how: KeyboardModesApplyBehavior,
    ) {
        let stack = &mut self.keyboards[usize::from(alternate)];
        let old = stack.pop().unwrap_or(0);
        stack.push(match how {
            KeyboardModesApplyBehavior::Replace => flags.bits(),
            KeyboardModesApplyBehavior::Union => old | flags.bits(),
            KeyboardModesApplyBehavior::Difference => old & !flags.bits(),
        });
    }

    pub(super) fn set_other_keys(&mut self, level: ModifyOtherKeys) {
        self.other_keys = match level {
            ModifyOtherKeys::Reset => 0,
            ModifyOtherKeys::EnableExceptWellDefined => 1,
            ModifyOtherKeys::EnableAll => 2,
        };
    }
}
