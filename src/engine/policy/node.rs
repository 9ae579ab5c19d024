//! A part of a body that knows its place, so that a refusal can name it.

use super::super::refusal::Refusal;
use serde_json::{Map, Value};
use std::fmt::Display;

pub(super) struct Node<'a> {
    /// Empty for the body itself.
    path: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    pub fn new(path: &str, value: &'a Value) -> Self {
        let path = path.to_owned();
        Self { path, value }
    }

    /// The values themselves are never part of the sentence: they may be secrets.
    pub fn refuse(&self, rule: impl Display) -> Refusal {
        let path = if self.path.is_empty() {
            "body"
        } else {
            &self.path
        };
        Refusal::field(path, rule)
    }

    pub fn value(&self) -> &'a Value {
        self.value
    }

    pub fn is_list(&self) -> bool {
        self.value.is_array()
    }

    pub fn text(&self) -> Result<&'a str, Refusal> {
        let text = self.value.as_str();
        text.ok_or_else(|| self.refuse("must be a string"))
    }

    pub fn list(&self) -> Result<Vec<Self>, Refusal> {
        let Some(list) = self.value.as_array() else {
            return Err(self.refuse("must be a list"));
        };
        let nodes = list.iter().enumerate().map(|(at, value)| Self {
            path: format!("{}[{at}]", self.path),
            value,
        });
        Ok(nodes.collect())
    }

    pub fn each<T>(&self, rule: fn(&Self) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
        self.list()?.iter().map(rule).collect()
    }

    /// All fields of an object whose names are the sender's.
    pub fn entries(&self) -> Result<Vec<(&'a str, Self)>, Refusal> {
        let fields = self.object()?.iter();
        Ok(fields
            .map(|(name, value)| (name.as_str(), self.inner(name, value)))
            .collect())
    }

    /// The fields of an object that may have these and no others.
    pub fn fields<const N: usize>(&self, known: [&str; N]) -> Result<[Option<Self>; N], Refusal> {
        let fields = self.object()?;
        if let Some((name, value)) = fields
            .iter()
            .find(|(name, _)| !known.contains(&name.as_str()))
        {
            let rule = format!("is unknown here; there are: {}", known.join(", "));
            return Err(self.inner(name, value).refuse(rule));
        }
        Ok(known.map(|name| fields.get(name).map(|value| self.inner(name, value))))
    }

    /// One field of an object, whatever others it has.
    pub fn find(&self, name: &str) -> Result<Option<Self>, Refusal> {
        let value = self.object()?.get(name);
        Ok(value.map(|value| self.inner(name, value)))
    }

    fn object(&self) -> Result<&'a Map<String, Value>, Refusal> {
        let object = self.value.as_object();
        object.ok_or_else(|| self.refuse("must be an object"))
    }

    fn inner(&self, name: &str, value: &'a Value) -> Self {
        let path = if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        };
        Self { path, value }
    }
}
