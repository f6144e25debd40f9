//! Calls of a world's tools that a model writes as JSON by a schema.

use super::executors::{PLAIN, role_of};
use crate::support::puppet::{self, Puppet, reply, setup};
use crate::support::toy::{self, ToyTasks, again, friend};
use rolecall::domain::Move;
use rolecall::ports::model::ToolSpec;
use serde_json::json;

#[test]
fn a_world_that_says_no_forms_takes_calls_of_its_tools() {
    let call = r#"find {"what": "mug"}"#;
    let puppet = Puppet::new("m", move |asked| {
        let command = if asked.number == 0 { call } else { "win" };
        Ok(reply(&json!({ "move": { "kind": "act", "command": command } }).to_string()))
    });
    let puppet = puppet.with(|_| ());
    let mut setup = setup(&[&puppet], PLAIN, &[("moves", json!("json")), ("longest", json!(40))]);
    let (name, parameters) = ("find".to_owned(), json!({ "type": "object" }));
    setup.world.tools = vec![ToolSpec { name, description: String::new(), parameters }].into();
    let played = again(&toy::plan(ToyTasks::new(1), role_of(&setup), friend()));
    assert_eq!(played.moves(0), [Move::act(call), Move::act("win")]);
    let schema = puppet::schema(&puppet.asked()[0].request).to_string();
    assert!(schema.contains(r#""pattern":"^(find [!-~][ -~]{0,39})$""#), "{schema}");
}
