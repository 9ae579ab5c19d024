//! Why the program does not do what was asked: a few lines for standard error.

use crate::model::Clean;
use crate::text::clean_str;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint(Vec<Clean>);

impl Complaint {
    /// A line for each line of the text; nothing in it does anything to a terminal.
    pub fn new(text: &str) -> Self {
        Self(text.lines().map(clean_str).collect())
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{line}")?;
        }
        Ok(())
    }
}
