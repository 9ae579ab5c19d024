//! A shell to open (api.md §5.4): the best one of the image, or another program, as whom and where.

use super::{Wrong, env, some};
use crate::logic::{ShellStart, words};
use crate::model::{Clean, SessionId};

/// In the order of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellField {
    Line,
    Sudo,
    Cwd,
    Env,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct ShellDraft {
    /// Program and arguments; empty: the best shell.
    pub line: String,
    pub sudo: bool,
    pub cwd: String,
    pub env: String,
}

impl std::fmt::Debug for ShellDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The environment may hold what is not to be printed.
        f.debug_struct("ShellDraft")
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl ShellDraft {
    /// The start without a size, which the pane tells.
    ///
    /// # Errors
    /// What is wrong, field by field.
    pub fn start(&self, session: &SessionId) -> Result<ShellStart, Vec<(ShellField, Clean)>> {
        let mut wrong = Wrong(Vec::new());
        let argv = words::split(&self.line).map_err(Clean::from);
        let argv = wrong.sort(ShellField::Line, argv);
        let env = wrong.sort(ShellField::Env, env(&self.env));
        if !wrong.0.is_empty() {
            return Err(wrong.0);
        }
        let mut argv = argv.into_iter();
        Ok(ShellStart {
            session: session.clone(),
            command: argv.next(),
            args: argv.collect(),
            env: env.0.into_iter().collect(),
            cwd: some(&self.cwd),
            sudo: self.sudo,
            columns: 0,
            rows: 0,
        })
    }
}
