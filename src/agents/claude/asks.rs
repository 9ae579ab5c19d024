//! What waits for a person: permissions and questions, which come as control requests.

use super::super::ledger::Ledger;
use super::super::value::{Object, object, text};
use super::super::{Body, Kind, Outcome, Phase, Step, tool};
use crate::model::Foreign;

#[derive(Debug, Default)]
pub struct Asks(Vec<Ask>);

#[derive(Debug)]
struct Ask {
    request: String,
    /// The call that is asked for.
    tool: Option<String>,
    step: usize,
    what: Foreign,
}

impl Asks {
    pub fn is_open(&self) -> bool {
        !self.0.is_empty()
    }

    /// A request to the program that started the agent; only some of them wait for a person.
    pub fn request(&mut self, ledger: &mut Ledger, line: &Object) {
        let Some(request) = object(line, "request") else {
            return;
        };
        if text(request, "subtype") != Some("can_use_tool") {
            return;
        }
        let empty = Object::new();
        let input = object(request, "input").unwrap_or(&empty);
        let name = text(request, "tool_name").unwrap_or("a tool");
        let told = tool::line(input);
        let what = match input.contains_key("questions") || input.contains_key("question") {
            true => told.as_raw().to_owned(),
            false => format!("permission for {name}: {}", told.as_raw()),
        };
        let id = text(line, "request_id").unwrap_or_default();
        self.open(
            ledger,
            id,
            text(request, "tool_use_id"),
            &what,
            tool::body(name, input),
        );
    }

    /// Its session says that a person must act, and not what for.
    pub fn required(&mut self, ledger: &mut Ledger) {
        if !self.is_open() {
            self.open(ledger, "", None, "an action of yours", Body::None);
        }
    }

    fn open(&mut self, ledger: &mut Ledger, id: &str, tool: Option<&str>, what: &str, body: Body) {
        if self.0.iter().any(|ask| ask.request == id && !id.is_empty()) {
            return;
        }
        let step = Step {
            body,
            status: Some(Outcome::Running),
            ..ledger.step(Kind::Waiting, what)
        };
        let what = step.short.clone();
        self.0.push(Ask {
            request: id.to_owned(),
            tool: tool.map(str::to_owned),
            step: ledger.push(step),
            what: what.clone(),
        });
        ledger.phase(Phase::Waiting(what));
    }

    /// An answer, or the request is taken back.
    pub fn answered(&mut self, ledger: &mut Ledger, line: &Object) {
        let inner = object(line, "response").and_then(|response| text(response, "request_id"));
        let id = text(line, "request_id").or(inner).unwrap_or_default();
        self.close(ledger, |ask| ask.request == id);
    }

    /// A tool has ended: a granted permission leaves no other mark.
    pub fn tool_over(&mut self, ledger: &mut Ledger, tool: &str) {
        self.close(ledger, |ask| {
            ask.tool.as_deref().is_none_or(|asked| asked == tool)
        });
    }

    /// It went on.
    pub fn all_over(&mut self, ledger: &mut Ledger) {
        self.close(ledger, |_| true);
    }

    fn close(&mut self, ledger: &mut Ledger, is_over: impl Fn(&Ask) -> bool) {
        let before = self.0.len();
        self.0.retain(|ask| {
            let over = is_over(ask);
            if over {
                ledger.finish(ask.step, Outcome::Ok, None);
            }
            !over
        });
        if self.0.len() < before {
            ledger.phase(match self.0.last() {
                Some(ask) => Phase::Waiting(ask.what.clone()),
                None => Phase::Working,
            });
        }
    }
}
