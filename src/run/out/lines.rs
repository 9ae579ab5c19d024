//! Writes an excerpt of a log, a chunk in memory at a time: what is away is read back from its file on the way.
use crate::logic::{Amount, Excerpt, Held};
use crate::run::spill::Shelf;
use crate::text::{Away, Form, Lookup};
use std::io::{self, Write};

/// So much is put together before it is written.
const PIECE: usize = 64 << 10;

/// # Errors
/// Those of `out`. What cannot be read back is counted as missing.
pub fn write(
    excerpt: &mut Excerpt,
    form: Form,
    shelf: &Shelf,
    out: &mut dyn Write,
) -> io::Result<Amount> {
    let mut amount = Amount::default();
    let mut piece = String::new();
    let mut number = excerpt.lines.start;
    while let Some(at) = excerpt.next(number) {
        number = at + 1;
        let log = excerpt.held.log();
        match log.get(at) {
            Lookup::Line(line) => {
                let strand = log.origin(at).map_or(0, |origin| origin.strand);
                let source = excerpt.held.name(strand);
                amount.lines += u64::from(form.put(&line, source, &mut piece));
            }
            Lookup::Away(_) => {
                if let Some(away) = log.away_at(at) {
                    number = at;
                    bring(&mut excerpt.held, away, shelf);
                }
            }
            Lookup::Gone if excerpt.filter.is_some() => amount.missing += 1,
            Lookup::Gone => {
                number = log.gap(at).end.max(number).min(excerpt.lines.end);
                amount.missing += number - at;
            }
        }
        if piece.len() >= PIECE {
            amount.bytes += piece.len() as u64;
            out.write_all(piece.as_bytes())?;
            piece.clear();
        }
    }
    amount.bytes += piece.len() as u64;
    out.write_all(piece.as_bytes())?;
    Ok(amount)
}

/// Reads a chunk back, or gives its lines up.
fn bring(held: &mut Held, away: Away, shelf: &Shelf) {
    let Some((id, store)) = held.store(away.strand) else {
        return;
    };
    if let Ok(chunk) = shelf.read(id, away.chunk) {
        store.read_back(chunk);
    }
    if store.away_at(away.chunk.first()).is_some() {
        store.lose(away.chunk);
    }
}
