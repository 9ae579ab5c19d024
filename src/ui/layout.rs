//! Where the parts of the screen go.
//!
//! ```text
//! wide (side wanted)        medium                compact: the slot with the keys
//! header                    header                header
//! list         │ side       list                  list, side or stage
//! ─────────────┴──────      ──────────
//! stage                     stage                 footer
//! footer                    footer
//! ```
//! Where there is no room beside the list, the side takes the list's place while it has the keys: nothing is
//! unreachable at any usable size.

use super::text::{self, label};
use super::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A part of the dashboard that holds a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    List,
    Side,
    Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// The slot with the keys.
    pub focus: Slot,
    /// The slot with the keys takes all.
    pub zoom: bool,
    /// There is a pane for the side.
    pub side: bool,
    /// Percent of the height for the upper part; kept within what both parts need.
    pub upper: u16,
    /// Lines that the upper part has use for: of its share it takes no more, but for [`UPPER_LEAST`].
    pub most: u16,
}

/// A slot that is not on screen has no area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    pub header: Rect,
    pub list: Option<Rect>,
    pub side: Option<Rect>,
    pub stage: Option<Rect>,
    pub footer: Rect,
}

/// The screen is smaller than [`USABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall;

/// Columns and lines below which only a sentence is drawn.
pub const USABLE: (u16, u16) = (24, 6);
const SIDE_FROM: u16 = 110;
const SIDE_MIN: u16 = 36;
/// Lines a slot needs beside another one: frame, titles and some rows.
const SLOT_MIN: u16 = 7;
/// However few rows there are: frame, titles and three rows, so that a first few do not move the lower part.
pub const UPPER_LEAST: u16 = 6;

impl Places {
    pub fn of(&self, slot: Slot) -> Option<Rect> {
        match slot {
            Slot::List => self.list,
            Slot::Side => self.side,
            Slot::Stage => self.stage,
        }
    }
}

pub fn arrange(area: Rect, wants: Wants) -> Result<Places, TooSmall> {
    if area.width < USABLE.0 || area.height < USABLE.1 {
        return Err(TooSmall);
    }
    let header = Rect { height: 1, ..area };
    let footer = Rect {
        y: area.bottom() - 1,
        height: 1,
        ..area
    };
    let body = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    let mut places = Places {
        header,
        list: None,
        side: None,
        stage: None,
        footer,
    };
    let focus = if wants.focus == Slot::Side && !wants.side {
        Slot::List
    } else {
        wants.focus
    };
    if wants.zoom || body.height < 2 * SLOT_MIN {
        *slot_mut(&mut places, focus) = Some(body);
        return Ok(places);
    }
    let upper = upper_lines(body.height, wants);
    let top = Rect {
        height: upper,
        ..body
    };
    places.stage = Some(Rect {
        y: body.y + upper,
        height: body.height - upper,
        ..body
    });
    if wants.side && area.width >= SIDE_FROM {
        let side = (area.width / 3).max(SIDE_MIN);
        places.list = Some(Rect {
            width: top.width - side,
            ..top
        });
        places.side = Some(Rect {
            x: top.right() - side,
            width: side,
            ..top
        });
    } else {
        let slot = if focus == Slot::Side {
            Slot::Side
        } else {
            Slot::List
        };
        *slot_mut(&mut places, slot) = Some(top);
    }
    Ok(places)
}

/// What is drawn instead when the screen is too small.
pub fn draw_too_small(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    let sentence = [label("Too small for sandtop: it needs 24x6.", Role::Warn)];
    for (line, pieces) in area.rows().zip(text::wrap(&sentence, area.width)) {
        text::draw(buffer, line, theme, &pieces);
    }
}

/// The area in the middle, of that size where it fits.
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// Its share, within what both parts need and what it has use for.
fn upper_lines(body: u16, wants: Wants) -> u16 {
    share(body, wants.upper)
        .clamp(SLOT_MIN, body - SLOT_MIN)
        .min(wants.most.max(UPPER_LEAST))
}

fn slot_mut(places: &mut Places, slot: Slot) -> &mut Option<Rect> {
    match slot {
        Slot::List => &mut places.list,
        Slot::Side => &mut places.side,
        Slot::Stage => &mut places.stage,
    }
}

fn share(of: u16, percent: u16) -> u16 {
    u16::try_from(u32::from(of) * u32::from(percent.min(100)) / 100).unwrap_or(of)
}
