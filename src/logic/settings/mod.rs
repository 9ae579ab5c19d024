//! What a user may set, in two files: `config.toml` and `keys.toml`. Here their text is read; finding the files is
//! not. Whatever is wrong in them is told with its place, and everything else applies.

mod complaint;
pub(super) mod document;
mod notices;
mod remembered;
mod table;

#[cfg(test)]
mod tests;

pub use complaint::{Complaint, Complaints};
pub use remembered::{Chosen, Remembered};
pub use table::{Settings, ThemeChoice, Times};

use super::Keymap;

/// `config.toml` with every setting, its default and what it does; each is commented out.
pub const DEFAULT_CONFIG: &str = include_str!("../../../assets/config.toml");

/// A file of settings, as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// There is none: no fault.
    #[default]
    Missing,
    Text {
        file: String,
        text: String,
    },
    /// It is there and cannot be read; why, in a sentence.
    Unreadable {
        file: String,
        why: String,
    },
}

/// All that was read, and all that is wrong in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    pub settings: Settings,
    pub keymap: Keymap,
    pub complaints: Vec<Complaint>,
}

impl Config {
    pub fn read(config: &Source, keys: &Source) -> Self {
        let (settings, mut complaints) = config.read(Settings::parse).unwrap_or_default();
        let defaults = Keymap::default();
        let overlaid = keys.read(|file, text| {
            let (keymap, complaints) = defaults.overlaid(file, text);
            (Some(keymap), complaints)
        });
        let (keymap, of_keys) = overlaid.unwrap_or_default();
        complaints.extend(of_keys);
        Self {
            settings,
            keymap: keymap.unwrap_or(defaults),
            complaints,
        }
    }
}

impl Source {
    fn read<T: Default>(
        &self,
        parse: impl Fn(&str, &str) -> (T, Vec<Complaint>),
    ) -> Option<(T, Vec<Complaint>)> {
        match self {
            Self::Missing => None,
            Self::Text { file, text } => Some(parse(file, text)),
            Self::Unreadable { file, why } => {
                Some((T::default(), vec![Complaint::of_file(file, why)]))
            }
        }
    }
}
