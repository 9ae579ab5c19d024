//! A command's output on disk: the NDJSON lines themselves, so that replaying is copying and nothing piles up
//! in memory. One writer, any number of readers.

use super::ndjson;
use crate::model::{Span, StreamName};
use std::io::{self, SeekFrom};
use std::path::Path;
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

/// How far the output of a command has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Bytes of the file that readers may read.
    pub written: u64,
    /// Bytes of output that could not be kept.
    pub lost: u64,
    pub end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Exited {
        code: i32,
        lasted: Span,
    },
    /// Its session was stopped.
    Cut {
        lasted: Span,
    },
}

/// The writing side.
pub(super) struct Output {
    file: File,
    written: u64,
    stdout: Decoder,
    stderr: Decoder,
}

impl Output {
    /// The directory must be there.
    pub async fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::create_new(path).await?,
            written: 0,
            stdout: Decoder::default(),
            stderr: Decoder::default(),
        })
    }

    /// Appends what one read of a stream gave (nothing = its end); how many bytes the file has grown. On an error
    /// it has not grown.
    pub async fn append(&mut self, stream: &StreamName, bytes: &[u8]) -> io::Result<u64> {
        let decoder = match stream {
            StreamName::Stderr => &mut self.stderr,
            _ => &mut self.stdout,
        };
        let text = if bytes.is_empty() {
            decoder.finish()
        } else {
            decoder.decode(bytes)
        };
        if text.is_empty() {
            return Ok(0);
        }
        let line = ndjson::piece(stream, &text);
        if let Err(error) = self.write(&line).await {
            self.take_back().await?;
            return Err(error);
        }
        self.written += line.len() as u64;
        Ok(line.len() as u64)
    }

    async fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.write_all(line).await?;
        self.file.flush().await
    }

    /// The beginning of a line that did not fit would spoil the next one.
    async fn take_back(&mut self) -> io::Result<()> {
        self.file.set_len(self.written).await?;
        self.file.seek(SeekFrom::Start(self.written)).await?;
        Ok(())
    }
}

/// Makes text of bytes: a character split over two reads is put together, what is no text is replaced.
#[derive(Default)]
struct Decoder {
    /// The beginning of a character, at most three bytes.
    rest: Vec<u8>,
}

impl Decoder {
    fn decode(&mut self, bytes: &[u8]) -> String {
        let joined;
        let mut bytes = if self.rest.is_empty() {
            bytes
        } else {
            joined = [&self.rest, bytes].concat();
            self.rest.clear();
            &joined
        };
        let mut text = String::with_capacity(bytes.len());
        loop {
            let error = match str::from_utf8(bytes) {
                Ok(valid) => {
                    text.push_str(valid);
                    return text;
                }
                Err(error) => error,
            };
            let (valid, after) = bytes.split_at(error.valid_up_to());
            text.push_str(&String::from_utf8_lossy(valid));
            let Some(length) = error.error_len() else {
                self.rest = after.to_vec();
                return text;
            };
            text.push(char::REPLACEMENT_CHARACTER);
            bytes = &after[length..];
        }
    }

    fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.rest);
        String::from_utf8_lossy(&rest).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_split_over_reads_are_joined_and_what_is_no_text_is_replaced() {
        let cases: [(&[&[u8]], &str); 6] = [
            (&[b"plain"], "plain"),
            (&["€".as_bytes()], "€"),
            (&[b"\xe2", b"\x82", b"\xac!"], "€!"),
            (&[b"a\xff\xfeb"], "a\u{fffd}\u{fffd}b"),
            (&[b"\xf0\x9f", b"x"], "\u{fffd}x"),
            (&[b"end\xe2\x82"], "end\u{fffd}"),
        ];
        for (reads, wanted) in cases {
            let mut decoder = Decoder::default();
            let mut text: String = reads.iter().map(|read| decoder.decode(read)).collect();
            text.push_str(&decoder.finish());
            assert_eq!(text, wanted, "{reads:?}");
        }
    }
}
