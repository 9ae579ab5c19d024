//! Roles and what they look like: every colour on screen has a name here, and a look without colour.

use super::glyphs::Glyphs;
use crate::logic::settings::ThemeChoice;
use ratatui::style::{Color, Modifier, Style};

/// How many colours the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    None,
    Sixteen,
    Indexed,
    True,
}

/// What is known of the terminal, as facts: reading them is not the theme's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    pub depth: Depth,
    /// The background is light.
    pub light: bool,
    /// Only ASCII can be relied on.
    pub ascii: bool,
}

impl Looks {
    /// Judges by the environment, which is passed in. An empty `NO_COLOR` is not set (no-color.org).
    pub fn of(env: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name| env(name).is_some_and(|value| !value.is_empty());
        let term = env("TERM").unwrap_or_default();
        let bare = matches!(term.as_str(), "" | "dumb" | "linux");
        let colours = env("COLORTERM").unwrap_or_default();
        let depth = match () {
            () if bare || is_set("NO_COLOR") => Depth::None,
            () if matches!(colours.as_str(), "truecolor" | "24bit") => Depth::True,
            () if term.ends_with("-direct") => Depth::True,
            () if term.contains("256color") => Depth::Indexed,
            () => Depth::Sixteen,
        };
        // `COLORFGBG` is `foreground;background` in the numbers of the 16 colours.
        let background =
            env("COLORFGBG").and_then(|pair| pair.rsplit(';').next()?.parse::<u8>().ok());
        Self {
            depth,
            light: matches!(background, Some(7 | 15)),
            ascii: bare,
        }
    }
}

impl Looks {
    /// As the user wants them; `light`: what the terminal answered, which is more than the environment knows.
    pub fn chosen(self, theme: ThemeChoice, light: Option<bool>) -> Self {
        match theme {
            ThemeChoice::Auto => Self {
                light: light.unwrap_or(self.light),
                ..self
            },
            ThemeChoice::Dark => Self {
                light: false,
                ..self
            },
            ThemeChoice::Light => Self {
                light: true,
                ..self
            },
            ThemeChoice::Plain => Self {
                depth: Depth::None,
                ..self
            },
        }
    }
}

/// Red, green, blue, and the nearest of the 16 colours every terminal has.
#[derive(Clone, Copy)]
struct Ink(u32, Color);

macro_rules! hues {
    ($($hue:ident: dark $dark:literal $dark16:ident, light $light:literal $light16:ident;)*) => {
        #[derive(Clone, Copy)]
        enum Hue { $($hue),* }

        impl Hue {
            fn ink(self, light: bool) -> Ink {
                match (self, light) {
                    $(
                        (Self::$hue, false) => Ink($dark, Color::$dark16),
                        (Self::$hue, true) => Ink($light, Color::$light16),
                    )*
                }
            }
        }
    };
}

hues! {
    Grey:   dark 0x8a_8f98 DarkGray,     light 0x6a_6f78 DarkGray;
    Blue:   dark 0x6c_b6ff LightBlue,    light 0x0b_5cad Blue;
    Cyan:   dark 0x56_d4dd LightCyan,    light 0x0a_6e78 Cyan;
    Green:  dark 0x6b_c46d LightGreen,   light 0x1a_7f37 Green;
    Yellow: dark 0xda_aa3f LightYellow,  light 0x8a_5a00 Yellow;
    Red:    dark 0xf4_7067 LightRed,     light 0xc0_2b2b Red;
    Violet: dark 0xc9_a0ff LightMagenta, light 0x7a_3ec8 Magenta;
}

macro_rules! roles {
    ($($role:ident $name:literal $hue:tt, $with:expr, $plain:expr;)*) => {
        /// What a piece of text means; the theme decides what that looks like.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role { $($role),* }

        /// Every role with its stable name, in the order of the table.
        pub const ROLES: &[(Role, &str)] = &[$((Role::$role, $name)),*];

        impl Role {
            /// Hue and attributes with colour, attributes without.
            fn look(self) -> (Option<Hue>, Modifier, Modifier) {
                match self { $(Self::$role => (roles!(@hue $hue), $with, $plain)),* }
            }
        }
    };
    (@hue -) => { None };
    (@hue $hue:ident) => { Some(Hue::$hue) };
}

const NONE: Modifier = Modifier::empty();
const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const ITALIC: Modifier = Modifier::ITALIC;
const UNDER: Modifier = Modifier::UNDERLINED;
const REVERSE: Modifier = Modifier::REVERSED;

roles! {
    // role      name            hue     with colour  without
    Text         "text"          -,      NONE,        NONE;
    Dim          "dim"           Grey,   NONE,        DIM;
    Title        "title"         -,      BOLD,        BOLD;
    Heading      "heading"       Grey,   BOLD,        BOLD;
    Border       "border"        Grey,   NONE,        NONE;
    BorderFocus  "border-focus"  Blue,   BOLD,        BOLD;
    Selected     "selected"      -,      REVERSE,     REVERSE;
    SelectedIdle "selected-idle" -,      BOLD,        BOLD;
    Mark         "mark"          Violet, BOLD,        BOLD;
    Match        "match"         Yellow, UNDER,       UNDER;
    Hit          "hit"           Yellow, REVERSE,     REVERSE;
    Good         "good"          Green,  NONE,        NONE;
    Warn         "warn"          Yellow, NONE,        BOLD;
    Bad          "bad"           Red,    BOLD,        BOLD;
    Info         "info"          Blue,   NONE,        NONE;
    Key          "key"           Blue,   BOLD,        BOLD;
    KeyLabel     "key-label"     -,      NONE,        NONE;
    Added        "added"         Green,  NONE,        NONE;
    Removed      "removed"       Red,    NONE,        DIM;
    Stdout       "stdout"        -,      NONE,        NONE;
    Stderr       "stderr"        Red,    NONE,        NONE;
    BarFull      "bar-full"      Green,  NONE,        NONE;
    BarWarn      "bar-warn"      Yellow, NONE,        NONE;
    BarBad       "bar-bad"       Red,    NONE,        NONE;
    BarEmpty     "bar-empty"     Grey,   NONE,        DIM;
    Source1      "source-1"      Cyan,   NONE,        NONE;
    Source2      "source-2"      Green,  NONE,        NONE;
    Source3      "source-3"      Yellow, NONE,        NONE;
    Source4      "source-4"      Violet, NONE,        NONE;
    Source5      "source-5"      Blue,   NONE,        NONE;
    Source6      "source-6"      Red,    NONE,        NONE;
    Requested    "requested"     Cyan,   ITALIC,      UNDER;
    Stale        "stale"         Grey,   ITALIC,      DIM;
    Button       "button"        -,      NONE,        NONE;
    ButtonFocus  "button-focus"  -,      REVERSE,     REVERSE;
    Free         "free"          Green,  NONE,        NONE;
    Changes      "changes"       Cyan,   NONE,        NONE;
    Billable     "billable"      Yellow, NONE,        BOLD;
    Destructive  "destructive"   Red,    BOLD,        BOLD;
}

impl Role {
    /// Of the nth of several things that are told apart; of many, some share one.
    pub fn of_source(nth: usize) -> Self {
        const ALL: [Role; 6] = [
            Role::Source1,
            Role::Source2,
            Role::Source3,
            Role::Source4,
            Role::Source5,
            Role::Source6,
        ];
        ALL[nth % ALL.len()]
    }
}

/// Roles to styles, and the signs that go with them.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    looks: Looks,
    pub glyphs: &'static Glyphs,
}

impl Theme {
    pub fn choose(looks: Looks) -> Self {
        Self {
            looks,
            glyphs: if looks.ascii {
                &Glyphs::ASCII
            } else {
                &Glyphs::UNICODE
            },
        }
    }

    pub(super) fn looks(&self) -> Looks {
        self.looks
    }

    pub(super) fn style(&self, role: Role) -> Style {
        let (hue, with, plain) = role.look();
        if self.looks.depth == Depth::None {
            return Style::new().add_modifier(plain);
        }
        let style = Style::new().add_modifier(with);
        hue.map_or(style, |hue| style.fg(self.colour(hue)))
    }

    fn colour(&self, hue: Hue) -> Color {
        let Ink(rgb, nearest) = hue.ink(self.looks.light);
        match self.looks.depth {
            Depth::True | Depth::Indexed => self.rgb(rgb).unwrap_or(nearest),
            Depth::None | Depth::Sixteen => nearest,
        }
    }

    /// `0xrrggbb` as this terminal can show it; `None` where only the 16 colours are left.
    pub(super) fn rgb(&self, rgb: u32) -> Option<Color> {
        let [_, red, green, blue] = rgb.to_be_bytes();
        match self.looks.depth {
            Depth::True => Some(Color::Rgb(red, green, blue)),
            Depth::Indexed => Some(Color::Indexed(indexed(red, green, blue))),
            Depth::Sixteen | Depth::None => None,
        }
    }
}

/// The nearest of the 256 colours: the 6×6×6 cube or the ramp of greys. The first 16 are the user's own, so never those.
pub(super) fn indexed(red: u8, green: u8, blue: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |value: u8| {
        (0..6)
            .min_by_key(|step| STEPS[usize::from(*step)].abs_diff(value))
            .unwrap_or(0)
    };
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue));
    let level = ((u16::from(red) + u16::from(green) + u16::from(blue)) / 3).saturating_sub(3) / 10;
    let step = u8::try_from(level.min(23)).unwrap_or(23);
    let grey = 8 + 10 * step;
    let distance = |to: [u8; 3]| -> u32 {
        to.iter()
            .zip([red, green, blue])
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    let cube = [r, g, b].map(|step: u8| STEPS[usize::from(step)]);
    if distance([grey; 3]) < distance(cube) {
        232 + step
    } else {
        16 + 36 * r + 6 * g + b
    }
}
