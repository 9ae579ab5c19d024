//! What the border tells: which shells there are, how this one stands, how long its session lives, what leaves it.

use super::copy::Copy;
use crate::logic::{Action, Copying, Now, Pane, Shell, ShellState, World};
use crate::model::{Clean, Status};
use crate::panes::Ctx;
use crate::text::{Side, clean_str, cut, figures, say};
use crate::ui::{Piece, Role, label, span};

/// Columns of a shell's name beside others.
const NAME: usize = 24;

/// `1 vim · 2* · 3!`: the shells of this one's sandbox, this one emphasised.
pub(super) fn names(shell: &Shell, world: &World) -> Vec<Piece> {
    let mut pieces = vec![label("Shell ", Role::Heading)];
    for (at, other) in world.shells.of(&shell.site.key).enumerate() {
        if at > 0 {
            pieces.push(label(" · ", Role::Dim));
        }
        let role = match other.id == shell.id {
            true => Role::Title,
            false => Role::Dim,
        };
        pieces.push(span(&cut(&other.called(), NAME, Side::End), role));
        pieces.extend(marks(other));
    }
    pieces
}

/// What happened in it while nobody looked.
fn marks(shell: &Shell) -> Option<Piece> {
    match (shell.bell, shell.activity) {
        (true, _) => Some(label("!", Role::Warn)),
        (false, true) => Some(label("*", Role::Info)),
        _ if shell.state.is_over() => Some(label("-", Role::Dim)),
        _ => None,
    }
}

/// How it stands, in words with an age.
pub fn stands(shell: &Shell, now: Now) -> (Clean, Role) {
    let age = figures::ago(Some(now.mono.since(shell.since)));
    match &shell.state {
        ShellState::Wanted | ShellState::Asking => ("asking".into(), Role::Info),
        ShellState::Checking => ("waiting for its health".into(), Role::Info),
        ShellState::Connecting => ("connecting".into(), Role::Info),
        ShellState::Open => (say(format_args!("open {age}")), Role::Good),
        ShellState::Exited(Some(0)) => (say(format_args!("exited 0, {age} ago")), Role::Dim),
        ShellState::Exited(Some(code)) => {
            (say(format_args!("exited {code}, {age} ago")), Role::Bad)
        }
        ShellState::Exited(None) => (
            say(format_args!("ended without an exit code, {age} ago")),
            Role::Warn,
        ),
        ShellState::Lost { .. } => (say(format_args!("lost {age} ago")), Role::Bad),
        ShellState::Refused { .. } => ("not opened".into(), Role::Bad),
    }
}

/// State, recording, time left.
pub(super) fn state(
    shell: &Shell,
    copy: Option<&Copy>,
    world: &World,
    ctx: &Ctx<'_>,
) -> Vec<Piece> {
    let (words, role) = stands(shell, ctx.now);
    let mut parts: Vec<Piece> = copy.map(Copy::stands).into_iter().collect();
    parts.push(span(&words, role));
    match shell.emulator.scrolled() {
        0 => {}
        _ if copy.is_some() => {}
        lines => parts.push(span(&say(format_args!("{lines} lines up")), Role::Warn)),
    }
    if shell.recording.is_some() {
        parts.push(label("recording", Role::Bad));
    }
    if shell.keep_alive.on {
        parts.push(label("kept alive", Role::Billable));
    }
    if shell.state.is_open() {
        parts.extend(left(shell, world, ctx));
    }
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(label(" · ", Role::Dim));
        }
        pieces.push(part);
    }
    pieces
}

fn left(shell: &Shell, world: &World, ctx: &Ctx<'_>) -> Option<Piece> {
    let fact = world.fact(&shell.site.key)?;
    let left = fact.left(world.service_now(ctx.now))?;
    let role = match left.0 {
        ..120_000 => Role::Bad,
        120_000..600_000 => Role::Warn,
        _ => Role::Text,
    };
    Some(span(
        &say(format_args!("{} left", figures::left(Some(left)))),
        role,
    ))
}

/// Below: why it is over and what to do, else how the keys go to it and back.
pub(super) fn hint(shell: &Shell, world: &World, ctx: &Ctx<'_>) -> Vec<Piece> {
    let escape = key(ctx, Action::ShellEscape);
    let typing = ctx.has_keys(Pane::Shell);
    if let (Copying::Asked(text), false) = (&shell.copying, shell.state.is_over()) {
        let answer = key(ctx, Action::ShellAnswer);
        let size = text.as_raw().len();
        return vec![
            span(&say(format_args!(" {escape} {answer} ")), Role::Key),
            label("answers: ", Role::Dim),
            span(
                &say(format_args!(
                    "a program wants {size} bytes in your clipboard "
                )),
                Role::Warn,
            ),
        ];
    }
    if !shell.state.is_over() {
        return match typing {
            true => vec![
                span(&say(format_args!(" {escape} ")), Role::Key),
                label("leaves it, and more ", Role::Dim),
            ],
            false => vec![
                span(
                    &say(format_args!(" {} ", key(ctx, Action::Open))),
                    Role::Key,
                ),
                label("types in it ", Role::Dim),
            ],
        };
    }
    let again = key(ctx, Action::ShellReconnect);
    let mut words = Vec::new();
    if let Some(ended) = ended(shell, world) {
        words.push(ended);
    }
    match &shell.state {
        ShellState::Lost { why, unsent: 0 } => words.push(say(format_args!("lost: {why}"))),
        ShellState::Lost { why, unsent } => words.push(say(format_args!(
            "lost: {why}; the last {unsent} bytes typed may not have arrived"
        ))),
        ShellState::Refused { why, .. } => words.push(why.clone()),
        _ => {}
    }
    let words: Vec<&str> = words.iter().map(Clean::as_str).collect();
    vec![
        span(&say(format_args!(" {escape} {again} ")), Role::Key),
        label("opens it again ", Role::ButtonFocus),
        span(
            &say(format_args!(" {} ", words.join("; "))),
            Role::ButtonFocus,
        ),
    ]
}

/// What became of its session, if that is over.
fn ended(shell: &Shell, world: &World) -> Option<Clean> {
    let fact = world.fact(&shell.site.key).filter(|fact| !fact.gone);
    let Some(fact) = fact else {
        return Some("its sandbox is deleted".into());
    };
    if fact.sandbox.current_session_id.as_ref() != Some(&shell.site.session) {
        return Some("its session is over".into());
    }
    match fact.sandbox.status.as_ref()? {
        Status::Running | Status::Pending => None,
        status => Some(say(format_args!(
            "its session is {}",
            clean_str(status.word())
        ))),
    }
}

fn key(ctx: &Ctx<'_>, action: Action) -> Clean {
    let key = ctx.keymap.keys_of(action).next();
    key.map_or(Clean::default(), |key| say(format_args!("{}", key.label())))
}
