//! By which ways text may get into a clipboard here, the best first.

use super::child;

/// Terminals drop longer sequences, or show them: xterm's limit, in bytes before the encoding.
pub const MOST_BY_TERMINAL: u64 = 74_994;
/// Clipboards hold everything in memory.
pub const MOST_BY_PROGRAM: u64 = 64 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// OSC 52; wrapped, so that tmux passes it on unread.
    Terminal {
        wrapped: bool,
    },
    Program(&'static [&'static str]),
    Tmux,
    File,
}

/// What tmux does with sequences of programs in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tmux {
    /// It takes OSC 52 for its own buffer and the terminal around it.
    pub takes: bool,
    pub passes_on: bool,
}

impl Tmux {
    pub fn asked() -> Self {
        let takes = child::answer(&["tmux", "show-options", "-sv", "set-clipboard"]);
        let passes = child::answer(&["tmux", "show-options", "-Apv", "allow-passthrough"]);
        Self {
            takes: takes.is_some_and(|said| said == "on"),
            passes_on: passes.is_some_and(|said| matches!(said.as_str(), "on" | "all")),
        }
    }
}

/// `variable`: of the environment. `tmux` is asked only where this runs in one.
pub fn ways(
    bytes: u64,
    variable: impl Fn(&str) -> Option<String>,
    tmux: impl FnOnce() -> Tmux,
) -> Vec<Way> {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let mut ways = Vec::new();
    let in_tmux = is_set("TMUX");
    if bytes <= MOST_BY_TERMINAL {
        let term = variable("TERM").unwrap_or_default();
        // GNU screen keeps such sequences, and the console shows them.
        let deaf = is_set("STY") && !in_tmux || matches!(term.as_str(), "linux" | "dumb" | "");
        let rules = if in_tmux { Some(tmux()) } else { None };
        match rules {
            Some(Tmux { takes: true, .. }) => ways.push(Way::Terminal { wrapped: false }),
            Some(Tmux {
                passes_on: true, ..
            }) => ways.push(Way::Terminal { wrapped: true }),
            None if !deaf => ways.push(Way::Terminal { wrapped: false }),
            _ => {}
        }
    }
    if bytes <= MOST_BY_PROGRAM {
        if is_set("WAYLAND_DISPLAY") {
            ways.push(Way::Program(&["wl-copy"]));
        }
        if is_set("DISPLAY") {
            ways.push(Way::Program(&["xclip", "-selection", "clipboard"]));
            ways.push(Way::Program(&["xsel", "--clipboard", "--input"]));
        }
        ways.push(Way::Program(&["pbcopy"]));
        if in_tmux {
            ways.push(Way::Tmux);
        }
    }
    ways.push(Way::File);
    ways
}
