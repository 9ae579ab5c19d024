//! The list's columns are chosen by keys and by the mouse, and found again at the next start.

use super::scene::{Scene, options};
use super::{LEFT, at_row, twenty};
use sandtop::app::Options;
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::{Column, Event};

/// Titles of the list, from left to right.
fn titles(scene: &Scene) -> Vec<String> {
    let (_, line) = scene.find("Sandboxes").unwrap();
    let screen = scene.screen();
    let titles = screen.lines().nth(usize::from(line) + 1).unwrap();
    let words = titles.split_whitespace().map(|word| {
        let letters = word.chars().filter(char::is_ascii_uppercase);
        letters.collect::<String>()
    });
    words.filter(|word| !word.is_empty()).collect()
}

fn again(scene: &Scene, config: Config) -> Scene {
    let remembered = Remembered::parse(&scene.state.remembered().to_text());
    let options = Options {
        remembered,
        config,
        ..options(120, 40)
    };
    Scene::new(options, twenty())
}

#[test]
fn columns_are_hidden_moved_and_kept() {
    let mut scene = at_row(twenty(), 3);
    let usual = titles(&scene);
    assert_eq!(usual[..4], ["NAME", "STATUS", "LEFT", "COST"]);
    // Status away, cost to the front, names stay whatever is pressed.
    scene.press("C j space j j j h h h h j space");
    assert_eq!(titles(&scene), usual, "nothing changes before enter");
    scene.press("enter");
    let chosen = titles(&scene);
    assert_eq!(chosen[..4], ["COST", "NAME", "LEFT", "CREATED"]);
    assert_eq!(scene.selected(), Some("box-03"));
    scene.press("C d space esc");
    assert_eq!(titles(&scene), chosen, "esc leaves all as it was");
    assert_eq!(titles(&again(&scene, Config::default())), chosen);

    let mut back = again(&scene, Config::default());
    back.press("C d enter");
    assert_eq!(titles(&back), usual);
    assert_eq!(back.state.remembered().columns, None);
}

#[test]
fn whoever_changes_the_setting_means_the_setting() {
    let mut scene = at_row(twenty(), 0);
    scene.press("C j space enter");
    let mut config = Config::default();
    config.settings.columns = vec![Column::Status, Column::Name];
    let other = titles(&again(&scene, config.clone()));
    assert_eq!(other[..2], ["STATUS", "NAME"]);

    let chosen = titles(&scene);
    scene.send(Event::Settings(Box::default()));
    assert_eq!(titles(&scene), chosen, "another setting changed");
    scene.send(Event::Settings(Box::new(config)));
    assert_eq!(titles(&scene), other);
}

#[test]
fn a_click_shows_and_hides() {
    let mut scene = at_row(twenty(), 0);
    scene.press("C");
    let (x, y) = scene.find("( ) ").map_or_else(
        || scene.find("(x) REGION").unwrap(),
        |place| panic!("{place:?} is hidden: {}", scene.screen()),
    );
    scene.mouse(LEFT, x, y);
    assert!(scene.shows("( ) REGION"), "{}", scene.screen());
    scene.press("enter");
    assert!(!titles(&scene).contains(&"REGION".to_owned()));
}

#[test]
fn the_palette_finds_the_chooser_and_remembers_its_picks() {
    let mut scene = at_row(twenty(), 0);
    scene.press(":").type_text("columns").press("enter");
    assert!(scene.shows("Columns of the list"), "{}", scene.screen());
    scene.press("esc :").type_text("box-07").press("enter");
    let mut scene = again(&scene, Config::default());
    scene.press(":");
    let row = |words: &str| scene.find(words).unwrap().1;
    let (_, title) = scene.find("Palette").unwrap();
    assert_eq!(row("Go to this sandbox."), title + 2, "{}", scene.screen());
    assert_eq!(row("Choose which columns"), title + 3, "{}", scene.screen());
    scene.press("enter");
    assert_eq!(scene.selected(), Some("box-07"));
}
