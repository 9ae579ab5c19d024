//! What settings change on the screen: at the start, by a file that changes, and with faults in it.

use super::scene::{Scene, Service, options};
use super::three;
use insta::assert_snapshot;
use ratatui::style::Color;
use sandtop::app::Options;
use sandtop::logic::settings::{Config, Remembered, Source};
use sandtop::logic::{Column, Effect, Event, Order, View};

fn source(file: &str, text: &str) -> Source {
    Source::Text {
        file: file.to_owned(),
        text: text.to_owned(),
    }
}

fn config(settings: &str, keys: &str) -> Config {
    Config::read(&source("config.toml", settings), &source("keys.toml", keys))
}

fn scene(width: u16, height: u16, config: Config) -> Scene {
    let options = Options {
        config,
        ..options(width, height)
    };
    Scene::new(options, three())
}

/// Every colour in the frame.
fn colours(scene: &Scene) -> Vec<Color> {
    let mut colours = Vec::new();
    for cell in &scene.buffer().content {
        if !colours.contains(&cell.fg) {
            colours.push(cell.fg);
        }
    }
    colours
}

#[test]
fn the_columns_are_those_of_the_settings_in_their_order() {
    let settings = "[list]\ncolumns = ['status', 'name', 'region']\nshare = 60\n";
    let scene = scene(80, 24, config(settings, ""));
    assert_snapshot!(scene.screen());
}

#[test]
fn the_first_key_of_a_chord_shows_what_may_follow() {
    let keys = "top = ['g g', 'home']\nsort = ['g s']\nstop = ['g x']\n";
    let mut scene = scene(80, 24, config("", keys));
    scene.press("j j");
    let last = scene.selected().map(str::to_owned);
    scene.press("g");
    assert_snapshot!(scene.screen());
    scene.press("esc");
    assert!(!scene.shows("g …") && scene.selected().map(str::to_owned) == last);
    scene.press("g g");
    assert!(!scene.shows("g …") && scene.selected().map(str::to_owned) != last);
    scene.press("g z");
    assert!(
        scene.shows("`g z` does nothing here."),
        "{}",
        scene.screen()
    );
    assert!(!scene.shows("g …"), "{}", scene.screen());
    scene.press("j g x");
    assert!(scene.shows("Stop a sandbox"), "{}", scene.screen());
    // Under a dialog, keys are its answers and begin nothing.
    scene.press("g");
    assert!(!scene.shows("g …"), "{}", scene.screen());
}

#[test]
fn the_key_bar_and_help_name_the_users_keys() {
    let mut scene = scene(120, 60, config("", "stop = ['ctrl-x']\nhelp = ['ö']\n"));
    assert!(
        scene.shows("ctrl-x stop") && scene.shows("ö help"),
        "{}",
        scene.screen()
    );
    scene.type_text("ö");
    assert!(scene.shows("ctrl-x"), "{}", scene.screen());
}

#[test]
fn faults_are_told_in_a_dialog_and_kept_in_the_activity_view() {
    let mut scene = scene(
        100,
        30,
        config("thme = 'dark'\nundo = 99\n", "sort = ['q']\n"),
    );
    assert_snapshot!(scene.screen());
    scene.press("enter 6 g");
    assert!(scene.shows("no setting `thme`"), "{}", scene.screen());
}

#[test]
fn a_changed_file_applies_without_a_new_start() {
    let mut scene = scene(120, 40, Config::default());
    let dark = colours(&scene);
    scene.effects.clear();
    let text =
        "theme = 'light'\nmouse = false\nread_only = true\n[list]\ncolumns = ['name', 'cpu']\n";
    scene.send(Event::Settings(Box::new(config(text, "zoom = ['Z']\n"))));
    assert!(
        scene.shows("The settings were read again."),
        "{}",
        scene.screen()
    );
    assert_eq!(scene.effects, [Effect::MouseCapture(false)]);
    assert!(
        scene.shows("CPU") && !scene.shows("REGION"),
        "{}",
        scene.screen()
    );
    let light = colours(&scene);
    assert!(
        light
            .iter()
            .all(|colour| *colour == Color::Reset || !dark.contains(colour))
    );
    scene.press("x");
    assert!(scene.shows("Read-only"), "{}", scene.screen());
    // The flag of the start outlives any file.
    scene.send(Event::Settings(Box::default())).press("esc z");
    assert_eq!(colours(&scene).len(), dark.len());
}

#[test]
fn the_theme_follows_the_terminals_answer_unless_it_is_chosen() {
    let mut scenes = ["auto", "dark", "light", "plain"].map(|theme| {
        let mut scene = scene(80, 24, config(&format!("theme = '{theme}'"), ""));
        assert_eq!(scene.state.asks_background(), theme == "auto");
        let before = colours(&scene);
        scene.send(Event::Background { light: true });
        (before, colours(&scene))
    });
    let [auto, dark, light, plain] = &mut scenes;
    assert_eq!((&auto.0, &auto.1), (&dark.0, &light.0));
    assert_eq!((&dark.0, &light.0), (&dark.1, &light.1));
    assert_eq!(plain, &mut (vec![Color::Reset], vec![Color::Reset]));
}

#[test]
fn view_filter_and_order_are_found_again() {
    let remembered = Remembered {
        view: View::Activity,
        filter: "w".to_owned(),
        order: Order {
            column: Column::Name,
            reverse: true,
        },
        ..Remembered::default()
    };
    let options = Options {
        remembered: remembered.clone(),
        ..options(120, 40)
    };
    let mut scene = Scene::new(options, three());
    assert!(scene.shows("Activity"), "{}", scene.screen());
    assert_eq!(scene.state.remembered(), remembered);
    scene.press("1");
    assert_eq!(scene.rows(), ["worker", "web"]);
    scene.press("esc o");
    let now = scene.state.remembered();
    assert_eq!((now.view, now.filter.as_str()), (View::Dashboard, ""));
    assert_ne!(now.order, remembered.order);
}

#[test]
fn the_refresh_key_looks_at_the_files_too() {
    let mut scene = scene(80, 24, Config::default());
    scene.effects.clear();
    scene.press("r");
    assert_eq!(scene.effects, [Effect::RereadSettings]);
}

/// With many rows the list takes its share, and no more; with few it takes what they need.
#[test]
fn the_list_takes_its_share_of_the_height() {
    let of = |share: u16, rows: usize| {
        let names: Vec<String> = (0..rows).map(|n| format!("box-{n:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let options = Options {
            config: config(&format!("[list]\nshare = {share}\n"), ""),
            ..options(120, 50)
        };
        let scene = Scene::new(options, Service::with(&names));
        let divider = scene.find("[Logs]").unwrap().1 - 1;
        // Below the header.
        (divider, scene.screen().matches("● running").count())
    };
    let heights = [20, 40, 70].map(|share| of(share, 60));
    assert_eq!(
        heights.map(|(divider, _)| divider),
        [9, 19, 33],
        "of 48 lines"
    );
    let (few, rows) = of(70, 3);
    assert_eq!(rows, 3);
    assert!(few < 10, "{few}");
}
