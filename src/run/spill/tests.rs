//! The keeper and a log together: what it writes comes back, first of all what is read.

use super::{Order, SpillFile, next, work};
use crate::logic::tail::{Keeping, SpillNews, SpillOrder};
use crate::model::StreamName;
use crate::text::{LogStore, Lookup};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::channel;

fn store() -> LogStore {
    let mut store = LogStore::new(1 << 20);
    store.set_limits(1 << 20, true);
    for n in 0..100_000 {
        store.push(&StreamName::Stdout, &format!("line {n}\n"), None);
    }
    store
}

fn carried_out(directories: Vec<PathBuf>, orders: Vec<SpillOrder>) -> Vec<SpillNews> {
    let (to_work, received) = channel();
    let id = Keeping::default().next_store();
    for order in orders {
        to_work.send(Order::Carry(id, order)).unwrap();
    }
    drop(to_work);
    let (tell, told) = channel();
    work(&received, SpillFile::new(directories), |store, news| {
        assert_eq!(store, id);
        tell.send(news).unwrap();
    });
    told.try_iter().collect()
}

#[test]
fn lines_go_and_come_back() {
    let home = tempfile::TempDir::new().unwrap();
    let mut store = store();
    let chunks = store.spill(0);
    let id = chunks[1].id();
    let writes = chunks.iter().cloned().map(SpillOrder::Write).collect();
    for news in carried_out(vec![home.path().to_owned()], writes) {
        let SpillNews::Written(id) = news else {
            panic!("{news:?}")
        };
        store.written(id);
    }
    assert_eq!(store.get(0), Lookup::Away(chunks[0].id()));
    let orders = vec![SpillOrder::Write(chunks[1].clone()), SpillOrder::Read(id)];
    let told = carried_out(vec![home.path().to_owned()], orders);
    // It was asked for before it was there: who reads goes first.
    assert!(matches!(told[0], SpillNews::NotRead(not, _) if not == id));
    assert_eq!(told[1], SpillNews::Written(id));
}

#[test]
fn without_a_place_each_chunk_is_told_not_to_be_written() {
    let mut store = store();
    let chunks = store.spill(0);
    let writes = chunks.iter().cloned().map(SpillOrder::Write).collect();
    let told = carried_out(vec![PathBuf::from("/proc/nowhere")], writes);
    assert_eq!(told.len(), chunks.len());
    let refused = |news: &SpillNews| matches!(news, SpillNews::NotWritten(..));
    assert!(told.iter().all(refused));
}

#[test]
fn reads_overtake_writes_and_nothing_else_does() {
    let mut store = store();
    let chunk = store.spill(0).remove(0);
    let (to_work, received) = channel();
    let id = Keeping::default().next_store();
    let orders = [
        SpillOrder::Write(chunk.clone()),
        SpillOrder::Free(chunk.id()),
        SpillOrder::Read(chunk.id()),
        SpillOrder::FreeAll,
    ];
    for order in orders.clone() {
        to_work.send(Order::Carry(id, order)).unwrap();
    }
    drop(to_work);
    let mut queue = VecDeque::new();
    let taken: Vec<SpillOrder> = std::iter::from_fn(|| next(&received, &mut queue))
        .filter_map(|order| match order {
            Order::Carry(_, order) => Some(order),
            Order::Fetch(..) => None,
        })
        .collect();
    let [write, free, read, free_all] = orders;
    assert_eq!(taken, [read, write, free, free_all]);
}
