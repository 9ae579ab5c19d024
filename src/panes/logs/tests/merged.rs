//! Several logs read as one.

use super::Stage;
use crate::logic::{Action, Effect, Pane, Scope, StreamNews, merged, tail};
use crate::model::StreamName::{Stderr, Stdout};
use crate::model::{Command, CommandKey, LogObject};
use crate::panes::testing::{Scene, at, command, command_key};
use serde_json::json;

impl Stage {
    /// `api` and `web` with a running command each, `node` and `make`, merged and open.
    fn merging(width: u16, height: u16) -> (Self, [CommandKey; 2]) {
        let mut scene = Scene {
            pane: Pane::Lines,
            ..Scene::default()
        };
        let keys = [("api", "node"), ("web", "make")].map(|(name, program)| {
            let key = scene.sandbox(name, &json!({}));
            scene.commands(name, &[command("c1", program, 5, None)]);
            key
        });
        let mut stage = Self::new(scene, width, height);
        let scope = Scope::Running(keys.to_vec());
        merged::open(&mut stage.scene.world, scope, stage.scene.now);
        stage.state.merge(true);
        let keys = ["api", "web"].map(|name| command_key(name, "c1"));
        stage.streams();
        for key in &keys {
            stage.scene.news(key, StreamNews::Opened);
            stage.scene.world.tails.get_mut(key).unwrap().follow.state = tail::TailState::Live;
        }
        (stage, keys)
    }

    /// As the dashboard does after each event.
    fn streams(&mut self) -> Vec<Effect> {
        let world = &mut self.scene.world;
        merged::settle(world);
        self.settle();
        let wanted = self.state.wanted(&self.scene.world);
        tail::settle(&mut self.scene.world, &wanted, self.scene.now)
    }

    fn says(&mut self, key: &CommandKey, text: &str) {
        self.scene.prints(key, &Stdout, text);
        self.streams();
    }

    fn ends(&mut self, key: &CommandKey, exit: i64) {
        let told: Command = serde_json::from_value(command("c1", "x", 5, Some(exit))).unwrap();
        let farewell = LogObject::Command(Box::new(told));
        self.scene.news(key, StreamNews::Objects(vec![farewell]));
        self.scene.news(key, StreamNews::Ended);
        self.streams();
    }

    fn search_to_the_end(&mut self) {
        while self.state.is_searching(&self.scene.world) {
            self.state.search_on(&self.scene.world);
        }
        self.settle();
    }
}

#[test]
fn sources_and_their_lines_are_drawn() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let (mut stage, [api, web]) = Stage::merging(width, height);
        stage.says(&api, "listening on 3000\n");
        stage.says(&web, "cc -c main.c\ncc -c \u{1b}[1mother\u{1b}[0m.c\n");
        stage
            .scene
            .prints(&web, &Stderr, "other.c:3: warning: unused\n");
        stage.says(&api, "GET / 200\n");
        stage.ends(&web, 2);
        stage.says(&api, "GET /missing 404\n");
        stage.scene.now = at(103);
        stage.act(Action::LineNumbers);
        insta::assert_snapshot!(format!("merged_{width}x{height}"), stage.screen());
    }
}

#[test]
fn the_view_stays_while_others_print_and_the_end_follows_again() {
    let (mut stage, [api, web]) = Stage::merging(80, 14);
    (0..30).for_each(|n| stage.says(&api, &format!("a{n}\n")));
    stage.act(Action::PageUp);
    let before = stage.rows();
    stage.says(&web, "one\ntwo\n");
    stage.says(&api, "three\n");
    assert_eq!(stage.rows(), before);
    assert!(stage.screen().contains("3 new below"), "{}", stage.screen());
    stage.act(Action::Bottom);
    assert_eq!(stage.rows().last().unwrap(), "three");
}

#[test]
fn who_is_muted_leaves_the_reader_where_he_is() {
    let (mut stage, [api, web]) = Stage::merging(80, 14);
    for n in 0..40 {
        stage.says(&api, &format!("a{n}\n"));
        stage.says(&web, &format!("w{n}\n"));
    }
    (0..41).for_each(|_| drop(stage.act(Action::Up)));
    let top = stage.rows()[0].clone();
    let hear = |stage: &mut Stage, source: usize| {
        let id = stage.scene.world.keeping.next_store();
        let merged = stage.scene.world.merged.as_mut().unwrap();
        let former = merged.mute(source, id);
        stage.state.renumber(&former, merged);
        stage.streams();
    };
    hear(&mut stage, usize::from(top.starts_with('a')));
    assert_eq!(stage.rows()[0], top);
    let kind = &top[..1];
    assert!(
        stage.rows().iter().all(|row| row.starts_with(kind)),
        "{:?}",
        stage.rows()
    );
    hear(&mut stage, usize::from(top.starts_with('a')));
    assert_eq!(stage.rows()[0], top);
    assert!(!stage.rows().iter().all(|row| row.starts_with(kind)));
}

#[test]
fn search_and_filter_go_over_all_sources() {
    let (mut stage, [api, web]) = Stage::merging(80, 16);
    for n in 0..50 {
        stage.says(&api, &format!("request {n}\n"));
        stage.says(&web, &format!("compile {n}\n"));
    }
    stage
        .state
        .find
        .search_for(Some(crate::text::Pattern::new("e 2[01]|t 20").unwrap()));
    stage.settle();
    stage.act(Action::NextHit);
    stage.search_to_the_end();
    assert!(stage.screen().contains("1 of 3"), "{}", stage.screen());
    assert!(stage.rows().contains(&"request 20".to_owned()));
    stage.act(Action::NextHit);
    stage.search_to_the_end();
    assert!(stage.screen().contains("2 of 3"), "{}", stage.screen());

    super::super::typing::filter_by(&mut stage.state, "20|21 !quest").unwrap();
    stage.settle();
    stage.search_to_the_end();
    assert_eq!(stage.rows(), ["compile 20", "compile 21"]);
}

#[test]
fn beyond_the_most_streams_it_is_said_who_waits() {
    let (mut stage, [api, _]) = Stage::merging(100, 20);
    stage.scene.world.keeping.limits.streams = 1;
    let effects = stage.streams();
    assert!(
        matches!(effects.as_slice(), [Effect::CloseStream(_)]),
        "{effects:?}"
    );
    let screen = stage.screen();
    assert!(
        screen.contains("waiting for a place (logs.streams = 1): web"),
        "{screen}"
    );
    assert!(screen.contains("1 live · 1 wait"), "{screen}");
    stage.ends(&api, 0);
    let screen = stage.screen();
    assert!(screen.contains("1 opening · 1 ended"), "{screen}");
}

#[test]
fn leaving_and_coming_back_keeps_lines_and_place() {
    let (mut stage, [api, web]) = Stage::merging(80, 14);
    (0..30).for_each(|n| stage.says(&api, &format!("a{n}\n")));
    stage.says(&web, "w\n");
    stage.act(Action::Top);
    let read = stage.rows();
    stage.state.merge(false);
    stage.streams();
    assert_eq!(stage.chosen(), Some("c1"));
    assert!(!stage.screen().contains("Sources"));
    stage.state.merge(true);
    stage.streams();
    assert_eq!(stage.rows(), read);
}

/// What tells one name from another stands at its end.
#[test]
fn long_names_are_cut_in_the_middle() {
    let (mut stage, [api, _]) = Stage::merging(80, 24);
    let sources = &mut stage.scene.world.merged.as_mut().unwrap().sources;
    sources[0].name = "a-sandbox-of-the-build/npm#2".into();
    stage.says(&api, "up\n");
    assert_eq!(
        stage.screen().matches("a-sandbo…d/npm#2").count(),
        2,
        "{}",
        stage.screen()
    );
}

#[test]
fn commands_are_marked_and_unmarked() {
    let mut scene = Scene::default();
    scene.sandbox("web", &json!({}));
    let three = ["c3", "c2", "c1"].map(|id| command(id, "make", 5, None));
    scene.commands("web", &three);
    let mut stage = Stage::new(scene, 80, 20);
    stage.act(Action::MarkCommand);
    stage.act(Action::MarkCommand);
    let marked = |stage: &Stage| -> Vec<String> {
        let marked = stage.state.marked().iter();
        marked
            .map(|(_, key)| key.command.as_raw().to_owned())
            .collect()
    };
    assert_eq!(marked(&stage), ["c3", "c2"]);
    assert_eq!(stage.screen().matches('◆').count(), 2, "{}", stage.screen());
    stage.act(Action::Top);
    stage.act(Action::MarkCommand);
    assert_eq!(marked(&stage), ["c2"]);
}

/// What goes out of several logs is what is read, in that order, and tells whose each line is.
#[test]
fn lines_of_several_go_out_as_they_are_read() {
    let (mut stage, [api, web]) = Stage::merging(100, 16);
    stage.says(&api, "a1\n");
    stage.says(&web, "w1\n");
    stage.says(&api, "a2\na3\n");
    assert_eq!(stage.copies(Action::CopyAll), "a1\nw1\na2\na3\n");
    stage.act(Action::SelectLines);
    stage.act(Action::Up);
    stage.act(Action::Up);
    assert_eq!(stage.copies(Action::Copy), "w1\na2\na3\n");
    let effects = stage.act(Action::CopyAll);
    let excerpt = &super::out::exported(&effects).excerpt;
    let sources: Vec<_> = (excerpt.lines.clone())
        .filter_map(|number| {
            let line = excerpt.held.log().get(number).line()?.raw.to_owned();
            let strand = excerpt.held.log().origin(number)?.strand;
            Some((line, excerpt.held.name(strand).cloned()?))
        })
        .collect();
    let wanted = [("a1", "api"), ("w1", "web"), ("a2", "api"), ("a3", "api")];
    assert_eq!(
        sources,
        wanted.map(|(line, name)| (line.to_owned(), name.into()))
    );
}
