//! A network policy as the service returns it (api.md §3.7). Header values never come back, so a policy read
//! here must never be written back: the request form is another type.

use super::{Foreign, PolicyMode, lenient};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkPolicy {
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub mode: Option<PolicyMode>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub allowed_domains: Option<Vec<Foreign>>,
    #[serde(
        default,
        rename = "allowedCIDRs",
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub allowed_cidrs: Option<Vec<Foreign>>,
    #[serde(
        default,
        rename = "deniedCIDRs",
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub denied_cidrs: Option<Vec<Foreign>>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub injection_rules: Option<Vec<InjectionRule>>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub forward_rules: Option<Vec<ForwardRule>>,
}

impl NetworkPolicy {
    pub fn of(mode: PolicyMode) -> Self {
        Self {
            mode: Some(mode),
            allowed_domains: None,
            allowed_cidrs: None,
            denied_cidrs: None,
            injection_rules: None,
            forward_rules: None,
        }
    }

    /// Whether it lets nothing out at all. One that only says what is denied does not either (api.md §3.7).
    pub fn denies_all(&self) -> bool {
        let some = |list: &Option<Vec<Foreign>>| list.as_ref().is_some_and(|list| !list.is_empty());
        let lets_out = some(&self.allowed_domains)
            || some(&self.allowed_cidrs)
            || self.injection_rules.is_some()
            || self.forward_rules.is_some();
        match self.mode {
            Some(PolicyMode::DenyAll) => true,
            Some(PolicyMode::Custom) => !lets_out,
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InjectionRule {
    pub domain: Foreign,
    #[serde(default, deserialize_with = "lenient::list")]
    pub header_names: Vec<Foreign>,
    /// Kept as it came: shown, never interpreted.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForwardRule {
    pub domain: Foreign,
    #[serde(
        default,
        rename = "forwardURL",
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub forward_url: Option<Foreign>,
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<Value>,
}
