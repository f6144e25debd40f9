//! Further fields of a request's body: any TOML, as JSON for the server and as TOML for the record.

use serde_json::Map;

use crate::config::secrets::{EXTRA_BODY, hide};
use crate::config::walk::Section;
use rolecall_core::ports::model::ExtraBody;

/// Fields that no further field may replace: the prompt, and how the reply comes.
const OWN: [&str; 4] = ["messages", "prompt", "stream", "stream_options"];

/// The fields of `extra_body`, for the server and, without what may be a secret, for the record.
pub(super) fn extra_body(section: &mut Section<'_>) -> (ExtraBody, toml::Table) {
    let mut table = section.section(EXTRA_BODY);
    let mut body = Map::new();
    for (key, node) in table.entries() {
        table.node(key);
        let problem = match node.json() {
            _ if OWN.contains(&key) => "is a field that the client writes itself (`stream` is a key of the model)",
            None => "holds a number that JSON does not have (`nan` or `inf`)",
            Some(value) => {
                body.insert(key.to_owned(), value);
                continue;
            }
        };
        table.wrong(key, problem);
    }
    let mut shown = body.clone();
    shown.iter_mut().for_each(|(key, value)| hide(key, value));
    // Whatever is written in TOML can be written in TOML.
    let shown = toml::Table::try_from(shown).unwrap_or_default();
    (ExtraBody(body), shown)
}
