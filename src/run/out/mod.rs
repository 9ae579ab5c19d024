//! Takes lines out of the program: to a clipboard, a file, or a program that has the terminal for a while.

mod child;
mod clipboard;
mod file;
mod lines;
#[cfg(test)]
mod tests;
mod visit;
mod ways;

pub use visit::Visit;

use super::Control;
use super::spill::Shelf;
use super::terminal::Terminal;
use crate::logic::{Amount, CopyWay, Event, Excerpt, Export, Outlet, Told};
use crate::model::Foreign;
use crate::text::{Form, clean_str};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

pub struct Outlets {
    terminal: Arc<Terminal>,
    news: mpsc::Sender<Event>,
    control: mpsc::UnboundedSender<Control>,
    /// Where private files may lie, the best place first.
    private: Vec<PathBuf>,
}

impl Outlets {
    pub fn new(
        terminal: Arc<Terminal>,
        news: mpsc::Sender<Event>,
        control: mpsc::UnboundedSender<Control>,
        private: Vec<PathBuf>,
    ) -> Self {
        Self {
            terminal,
            news,
            control,
            private,
        }
    }

    /// Text that is no log's and that is clean. Within a runtime.
    pub fn copy(&self, text: String) {
        self.clipboard(move |out| {
            out.write_all(text.as_bytes())?;
            Ok(Amount {
                lines: text.lines().count() as u64,
                bytes: text.len() as u64,
                missing: 0,
            })
        });
    }

    /// Within a runtime. `shelf`: the file with what is not in memory.
    pub fn carry_out(&self, export: Export, shelf: Shelf) {
        let Export { excerpt, to } = export;
        match to {
            Outlet::Clipboard => {
                self.clipboard(move |out| {
                    lines::write(&mut excerpt.clone(), Form::Plain, &shelf, out)
                });
            }
            Outlet::File {
                path,
                form,
                overwrite,
            } => self.tell(move || save(&path, form, overwrite, excerpt, &shelf)),
            Outlet::Pager => self.visit(Visit::pager(excerpt, shelf)),
            Outlet::Command(line) => self.visit(Visit::command(line, excerpt, shelf)),
            Outlet::Editor => self.edit(excerpt, shelf),
        }
    }

    fn clipboard(
        &self,
        write: impl Fn(&mut dyn Write) -> io::Result<Amount> + Send + Sync + 'static,
    ) {
        let (terminal, private) = (Arc::clone(&self.terminal), self.private.clone());
        self.tell(move || {
            let to_terminal = |sequence: &str| terminal.write(sequence.as_bytes());
            match clipboard::copy(&write, to_terminal, &private) {
                Ok((way, amount)) => Told::Copied(way, amount),
                Err(error) => failed("copy", &error),
            }
        });
    }

    /// What an editor opens is a file of its own, which goes when the editor is done.
    fn edit(&self, mut excerpt: Excerpt, shelf: Shelf) {
        let (news, control) = (self.news.clone(), self.control.clone());
        let private = self.private.clone();
        tokio::task::spawn_blocking(move || {
            let written = file::scrap(&private, |out| {
                lines::write(&mut excerpt, Form::Plain, &shelf, out)
            });
            let _ = match written {
                Ok((scrap, amount)) => control
                    .send(Control::Visit(Visit::editor(scrap, amount)))
                    .is_ok(),
                Err(error) => {
                    let told = failed("open the editor", &error);
                    news.blocking_send(Event::Told(told)).is_ok()
                }
            };
        });
    }

    fn visit(&self, visit: Visit) {
        let _ = self.control.send(Control::Visit(visit));
    }

    /// On a thread that may wait.
    fn tell(&self, work: impl FnOnce() -> Told + Send + 'static) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let _ = news.blocking_send(Event::Told(work()));
        });
    }
}

fn save(path: &str, form: Form, overwrite: bool, mut excerpt: Excerpt, shelf: &Shelf) -> Told {
    let whole = file::whole_path(path, std::env::home_dir().as_deref());
    let again = excerpt.clone();
    let saved = file::save(&whole, overwrite, |out| {
        lines::write(&mut excerpt, form, shelf, out)
    });
    match saved {
        Ok(amount) => Told::Saved(shown(&whole), amount),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !overwrite => {
            let path = path.to_owned();
            Told::Exists(Box::new(Export {
                excerpt: again,
                to: Outlet::File {
                    path,
                    form,
                    overwrite: true,
                },
            }))
        }
        Err(error) => failed(
            "save",
            &io::Error::other(format!("{}: {error}", whole.display())),
        ),
    }
}

/// Each line made harmless; their ends stay.
pub fn clean_lines(text: &Foreign) -> String {
    let lines: Vec<_> = text.as_raw().lines().map(clean_str).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
    lines.join("\n")
}

fn failed(what: &'static str, error: &io::Error) -> Told {
    Told::Failed {
        what,
        why: error.to_string().into(),
    }
}

fn shown(path: &Path) -> Foreign {
    path.display().to_string().into()
}
