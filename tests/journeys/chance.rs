//! Keys, refreshes, late and failed answers by chance: nothing is ever changed but what a dialog named.
//!
//! `SANDTOP_JOURNEY_STEPS` sets the number of steps; the default keeps an unoptimized build quick. All hundred
//! thousand: `SANDTOP_JOURNEY_STEPS=100000 cargo test --release --test journeys chance`.

use super::scene::{EPOCH, Scene, Service, key, options};
use super::twenty;
use sandtop::app::Options;
use sandtop::logic::settings::Config;
use sandtop::logic::{Call, Event};
use sandtop::model::{SandboxKey, SandboxName, SessionId, Status};
use serde_json::json;
use std::collections::{HashMap, HashSet};

const STEPS: usize = 2_000;
const KEYS: &str = "j j k G g space space v a i x x delete delete t t e w u y y enter tab right left esc n o O / 0 1 \
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

/// A sandbox as a dialog named it: this one, in this session.
type Named = (Kind, SandboxKey, Option<SessionId>);

/// Changes sent, by the call's title.
type Counts = HashMap<&'static str, usize>;

/// The question on screen: its words, and whom it names.
struct Question {
    words: String,
    named: HashSet<Named>,
}

#[test]
fn only_what_a_dialog_named_is_ever_changed() {
    let steps = std::env::var("SANDTOP_JOURNEY_STEPS").ok();
    let steps = steps.map_or(STEPS, |steps| steps.parse().unwrap());
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let mut random = fastrand::Rng::with_seed(11);
    let options = Options {
        config: Config::default(),
        ..options(100, 70)
    };
    let mut scene = Scene::new(options, commanded());
    let (mut question, mut confirmed, mut seen) = (None, HashSet::new(), 0);
    let mut sent = Counts::new();
    for step in 0..steps {
        if random.u8(..) < 25 {
            shuffle(&mut scene, &mut random, step);
        }
        let before: Option<Question> = question.take();
        let name = match &before {
            Some(asked) if random.u8(..) < 90 => answer(&mut scene, asked, &mut random),
            None if random.u8(..) < 12 => signal(&mut scene, &mut random),
            _ => {
                let name = keys[random.usize(..keys.len())];
                scene.send(Event::Key(key(name)));
                name
            }
        };
        question = see(&scene, before.is_some() || opens(name));
        if let Some(asked) = before
            && question.is_none()
            && (name == "y" || name == "enter" && !asked.words.contains("[▸Cancel"))
        {
            confirmed.extend(asked.named);
        }
        seen = check_from(&scene, seen, &confirmed, step, &mut sent);
        pass(&mut scene, &mut random);
        seen = check_from(&scene, seen, &confirmed, step, &mut sent);
        if question.is_some() {
            question = see(&scene, true);
        }
    }
    for title in [
        "stop session",
        "delete sandbox",
        "extend session",
        "resume sandbox",
        "kill command",
    ] {
        let count = sent.get(title).copied().unwrap_or(0);
        assert!(count > 0, "the journey must {title}: {sent:?}");
    }
}

fn commanded() -> Service {
    let mut service = twenty();
    for n in 0..20 {
        let name = format!("box-{n:02}");
        service.runs(&name, &format!("cmd_{n}"), "sleep 1000", None);
    }
    service
}

fn opens(name: &str) -> bool {
    matches!(name, "x" | "delete" | "t" | "e" | "E" | "w" | "1")
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

/// Answers as somebody would who means it, or nearly so. Gives the last key.
fn answer(scene: &mut Scene, asked: &Question, random: &mut fastrand::Rng) -> &'static str {
    if let Some(rest) = asked.words.split("type ").nth(1)
        && let Some((word, _)) = rest.split_once(" to delete:")
        && random.u8(..) < 200
    {
        scene.type_text(word);
    }
    scene.press("tab");
    if random.bool() {
        scene.press("enter");
        // The focus was not on Cancel: the words are of before.
        return if asked.words.contains("[▸Cancel") {
            "y"
        } else {
            "enter"
        };
    }
    "tab"
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
    confirmed: &HashSet<Named>,
    step: usize,
    sent: &mut Counts,
) -> usize {
    for call in &scene.calls[seen..] {
        check(scene, call, confirmed, step);
        if !call.is_read() {
            *sent.entry(call.title()).or_insert(0) += 1;
        }
    }
    scene.calls.len()
}

/// Every change must have been named by a dialog that was answered with yes, and still be about the same one.
fn check(scene: &Scene, call: &Call, confirmed: &HashSet<Named>, step: usize) {
    let of_session = |kind, session: &SessionId| {
        confirmed
            .iter()
            .any(|(of, _, named)| *of == kind && named.as_ref() == Some(session))
    };
    let of_name = |kind, name: &SandboxName| {
        let known = scene.state.world.named(name).map(|(key, _)| key);
        confirmed.iter().any(|(of, named, _)| {
            *of == kind && Some(named) == known.or(Some(named)) && named.name == *name
        })
    };
    let named = match call {
        Call::Stop(session) => of_session(Kind::Stop, session),
        Call::Extend(session, _) => of_session(Kind::Extend, session),
        Call::Kill(command, _) => of_session(Kind::Kill, &command.session),
        Call::DeleteSandbox { name, .. } => of_name(Kind::Delete, name),
        Call::Resume(name) => of_name(Kind::Resume, name),
        // By its form, which asked first.
        Call::CreateSandbox(_) => true,
        call => call.is_read(),
    };
    assert!(named, "step {step}: {call:?} was never named");
}

/// The question on screen, if there is one on top.
fn see(scene: &Scene, maybe: bool) -> Option<Question> {
    if !maybe {
        return None;
    }
    let screen = scene.screen();
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let (title, kind) = QUESTIONS.iter().find(|(title, _)| screen.contains(title))?;
    let (column, row) = scene.find(title)?;
    let (left, top) = (usize::from(column) - 1, usize::from(row));
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
    let named = named
        .map(|(key, fact)| (*kind, key.clone(), fact.sandbox.current_session_id.clone()))
        .collect();
    Some(Question { words, named })
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
            service.runs(&step.to_string(), "cmd_again", "sleep 1000", None);
        }
        2 => {
            let session = SessionId::new(format!("sbx_s{step}"));
            service.get(&name).current_session_id = Some(session);
            service.set_status(&name, Status::Running, scene.now);
            service.runs(&format!("s{step}"), "cmd_next", "sleep 1000", None);
        }
        3 | 4 => {
            let name = format!("new-{step}");
            service.add(&name, json!({}));
            service.runs(&name, &format!("cmd_n{step}"), "sleep 1000", None);
        }
        _ => service.sandboxes.swap(0, at),
    }
    while scene.service.sandboxes.len() > 25 {
        scene.service.sandboxes.pop();
    }
}
