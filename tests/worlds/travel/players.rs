//! Casts by rules over the built-in country, and beside the recorded outputs for all official conversations.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use crate::support::recordings::{data, oracle};
use crate::support::{shipped, toy};
use flate2::read::GzDecoder;
use rolecall::domain::{Event, Message, Move, RoleName, Seat, Visibility};
use rolecall::environments::travel::calls::Tool;
use rolecall::environments::travel::country::Country;
use rolecall::environments::travel::env_only::Candidate;
use rolecall::environments::travel::truth::DETAILS;
use rolecall::evaluation::EpisodeResult;
use serde_json::{Value, json};

type Episode = (EpisodeResult, Vec<Event>);

/// Plays a shipped config with settings; nobody may be at fault.
fn played(config: &str, sets: &[&str]) -> Vec<Episode> {
    let episodes = toy::play(shipped::plan(&format!("travel/{config}"), sets)).in_order();
    for (result, events) in &episodes {
        let mut all = events.iter();
        let at_fault = all.any(|event| matches!(event.message, Message::Fault(_)));
        assert!(!at_fault, "{config} {sets:?} {}", result.episode);
    }
    episodes
}

/// The moves of a role.
fn moves<'e>(events: &'e [Event], role: &'e str) -> impl Iterator<Item = &'e Move> {
    events.iter().filter_map(move |event| match &event.message {
        Message::Moved(made) if event.from.to_string() == role => Some(made),
        _ => None,
    })
}

/// The lines of each chain that was laid out.
fn chains(events: &[Event]) -> Vec<String> {
    let plans = moves(events, "executor").filter_map(|made| match made {
        Move::Plan { steps } => Some(steps),
        _ => None,
    });
    let lines = plans.map(|steps| steps.iter().map(|step| step.action.text.as_str()));
    lines.map(|lines| lines.collect::<Vec<_>>().join("\n")).collect()
}

/// The question of each turn; null where nothing was asked.
fn questions(events: &[Event]) -> Vec<Value> {
    let mut questions = Vec::new();
    for made in moves(events, "clarifier") {
        match made {
            Move::Judge { .. } => questions.push(Value::Null),
            Move::Speak { text, .. } => *questions.last_mut().unwrap() = json!(text),
            _ => {}
        }
    }
    questions
}

/// The plan that was delivered.
fn plan(events: &[Event]) -> &Value {
    let mut plans = moves(events, "planner").filter_map(|made| match made {
        Move::Finish { answer } => Some(&**answer),
        _ => None,
    });
    plans.next().unwrap()
}

const FEW: &str = "tasks.limit=20";
const ALL_TRUTH: &str = "environment.truth=[\"executor\",\"clarifier\",\"planner\"]";
const STRICT: [&str; 3] = [FEW, ALL_TRUTH, "roles.clarifier.implementation=truth"];

#[test]
fn one_call_a_step_finds_what_the_whole_chain_finds() {
    let at_once = played("greedy", &STRICT);
    let stepwise = played("greedy", &[&STRICT[..], &["strategy.execution=dynamic"]].concat());
    for ((_, one), (_, other)) in at_once.iter().zip(&stepwise) {
        assert_eq!(plan(one), plan(other));
        let acts = moves(other, "executor").filter_map(|made| match made {
            Move::Act { action } => Some(action.text.as_str()),
            _ => None,
        });
        let acts: Vec<&str> = acts.filter(|text| *text != "Finish()").collect();
        assert_eq!(acts.join("\n"), chains(one).join("\n").trim());
    }
}

#[test]
fn with_the_truth_everything_is_clarified_and_nothing_else() {
    for user in ["static", "reactive"] {
        let user = format!("user.kind={user}");
        let sets = [&STRICT[..], &[&user, "strategy.mode=all"]].concat();
        for (result, events) in played("greedy", &sets) {
            let scored = events.iter().find_map(|event| match &event.message {
                Message::Scored(scored) => Some(&scored.score.detail),
                _ => None,
            });
            let detail = scored.unwrap();
            assert_eq!(detail["open"], json!([]), "{user} {}", result.episode);
            let settled = detail["settled"].as_array().unwrap();
            assert!(settled.iter().all(Value::is_string), "{user} {detail}");
            assert_eq!(detail["delivered"], true);
        }
    }
}

#[test]
fn nobody_else_is_entrusted_with_the_truth() {
    let truth = "environment.truth=[\"planner\"]";
    let refused = shipped::resolved("travel/cep", &[truth]).err().unwrap().to_string();
    assert!(refused.contains("only `greedy` may have"), "{refused}");
    let greedy = "roles.planner.implementation=greedy";
    assert!(shipped::resolved("travel/cep", &[truth, greedy]).is_ok());
}

#[test]
fn rules_plan_what_the_built_in_conversations_ask_for() {
    for user in ["static", "reactive"] {
        for execution in ["static", "dynamic"] {
            let [user, execution] = [format!("user.kind={user}"), format!("strategy.execution={execution}")];
            let episodes = played("cep", &[FEW, &user, &execution]);
            let solved = episodes.iter().filter(|episode| episode.0.success).count();
            assert!(solved >= 19, "{user} {execution}: {solved} of 20");
        }
    }
}

/// Whatever a seat sees that is not entrusted with the truth, it sees no question and no answer of the data set before
/// these were said.
#[test]
fn nobody_sees_a_detail_before_it_was_said() {
    let sets = [FEW, "environment.truth=[\"executor\"]", "roles.clarifier.implementation=environment-only"];
    let rules = Visibility { environment_hears: true, ..Visibility::default() };
    let seats = ["clarifier", "planner"].map(|role| Seat::Role(RoleName::new(role).unwrap()));
    let mut seen = 0;
    for (_, events) in played("greedy", &sets) {
        let part = events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part) if part.label == DETAILS => Some(part.value.clone()),
            _ => None,
        });
        let part = part.unwrap();
        let mut hidden: Vec<&str> = Vec::new();
        for detail in part.as_array().unwrap() {
            hidden.extend(["question", "answer"].map(|key| detail[key].as_str().unwrap()));
        }
        for event in &events {
            if let Message::Told(said) | Message::Replied(said) = &event.message {
                let at = hidden.iter().position(|text| *text == said.text);
                at.map(|at| hidden.remove(at));
            }
            let visible = seats.iter().filter(|seat| rules.allows(event, seat, None));
            let text = serde_json::to_string(&event.message).unwrap();
            for seat in visible {
                seen += 1;
                let leaked = hidden.iter().find(|hidden| text.contains(&json!(hidden).to_string()));
                assert_eq!(leaked, None, "{seat} sees {text}");
            }
        }
    }
    assert!(seen > 1_000);
}

/// What was recorded for every second of the 1,000 test conversations.
struct Recorded {
    outputs: Value,
    /// The recorded question for each of ours.
    questions: BTreeMap<&'static str, String>,
}

impl Recorded {
    fn read(oracle: &Path) -> Self {
        let file = File::open(oracle.join("e2e_test1000_outputs.json.gz")).unwrap();
        let tables = std::fs::read_to_string(oracle.join("env_only_questions.json")).unwrap();
        let tables: Value = serde_json::from_str(&tables).unwrap();
        let mut questions = BTreeMap::new();
        for (key, missing) in [("missing", true), ("unfeasible", false)] {
            for (tool, texts) in tables[key].as_object().unwrap() {
                let tool = Tool::named(tool).unwrap();
                for (index, text) in texts.as_array().unwrap().iter().enumerate() {
                    let own = Candidate { tool, missing, index }.question();
                    questions.insert(own, text.as_str().unwrap().to_owned());
                }
            }
        }
        Self { outputs: serde_json::from_reader(GzDecoder::new(file)).unwrap(), questions }
    }

    /// What was recorded of an episode, if anything was.
    fn of(&self, part: &str, events: &[Event]) -> Option<&Value> {
        let Message::Opened(opened) = &events[0].message else {
            panic!("{:?}", events[0]);
        };
        let (_, number) = opened.task.id.rsplit_once('_').unwrap();
        self.outputs[part].get(number)
    }
}

/// Whether two plans are the same but for meals and rooms of one price: which of these the original takes depends on its
/// machine.
fn is_same(country: &Country, one: &Value, other: &Value) -> bool {
    let price = |key: &str, text: &Value| {
        let (name, city) = text.as_str().unwrap().rsplit_once(", ").unwrap();
        match key {
            "accommodation" => {
                let mut rows = country.accommodations(city).iter();
                rows.find(|row| row.name == name).unwrap().price
            }
            _ => {
                let mut rows = country.restaurants(city).iter();
                rows.find(|row| row.name == name).unwrap().average_cost as f64
            }
        }
    };
    let days = |plan: &Value| plan.as_array().unwrap().clone();
    let (one, other) = (days(one), days(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| {
            let keys = one.as_object().unwrap().keys();
            one.as_object().unwrap().len() == other.as_object().unwrap().len()
                && keys.into_iter().all(|key| {
                    let tied = ["breakfast", "lunch", "dinner", "accommodation"];
                    one[key] == other[key]
                        || tied.contains(&key.as_str()) && price(key, &one[key]) == price(key, &other[key])
                })
        })
}

/// Baselines by rules in whole episodes over all official conversations, turn by turn as the data set has them.
#[test]
fn baselines_play_as_recorded() {
    let (Some(oracle), Some(data)) = (oracle("travel"), data("travel")) else {
        return;
    };
    let recorded = Recorded::read(&oracle);
    let country = Country::load(&data, &()).unwrap();
    let data = format!("environment.data={}", data.display());
    let sets = [&data, ALL_TRUTH, "tasks.limit=1000", "run.segment_mb=1024"];
    let asks = "roles.clarifier.implementation=environment-only";
    let mut compared = 0;
    for (result, events) in played("greedy", &[&sets[..], &[asks]].concat()) {
        let Some(expected) = recorded.of("greedy", &events) else {
            continue;
        };
        let expected = &expected["greedy_search_results"];
        assert!(is_same(&country, expected, plan(&events)), "{}", result.episode);
        let asked = questions(&events).into_iter().map(|question| match question {
            Value::String(text) => json!(recorded.questions[text.as_str()]),
            none => none,
        });
        let expected = recorded.of("environment_only", &events).unwrap();
        assert_eq!(asked.collect::<Value>(), *expected, "{}", result.episode);
        compared += 1;
    }
    let all =
        ["roles.executor.implementation=brute-force", "roles.clarifier.implementation=truth", "strategy.plans=false"];
    for (result, events) in played("greedy", &[&sets[..], &all].concat()) {
        if let Some(expected) = recorded.of("brute_force", &events) {
            assert_eq!(json!(chains(&events)), *expected, "{}", result.episode);
            compared += 1;
        }
    }
    assert_eq!(compared, 1_000);
}
