//! Any text as what models and people said, put into prompt files: it stands in the prompt as it is,
//! and opens no part and no command of its own.
#![no_main]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use rolecall::text::template::{PartSpeaker, Template, TemplateValue, template_value};

const FILE: &str = "--- system ---\nYou are told: {{ task }}\n--- user ---\n\
{% for turn in turns %}{{ loop.index }}. {{ turn.text }}\n{% endfor %}{% if open %}{{ open }}{% endif %}";

fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    let known = ["task", "turns", "open"];
    TEMPLATE.get_or_init(|| Template::compile("p.md", FILE, |name| known.contains(&name)).unwrap())
}

fuzz_target!(|input: (&str, &str, Vec<&str>)| {
    let (task, open, turns) = input;
    let texts: Vec<_> = turns
        .iter()
        .map(|text| serde_json::json!({"text": text}))
        .collect();
    let values: BTreeMap<&str, TemplateValue> = BTreeMap::from([
        ("task", TemplateValue::from(task)),
        ("turns", template_value(&texts.into())),
        ("open", TemplateValue::from(open)),
    ]);
    let filled = template().fill(&values.into()).unwrap();
    let numbered = turns
        .iter()
        .enumerate()
        .map(|(place, text)| format!("{}. {text}\n", place + 1));
    let said: String = numbered.chain([open.to_owned()]).collect();
    let speakers: Vec<PartSpeaker> = filled.iter().map(|(speaker, _)| *speaker).collect();
    assert_eq!(speakers, [PartSpeaker::System, PartSpeaker::User]);
    assert_eq!(
        filled[0].1.trim_end(),
        format!("You are told: {task}").trim_end()
    );
    assert_eq!(filled[1].1.trim_end(), said.trim_end());
});
