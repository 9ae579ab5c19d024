//! Paths by a pattern: `*` is one part of a path, `**` any number of them.

/// `/v2/sandboxes/*/stop`, `/**/logs`; with or without `/api` in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<String>);

impl Pattern {
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if !text.starts_with('/') {
            return Err("a path begins with `/`: `/v2/sandboxes`, `/**/logs`");
        }
        let path = path(text);
        let odd = |part: &str| part.contains('*') && !matches!(part, "*" | "**");
        if parts(path).any(odd) {
            return Err("`*` stands for a whole part of a path, `**` for any number of them");
        }
        if text.contains('?') {
            return Err("a pattern is for paths, without a query");
        }
        Ok(Self(parts(path).map(str::to_owned).collect()))
    }

    /// Compared as it was sent, percent signs and all.
    pub fn is_for(&self, target: &str) -> bool {
        let target: Vec<&str> = parts(path(target)).collect();
        fits(&self.0, &target)
    }
}

fn path(text: &str) -> &str {
    match text.strip_prefix("/api") {
        Some(rest) if rest.starts_with('/') => rest,
        _ => text,
    }
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').skip(1)
}

/// Goes back to the last `**` only: that one can always take what an earlier one would.
fn fits(pattern: &[String], path: &[&str]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut retry = None;
    while here < path.len() {
        match pattern.get(at).map(String::as_str) {
            Some("**") => {
                retry = Some((at, here));
                at += 1;
                continue;
            }
            Some(part) if part == "*" || part == path[here] => {
                at += 1;
                here += 1;
                continue;
            }
            _ => {}
        }
        let Some((stars, taken)) = retry else {
            return false;
        };
        retry = Some((stars, taken + 1));
        at = stars + 1;
        here = taken + 1;
    }
    pattern[at..].iter().all(|part| part == "**")
}
