//! A bar for what is left of something, in eighths of a cell (ASCII: whole cells).

use super::text;
use super::{Role, Theme};
use crate::model::Span;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// 0..=1000.
    permille: u16,
    role: Role,
}

const MINUTE: i64 = 60_000;

impl Gauge {
    /// Of a session's time limit. The warning needs both a small share and little time, so that neither a short
    /// limit nor a long one is always in the red.
    pub fn time_left(left: Span, total: Span) -> Self {
        let permille = share(left.0, total.0);
        let role = match permille {
            0..=100 if left.0 <= 10 * MINUTE => Role::BarBad,
            0..=250 if left.0 <= 30 * MINUTE => Role::BarWarn,
            _ => Role::BarFull,
        };
        Self { permille, role }
    }

    /// For the figure beside the bar.
    pub fn role(self) -> Role {
        match self.role {
            Role::BarBad => Role::Bad,
            Role::BarWarn => Role::Warn,
            _ => Role::Text,
        }
    }

    /// Fills the first line of the area. Something left is never drawn as nothing.
    pub fn draw(self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let steps = theme.glyphs.bar;
        let fine = steps.len().saturating_sub(1);
        let cells = usize::from(area.width);
        let mut filled = (cells * fine * usize::from(self.permille)).div_ceil(1000);
        for x in area.left()..area.right() {
            let here = filled.min(fine);
            filled -= here;
            let role = if here == 0 { Role::BarEmpty } else { self.role };
            let sign = steps.get(here).copied().unwrap_or(" ");
            text::fill(
                buffer,
                Rect {
                    x,
                    width: 1,
                    ..area
                },
                sign,
                theme.style(role),
            );
        }
    }
}

fn share(part: i64, of: i64) -> u16 {
    if part <= 0 {
        return 0;
    }
    if of <= part {
        return 1000;
    }
    // Both fit: 0 < part < of.
    let permille = (i128::from(part) * 1000).div_euclid(i128::from(of)).max(1);
    u16::try_from(permille).unwrap_or(1000)
}
