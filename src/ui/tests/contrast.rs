//! Every role can be read on what its theme stands on, by the ratio that accessibility rules ask of text (WCAG 2: 4.5).

use crate::logic::settings::ThemeChoice;
use crate::ui::{Depth, Looks, ROLES, Theme};
use ratatui::style::Color;

const LEAST: f64 = 4.5;
/// Backgrounds that people have: black and dark grey, white and paper.
const DARK: [[u8; 3]; 2] = [[0x00; 3], [0x1e; 3]];
const LIGHT: [[u8; 3]; 2] = [[0xff; 3], [0xf5; 3]];

fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = rgb.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_role_is_readable_on_its_background() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 0.01);
    for (choice, backgrounds) in [(ThemeChoice::Dark, DARK), (ThemeChoice::Light, LIGHT)] {
        let looks = Looks {
            depth: Depth::True,
            light: false,
            ascii: false,
        };
        let theme = Theme::choose(looks.chosen(choice, None));
        for (role, name) in ROLES {
            let Some(Color::Rgb(red, green, blue)) = theme.style(*role).fg else {
                continue;
            };
            for background in backgrounds {
                let ratio = contrast([red, green, blue], background);
                assert!(
                    ratio >= LEAST,
                    "{name} on {background:?} in {choice:?}: {ratio:.2}"
                );
            }
        }
    }
}

/// The answer of the terminal counts for `auto` only, and no choice gives colour where there is none.
#[test]
fn the_choice_comes_before_the_answer_and_the_answer_before_the_environment() {
    let looks = |light, depth| Looks {
        depth,
        light,
        ascii: false,
    };
    let dark = looks(false, Depth::True);
    let is_light = |choice, answer| dark.chosen(choice, answer).light;
    assert!(!is_light(ThemeChoice::Auto, None));
    assert!(is_light(ThemeChoice::Auto, Some(true)));
    assert!(!is_light(ThemeChoice::Dark, Some(true)));
    assert!(is_light(ThemeChoice::Light, Some(false)));
    assert!(
        looks(true, Depth::True)
            .chosen(ThemeChoice::Auto, None)
            .light
    );
    assert_eq!(dark.chosen(ThemeChoice::Plain, None).depth, Depth::None);
    for choice in [ThemeChoice::Auto, ThemeChoice::Dark, ThemeChoice::Light] {
        let plain = looks(false, Depth::None).chosen(choice, Some(true));
        assert_eq!(plain.depth, Depth::None);
    }
}
