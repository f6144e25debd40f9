//! The private parts of a seat as its prompt shows them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::text::household::placements_paragraph;
use crate::text::template::{TemplateValue, template_value};

/// Names that a prompt may use by themselves and that stand for private parts of household games.
pub(super) const NAMES: &[&str] = &[
    "oracle_plan",
    "placements",
    "placements_text",
    "likely_places",
    "wish",
];

/// The value of one of these names; none if the seat does not have the part.
pub(super) fn named(name: &str, parts: &BTreeMap<String, Arc<Value>>) -> Option<TemplateValue> {
    Some(match name {
        "placements_text" => paragraph(parts.get("placements")?).into(),
        "wish" | "likely_places" => enumerated(parts.get(name)?).into(),
        label => shown(parts.get(label)?),
    })
}

/// Where everything is as ABA's model of a human reads it (appendix A): `mug 1 is in desk 1.`
fn paragraph(placements: &Value) -> String {
    let pairs = placements.as_array().into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some((pair.get(0)?.as_str()?, pair.get(1)?.as_str()?)));
    placements_paragraph(pairs)
}

/// The texts of a list with commas between them: `mug 1, mug 2`.
fn enumerated(list: &Value) -> String {
    let texts = list.as_array().into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
    texts.join(", ")
}

/// A private part: texts as they are, lists of texts as the papers write them, anything else as
/// JSON.
pub(super) fn shown(value: &Value) -> TemplateValue {
    match value {
        Value::String(text) => text.into(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let texts = items.iter().filter_map(Value::as_str);
            let quoted: Vec<String> = texts.map(|text| format!("'{text}'")).collect();
            format!("[{}]", quoted.join(", ")).into()
        }
        other => template_value(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_shown_as_the_papers_write_them() {
        let parts = BTreeMap::from([
            (
                "oracle_plan".to_owned(),
                Arc::new(json!(["look", "go to desk 1"])),
            ),
            (
                "placements".to_owned(),
                Arc::new(json!([["mug 1", "desk 1"], ["pen 2", "bed 1"]])),
            ),
            ("wish".to_owned(), Arc::new(json!(["mug 1", "mug 3"]))),
        ]);
        let of = |name| named(name, &parts).map(|value| value.to_string());
        assert_eq!(
            of("oracle_plan").as_deref(),
            Some("['look', 'go to desk 1']")
        );
        let paragraph = "mug 1 is in desk 1. pen 2 is in bed 1.";
        assert_eq!(of("placements_text").as_deref(), Some(paragraph));
        assert_eq!(of("wish").as_deref(), Some("mug 1, mug 3"));
        assert_eq!(of("likely_places"), None);
    }
}
