//! From a written rule to a [`FaultRule`]. What is wrong is told with its place and the nearest valid word.

use super::pattern::Pattern;
use super::rule::{Answer, Break, Fault, FaultRule, Limits, Refused};
use crate::text::nearest;
use axum::http::{Method, StatusCode};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What is wrong with a rule, and where: the character, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    pub at: usize,
    pub what: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.at, self.what)
    }
}

impl std::error::Error for RuleError {}

const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "*"];
const WORDS: [&str; 11] = [
    "status",
    "code",
    "message",
    "retry-after",
    "delay",
    "cut",
    "stall",
    "garbage",
    "chance",
    "count",
    "skip",
];

impl FromStr for FaultRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let words = words(text)?;
        let missing = |what: &str| RuleError {
            at: text.chars().count() + 1,
            what: format!("{what} is missing; for example `GET /v2/sandboxes status=503`"),
        };
        let mut words = words.into_iter();
        let method = words.next().ok_or_else(|| missing("a method"))?;
        let method = method.method()?;
        let path = words.next().ok_or_else(|| missing("a path"))?;
        let pattern = Pattern::parse(&path.text).map_err(|why| path.wrong(why))?;
        let mut draft = Draft::default();
        for word in words {
            draft.take(&word)?;
        }
        if draft.fault == Fault::default() {
            return Err(missing("what goes wrong"));
        }
        Ok(Self {
            text: text.to_owned(),
            method,
            pattern,
            fault: draft.fault,
            limits: draft.limits,
        })
    }
}

/// A word of a rule, without its quotes.
#[derive(Clone, Debug)]
struct Word {
    /// The character where it begins, from 1.
    at: usize,
    text: String,
}

impl Word {
    fn wrong(&self, what: impl Into<String>) -> RuleError {
        RuleError {
            at: self.at,
            what: what.into(),
        }
    }

    fn unknown(&self, kind: &str, word: &str, valid: &'static [&'static str]) -> RuleError {
        self.wrong(match nearest(word, valid.iter().copied()) {
            Some(near) => format!("there is no {kind} `{word}`; did you mean `{near}`?"),
            None => format!("there is no {kind} `{word}`, but {}", valid.join(", ")),
        })
    }

    fn method(&self) -> Result<Option<Method>, RuleError> {
        let upper = self.text.to_ascii_uppercase();
        match METHODS.contains(&upper.as_str()) {
            true if upper == "*" => Ok(None),
            true => Ok(Method::from_bytes(upper.as_bytes()).ok()),
            false => Err(self.unknown("method", &self.text, &METHODS)),
        }
    }
}

/// Blanks part words, but not between double quotes.
fn words(text: &str) -> Result<Vec<Word>, RuleError> {
    let mut words: Vec<Word> = Vec::new();
    let mut quote = None;
    let mut between = true;
    for (at, c) in (1..).zip(text.chars()) {
        if c.is_whitespace() && quote.is_none() {
            between = true;
            continue;
        }
        if std::mem::take(&mut between) {
            let text = String::new();
            words.push(Word { at, text });
        }
        match (c, words.last_mut()) {
            ('"', _) => quote = quote.xor(Some(at)),
            (c, Some(word)) => word.text.push(c),
            (_, None) => {}
        }
    }
    match quote {
        Some(at) => Err(RuleError {
            at,
            what: "this quote is not closed".into(),
        }),
        None => Ok(words),
    }
}

/// What is read of a rule so far.
#[derive(Default)]
struct Draft {
    fault: Fault,
    limits: Limits,
}

impl Draft {
    fn take(&mut self, word: &Word) -> Result<(), RuleError> {
        let (name, value) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let value = Value { word, name, value };
        match name {
            "status" => {
                let status = value.status()?;
                return self.answer(word, Answer::Refused(Refused::with(status)));
            }
            "cut" => return self.breaks(&value, Break::Cut),
            "stall" => return self.breaks(&value, Break::Stall),
            "garbage" => return self.breaks(&value, Break::Garbage),
            "code" => self.refused(word)?.code = Some(value.text()?.to_owned()),
            "message" => self.refused(word)?.message = Some(value.text()?.to_owned()),
            "retry-after" => self.refused(word)?.retry_after = Some(value.number()?),
            "delay" => self.fault.delay = value.time()?,
            "chance" => self.limits.chance = Some(value.chance()?),
            "count" => self.limits.count = Some(value.number()?),
            "skip" => self.limits.skip = value.number()?,
            _ => return Err(word.unknown("word", name, &WORDS)),
        }
        Ok(())
    }

    fn breaks(&mut self, value: &Value, by: Break) -> Result<(), RuleError> {
        let after = match value.value {
            Some(_) => value.number()?,
            None => 0,
        };
        self.answer(value.word, Answer::Broken { after, by })
    }

    fn answer(&mut self, word: &Word, answer: Answer) -> Result<(), RuleError> {
        match self.fault.answer.replace(answer) {
            Some(_) => Err(word.wrong("an answer goes wrong in one way only: write two rules")),
            None => Ok(()),
        }
    }

    fn refused(&mut self, word: &Word) -> Result<&mut Refused, RuleError> {
        match &mut self.fault.answer {
            Some(Answer::Refused(refused)) => Ok(refused),
            _ => Err(word.wrong("this goes with `status=…`, after it")),
        }
    }
}

impl Refused {
    fn with(status: StatusCode) -> Self {
        Self {
            status,
            code: None,
            message: None,
            retry_after: None,
        }
    }
}

/// What stands behind the `=` of a word.
struct Value<'a> {
    word: &'a Word,
    name: &'a str,
    value: Option<&'a str>,
}

impl<'a> Value<'a> {
    fn wrong(&self, wanted: &str) -> RuleError {
        self.word.wrong(format!("`{}` is {wanted}", self.name))
    }

    fn read<T: FromStr>(&self, wanted: &str) -> Result<T, RuleError> {
        let read = self.value.and_then(|value| value.parse().ok());
        read.ok_or_else(|| self.wrong(wanted))
    }

    fn number(&self) -> Result<u64, RuleError> {
        self.read(&format!("a number: {}=3", self.name))
    }

    fn text(&self) -> Result<&'a str, RuleError> {
        self.value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| self.wrong(&format!("a text: {}=\"some words\"", self.name)))
    }

    fn status(&self) -> Result<StatusCode, RuleError> {
        const WANTED: &str = "a number from 400 to 599: status=503";
        let number = self.read(WANTED)?;
        match StatusCode::from_u16(number) {
            Ok(status) if (400..600).contains(&number) => Ok(status),
            _ => Err(self.wrong(WANTED)),
        }
    }

    fn time(&self) -> Result<Duration, RuleError> {
        const WANTED: &str = "a time with its unit: delay=300ms, delay=2s";
        let time: jiff::SignedDuration = self.read(WANTED)?;
        match Duration::try_from(time) {
            Ok(time) if !time.is_zero() => Ok(time),
            _ => Err(self.wrong(WANTED)),
        }
    }

    fn chance(&self) -> Result<f64, RuleError> {
        const WANTED: &str = "a number from 0 to 1: chance=0.5";
        let chance = self.read(WANTED)?;
        match (0.0..=1.0).contains(&chance) {
            true => Ok(chance),
            false => Err(self.wrong(WANTED)),
        }
    }
}
