//! An answer that tells what is known is no reason to draw: whatever else is on screen stays as it was.

use super::scene::Scene;
use super::{at_row, twenty};
use sandtop::logic::Event;
use sandtop::model::{Span, Status, Timestamp};
use serde_json::json;

/// Ages and countdowns go on by themselves: no figures, no units, and nothing that makes room for them.
fn without_figures(scene: &Scene) -> String {
    let is_aged = |c: &char| c.is_ascii_digit() || " ─smh".contains(*c);
    scene.screen().chars().filter(|c| !is_aged(c)).collect()
}

/// Answers all calls one by one; how many of them were quiet, and how many were news.
fn answered(scene: &mut Scene) -> (usize, usize) {
    let mut counts = (0, 0);
    loop {
        let before = without_figures(scene);
        if !scene.answer_next() {
            return counts;
        }
        if scene.state.shows_news() {
            counts.1 += 1;
        } else {
            counts.0 += 1;
            assert_eq!(without_figures(scene), before);
        }
    }
}

#[test]
fn answers_without_news_draw_nothing() {
    let mut scene = at_row(twenty(), 2);
    scene.wait(60_000);
    let mut random = fastrand::Rng::with_seed(7);
    let (mut quiet, mut news) = (0, 0);
    for step in 0..60 {
        let name = format!("box-{:02}", random.usize(0..24));
        let now = Timestamp(scene.now.wall.0);
        match step % 12 {
            0 => scene.service.add(&name, json!({})),
            3 => {
                let changed = scene.service.get("box-04");
                changed.status = Some(Status::Stopped);
                changed.status_updated_at = Some(now);
                changed.updated_at = Some(now);
            }
            6 => scene
                .service
                .runs("box-02", &format!("cmd_{step}"), "npm ci", Some(0)),
            9 => {
                scene.service.get("box-02").expires_at = Some(now + Span(4_000_000));
            }
            _ => {}
        }
        scene.pass(5_000);
        let counts = answered(&mut scene);
        quiet += counts.0;
        news += counts.1;
    }
    assert!(quiet > 100 && news > 5, "{quiet} quiet, {news} news");
}

#[test]
fn while_ages_stand_still_or_requests_are_told_every_answer_is_drawn() {
    let mut scene = at_row(twenty(), 2);
    scene.wait(60_000).press("6").pass(5_000);
    let (quiet, news) = answered(&mut scene);
    assert!(quiet == 0 && news > 0, "{quiet} quiet, {news} news");
    scene.press("1").wait(10_000);
    scene.send(Event::Focus(false)).pass(60_000);
    let (quiet, news) = answered(&mut scene);
    assert!(quiet == 0 && news > 0, "{quiet} quiet, {news} news");
}
