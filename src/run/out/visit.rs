//! A program that has the terminal for a while: the pager, the editor, a command that reads the lines.

use super::file::Scrap;
use super::lines;
use crate::logic::{Amount, Excerpt, Told};
use crate::run::spill::Shelf;
use crate::text::{Form, clean_str};
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

#[derive(Debug)]
pub struct Visit {
    /// For the shell; `$@` is the file, if there is one.
    line: String,
    gives: Gives,
    /// What it said on the terminal stays in view until a key.
    stays: bool,
}

#[derive(Debug)]
enum Gives {
    /// On its standard input.
    Lines(Box<Excerpt>, Shelf),
    File(Scrap, Amount),
}

impl Visit {
    pub fn pager(excerpt: Excerpt, shelf: Shelf) -> Self {
        let usual = if is_there("less") { "less" } else { "more" };
        Self {
            line: chosen(&["PAGER"]).unwrap_or_else(|| usual.into()),
            gives: Gives::Lines(Box::new(excerpt), shelf),
            stays: false,
        }
    }

    pub fn command(line: String, excerpt: Excerpt, shelf: Shelf) -> Self {
        Self {
            line,
            gives: Gives::Lines(Box::new(excerpt), shelf),
            stays: true,
        }
    }

    pub fn editor(scrap: Scrap, amount: Amount) -> Self {
        let editor = chosen(&["VISUAL", "EDITOR"]).unwrap_or_else(|| "vi".into());
        Self {
            line: format!("{editor} \"$@\""),
            gives: Gives::File(scrap, amount),
            stays: false,
        }
    }

    /// Runs it to its end. The terminal must be nobody's.
    pub fn run(self) -> Told {
        let line = clean_str(self.line.trim_end_matches(" \"$@\""));
        let stays = self.stays;
        let ended = self.child();
        if stays {
            let said = match &ended {
                Ok((exit, _)) => format!("exit {exit}"),
                Err(error) => error.to_string(),
            };
            until_enter(&format!("\n[{line}: {said} · enter goes back to sandtop] "));
        }
        match ended {
            Ok((exit, given)) => Told::Visited {
                line: line.as_str().into(),
                exit,
                given,
            },
            Err(error) => Told::Failed {
                what: "start a program",
                why: error.to_string().into(),
            },
        }
    }

    fn child(self) -> io::Result<(i32, Amount)> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.line, "sandtop"]);
        match self.gives {
            Gives::File(scrap, amount) => {
                let status = command.arg(&scrap.0).status()?;
                Ok((exit(status), amount))
            }
            Gives::Lines(mut excerpt, shelf) => {
                let mut child = command.stdin(Stdio::piped()).spawn()?;
                let mut amount = Amount::default();
                if let Some(mut stdin) = child.stdin.take() {
                    match lines::write(&mut excerpt, Form::Plain, &shelf, &mut stdin) {
                        Ok(written) => amount = written,
                        // It has seen enough.
                        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                        Err(error) => tracing::warn!(%error, "lines for a program"),
                    }
                }
                Ok((exit(child.wait()?), amount))
            }
        }
    }
}

/// As shells tell it.
fn exit(status: std::process::ExitStatus) -> i32 {
    let killed = || 128 + status.signal().unwrap_or_default();
    status.code().unwrap_or_else(killed)
}

/// The first of these variables that is set to something.
fn chosen(names: &[&str]) -> Option<String> {
    let values = names.iter().filter_map(|name| std::env::var(name).ok());
    values.into_iter().find(|value| !value.trim().is_empty())
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// The terminal is in its own line mode here: what is read is a line.
fn until_enter(words: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
    let mut byte = [0];
    while let Ok(1) = rustix::io::read(rustix::stdio::stdin(), &mut byte) {
        if byte == *b"\n" {
            break;
        }
    }
    let _ = out.write_all(b"\r\n").and_then(|()| out.flush());
}
