//! Answers as they grow (`--include-partial-messages`): steps that the whole line takes over, so that nothing
//! stands twice.

use super::super::ledger::Ledger;
use super::super::value::{Object, count, object, text};
use super::super::{Kind, Outcome, Step};
use super::message::grow;
use crate::model::Foreign;

#[derive(Debug, Default)]
pub struct Partial {
    message: Option<String>,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    index: u64,
    kind: Kind,
    tool: Option<Foreign>,
    text: String,
    step: Option<usize>,
    /// The text has grown since it was shown.
    grown: bool,
}

impl Partial {
    pub fn begin(&mut self, message: &str) {
        self.message = Some(message.to_owned());
        self.blocks.clear();
    }

    /// The answer that grows.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub fn block(&mut self, ledger: &mut Ledger, event: &Object) {
        let (Some(block), Some(index)) = (object(event, "content_block"), count(event, "index"))
        else {
            return;
        };
        let mut begun = Block {
            index,
            kind: Kind::Text,
            tool: None,
            text: String::new(),
            step: None,
            grown: false,
        };
        match text(block, "type").unwrap_or_default() {
            "text" => {}
            "thinking" => begun.kind = Kind::Thinking,
            "tool_use" | "server_tool_use" => {
                begun.kind = Kind::Tool;
                begun.tool = text(block, "id").map(Foreign::from);
                begun.step = Some(ledger.push(Step {
                    tool: text(block, "name").map(Foreign::from),
                    id: begun.tool.clone(),
                    status: Some(Outcome::Running),
                    ..ledger.step(Kind::Tool, "")
                }));
            }
            _ => return,
        }
        self.blocks.push(begun);
    }

    pub fn delta(&mut self, ledger: &mut Ledger, event: &Object) {
        let (Some(delta), Some(index)) = (object(event, "delta"), count(event, "index")) else {
            return;
        };
        let words = text(delta, "text").or_else(|| text(delta, "thinking"));
        let block = self.blocks.iter_mut().find(|block| block.index == index);
        let (Some(words), Some(block)) = (words, block) else {
            return;
        };
        block.text.push_str(words);
        block.grown = true;
        // Its place is where its first words came.
        if block.step.is_none() && !block.text.trim().is_empty() {
            let step = Step {
                status: Some(Outcome::Running),
                ..ledger.step(block.kind, "")
            };
            block.step = Some(ledger.push(step));
        }
        if let Some(step) = block.step {
            ledger.change(step, |_| {});
        }
    }

    /// Shows what has grown.
    pub fn show(&mut self, ledger: &mut Ledger) {
        let lines = ledger.lines.take();
        for block in self.blocks.iter_mut().filter(|block| block.grown) {
            block.grown = false;
            if let Some(index) = block.step {
                ledger.change(index, |step| grow(step, &block.text));
            }
        }
        ledger.lines = lines;
    }

    /// The step that the whole one takes over, if its parts were shown.
    pub fn take(&mut self, message: &str, whole: &Step) -> Option<usize> {
        if self.message.as_deref() != Some(message) || whole.parent.is_some() {
            return None;
        }
        let kind = match whole.kind {
            Kind::Error => Kind::Text,
            kind => kind,
        };
        let at = self.blocks.iter().position(|block| {
            block.kind == kind && block.step.is_some() && block.tool == whole.id
        })?;
        self.blocks.remove(at).step
    }
}
