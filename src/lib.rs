//! sandtop: a terminal dashboard for Vercel Sandbox, and the local engine it runs on without an account.
//!
//! # The map
//!
//! A folder imports only folders of lower numbers and itself; folders of one number never import each other;
//! pure folders never import edge folders. Pure code has no async, no clock, no I/O: time comes in with events,
//! and what should happen goes out as effects, which are plain data. `tests/layers.rs` holds all that.
//!
//! | level | folder | kind | what is in it |
//! |---|---|---|---|
//! | 1 | [`model`] | pure | the service's facts and its wire; `Foreign` and `Clean` text |
//! | 2 | [`text`] | pure | cleaning, lines from pieces, ANSI to spans, the log store and its search, wrapping, figures |
//! | 2 | [`term`] | pure | a terminal emulator behind a small face: bytes to cells and replies, keys to bytes |
//! | 3 | [`agents`] | pure | readers of what coding agents print: lines to steps, totals and a state |
//! | 3 | [`api`] | edge | client of the REST API: one function an endpoint, one try a call; credentials, scope, NDJSON |
//! | 3 | [`store`] | edge | SQLite: the engine's records |
//! | 4 | [`logic`] | pure | World, actions, keymap, settings, events and effects, the polling plan, retries, guards |
//! | 4 | [`engine`] | edge | the embedded engine: an HTTP server speaking the same API over real processes |
//! | 5 | [`ui`] | pure | drawing kit: theme, table, dialog, key bar, layout; knows no pane |
//! | 6 | [`panes`] | pure | a folder each: list, detail, logs, activity, help |
//! | 7 | [`app`] | pure | the whole: state, update, layout, view, dialogs, reports |
//! | 8 | [`run`] | edge | event loop, effect executor, streams, terminal guard, engine start, headless |
//!
//! A key travels like this: `run` reads it, `app::update(&mut State, Now, Event) -> Vec<Effect>` decides,
//! `run` carries the effects out and feeds what comes back in as events, `app::view(&State, frame)` draws.

pub mod agents;
pub mod api;
pub mod app;
pub mod engine;
pub mod logic;
pub mod model;
pub mod panes;
pub mod run;
pub mod store;
pub mod term;
pub mod text;
pub mod ui;
