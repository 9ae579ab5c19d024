//! A run told line by line: its steps, and how it stands at each change and at the end.

use super::agent::{run_json, run_text, step_json, step_text};
use super::harmless;
use crate::agents::{Format, Outside, Piece, Process, Reader, State, state};
use std::collections::VecDeque;

/// Steps that are kept back until they are final.
const KEPT_BACK: usize = 10_000;

/// When a step is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As soon as it has ended.
    Ended,
    /// In order of first appearance, when nothing about it can change any more.
    Appeared,
}

#[derive(Debug)]
pub struct Telling {
    reader: Reader,
    json: bool,
    order: Order,
    outside: Outside,
    /// What was last told of the state.
    state: Option<State>,
    /// The first step that was not told.
    first: usize,
    /// Whether those from there on were.
    told: VecDeque<bool>,
    text: String,
}

impl Telling {
    pub fn new(format: Option<Format>, json: bool, order: Order) -> Self {
        Self {
            reader: format.map_or_else(Reader::new, Reader::forced),
            json,
            order,
            outside: Outside {
                process: Process::Running,
                named: false,
            },
            state: None,
            first: 0,
            told: VecDeque::new(),
            text: String::new(),
        }
    }

    /// The command line names an agent: what it prints is a run, whatever it looks like.
    pub fn is_named(&mut self) {
        self.outside.named = true;
    }

    /// A piece is read line by line, so that every change of state is seen.
    pub fn hear(&mut self, piece: Piece<'_>) {
        for (line, bytes) in (piece.line..).zip(piece.bytes.split_inclusive(|byte| *byte == b'\n'))
        {
            self.reader.feed(Piece {
                line,
                bytes,
                ..piece
            });
            self.note_state();
            let kept = self.reader.run().steps.len() - self.first;
            match self.order {
                Order::Ended => self.tell_ended(),
                Order::Appeared if kept > 2 * KEPT_BACK => self.tell_first(KEPT_BACK),
                Order::Appeared => {}
            }
        }
    }

    /// What comes now does not go on where the last lines broke off.
    pub fn break_off(&mut self) {
        self.reader.break_off();
    }

    /// No more comes.
    pub fn end(&mut self, process: Process) {
        self.outside.process = process;
        match process {
            Process::Running => self.reader.flush(),
            Process::Exited(_) | Process::Lost => self.reader.end(),
        }
        self.tell_first(self.reader.run().steps.len() - self.first);
        self.tell_state(self.now());
    }

    /// The lines that were not taken yet.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn now(&self) -> State {
        state(self.reader.run(), &self.outside)
    }

    fn note_state(&mut self) {
        let now = self.now();
        let is_same = self.state.as_ref().is_some_and(|last| is_same(last, &now));
        if !is_same && self.reader.run().format.is_some() {
            if self.order == Order::Ended {
                self.tell_ended();
            }
            self.tell_state(now);
        }
    }

    fn tell_state(&mut self, now: State) {
        let run = self.reader.run();
        let line = match self.json {
            true => run_json(run, &now)
                .map(|json| harmless(&json))
                .unwrap_or_default(),
            false => format!("— {}", run_text(run, &now)),
        };
        self.text.push_str(&line);
        self.text.push('\n');
        self.state = Some(now);
    }

    fn tell_ended(&mut self) {
        let steps = self.reader.run().steps.len();
        self.told.resize(steps - self.first, false);
        for index in self.first..steps {
            let is_open = self.reader.run().steps[index].is_running();
            if !is_open && !self.told[index - self.first] {
                self.told[index - self.first] = true;
                self.tell_step(index);
            }
        }
        while self.told.front() == Some(&true) {
            self.told.pop_front();
            self.first += 1;
        }
    }

    fn tell_first(&mut self, count: usize) {
        for index in self.first..self.first + count {
            if self.told.pop_front() != Some(true) {
                self.tell_step(index);
            }
        }
        self.first += count;
    }

    fn tell_step(&mut self, index: usize) {
        let is_over = self.outside.process != Process::Running;
        let step = &self.reader.run().steps[index];
        let line = match self.json {
            true => step_json(step, is_over)
                .map(|json| harmless(&json))
                .unwrap_or_default(),
            false => step_text(step).to_string(),
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// Work goes on from step to step; that is no change of state.
fn is_same(a: &State, b: &State) -> bool {
    a.word() == b.word() && a.reason() == b.reason()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Stream;

    const LOG: &str = concat!(
        r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"claude_code_version":"9.9.9"}"#,
        "\n",
        r#"{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]},"session_id":"s"}"#,
        "\n",
        r#"{"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"Building."}]},"session_id":"s"}"#,
        "\n",
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]},"session_id":"s"}"#,
        "\n",
        r#"{"type":"result","subtype":"success","is_error":false,"result":"Building.","num_turns":1,"session_id":"s"}"#,
        "\n",
    );

    fn told(order: Order, json: bool) -> Vec<String> {
        let mut telling = Telling::new(None, json, order);
        telling.hear(Piece {
            stream: Stream::Stdout,
            line: 0,
            arrived: None,
            bytes: LOG.as_bytes(),
        });
        telling.end(Process::Exited(0));
        telling.take().lines().map(str::to_owned).collect()
    }

    #[test]
    fn steps_come_in_order_of_appearance_or_of_their_ends() {
        let appeared = told(Order::Appeared, false);
        let steps = |lines: &[String]| -> Vec<String> {
            let steps = lines.iter().filter(|line| !line.starts_with('—'));
            steps.cloned().collect()
        };
        assert_eq!(steps(&appeared), ["✓ Bash make", "● Building."]);
        assert_eq!(
            steps(&told(Order::Ended, false)),
            ["● Building.", "✓ Bash make"]
        );
    }

    #[test]
    fn each_change_of_state_is_told_and_the_end() {
        let states: Vec<String> = told(Order::Appeared, true)
            .iter()
            .filter(|line| line.contains(r#""type":"run""#))
            .map(|line| {
                let run: serde_json::Value = serde_json::from_str(line).unwrap();
                run["state"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(states, ["starting", "running", "done", "done"]);
    }
}
