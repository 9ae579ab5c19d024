//! The sample sandboxes of the local engine: a web server that is really requested, a build that fails, and the
//! recordings of coding agents' runs: one that is done after all, one that fails, one that is killed.

use super::{Call, Calls, Effect, Now, Purpose, Reply, World, explain};
use crate::model::request::{CreateSandbox, RunCommand};
use crate::model::{Clean, Failure, Foreign, SandboxName, Span, Tags};
use crate::text;

const SERVE: &str = include_str!("../../assets/sample/serve.sh");
const VISIT: &str = include_str!("../../assets/sample/visit.sh");
const BUILD: &str = include_str!("../../assets/sample/build.sh");
const AGENT: &str = include_str!("../../assets/sample/agent.sh");
const RECORDING: &str = include_str!("../../assets/sample/agent.jsonl");
const FAILING: &str = include_str!("../../assets/sample/fails.jsonl");
const CUT: &str = include_str!("../../assets/sample/cut.jsonl");
/// How the agents are called, for who reads the list of commands.
const FIX: &str = "claude -p 'Find out why the monthly total is one cent short, and fix it' --output-format stream-json";
const SPEED: &str = "codex exec --json 'Make the slowest test fast'";
const LOAD: &str =
    "claude -p 'Why does the import need so much memory?' --output-format stream-json";
/// How long they live.
const TIMEOUT: Span = Span::minutes(30);
/// Ports tried for the web server: the engine's sandboxes share this machine's network.
const FIRST_PORT: u16 = 20_000;
const PORTS: u16 = 10_000;

/// What one answer is about; also the number in [`Purpose::Sample`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    CreateWeb,
    CreateBuild,
    CreateAgent,
    Serve,
    Visit,
    Build,
    Agent,
    FailingAgent,
    CutAgent,
}

impl Step {
    const ALL: [Self; 9] = [
        Self::CreateWeb,
        Self::CreateBuild,
        Self::CreateAgent,
        Self::Serve,
        Self::Visit,
        Self::Build,
        Self::Agent,
        Self::FailingAgent,
        Self::CutAgent,
    ];

    fn purpose(self) -> Purpose {
        Purpose::Sample(self as usize)
    }
}

/// The making of the samples.
#[derive(Debug, Default)]
pub struct Sample {
    port: u16,
    /// Answers still to come.
    open: usize,
}

impl Sample {
    /// Creates the sandboxes; what runs in them is started when they are there.
    pub fn start(&mut self, calls: &mut Calls, world: &mut World, now: Now) -> Vec<Effect> {
        if self.open > 0 {
            return Vec::new();
        }
        let chance = u16::try_from(now.wall.0.rem_euclid(i64::from(PORTS))).unwrap_or(0);
        self.port = FIRST_PORT + chance;
        let wanted = [
            (Step::CreateWeb, "sample-web", vec![self.port]),
            (Step::CreateBuild, "sample-build", Vec::new()),
            (Step::CreateAgent, "sample-agent", Vec::new()),
        ];
        self.open = wanted.len();
        wanted
            .into_iter()
            .map(|(step, name, ports)| {
                let wanted = create(free_name(world, name), ports);
                let call = Call::CreateSandbox(Box::new(wanted));
                calls.send(call, step.purpose(), world, now)
            })
            .collect()
    }

    /// An answer to a step; what comes next, and what to tell when it failed.
    pub fn answered(
        &mut self,
        step: usize,
        result: Result<&Reply, &Failure>,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> (Vec<Effect>, Option<Clean>) {
        self.open = self.open.saturating_sub(1);
        let answer = match result {
            Ok(Reply::Sandbox(answer)) => answer,
            Ok(Reply::Command(command)) => {
                world.began(command.clone());
                return (Vec::new(), None);
            }
            Ok(_) => return (Vec::new(), None),
            Err(failure) => {
                let why = explain::in_full(failure);
                return (
                    Vec::new(),
                    Some(text::say(format_args!("sample sandboxes: {why}"))),
                );
            }
        };
        world.saw_detail(answer.clone(), now);
        let session = answer.session.as_ref().map(|session| session.id.clone());
        let Some(session) = session.or_else(|| answer.sandbox.current_session_id.clone()) else {
            return (
                Vec::new(),
                Some(Clean::from("sample sandboxes: the answer names no session")),
            );
        };
        let port = self.port.to_string();
        let runs = match Step::ALL.get(step) {
            Some(Step::CreateWeb) => vec![
                (Step::Serve, SERVE.to_owned(), &*port),
                (Step::Visit, VISIT.to_owned(), &*port),
            ],
            Some(Step::CreateBuild) => vec![(Step::Build, BUILD.to_owned(), "")],
            Some(Step::CreateAgent) => vec![
                (Step::CutAgent, played(LOAD), CUT),
                (Step::FailingAgent, played(SPEED), FAILING),
                (Step::Agent, played(FIX), RECORDING),
            ],
            _ => Vec::new(),
        };
        self.open += runs.len();
        let effects = runs
            .iter()
            .map(|(step, script, argument)| {
                let run = Call::RunCommand(session.clone(), Box::new(shell(script, argument)));
                calls.send(run, step.purpose(), world, now)
            })
            .collect();
        (effects, None)
    }
}

fn create(name: SandboxName, ports: Vec<u16>) -> CreateSandbox {
    let tags = Tags::from([(Foreign::from("sample"), Foreign::from("yes"))]);
    CreateSandbox {
        name: Some(name),
        ports,
        timeout: Some(TIMEOUT.0),
        tags: Some(tags),
        ..Default::default()
    }
}

/// The agent's name is that of a player of its recording.
fn played(call: &str) -> String {
    format!("{AGENT}{call}")
}

/// The script finds the argument as `$1`.
fn shell(script: &str, argument: &str) -> RunCommand {
    let args = ["-c", script, "sample", argument].map(str::to_owned);
    RunCommand {
        command: "sh".to_owned(),
        args: args.to_vec(),
        ..Default::default()
    }
}

/// `base`, or the first of `base-2`, `base-3`… that nobody has.
fn free_name(world: &World, base: &str) -> SandboxName {
    let names = (1..).map(|number| match number {
        1 => base.to_owned(),
        _ => format!("{base}-{number}"),
    });
    let mut free = names
        .map(SandboxName::new)
        .filter(|name| world.named(name).is_none());
    free.next().unwrap_or_else(|| SandboxName::new(base))
}

#[cfg(test)]
mod tests {
    use super::{CUT, FAILING, FIX, LOAD, RECORDING, SPEED, played};
    use crate::agents::{Outside, Piece, Process, Reader, Stream, state};
    use crate::logic::agents::call_of;
    use crate::logic::testing::command;
    use serde_json::Value;

    /// One argument of a program has to hold it: the system takes 128 KiB.
    #[test]
    fn the_recording_is_a_whole_run() {
        assert!(RECORDING.len() < 64 * 1024);
        let lines: Vec<Value> = RECORDING
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.replace("@in 15@", "1").replace("@in 18000@", "2"))
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect();
        assert_eq!(lines.first().unwrap()["subtype"], "init");
        assert_eq!(lines.last().unwrap()["type"], "result");
        let of_blocks = |kind: &str, id: &str| -> Vec<&Value> {
            let blocks = lines
                .iter()
                .filter_map(|line| line["message"]["content"].as_array());
            let blocks = blocks.flatten().filter(|block| block["type"] == kind);
            blocks.map(|block| &block[id]).collect()
        };
        let (calls, results) = (
            of_blocks("tool_use", "id"),
            of_blocks("tool_result", "tool_use_id"),
        );
        assert!(calls.len() > 8);
        assert_eq!(calls, results, "every call of a tool has its result");
    }

    /// The states that a recording's process goes through, without repeats; then it ends so.
    fn states(recording: &str, exit: i64) -> Vec<&'static str> {
        let mut reader = Reader::new();
        let mut words = Vec::new();
        let mut look = |reader: &Reader, process| {
            let named = true;
            words.push(state(reader.run(), &Outside { process, named }).word());
        };
        for line in recording.lines().filter(|line| !line.starts_with('#')) {
            let line = line.replace("@in 15@", "1").replace("@in 18000@", "2");
            for bytes in [line.as_bytes(), b"\n"] {
                reader.feed(Piece {
                    stream: Stream::Stdout,
                    line: 0,
                    arrived: None,
                    bytes,
                });
            }
            look(&reader, Process::Running);
        }
        reader.end();
        look(&reader, Process::Exited(exit));
        words.dedup();
        words
    }

    #[test]
    fn the_recordings_go_through_every_state() {
        let (starting, running) = ("starting", "running");
        let whole = states(RECORDING, 0);
        let course = [
            starting,
            running,
            "rate-limited",
            running,
            "waiting",
            running,
            "done",
        ];
        assert_eq!(whole, course);
        assert_eq!(states(FAILING, 1).last(), Some(&"failed"));
        assert_eq!(states(CUT, 137).last(), Some(&"ended-without-result"));
    }

    #[test]
    fn the_players_are_seen_as_the_agents_they_play() {
        for (line, agent) in [
            (FIX, "claude-code"),
            (SPEED, "codex"),
            (LOAD, "claude-code"),
        ] {
            let mut command = command("c", None);
            command.args = vec!["-c".into(), played(line).into(), "sample".into()];
            let call = call_of(&command).unwrap();
            assert_eq!((call.agent, call.line.as_raw()), (agent, line));
        }
    }
}
