//! Files of a running session: written from an archive, opened to be read, directories made.

use super::cell::{Errand, FileError, Opened};
use super::refusal::Refusal;
use super::state::{Engine, Live};
use crate::model::SessionId;
use std::fs::File;
use std::sync::Arc;

impl Engine {
    /// Writes what a tar.gz holds below a directory of the sandbox; all of it or nothing.
    pub async fn unpack(
        &self,
        session: &SessionId,
        into: String,
        archive: File,
    ) -> Result<(), Refusal> {
        let live = self.accepting(session)?;
        let done = live.cell.errand(Errand::Unpack { into }, Some(archive));
        done.await.map_err(|error| self.not_done(session, error))
    }

    /// Opens a file for reading; it can be read while the session lives.
    pub async fn open(
        &self,
        session: &SessionId,
        path: String,
        cwd: Option<String>,
    ) -> Result<(Arc<Live>, Opened), Refusal> {
        let live = self.accepting(session)?;
        match live.cell.open(path, cwd).await {
            Ok(opened) => Ok((live, opened)),
            Err(error) => Err(self.not_done(session, error)),
        }
    }

    pub async fn make_directory(
        &self,
        session: &SessionId,
        path: String,
        cwd: Option<String>,
        recursive: bool,
    ) -> Result<(), Refusal> {
        let live = self.accepting(session)?;
        let errand = Errand::MakeDirectory {
            path,
            cwd,
            recursive,
        };
        let done = live.cell.errand(errand, None).await;
        done.map_err(|error| self.not_done(session, error))
    }

    fn not_done(&self, session: &SessionId, error: FileError) -> Refusal {
        match error {
            FileError::Missing(why) => Refusal::no_file(why),
            FileError::Refused(why) => Refusal::bad_request(why),
            FileError::Full(why) => Refusal::disk_full(why),
            FileError::Broken(_) => Refusal::internal("working on files of the sandbox", &error),
            FileError::CellGone => match self.accepting(session) {
                Err(refusal) => refusal,
                Ok(_) => {
                    let why = "something in the sandbox ended the process that did it";
                    let error = FileError::Broken(why.to_owned());
                    Refusal::internal("working on files of the sandbox", &error)
                }
            },
        }
    }
}
