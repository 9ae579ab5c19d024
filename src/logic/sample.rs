//! The sample sandboxes of the local engine: a web server that is really requested, and a build that fails.

use super::{Call, Calls, Effect, Now, Purpose, Reply, World, explain};
use crate::model::request::{CreateSandbox, RunCommand};
use crate::model::{Clean, Failure, Foreign, SandboxName, Span, Tags};
use crate::text;

const SERVE: &str = include_str!("../../assets/sample/serve.sh");
const VISIT: &str = include_str!("../../assets/sample/visit.sh");
const BUILD: &str = include_str!("../../assets/sample/build.sh");
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
    Serve,
    Visit,
    Build,
}

impl Step {
    const ALL: [Self; 5] = [
        Self::CreateWeb,
        Self::CreateBuild,
        Self::Serve,
        Self::Visit,
        Self::Build,
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
    /// Creates both sandboxes; what runs in them is started when they are there.
    pub fn start(&mut self, calls: &mut Calls, world: &mut World, now: Now) -> Vec<Effect> {
        if self.open > 0 {
            return Vec::new();
        }
        let chance = u16::try_from(now.wall.0.rem_euclid(i64::from(PORTS))).unwrap_or(0);
        self.port = FIRST_PORT + chance;
        self.open = 2;
        let web = create(free_name(world, "sample-web"), vec![self.port]);
        let build = create(free_name(world, "sample-build"), Vec::new());
        vec![
            calls.send(
                Call::CreateSandbox(Box::new(web)),
                Step::CreateWeb.purpose(),
                world,
                now,
            ),
            calls.send(
                Call::CreateSandbox(Box::new(build)),
                Step::CreateBuild.purpose(),
                world,
                now,
            ),
        ]
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
        let runs: &[(Step, &str)] = match Step::ALL.get(step) {
            Some(Step::CreateWeb) => &[(Step::Serve, SERVE), (Step::Visit, VISIT)],
            Some(Step::CreateBuild) => &[(Step::Build, BUILD)],
            _ => &[],
        };
        self.open += runs.len();
        let effects = runs
            .iter()
            .map(|(step, script)| {
                let run = Call::RunCommand(session.clone(), Box::new(shell(script, self.port)));
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

fn shell(script: &str, port: u16) -> RunCommand {
    let args = ["-c", script, "sample", &port.to_string()].map(str::to_owned);
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
