//! A TOML file as entries with their places. After a fault of syntax the rest is read on.

use super::Complaints;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A name and its value, with their places.
pub type Entry<'a> = (Spanned<String>, Spanned<DeValue<'a>>);

/// The entries in the order of the file; faults of syntax become complaints, and take their entry with them.
pub fn entries<'a>(complaints: &mut Complaints<'a>) -> Vec<Entry<'a>> {
    let (table, faults) = DeTable::parse_recoverable(complaints.text());
    for fault in faults {
        let at = fault.span().unwrap_or_default();
        complaints.spoil(at.start);
        complaints.add(at, fault.message().replace('\n', ", "), None);
    }
    in_order(table.into_inner(), complaints)
}

pub fn in_order<'a>(table: DeTable<'a>, complaints: &Complaints<'_>) -> Vec<Entry<'a>> {
    let owned = |(name, value): (Spanned<std::borrow::Cow<'_, str>>, _)| {
        (
            Spanned::new(name.span(), name.into_inner().into_owned()),
            value,
        )
    };
    let mut entries: Vec<Entry<'_>> = table.into_iter().map(owned).collect();
    entries.retain(|(name, value)| {
        let at = name.span().start..=value.span().end;
        matches!(value.get_ref(), DeValue::Table(_)) || !complaints.is_spoiled(&at)
    });
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// What a value is, in a sentence.
pub fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a word",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
