//! Where the user was: kept from one start to the next, and never a reason not to start.

use crate::logic::{ACTIONS, Column, LogLooks, Order, Pick, View};
use crate::model::{SandboxKey, SandboxName, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Picks of sandboxes whose names are longer, in bytes, are not kept.
const LONGEST_NAME: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Remembered {
    pub view: View,
    /// The list's filter, as it was typed.
    pub filter: String,
    pub order: Order,
    pub columns: Option<Chosen<Vec<Column>>>,
    /// The list's part of the screen, in percent.
    pub share: Option<Chosen<u16>>,
    /// In the palette, the latest first.
    pub picked: Vec<Pick>,
    /// Long lines of logs go on below.
    pub wrap: Option<Chosen<bool>>,
    pub looks: LogLooks,
}

/// What was chosen on the screen in place of a setting. Whoever changes the setting after that means the setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen<T> {
    value: T,
    instead_of: T,
}

impl<T: PartialEq> Chosen<T> {
    /// `None`: the setting itself.
    pub fn new(value: T, setting: T) -> Option<Self> {
        (value != setting).then_some(Self {
            value,
            instead_of: setting,
        })
    }

    /// What counts now.
    pub fn or(this: Option<Self>, setting: T) -> T {
        match this.filter(|chosen| chosen.instead_of == setting) {
            Some(chosen) => chosen.value,
            None => setting,
        }
    }

    fn map<U>(self, into: impl Fn(T) -> U) -> Chosen<U> {
        Chosen {
            value: into(self.value),
            instead_of: into(self.instead_of),
        }
    }
}

/// As it is written: names, so that another version reads what it knows of them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Written {
    view: String,
    filter: String,
    sort: String,
    reverse: bool,
    columns: Option<Chosen<Vec<String>>>,
    share: Option<Chosen<u16>>,
    picked: Vec<Value>,
    wrap: Option<Chosen<bool>>,
    logs: Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenPick {
    Do(String),
    To(SandboxName, Option<Timestamp>),
}

impl Remembered {
    /// What can be read counts; the rest is as at the first start.
    pub fn parse(text: &str) -> Self {
        let written: Written = serde_json::from_str(text).unwrap_or_default();
        let view = View::ALL.into_iter().find(|view| view.id() == written.view);
        let order = Column::of_id(&written.sort).map(|column| Order {
            column,
            reverse: written.reverse,
        });
        let columns = written.columns.map(|chosen| chosen.map(columns));
        Self {
            view: view.unwrap_or_default(),
            filter: written.filter,
            order: order.unwrap_or_default(),
            columns: columns.filter(|chosen| chosen.value.contains(&Column::Name)),
            share: written
                .share
                .filter(|chosen| (1..=100).contains(&chosen.value)),
            picked: written.picked.into_iter().filter_map(pick).collect(),
            wrap: written.wrap,
            looks: serde_json::from_value(written.logs).unwrap_or_default(),
        }
    }

    pub fn to_text(&self) -> String {
        let ids = |columns: Vec<Column>| -> Vec<String> {
            columns.iter().map(|column| column.id().into()).collect()
        };
        let written = Written {
            view: self.view.id().to_owned(),
            filter: self.filter.clone(),
            sort: self.order.column.id().to_owned(),
            reverse: self.order.reverse,
            columns: self.columns.clone().map(|chosen| chosen.map(ids)),
            share: self.share.clone(),
            picked: self.picked.iter().filter_map(written).collect(),
            wrap: self.wrap.clone(),
            logs: serde_json::to_value(self.looks).unwrap_or_default(),
        };
        // Plain strings and numbers: nothing in them can fail.
        serde_json::to_string(&written).unwrap_or_default()
    }
}

/// Those that are known, each once.
fn columns(ids: Vec<String>) -> Vec<Column> {
    let mut columns = Vec::new();
    for column in ids.iter().filter_map(|id| Column::of_id(id)) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

fn pick(written: Value) -> Option<Pick> {
    match serde_json::from_value(written).ok()? {
        WrittenPick::Do(id) => {
            let row = ACTIONS.iter().find(|row| row.id == id)?;
            Some(Pick::Do(row.action))
        }
        WrittenPick::To(name, created_at) => Some(Pick::GoTo(SandboxKey { name, created_at })),
    }
}

fn written(pick: &Pick) -> Option<Value> {
    let written = match pick {
        Pick::Do(action) => WrittenPick::Do(action.row().id.to_owned()),
        Pick::GoTo(key) if key.name.as_raw().len() > LONGEST_NAME => return None,
        Pick::GoTo(key) => WrittenPick::To(key.name.clone(), key.created_at),
    };
    serde_json::to_value(written).ok()
}
