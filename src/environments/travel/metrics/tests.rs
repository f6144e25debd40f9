use serde_json::{Value, json};

use super::*;
use rolecall_core::domain::*;

/// A conversation in which the number of days and of travellers is missing.
fn conversation() -> Value {
    let detail = |attribute: &str, value: i64, question: &str, answer: &str| {
        json!({
            "attribute": attribute, "operation": "ADD", "value": value, "priority": 0.0, "question": question,
            "answer": answer,
        })
    };
    json!({
        "id": "t", "level": "medium", "query": "A trip to Bath.",
        "request": {
            "org": "Troy", "dest": ["Bath on day 1"], "days": -1, "departure_date": "2022-03-05", "people_number": -1,
            "housing": ["pets"], "cuisine": [], "transportation": "no flight", "budget": 900,
        },
        "details": [
            detail("days", 3, "How many days will the trip last?", "3 days."),
            detail("people_number", 2, "How many people will travel?", "Two."),
        ],
    })
}

fn part(audience: Seat, label: &str, value: Value) -> Message {
    Message::Entrusted(Box::new(PrivateInfo { audience, label: label.to_owned(), value: std::sync::Arc::new(value) }))
}

fn begun() -> Vec<Message> {
    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) };
    let seen = Observation::text("A trip to Bath.");
    vec![part(Seat::Conductor, "reference", conversation()), Message::Begun(begun), Message::Observed(seen)]
}

fn brief(kinds: &[MoveKind]) -> Message {
    Message::Brief(Brief { open: MoveKinds::of(kinds), ..Brief::default() })
}

/// A call that is performed, and what came of it.
fn call(text: &str, status: &str, shown: &str) -> [Message; 2] {
    let seen = Observation {
        data: Some(Box::new(json!({ "status": status }))),
        invalid: status != "successful",
        ..Observation::text(shown)
    };
    [Message::Perform(Action::text(text)), Message::Observed(seen)]
}

fn judge(clarify: bool) -> Message {
    let reason = None;
    Message::Moved(Move::Judge { clarify, reason })
}

fn speak(text: &str) -> Message {
    let (text, act) = (text.to_owned(), None);
    Message::Moved(Move::Speak { text, act })
}

fn talk(question: &str, answer: &str) -> [Message; 3] {
    [
        Message::Told(Utterance::text(question)),
        Message::Replied(Utterance::text(answer)),
        Message::Observed(Observation::default()),
    ]
}

fn collect() -> Message {
    let call = Call { tool: "collect".to_owned(), arguments: json!({}) };
    Message::Perform(Action { text: "Collect()".to_owned(), call: Some(Box::new(call)) })
}

fn scored(detail: Value) -> Message {
    Message::Scored(Box::new(Scored {
        trial: 0,
        round: 0,
        ending: Ending::Failed,
        score: Score { detail, ..Score::default() },
    }))
}

fn measured(messages: Vec<Message>) -> impl Fn(&str) -> Measurement {
    let events = Event::numbered(messages);
    let id: EpisodeId = "main:0:0".parse().unwrap();
    let log = EpisodeLog::new(&id, events.iter().collect());
    let all: Vec<(Cow<'static, str>, Measurement)> = METRICS
        .iter()
        .flat_map(|entry| {
            let metric = entry.metric;
            let measured = (metric.name().into(), metric.measure(&log));
            std::iter::once(measured).chain(metric.further(&log))
        })
        .collect();
    move |name| {
        let found = all.iter().find(|(figure, _)| figure == name);
        found.map_or(Measurement::Absent, |(_, found)| *found)
    }
}

const LINES: [&str; 5] = [
    "AccommodationSearch(\"Bath\", [\"pets\"])",
    "RestaurantSearch(\"Bath\", [])",
    "AttractionSearch('Bath')",
    "DistanceMatrix(\"Troy\", \"Bath\", \"taxi\")",
    "nonsense",
];

#[test]
fn turns_and_plans_have_figures() {
    let mut all = begun();
    let plan = Move::Plan { steps: Vec::new() };
    all.extend([brief(&[MoveKind::Plan]), Message::Moved(plan.clone())]);
    for line in LINES {
        let status = if line == "nonsense" { "invalid action type" } else { "successful" };
        all.extend(call(line, status, line));
    }
    all.extend([brief(&[MoveKind::Judge]), judge(true), speak("How many days?")]);
    all.extend(talk("How many days?", "3 days."));
    all.extend([brief(&[MoveKind::Plan]), Message::Moved(plan)]);
    all.extend(call("nonsense", "invalid action type", "nonsense"));
    all.extend([judge(false), collect()]);
    let verdict = json!({
        "commonsense": { "city_route": [true, null], "sandbox": [true, null], "complete": [false, "no"] },
        "hard": { "transportation": [true, null], "budget": [true, null], "housing": [false, "no"] },
        "final": false,
    });
    let detail = json!({
        "delivered": true, "settled": ["days"], "open": ["people_number"], "reference": verdict,
        "worded": { "commonsense": {}, "hard": null, "final": false },
    });
    all.push(scored(detail));
    let of = measured(all);
    use Measurement::{Absent, Rate, Share, Sum, Value};
    for (name, figure) in [
        ("clarify_accuracy", Share { hits: 1, n: 2 }),
        ("clarify_accuracy_macro", Rate(false)),
        ("vague_recall", Share { hits: 1, n: 2 }),
        ("clear_recall", Absent),
        ("rule_score", Share { hits: 1, n: 1 }),
        ("question_bleu", Sum { sum: 0.0, n: 1 }),
        ("well_formed", Sum { sum: 0.8, n: 2 }),
        ("call_pass", Share { hits: 0, n: 2 }),
        ("conversation_turns", Value(2.0)),
        ("steps_per_turn", Absent),
        ("calls_per_turn", Sum { sum: 6.0, n: 2 }),
        ("errors_per_turn", Sum { sum: 2.0, n: 2 }),
        ("repeated_errors", Sum { sum: 1.0, n: 1 }),
        ("plan_delivered", Rate(true)),
        ("commonsense", Share { hits: 2, n: 8 }),
        ("commonsense_complete", Rate(false)),
        // Of three constraints of the request two count at this level.
        ("hard", Sum { sum: 2.0, n: 2 }),
        ("hard_macro", Rate(false)),
        ("hard_cuisine", Absent),
        ("hard_housing", Rate(false)),
        ("worded_hard", Sum { sum: 0.0, n: 3 }),
        ("final_pass", Rate(false)),
    ] {
        assert_eq!(of(name), figure, "{name}");
    }
    // Of the tools accommodation, restaurant, attraction and distance all are called, then none.
    assert_eq!(of("api_match"), Sum { sum: 1.0, n: 2 });
}

#[test]
fn judges_are_asked_of_questions_with_what_is_open() {
    let mut all = begun();
    all.extend([brief(&[MoveKind::Judge]), judge(true), speak("How many days?")]);
    all.extend(talk("How many days?", "3 days."));
    all.extend([brief(&[MoveKind::Judge]), judge(true), speak("And who?")]);
    all.push(scored(json!({ "delivered": false, "settled": ["days"] })));
    let events = Event::numbered(all);
    let id: EpisodeId = "main:0:0".parse().unwrap();
    let log = EpisodeLog::new(&id, events.iter().collect());
    let parts = |place: usize| QUESTIONS[place].parts.unwrap()(&log);
    let lines = |place: usize, part: usize| -> Vec<String> {
        let parts = parts(place);
        parts[part].lines.iter().map(|(_, text)| text.clone()).collect()
    };
    assert_eq!(parts(0).len(), 2);
    let people = "ask for the number of travellers and for nothing else";
    assert_eq!(lines(0, 1), [people, "And who?"]);
    assert_eq!(lines(0, 0).len(), 3);
    assert_eq!(lines(1, 0).len(), 7);
}

#[test]
fn steps_have_statuses() {
    let mut all = begun();
    let act = |text: &str| Message::Moved(Move::act(text));
    for _ in 0..3 {
        all.extend([brief(&[MoveKind::Act]), act("AttractionSearch(\"Bath\")")]);
        all.extend(call("AttractionSearch(\"Bath\")", "tool error", "No."));
    }
    all.extend([brief(&[MoveKind::Act]), act("AttractionSearch(\"Bath\")")]);
    all.push(scored(json!({ "delivered": false, "settled": [] })));
    let of = measured(all);
    use Measurement::{Absent, Share, Sum};
    for (name, figure) in [
        ("steps_per_turn", Sum { sum: 4.0, n: 1 }),
        ("step_tool_error", Sum { sum: 0.75, n: 1 }),
        ("step_repeated_action", Sum { sum: 0.25, n: 1 }),
        ("calls_per_turn", Sum { sum: 3.0, n: 1 }),
        ("repeated_errors", Absent),
        ("clarify_accuracy", Absent),
        ("call_pass", Share { hits: 0, n: 1 }),
        ("plan_delivered", Absent),
    ] {
        assert_eq!(of(name), figure, "{name}");
    }
}

#[test]
fn native_calls_of_one_answer_are_a_chain() {
    let mut all = begun();
    all.push(Message::Brief(Brief {
        open: MoveKinds::of(&[MoveKind::Act, MoveKind::Finish]),
        several: true,
        ..Brief::default()
    }));
    all.extend(LINES[..2].iter().map(|line| Message::Moved(Move::act(*line))));
    all.extend(LINES[..2].iter().flat_map(|line| call(line, "successful", "x")));
    all.push(scored(json!({ "delivered": false, "settled": [], "open": [] })));
    let of = measured(all);
    let sum = |sum| Measurement::Sum { sum, n: 1 };
    assert_eq!(of("calls_per_turn"), sum(2.0));
    assert_eq!(of("call_precision"), sum(1.0));
    assert_eq!(of("repeat_rate"), sum(0.0));
    assert_eq!(of("steps_per_turn"), Measurement::Absent);
}

#[test]
fn an_episode_that_was_cut_short_delivered_no_plan() {
    let mut all = begun();
    all.push(brief(&[MoveKind::Plan]));
    let Message::Scored(mut last) = scored(json!({ "delivered": false, "settled": [] })) else { panic!("not scored") };
    last.ending = Ending::OutOf { limit: Limit::Steps };
    all.push(Message::Scored(last));
    let of = measured(all);
    assert_eq!(of("plan_delivered"), Measurement::Rate(false));
    assert_eq!(of("final_pass"), Measurement::Rate(false));
}
