//! Where traffic may go: patterns of domains, and ranges of addresses.

use super::super::refusal::Refusal;
use super::node::Node;
use crate::model::Foreign;
use std::net::IpAddr;

pub(super) fn domain(node: &Node<'_>) -> Result<Foreign, Refusal> {
    domain_of(node, node.text()?)
}

/// `node` is where `name` stands, or what it is the name of.
pub(super) fn domain_of(node: &Node<'_>, name: &str) -> Result<Foreign, Refusal> {
    match is_domain(name) {
        true => Ok(Foreign::from(name)),
        false => Err(node.refuse(
            "must be for a domain such as example.com; a whole part of it may be `*`, as in *.example.com",
        )),
    }
}

fn is_domain(name: &str) -> bool {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"-_".contains(&letter);
    let is_label = |label: &str| match label {
        "*" => true,
        _ => (1..=63).contains(&label.len()) && label.bytes().all(fits),
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

/// A range of addresses such as `10.0.0.0/8`.
pub(super) fn network(node: &Node<'_>) -> Result<Foreign, Refusal> {
    let text = node.text()?;
    match is_network(text) {
        true => Ok(Foreign::from(text)),
        false => Err(node.refuse("must be a range of addresses such as 10.0.0.0/8 or fd00::/8")),
    }
}

fn is_network(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match address.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.bytes().all(|digit| digit.is_ascii_digit())
        && bits.parse().is_ok_and(|bits: u8| bits <= most)
}
