//! The one way by which anything changes: an event in, effects out.

use super::dialogs::News;
use super::layout::Areas;
use super::message::{Message, Tone};
use super::summary::Summary;
use super::{Given, Options, State, answers, dialogs, keys, mouse, settings, shell};
use crate::logic::settings::{Chosen, Settings};
use crate::logic::{
    Calls, Deadlines, Effect, Event, Keymap, Launches, Now, Operations, Pane, Plan, Sample, Tab,
    View, World, agents, merged, tail,
};
use crate::model::{Clean, SandboxKey};
use crate::panes::{self, Ctx, activity, agent, detail, list, logs, runs};
use crate::ui::Theme;
use jiff::tz::TimeZone;
use ratatui::layout::{Position, Rect, Size};
use std::collections::{BTreeSet, VecDeque};

/// The state before the first event, and what is to be done first.
pub fn start(options: Options, now: Now) -> (State, Vec<Effect>) {
    let given = given(&options);
    let mut state = State {
        now,
        world: World {
            backend: options.backend,
            ..World::default()
        },
        view: View::default(),
        pane: Pane::default(),
        tab: Tab::default(),
        zoom: false,
        list: list::State::with(&options.remembered.filter, options.remembered.order),
        logs: logs::State::default(),
        agent: agent::State::default(),
        detail: detail::State::default(),
        runs: runs::State::default(),
        activity: activity::State::default(),
        shell: panes::shell::State::default(),
        shelling: shell::Shelling::default(),
        size: options.size,
        calls: Calls::default(),
        plan: Plan::default(),
        operations: Operations::default(),
        launches: Launches::default(),
        deadlines: Deadlines::default(),
        agent_logs: Vec::new(),
        results: VecDeque::new(),
        sample: Sample::default(),
        picked: options.remembered.picked,
        dialogs: Vec::new(),
        message: None,
        areas: Areas::default(),
        summary: Summary::default(),
        tidied: None,
        left_pane: Pane::default(),
        theme: Theme::choose(options.looks),
        settings: Settings::default(),
        zone: TimeZone::UTC,
        given,
        keymap: Keymap::default(),
        prefix: None,
        read_only: options.read_only,
        focused: true,
        mouse: options.config.settings.mouse,
        list_share: Chosen::or(options.remembered.share, options.config.settings.list_share),
        drags: false,
        unchanged: false,
    };
    state.open_view(options.remembered.view);
    state.logs.look(options.remembered.looks);
    let wrap = Chosen::or(options.remembered.wrap, options.config.settings.wrap);
    state.logs.wrap(wrap);
    settings::begin(&mut state, options.config, options.remembered.columns);
    let mut effects = vec![Effect::MouseCapture(state.mouse)];
    if options.sample {
        effects.extend(keys::act(&mut state, crate::logic::Action::Sample));
    }
    effects.extend(settle(&mut state));
    (state, effects)
}

fn given(options: &Options) -> Given {
    Given {
        looks: options.looks,
        zone: options.zone.clone(),
        read_only: options.read_only,
        light: None,
    }
}

pub fn update(state: &mut State, now: Now, event: Event) -> Vec<Effect> {
    state.now = now;
    state.unchanged = false;
    let said = state.message.is_some();
    let mut effects = match event {
        Event::Key(key) => keys::pressed(state, key),
        Event::Mouse(mouse) => mouse::moved(state, mouse),
        Event::Answer(answer) => answers::take(state, &answer),
        Event::Stream { stream, news } => {
            tail::news(&mut state.world, &mut state.calls, &stream, news, now)
        }
        Event::Spill(store, news) => {
            answers::spilled(state, store, news);
            Vec::new()
        }
        Event::Shell(id, news) => shell::news(state, id, &news),
        Event::Paste(text) if let Some(id) = state.shell_with_keys() => {
            shell::pasted(state, id, &text)
        }
        Event::Settings(config) => settings::reread(state, *config),
        Event::Resumed => vec![Effect::MouseCapture(state.mouse), Effect::Redraw],
        other => {
            happened(state, other);
            Vec::new()
        }
    };
    let more = settle(state);
    // Where ages do not count by themselves, or requests are told one by one, every answer is news.
    let ticks = state.focused && state.view == View::Dashboard;
    let is_call = |effect: &Effect| matches!(effect, Effect::Call { .. });
    state.unchanged &= ticks && said == state.message.is_some() && more.iter().all(is_call);
    effects.extend(more);
    effects
}

/// Events that only change the state.
fn happened(state: &mut State, event: Event) {
    match event {
        Event::Paste(text) if state.dialogs.is_empty() && state.is_typing() => {
            keys::pasted(state, &text);
        }
        Event::Due => state.logs.search_on(&state.world),
        Event::Paste(text) => dialogs::paste(state, &text),
        Event::Resize { columns, rows } => state.size = Size::new(columns, rows),
        Event::Focus(focused) => {
            let returned = focused && !state.focused;
            state.focused = focused;
            if returned && state.world.link.is_live() {
                state.plan.refresh(&mut state.world, state.now);
            }
        }
        Event::Background { light } => {
            state.given.light = Some(light);
            settings::choose_theme(state);
        }
        Event::Connected(backend) => state.world.backend = *backend,
        Event::Told(told) => answers::told(state, told),
        Event::EngineEnded(words) => answers::engine_ended(state, &words),
        _ => {}
    }
}

/// After every event: rows and their order, the layout, what is open, and what is due.
fn settle(state: &mut State) -> Vec<Effect> {
    let now = state.now;
    state.message.take_if(|message| message.until <= now.mono);
    state.open_results();
    state.list.follow(&state.world, now);
    state.tidy();
    shell::hold(state);
    state.hold_pane();
    place(state);
    let mut effects = shell::settle(state);
    effects.extend(state.warn());
    merged::settle(&mut state.world);
    follow(state);
    agents::settle(&mut state.world, now);
    effects.extend(state.tell_of_runs());
    state.agent_logs = agents::wanted(&mut state.world, &mut state.plan, now);
    let open = state.open_logs();
    effects.extend(tail::settle(&mut state.world, &open, now));
    let shown = state.logs.on_screen(&state.world);
    effects.extend(tail::keep(&mut state.world, &shown, state.logs.needed()));
    let gaze = state.gaze();
    let State {
        plan,
        operations,
        world,
        calls,
        ..
    } = state;
    effects.extend(operations.tick(calls, world, now).effects);
    effects.extend(plan.tick(world, calls, &gaze, now));
    effects
}

fn place(state: &mut State) {
    let areas = Areas::of(state);
    state.areas = areas;
    state.list.place(areas.list);
    state.logs.place(areas.stage);
    state.agent.place(areas.stage);
    state.detail.place(areas.stage);
    state.runs.place(areas.runs);
    state.activity.place(areas.activity);
    state.shell.place(areas.stage);
    let held = state.operations.all_held(state.now);
    state
        .list
        .hold(held.map(|(key, when)| (key.clone(), when)).collect());
    state.list.follow(&state.world, state.now);
}

/// Panes and dialogs see what is new.
fn follow(state: &mut State) {
    state.summary.follow(&state.world);
    let selected = state.list.selected().cloned();
    let ctx = Ctx {
        theme: &state.theme,
        keymap: &state.keymap,
        zone: &state.zone,
        local: &state.given.zone,
        now: state.now,
        pane: state.pane,
        subject: selected.as_ref(),
    };
    match state.view {
        View::Dashboard => {
            logs::settle(&mut state.logs, &state.world, &ctx);
            if state.tab == Tab::Agent {
                let chosen = state.logs.chosen();
                agent::settle(&mut state.agent, &state.world, chosen, &ctx);
            }
            detail::settle(&mut state.detail, &state.world, state.tab, &ctx);
        }
        View::Runs => runs::settle(&mut state.runs, &state.world, &ctx),
        View::Activity => activity::settle(&mut state.activity, &state.world, &ctx),
    }
    let screen = Rect::from((Position::ORIGIN, state.size));
    let news = News {
        world: &state.world,
        operations: &state.operations,
        now: state.now,
        screen,
    };
    for dialog in &mut state.dialogs {
        dialog.follow(&news);
    }
}

impl State {
    /// Lets go of deleted sandboxes that neither the selection nor a dialog holds on to.
    fn tidy(&mut self) {
        let seen = Some((
            self.world.revision,
            self.list.selected().cloned(),
            self.dialogs.len(),
        ));
        if self.tidied == seen {
            return;
        }
        let subjects = self.dialogs.iter().flat_map(|dialog| dialog.subjects());
        let mut needed: BTreeSet<SandboxKey> = subjects.collect();
        needed.extend(self.list.selected().cloned());
        self.world.forget_gone(|key| needed.contains(key));
        self.list.follow(&self.world, self.now);
        self.tidied = Some((
            self.world.revision,
            self.list.selected().cloned(),
            self.dialogs.len(),
        ));
    }

    /// Keys are text now.
    pub(super) fn is_typing(&self) -> bool {
        let typing = match self.pane {
            Pane::List => self.list.is_typing(),
            Pane::Lines => self.logs.is_typing(),
            Pane::Agent => self.agent.is_typing(),
            Pane::Runs => self.runs.is_typing(),
            Pane::Stage | Pane::Shell | Pane::Activity => false,
        };
        self.view != View::Activity && typing
    }

    pub(super) fn say(&mut self, sentence: impl Into<Clean>, tone: Tone) {
        self.message = Some(Message::new(sentence, tone, self.now));
    }
}
