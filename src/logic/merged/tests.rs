//! Merging as values: who joins, in which order lines stand, what is heard, and what waits.

use super::{Count, Scope, open, settle};
use crate::logic::testing::{EPOCH, at, command, running, session};
use crate::logic::{Calls, StreamNews, World, tail};
use crate::model::{
    Command, CommandId, CommandKey, Foreign, LogObject, SandboxKey, StreamName, Timestamp,
};

struct Scene {
    world: World,
    calls: Calls,
    ms: u64,
}

impl Scene {
    fn new(names: &[&str]) -> Self {
        let mut world = World::default();
        for name in names {
            world.saw(running(name, 0), at(0));
        }
        Self {
            world,
            calls: Calls::default(),
            ms: 0,
        }
    }

    fn key(&self, name: &str) -> SandboxKey {
        let mut keys = self.world.sandboxes.keys();
        keys.find(|key| key.name.as_raw() == name).unwrap().clone()
    }

    /// What a list of commands tells, newest first.
    fn lists(&mut self, name: &str, commands: &[Command]) {
        let listing = self.world.commands.entry(session(&format!("sbx_{name}")));
        let listing = listing.or_default();
        listing.renew(commands.to_vec(), false, at(self.ms));
        self.ms += 1;
        self.settle();
    }

    /// As the dashboard does after each event.
    fn settle(&mut self) {
        settle(&mut self.world);
        if let Some(merged) = &self.world.merged {
            let wanted = merged.wanted(&self.world);
            let wanted: Vec<CommandKey> = wanted.map(|source| source.command.clone()).collect();
            tail::settle(&mut self.world, &wanted, at(self.ms));
        }
        settle(&mut self.world);
    }

    fn open(&mut self, scope: Scope) {
        open(&mut self.world, scope, at(self.ms));
        self.settle();
    }

    fn news(&mut self, name: &str, id: &str, news: StreamNews) {
        let stream = self.world.tails[&command_key(name, id)]
            .follow
            .stream
            .clone();
        tail::news(&mut self.world, &mut self.calls, &stream, news, at(self.ms));
        self.settle();
    }

    fn prints(&mut self, name: &str, id: &str, text: &str) {
        if self.world.tails[&command_key(name, id)].follow.state == tail::TailState::Connecting {
            self.news(name, id, StreamNews::Opened);
        }
        let data = text.to_owned();
        let stream = StreamName::Stdout;
        let pieces = vec![LogObject::Piece { stream, data }];
        self.news(name, id, StreamNews::Objects(pieces));
    }

    fn ends(&mut self, name: &str, id: &str, exit: i64) {
        let farewell = LogObject::Command(Box::new(command(id, Some(exit))));
        self.news(name, id, StreamNews::Objects(vec![farewell]));
        self.news(name, id, StreamNews::Ended);
    }

    fn names(&self) -> Vec<&str> {
        let sources = &self.world.merged.as_ref().unwrap().sources;
        sources.iter().map(|source| source.name.as_str()).collect()
    }

    /// `NAME: line`, in their order.
    fn lines(&self) -> Vec<String> {
        let merged = self.world.merged.as_ref().unwrap();
        let log = merged.log(&self.world.tails);
        let said = (log.first()..log.end()).map(|number| {
            let source = merged.source(log.origin(number).unwrap().strand);
            let name = source.map_or("*", |at| merged.sources[at].name.as_str());
            format!("{name}: {}", log.get(number).line().unwrap().raw)
        });
        said.collect()
    }

    fn hears(&mut self, solo: bool, source: usize) {
        let id = self.world.keeping.next_store();
        let merged = self.world.merged.as_mut().unwrap();
        let former = if solo {
            merged.hear_only(source, id)
        } else {
            merged.mute(source, id)
        };
        assert_ne!(former.id, merged.id);
        self.settle();
    }

    fn count(&self) -> (usize, usize, usize, usize) {
        let Count {
            live,
            opening,
            over,
            waiting,
        } = self.world.merged.as_ref().unwrap().count(&self.world);
        (live, opening, over, waiting)
    }
}

fn command_key(name: &str, id: &str) -> CommandKey {
    CommandKey {
        session: session(&format!("sbx_{name}")),
        command: CommandId::new(id),
    }
}

/// `began`: seconds after the start of the test.
fn program(id: &str, program: &str, began: i64, exit: Option<i64>) -> Command {
    Command {
        name: Some(Foreign::from(program)),
        started_at: Some(Timestamp(EPOCH + began * 1000)),
        ..command(id, exit)
    }
}

/// `web` runs node and has run npm, `api` runs node.
fn two() -> Scene {
    let mut scene = Scene::new(&["api", "web"]);
    let (npm, node) = ("/usr/bin/npm", "/usr/bin/node");
    let web = [
        program("w2", node, -50, None),
        program("w1", npm, -90, Some(0)),
    ];
    scene.lists("web", &web);
    scene.lists("api", &[program("a1", node, -70, None)]);
    scene
}

#[test]
fn lines_stand_in_the_order_in_which_they_came() {
    let mut scene = two();
    let keys = vec![scene.key("web"), scene.key("api")];
    scene.open(Scope::Running(keys));
    assert_eq!(
        scene.names(),
        ["api", "web"],
        "in the order in which they began"
    );
    scene.prints("web", "w2", "one\ntwo\n");
    scene.prints("api", "a1", "three\n");
    scene.prints("web", "w2", "four\nfi");
    scene.prints("api", "a1", "six\n");
    scene.prints("web", "w2", "ve\n");
    let lines = [
        "web: one",
        "web: two",
        "api: three",
        "web: four",
        "web: five",
        "api: six",
    ];
    assert_eq!(scene.lines(), lines);
}

#[test]
fn who_ends_is_marked_in_place_and_who_begins_joins() {
    let mut scene = two();
    scene.open(Scope::Sandbox(scene.key("web")));
    assert_eq!(scene.names(), ["npm", "node"]);
    scene.prints("web", "w1", "added 3 packages\n");
    scene.prints("web", "w2", "listening\n");
    scene.ends("web", "w1", 0);
    scene.prints("web", "w2", "GET /\n");
    let ran = [
        program("w3", "/usr/bin/npm", 1, None),
        program("w2", "/usr/bin/node", -50, None),
    ];
    scene.lists("web", &ran);
    scene.prints("web", "w3", "test\n");
    let lines = [
        "npm: added 3 packages",
        "node: listening",
        "*: npm ended · exit 0",
        "node: GET /",
        "*: npm#2 joined",
        "npm#2: test",
    ];
    assert_eq!(scene.lines(), lines);
    assert_eq!(scene.count(), (2, 0, 1, 0));
}

#[test]
fn everything_new_is_what_began_since() {
    let mut scene = two();
    scene.open(Scope::New);
    assert!(scene.names().is_empty());
    let merged = scene.world.merged.as_ref().unwrap();
    let asked: Vec<&str> = merged
        .followed()
        .keys
        .iter()
        .map(|key| key.name.as_raw())
        .collect();
    assert_eq!(asked, ["api", "web"]);
    // One of them ended before anybody looked; a third sandbox comes later.
    let short = program("a2", "/bin/ls", 1, Some(0));
    scene.lists("api", &[short, program("a1", "node", -70, None)]);
    scene.world.saw(running("job", 5000), at(5000));
    scene.lists("job", &[program("j1", "make", 6, None)]);
    assert_eq!(scene.names(), ["api", "job"]);
}

#[test]
fn names_are_as_short_as_they_can_be() {
    let mut scene = two();
    let key = |scene: &Scene, name: &str, id: &str| (scene.key(name), command_key(name, id));
    let all = vec![
        key(&scene, "web", "w1"),
        key(&scene, "web", "w2"),
        key(&scene, "api", "a1"),
    ];
    scene.open(Scope::Commands(all.clone()));
    assert_eq!(scene.names(), ["web/npm", "web/node", "api"]);
    scene.open(Scope::Commands(vec![all[0].clone(), all[2].clone()]));
    assert_eq!(scene.names(), ["web", "api"]);
    // What is not listed any more has its id.
    scene.open(Scope::Commands(vec![
        all[0].clone(),
        key(&scene, "web", "gone"),
    ]));
    assert_eq!(scene.names(), ["npm", "gone"]);
}

#[test]
fn opening_the_same_goes_on_with_it() {
    let mut scene = two();
    scene.open(Scope::Sandbox(scene.key("web")));
    scene.prints("web", "w2", "here\n");
    let id = scene.world.merged.as_ref().unwrap().id;
    scene.open(Scope::Sandbox(scene.key("web")));
    assert_eq!(scene.world.merged.as_ref().unwrap().id, id);
    // Another choice: the lines are in the tails, whoever shows them.
    scene.open(Scope::Running(vec![scene.key("web"), scene.key("api")]));
    assert_eq!(scene.lines(), ["web: here"]);
}

#[test]
fn what_is_muted_is_left_out_and_comes_back_in_its_place() {
    let mut scene = two();
    scene.open(Scope::Running(vec![scene.key("web"), scene.key("api")]));
    for n in 0..3 {
        scene.prints("web", "w2", &format!("w{n}\n"));
        scene.prints("api", "a1", &format!("a{n}\n"));
    }
    let all = scene.lines();
    let (api, web) = (0, 1);
    scene.hears(false, api);
    assert_eq!(scene.lines(), ["web: w0", "web: w1", "web: w2"]);
    scene.prints("api", "a1", "a3\n");
    scene.prints("web", "w2", "w3\n");
    assert_eq!(scene.lines().last().unwrap(), "web: w3");
    scene.hears(true, api);
    assert_eq!(scene.lines(), ["api: a0", "api: a1", "api: a2", "api: a3"]);
    scene.hears(true, api);
    assert_eq!(scene.lines().len(), 4, "muted as before");
    scene.hears(false, api);
    let after = [all, vec!["api: a3".to_owned(), "web: w3".to_owned()]].concat();
    assert_eq!(scene.lines(), after);
    scene.hears(true, web);
    scene.hears(false, web);
    assert!(scene.lines().iter().all(|line| line.starts_with("api")));
}

#[test]
fn beyond_the_most_open_streams_sources_wait_for_an_end() {
    let mut scene = two();
    scene.world.keeping.limits.streams = 1;
    scene.open(Scope::Sandbox(scene.key("web")));
    assert_eq!(scene.count(), (0, 1, 0, 1));
    let waiting = |scene: &Scene| {
        let merged = scene.world.merged.as_ref().unwrap();
        let waiting = merged.waiting(&scene.world);
        waiting
            .map(|source| source.name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(waiting(&scene), ["node"]);
    assert!(!scene.world.tails.contains_key(&command_key("web", "w2")));
    scene.prints("web", "w1", "done\n");
    scene.ends("web", "w1", 0);
    assert_eq!((scene.count(), waiting(&scene).len()), ((0, 1, 1, 0), 0));
    scene.prints("web", "w2", "up\n");
    assert_eq!(
        scene.lines(),
        ["npm: done", "*: npm ended · exit 0", "node: up"]
    );
}

/// A log that was let go and is read again is in other places; its former lines are gone, not another's.
#[test]
fn a_log_that_is_read_again_stands_where_it_comes() {
    let mut scene = two();
    scene.open(Scope::Running(vec![scene.key("web"), scene.key("api")]));
    scene.prints("web", "w2", "one\n");
    scene.prints("api", "a1", "two\n");
    let all = tail::LogLimits {
        memory_in_all: 0,
        file: 0,
        ..scene.world.keeping.limits
    };
    scene.world.keeping.limits = all;
    tail::settle(&mut scene.world, Some(&command_key("api", "a1")), at(9));
    tail::keep(&mut scene.world, Some(&command_key("api", "a1")), &[]);
    scene.settle();
    scene.prints("web", "w2", "one\n");
    let lines = scene.lines();
    assert!(
        lines[0] == "api: two" && lines.last().unwrap() == "web: one",
        "{lines:?}"
    );
    assert!(lines[1].contains("1 lines were let go"), "{lines:?}");
}
