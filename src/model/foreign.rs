//! Text from outside, and text that is fit for a terminal.
//!
//! [`Foreign`] is whatever the service (or a file, or the environment) said: it has no `Display`, so it
//! cannot slip into a sentence. The one way from `Foreign` to the screen, the clipboard, a window title or
//! a file name is `text::clean`, which makes a [`Clean`].

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// Text that came from outside, unchanged. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Foreign(Arc<str>);

impl Foreign {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The bytes as they came: for comparing, searching, and sending back to the service. Never for drawing.
    pub fn as_raw(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({:?})", &*self.0)
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl Serialize for Foreign {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Foreign {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self::from)
    }
}

/// Text without control characters, escape sequences or direction overrides: safe to draw, copy and print.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Clean(Arc<str>);

impl Clean {
    /// Only `text::clean` and its neighbours may call this: `tests/layers.rs` holds everybody else off.
    pub fn trusted(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Clean {
    fn from(text: &'static str) -> Self {
        Self(Arc::from(text))
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clean({:?})", &*self.0)
    }
}
