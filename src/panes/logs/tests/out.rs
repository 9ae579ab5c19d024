//! What leaves the pane: which lines, in which form, and where to.

use super::Stage;
use crate::logic::{Action, Effect, Excerpt, Export, Outlet};
use crate::panes::logs::{drag, key as press_key, press, release};
use crate::text::{Form, LogStore};
use crate::ui::testing::dump_styled;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;

/// Its text as it goes out.
pub(super) fn text(excerpt: &Excerpt) -> String {
    let (mut out, mut number) = (String::new(), 0);
    while let Some(at) = excerpt.next(number) {
        number = at + 1;
        if let Some(line) = excerpt.held.log().get(at).line() {
            Form::Plain.put(&line, None, &mut out);
        }
    }
    out
}

pub(super) fn exported(effects: &[Effect]) -> &Export {
    match effects {
        [Effect::Export(export)] => export,
        other => panic!("{other:?}"),
    }
}

impl Stage {
    pub(super) fn copies(&mut self, action: Action) -> String {
        let effects = self.act(action);
        let export = exported(&effects);
        assert_eq!(export.to, Outlet::Clipboard);
        text(&export.excerpt)
    }

    /// What Enter leads to, after that was typed.
    fn enters(&mut self, typed: &str) -> Vec<Effect> {
        self.types(typed);
        let event = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        let (world, ctx) = (&self.scene.world, self.scene.ctx());
        press_key(&mut self.state, world, event, &ctx)
    }

    fn drags(&mut self, rows: &[u16]) {
        let x = self.state.area.width - 3;
        for (at, y) in rows.iter().enumerate() {
            let position = Position::new(x, *y);
            let (world, ctx) = (&self.scene.world, self.scene.ctx());
            if at == 0 {
                press(&mut self.state, &ctx, position);
            } else {
                drag(&mut self.state, world, &ctx, position);
            }
        }
        release(&mut self.state);
    }
}

fn lines(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|n| format!("line {n:06}\n")).collect()
}

/// Ten rows for lines, of a hundred.
fn hundred() -> (Stage, crate::model::CommandKey) {
    let (mut stage, key) = Stage::reading(120, 12);
    stage.prints_lines(&key, 0..100);
    assert_eq!(stage.rows().len(), 10);
    (stage, key)
}

#[test]
fn lines_are_selected_by_moving_and_copied() {
    let (mut stage, _) = hundred();
    stage.act(Action::SelectLines);
    assert!(
        stage.screen().contains("1 line selected"),
        "{}",
        stage.screen()
    );
    stage.act(Action::Up);
    stage.act(Action::Up);
    assert!(
        stage.screen().contains("3 lines selected · y copies"),
        "{}",
        stage.screen()
    );
    assert_eq!(stage.copies(Action::Copy), lines(97..100));
    assert!(!stage.screen().contains("selected"));
    // Both ways from where it began, and the view comes along.
    stage.act(Action::SelectLines);
    stage.act(Action::PageUp);
    stage.act(Action::PageUp);
    assert_eq!(stage.rows()[0], "line 000081");
    assert_eq!(stage.copies(Action::Copy), lines(81..100));
    stage.act(Action::Top);
    stage.act(Action::SelectLines);
    stage.act(Action::Bottom);
    assert_eq!(stage.rows()[9], "line 000099");
    assert_eq!(stage.copies(Action::Copy), lines(9..100));
    stage.act(Action::SelectLines);
    stage.act(Action::Top);
    assert_eq!(stage.rows()[0], "line 000000");
    stage.act(Action::SelectLines);
    assert!(!stage.screen().contains("selected"));
}

/// LR08: what is being selected does not move.
#[test]
fn what_arrives_moves_no_selection() {
    let (mut stage, key) = hundred();
    stage.act(Action::SelectLines);
    stage.act(Action::Up);
    let rows = stage.rows();
    stage.prints_lines(&key, 100..400);
    assert_eq!(stage.rows(), rows);
    assert!(
        stage.screen().contains("300 new below"),
        "{}",
        stage.screen()
    );
    assert_eq!(stage.copies(Action::Copy), lines(98..100));
    stage.act(Action::SelectLines);
    assert!(stage.state.clear(), "esc ends the selection first");
    assert!(!stage.state.clear());
}

#[test]
fn a_search_takes_the_selection_along() {
    let (mut stage, _) = hundred();
    stage.act(Action::Top);
    stage.act(Action::SelectLines);
    stage.does(Action::Search);
    stage.types("000050");
    stage.key(KeyCode::Enter);
    assert_eq!(stage.copies(Action::Copy), lines(9..51));
}

#[test]
fn the_mouse_selects_and_scrolls_at_the_edges() {
    let (mut stage, key) = hundred();
    // The first row of lines is below the border.
    stage.drags(&[3, 3, 5]);
    assert_eq!(stage.copies(Action::Copy), lines(92..95));
    stage.drags(&[5, 3]);
    assert_eq!(stage.copies(Action::Copy), lines(92..95));
    stage.drags(&[3, 0, 0, 0]);
    assert_eq!(stage.rows()[0], "line 000089");
    assert_eq!(stage.copies(Action::Copy), lines(89..93));
    // A click alone selects nothing, and ends what was selected.
    stage.act(Action::SelectLines);
    stage.drags(&[4]);
    assert!(!stage.screen().contains("selected"));
    // On the commands it is no selection.
    let position = Position::new(1, 4);
    press(&mut stage.state, &stage.scene.ctx(), position);
    drag(
        &mut stage.state,
        &stage.scene.world,
        &stage.scene.ctx(),
        Position::new(100, 5),
    );
    assert!(!stage.screen().contains("selected"));
    // Another log has other lines.
    stage.act(Action::SelectLines);
    stage.scene.world.tails.remove(&key);
    stage.settle();
    stage.scene.open(&key);
    stage.prints_lines(&key, 0..100);
    assert!(!stage.screen().contains("selected"));
}

#[test]
fn rows_of_a_wrapped_line_are_one_line() {
    let (mut stage, key) = Stage::reading(40, 9);
    let long = "word ".repeat(30);
    stage.prints(&key, &format!("before\n{long}\nafter\n"));
    stage.act(Action::SelectLines);
    stage.act(Action::Up);
    assert_eq!(stage.copies(Action::Copy), format!("{long}\nafter\n"));
}

#[test]
fn everything_is_what_the_filter_shows() {
    let (mut stage, _) = hundred();
    assert_eq!(stage.copies(Action::CopyAll), lines(0..100));
    stage.act(Action::FilterLines);
    let event = KeyEvent::new(KeyCode::Char('7'), KeyModifiers::NONE);
    let (world, ctx) = (&stage.scene.world, stage.scene.ctx());
    press_key(&mut stage.state, world, event, &ctx);
    // Nothing was looked at yet: what would go out is not known.
    assert_eq!(stage.act(Action::CopyAll), []);
    assert!(
        stage.screen().contains("not through yet"),
        "{}",
        stage.screen()
    );
    stage.search();
    stage.key(KeyCode::Enter);
    let sevens = |n: &usize| n % 10 == 7 || n / 10 == 7;
    let wanted: String = (0..100)
        .filter(sevens)
        .map(|n| format!("line {n:06}\n"))
        .collect();
    assert_eq!(stage.copies(Action::CopyAll), wanted);
    // Of a selection as well.
    stage.act(Action::SelectLines);
    stage.act(Action::Up);
    assert_eq!(stage.copies(Action::Copy), "line 000087\nline 000097\n");
}

#[test]
fn the_line_found_and_the_text_found_are_copied() {
    let (mut stage, _) = hundred();
    assert_eq!(stage.act(Action::CopyMatch), []);
    assert!(
        stage.screen().contains("search with / first"),
        "{}",
        stage.screen()
    );
    stage.does(Action::Search);
    stage.types("e 0+95");
    stage.key(KeyCode::Enter);
    assert_eq!(stage.copies(Action::Copy), lines(95..96));
    assert_eq!(
        stage.act(Action::CopyMatch),
        [Effect::Copy("e 000095".into())]
    );
}

/// What the view still shows of a log can be copied.
#[test]
fn a_line_that_is_held_in_view_only_is_copied_as_it_stands_there() {
    let (mut stage, key) = Stage::reading(120, 12);
    stage.scene.world.tails.get_mut(&key).unwrap().store = LogStore::new(16 * 1024);
    stage.prints_lines(&key, 0..100);
    stage.act(Action::Up);
    stage.prints_lines(&key, 100..9000);
    assert_eq!(stage.rows()[9], "line 000098");
    assert_eq!(
        stage.act(Action::Copy),
        [Effect::Copy("line 000098".into())]
    );
}

#[test]
fn a_files_name_decides_its_form() {
    let (mut stage, _) = hundred();
    let path = |effects: &[Effect]| match &exported(effects).to {
        Outlet::File {
            path,
            form,
            overwrite: false,
        } => (path.clone(), *form),
        other => panic!("{other:?}"),
    };
    stage.act(Action::SaveLines);
    assert!(
        stage.screen().contains("save as web.log"),
        "{}",
        stage.screen()
    );
    assert!(
        stage.screen().contains("all 100 lines"),
        "{}",
        stage.screen()
    );
    assert_eq!(path(&stage.enters("")), ("web.log".to_owned(), Form::Plain));
    for (ending, form) in [(".ansi", Form::Ansi), (".jsonl", Form::Jsonl)] {
        stage.act(Action::SaveLines);
        let typed = path(&stage.enters(ending));
        assert_eq!(typed, (format!("web.log{ending}"), form));
    }
    stage.act(Action::SaveLines);
    stage.key(KeyCode::Esc);
    assert!(!stage.state.is_typing());
}

#[test]
fn the_selection_goes_where_it_is_sent() {
    let (mut stage, _) = hundred();
    stage.act(Action::SelectLines);
    stage.act(Action::Up);
    stage.act(Action::PipeLines);
    assert!(
        stage.screen().contains("2 lines selected"),
        "{}",
        stage.screen()
    );
    let effects = stage.enters("wc -l");
    let export = exported(&effects);
    assert_eq!(export.to, Outlet::Command("wc -l".to_owned()));
    assert_eq!(text(&export.excerpt), lines(98..100));
    stage.act(Action::PipeLines);
    assert_eq!(stage.enters(""), [], "no command, nothing done");
    for (action, to) in [
        (Action::OpenPager, Outlet::Pager),
        (Action::OpenEditor, Outlet::Editor),
    ] {
        let effects = stage.act(action);
        let export = exported(&effects);
        assert_eq!((&export.to, export.excerpt.lines.clone()), (&to, 98..100));
    }
}

/// LR10: logs with nothing in them go out as they are.
#[test]
fn odd_logs_go_out_whole() {
    for (raw, plain) in [
        ("00:00 a\n\n\n\n\n\n", "00:00 a\n\n\n\n\n\n"),
        ("\n\n\n", "\n\n\n"),
        ("  \n  \n", "  \n  \n"),
        ("no break", "no break\n"),
    ] {
        let (mut stage, key) = Stage::reading(60, 10);
        stage.prints(&key, raw);
        assert_eq!(stage.copies(Action::CopyAll), plain);
        stage.act(Action::SelectLines);
        stage.act(Action::Top);
        assert_eq!(stage.copies(Action::Copy), plain);
    }
    let (mut stage, _) = Stage::reading(60, 10);
    assert_eq!(stage.act(Action::Copy), []);
    assert_eq!(stage.act(Action::SelectLines), []);
    assert_eq!(stage.copies(Action::CopyAll), "");
}

#[test]
fn screens_of_a_selection() {
    for (width, height) in [(80, 12), (120, 16)] {
        let (mut stage, _) = hundred();
        stage.place(width, height);
        stage.act(Action::SelectLines);
        stage.act(Action::Up);
        stage.act(Action::SaveLines);
        let name = format!("selected_{width}x{height}");
        insta::assert_snapshot!(name, dump_styled(&stage.buffer()));
    }
}
