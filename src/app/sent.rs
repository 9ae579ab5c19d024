//! What is said of text and lines that left the dashboard: which way they went, and how much it was.

use super::State;
use super::dialogs::{Dialog, OverwriteQuestion};
use super::message::Tone;
use crate::logic::{Amount, CopyWay, Told};
use crate::model::{Bytes, Clean};
use crate::text::{clean, figures, say};

pub(super) fn told(state: &mut State, told: Told) {
    match told {
        Told::Copied(way, amount) => {
            let way = match way {
                CopyWay::Terminal => "through the terminal (OSC 52)".into(),
                CopyWay::Program(name) => say(format_args!("with {name}")),
                CopyWay::Tmux => "into tmux's buffer".into(),
                CopyWay::File(path) => {
                    let path = clean(&path);
                    say(format_args!("into {path}, since no clipboard took it"))
                }
            };
            let much = much(amount);
            state.say(say(format_args!("Copied {much}, {way}.")), Tone::Said);
        }
        Told::Saved(path, amount) => {
            let (much, path) = (much(amount), clean(&path));
            let sentence = say(format_args!("Saved {much}, as {path}."));
            state.world.activity.note(sentence.clone(), state.now);
            state.say(sentence, Tone::Said);
        }
        Told::Exists(export) => {
            let question = OverwriteQuestion::new(export);
            state.dialogs.push(Dialog::Overwrite(question));
        }
        Told::Visited { line, exit, given } => {
            let (line, much) = (clean(&line), much(given));
            let tone = match exit {
                0 => Tone::Said,
                _ => Tone::Refused,
            };
            state.say(
                say(format_args!("{line}: exit {exit}, given {much}.")),
                tone,
            );
        }
        Told::Failed { .. } | Told::Credentials { .. } => {}
    }
}

/// `12 lines, 1.2 KiB`, and how many are not among them.
fn much(amount: Amount) -> Clean {
    let bytes = i64::try_from(amount.bytes).ok().map(Bytes);
    let bytes = figures::bytes(bytes);
    let lines = match amount.lines {
        1 => "1 line".into(),
        lines => say(format_args!("{lines} lines")),
    };
    match amount.missing {
        0 => say(format_args!("{lines}, {bytes}")),
        missing => say(format_args!(
            "{lines}, {bytes}, without {missing} that are not held any more"
        )),
    }
}
