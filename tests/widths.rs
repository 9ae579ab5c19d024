//! Columns as `text` counts them are the columns that the drawing library uses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sandtop::text::{clean_str, width};

#[test]
fn drawing_uses_as_many_columns_as_were_counted() {
    let signs = [
        "plain",
        "é",
        "e\u{301}",
        "漢字",
        "😀",
        "👨‍👩‍👧",
        "👩🏽‍🚀",
        "🇩🇪",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "ｶﾞ",
        "ﾊﾟ",
        "⚠\u{fe0f}",
        "ℹ\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "❤\u{fe0f}\u{200d}🔥",
        "لا",
        "한",
        "\u{1100}\u{1161}",
        "क्षि",
        "\u{200b}",
        "\u{ad}",
        "\u{fffd}",
        "…",
        "–",
        "\u{200d}",
    ];
    for sign in signs {
        for text in [
            sign.to_owned(),
            format!("a{sign}b{sign}{sign}"),
            clean_str(sign).to_string(),
        ] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 1));
            let (x, _) = buffer.set_stringn(0, 0, &text, 80, Style::default());
            assert_eq!(width(&text), usize::from(x), "{text:?}");
        }
    }
}
