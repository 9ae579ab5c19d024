//! Which run is read, from where, and what of it is in view.

use super::find::Find;
use super::folds::Folds;
use super::kinds::Kinds;
use super::page::{Book, Page, Spot};
use super::typing::Typing;
use crate::agents::{Run, Step};
use crate::logic::{StoreId, World};
use crate::model::{Clean, CommandKey};
use crate::ui::Panel;
use crate::ui::text::Row;
use ratatui::layout::Rect;
use std::collections::HashMap;

/// From this width on there is room beside the conversation.
const WITH_SIDE: u16 = 104;
const SIDE: u16 = 38;
/// Before each row, for the sign of where the reader is.
pub(super) const GUTTER: u16 = 2;

#[derive(Debug, Default)]
pub struct State {
    pub(super) area: Rect,
    pub(super) shown: Option<CommandKey>,
    pub(super) sights: HashMap<CommandKey, Sight>,
    /// Of the run in view, as are the next.
    pub(super) book: Book,
    pub(super) find: Find,
    pub(super) kinds: Kinds,
    pub(super) typing: Option<Typing>,
    /// What became of the last key, until the next one.
    pub(super) note: Option<Clean>,
    pub(super) window: Vec<(Spot, Row)>,
    /// The row that the keys are about.
    pub(super) cursor: Option<Spot>,
}

/// How a run is being read.
#[derive(Debug, Default)]
pub(super) struct Sight {
    pub(super) reading: Reading,
    pub(super) folds: Folds,
    /// The touched file that was gone to last.
    pub(super) file: Option<usize>,
    /// What was seen of it: its lines' store, and its revision.
    pub(super) seen: Option<(StoreId, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Reading {
    /// The newest rows are in view, the reader at the last one.
    #[default]
    Following,
    /// The view begins at `top` whatever comes. Steps from `unseen` on came since.
    Still {
        top: Spot,
        cursor: Spot,
        unseen: usize,
    },
}

impl State {
    /// Where the pane stands.
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }

    /// The conversation's frame, and that of what stands beside it, which may be empty.
    pub(super) fn places(&self) -> (Rect, Rect) {
        let wide = if self.area.width >= WITH_SIDE {
            SIDE
        } else {
            0
        };
        let width = self.area.width - wide;
        let main = Rect { width, ..self.area };
        let side = Rect {
            x: main.right(),
            width: wide,
            ..self.area
        };
        (main, side)
    }

    /// The room for rows, and the line below them while something is searched for.
    pub(super) fn rooms(&self) -> (Rect, Rect) {
        let inner = Panel::inner(self.places().0);
        let is_needed = self.typing.is_some() || self.find.is_on();
        let line = u16::from(is_needed && inner.height > 1);
        let height = inner.height - line;
        let below = Rect {
            y: inner.y + height,
            height: line,
            ..inner
        };
        (Rect { height, ..inner }, below)
    }

    pub(super) fn height(&self) -> usize {
        usize::from(self.rooms().0.height)
    }

    /// The run in view; none where the chosen command is no agent's.
    pub(super) fn run<'a>(&self, world: &'a World) -> Option<&'a Run> {
        let run = world.agent_runs.get(self.shown.as_ref()?)?;
        run.is_agent().then(|| run.run())
    }

    /// There are steps to move through.
    pub fn is_reading(&self) -> bool {
        !self.window.is_empty()
    }

    /// Keys are text now.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    pub fn end_typing(&mut self) {
        self.typing = None;
    }

    /// Ends the search, or else shows all kinds again. False: there was nothing to end.
    pub fn clear(&mut self) -> bool {
        if self.find.is_on() {
            self.find = Find::default();
            return true;
        }
        let was_filtered = self.kinds != Kinds::All;
        self.kinds = Kinds::All;
        self.book.clear();
        was_filtered
    }

    /// The step that the keys are about.
    pub(super) fn step<'a>(&self, world: &'a World) -> Option<&'a Step> {
        self.run(world)?.steps.get(self.cursor?.step)
    }

    /// The log line with which that step begins, and in which store it is.
    pub fn line(&self, world: &World) -> Option<(StoreId, u64)> {
        let store = world.agent_runs.get(self.shown.as_ref()?)?.store();
        Some((store, *self.step(world)?.lines.start()))
    }

    /// Goes to the step that a line of the log is of, or to the one before.
    pub fn go_to_line(&mut self, world: &World, command: &CommandKey, line: u64) {
        let Some(run) = world.agent_runs.get(command).map(|run| run.run()) else {
            return;
        };
        let holds = |step: &Step| step.lines.contains(&line);
        let before = |step: &Step| *step.lines.start() <= line;
        let steps = &run.steps;
        let step = steps.iter().rposition(holds);
        let step = step.or_else(|| steps.iter().rposition(before));
        let spot = Spot {
            step: step.unwrap_or(0),
            row: 0,
        };
        let sight = self.sights.entry(command.clone()).or_default();
        sight.reading = Reading::Still {
            top: spot,
            cursor: spot,
            unseen: steps.len(),
        };
    }

    /// The run is read from its beginning anew.
    pub fn forget(&mut self, command: &CommandKey) {
        self.sights.remove(command);
        self.book.clear();
        self.find.again(0);
    }

    /// The run as it is read, and where the reader is.
    pub(super) fn open<'a>(&'a mut self, world: &'a World) -> Option<(Page<'a>, &'a mut Reading)> {
        let run = self.run(world)?;
        let key = self.shown.as_ref()?;
        let sight = self.sights.entry(key.clone()).or_default();
        let page = Page {
            run,
            folds: &sight.folds,
            kinds: self.kinds,
            book: &mut self.book,
        };
        Some((page, &mut sight.reading))
    }

    pub(super) fn sight(&mut self) -> Option<&mut Sight> {
        let key = self.shown.as_ref()?;
        Some(self.sights.entry(key.clone()).or_default())
    }

    /// Which touched file was gone to.
    pub(super) fn file(&self) -> Option<usize> {
        self.sights.get(self.shown.as_ref()?)?.file
    }

    pub(super) fn reading(&self) -> Reading {
        let sight = self.shown.as_ref().and_then(|key| self.sights.get(key));
        sight.map(|sight| sight.reading).unwrap_or_default()
    }
}
