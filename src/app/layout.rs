//! Where things stand on the screen, by its size and by what is open.
//!
//! ```text
//! header
//! ┏ list ━━━━━━━━━━━━━━━━━━━┓
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━┛   In a small terminal, or zoomed, one of the two has the room of both.
//! tabs
//! ┌ stage ──────────────────┐
//! └─────────────────────────┘
//! footer, or a message
//! ```
//!
//! A message takes the footer's line: a sentence that comes and goes never moves a row.

use super::State;
use crate::logic::{Pane, View};
use crate::ui::layout::{Slot, Wants, arrange};
use ratatui::layout::{Rect, Size};

/// The areas of one frame; an empty one is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Areas {
    pub too_small: bool,
    pub header: Rect,
    pub list: Rect,
    pub tabs: Rect,
    pub stage: Rect,
    pub runs: Rect,
    pub activity: Rect,
    pub footer: Rect,
}

impl Areas {
    /// The line between list and stage, where both are on screen: the list's lower border.
    pub(super) fn divider(&self) -> Option<u16> {
        let both = !self.list.is_empty() && !self.tabs.is_empty();
        both.then(|| self.list.bottom() - 1)
    }

    /// The share that puts the list's lower border on that line.
    pub(super) fn share_at(&self, line: u16) -> u16 {
        let body = u32::from(self.list.height + self.tabs.height + self.stage.height);
        let wanted = u32::from(line.saturating_sub(self.list.y) + 1);
        // Rounded up, since the layout rounds down.
        let share = (wanted * 100).div_ceil(body.max(1)).min(100);
        u16::try_from(share).unwrap_or(100)
    }

    pub fn of(state: &State) -> Self {
        let Size { width, height } = state.size;
        let focus = if state.pane == Pane::List {
            Slot::List
        } else {
            Slot::Stage
        };
        let whole = state.zoom || state.view != View::Dashboard;
        // A share that was dragged is meant, however few rows there are.
        let most = if state.list_share == state.settings.list_share {
            state.list.lines(&state.world)
        } else {
            u16::MAX
        };
        let wants = Wants {
            focus,
            zoom: whole,
            side: false,
            upper: state.list_share,
            most,
        };
        let Ok(places) = arrange(Rect::new(0, 0, width, height), wants) else {
            return Self {
                too_small: true,
                ..Self::default()
            };
        };
        let mut areas = Self {
            header: places.header,
            footer: places.footer,
            ..Self::default()
        };
        let stage = places.stage.unwrap_or_default();
        match state.view {
            View::Dashboard => {
                areas.list = places.list.unwrap_or_default();
                areas.tabs = Rect {
                    height: stage.height.min(1),
                    ..stage
                };
                let below = stage.y + areas.tabs.height;
                areas.stage = Rect {
                    y: below,
                    height: stage.height - areas.tabs.height,
                    ..stage
                };
            }
            View::Runs => areas.runs = stage,
            View::Activity => areas.activity = stage,
        }
        areas
    }
}
