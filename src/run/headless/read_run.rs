//! `sandtop read`: what a coding agent printed, from files; no server is asked.

use super::super::args::ReadArguments;
use super::super::complaint::Complaint;
use super::super::{FAILED, fail, write_out};
use crate::agents::{Piece, Process, Stream};
use crate::app::report::{Order, Telling};
use memchr::memchr_iter;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

/// Bytes that are read at once.
const PIECE: usize = 256 << 10;

pub fn read_run(arguments: &ReadArguments) -> ExitCode {
    let mut telling = Telling::new(arguments.format, arguments.json, Order::Appeared);
    let files = [
        (Stream::Stdout, Some(&arguments.file)),
        (Stream::Stderr, arguments.stderr.as_ref()),
    ];
    for (stream, path) in files {
        let Some(path) = path else { continue };
        if let Err(error) = hear(&mut telling, stream, path) {
            let sentence = format!("{} cannot be read: {error}.", path.display());
            return fail(FAILED, &Complaint::new(&sentence));
        }
    }
    telling.end(arguments.exit.map_or(Process::Running, Process::Exited));
    match write_out(&telling.take()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let sentence = format!("The output cannot be written: {error}.");
            fail(FAILED, &Complaint::new(&sentence))
        }
    }
}

fn hear(telling: &mut Telling, stream: Stream, path: &Path) -> io::Result<()> {
    let mut file: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(path)?),
    };
    let mut buffer = vec![0; PIECE];
    let mut line = 0;
    loop {
        let bytes = match file.read(&mut buffer)? {
            0 => return Ok(()),
            read => &buffer[..read],
        };
        telling.hear(Piece {
            stream,
            line,
            arrived: None,
            bytes,
        });
        line += memchr_iter(b'\n', bytes).count() as u64;
        write_out(&telling.take())?;
    }
}
