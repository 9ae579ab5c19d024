//! Styles as programs print them (`CSI … m`), kept as data; a theme decides what they look like.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// 0–7 the basic ones, 8–15 bright, 16–255 the cube and the greys.
    Index(u8),
    Rgb(u8, u8, u8),
}

/// Concealed text (SGR 8) is shown: a log hides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct RunStyle {
    pub fg: Option<Colour>,
    pub bg: Option<Colour>,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub reverse: bool,
    pub strike: bool,
}

impl RunStyle {
    /// Applies the parameters of one `CSI … m`. Those with a private mark (`CSI > 4 m`) are another thing.
    pub(super) fn apply(&mut self, parameters: &str) {
        if parameters.contains(|c: char| matches!(c, '<'..='?' | ' '..='/')) {
            return;
        }
        let mut groups = parameters.split(';');
        while let Some(group) = groups.next() {
            let (code, sub) = match group.split_once(':') {
                Some((code, sub)) => (number(code), Some(sub)),
                None => (number(group), None),
            };
            match code {
                38 | 48 | 58 => {
                    let colour = match sub {
                        Some(sub) => colon_colour(sub),
                        None => colour(&mut groups),
                    };
                    match (code, colour) {
                        (38, Some(_)) => self.fg = colour,
                        (48, Some(_)) => self.bg = colour,
                        _ => {}
                    }
                }
                4 => self.underline = sub != Some("0"),
                _ => self.set(code),
            }
        }
    }

    fn set(&mut self, code: u16) {
        match code {
            0 => *self = Self::default(),
            1 => self.bold = true,
            2 => self.dim = true,
            3 => self.italic = true,
            7 => self.reverse = true,
            9 => self.strike = true,
            21 => self.underline = true,
            22 => (self.bold, self.dim) = (false, false),
            23 => self.italic = false,
            24 => self.underline = false,
            27 => self.reverse = false,
            29 => self.strike = false,
            30..=37 => self.fg = indexed(code - 30),
            39 => self.fg = None,
            40..=47 => self.bg = indexed(code - 40),
            49 => self.bg = None,
            90..=97 => self.fg = indexed(code - 90 + 8),
            100..=107 => self.bg = indexed(code - 100 + 8),
            _ => {}
        }
    }
}

/// An absent number is 0, as terminals have it; one that is too large is nothing anybody knows.
fn number(text: &str) -> u16 {
    if text.is_empty() {
        return 0;
    }
    text.parse().unwrap_or(u16::MAX)
}

fn indexed(n: u16) -> Option<Colour> {
    u8::try_from(n).ok().map(Colour::Index)
}

/// `5 ; n` or `2 ; r ; g ; b`, after the 38, 48 or 58.
fn colour<'a>(numbers: &mut impl Iterator<Item = &'a str>) -> Option<Colour> {
    let mut next = || u8::try_from(number(numbers.next()?)).ok();
    match next()? {
        5 => next().map(Colour::Index),
        2 => {
            let (r, g, b) = (next(), next(), next());
            Some(Colour::Rgb(r?, g?, b?))
        }
        _ => None,
    }
}

/// The same in one group: `5:n`, `2:r:g:b`, or `2:space:r:g:b` and more.
fn colon_colour(sub: &str) -> Option<Colour> {
    let mut parts: Vec<&str> = sub.split(':').collect();
    if parts.first() == Some(&"2") && parts.len() >= 5 {
        parts.remove(1);
    }
    colour(&mut parts.into_iter())
}
