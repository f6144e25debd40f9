//! Any text as a prompt file: an error, or a template that is filled in or fails, within bounds.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use rolecall::text::template::{Template, TemplateValue, template_value};

fuzz_target!(|text: &str| {
    let known = ["task", "turns", "open"];
    let Ok(template) = Template::compile("p.md", text, |name| known.contains(&name)) else {
        return;
    };
    let turns = serde_json::json!([{"text": "a < b", "number": 1}, {"text": "{{ task }}"}]);
    let values: BTreeMap<&str, TemplateValue> = BTreeMap::from([
        ("task", TemplateValue::from("--- system ---\n{% raw %}")),
        ("turns", template_value(&turns)),
        ("open", TemplateValue::from(())),
    ]);
    let values = values.into();
    let first = template.fill(&values);
    assert_eq!(first, template.fill(&values));
    if let Ok(parts) = first {
        assert!(!parts.is_empty());
    }
});
