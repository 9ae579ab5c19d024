//! Network policies: what a request may say (two forms, and an older one), and the one form in which they are told
//! (api.md §3.7).
//!
//! Only that form is kept: values of headers are secrets, and nothing here would use them.

mod enforced;
mod hosts;
mod node;
mod traffic;

#[cfg(test)]
mod tests;

use super::refusal::Refusal;
use crate::model::{Foreign, NetworkPolicy, PolicyMode};
use node::Node;
use serde_json::Value;

/// Any domain.
const ANY: &str = "*";

/// Reads a policy. What is unknown is refused: a word that was mistyped must not open or close the network.
pub(super) fn read(field: &str, value: &Value) -> Result<NetworkPolicy, Refusal> {
    let policy = Node::new(field, value);
    let Some(mode) = policy.find("mode")? else {
        return listed(&policy).map(settled);
    };
    let bare = |mode| policy.fields(["mode"]).map(|_| NetworkPolicy::of(mode));
    match mode.text()? {
        "allow-all" => bare(PolicyMode::AllowAll),
        "deny-all" => bare(PolicyMode::DenyAll),
        "custom" | "default-deny" => flat(&policy).map(settled),
        "default-allow" => flat(&policy).map(open),
        _ => {
            Err(mode
                .refuse("must be one of allow-all, deny-all, custom, default-allow, default-deny"))
        }
    }
}

/// The form without a mode.
fn listed(policy: &Node<'_>) -> Result<NetworkPolicy, Refusal> {
    let [allow, subnets] = policy.fields(["allow", "subnets"])?;
    let mut told = NetworkPolicy::of(PolicyMode::Custom);
    match allow {
        None => {}
        Some(list) if list.is_list() => {
            told.allowed_domains = Some(list.each(hosts::domain)?);
        }
        Some(map) => {
            for (name, rules) in map.entries()? {
                let domain = hosts::domain_of(&rules, name)?;
                for rule in rules.list()? {
                    traffic::add(&mut told, &domain, &rule)?;
                }
                told.allowed_domains.get_or_insert_default().push(domain);
            }
        }
    }
    if let Some(subnets) = subnets {
        let [allow, deny] = subnets.fields(["allow", "deny"])?;
        told.allowed_cidrs = allow.map(|list| list.each(hosts::network)).transpose()?;
        told.denied_cidrs = deny.map(|list| list.each(hosts::network)).transpose()?;
    }
    Ok(told)
}

/// The older form: a mode beside lists.
fn flat(policy: &Node<'_>) -> Result<NetworkPolicy, Refusal> {
    let [_, domains, allowed, denied, injections] = policy.fields([
        "mode",
        "allowedDomains",
        "allowedCIDRs",
        "deniedCIDRs",
        "injectionRules",
    ])?;
    let mut told = NetworkPolicy::of(PolicyMode::Custom);
    told.allowed_domains = domains.map(|list| list.each(hosts::domain)).transpose()?;
    told.allowed_cidrs = allowed.map(|list| list.each(hosts::network)).transpose()?;
    told.denied_cidrs = denied.map(|list| list.each(hosts::network)).transpose()?;
    for injection in injections
        .map(|rules| rules.list())
        .transpose()?
        .into_iter()
        .flatten()
    {
        traffic::add_flat(&mut told, &injection)?;
    }
    Ok(told)
}

/// Without empty lists; one that says nothing at all lets nothing out, which has a mode of its own.
fn settled(mut told: NetworkPolicy) -> NetworkPolicy {
    let lists = [
        &mut told.allowed_domains,
        &mut told.allowed_cidrs,
        &mut told.denied_cidrs,
    ];
    for list in lists {
        list.take_if(|list| list.is_empty());
    }
    if told == NetworkPolicy::of(PolicyMode::Custom) {
        return NetworkPolicy::of(PolicyMode::DenyAll);
    }
    told
}

/// Everything but what is denied.
fn open(mut told: NetworkPolicy) -> NetworkPolicy {
    let any = Foreign::from(ANY);
    let domains = told.allowed_domains.get_or_insert_default();
    if !domains.contains(&any) {
        domains.insert(0, any);
    }
    let told = settled(told);
    let plain = NetworkPolicy {
        allowed_domains: told.allowed_domains.clone(),
        ..NetworkPolicy::of(PolicyMode::Custom)
    };
    match told == plain {
        true => NetworkPolicy::of(PolicyMode::AllowAll),
        false => told,
    }
}
