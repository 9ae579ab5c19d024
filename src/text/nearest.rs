//! What may have been meant by a word that is no valid one.

/// The name that differs least from a word, if it may have been meant: at most every third letter differs.
pub fn nearest(word: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let differs = |name: &str| strsim::damerau_levenshtein(word, name);
    names
        .map(|name| (differs(name), name))
        .filter(|(differs, name)| *differs <= name.len().max(word.len()).div_ceil(3))
        .min_by_key(|(differs, _)| *differs)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_have_been_meant_is_near() {
        let names = || ["quit", "sort", "open-url"].into_iter();
        assert_eq!(nearest("qiut", names()), Some("quit"));
        assert_eq!(nearest("open_url", names()), Some("open-url"));
        assert_eq!(nearest("frobnicate", names()), None);
        assert_eq!(nearest("", names()), None);
    }
}
