//! Reading what is not in memory: it is asked for, its rows wait, and nothing moves when it comes.

use super::Stage;
use crate::logic::tail::{self, SpillNews, SpillOrder};
use crate::logic::{Action, Effect, TailState};
use crate::model::CommandKey;
use crate::model::StreamName::Stderr;
use crate::panes::logs::line::Kind;
use crate::panes::testing::at;
use crate::text::{Chunk, ChunkId};
use crossterm::event::KeyCode;
use std::collections::HashMap;
use std::sync::Arc;

/// What the file's keeper would do, when it is told to.
#[derive(Default)]
struct Keeper {
    file: HashMap<ChunkId, Arc<Chunk>>,
    /// Asked for, and not given yet.
    asked: Vec<ChunkId>,
}

impl Keeper {
    fn settle(&mut self, stage: &mut Stage, key: &CommandKey) {
        let needed = stage.state.needed().to_vec();
        let world = &mut stage.scene.world;
        for effect in tail::keep(world, Some(key), &needed) {
            let Effect::Spill(store, order) = effect else {
                panic!("{effect:?}")
            };
            match order {
                SpillOrder::Write(chunk) => {
                    let id = chunk.id();
                    self.file.insert(id, chunk);
                    tail::spilled(world, store, SpillNews::Written(id));
                }
                SpillOrder::Read(chunk) => self.asked.push(chunk),
                order => panic!("{order:?}"),
            }
        }
        stage.settle();
    }

    fn give(&mut self, stage: &mut Stage, key: &CommandKey) {
        let store = stage.scene.world.tails[key].store_id;
        for id in self.asked.drain(..) {
            let news = SpillNews::Read(Arc::clone(&self.file[&id]));
            assert_eq!(tail::spilled(&mut stage.scene.world, store, news), None);
        }
        stage.settle();
    }

    /// Slices of a search and what they wait for, until it is through and its rows are there.
    fn search(&mut self, stage: &mut Stage, key: &CommandKey) {
        loop {
            stage.search();
            self.settle(stage, key);
            if self.asked.is_empty() {
                return;
            }
            self.give(stage, key);
        }
    }
}

/// 20 000 lines of which most are away.
fn away() -> (Stage, CommandKey, Keeper) {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.scene.world.keeping.limits.memory = 64 * 1024;
    let mut keeper = Keeper::default();
    for start in (0..20_000).step_by(1000) {
        stage.prints_lines(&key, start..start + 1000);
        keeper.settle(&mut stage, &key);
    }
    assert!(keeper.asked.is_empty(), "nobody scrolled");
    (stage, key, keeper)
}

fn numbered(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("line {number:06}")).collect()
}

#[test]
fn what_is_away_is_read_back_where_it_stands() {
    let (mut stage, key, mut keeper) = away();
    stage.act(Action::Top);
    assert_eq!(stage.rows()[0], "reading back…");
    assert!(stage.rows()[1..].iter().all(String::is_empty));
    assert_eq!(stage.rows().len(), 8);
    stage.buffer();
    keeper.settle(&mut stage, &key);
    keeper.settle(&mut stage, &key);
    assert_eq!(keeper.asked.len(), 1, "once");
    keeper.give(&mut stage, &key);
    assert_eq!(stage.rows(), numbered(0..8));
    assert!(!stage.screen().contains("dropped"), "{}", stage.screen());

    stage.act(Action::Down);
    assert_eq!(stage.rows(), numbered(1..9));
}

#[test]
fn scrolling_finds_its_neighbours_there_already() {
    let (mut stage, key, mut keeper) = away();
    for _ in 0..20_000 / 7 {
        stage.act(Action::PageUp);
        keeper.settle(&mut stage, &key);
        assert!(
            stage
                .state
                .window
                .rows
                .iter()
                .all(|row| row.kind == Kind::Stdout),
            "{:?}",
            stage.rows()
        );
        keeper.give(&mut stage, &key);
    }
    assert_eq!(stage.rows(), numbered(0..8));
    assert!(stage.scene.world.tails[&key].store.bytes() <= 3 * 64 * 1024);
}

#[test]
fn what_is_read_stays_when_it_goes_away_meanwhile() {
    let (mut stage, key, mut keeper) = away();
    for _ in 0..100 {
        stage.act(Action::Up);
    }
    let read = stage.rows();
    for start in (20_000..30_000).step_by(1000) {
        stage.prints_lines(&key, start..start + 1000);
        keeper.settle(&mut stage, &key);
        assert_eq!(stage.rows(), read);
    }
    assert!(stage.state.window.rows.iter().all(|row| !row.evicted));
    stage.place(60, 10);
    assert_eq!(stage.rows(), read);
}

#[test]
fn what_cannot_be_read_back_says_so() {
    let (mut stage, key, mut keeper) = away();
    stage.act(Action::Top);
    keeper.settle(&mut stage, &key);
    keeper.give(&mut stage, &key);
    for _ in 0..1000 {
        stage.act(Action::Down);
    }
    keeper.settle(&mut stage, &key);
    let store = stage.scene.world.tails[&key].store_id;
    for id in keeper.asked.drain(..) {
        let news = SpillNews::NotRead(id, "it broke".into());
        let said = tail::spilled(&mut stage.scene.world, store, news).unwrap();
        assert!(said.as_str().contains("it broke"), "{said}");
    }
    stage.settle();
    assert!(
        stage.rows()[0].contains("lines could not be read back"),
        "{:?}",
        stage.rows()
    );
    stage.act(Action::Bottom);
    assert_eq!(stage.rows(), numbered(19_992..20_000));
}

#[test]
fn what_is_away_is_found_and_gone_to() {
    let (mut stage, key, mut keeper) = away();
    stage.act(Action::Search);
    stage.types("e 000(123|456)$");
    keeper.search(&mut stage, &key);
    assert!(stage.screen().contains("2 of 2"), "{}", stage.screen());
    assert!(
        stage.rows().contains(&"line 000456".to_owned()),
        "{:?}",
        stage.rows()
    );
    stage.key(KeyCode::Enter);
    stage.act(Action::PreviousHit);
    keeper.search(&mut stage, &key);
    assert!(
        stage.rows().contains(&"line 000123".to_owned()),
        "{:?}",
        stage.rows()
    );
    assert!(stage.screen().contains("1 of 2"), "{}", stage.screen());
    assert!(stage.scene.world.tails[&key].store.bytes() <= 3 * 64 * 1024);
}

#[test]
fn what_is_away_is_filtered() {
    let (mut stage, key, mut keeper) = away();
    stage.act(Action::FilterLines);
    stage.types("00[04]12[34]$ +1");
    keeper.search(&mut stage, &key);
    stage.key(KeyCode::Enter);
    let wanted: Vec<String> = [122..126, 4122..4126]
        .into_iter()
        .flat_map(numbered)
        .collect();
    assert_eq!(stage.rows(), wanted);
}

#[test]
fn errors_stderr_and_times_are_gone_to_where_they_are_away() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.scene.world.keeping.limits.memory = 64 * 1024;
    stage.scene.world.tails.get_mut(&key).unwrap().follow.state = TailState::Live;
    let mut keeper = Keeper::default();
    for batch in 0..20 {
        stage.scene.now = at(100 + batch * 10);
        let start = usize::try_from(batch).unwrap() * 1000;
        if batch == 3 {
            stage.scene.prints(&key, &Stderr, "of stderr\n");
            stage.prints(&key, "ERROR: failed\n");
        }
        stage.prints_lines(&key, start..start + 1000);
        keeper.settle(&mut stage, &key);
    }
    let shows = |stage: &Stage, text: &str| stage.rows().iter().any(|row| row == text);
    stage.act(Action::NextError);
    keeper.search(&mut stage, &key);
    assert!(shows(&stage, "ERROR: failed"), "{:?}", stage.rows());
    stage.act(Action::Bottom);
    stage.act(Action::PreviousStderr);
    keeper.search(&mut stage, &key);
    assert!(shows(&stage, "of stderr"), "{:?}", stage.rows());
    stage.act(Action::GoToTime);
    stage.types("-150s");
    stage.key(KeyCode::Enter);
    keeper.search(&mut stage, &key);
    assert_eq!(stage.rows()[0], "line 004000");
}

/// Selecting over what is away: its lines are lines before they are read back.
#[test]
fn what_is_away_is_selected() {
    let (mut stage, key, mut keeper) = away();
    stage.act(Action::SelectLines);
    stage.act(Action::Top);
    keeper.settle(&mut stage, &key);
    keeper.give(&mut stage, &key);
    assert_eq!(stage.rows(), numbered(0..8));
    assert!(
        stage.screen().contains("20000 lines selected"),
        "{}",
        stage.screen()
    );
    let effects = stage.act(Action::Copy);
    let export = super::out::exported(&effects);
    assert_eq!(export.excerpt.lines, 0..20_000);
}
