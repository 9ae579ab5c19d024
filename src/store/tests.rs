//! The store: what is written comes back, pages hold still under changes, old and foreign files are told apart.

use super::*;
use crate::model::request::{Env, ListStatus, SortBy};
use crate::model::{
    ProjectId, Sandbox, SandboxName, Session, SessionId, Snapshot, SnapshotId, Timestamp,
};
use serde_json::{Value, json};

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("engine.db")).unwrap();
    (dir, store)
}

fn run<T>(store: &Store, work: impl FnOnce(&Records<'_>) -> Result<T, StoreError>) -> T {
    store.with(work).unwrap()
}

fn sandbox(project: &str, name: &str, created_at: i64, more: &Value) -> SandboxRecord {
    let mut fact = json!({
        "name": name, "persistent": true, "status": "running", "statusUpdatedAt": created_at,
        "createdAt": created_at, "updatedAt": created_at, "currentSessionId": format!("sbx_{name}"),
    });
    for (key, value) in more.as_object().unwrap() {
        fact[key] = value.clone();
    }
    let env = Env([("SECRET".to_owned(), "s".to_owned())].into());
    SandboxRecord {
        project: ProjectId::new(project),
        fact: serde_json::from_value::<Sandbox>(fact).unwrap(),
        kept: Kept {
            env,
            ports: vec![(3000, "sb-a".to_owned())],
            terminal: None,
        },
    }
}

fn names(rows: &[Row<SandboxRecord>]) -> Vec<String> {
    let name = |row: &Row<SandboxRecord>| row.record.fact.name.as_raw().to_owned();
    rows.iter().map(name).collect()
}

fn window(ascending: bool, after: Option<Mark>, limit: usize) -> Window {
    Window {
        ascending,
        after,
        limit,
    }
}

#[test]
fn a_sandbox_comes_back_as_written() {
    let (_dir, store) = store();
    let record = sandbox("prj", "box", 5, &json!({"tags": {"a": "b"}}));
    let row = run(&store, |records| records.add_sandbox(&record));
    let mut found = run(&store, |records| records.sandbox(row)).unwrap();
    assert_eq!(found.record, record);
    found.record.fact.updated_at = Some(Timestamp(9));
    run(&store, |records| records.set_sandbox(&found));
    assert_eq!(run(&store, |records| records.sandbox(row)), Some(found));
    run(&store, |records| records.remove_sandbox(row));
    assert_eq!(run(&store, |records| records.sandbox(row)), None);
}

#[test]
fn a_name_is_unique_in_its_project() {
    let (_dir, store) = store();
    run(&store, |records| {
        records.add_sandbox(&sandbox("one", "box", 1, &json!({})))?;
        records.add_sandbox(&sandbox("two", "box", 1, &json!({})))
    });
    let again = store.with(|records| records.add_sandbox(&sandbox("one", "box", 2, &json!({}))));
    assert!(matches!(again, Err(StoreError::Sql(_))));
    let both = run(&store, |records| records.sandboxes_named(None, "box"));
    assert_eq!(both.len(), 2);
    let one = run(&store, |records| {
        records.sandboxes_named(Some(&ProjectId::new("one")), "box")
    });
    assert_eq!(one.len(), 1);
}

#[test]
fn a_failed_transaction_changes_nothing() {
    let (_dir, store) = store();
    let failed: Result<(), StoreError> = store.with(|records| {
        records.add_sandbox(&sandbox("prj", "box", 1, &json!({})))?;
        Err(StoreError::Newer(7))
    });
    assert!(failed.is_err());
    let all = run(&store, |records| records.sandboxes_named(None, "box"));
    assert!(all.is_empty());
}

fn shelf() -> (tempfile::TempDir, Store) {
    let (dir, store) = store();
    let stopped = json!({"status": "stopped", "tags": {"k": "v", "x": "y"}});
    let late = json!({"currentSnapshotId": "snap_2", "statusUpdatedAt": 9});
    let aborted = json!({"status": "aborted", "currentSnapshotId": "snap_1"});
    let quoted = json!({"status": "snapshotting", "tags": {"k\"": "v"}});
    run(&store, |records| {
        records.add_sandbox(&sandbox("prj", "b", 1, &stopped))?;
        records.add_sandbox(&sandbox("prj", "a", 2, &late))?;
        records.add_sandbox(&sandbox("prj", "ab", 2, &aborted))?;
        records.add_sandbox(&sandbox("other", "c", 3, &quoted))
    });
    (dir, store)
}

fn listed(store: &Store, filter: &SandboxFilter, by: SortBy, ascending: bool) -> Vec<String> {
    names(&run(store, |records| {
        records.sandboxes(filter, by, &window(ascending, None, 50))
    }))
}

#[test]
fn orders() {
    let (_dir, store) = shelf();
    let cases = [
        (SortBy::CreatedAt, false, ["c", "ab", "a", "b"]),
        (SortBy::CreatedAt, true, ["b", "a", "ab", "c"]),
        (SortBy::Name, true, ["a", "ab", "b", "c"]),
        (SortBy::StatusUpdatedAt, false, ["a", "c", "ab", "b"]),
        (SortBy::CurrentSnapshotId, false, ["a", "ab", "c", "b"]),
    ];
    for (by, ascending, wanted) in cases {
        let found = listed(&store, &SandboxFilter::default(), by, ascending);
        assert_eq!(found, wanted, "{by:?} {ascending}");
    }
}

#[test]
fn filters() {
    let (_dir, store) = shelf();
    let with = |set: fn(&mut SandboxFilter)| {
        let mut filter = SandboxFilter::default();
        set(&mut filter);
        listed(&store, &filter, SortBy::Name, true)
    };
    let tagged = |key: &str, value: &str| {
        let tag = Some((key.to_owned(), value.to_owned()));
        let filter = SandboxFilter {
            tag,
            ..SandboxFilter::default()
        };
        listed(&store, &filter, SortBy::Name, true)
    };
    assert_eq!(with(|f| f.project = Some(ProjectId::new("other"))), ["c"]);
    assert_eq!(with(|f| f.name_prefix = Some("a".into())), ["a", "ab"]);
    assert!(with(|f| f.name_prefix = Some("%".into())).is_empty());
    assert_eq!(with(|f| f.status = Some(ListStatus::Running)), ["a"]);
    assert_eq!(with(|f| f.status = Some(ListStatus::Stopping)), ["c"]);
    assert_eq!(with(|f| f.status = Some(ListStatus::Stopped)), ["ab", "b"]);
    assert_eq!(tagged("k", "v"), ["b"]);
    assert_eq!(tagged("k\"", "v"), ["c"]);
    assert!(tagged("x", "v").is_empty());
}

#[test]
fn pages_hold_still_while_rows_come_and_go() {
    let (_dir, store) = store();
    let add = |name: &str| {
        run(&store, |records| {
            records.add_sandbox(&sandbox("prj", name, 7, &json!({})))
        })
    };
    let rows: Vec<i64> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|name| add(name))
        .collect();
    let page = |after: Option<Mark>| {
        run(&store, |records| {
            let filter = SandboxFilter::default();
            records.sandboxes(&filter, SortBy::CreatedAt, &window(false, after, 2))
        })
    };
    // All were created at the same time: the place alone decides.
    let first = page(None);
    assert_eq!(names(&first), ["e", "d"]);
    add("f");
    run(&store, |records| records.remove_sandbox(rows[3]));
    let mark = |page: &[Row<SandboxRecord>]| Mark {
        key: Key::Number(7),
        row: page.last().unwrap().row,
    };
    let second = page(Some(mark(&first)));
    assert_eq!(names(&second), ["c", "b"]);
    assert_eq!(names(&page(Some(mark(&second)))), ["a"]);
}

fn session(id: &str, sandbox: i64, status: &str, created_at: i64) -> SessionRecord {
    let fact = json!({"id": id, "status": status, "createdAt": created_at});
    SessionRecord {
        sandbox,
        fact: serde_json::from_value::<Session>(fact).unwrap(),
    }
}

#[test]
fn sessions_go_with_their_sandbox_and_unfinished_ones_are_found() {
    let (_dir, store) = store();
    let row = run(&store, |records| {
        let row = records.add_sandbox(&sandbox("prj", "box", 1, &json!({})))?;
        records.add_session(&session("sbx_1", row, "stopped", 1))?;
        records.add_session(&session("sbx_2", row, "stopping", 2))?;
        Ok(row)
    });
    let open = run(&store, |records| records.unfinished_sessions());
    assert_eq!(open, [session("sbx_2", row, "stopping", 2)]);
    let listed = run(&store, |records| {
        records.sessions(
            Some(&ProjectId::new("prj")),
            Some("box"),
            &window(false, None, 9),
        )
    });
    let ids: Vec<_> = listed
        .iter()
        .map(|row| row.record.fact.id.as_raw())
        .collect();
    assert_eq!(ids, ["sbx_2", "sbx_1"]);
    run(&store, |records| records.remove_sandbox(row));
    let gone = run(&store, |records| records.session(&SessionId::new("sbx_1")));
    assert_eq!(gone, None);
}

fn snapshot(id: &str, parent: Option<&str>, expires_at: Option<i64>) -> SnapshotRecord {
    let mut fact = json!({"id": id, "status": "created", "createdAt": 1});
    if let Some(parent) = parent {
        fact["parentId"] = json!(parent);
    }
    if let Some(time) = expires_at {
        fact["expiresAt"] = json!(time);
    }
    SnapshotRecord {
        project: ProjectId::new("prj"),
        sandbox: SandboxName::new("box"),
        expiration: None,
        base: parent.map(SnapshotId::new),
        fact: serde_json::from_value::<Snapshot>(fact).unwrap(),
    }
}

#[test]
fn a_lineage_goes_through_deleted_parents_and_expiry_is_by_time() {
    let (_dir, store) = store();
    run(&store, |records| {
        records.add_snapshot(&snapshot("snap_1", None, None))?;
        records.add_snapshot(&snapshot("snap_2", Some("snap_1"), Some(100)))?;
        records.add_snapshot(&snapshot("snap_3", Some("snap_2"), Some(300)))
    });
    let line = run(&store, |records| {
        records.lineage(&SnapshotId::new("snap_3"))
    });
    let ids: Vec<_> = line.iter().map(SnapshotId::as_raw).collect();
    assert_eq!(ids, ["snap_3", "snap_2", "snap_1"]);
    // One that has all files itself starts a new line, whatever it was made of.
    run(&store, |records| {
        records.add_snapshot(&SnapshotRecord {
            base: None,
            ..snapshot("snap_4", Some("snap_3"), None)
        })
    });
    let line = run(&store, |records| {
        records.lineage(&SnapshotId::new("snap_4"))
    });
    assert_eq!(line, [SnapshotId::new("snap_4")]);
    let expired = |now| {
        let found = run(&store, |records| records.expired_snapshots(Timestamp(now)));
        found.len()
    };
    assert_eq!([expired(99), expired(100), expired(300)], [0, 1, 2]);
}

#[test]
fn the_projects_of_an_older_file_become_known() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("engine.db");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch(include_str!("schema_1.sql")).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    let fact = r#"{"name":"box","status":"stopped","createdAt":7,"statusUpdatedAt":7}"#;
    old.execute(
        "INSERT INTO sandbox (project, fact, kept) VALUES ('shop', ?, '{}')",
        [fact],
    )
    .unwrap();
    drop(old);
    let store = Store::open(&path).unwrap();
    let known = run(&store, |records| records.project("shop")).unwrap();
    assert_eq!(known.id, ProjectId::new("shop"));
    assert_eq!(known.created_at, Timestamp(7));
}

#[test]
fn a_file_of_a_newer_program_is_refused() {
    let (dir, store) = store();
    drop(store);
    let path = dir.path().join("engine.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let error = Store::open(&path).err().unwrap();
    assert!(error.to_string().contains("newer sandtop"), "{error}");
}
