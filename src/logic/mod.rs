//! Level 4, pure: what is known, what may be done, what to fetch next. Time comes in with events; what should
//! happen goes out as effects.

mod action;
mod activity;
pub mod agents;
mod budget;
mod calls;
mod clock;
mod column;
mod deadlines;
pub mod draft;
mod effect;
mod event;
pub mod explain;
mod export;
mod filter;
mod keymap;
mod launch;
mod link;
mod log_looks;
pub mod merged;
pub mod notices;
mod operation;
mod order;
mod pick;
mod place;
mod plan;
mod rank;
pub mod retry;
mod sample;
pub mod settings;
mod shell;
pub mod tail;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod words;
mod world;

pub use action::{ACTIONS, Action, ActionRow, Class, Valid};
pub use activity::{Activity, ActivityEntry, Outcome};
pub use agents::{AgentRun, AgentRuns, Standing};
pub use budget::Budget;
pub use calls::{Calls, Purpose, Settled};
pub use clock::{Aged, Jumps, Mono, Now};
pub use column::Column;
pub use deadlines::Deadlines;
pub use effect::{Call, Effect, EngineFate};
pub use event::{Answer, Event, Reply, StreamId, StreamNews, Tag, Timed, Told};
pub use export::{Amount, CopyWay, Excerpt, Export, Held, Outlet, Strand};
pub use filter::Filter;
pub use keymap::{Chord, Key, Keymap, NoKey, applies};
pub use launch::{Launch, Launches, Site};
pub use link::Link;
pub use log_looks::{LineTimes, LogLooks};
pub use merged::{Merged, Scope};
pub use operation::{
    Deed, Loss, Operation, Operations, Step, Target, TargetState, command_line, line_of,
};
pub use order::{Order, is_known, rows};
pub use pick::Pick;
pub use place::{Pane, Tab, View};
pub use plan::{Budgets, Gaze, Plan};
pub use rank::Ranking;
pub use sample::Sample;
pub use shell::{
    Copying, EXTENDS_BY, KeepAlive, Shell, ShellId, ShellNews, ShellOptions, ShellOrder,
    ShellStart, ShellState, Shells, Typed,
};
pub use tail::{Follow, Heard, LogLimits, Outlook, StoreId, Tail, TailState};
pub use world::{Backend, Detail, Listing, Requested, SandboxFact, World};
