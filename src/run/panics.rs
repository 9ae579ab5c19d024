//! A panic anywhere gives the terminal back before its report is printed, and ends the program in order.

use super::Control;
use super::terminal::Terminal;
use crate::term;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// Goes before the report hook that is installed already. A panic on any thread reaches this; one that the terminal
/// emulator catches is nobody's concern.
pub fn restore_first(terminal: Arc<Terminal>, control: UnboundedSender<Control>) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if term::is_expected_panic() {
            return;
        }
        terminal.leave();
        report(panic);
        let _ = control.send(Control::Panicked);
    }));
}

/// `SANDTOP_TEST_PANIC` names the place that shall panic: for the tests of the way out. Debug builds only.
#[cfg(debug_assertions)]
#[allow(clippy::panic)]
pub fn on_purpose(place: &str) {
    if std::env::var("SANDTOP_TEST_PANIC").is_ok_and(|wanted| wanted == place) {
        panic!("SANDTOP_TEST_PANIC asked for a panic in {place}");
    }
}
