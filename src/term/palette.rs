//! The colours behind the numbers: what a program gets to hear when it asks (OSC 4, 10, 11, 12).

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// Colours of the terminal that sandtop runs in, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    pub foreground: Rgb,
    pub background: Rgb,
    pub cursor: Rgb,
    /// The 8 normal and the 8 bright colours.
    pub ansi: [Rgb; 16],
}

impl Default for Palette {
    /// xterm's colours on black.
    fn default() -> Self {
        let ansi = [
            0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
            0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
        ];
        Self {
            foreground: (0xe5, 0xe5, 0xe5),
            background: (0, 0, 0),
            cursor: (0xe5, 0xe5, 0xe5),
            ansi: ansi.map(|colour: u32| {
                let [_, red, green, blue] = colour.to_be_bytes();
                (red, green, blue)
            }),
        }
    }
}

impl Palette {
    /// Colour `index` as the emulator counts: 0–255 as in SGR 38;5, then foreground, background and cursor.
    pub(super) fn colour(&self, index: usize) -> Rgb {
        match index {
            0..=15 => self.ansi[index],
            16..=231 => {
                let step = |digit: usize| [0, 95, 135, 175, 215, 255][digit % 6];
                let cube = index - 16;
                (step(cube / 36), step(cube / 6), step(cube))
            }
            232..=255 => {
                let grey = u8::try_from(8 + 10 * (index - 232)).unwrap_or(u8::MAX);
                (grey, grey, grey)
            }
            257 => self.background,
            258 => self.cursor,
            _ => self.foreground,
        }
    }
}
