//! A command to run (api.md §2.8): always detached, so that its log is read like any other.

use super::{Wrong, env, some, timeout};
use crate::logic::words;
use crate::model::request::RunCommand;
use crate::model::{Clean, Command, Foreign, Span};

/// In the order of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunField {
    Line,
    Shell,
    Cwd,
    Env,
    Sudo,
    Timeout,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct RunDraft {
    pub line: String,
    /// A shell reads the line, instead of its words being program and arguments.
    pub shell: bool,
    pub cwd: String,
    pub env: String,
    pub sudo: bool,
    pub timeout: String,
}

impl RunDraft {
    /// # Errors
    /// What is wrong, field by field.
    pub fn request(&self) -> Result<RunCommand, Vec<(RunField, Clean)>> {
        let mut wrong = Wrong(Vec::new());
        let argv = wrong.sort(RunField::Line, self.argv());
        let env = wrong.sort(RunField::Env, env(&self.env));
        let timeout = timeout(&self.timeout, Span::seconds(1), "at least 1s");
        let timeout = wrong.sort(RunField::Timeout, timeout);
        let mut argv = argv.into_iter();
        match argv.next().filter(|_| wrong.0.is_empty()) {
            Some(command) => Ok(RunCommand {
                command,
                args: argv.collect(),
                cwd: some(&self.cwd),
                env,
                sudo: self.sudo,
                timeout,
                ..RunCommand::default()
            }),
            None => Err(wrong.0),
        }
    }

    fn argv(&self) -> Result<Vec<String>, Clean> {
        if self.line.trim().is_empty() {
            return Err(Clean::from("what is to be run?"));
        }
        if self.shell {
            return Ok(["sh", "-c", &self.line].map(str::to_owned).to_vec());
        }
        let words = words::split(&self.line).map_err(Clean::from)?;
        match words.first() {
            Some(program) if !program.is_empty() => Ok(words),
            _ => Err(Clean::from("the program's name is empty")),
        }
    }

    /// What is known of a command that ran. The service tells neither its environment nor sudo nor its time limit.
    pub fn of(command: &Command) -> Self {
        let name = command.name.as_ref().map_or("", Foreign::as_raw);
        let args: Vec<&str> = command.args.iter().map(Foreign::as_raw).collect();
        let cwd = command.cwd.as_ref().map_or("", Foreign::as_raw).to_owned();
        let (line, shell) = match args.as_slice() {
            ["-c", line] if name == "sh" && !line.contains(char::is_control) => {
                ((*line).to_owned(), true)
            }
            _ => (words::joined([name].into_iter().chain(args)), false),
        };
        Self {
            line,
            shell,
            cwd,
            ..Self::default()
        }
    }
}

/// The same program, arguments and directory once more; `None` for a command whose program is not known.
pub fn again(command: &Command) -> Option<RunCommand> {
    let name = command.name.as_ref().filter(|name| !name.is_empty())?;
    let args = command.args.iter().map(|arg| arg.as_raw().to_owned());
    Some(RunCommand {
        command: name.as_raw().to_owned(),
        args: args.collect(),
        cwd: command.cwd.as_ref().map(|cwd| cwd.as_raw().to_owned()),
        ..RunCommand::default()
    })
}
