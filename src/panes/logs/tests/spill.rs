//! Reading what is not in memory: it is asked for, its rows wait, and nothing moves when it comes.

use super::Stage;
use crate::logic::tail::{self, SpillNews, SpillOrder};
use crate::logic::{Action, Effect};
use crate::model::CommandKey;
use crate::panes::logs::line::Kind;
use crate::text::{Chunk, ChunkId};
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
