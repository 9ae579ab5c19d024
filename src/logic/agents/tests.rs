//! Who is a candidate, whose log is open by itself, and how runs stand, on a virtual clock.

use super::{call_of, settle, wanted};
use crate::agents::{Format, State};
use crate::logic::testing::{at, command, running, session};
use crate::logic::{Calls, Effect, Mono, Plan, StreamNews, World, tail};
use crate::model::{
    Command, CommandKey, Count, Foreign, LogObject, Page, SandboxKey, Status, StreamName,
};

fn runs(id: &str, words: &[&str]) -> Command {
    let mut words = words.iter().map(|word| Foreign::from(*word));
    Command {
        name: words.next(),
        args: words.collect(),
        ..command(id, None)
    }
}

#[rustfmt::skip]
const CASES: &[(&[&str], Option<&str>)] = &[
        (&["claude", "-p", "fix it"], Some("claude-code")),
        (
            &["/usr/local/bin/codex", "exec", "--json", "go"],
            Some("codex"),
        ),
        (&["A=1", "B=2", "gemini", "-p", "x"], Some("gemini-cli")),
        (
            &["env", "-u", "HOME", "KEY=v", "opencode", "run", "x"],
            Some("opencode"),
        ),
        (
            &["sudo", "-u", "dev", "-E", "cursor-agent", "-p", "x"],
            Some("cursor"),
        ),
        (
            &["timeout", "-k", "5", "600", "openclaw", "agent"],
            Some("openclaw"),
        ),
        (
            &["npx", "-y", "@anthropic-ai/claude-code@latest", "-p", "x"],
            Some("claude-code"),
        ),
        (&["bunx", "opencode-ai@1.2", "run", "x"], Some("opencode")),
        (
            &["pnpm", "dlx", "@google/gemini-cli", "-p", "x"],
            Some("gemini-cli"),
        ),
        (
            &["npm", "exec", "--", "@openai/codex", "exec", "x"],
            Some("codex"),
        ),
        (
            &["npx", "-p", "some-tools", "claude", "-p", "x"],
            Some("claude-code"),
        ),
        (
            &[
                "node",
                "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
                "-p",
            ],
            Some("claude-code"),
        ),
        (
            &["sh", "-c", "cd app && claude -p 'go on'"],
            Some("claude-code"),
        ),
        (
            &[
                "bash",
                "-lc",
                "export A=1; exec codex exec --json \"$1\"",
                "x",
            ],
            Some("codex"),
        ),
        (
            &[
                "bash",
                "-eu",
                "-o",
                "pipefail",
                "-c",
                "claude -p x | tee log",
            ],
            None,
        ),
        (
            &["sh", "-c", "if true; then\n  timeout 60 claude -p x\nfi"],
            Some("claude-code"),
        ),
        (
            &["sh", "-c", "bash -c 'sh -c \"claude -p x\"'"],
            Some("claude-code"),
        ),
        (&["sh", "-c", "cat <<END\nclaude -p x\nEND\nls"], None),
        (
            &["sh", "-c", "# claude -p x\necho claude 'a; claude'"],
            None,
        ),
        (&["sh", "-c", "claude() { echo; }\ncodex () { echo; }\ngemini"], Some("gemini-cli")),
    (&["echo", "claude"], None),
        (&["claude", "--version"], None),
        (&["codex", "login"], None),
        (&["npx", "claude-code", "mcp", "list"], None),
        (&["npm", "run", "claude"], None),
        (&["grep", "-r", "codex", "."], None),
        (&["sh"], None),
        (&["sh", "-c"], None),
        (&[""], None),
];

#[test]
fn agents_are_found_behind_what_starts_them() {
    for (words, agent) in CASES {
        let call = call_of(&runs("c", words));
        assert_eq!(call.map(|call| call.agent), *agent, "{words:?}");
    }
}

#[test]
fn a_call_is_told_without_what_is_around_it() {
    let script = "cd app\nTERM=dumb timeout 60 claude -p 'go on' | tee log";
    let call = call_of(&runs("c", &["bash", "-lc", script])).unwrap();
    assert_eq!(call.line.as_raw(), "claude -p 'go on'");
}

struct Scene {
    world: World,
    calls: Calls,
    plan: Plan,
    ms: u64,
}

impl Scene {
    /// Sandboxes of these names run.
    fn new(names: &[&str]) -> Self {
        let mut world = World::default();
        for (at_ms, name) in (0..).zip(names) {
            world.saw(running(name, at_ms), at(0));
        }
        Self {
            world,
            calls: Calls::default(),
            plan: Plan::default(),
            ms: 0,
        }
    }

    fn commands(&mut self, sandbox: &str, entries: Vec<Command>) {
        let page = Page {
            entries,
            skipped: 0,
            next: None,
        };
        self.ms += 1;
        let id = session(&format!("sbx_{sandbox}"));
        self.world.told_commands(&id, &page, at(self.ms));
    }

    /// What the loop does after every event, with no log on screen.
    fn settle(&mut self) -> Vec<Effect> {
        let now = at(self.ms);
        settle(&mut self.world, now);
        let logs = wanted(&mut self.world, &mut self.plan, now);
        let effects = tail::settle(&mut self.world, &logs, now);
        settle(&mut self.world, now);
        effects
    }

    fn opened(&mut self) -> Vec<CommandKey> {
        let opened = self.settle().into_iter().filter_map(|effect| match effect {
            Effect::OpenStream(stream) => Some(stream.command),
            _ => None,
        });
        opened.collect()
    }

    fn news(&mut self, key: &CommandKey, news: StreamNews) {
        let stream = self.world.tails[key].follow.stream.clone();
        tail::news(&mut self.world, &mut self.calls, &stream, news, at(self.ms));
        self.settle();
    }

    /// Opened before, and live from now on.
    fn goes_live(&mut self, key: &CommandKey) {
        self.news(key, StreamNews::Opened);
        self.ms += 1_000;
        self.settle();
    }

    fn prints(&mut self, key: &CommandKey, stream: StreamName, data: &str) {
        let data = data.to_owned();
        self.news(
            key,
            StreamNews::Objects(vec![LogObject::Piece { stream, data }]),
        );
    }

    /// The command's own word, then the stream's end.
    fn exits(&mut self, key: &CommandKey, code: i64) {
        let told = Command {
            exit_code: Some(Count(code)),
            ..command(key.command.as_raw(), None)
        };
        let objects = vec![LogObject::Command(Box::new(told))];
        self.news(key, StreamNews::Objects(objects));
        self.news(key, StreamNews::Ended);
    }

    fn state(&self, key: &CommandKey) -> State {
        self.world
            .standing(key, at(self.ms))
            .unwrap()
            .state
            .unwrap()
    }
}

fn key(sandbox: &str, id: &str) -> CommandKey {
    CommandKey {
        session: session(&format!("sbx_{sandbox}")),
        command: crate::model::CommandId::new(id),
    }
}

#[test]
fn logs_of_running_candidates_open_by_themselves_and_no_others() {
    let mut scene = Scene::new(&["a", "b"]);
    scene.commands(
        "a",
        vec![runs("c1", &["claude", "-p", "x"]), runs("c2", &["make"])],
    );
    let ended = Command {
        exit_code: Some(Count(0)),
        ..runs("c4", &["codex", "exec"])
    };
    scene.commands("b", vec![runs("c3", &["codex", "exec"]), ended]);
    let mut opened = scene.opened();
    opened.sort();
    assert_eq!(opened, [key("a", "c1"), key("b", "c3")]);
    assert_eq!(
        scene.plan.budgets(at(scene.ms)).detail.0,
        2,
        "each is a request"
    );
    assert!(scene.opened().is_empty(), "once");
    let unread = scene.world.standing(&key("b", "c4"), at(scene.ms)).unwrap();
    assert_eq!(unread.state, None, "it ended, and nobody read it");
    assert_eq!(scene.world.standing(&key("a", "c2"), at(scene.ms)), None);
    assert_eq!(scene.world.agent_runs.asked().len(), 2);
}

#[test]
fn a_stopped_sandbox_is_left_alone() {
    let mut scene = Scene::new(&["a"]);
    let stopped = crate::logic::testing::sandbox("b", 5, Status::Stopped);
    scene.world.saw(stopped, at(0));
    scene.commands("b", vec![runs("c1", &["claude", "-p", "x"])]);
    assert!(scene.opened().is_empty());
    let asked: Vec<SandboxKey> = scene.world.agent_runs.asked().to_vec();
    assert_eq!(asked, [running("a", 0).key()]);
}

#[test]
fn many_candidates_wait_for_a_place_and_for_the_budget() {
    let mut scene = Scene::new(&["a"]);
    let many = (0..60).map(|n| runs(&format!("c{n:02}"), &["claude", "-p", "x"]));
    scene.commands("a", many.collect());
    let first = scene.opened();
    assert_eq!(first.len(), 16);
    assert!(scene.opened().is_empty());
    for (done, key) in (1..).zip(&first) {
        scene.goes_live(key);
        scene.exits(key, 0);
        let open = scene
            .world
            .tails
            .values()
            .filter(|tail| tail.follow.is_open());
        assert_eq!(open.count(), 16, "after {done}");
    }
    assert_eq!(scene.plan.budgets(at(scene.ms)).detail, (32, 40));
}

#[test]
fn a_plain_agent_stands_by_its_process() {
    let mut scene = Scene::new(&["a"]);
    scene.commands(
        "a",
        vec![
            runs("c1", &["claude", "-p", "x"]),
            runs("c2", &["aider", "x"]),
        ],
    );
    scene.opened();
    let (one, two) = (key("a", "c1"), key("a", "c2"));
    assert_eq!(scene.state(&one), State::Starting);
    scene.goes_live(&one);
    scene.goes_live(&two);
    scene.prints(&one, StreamName::Stdout, "Done, all tests pass.\n");
    scene.exits(&one, 0);
    assert_eq!(scene.state(&one), State::Done);
    assert_eq!(
        scene.world.agent_runs.get(&one).unwrap().run().steps.len(),
        1
    );
    scene.prints(&two, StreamName::Stderr, "no key\n");
    scene.ms += 1_000;
    scene.exits(&two, 1);
    assert_eq!(scene.state(&two), State::Failed("exit 1: no key".into()));
    assert!(
        scene
            .world
            .standing(&two, at(scene.ms))
            .unwrap()
            .since
            .is_some()
    );
}

#[test]
fn silence_is_a_hint_beside_the_state() {
    let mut scene = Scene::new(&["a"]);
    scene.commands("a", vec![runs("c1", &["claude", "-p", "x"])]);
    scene.opened();
    let one = key("a", "c1");
    scene.goes_live(&one);
    scene.prints(&one, StreamName::Stderr, "starting\n");
    assert_eq!(
        scene.world.standing(&one, at(scene.ms)).unwrap().silent,
        None
    );
    scene.ms += 300_000;
    let standing = scene.world.standing(&one, at(scene.ms)).unwrap();
    assert_eq!(standing.silent, Some(crate::model::Span::minutes(5)));
    assert_eq!(standing.state, Some(State::Starting));
}

#[test]
fn a_plain_log_of_no_agent_is_not_kept_twice() {
    let mut scene = Scene::new(&["a"]);
    scene.commands("a", vec![runs("c1", &["make"])]);
    let one = key("a", "c1");
    scene.settle();
    tail::settle(&mut scene.world, [&one], at(scene.ms));
    let stream = scene.world.tails[&one].follow.stream.clone();
    let print = |scene: &mut Scene, news| {
        tail::news(
            &mut scene.world,
            &mut scene.calls,
            &stream,
            news,
            at(scene.ms),
        );
    };
    print(&mut scene, StreamNews::Opened);
    for _ in 0..100 {
        let data = "cc -c part.c\n".to_owned();
        let stream = StreamName::Stdout;
        print(
            &mut scene,
            StreamNews::Objects(vec![LogObject::Piece { stream, data }]),
        );
    }
    let run = scene.world.agent_runs.get(&one).unwrap();
    assert_eq!(run.run().format, Some(Format::Plain));
    assert!(run.run().steps.is_empty() && !run.is_agent());
    let World {
        agent_runs, tails, ..
    } = &mut scene.world;
    agent_runs.read_as(&one, Format::Plain, &tails[&one]);
    let run = agent_runs.get(&one).unwrap();
    assert_eq!(run.run().steps.len(), 100, "somebody wants it as one");
    assert_eq!(run.run().steps[99].lines, 99..=99);
}

#[test]
fn steps_name_the_lines_of_the_log() {
    let mut scene = Scene::new(&["a"]);
    scene.commands("a", vec![runs("c1", &["claude", "-p", "x"])]);
    scene.opened();
    let one = key("a", "c1");
    scene.goes_live(&one);
    for (stream, data) in [
        (StreamName::Stdout, "one\ntw"),
        (StreamName::Stderr, "a complaint\n"),
        (StreamName::Stdout, "o\nthree\n"),
    ] {
        scene.prints(&one, stream, data);
    }
    let run = scene.world.agent_runs.get(&one).unwrap().run();
    let steps = run.steps.iter();
    let steps: Vec<(&str, u64)> = steps
        .map(|step| (step.short.as_raw(), *step.lines.start()))
        .collect();
    assert_eq!(steps, [("one", 0), ("two", 1), ("three", 3)]);
    assert_eq!(
        scene.world.tails[&one].follow.last_piece,
        Some(Mono(scene.ms))
    );
}
