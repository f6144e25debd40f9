//! Requests as episodes have them: calls in text and by tools, what is clarified, and the plan that is judged.

use std::sync::Arc;

use crate::support::live::{self, Live, call, run};
use proptest::prelude::*;
use rolecall::domain::{Action, Observation, RoleName, Seat, Utterance};
use rolecall::environments::travel::tasks::{PARAMETERS, REFERENCE, build};
use rolecall::environments::travel::truth::{DETAILS, TRUTH};
use rolecall::ports::{OpenTask, ParameterValue, SetupError, TaskSource, conformance};
use serde_json::{Value, json};

fn tasks(values: &[(&'static str, ParameterValue)]) -> Result<Arc<dyn TaskSource>, SetupError> {
    live::tasks(build, PARAMETERS, values)
}

fn data<'o>(seen: &'o Observation, key: &str) -> &'o Value {
    &seen.data.as_deref().unwrap()[key]
}

/// What a seat is entrusted with.
fn part(task: &OpenTask, seat: &Seat, label: &str) -> Option<Arc<Value>> {
    let mut parts = task.task.private.iter();
    let part = parts.find(|part| part.audience == *seat && part.label == label)?;
    Some(Arc::clone(&part.value))
}

/// The first built-in task with so many details.
fn with_details(number: usize) -> OpenTask {
    let all = tasks(&[]).unwrap();
    let mut opened = (0..all.len()).map(|index| all.open(index).unwrap());
    let of = |task: &OpenTask| part(task, &Seat::User, DETAILS).unwrap();
    opened.find(|task| of(task).as_array().unwrap().len() == number).unwrap()
}

#[test]
fn the_request_is_shown_and_what_it_lacks_is_not() {
    let task = with_details(2);
    let (_, first) = Live::of(&task);
    assert_eq!(first.text, task.task.public.text);
    assert_eq!(task.task.public.groups["details"], "2 details");
    for private in &task.task.private {
        let shared = [(Seat::User, DETAILS), (Seat::Conductor, REFERENCE)];
        assert!(shared.contains(&(private.audience.clone(), &*private.label)));
    }
}

#[test]
fn the_truth_is_for_the_roles_of_the_config_and_they_are_named_to_it() {
    let list = ParameterValue::List(vec!["planner".to_owned()]);
    let all = tasks(&[("truth", list)]).unwrap();
    let named: Vec<&str> = all.ground_truth().iter().map(|seat| seat.role).collect();
    assert_eq!(named, ["planner"]);
    let task = all.open(0).unwrap();
    let of = |role: &str| part(&task, &Seat::Role(RoleName::new(role).unwrap()), TRUTH);
    assert!(of("planner").is_some() && of("clarifier").is_none());
}

#[test]
fn a_call_of_a_tool_is_the_same_as_its_text_and_what_is_wrong_is_refused() {
    let task = with_details(0);
    let (mut one, mut other) = (Live::of(&task).0, Live::of(&task).0);
    let reference = part(&task, &Seat::Conductor, REFERENCE).unwrap();
    let city = reference["request"]["org"].as_str().unwrap();
    let text = one.text(&format!("RestaurantSearch(\"{city}\", [])"));
    let called = other.call("RestaurantSearch", json!({ "city": city }));
    assert_eq!(text, called);
    assert_eq!(data(&text, "status"), "successful");
    assert!(text.text.ends_with("\n..."));
    for (action, status) in [
        ("", "null action"),
        ("look", "invalid action type"),
        ("AttractionSearch(Boston)", "invalid params"),
        ("AttractionSearch(\"Atlantis\")", "tool error"),
        ("BudgetEstimator(\"X\", [], [], 1)", "tool error"),
        ("CostEnquiry({})", "invalid action type"),
    ] {
        let seen = one.text(action);
        assert!(seen.invalid && !seen.done, "{action}");
        assert_eq!(data(&seen, "status"), status, "{action}");
    }
    let seen = one.text("Finish()");
    assert!(!seen.invalid && data(&seen, "status") == "finish");
}

#[test]
fn planners_see_everything_and_their_plan_is_judged_in_both_ways() {
    let task = with_details(0);
    let (mut live, _) = Live::of(&task);
    let reference = part(&task, &Seat::Conductor, REFERENCE).unwrap();
    let city = reference["request"]["org"].as_str().unwrap();
    let search = format!("RestaurantSearch(\"{city}\", [])");
    let part = live.text(&search);
    let calls = [search.as_str(), "nonsense", search.as_str()];
    let collected = live.call("collect", json!({ "calls": calls }));
    let results = data(&collected, "results").as_object().unwrap();
    let key = format!("List all restaurants in {city}");
    assert_eq!(results.keys().collect::<Vec<_>>(), [&key]);
    let full = live.text(&search);
    assert_eq!(results[&key], full.text);
    assert_ne!(full.text, part.text);
    let cost = live.text("CostEnquiry({\"people_number\": 2})");
    assert_eq!(data(&cost, "status"), "successful");
    assert!(live.text("CostEnquiry({\"people_number\": \"2\"})").invalid);
    let undelivered = live.score();
    assert_eq!(undelivered.detail["delivered"], false);
    let day = json!({ "day": 1, "current_city": "here" });
    let plan = live.call("plan", json!({ "plan": [day, day] }));
    assert!(plan.done);
    let score = live.score();
    assert_eq!(score.detail["delivered"], true);
    for way in ["reference", "worded"] {
        assert_eq!(score.detail[way]["final"], false, "{way}");
        let commonsense = score.detail[way]["commonsense"].as_object().unwrap();
        assert_eq!(commonsense.len(), 8);
    }
    assert!(live.text(&search).invalid);
}

#[test]
fn what_is_no_plan_is_not_delivered() {
    for plan in [json!(null), json!("Fly."), json!([]), json!([{}, {}])] {
        let (mut live, _) = Live::of(&with_details(0));
        assert!(live.call("plan", json!({ "plan": plan })).done);
        let score = live.score();
        assert!(!score.success && score.detail["delivered"] == false, "{plan}");
    }
}

#[test]
fn replies_settle_details_by_their_words_or_by_what_they_say() {
    let task = with_details(2);
    let details = part(&task, &Seat::User, DETAILS).unwrap();
    let [first, second] = [&details[0], &details[1]];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (mut live, _) = Live::of(&task);
    live.hear("How are you?", Utterance::text("Fine."));
    live.hear("How are you?", Utterance::text(text(&second["answer"])));
    let score = live.score();
    assert_eq!(score.detail["settled"], json!([null, second["attribute"]]));
    assert_eq!(score.detail["open"], json!([first["attribute"]]));
    live.hear("And else?", Utterance::text(text(&first["answer"])));
    assert_eq!(live.score().detail["open"], json!([]));
}

#[test]
fn answers_in_other_words_settle_most_details() {
    let all = tasks(&[]).unwrap();
    let (mut settled, mut asked) = (0, 0);
    for index in 0..all.len() {
        let task = all.open(index).unwrap();
        let (mut live, _) = Live::of(&task);
        for detail in part(&task, &Seat::User, DETAILS).unwrap().as_array().unwrap() {
            let answer = detail["answer"].as_str().unwrap();
            let other = format!("Well, let me think. {} Is that fine with you?", answer);
            live.hear(detail["question"].as_str().unwrap(), Utterance::text(&*other));
            asked += 1;
        }
        let score = live.score();
        let replies = score.detail["settled"].as_array().unwrap();
        settled += replies.iter().filter(|settled| settled.is_string()).count();
    }
    println!("{settled} of {asked} details are settled in other words");
    assert!(settled * 100 >= asked * 97, "{settled} of {asked}");
}

#[test]
fn data_that_cannot_be_used_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = |path: &std::path::Path| ParameterValue::Path(path.to_owned());
    let refused = |values: &[(&'static str, ParameterValue)]| {
        let error = tasks(values).err().unwrap();
        error.to_string()
    };
    let missing = refused(&[("data", path(&folder.path().join("none")))]);
    assert!(missing.contains("cannot be read"), "{missing}");
    let empty = refused(&[("data", path(folder.path()))]);
    assert!(empty.contains("holds no conversations"), "{empty}");
}

/// Texts that agents and users may write: pieces of calls in any order.
fn written() -> impl Strategy<Value = String> {
    let pieces = [
        "AccommodationSearch(",
        "RestaurantSearch",
        "AttractionSearch(\"",
        "DistanceMatrix(",
        "FlightSearch(",
        "BudgetEstimator(",
        "Finish()",
        "CostEnquiry({",
        "Plan([{",
        "\"",
        "'",
        ")",
        "]",
        "[",
        ", ",
        "{",
        "}",
        "\n",
        "taxi",
        "2022-03-05",
        "99999999999999999999",
        "-1",
        "people_number",
        "current_city",
        ":",
        "\\",
        "é",
        "(",
    ];
    let piece = prop::sample::select(pieces.to_vec());
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Arguments that a model may give to a native tool.
fn arguments() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!(-3)),
        Just(json!(1e300)),
        Just(json!([1, null, "a"])),
        Just(json!({ "current_city": 4 })),
        Just(json!([{ "current_city": "a" }, { "current_city": "from b to c", "transportation": "Flight Number: " }])),
        written().prop_map(Value::String),
    ];
    let names = [
        "city",
        "filters",
        "cuisines",
        "origin",
        "destination",
        "destinations",
        "date",
        "dates",
        "mode",
        "calls",
        "people_number",
        "plan",
        "subplan",
        "variant",
    ];
    let field = (prop::sample::select(names.to_vec()), value);
    prop::collection::vec(field, 0..5).prop_map(|fields| {
        let fields = fields.into_iter().map(|field| (field.0.to_owned(), field.1));
        Value::Object(fields.collect())
    })
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let tools = [
        "AccommodationSearch",
        "RestaurantSearch",
        "AttractionSearch",
        "DistanceMatrix",
        "FlightSearch",
        "BudgetEstimator",
        "CostEnquiry",
        "collect",
        "plan",
        "sing",
    ];
    let native = (prop::sample::select(tools.to_vec()), arguments());
    let native = native.prop_map(|parts| call(parts.0, parts.1));
    let action = prop_oneof![written().prop_map(Action::text), native];
    prop::collection::vec(action, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_done_and_said_the_world_shows_the_same_for_the_same(
        actions in actions(),
        said in prop::collection::vec((written(), written()), 0..4),
        index in 0_usize..40,
    ) {
        let all = tasks(&[]).unwrap();
        let task = all.open(index % all.len()).unwrap();
        let checked = run(conformance::environment(&task.environment, &actions));
        prop_assert_eq!(checked, Ok(()));
        let (mut live, _) = Live::of(&task);
        for (question, reply) in &said {
            live.hear(question, Utterance::text(reply));
        }
        live.score();
    }
}
