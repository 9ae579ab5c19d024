//! Rules on the requests to a domain: what is set in them, where they are sent, or what answers them instead.

use super::super::refusal::Refusal;
use super::node::Node;
use crate::model::{Foreign, ForwardRule, InjectionRule, NetworkPolicy};
use reqwest::Url;
use serde_json::Value;

/// What the proxy sets itself.
const ITS_OWN: [&str; 3] = ["connection", "content-length", "transfer-encoding"];
const WITHOUT_BODY: [u64; 3] = [204, 205, 304];

/// Adds a rule for `domain`. An answer in the domain's stead is checked and dropped: the form that is told has no
/// place for it.
pub(super) fn add(
    told: &mut NetworkPolicy,
    domain: &Foreign,
    rule: &Node<'_>,
) -> Result<(), Refusal> {
    let [matches, transform, forward, response] =
        rule.fields(["match", "transform", "forwardURL", "response"])?;
    let matches = matches.map(|node| checked_match(&node)).transpose()?;
    let domain = domain.clone();
    match (transform, forward, response) {
        (Some(transform), None, None) => {
            let header_names = transformed(&transform)?;
            told.injection_rules
                .get_or_insert_default()
                .push(InjectionRule {
                    domain,
                    header_names,
                    matches,
                });
        }
        (None, Some(url), None) => {
            let forward_url = Some(forward_url(&url)?);
            told.forward_rules
                .get_or_insert_default()
                .push(ForwardRule {
                    domain,
                    forward_url,
                    matches,
                });
        }
        (None, None, Some(response)) => check_response(&response)?,
        _ => return Err(rule.refuse("must have one of transform, forwardURL, response")),
    }
    Ok(())
}

/// Adds a rule in the older form.
pub(super) fn add_flat(told: &mut NetworkPolicy, rule: &Node<'_>) -> Result<(), Refusal> {
    let [domain, headers, matches] = rule.fields(["domain", "headers", "match"])?;
    let domain = domain.ok_or_else(|| rule.refuse("has no `domain`"))?;
    let headers = headers.ok_or_else(|| rule.refuse("has no `headers`"))?;
    told.injection_rules
        .get_or_insert_default()
        .push(InjectionRule {
            domain: super::hosts::domain(&domain)?,
            header_names: header_names(&headers)?,
            matches: matches.map(|node| checked_match(&node)).transpose()?,
        });
    Ok(())
}

/// Names of all headers that are set; a name in different cases is one.
fn transformed(transforms: &Node<'_>) -> Result<Vec<Foreign>, Refusal> {
    let mut names: Vec<Foreign> = Vec::new();
    for transform in transforms.list()? {
        let [headers] = transform.fields(["headers"])?;
        for name in headers
            .map(|headers| header_names(&headers))
            .transpose()?
            .unwrap_or_default()
        {
            let known = |other: &Foreign| other.as_raw().eq_ignore_ascii_case(name.as_raw());
            if !names.iter().any(known) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

fn header_names(headers: &Node<'_>) -> Result<Vec<Foreign>, Refusal> {
    let mut names = Vec::new();
    for (name, value) in headers.entries()? {
        let text = value.text()?;
        if !is_token(name) {
            return Err(value.refuse("must be for the name of a header"));
        }
        if text.contains(['\0', '\r', '\n']) {
            return Err(value.refuse("must be one line"));
        }
        names.push(Foreign::from(name));
    }
    Ok(names)
}

fn is_token(name: &str) -> bool {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&letter);
    !name.is_empty() && name.bytes().all(fits)
}

fn forward_url(node: &Node<'_>) -> Result<Foreign, Refusal> {
    let text = node.text()?;
    let fits = |url: &Url| {
        let bare = url.username().is_empty() && url.password().is_none();
        url.scheme() == "https" && bare && url.query().is_none() && url.fragment().is_none()
    };
    match Url::parse(text).is_ok_and(|url| fits(&url)) {
        true => Ok(Foreign::from(text)),
        false => Err(node.refuse("must be an https URL without credentials, query and fragment")),
    }
}

fn check_response(node: &Node<'_>) -> Result<(), Refusal> {
    let [status, headers, body, content_type] =
        node.fields(["statusCode", "headers", "body", "contentType"])?;
    let status = status.ok_or_else(|| node.refuse("has no `statusCode`"))?;
    let code = status
        .value()
        .as_u64()
        .filter(|code| (200..=599).contains(code));
    let code = code.ok_or_else(|| status.refuse("must be a whole number from 200 to 599"))?;
    if let Some(headers) = headers {
        let mut names: Vec<String> = Vec::new();
        for name in header_names(&headers)? {
            let name = name.as_raw().to_ascii_lowercase();
            if ITS_OWN.contains(&name.as_str()) {
                return Err(headers.refuse(format!("must not set `{name}`")));
            }
            if names.contains(&name) {
                return Err(headers.refuse(format!("sets `{name}` twice")));
            }
            names.push(name);
        }
    }
    let content_type = content_type.map(|node| node.text()).transpose()?;
    if let Some(body) = body {
        body.text()?;
        if WITHOUT_BODY.contains(&code) {
            return Err(body.refuse(format!("does not go with status {code}")));
        }
        if content_type.is_none() {
            return Err(node.refuse("has a `body`, so it must have a `contentType`"));
        }
    }
    Ok(())
}

/// As it came, once it is known to be one.
fn checked_match(node: &Node<'_>) -> Result<Value, Refusal> {
    let [path, method, query, headers] =
        node.fields(["path", "method", "queryString", "headers"])?;
    if let Some(path) = path {
        check_matcher(&path)?;
    }
    if let Some(method) = method {
        method.each(|one| match is_token(one.text()?) {
            true => Ok(()),
            false => Err(one.refuse("must be a method such as GET")),
        })?;
    }
    for pairs in [query, headers].into_iter().flatten() {
        pairs.each(check_pair)?;
    }
    Ok(node.value().clone())
}

fn check_pair(node: &Node<'_>) -> Result<(), Refusal> {
    let sides = node.fields(["key", "value"])?;
    if sides.iter().all(Option::is_none) {
        return Err(node.refuse("must have a `key` or a `value`"));
    }
    sides.iter().flatten().try_for_each(check_matcher)
}

fn check_matcher(node: &Node<'_>) -> Result<(), Refusal> {
    let ways = node.fields(["exact", "startsWith", "regex"])?;
    let mut given = ways.iter().flatten();
    match (given.next(), given.next()) {
        (Some(way), None) => way.text().map(drop),
        _ => Err(node.refuse("must have one of exact, startsWith, regex")),
    }
}
