//! Conversations as episodes have them: calls in text and by tools, the state, what ends them.

use std::sync::Arc;

use crate::support::live::{self, Live, run};
use rolecall::domain::{Action, Begun, Call, Observation, Seed, Utterance};
use rolecall::environments::booking::tasks::{PARAMETERS, build};
use rolecall::ports::{ParameterValue, SetupError, TaskSource};
use serde_json::{Value, json};

fn tasks(values: &[(&'static str, &str)]) -> Result<Arc<dyn TaskSource>, SetupError> {
    let text = |(name, value): &(&'static str, &str)| (*name, ParameterValue::Text((*value).to_owned()));
    let values: Vec<(&'static str, ParameterValue)> = values.iter().map(text).collect();
    live::tasks(build, PARAMETERS, &values)
}

fn first(profile: &str) -> Live {
    let task = tasks(&[("profile", profile)]).unwrap().open(0).unwrap();
    Live::of(&task).0
}

fn data(seen: &Observation) -> &Value {
    seen.data.as_deref().unwrap()
}

#[test]
fn the_user_speaks_first_and_calls_tell_the_state() {
    let all = tasks(&[]).unwrap();
    assert!(all.len() >= 100 && all.hears());
    let task = all.open(0).unwrap();
    let (mut live, first) = Live::of(&task);
    assert_eq!(first.text, task.task.public.text);
    assert_eq!(data(&first)["turn"], 1);
    let found = live.text(r#"query_trains {"day": "monday", "departure": "any"}"#);
    assert_eq!(data(&found)["state"]["train-day"], "monday");
    assert_eq!(data(&found)["call"]["outcome"], "too many");
    let heard = live.hear("Where to?", Utterance::text("To the coast."));
    assert_eq!((data(&heard)["turn"].clone(), heard.done), (json!(2), false));
    live.hear("Bye.", Utterance::leaving("Bye", true));
    assert!(!live.score().success);
}

#[test]
fn a_call_of_a_tool_is_the_same_as_its_text() {
    for profile in ["strict", "reference"] {
        let (mut one, mut other) = (first(profile), first(profile));
        let arguments = json!({"area": "north", "type": "any", "name": "any"});
        let text = one.text(&format!("query_attractions {arguments}"));
        let called = other.act(&Action {
            text: "query_attractions".to_owned(),
            call: Some(Box::new(Call { tool: "query_attractions".to_owned(), arguments })),
        });
        assert_eq!(text, called, "{profile}");
    }
}

#[test]
fn where_the_original_stops_the_conversation_is_aborted() {
    for call in [
        "query_hotels not json",
        r#"query_hotels {"stars": 4}"#,
        r#"query_trains {"leaveAt": "17:00orso"}"#,
        "do_magic {",
    ] {
        let mut live = first("reference");
        let seen = live.text(call);
        assert!(seen.done, "{call}");
        assert!(data(&seen)["aborted"].is_string(), "{call}");
        let score = live.score();
        assert!(!score.success && score.detail["aborted"].is_string());
    }
    // At a name that says not what it is about it stops after its turn; in `strict` nothing stops.
    let mut live = first("reference");
    let seen = live.text(r#"do_magic {"a": "b"}"#);
    assert!(!seen.done && seen.text.contains("Unknown API name"));
    assert!(live.hear("Sorry.", Utterance::text("?")).done);
    let mut live = first("strict");
    for call in ["do_magic {}", "query_hotels not json", r#"query_hotels {"stars": "9"}"#] {
        assert!(!live.text(call).done, "{call}");
    }
    assert!(!live.hear("Sorry.", Utterance::text("?")).done);
}

#[test]
fn a_world_that_goes_on_is_refused() {
    let mut live = first("strict");
    let begun = Begun { trial: 0, round: 1, keep_world: true, seed: Seed(3) };
    assert!(run(live.0.begin(&begun)).is_err());
    let all = tasks(&[]).unwrap();
    assert!(all.strategy_remedy("react").is_some() && all.strategy_remedy("relay").is_none());
}
