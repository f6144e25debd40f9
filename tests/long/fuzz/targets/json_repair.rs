//! Any text: a value that is written and read again as the same without a mend, or a reason. What is
//! JSON already is not changed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::text::json_repair::{NoJson, repair};
use serde_json::Value;

fuzz_target!(|text: &str| {
    let found = match repair(text) {
        Ok(found) => found,
        Err(NoJson::Absent) => return assert!(!text.contains(['{', '['])),
        Err(_) => return,
    };
    assert!(found.value.is_object() || found.value.is_array());
    let again = repair(&found.value.to_string()).unwrap();
    assert_eq!(again.value, found.value);
    assert!(again.fixes.is_empty());
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() || value.is_array() => assert_eq!(value, found.value),
        _ => {}
    }
});
