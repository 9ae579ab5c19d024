//! Writing to a run: every step goes through here, so that a run stays bounded and what changed is known.

use super::run::TouchedFile;
use super::value::{self, short};
use super::{Body, FileChange, Format, Kind, Outcome, Phase, Run, Section, Step, Totals};
use crate::model::{Foreign, Span, Timestamp};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Bytes of all bodies: beyond it the oldest are let go.
const BODIES: usize = 16 << 20;
/// Steps that keep more than their kind; the oldest are let go beyond it.
const WHOLE_STEPS: usize = 50_000;
/// Lines that are no part of the format become steps up to here.
const RAW_STEPS: usize = 5_000;
const FILES: usize = 1_000;
const COMPLAINTS: usize = 20;
const COMPLAINT: usize = 500;

#[derive(Debug, Default)]
pub struct Ledger {
    pub run: Run,
    /// The lines that are read now, and when they arrived.
    pub lines: Option<RangeInclusive<u64>>,
    pub arrived: Option<Timestamp>,
    /// The time that the line itself tells.
    pub told: Option<Timestamp>,
    /// 1, 2 …: the model's answer that is read now.
    pub turn: u32,
    revision: u64,
    /// Revisions with the first step they touched; both ascend.
    touched: Vec<(u64, usize)>,
    /// Steps by the maker's id, of this section.
    by_id: HashMap<Foreign, usize>,
    bodies: usize,
    /// The first step whose body may still be held.
    oldest_body: usize,
    /// The first step that is still whole.
    oldest_whole: usize,
    raw: usize,
}

impl Ledger {
    /// A new step of that kind and one line, on the lines that are read now.
    pub fn step(&self, kind: Kind, line: &str) -> Step {
        Step {
            kind,
            tool: None,
            short: short(line),
            body: Body::None,
            status: None,
            id: None,
            parent: None,
            turn: self.turn,
            lines: self.lines.clone().unwrap_or(0..=0),
            at: self.now(),
            took: None,
        }
    }

    /// A step that is a text, its whole in the body.
    pub fn text(&self, kind: Kind, text: &str) -> Step {
        Step {
            body: text_body(text),
            ..self.step(kind, text)
        }
    }

    pub fn push(&mut self, step: Step) -> usize {
        let index = self.run.steps.len();
        if let Some(id) = step.id.clone() {
            self.name(id, index);
        }
        if step.is_running() && step.kind != Kind::Waiting {
            self.run.doing = Some(index);
        }
        self.bodies += step.body.held();
        touch_files(&mut self.run.files, step.changes(), index);
        if !step.plan().is_empty() {
            self.run.plan = Some(index);
        }
        self.run.steps.push(step);
        self.touch(index);
        self.keep_bounds();
        index
    }

    /// Changes a step that is there.
    pub fn change(&mut self, index: usize, change: impl FnOnce(&mut Step)) {
        let lines = self.lines.clone();
        let Some(step) = self.run.steps.get_mut(index) else {
            return;
        };
        let before = step.body.held();
        change(step);
        if let Some(lines) = lines {
            step.lines = *step.lines.start()..=*lines.end().max(step.lines.end());
        }
        self.bodies = (self.bodies + step.body.held()).saturating_sub(before);
        let running = step.is_running();
        if !step.plan().is_empty() {
            self.run.plan = self.run.plan.max(Some(index));
        }
        touch_files(&mut self.run.files, step.changes(), index);
        if running {
            self.run.doing = self.run.doing.max(Some(index));
        } else if self.run.doing == Some(index) {
            let before = self.run.steps[..index].iter();
            self.run.doing = before
                .rev()
                .take(200)
                .position(Step::is_running)
                .map(|n| index - 1 - n);
        }
        self.touch(index);
        self.keep_bounds();
    }

    /// The step of that id, in this section.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(&Foreign::from(id)).copied()
    }

    /// The step is also found by that id.
    pub fn name(&mut self, id: impl Into<Foreign>, index: usize) {
        if self.by_id.len() >= 2 * WHOLE_STEPS {
            self.by_id.clear();
        }
        self.by_id.insert(id.into(), index);
    }

    /// Ids begin again.
    pub fn forget_ids(&mut self) {
        self.by_id.clear();
    }

    /// A tool has ended: its outcome, and how long it took, from `at` to now.
    pub fn finish(&mut self, index: usize, outcome: Outcome, now: Option<Timestamp>) {
        let now = now.or(self.now());
        self.change(index, |step| {
            step.status = Some(outcome);
            if let (None, Some(now), Some(at)) = (step.took, now, step.at) {
                step.took = Some(now.since(at)).filter(|span| *span >= Span(0));
            }
        });
    }

    /// Nothing that runs will end any more.
    pub fn abandon(&mut self) {
        let running: Vec<usize> = (self.oldest_whole..self.run.steps.len())
            .filter(|index| self.run.steps[*index].is_running())
            .collect();
        for index in running {
            self.change(index, |step| step.status = Some(Outcome::Unknown));
        }
    }

    /// A session begins, or goes on. Whether it is another one.
    pub fn section(&mut self, session: Option<&str>) -> bool {
        let session = session.map(Foreign::from);
        let known = self.run.sections.last();
        if known.is_some_and(|last| session.is_none() || last.session == session) {
            return false;
        }
        if self.run.sections.len() < RAW_STEPS {
            let first_step = match self.run.sections.is_empty() {
                true => 0,
                false => self.run.steps.len(),
            };
            let session = session.clone();
            self.run.sections.push(Section {
                session,
                first_step,
            });
        }
        self.run.session = session;
        self.by_id.clear();
        true
    }

    /// Another agent begins in the same log.
    pub fn next_run(&mut self) {
        self.abandon();
        self.run.version = None;
        self.run.model = None;
        self.run.cwd = None;
        self.run.plan = None;
        self.phase(Phase::Silent);
    }

    pub fn settle(&mut self, format: Format) {
        self.run.format = Some(format);
        self.revision += 1;
    }

    pub fn phase(&mut self, phase: Phase) {
        if self.run.phase != phase {
            self.run.phase = phase;
            self.revision += 1;
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(self.run.phase, Phase::Done | Phase::Failed(_))
    }

    /// A time the stream tells: the first is the start, the last the end.
    pub fn seen_at(&mut self, at: Option<Timestamp>) {
        if let Some(at) = at {
            self.run.started = self.run.started.or(Some(at));
            self.run.ended = self.run.ended.max(Some(at));
        }
    }

    /// The line tells its own time, or has none but that of its arrival.
    pub fn clock(&mut self, line: &value::Object, key: &str) {
        self.told = value::time(line, key);
        self.seen_at(self.now());
    }

    /// When the line that is read now was written.
    fn now(&self) -> Option<Timestamp> {
        self.told.or(self.arrived)
    }

    pub fn total(&mut self, totals: Totals) {
        self.run.totals = totals;
        self.revision += 1;
    }

    /// A line that is no part of the format.
    pub fn raw(&mut self, line: &str) {
        if line.trim().is_empty() || !self.has_room() {
            return;
        }
        let mut step = self.step(Kind::Raw, line);
        if step.short.as_raw().len() < line.len() {
            step.body = text_body(line);
        }
        self.push(step);
    }

    /// Whether one more line of a log may become a step; else it is only counted.
    pub fn has_room(&mut self) -> bool {
        self.raw += 1;
        if self.raw > RAW_STEPS {
            self.run.uncounted += 1;
            self.revision += 1;
        }
        self.raw <= RAW_STEPS
    }

    /// A line whose type is not known.
    pub fn unknown(&mut self, name: &str, object: &value::Object) {
        let whole = serde_json::to_string(object).unwrap_or_default();
        let mut step = self.step(Kind::Unknown, &format!("{name} {whole}"));
        step.body = text_body(&whole);
        self.push(step);
    }

    pub fn complaint(&mut self, line: &str) {
        let line = short(value::cut(line, COMPLAINT));
        if line.is_empty() || is_prompt(line.as_raw()) {
            return;
        }
        if self.run.complaints.len() == COMPLAINTS {
            self.run.complaints.remove(0);
        }
        self.run.complaints.push(line);
        self.revision += 1;
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The first step that changed after that revision; the number of steps if none did.
    pub fn changed_since(&self, revision: u64) -> usize {
        let at = self.touched.partition_point(|entry| entry.0 <= revision);
        let entry = self.touched.get(at);
        entry.map_or(self.run.steps.len(), |entry| entry.1)
    }

    fn touch(&mut self, index: usize) {
        self.revision += 1;
        while self.touched.last().is_some_and(|last| last.1 >= index) {
            self.touched.pop();
        }
        self.touched.push((self.revision, index));
    }

    fn keep_bounds(&mut self) {
        while self.bodies > BODIES && self.oldest_body + 1 < self.run.steps.len() {
            let step = &mut self.run.steps[self.oldest_body];
            if step.body != Body::None {
                self.bodies = self.bodies.saturating_sub(step.body.held());
                step.body = Body::LetGo;
            }
            self.oldest_body += 1;
        }
        while self.run.steps.len() - self.oldest_whole > WHOLE_STEPS {
            let step = &mut self.run.steps[self.oldest_whole];
            self.bodies = self.bodies.saturating_sub(step.body.held());
            step.body = Body::LetGo;
            step.short = Foreign::default();
            if let Some(id) = step.id.take() {
                self.by_id.remove(&id);
            }
            self.oldest_whole += 1;
        }
    }
}

fn touch_files(files: &mut Vec<TouchedFile>, changes: &[FileChange], step: usize) {
    for change in changes {
        let is_full = files.len() >= FILES;
        match files.iter_mut().find(|file| file.path == change.path) {
            Some(file) if file.step == step => {}
            Some(file) => {
                file.changes += 1;
                file.step = step;
            }
            None if !is_full => files.push(TouchedFile {
                path: change.path.clone(),
                changes: 1,
                step,
            }),
            None => {}
        }
    }
}

pub fn text_body(text: &str) -> Body {
    Body::Text {
        text: value::body(text),
        size: text.len() as u64,
    }
}

/// `Reading additional input from stdin...`: no reason for anything.
fn is_prompt(line: &str) -> bool {
    line.starts_with("Reading ") && line.ends_with("stdin...")
}
