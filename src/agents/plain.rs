//! Plain text: every line is a step as it is.

use super::dialect::Dialect;
use super::ledger::Ledger;
use super::value::Object;

#[derive(Debug)]
pub struct Plain;

impl Dialect for Plain {
    fn object(&mut self, ledger: &mut Ledger, object: &Object) {
        ledger.raw(&serde_json::to_string(object).unwrap_or_default());
    }
}
