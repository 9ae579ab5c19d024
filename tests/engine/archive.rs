//! Archives to upload, honest and not.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use tar::{Builder, EntryType, Header};

pub struct Tar(Builder<Vec<u8>>);

pub fn tar() -> Tar {
    Tar(Builder::new(Vec::new()))
}

impl Tar {
    /// A regular file; its name may be long.
    pub fn file(mut self, name: &str, mode: u32, content: &[u8]) -> Self {
        let mut header = Header::new_gnu();
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        self.0.append_data(&mut header, name, content).unwrap();
        self
    }

    /// An entry of any kind, whose name and link are written as they are.
    pub fn raw(mut self, kind: EntryType, name: &str, link: &str, content: &[u8]) -> Self {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        let old = header.as_old_mut();
        old.name[..name.len()].copy_from_slice(name.as_bytes());
        old.linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_cksum();
        self.0.append(&header, content).unwrap();
        self
    }

    pub fn directory(mut self, name: &str, mode: u32) -> Self {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Directory);
        header.set_mode(mode);
        header.set_size(0);
        self.0.append_data(&mut header, name, &[][..]).unwrap();
        self
    }

    pub fn plain(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }

    pub fn gz(self) -> Vec<u8> {
        gz(&self.plain())
    }
}

pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
