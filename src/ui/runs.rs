//! Styles that programs print, as this theme can show them: their colours where they stay readable, else ours.

use super::theme::indexed;
use super::{Depth, Role, Theme};
use crate::term;
use crate::text::{Colour, RunStyle};
use ratatui::style::{Color, Modifier, Style};

/// `base` is what the text is without a style of its own.
pub(super) fn style(theme: &Theme, run: RunStyle, base: Role) -> Style {
    let mut style = theme.style(base).add_modifier(modifiers(run));
    let looks = theme.looks();
    if looks.depth == Depth::None {
        return style;
    }
    let fg = run.fg.filter(|fg| match run.bg {
        Some(bg) => brightness(*fg).abs_diff(brightness(bg)) >= LEAST_APART,
        None => !is_lost(*fg, looks.light),
    });
    if run.fg.is_some() && fg.is_none() {
        style = style.patch(theme.style(Role::Dim));
    }
    if let Some(fg) = fg {
        style = style.fg(shown(fg, looks.depth));
    }
    if let Some(bg) = run.bg {
        style = style.bg(shown(bg, looks.depth));
        if fg.is_none() {
            // Our own foreground may be as bright as the program's background.
            style = style.fg(if brightness(bg) > 127 {
                Color::Black
            } else {
                Color::White
            });
        }
    }
    style
}

fn modifiers(run: RunStyle) -> Modifier {
    let parts = [
        (run.bold, Modifier::BOLD),
        (run.dim, Modifier::DIM),
        (run.italic, Modifier::ITALIC),
        (run.underline, Modifier::UNDERLINED),
        (run.reverse, Modifier::REVERSED),
        (run.strike, Modifier::CROSSED_OUT),
    ];
    parts
        .into_iter()
        .filter(|(set, _)| *set)
        .fold(Modifier::empty(), |all, (_, one)| all | one)
}

/// A program's own colours that are no further apart hide what it says.
const LEAST_APART: u32 = 16;

/// Too near to the background to be read on it.
fn is_lost(fg: Colour, light: bool) -> bool {
    let brightness = brightness(fg);
    if light {
        brightness > 190
    } else {
        brightness < 40
    }
}

/// 0..=255, weighted as the eye does.
fn brightness(colour: Colour) -> u32 {
    let [red, green, blue] = rgb(colour).map(u32::from);
    (red * 299 + green * 587 + blue * 114) / 1000
}

/// A terminal's colour; `None`: its usual one.
pub(super) fn shown_of(colour: term::Colour, depth: Depth) -> Option<Color> {
    match colour {
        term::Colour::Default => None,
        term::Colour::Index(index) => Some(shown(Colour::Index(index), depth)),
        term::Colour::Rgb(red, green, blue) => Some(shown(Colour::Rgb(red, green, blue), depth)),
    }
}

fn shown(colour: Colour, depth: Depth) -> Color {
    match (colour, depth) {
        (Colour::Index(index @ 0..16), _) => Color::Indexed(index),
        (_, Depth::Sixteen | Depth::None) => Color::Indexed(nearest(rgb(colour))),
        (Colour::Index(index), _) => Color::Indexed(index),
        (Colour::Rgb(red, green, blue), Depth::True) => Color::Rgb(red, green, blue),
        (Colour::Rgb(red, green, blue), Depth::Indexed) => {
            Color::Indexed(indexed(red, green, blue))
        }
    }
}

/// The 16 colours as most terminals have them; the user's may differ.
const SIXTEEN: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

fn rgb(colour: Colour) -> [u8; 3] {
    match colour {
        Colour::Rgb(red, green, blue) => [red, green, blue],
        Colour::Index(index @ 0..16) => SIXTEEN[usize::from(index)],
        Colour::Index(index @ 16..232) => {
            let cube = index - 16;
            [cube / 36, cube / 6 % 6, cube % 6]
                .map(|step| if step == 0 { 0 } else { 55 + 40 * step })
        }
        Colour::Index(index) => [8 + 10 * (index - 232); 3],
    }
}

fn nearest(to: [u8; 3]) -> u8 {
    let distance = |index: &u8| -> u32 {
        let known = SIXTEEN[usize::from(*index)];
        known
            .iter()
            .zip(to)
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    (0..16).min_by_key(distance).unwrap_or(7)
}
