//! What Cursor's agent says: pieces, and the texts that repeat them.

use crate::agents::Kind;
use crate::agents::growing::Growing;
use crate::agents::ledger::Ledger;

/// So much of what came in pieces is kept to know its repetition by.
const KEPT: usize = 1 << 20;

#[derive(Debug, Default)]
pub struct Saying {
    open: Growing,
    /// All pieces since the last prompt.
    pieces: String,
    /// Where the newest text begins in them.
    newest: usize,
}

impl Saying {
    pub fn hear(&mut self, ledger: &mut Ledger, said: &str, is_piece: bool) {
        if is_piece {
            if !self.open.is_open() {
                self.newest = self.pieces.len();
            }
            if self.pieces.len() + said.len() <= KEPT {
                self.pieces.push_str(said);
            }
            return self.open.add(ledger, Kind::Text, said);
        }
        if self.repeats(said) {
            return self.open.close(ledger);
        }
        // Some pieces are missing, or there never were any.
        self.open.whole(ledger, Kind::Text, said);
    }

    /// The newest text once more, or all of them.
    fn repeats(&self, said: &str) -> bool {
        let told = [&self.pieces[self.newest..], &self.pieces];
        !self.pieces.is_empty() && told.iter().any(|told| told.trim() == said.trim())
    }

    /// Another run: nothing of it repeats what was before.
    pub fn forget(&mut self) {
        self.pieces.clear();
        self.newest = 0;
    }

    pub fn close(&mut self, ledger: &mut Ledger) {
        self.open.close(ledger);
    }

    pub fn write(&mut self, ledger: &mut Ledger) {
        self.open.write(ledger);
    }
}
