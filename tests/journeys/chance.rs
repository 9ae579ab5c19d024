//! Keys, refreshes, late and failed answers by chance: nothing is ever changed but what a dialog named.
//!
//! `SANDTOP_JOURNEY_STEPS` sets the number of steps (the default keeps an unoptimized build quick), and
//! `SANDTOP_JOURNEY_SEED` another way. All hundred thousand:
//! `SANDTOP_JOURNEY_STEPS=100000 cargo test --release --test journeys chance`.

use super::scene::{EPOCH, Scene, Service, key, options};
use super::twenty;
use sandtop::app::Options;
use sandtop::logic::settings::Config;
use sandtop::logic::{Call, Event, Mono};
use sandtop::model::{SandboxKey, SandboxName, SessionId, Span, Status};
use serde_json::json;
use std::collections::{HashMap, HashSet};

const STEPS: usize = 2_000;
/// By so many everything has happened that can happen.
const LONG: usize = 20_000;
const KEYS: &str = "j j k G g space space v a i x x delete delete t t e w u u u y y enter tab right left esc n o O / 0 1 \
                    backspace up down pgdn 6 1 z ] [ r ? q R E";
/// Titles of the questions, and what a yes to each does.
const QUESTIONS: [(&str, Kind); 7] = [
    ("▸Stop a sandbox ", Kind::Stop),
    ("▸Stop sandboxes ", Kind::Stop),
    ("▸Delete a sandbox ", Kind::Delete),
    ("▸Delete sandboxes ", Kind::Delete),
    ("▸Extend ", Kind::Extend),
    ("▸Resume ", Kind::Resume),
    ("▸Send a signal ", Kind::Kill),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Stop,
    Delete,
    Extend,
    Resume,
    Kill,
}

/// The question on screen: its words, and whom it names, each in its session.
struct Question {
    kind: Kind,
    words: String,
    named: HashMap<SandboxKey, Option<SessionId>>,
    /// When it was answered with yes, so long this can be taken back.
    held_until: Mono,
}

/// What came of the journey.
#[derive(Debug, Default)]
struct Counts {
    /// Changes sent, by the call's title.
    sent: HashMap<&'static str, usize>,
    /// Yeses about several at once.
    many: HashMap<Kind, usize>,
    taken_back: usize,
}

fn number(variable: &str, otherwise: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(otherwise, |number| number.parse().unwrap())
}

#[test]
fn only_what_a_dialog_named_is_ever_changed() {
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let seed = number("SANDTOP_JOURNEY_SEED", 11);
    let mut random = fastrand::Rng::with_seed(u64::try_from(seed).unwrap());
    let options = Options {
        config: Config::default(),
        ..options(100, 70)
    };
    let undo = options.config.settings.undo;
    let mut scene = Scene::new(options, commanded());
    let (mut question, mut confirmed, mut seen) = (None, Vec::<Question>::new(), 0);
    let mut counts = Counts::default();
    let steps = number("SANDTOP_JOURNEY_STEPS", STEPS);
    for step in 0..steps {
        if random.u8(..) < 25 {
            shuffle(&mut scene, &mut random, step);
        }
        let before: Option<Question> = question.take();
        let noted = scene.state.world.activity.entries().back().unwrap().number;
        let name = match &before {
            Some(asked) if random.u8(..) < 150 => answer(&mut scene, asked, &mut random),
            None if random.u8(..) < 16 => signal(&mut scene, &mut random),
            None if random.u8(..) < 12 => many(&mut scene, &mut random),
            _ => {
                let name = keys[random.usize(..keys.len())];
                scene.send(Event::Key(key(name)));
                name
            }
        };
        question = see(&scene, before.is_some() || opens(name), before.as_ref());
        if let Some(asked) = before
            && question.is_none()
            && (name == "y" || name == "enter" && !asked.words.contains("[▸Cancel"))
        {
            let many = usize::from(asked.named.len() > 1);
            *counts.many.entry(asked.kind).or_insert(0) += many;
            confirmed.push(asked.confirmed(&scene, undo));
        } else if name == "u" && took_back(&scene, noted) {
            counts.taken_back += take_back(&mut confirmed, &scene);
        }
        seen = check_from(&scene, seen, &confirmed, step, &mut counts);
        pass(&mut scene, &mut random);
        seen = check_from(&scene, seen, &confirmed, step, &mut counts);
        if let Some(open) = question {
            question = see(&scene, true, Some(&open));
        }
    }
    assert!(!counts.sent.is_empty(), "{counts:?}");
    if steps >= LONG {
        counts.check();
    }
}

impl Counts {
    /// A long journey leads everywhere.
    fn check(&self) {
        for title in [
            "stop session",
            "delete sandbox",
            "extend session",
            "resume sandbox",
            "kill command",
        ] {
            let count = self.sent.get(title).copied().unwrap_or(0);
            assert!(count > 0, "the journey must {title}: {self:?}");
        }
        for kind in [Kind::Stop, Kind::Delete] {
            let count = self.many.get(&kind).copied().unwrap_or(0);
            assert!(count > 0, "the journey must {kind:?} many: {self:?}");
        }
        assert!(self.taken_back > 0, "{self:?}");
    }
}

/// Whether it was noted since that something was taken back.
fn took_back(scene: &Scene, since: u64) -> bool {
    let entries = scene.state.world.activity.entries().iter().rev();
    let mut news = entries.take_while(|entry| entry.number > since);
    news.any(|entry| entry.what.as_str().starts_with("taken back: "))
}

/// The last yes that nothing was sent of is as if it had not been given.
fn take_back(confirmed: &mut Vec<Question>, scene: &Scene) -> usize {
    let held = |question: &Question| question.held_until > scene.now.mono;
    let last = confirmed.iter().rposition(held);
    last.map(|at| confirmed.remove(at)).into_iter().count()
}

/// Each sandbox with a command whose line is its own.
fn commanded() -> Service {
    let mut service = twenty();
    for n in 0..20 {
        runs(&mut service, &format!("box-{n:02}"), &format!("cmd-{n}"));
    }
    service
}

fn runs(service: &mut Service, name: &str, id: &str) {
    service.runs(name, id, &format!("sleep {id}"), None);
}

fn opens(name: &str) -> bool {
    matches!(name, "x" | "delete" | "t" | "e" | "E" | "w")
}

/// Goes to some sandbox, waits for its commands, and asks for a signal to one.
fn signal(scene: &mut Scene, random: &mut fastrand::Rng) -> &'static str {
    scene.press("esc esc esc esc 1 g");
    for _ in 0..random.usize(..12) {
        scene.press("j");
    }
    scene.answer().wait(2_000).press("t");
    "t"
}

/// Marks some or all, and asks for something to be done to them.
fn many(scene: &mut Scene, random: &mut fastrand::Rng) -> &'static str {
    let marks = ["g space space j space", "a", "a", "g j v G k v"];
    scene.press("esc esc esc esc 1");
    scene.press(marks[random.usize(..marks.len())]);
    let name = ["x", "delete", "e", "w", "w"][random.usize(..5)];
    scene.press(name);
    name
}

/// Answers as somebody would who means it, or nearly so. Gives the last key.
fn answer(scene: &mut Scene, asked: &Question, random: &mut fastrand::Rng) -> &'static str {
    if let Some(rest) = asked.words.split("type ").nth(1)
        && let Some((word, _)) = rest.split_once(" to delete:")
        && random.u8(..) < 200
    {
        scene.type_text(word);
    }
    if scene.press("tab").shows("[▸Cancel") || random.bool() {
        return "tab";
    }
    scene.press("enter");
    "y"
}

/// Time, and answers: all, some of them late, some failed.
fn pass(scene: &mut Scene, random: &mut fastrand::Rng) {
    match random.u8(..) {
        0..100 => {
            scene.answer();
        }
        100..180 => {
            scene.answer_by_chance(random);
        }
        180..200 => {
            scene.service.fault = Some(Service::status(500));
            scene.answer_by_chance(random);
            scene.service.fault = None;
        }
        200..225 => {
            scene.wait(random.u64(0..3_000));
        }
        225..235 => {
            scene.wait(random.u64(0..60_000));
        }
        _ => {}
    }
}

/// Checks the calls since `seen`; gives how many there are by now.
fn check_from(
    scene: &Scene,
    seen: usize,
    confirmed: &[Question],
    step: usize,
    counts: &mut Counts,
) -> usize {
    for call in scene.calls[seen..].iter().filter(|call| !call.is_read()) {
        // A creation is asked for by its form.
        let named = matches!(call, Call::CreateSandbox(_))
            || confirmed.iter().any(|asked| asked.named(scene, call));
        assert!(named, "step {step}: {call:?} was never named");
        *counts.sent.entry(call.title()).or_insert(0) += 1;
    }
    scene.calls.len()
}

impl Question {
    fn confirmed(self, scene: &Scene, undo: Span) -> Self {
        let held = matches!(self.kind, Kind::Stop | Kind::Delete);
        let held_until = scene.now.mono.after(if held { undo } else { Span(0) });
        Self { held_until, ..self }
    }

    /// Whether a yes to it means this call, and that is still about the same sandbox.
    fn named(&self, scene: &Scene, call: &Call) -> bool {
        let of_session =
            |session: &SessionId| self.named.values().any(|of| of.as_ref() == Some(session));
        let of_name = |name: &SandboxName| {
            let known = scene.state.world.named(name).map(|(key, _)| key);
            let mut named = self.named.keys().filter(|key| key.name == *name);
            named.any(|key| known.is_none_or(|known| known == key))
        };
        match (self.kind, call) {
            (Kind::Stop, Call::Stop(session)) | (Kind::Extend, Call::Extend(session, _)) => {
                of_session(session)
            }
            (Kind::Kill, Call::Kill(command, _)) => {
                let line = format!("sleep {} ", command.command.as_raw());
                of_session(&command.session) && self.words.contains(&line)
            }
            (Kind::Delete, Call::DeleteSandbox { name, orphans }) => {
                of_name(name) && self.words.contains("(x) delete orphan") == *orphans
            }
            (Kind::Resume, Call::Resume(name)) => of_name(name),
            _ => false,
        }
    }
}

/// The question on screen, if there is one on top. Whom it is about was said when it opened: `before`.
fn see(scene: &Scene, maybe: bool, before: Option<&Question>) -> Option<Question> {
    if !maybe {
        return None;
    }
    let screen = scene.screen();
    let (title, kind) = QUESTIONS.iter().find(|(title, _)| screen.contains(title))?;
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let top = screen.lines().position(|line| line.contains(title))?;
    let (border, _) = screen.lines().nth(top)?.split_once(title)?;
    let left = border.chars().count() - 1;
    let right = left + lines[top][left..].iter().position(|c| *c == '┓')?;
    let inside = lines[top + 1..].iter().take_while(|line| line[left] == '┃');
    let words: Vec<String> = inside
        .map(|line| line[left + 1..right].iter().collect())
        .collect();
    let words = words.join("\n");
    let tokens: HashSet<&str> = words
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .collect();
    let world = &scene.state.world;
    let named = world.sandboxes.iter().filter(|(key, fact)| {
        tokens.contains(key.name.as_raw()) && (!fact.gone || world.named(&key.name).is_none())
    });
    let named = named.map(|(key, fact)| (key.clone(), fact.sandbox.current_session_id.clone()));
    Some(Question {
        kind: *kind,
        named: before.map_or_else(|| named.collect(), |before| before.named.clone()),
        words,
        held_until: scene.now.mono,
    })
}

/// The service changes: sandboxes vanish, come back under their name, come first, or run in another session.
fn shuffle(scene: &mut Scene, random: &mut fastrand::Rng, step: usize) {
    let service = &mut scene.service;
    let at = random.usize(..service.sandboxes.len().max(1));
    let Some(name) = service
        .sandboxes
        .get(at)
        .map(|sandbox| sandbox.name.as_raw().to_owned())
    else {
        service.add(&format!("again-{step}"), json!({}));
        return;
    };
    match random.u8(..6) {
        0 => service.remove(&name),
        1 => {
            service.remove(&name);
            let created = EPOCH + i64::try_from(step).unwrap();
            service.add(
                &name,
                json!({"createdAt": created, "currentSessionId": format!("sbx_{step}")}),
            );
            runs(service, &step.to_string(), &format!("cmd-a{step}"));
        }
        2 => {
            let session = SessionId::new(format!("sbx_s{step}"));
            service.get(&name).current_session_id = Some(session);
            service.set_status(&name, Status::Running, scene.now);
            runs(service, &format!("s{step}"), &format!("cmd-s{step}"));
        }
        3 | 4 => {
            let name = format!("new-{step}");
            service.add(&name, json!({}));
            runs(service, &name, &format!("cmd-n{step}"));
        }
        _ => service.sandboxes.swap(0, at),
    }
    while scene.service.sandboxes.len() > 25 {
        scene.service.sandboxes.pop();
    }
}
