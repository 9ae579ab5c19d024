//! What the settings change: at the start, and again whenever their files do.

use super::State;
use super::dialogs::{Dialog, Notice};
use super::message::Tone;
use crate::logic::settings::{Chosen, Complaint, Config, Remembered, ThemeChoice, Times};
use crate::logic::{Column, Effect};
use crate::model::Clean;
use crate::text::say;
use crate::ui::{Depth, Theme};
use jiff::tz::TimeZone;

/// Complaints that a dialog names one by one.
const NAMED: usize = 8;

/// The first time: nothing of it is news, but what is wrong.
pub(super) fn begin(state: &mut State, config: Config, chosen: Option<Chosen<Vec<Column>>>) {
    let columns = Chosen::or(chosen, config.settings.columns.clone());
    state.list.show_columns(&columns);
    apply(state, config);
}

/// What the user changed by keys meanwhile stays, unless the setting itself was changed.
pub(super) fn reread(state: &mut State, config: Config) -> Vec<Effect> {
    let mut effects = Vec::new();
    if config.settings.wrap != state.settings.wrap {
        state.logs.wrap(config.settings.wrap);
    }
    if config.settings.mouse != state.settings.mouse {
        state.mouse = config.settings.mouse;
        effects.push(Effect::MouseCapture(state.mouse));
    }
    if config.settings.list_share != state.settings.list_share {
        state.list_share = config.settings.list_share;
    }
    if config.settings.columns != state.settings.columns {
        state.list.show_columns(&config.settings.columns);
    }
    let sentence = Clean::from("The settings were read again.");
    state.world.activity.note(sentence.clone(), state.now);
    state.say(sentence, Tone::Said);
    apply(state, config);
    effects
}

fn apply(state: &mut State, config: Config) {
    state.settings = config.settings;
    state.world.keeping.limits = state.settings.logs;
    state.world.shells.options = state.settings.shells;
    state.keymap = config.keymap;
    state.prefix = None;
    state.zone = match state.settings.times {
        Times::Utc => TimeZone::UTC,
        Times::Local => state.given.zone.clone(),
    };
    state.read_only = state.given.read_only || state.settings.read_only;
    choose_theme(state);
    complain(state, &config.complaints);
}

pub(super) fn choose_theme(state: &mut State) {
    let given = &state.given;
    let looks = given.looks.chosen(state.settings.theme, given.light);
    state.theme = Theme::choose(looks);
}

/// In the activity view for good, as a message, and in a dialog unless one is open that asks something.
fn complain(state: &mut State, complaints: &[Complaint]) {
    let mut sentences: Vec<Clean> = complaints.iter().map(Complaint::sentence).collect();
    let Some(first) = sentences.first() else {
        return;
    };
    state.say(first.clone(), Tone::Refused);
    let (activity, now) = (&mut state.world.activity, state.now);
    for sentence in &sentences {
        activity.failed(Clean::from("settings"), sentence.clone(), now);
    }
    if sentences.len() > NAMED {
        let more = sentences.len() - NAMED;
        sentences.truncate(NAMED);
        sentences.push(say(format_args!(
            "And {more} more: `sandtop config check` tells all."
        )));
    }
    sentences.push(Clean::from("Everything else in the files applies."));
    if state.dialogs.is_empty() {
        let notice = Notice::new("Settings that do not apply", &sentences);
        state.dialogs.push(Dialog::Notice(notice));
    }
}

impl State {
    /// The theme follows the terminal's background.
    pub fn asks_background(&self) -> bool {
        self.settings.theme == ThemeChoice::Auto && self.given.looks.depth > Depth::None
    }

    /// What the next start should find again.
    pub fn remembered(&self) -> Remembered {
        Remembered {
            view: self.view,
            filter: self.list.typed().to_owned(),
            order: self.list.order(),
            columns: Chosen::new(self.list.columns().to_vec(), self.settings.columns.clone()),
            share: Chosen::new(self.list_share, self.settings.list_share),
            picked: self.picked.clone(),
            wrap: Chosen::new(self.logs.wraps(), self.settings.wrap),
            looks: self.logs.looks(),
        }
    }
}
