//! The private parts of a seat, and what worlds bring, as prompts show them.

use serde_json::Value;

use super::line::block;
use crate::text::one_line;
use crate::text::template::{TemplateValue, template_value};

/// A private part: texts as they are, but for lines that read as somebody else's ([`block`]), lists of
/// texts as the papers write them, anything else as JSON.
pub(super) fn shown(value: &Value) -> TemplateValue {
    match value {
        Value::String(text) => block(text).into_owned().into(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let texts = items.iter().filter_map(Value::as_str);
            let quoted: Vec<String> = texts.map(|text| format!("'{}'", one_line(text))).collect();
            format!("[{}]", quoted.join(", ")).into()
        }
        other => template_value(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_of_texts_are_shown_as_the_papers_write_them() {
        let plan = shown(&json!(["look", "go to desk 1"]));
        assert_eq!(plan.to_string(), "['look', 'go to desk 1']");
        assert_eq!(shown(&json!("mug 1")).to_string(), "mug 1");
        assert_eq!(shown(&json!([1, 2])).to_string(), "[1, 2]");
    }
}
