//! A question in the terminal, outside the dashboard.

use super::super::complaint::Complaint;
use super::{Trouble, trouble};
use crate::model::Clean;
use crate::text::clean_str;
use std::io::{self, BufRead, IsTerminal, Write};

/// # Errors
/// Where nobody can be asked, with what to do.
pub fn can_ask() -> Result<(), Trouble> {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        return Ok(());
    }
    let sentence = "This asks first, and there is no terminal to ask in: nothing was done. With --yes it does not ask.";
    Err(Trouble::Unusable(Complaint::new(sentence)))
}

/// Whether the answer is a yes, or the words that were wanted for one.
pub fn ask(question: &[Clean], wanted: Option<&str>) -> Result<bool, Trouble> {
    let broken = |error: io::Error| trouble(&format!("The terminal cannot be used: {error}."));
    let mut terminal = io::stderr().lock();
    let mut write = || {
        for line in question {
            writeln!(terminal, "{line}")?;
        }
        match wanted {
            None => write!(terminal, "Go on? [y/N] ")?,
            Some(words) => write!(terminal, "Type `{}` to go on: ", clean_str(words))?,
        }
        terminal.flush()
    };
    write().map_err(broken)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(broken)?;
    let answer = answer.trim();
    Ok(match wanted {
        None => matches!(answer, "y" | "Y" | "yes"),
        Some(words) => answer == words,
    })
}
