//! What dialogs with fields have in common.

use super::{Dialog, Outcome};
use crate::model::Clean;
use crate::ui::{Form, FormNews};
use crossterm::event::{KeyEvent, KeyEventKind};

/// The request that the fields make; or none, and each field tells what is wrong with it.
pub(super) fn judged<T, F>(
    form: &mut Form,
    read: Result<T, Vec<(F, Clean)>>,
    place: impl Fn(F) -> usize,
) -> Option<T> {
    let (wanted, wrong) = match read {
        Ok(wanted) => (Some(wanted), Vec::new()),
        Err(wrong) => (None, wrong),
    };
    let wrong = wrong.into_iter().map(|(field, why)| (place(field), why));
    form.judge(wrong.collect());
    wanted
}

impl Dialog {
    /// Its fields, where it is a form.
    pub(super) fn form(&mut self) -> Option<&mut Form> {
        match self {
            Self::Run(run) => Some(run.form()),
            Self::Create(create) => Some(create.form()),
            Self::NewShell(shell) => Some(shell.form()),
            _ => None,
        }
    }

    /// `None`: it has no fields.
    pub(super) fn fill_in(&mut self, event: KeyEvent) -> Option<Outcome> {
        let held = event.kind == KeyEventKind::Repeat;
        let news = self.form()?.key(event, held);
        Some(self.filled_in(news))
    }

    /// As [`Dialog::fill_in`], for a place in the form that was clicked.
    pub(super) fn point_at(&mut self, place: usize) -> Option<Outcome> {
        let news = self.form()?.click(place);
        Some(self.filled_in(news))
    }

    fn filled_in(&mut self, news: FormNews) -> Outcome {
        let sent = match news {
            FormNews::Cancel => return Outcome::Closed,
            FormNews::Nothing | FormNews::Changed => return Outcome::Open,
            FormNews::Send => match self {
                Self::Run(run) => run.send(),
                Self::Create(create) => create.send(),
                Self::NewShell(shell) => shell.send(),
                _ => None,
            },
        };
        if let (None, Some(form)) = (&sent, self.form()) {
            form.insist();
        }
        sent.unwrap_or(Outcome::Open)
    }
}
