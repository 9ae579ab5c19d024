//! Where commands and lines stand: beside each other, one above the other, or only the one with the keys.

use crate::logic::Pane;
use ratatui::layout::Rect;

/// From this width on they stand beside each other: most lines are up to 80 columns long.
const BESIDE: u16 = 100;
/// From this height on there is room for both, one above the other.
const BOTH: u16 = 12;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// Empty when it is not shown.
    pub(super) commands: Rect,
    pub(super) lines: Rect,
}

pub(super) fn places(area: Rect, pane: Pane) -> Places {
    if area.width >= BESIDE {
        let width = (area.width * 2 / 5).clamp(40, 60);
        let commands = Rect { width, ..area };
        let lines = Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        };
        return Places { commands, lines };
    }
    if area.height >= BOTH {
        let height = (area.height / 3).clamp(6, 10);
        let commands = Rect { height, ..area };
        let lines = Rect {
            y: area.y + height,
            height: area.height - height,
            ..area
        };
        return Places { commands, lines };
    }
    let none = Rect {
        width: 0,
        height: 0,
        ..area
    };
    match pane {
        Pane::Lines => Places {
            commands: none,
            lines: area,
        },
        _ => Places {
            commands: area,
            lines: none,
        },
    }
}
