//! Where the user was: kept from one start to the next, and never a reason not to start.

use crate::logic::{Column, Order, View};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Remembered {
    pub view: View,
    /// The list's filter, as it was typed.
    pub filter: String,
    pub order: Order,
}

/// As it is written: names, so that another version reads what it knows of them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Written {
    view: String,
    filter: String,
    sort: String,
    reverse: bool,
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
        Self {
            view: view.unwrap_or_default(),
            filter: written.filter,
            order: order.unwrap_or_default(),
        }
    }

    pub fn to_text(&self) -> String {
        let written = Written {
            view: self.view.id().to_owned(),
            filter: self.filter.clone(),
            sort: self.order.column.id().to_owned(),
            reverse: self.order.reverse,
        };
        // Plain strings: nothing in them can fail.
        serde_json::to_string(&written).unwrap_or_default()
    }
}
