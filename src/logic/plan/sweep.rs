//! Going through the list of sandboxes: the running ones first, then all, and after that only what changed.

use crate::logic::{Mono, Now, World};
use crate::model::request::{ListSandboxes, ListStatus, SortBy};
use crate::model::{Clean, Foreign, Page, Sandbox, Span};
use crate::text;
use std::collections::HashSet;

/// The service's largest page.
const PAGE: u8 = 50;
/// Empty pages may come in the middle of a list, but not for ever.
const MOST_EMPTY_PAGES: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `status=running`: makes the screen useful at once.
    Running,
    Whole,
    /// Newest by `statusUpdatedAt`, until a page brings nothing new.
    Changes,
}

#[derive(Debug)]
pub struct Sweep {
    kind: Kind,
    /// Between two sweeps.
    resting: bool,
    generation: u64,
    cursor: Option<Foreign>,
    cursors: HashSet<Foreign>,
    began: Mono,
    /// Pages, entries or cursors were not as they should be: absence proves nothing then.
    doubtful: bool,
    empty: u32,
    news: bool,
    /// When a whole sweep last began and came to its end.
    whole_at: Option<Mono>,
}

impl Default for Sweep {
    fn default() -> Self {
        Self {
            kind: Kind::Running,
            resting: false,
            generation: 0,
            cursor: None,
            cursors: HashSet::new(),
            began: Mono(0),
            doubtful: false,
            empty: 0,
            news: false,
            whole_at: None,
        }
    }
}

/// What a page did.
#[derive(Debug, Default, PartialEq)]
pub struct Taken {
    pub finished: bool,
    /// The sweep brought something that was not known.
    pub news: bool,
    pub notice: Option<Clean>,
}

impl Sweep {
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Until all was read once.
    pub fn is_first(&self) -> bool {
        self.whole_at.is_none()
    }

    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Starts the next sweep: a whole one when the last is too old.
    pub fn begin(&mut self, now: Now, whole_every: Span) {
        let whole_due = self
            .whole_at
            .is_none_or(|at| now.mono >= at.after(whole_every));
        self.start(
            if whole_due {
                Kind::Whole
            } else {
                Kind::Changes
            },
            now,
        );
    }

    pub fn query(&self) -> Option<ListSandboxes> {
        if self.resting {
            return None;
        }
        let (sort_by, status) = match self.kind {
            Kind::Running => (SortBy::CreatedAt, Some(ListStatus::Running)),
            Kind::Whole => (SortBy::CreatedAt, None),
            Kind::Changes => (SortBy::StatusUpdatedAt, None),
        };
        let cursor = self.cursor.clone();
        Some(ListSandboxes {
            limit: Some(PAGE),
            sort_by: Some(sort_by),
            status,
            cursor,
            ..Default::default()
        })
    }

    /// Takes a page in.
    pub fn take(&mut self, page: &Page<Sandbox>, world: &mut World, now: Now) -> Taken {
        let mut news = false;
        for sandbox in &page.entries {
            news |= world.saw(sandbox.clone(), now);
        }
        self.news |= news;
        let mut notice = self.doubts(page);
        let nothing_new = self.kind == Kind::Changes && !news && !page.entries.is_empty();
        match &page.next {
            Some(next) if !nothing_new && self.may_go_on(next) => {
                self.cursors.insert(next.clone());
                self.cursor = Some(next.clone());
                return Taken {
                    finished: false,
                    news: self.news,
                    notice,
                };
            }
            Some(_) if !nothing_new => {
                self.doubtful = true;
                notice = Some(Clean::from(
                    "the list of sandboxes does not end: the service repeats its cursor",
                ));
            }
            _ => {}
        }
        self.finish(world, now);
        Taken {
            finished: self.resting,
            news: self.news,
            notice,
        }
    }

    fn doubts(&mut self, page: &Page<Sandbox>) -> Option<Clean> {
        self.empty = if page.entries.is_empty() {
            self.empty + 1
        } else {
            0
        };
        if page.skipped == 0 {
            return None;
        }
        self.doubtful = true;
        Some(text::say(format_args!(
            "{} sandboxes of the list could not be read",
            page.skipped
        )))
    }

    fn may_go_on(&self, next: &Foreign) -> bool {
        !next.is_empty() && !self.cursors.contains(next) && self.empty < MOST_EMPTY_PAGES
    }

    fn finish(&mut self, world: &mut World, now: Now) {
        match self.kind {
            Kind::Running => self.start(Kind::Whole, now),
            Kind::Whole => {
                if !self.doubtful {
                    let unseen: Vec<_> = world
                        .sandboxes
                        .iter()
                        .filter(|(_, fact)| fact.seen < self.began)
                        .map(|(key, _)| key.clone())
                        .collect();
                    unseen.iter().for_each(|key| world.lost(key));
                }
                self.whole_at = Some(self.began);
                world.swept = Some(now.mono);
                self.resting = true;
            }
            Kind::Changes => {
                world.swept = Some(now.mono);
                self.resting = true;
            }
        }
    }

    fn start(&mut self, kind: Kind, now: Now) {
        *self = Self {
            kind,
            generation: self.generation + 1,
            began: now.mono,
            news: self.news && kind == Kind::Whole && self.kind == Kind::Running,
            whole_at: self.whole_at,
            ..Self::default()
        };
    }
}
