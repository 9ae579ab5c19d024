//! Opens a route's URL with the desktop's own program.

use crate::model::Foreign;

/// Only what a browser is for: other schemes start other programs.
///
/// # Errors
/// Why not, in a sentence.
pub fn open(url: &str) -> Result<(), Foreign> {
    let url = reqwest::Url::parse(url).map_err(|_| "it is no URL")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("only http and https URLs are opened".into());
    }
    open::that_detached(url.as_str()).map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_schemes_and_nonsense_are_refused() {
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "-version",
            "mailto:a@b",
            "",
        ] {
            assert!(open(url).is_err(), "{url}");
        }
    }
}
