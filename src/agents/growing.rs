//! A text that comes in pieces: gathered here, written to the ledger when a piece of output was read or it is whole.

use super::ledger::{Ledger, text_body};
use super::value::{self, BODY, short};
use super::{Body, Kind};
use std::ops::RangeInclusive;

#[derive(Debug, Default)]
pub struct Growing {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    kind: Kind,
    step: usize,
    /// As much of its beginning as a body holds.
    text: String,
    /// Bytes of all of it.
    size: u64,
    /// The lines of its last piece.
    lines: Option<RangeInclusive<u64>>,
    is_written: bool,
}

impl Growing {
    /// Adds to the open text of that kind, or begins one.
    pub fn add(&mut self, ledger: &mut Ledger, kind: Kind, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if self.open.as_ref().is_none_or(|open| open.kind != kind) {
            self.close(ledger);
            let step = ledger.push(ledger.step(kind, ""));
            self.open = Some(Open {
                kind,
                step,
                text: String::new(),
                size: 0,
                lines: None,
                is_written: false,
            });
        }
        if let Some(open) = &mut self.open {
            if open.text.len() as u64 == open.size {
                open.text
                    .push_str(value::cut(piece, BODY - open.text.len()));
            }
            open.size += piece.len() as u64;
            open.lines.clone_from(&ledger.lines);
            open.is_written = false;
        }
    }

    /// The whole text has come: it stands for its pieces, if there were any.
    pub fn whole(&mut self, ledger: &mut Ledger, kind: Kind, text: &str) {
        match self.open.take() {
            Some(open) if open.kind == kind => ledger.change(open.step, |step| {
                step.short = short(text);
                step.body = text_body(text);
            }),
            other => {
                self.open = other;
                self.close(ledger);
                if !text.is_empty() {
                    ledger.push(ledger.text(kind, text));
                }
            }
        }
    }

    /// Nothing more comes of it.
    pub fn close(&mut self, ledger: &mut Ledger) {
        self.write(ledger);
        self.open = None;
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The ledger gets what came so far.
    pub fn write(&mut self, ledger: &mut Ledger) {
        let Some(open) = self.open.as_mut().filter(|open| !open.is_written) else {
            return;
        };
        open.is_written = true;
        let now = std::mem::replace(&mut ledger.lines, open.lines.clone());
        ledger.change(open.step, |step| {
            step.short = short(&open.text);
            step.body = Body::Text {
                text: value::body(&open.text),
                size: open.size,
            };
        });
        ledger.lines = now;
    }
}
