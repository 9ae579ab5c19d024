//! The dashboard's life: terminal, first frame, connection, loop, and the way back.

use super::args::Arguments;
use super::backend::{Wanted, choose};
use super::clock::{self, Clock};
use super::complaint::Complaint;
use super::connection::Connector;
use super::effects::Executor;
use super::event_loop::{Loop, Parts};
use super::memory::Memory;
use super::out::Outlets;
use super::settings::SettingsFiles;
use super::terminal::Terminal;
use super::{End, FAILED, UNUSABLE, fail, journal, panics, places, signals};
use crate::app;
use crate::ui::Looks;
use ratatui::layout::Size;
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

/// Answers and pieces of output that wait for the loop; who has more waits with it.
const NEWS: usize = 64;

const LEFT: &str = "The local engine goes on serving: `sandtop` shows it, and it ends by itself after a while with nothing to do.";

pub fn run(arguments: &Arguments) -> ExitCode {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let sentence = "The dashboard needs a terminal for input and output. `sandtop ls` prints the list without one.";
        return fail(UNUSABLE, &Complaint::new(sentence));
    }
    let wanted = match choose(&arguments.connection, arguments.demo) {
        Ok(wanted) => wanted,
        Err(complaint) => return fail(UNUSABLE, &complaint),
    };
    let data_dir = places::data_dir(arguments.connection.data_dir.clone()).ok();
    let _journal = data_dir.as_deref().and_then(journal::start);
    let memory = Memory::of(data_dir);
    // The loop and the keys have threads of their own: one more is enough for the network, and wakes fewer.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            return fail(
                FAILED,
                &Complaint::new(&format!("The system refuses threads: {error}.")),
            );
        }
    };
    let entered = runtime.enter();
    let ended = live(arguments, wanted, &memory);
    drop(entered);
    // Whatever still runs (a reader of a terminal that is gone, a request) ends with the process.
    runtime.shutdown_background();
    match ended {
        Ok(End::Unusable(complaint)) => fail(UNUSABLE, &complaint),
        Ok(end) => end.code(),
        Err(error) => fail(
            FAILED,
            &Complaint::new(&format!("The terminal cannot be used: {error}.")),
        ),
    }
}

fn live(arguments: &Arguments, wanted: Wanted, memory: &Memory) -> io::Result<End> {
    let clock = Clock::start();
    let terminal = Arc::new(Terminal::default());
    let (to_control, control) = mpsc::unbounded_channel();
    let (to_news, news) = mpsc::channel(NEWS);
    panics::restore_first(Arc::clone(&terminal), to_control.clone());
    signals::watch(&to_control, &terminal)?;

    let given = arguments.settings.config_dir.clone();
    let mut settings = SettingsFiles::of(places::config_dir(given));
    let (columns, rows) = Terminal::size();
    let options = app::Options {
        read_only: arguments.read_only,
        sample: arguments.demo,
        looks: Looks::of(|name| std::env::var(name).ok()),
        zone: clock::zone(),
        config: settings.read(),
        remembered: memory.remembered(),
        backend: wanted.backend(),
        size: Size::new(columns, rows),
    };
    let idle_after = options.config.settings.idle_after;
    let (connector, link) = Connector::new(wanted, idle_after, to_news.clone(), to_control.clone());
    let outlets = Outlets::new(
        Arc::clone(&terminal),
        to_news.clone(),
        to_control.clone(),
        places::private_dirs(),
    );
    let executor = Executor::new(link, to_news, places::private_dirs(), outlets);
    let (end_with, ending) = oneshot::channel();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        terminal.enter()?;
        let parts = Parts {
            clock,
            terminal: Arc::clone(&terminal),
            executor,
            settings,
            news,
            control,
            to_control,
        };
        // The way is made while the first frame is drawn; nothing is asked for before that.
        let connecting = tokio::spawn(connector.run(ending));
        let mut event_loop = Loop::start(parts, options)?;
        #[cfg(debug_assertions)]
        panics::on_purpose("main");
        let end = event_loop.run();
        memory.keep(&event_loop.remembered());
        Ok::<_, io::Error>((end, connecting))
    }));
    terminal.leave();
    let (end, connecting) = match ended {
        Ok(ended) => ended?,
        // Its report is on the screen already. An engine of ours ends when this process does.
        Err(_) => return Ok(End::Panicked),
    };
    if end.may_wait() {
        let _ = end_with.send(end.fate());
        if let Ok(true) = Handle::current().block_on(connecting) {
            let _ = writeln!(io::stderr(), "{LEFT}");
        }
    }
    Ok(end)
}
