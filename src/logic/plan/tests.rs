//! The polling plan against a scripted service on a virtual clock.

use super::{Gaze, Plan};
use crate::logic::testing::{answer, at, detail, refusal, running, sandbox, status};
use crate::logic::{Call, Calls, Effect, Mono, Now, Purpose, Reply, Settled, World};
use crate::model::request::{ListSandboxes, ListStatus, SortBy};
use crate::model::{Failure, Foreign, Page, RetryAfter, Sandbox, Span, Status, Timestamp};

/// Answers like the service does, at once, and writes down what was asked.
struct Service {
    sandboxes: Vec<Sandbox>,
    /// Instead of an answer, for every call.
    fault: Option<Failure>,
    /// What the list says comes next, instead of the truth.
    next: Option<&'static str>,
    asked: Vec<(Mono, Call)>,
}

impl Service {
    fn answer(&self, call: &Call) -> Result<Reply, Failure> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        match call {
            Call::ListSandboxes(query) => Ok(Reply::Sandboxes(self.page(query))),
            Call::GetSandbox(name) => {
                let found = self.sandboxes.iter().find(|sandbox| sandbox.name == *name);
                found
                    .map(|sandbox| Reply::Sandbox(detail(sandbox)))
                    .ok_or_else(|| status(404))
            }
            Call::ListCommands(_) => Ok(Reply::Commands(Page {
                entries: vec![],
                skipped: 0,
                next: None,
            })),
            Call::ListSessions(_) => Ok(Reply::Sessions(Page {
                entries: vec![],
                skipped: 0,
                next: None,
            })),
            other => panic!("the plan never sends {other:?}"),
        }
    }

    fn page(&self, query: &ListSandboxes) -> Page<Sandbox> {
        let from: usize = query
            .cursor
            .as_ref()
            .map_or(0, |cursor| cursor.as_raw().parse().unwrap_or(0));
        let limit = usize::from(query.limit.unwrap_or(20));
        let mut rows: Vec<&Sandbox> = self.sandboxes.iter().collect();
        if query.status == Some(ListStatus::Running) {
            rows.retain(|row| row.is_running());
        }
        match query.sort_by {
            Some(SortBy::StatusUpdatedAt) => {
                rows.sort_by_key(|row| std::cmp::Reverse(row.status_updated_at));
            }
            _ => rows.sort_by_key(|row| std::cmp::Reverse(row.created_at)),
        }
        let entries: Vec<Sandbox> = rows
            .iter()
            .skip(from)
            .take(limit)
            .map(|row| (*row).clone())
            .collect();
        let more = rows.len() > from + limit;
        let next = self
            .next
            .map(Foreign::from)
            .or_else(|| more.then(|| Foreign::from((from + limit).to_string())));
        Page {
            entries,
            skipped: 0,
            next,
        }
    }
}

struct Scene {
    service: Service,
    world: World,
    calls: Calls,
    plan: Plan,
    gaze: Gaze,
    now: Now,
}

fn scene(sandboxes: Vec<Sandbox>) -> Scene {
    let gaze = Gaze {
        focused: true,
        ..Gaze::default()
    };
    let service = Service {
        sandboxes,
        fault: None,
        next: None,
        asked: Vec::new(),
    };
    let (world, calls, plan) = (World::default(), Calls::default(), Plan::default());
    Scene {
        service,
        world,
        calls,
        plan,
        gaze,
        now: at(0),
    }
}

impl Scene {
    /// Lets time pass, from one due moment to the next, until `ms` after the start.
    fn run_until(&mut self, ms: u64) {
        let mut turns = 0;
        loop {
            let effects = self
                .plan
                .tick(&mut self.world, &mut self.calls, &self.gaze, self.now);
            let sent = !effects.is_empty();
            for effect in effects {
                self.deliver(&effect);
            }
            let due = self
                .plan
                .next_due(&self.world, &self.calls, &self.gaze, self.now);
            turns = if sent || due.is_none_or(|due| due > self.now.mono) {
                0
            } else {
                turns + 1
            };
            assert!(turns < 3, "busy loop at {:?}: due {due:?}", self.now);
            match due {
                Some(due) if due.0 <= ms => self.now = at(due.0.max(self.now.mono.0)),
                _ => break,
            }
        }
        self.now = at(ms);
    }

    fn deliver(&mut self, effect: &Effect) {
        let Effect::Call { call, .. } = effect else {
            panic!("{effect:?}")
        };
        assert!(call.is_read(), "looking is free: {call:?}");
        self.service.asked.push((self.now.mono, call.clone()));
        let result = self.service.answer(call);
        let settled = answer(
            effect,
            result.clone(),
            &mut self.calls,
            &mut self.world,
            self.now,
        );
        if let Settled::For(purpose) = settled {
            self.plan
                .answered(&purpose, &result, &mut self.world, &self.gaze, self.now);
        }
    }

    fn lists(&self) -> impl Iterator<Item = (Mono, &ListSandboxes)> {
        self.service
            .asked
            .iter()
            .filter_map(|(at, call)| match call {
                Call::ListSandboxes(query) => Some((*at, query)),
                _ => None,
            })
    }

    fn reads_of(&self, name: &str) -> usize {
        let wanted = |call: &Call| matches!(call, Call::GetSandbox(of) if of.as_raw() == name);
        self.service
            .asked
            .iter()
            .filter(|(_, call)| wanted(call))
            .count()
    }

    fn living(&self) -> usize {
        self.world
            .sandboxes
            .values()
            .filter(|fact| !fact.gone)
            .count()
    }
}

/// The most of `moments` in any span of `ms`.
fn densest(moments: impl Iterator<Item = Mono>, ms: u64) -> usize {
    let moments: Vec<u64> = moments.map(|at| at.0).collect();
    let within = |from: u64| {
        moments
            .iter()
            .filter(|at| (from..from + ms).contains(at))
            .count()
    };
    moments.iter().map(|from| within(*from)).max().unwrap_or(0)
}

fn many(count: i64) -> Vec<Sandbox> {
    let status = |n| {
        if n % 40 == 0 {
            Status::Running
        } else {
            Status::Stopped
        }
    };
    (0..count)
        .map(|n| sandbox(&format!("box-{n:05}"), n, status(n)))
        .collect()
}

#[test]
fn the_running_ones_come_first_and_ten_thousand_within_a_minute() {
    let mut scene = scene(many(10_000));
    scene.run_until(0);
    let (_, first) = scene.lists().next().unwrap();
    assert_eq!(first.status, Some(ListStatus::Running));
    assert!(
        scene
            .world
            .sandboxes
            .values()
            .all(|fact| fact.sandbox.is_running())
    );
    scene.run_until(60_000);
    assert_eq!(scene.living(), 10_000);
    assert!(scene.world.swept.is_some());
    assert!(
        densest(scene.lists().map(|(at, _)| at), 1_000) <= 4,
        "four requests a second at most"
    );
}

#[test]
fn a_refresh_costs_what_changed_and_stays_in_its_budget() {
    let mut scene = scene(many(1_000));
    scene.run_until(60_000);
    scene.service.asked.clear();
    let mut changed = scene.service.sandboxes[7].clone();
    changed.status = Some(Status::Failed);
    changed.status_updated_at = Some(Timestamp(at(60_000).wall.0));
    changed.updated_at = changed.status_updated_at;
    scene.service.sandboxes[7] = changed.clone();
    scene.run_until(75_000);
    assert_eq!(
        scene.world.fact(&changed.key()).unwrap().sandbox.status,
        Some(Status::Failed)
    );
    assert!(
        scene
            .lists()
            .all(|(_, query)| query.sort_by == Some(SortBy::StatusUpdatedAt))
    );
    assert!(scene.lists().count() <= 5, "{}", scene.lists().count());
    scene.run_until(1_200_000);
    assert!(densest(scene.lists().map(|(at, _)| at), 60_000) <= 20);
}

#[test]
fn a_deletion_is_found_by_the_slow_sweep() {
    let mut scene = scene(many(120));
    scene.run_until(30_000);
    let lost = scene.service.sandboxes.remove(3).key();
    scene.run_until(6 * 60_000);
    assert!(scene.world.fact(&lost).unwrap().gone);
    assert_eq!(scene.living(), 119);
}

#[test]
fn a_cursor_that_repeats_or_is_empty_ends_the_sweep_and_proves_no_absence() {
    for next in ["same", ""] {
        let mut scene = scene(many(3));
        scene.run_until(1_000);
        let known = scene.living();
        scene.service.next = Some(next);
        scene.service.sandboxes.remove(0);
        scene.run_until(10 * 60_000);
        assert_eq!(scene.living(), known, "{next:?}");
        assert!(densest(scene.lists().map(|(at, _)| at), 60_000) <= 21 + 4);
        let notes = scene.world.activity.entries().iter();
        assert!(
            notes
                .clone()
                .any(|entry| entry.what.as_str().contains("does not end")),
            "{next:?}"
        );
    }
}

#[test]
fn the_selected_row_and_its_commands_are_read_first_and_again() {
    let mut scene = scene(vec![running("a", 0), running("b", 1)]);
    scene.run_until(1_000);
    scene.gaze.selected = Some(running("a", 0).key());
    scene.gaze.commands = true;
    scene.service.asked.clear();
    scene.run_until(1_000);
    assert!(matches!(scene.service.asked[0].1, Call::GetSandbox(_)));
    assert!(matches!(scene.service.asked[1].1, Call::ListCommands(_)));
    scene.run_until(61_000);
    assert_eq!(scene.reads_of("a"), 7, "every ten seconds");
    assert_eq!(scene.reads_of("b"), 0, "not on screen");
    let commands = scene
        .service
        .asked
        .iter()
        .filter(|(_, call)| matches!(call, Call::ListCommands(_)));
    assert_eq!(commands.count(), 13, "every five seconds");
}

#[test]
fn rows_on_screen_are_read_in_turn_within_the_budget() {
    let rows: Vec<Sandbox> = (0..200).map(|n| running(&format!("r{n:03}"), n)).collect();
    let mut scene = scene(rows.clone());
    scene.gaze.visible = rows.iter().map(Sandbox::key).collect();
    scene.run_until(6 * 60_000);
    let reads = |scene: &Scene| -> Vec<Mono> {
        let asked = scene.service.asked.iter();
        asked
            .filter(|(_, call)| matches!(call, Call::GetSandbox(_)))
            .map(|(at, _)| *at)
            .collect()
    };
    assert!(densest(reads(&scene).into_iter(), 60_000) <= 40);
    assert!(
        rows.iter()
            .all(|row| scene.reads_of(row.name.as_raw()) >= 1),
        "each had its turn"
    );
}

/// A person who walks through the list is not stuck behind what the polling of the rows on screen spent.
#[test]
fn what_is_selected_is_read_at_once_however_much_the_polling_spent() {
    let rows: Vec<Sandbox> = (0..60).map(|n| running(&format!("r{n:03}"), n)).collect();
    let mut scene = scene(rows.clone());
    scene.gaze.visible = rows.iter().map(Sandbox::key).collect();
    scene.gaze.commands = true;
    scene.run_until(50_000);
    let budgets = scene.plan.budgets(scene.now);
    assert_eq!(budgets.detail, (40, 40), "the polling spent all");
    for row in &rows[..30] {
        scene.gaze.selected = Some(row.key());
        scene.run_until(scene.now.mono.0 + 100);
        let session = row.current_session_id.as_ref().unwrap();
        assert!(scene.world.commands.contains_key(session), "{row:?}");
    }
    let asked = scene.service.asked.iter().map(|(at, _)| *at);
    assert!(densest(asked, 60_000) <= 40 + 20 + 4 + 120);
    for row in rows.iter().cycle().take(600) {
        scene.gaze.selected = Some(row.key());
        scene.plan.refresh(&mut scene.world, scene.now);
        scene.run_until(scene.now.mono.0 + 100);
    }
    let asked = scene.service.asked.iter().map(|(at, _)| *at);
    assert!(
        densest(asked, 60_000) <= 40 + 20 + 4 + 120,
        "whatever a person does"
    );
}

#[test]
fn a_session_that_is_over_is_asked_once_for_its_commands() {
    let mut scene = scene(vec![sandbox("a", 0, Status::Stopped)]);
    scene.gaze.selected = Some(sandbox("a", 0, Status::Stopped).key());
    scene.gaze.commands = true;
    scene.run_until(120_000);
    let asked = |scene: &Scene| {
        scene
            .service
            .asked
            .iter()
            .filter(|(_, call)| matches!(call, Call::ListCommands(_)))
            .count()
    };
    assert_eq!(asked(&scene), 1);
    scene.plan.refresh(&mut scene.world, scene.now);
    scene.run_until(121_000);
    assert_eq!(asked(&scene), 2, "the refresh key reads it again");
}

#[test]
fn a_session_that_still_starts_is_not_asked_for_commands() {
    let mut scene = scene(vec![sandbox("a", 0, Status::Pending)]);
    scene.gaze.selected = Some(sandbox("a", 0, Status::Pending).key());
    scene.gaze.commands = true;
    scene.run_until(30_000);
    let asked = scene
        .service
        .asked
        .iter()
        .filter(|(_, call)| matches!(call, Call::ListCommands(_)));
    assert_eq!(asked.count(), 0);
}

#[test]
fn nothing_goes_out_while_the_service_asks_to_wait() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.gaze.selected = Some(running("a", 0).key());
    scene.service.fault = Some(refusal(429, None, Some(RetryAfter::Wait(60_000))));
    scene.run_until(0);
    scene.service.asked.clear();
    scene.run_until(59_999);
    assert_eq!(scene.service.asked, []);
    scene.service.fault = None;
    scene.run_until(61_000);
    assert!(scene.world.link.is_live());
    assert_eq!(scene.living(), 1);
}

#[test]
fn the_refresh_key_cuts_a_wait_short() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.service.fault = Some(refusal(503, None, Some(RetryAfter::Wait(60_000))));
    scene.run_until(0);
    scene.service.fault = None;
    scene.run_until(1_000);
    scene.plan.refresh(&mut scene.world, scene.now);
    scene.run_until(1_500);
    assert_eq!(scene.living(), 1);
}

#[test]
fn no_fault_is_hammered() {
    for code in [400, 401, 403, 404, 410, 422, 429, 500, 501, 503] {
        let mut scene = scene(vec![running("a", 0)]);
        scene.world.saw(running("a", 0), at(0));
        scene.gaze.selected = Some(running("a", 0).key());
        scene.gaze.commands = true;
        scene.gaze.sessions = true;
        scene.service.fault = Some(status(code));
        scene.run_until(5 * 60_000);
        let asked = scene.service.asked.iter().map(|(at, _)| *at);
        assert!(
            densest(asked, 60_000) <= 60,
            "{code}: {}",
            scene.service.asked.len()
        );
    }
}

#[test]
fn a_list_that_is_refused_is_told_and_tried_again() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.service.fault = Some(status(404));
    scene.run_until(1_000);
    assert!(
        scene
            .world
            .list_trouble
            .as_ref()
            .unwrap()
            .as_str()
            .contains("404")
    );
    scene.service.fault = None;
    scene.run_until(30_000);
    assert_eq!(scene.world.list_trouble, None);
    assert_eq!(scene.living(), 1);
}

#[test]
fn a_row_that_is_read_and_not_there_is_gone_at_once() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.run_until(1_000);
    scene.service.sandboxes.clear();
    scene.gaze.selected = Some(running("a", 0).key());
    scene.run_until(1_000);
    assert!(scene.world.fact(&running("a", 0).key()).unwrap().gone);
}

#[test]
fn unfocused_the_plan_slows_down_and_sleeps_between() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.gaze.selected = Some(running("a", 0).key());
    scene.run_until(10_000);
    scene.gaze.focused = false;
    scene.run_until(40_000);
    scene.service.asked.clear();
    scene.run_until(340_000);
    assert!(
        scene.service.asked.len() <= 16 + 2,
        "{}",
        scene.service.asked.len()
    );
}

#[test]
fn a_quiet_list_is_asked_less_often_until_something_happens() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.run_until(1_000);
    assert_eq!(scene.plan.beat(&scene.gaze), Span::seconds(5));
    scene.run_until(3 * 60_000);
    assert_eq!(scene.plan.beat(&scene.gaze), Span::seconds(10));
    scene.service.sandboxes.push(running("b", 170_000));
    scene.run_until(3 * 60_000 + 15_000);
    assert_eq!(scene.living(), 2);
    assert_eq!(scene.plan.beat(&scene.gaze), Span::seconds(5));
}

#[test]
fn after_a_sleep_everything_is_read_again() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.gaze.selected = Some(running("a", 0).key());
    scene.run_until(26_000);
    scene.service.asked.clear();
    let slept = Now {
        mono: scene.now.mono,
        wall: scene.now.wall + Span::minutes(60),
    };
    let effects = scene
        .plan
        .tick(&mut scene.world, &mut scene.calls, &scene.gaze, slept);
    assert_eq!(scene.world.jumps, 1);
    assert!(effects.len() >= 2, "list and row: {effects:?}");
}

#[test]
fn budgets_are_told() {
    let mut scene = scene(vec![running("a", 0)]);
    scene.gaze.selected = Some(running("a", 0).key());
    scene.run_until(30_000);
    let budgets = scene.plan.budgets(scene.now);
    assert_eq!(budgets.list.1, 20);
    assert!(budgets.list.0 > 0 && budgets.detail.0 > 0, "{budgets:?}");
}

#[test]
fn an_answer_of_an_earlier_sweep_is_dropped() {
    let mut scene = scene(vec![]);
    scene.run_until(1_000);
    let page = Page {
        entries: vec![running("ghost", 0)],
        skipped: 0,
        next: None,
    };
    let reply = Ok(Reply::Sandboxes(page));
    scene.plan.answered(
        &Purpose::Page(0),
        &reply,
        &mut scene.world,
        &scene.gaze,
        scene.now,
    );
    assert_eq!(scene.living(), 0);
}
