//! Conversations as episodes have them: calls in text and by tools, the state, what ends them.

use std::sync::Arc;

use rolecall::domain::{Action, Begun, Call, Observation, Score, Seed, Utterance};
use rolecall::environments::booking::tasks::{PARAMETERS, build};
use rolecall::ports::{
    Environment, EnvironmentSetup, OpenTask, ParameterValue, Parameters, SetupError, TaskSource,
};
use serde_json::{Value, json};

fn tasks(values: &[(&'static str, &str)]) -> Result<Arc<dyn TaskSource>, SetupError> {
    let mut parameters = Parameters::defaults(PARAMETERS);
    for (name, value) in values {
        parameters = parameters.with(name, ParameterValue::Text((*value).to_owned()));
    }
    build(&EnvironmentSetup {
        parameters,
        ..EnvironmentSetup::default()
    })
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(future)
}

/// A world that is being played.
struct Live(Box<dyn Environment>);

impl Live {
    fn of(task: &OpenTask) -> (Self, Observation) {
        let mut world = (task.environment)();
        let begun = Begun {
            trial: 0,
            round: 0,
            keep_world: false,
            seed: Seed(3),
        };
        let first = run(world.begin(&begun)).unwrap();
        (Self(world), first)
    }

    fn first(profile: &str) -> Self {
        let task = tasks(&[("profile", profile)]).unwrap().open(0).unwrap();
        Self::of(&task).0
    }

    fn act(&mut self, action: &Action) -> Observation {
        run(self.0.perform(action)).unwrap()
    }

    fn call(&mut self, text: &str) -> Observation {
        self.act(&Action::text(text))
    }

    fn hear(&mut self, said: &str, reply: Utterance) -> Observation {
        let heard = run(self.0.hear(&Utterance::text(said), &reply)).unwrap();
        heard.unwrap()
    }

    fn score(&mut self) -> Score {
        run(self.0.assess()).unwrap()
    }
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
    let found = live.call(r#"query_trains {"day": "monday", "departure": "any"}"#);
    assert_eq!(data(&found)["state"]["train-day"], "monday");
    assert_eq!(data(&found)["call"]["outcome"], "too many");
    let heard = live.hear("Where to?", Utterance::text("To the coast."));
    assert_eq!(
        (data(&heard)["turn"].clone(), heard.done),
        (json!(2), false)
    );
    live.hear("Bye.", Utterance::leaving("Bye", true));
    assert!(!live.score().success);
}

#[test]
fn a_call_of_a_tool_is_the_same_as_its_text() {
    for profile in ["strict", "reference"] {
        let (mut one, mut other) = (Live::first(profile), Live::first(profile));
        let arguments = json!({"area": "north", "type": "any", "name": "any"});
        let text = one.call(&format!("query_attractions {arguments}"));
        let called = other.act(&Action {
            text: "query_attractions".to_owned(),
            call: Some(Box::new(Call {
                tool: "query_attractions".to_owned(),
                arguments,
            })),
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
        let mut live = Live::first("reference");
        let seen = live.call(call);
        assert!(seen.done, "{call}");
        assert!(data(&seen)["aborted"].is_string(), "{call}");
        let score = live.score();
        assert!(!score.success && score.detail["aborted"].is_string());
    }
    // At a name that says not what it is about it stops after its turn; in `strict` nothing stops.
    let mut live = Live::first("reference");
    let seen = live.call(r#"do_magic {"a": "b"}"#);
    assert!(!seen.done && seen.text.contains("Unknown API name"));
    assert!(live.hear("Sorry.", Utterance::text("?")).done);
    let mut live = Live::first("strict");
    for call in [
        "do_magic {}",
        "query_hotels not json",
        r#"query_hotels {"stars": "9"}"#,
    ] {
        assert!(!live.call(call).done, "{call}");
    }
    assert!(!live.hear("Sorry.", Utterance::text("?")).done);
}

#[test]
fn a_world_that_goes_on_is_refused() {
    let mut live = Live::first("strict");
    let begun = Begun {
        trial: 0,
        round: 1,
        keep_world: true,
        seed: Seed(3),
    };
    assert!(run(live.0.begin(&begun)).is_err());
    let all = tasks(&[]).unwrap();
    assert!(all.strategy_remedy("react").is_some() && all.strategy_remedy("relay").is_none());
}
