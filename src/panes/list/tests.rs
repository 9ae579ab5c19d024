//! Selection, order and filter of the list, step by step.

use super::{State, click, key, paste, text, update};
use crate::logic::{Action, Column, Effect, Keymap, Mono, Now, Pane, World};
use crate::model::{Sandbox, Timestamp};
use crate::panes::Ctx;
use crate::text::clean_str;
use crate::ui::testing::{colourful, dump, screen};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use serde_json::{Value, json};

const EPOCH: i64 = 1_790_000_000_000;
const AREA: Rect = Rect::new(0, 0, 100, 12);

struct Scene {
    state: State,
    world: World,
}

impl Scene {
    /// `a` the newest.
    fn new(names: &str) -> Self {
        let mut scene = Self {
            state: State::default(),
            world: World::default(),
        };
        scene.state.place(AREA);
        for (age, name) in (1..).zip(names.chars()) {
            let created = EPOCH - age * 60_000;
            scene
                .told(json!({"name": name.to_string(), "createdAt": created, "status": "running"}));
        }
        scene
    }

    fn told(&mut self, fields: Value) {
        let sandbox: Sandbox = serde_json::from_value(fields).unwrap();
        self.world.saw(sandbox, now());
        self.state.follow(&self.world, now());
    }

    fn act(&mut self, actions: &[Action]) -> Vec<Effect> {
        let theme = colourful();
        let ctx = Ctx {
            keymap: &Keymap::default(),
            zone: &jiff::tz::TimeZone::UTC,
            local: &jiff::tz::TimeZone::UTC,
            theme: &theme,
            now: now(),
            pane: Pane::List,
            subject: None,
        };
        let mut effects = Vec::new();
        for action in actions {
            effects.extend(update(&mut self.state, &self.world, *action, &ctx));
            self.state.follow(&self.world, now());
        }
        effects
    }

    fn type_keys(&mut self, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            key(
                &mut self.state,
                &self.world,
                KeyEvent::new(code, KeyModifiers::NONE),
            );
            self.state.follow(&self.world, now());
        }
    }

    fn selected(&self) -> &str {
        self.state.selected().map_or("", |key| key.name.as_raw())
    }

    fn rows(&self) -> String {
        self.state
            .rows()
            .iter()
            .map(|key| key.name.as_raw())
            .collect()
    }

    fn lose(&mut self, name: &str) {
        let key = self
            .state
            .rows()
            .iter()
            .find(|key| key.name.as_raw() == name)
            .unwrap()
            .clone();
        self.world.lost(&key);
        let selected = self.state.selected().cloned();
        self.world.forget_gone(|key| Some(key) == selected.as_ref());
        self.state.follow(&self.world, now());
    }

    fn drawn(&self) -> String {
        let theme = colourful();
        let ctx = Ctx {
            keymap: &Keymap::default(),
            zone: &jiff::tz::TimeZone::UTC,
            local: &jiff::tz::TimeZone::UTC,
            theme: &theme,
            now: now(),
            pane: Pane::List,
            subject: None,
        };
        let draw = |buffer: &mut _, area| super::draw(&self.state, &self.world, &ctx, area, buffer);
        dump(&screen(AREA.width, AREA.height, draw))
    }
}

fn now() -> Now {
    Now {
        mono: Mono(1_000),
        wall: Timestamp(EPOCH),
    }
}

#[test]
fn moving_stops_at_the_ends() {
    use Action::{Bottom, Down, PageDown, PageUp, Top, Up};
    let mut scene = Scene::new("abcdefghijklmnopqrst");
    let steps: &[(&[Action], &str)] = &[
        (&[Up], "a"),
        (&[Down, Down], "c"),
        (&[Bottom, Down], "t"),
        (&[Top], "a"),
        (&[PageDown], "i"),
        (&[PageUp, PageUp], "a"),
    ];
    for (actions, selected) in steps {
        scene.act(actions);
        assert_eq!(scene.selected(), *selected, "{actions:?}");
    }
}

#[test]
fn sorting_keeps_the_selection_and_tells_its_direction() {
    let mut scene = Scene::new("bca");
    scene.act(&[Action::Down, Action::Sort]);
    assert_eq!((scene.rows(), scene.selected()), ("abc".to_owned(), "c"));
    assert!(scene.drawn().contains("by name up") && scene.drawn().contains("NAME▲"));
    scene.act(&[Action::SortReverse]);
    assert_eq!((scene.rows(), scene.selected()), ("cba".to_owned(), "c"));
    assert!(scene.drawn().contains("by name down") && scene.drawn().contains("NAME▼"));
}

#[test]
fn filter_is_typed_kept_and_cleared() {
    let mut scene = Scene::new("abc");
    scene.act(&[Action::Down, Action::Filter]);
    assert!(scene.state.is_typing());
    scene.type_keys("c");
    assert_eq!((scene.rows(), scene.selected()), ("c".to_owned(), "c"));
    scene.type_keys("\u{1b}");
    assert_eq!((scene.rows(), scene.selected()), ("abc".to_owned(), "b"));
    scene.act(&[Action::Filter]);
    scene.type_keys("a\n");
    assert!(!scene.state.is_typing() && scene.state.is_filtered());
    assert!(scene.drawn().contains("1 of 3"));
    scene.state.clear_filter();
    scene.state.follow(&scene.world, now());
    assert_eq!(scene.rows(), "abc");
}

#[test]
fn pasted_filter_is_one_clean_line() {
    let mut scene = Scene::new("abc");
    paste(&mut scene.state, "c\nx");
    assert!(!scene.state.is_filtered(), "no prompt, no filter");
    scene.act(&[Action::Filter]);
    paste(&mut scene.state, "\u{1b}[31mc");
    assert_eq!(scene.state.typed(), "c");
}

#[test]
fn row_that_stops_matching_stays_until_left() {
    let mut scene = Scene::new("abc");
    scene.act(&[Action::Filter]);
    scene.type_keys("status:running\n");
    scene.act(&[Action::Top, Action::Down]);
    scene.told(json!({"name": "b", "createdAt": EPOCH - 120_000, "status": "stopped"}));
    assert_eq!((scene.rows(), scene.selected()), ("abc".to_owned(), "b"));
    scene.act(&[Action::Down]);
    assert_eq!((scene.rows(), scene.selected()), ("ac".to_owned(), "c"));
}

#[test]
fn deleted_row_stays_until_left() {
    let mut scene = Scene::new("ab");
    scene.lose("a");
    assert!(scene.drawn().contains("deleted"));
    scene.act(&[Action::Down]);
    assert_eq!(scene.selected(), "b");
    scene.lose("b");
    assert_eq!(scene.selected(), "b");
    // The last one: moving lets it go.
    scene.act(&[Action::Up, Action::Up]);
    scene.world.forget_gone(|_| false);
    scene.state.follow(&scene.world, now());
    assert_eq!((scene.rows().as_str(), scene.selected()), ("", ""));
}

#[test]
fn old_row_tells_its_age() {
    let mut scene = Scene::new("a");
    assert!(!scene.drawn().contains("5 m"));
    for fact in scene.world.sandboxes.values_mut() {
        fact.seen = Mono(0);
    }
    let later = Now {
        mono: Mono(300_000),
        wall: Timestamp(EPOCH),
    };
    let theme = colourful();
    let ctx = Ctx {
        keymap: &Keymap::default(),
        zone: &jiff::tz::TimeZone::UTC,
        local: &jiff::tz::TimeZone::UTC,
        theme: &theme,
        now: later,
        pane: Pane::List,
        subject: None,
    };
    let draw = |buffer: &mut _, area| super::draw(&scene.state, &scene.world, &ctx, area, buffer);
    assert!(dump(&screen(AREA.width, AREA.height, draw)).contains("5 m"));
}

#[test]
fn click_selects_the_row_under_it() {
    let mut scene = Scene::new("abc");
    // Border and titles take two lines.
    click(&mut scene.state, Position::new(10, 3));
    assert_eq!(scene.selected(), "b");
    for beside in [(10, 1), (10, 9), (10, 50)] {
        click(&mut scene.state, beside.into());
        assert_eq!(scene.selected(), "b", "{beside:?}");
    }
}

#[test]
fn copied_name_is_clean() {
    let mut scene = Scene::new("");
    scene.told(json!({"name": "a\u{1b}[31mb"}));
    assert_eq!(scene.act(&[Action::Copy]), [Effect::Copy(clean_str("ab"))]);
}

#[test]
fn cells_tell_unknown_from_nothing() {
    let bare: Sandbox = serde_json::from_value(json!({"name": "a"})).unwrap();
    for column in Column::ALL {
        let expected = match column {
            Column::Name => "a",
            // The service's default.
            Column::Region => "iad1",
            _ => "–",
        };
        assert_eq!(
            text(&bare, column, Timestamp(EPOCH)).as_str(),
            expected,
            "{column:?}"
        );
    }
    let zero = json!({
        "name": "a", "totalEgressBytes": 0, "totalActiveCpuDurationMs": 0, "mounts": {"/d": {"drive": "x"}},
        "image": "team/image@sha256:0123456789abcdef0123456789abcdef",
    });
    let zero: Sandbox = serde_json::from_value(zero).unwrap();
    let told = |column| text(&zero, column, Timestamp(EPOCH)).as_str().to_owned();
    assert_eq!(
        (told(Column::Egress), told(Column::Cpu)),
        ("0 B".to_owned(), "0 ms".to_owned())
    );
    assert_eq!(told(Column::Mounts), "x:/d:read-write");
    assert_eq!(told(Column::Image), "team/image@sha256:0123456789ab…");
}

#[test]
fn names_get_the_room_of_what_nobody_knows() {
    let long = "checkout-service-preview-for-pull-request-4711-x";
    let mut scene = Scene::new("");
    scene.told(json!({"name": long, "status": "running", "createdAt": EPOCH}));
    let drawn = scene.drawn();
    assert!(drawn.contains(long), "{drawn}");
    assert!(
        !drawn.contains("CPU") && !drawn.contains("MOUNTS"),
        "{drawn}"
    );
    scene.told(json!({"name": "b", "status": "running", "createdAt": EPOCH, "expiresAt": EPOCH + 60_000, "totalActiveCpuDurationMs": 7}));
    scene.told(json!({"name": "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十", "createdAt": EPOCH}));
    let drawn = scene.drawn();
    assert!(
        drawn.contains(&long[..40]) && !drawn.contains("CPU"),
        "{drawn}"
    );
    assert!(
        drawn.contains("STATUS") && drawn.contains("LEFT"),
        "{drawn}"
    );
    scene.state.set_filter("b");
    scene.state.follow(&scene.world, now());
    assert!(
        scene.drawn().contains("CPU"),
        "short names ask for less: {}",
        scene.drawn()
    );
}

fn marked(scene: &Scene) -> String {
    let marked = scene.state.meant();
    assert_eq!(scene.state.marked(), marked.len());
    marked.iter().map(|key| key.name.as_raw()).collect()
}

#[test]
fn marks_are_set_one_by_one_in_ranges_and_turned_around() {
    let mut scene = Scene::new("abcdef");
    assert_eq!((scene.state.marked(), scene.state.meant().len()), (0, 1));
    scene.act(&[Action::Down, Action::Mark]);
    assert_eq!((marked(&scene).as_str(), scene.selected()), ("b", "c"));
    // From the last mark, downwards or upwards.
    scene.act(&[Action::Bottom, Action::Up, Action::MarkRange]);
    assert_eq!(marked(&scene), "bcde");
    scene.act(&[Action::Mark, Action::MarkInvert]);
    assert_eq!(marked(&scene), "aef");
    // What the filter hides keeps what it has.
    scene.act(&[Action::Filter]);
    scene.type_keys("b\n");
    scene.act(&[Action::MarkInvert]);
    assert_eq!(marked(&scene), "abef");
    scene.act(&[Action::MarkAll]);
    assert_eq!(marked(&scene), "abef");
    scene.state.clear_marks();
    assert_eq!(scene.state.marked(), 0);
    scene.act(&[Action::MarkRange]);
    assert_eq!(marked(&scene), "b", "a range from nowhere is the row alone");
}

#[test]
fn a_mark_ends_with_its_sandbox_or_with_what_it_was_for() {
    let mut scene = Scene::new("abcd");
    scene.act(&[Action::MarkAll]);
    scene.lose("c");
    assert_eq!(marked(&scene), "abd");
    // Another one of that name was never marked.
    scene.told(json!({"name": "c", "createdAt": EPOCH, "status": "running"}));
    assert_eq!(marked(&scene), "abd");
    let keys = scene.state.meant();
    scene.state.unmark(&keys[1]);
    assert_eq!(marked(&scene), "ad");
    // Nothing begins a range where a mark was taken away.
    scene.state.clear_marks();
    scene.act(&[Action::Top, Action::Mark]);
    let key = scene.state.meant().remove(0);
    scene.state.unmark(&key);
    scene.act(&[Action::Bottom, Action::MarkRange]);
    assert_eq!(marked(&scene), "d");
}
