//! What is measured of responses, plans and retrievals on dialogue tasks, over made-up episodes: metrics,
//! analyses in every form, and that episodes on other tasks have none of it.

use std::sync::Arc;

use rolecall::domain::*;
use rolecall::evaluation::analyses::{Collector, Row, Tagger};
use rolecall::evaluation::{Overlap, measure};
use rolecall::ports::{EpisodeLog, Measurement};
use rolecall::reports::Layout;
use rolecall::reports::analyses::{self, Analyses};
use rolecall::reports::html;
use serde_json::{Value, json};

/// An episode from its cell and number, the public data of its task, the private part and what happened.
struct Story {
    id: EpisodeId,
    events: Vec<Event>,
}

impl Story {
    fn new(place: &str, data: &Value, private: Option<Value>, messages: Vec<Message>) -> Self {
        let id: EpisodeId = place.parse().unwrap();
        let dataset = data["dataset"].as_str().unwrap_or("put");
        let mut task = PublicTask::new(format!("t{}", id.task), dataset, "");
        task.data = data.clone();
        let opened = Message::Opened(Box::new(Opened {
            task: Arc::new(task),
            cell: id.cell.clone(),
            strategy: "tpe".to_owned(),
            roles: Vec::new(),
            user: None,
            fork: None,
            served: None,
        }));
        let private = private.map(|value| {
            Message::Entrusted(Box::new(PrivateInfo {
                audience: Seat::Conductor,
                label: "reference".to_owned(),
                value: Arc::new(value),
            }))
        });
        let closed =
            Message::Closed(Outcome { ending: Ending::Solved, success: true, reward: 0.0, counts: Counts::default() });
        let all = std::iter::once(opened).chain(private).chain(messages);
        let event = |(seq, message)| Event {
            seq,
            cause: None,
            from: Seat::Role(RoleName::new("executor").unwrap()),
            to: Seat::Conductor,
            message,
        };
        Self { events: (0..).zip(all.chain([closed])).map(event).collect(), id }
    }

    fn log(&self) -> EpisodeLog<'_> {
        EpisodeLog::new(&self.id, self.events.iter().collect())
    }

    fn measured(&self, name: &str) -> Measurement {
        let metrics = rolecall::worlds().measured();
        measure(&self.log(), &metrics).measures.get(name)
    }
}

fn tutoring() -> Value {
    json!({
        "dataset": "cima", "language": "en",
        "dialogue": [{"speaker": "STUDENT", "text": "What is the box?"}],
        "tools": [{"name": "Hint"}, {"name": "Question"}, {"name": "Correction"}],
    })
}

fn counselling() -> Value {
    json!({"dataset": "psyqa", "language": "zh", "dialogue": [], "tools": []})
}

fn sources() -> Value {
    let tools = [json!({"name": "PERSONA"}), json!({"name": "DOCUMENT"})];
    json!({"dataset": "focus", "language": "en", "dialogue": [], "tools": tools})
}

fn respond(text: &str) -> Message {
    Message::Perform(Action {
        text: format!("respond[{text}]"),
        call: Some(Box::new(Call { tool: "respond".to_owned(), arguments: json!({"text": text}) })),
    })
}

fn planned(names: &[&str]) -> Vec<Message> {
    let open = MoveKinds::of(&[MoveKind::Plan]);
    let brief = Message::Brief(Brief { open, ..Brief::default() });
    let steps = names.iter().map(|name| PlanStep::of(*name)).collect();
    vec![brief, Message::Moved(Move::Plan { steps })]
}

fn observed(source: &str, retrieved: &[u64]) -> Message {
    Message::Observed(Observation {
        data: Some(Box::new(json!({"source": source, "retrieved": retrieved, "scores": [], "texts": []}))),
        ..Observation::text("")
    })
}

fn called(prompt: u64, completion: u64) -> Message {
    Message::ModelCalled(Box::new(ModelCall {
        turn: 0,
        attempt: 0,
        call: 0,
        again: 0,
        unread: None,
        model: "large".to_owned(),
        request: String::new(),
        cost: Some((prompt + completion) as f64 * 2e-6),
        reply: ModelReply { usage: Usage { prompt, completion, ..Usage::default() }, ..ModelReply::default() },
        remembered: false,
    }))
}

fn tutor(place: &str, response: &str, names: &[&str], labels: &[&str]) -> Story {
    let private = json!({"references": ["Box is scatola."], "strategies": [labels]});
    let mut messages = planned(names);
    messages.extend([called(900, 100), respond(response)]);
    Story::new(place, &tutoring(), Some(private), messages)
}

fn rows(stories: &[Story]) -> Vec<Row> {
    let metrics = rolecall::worlds().measured();
    let mut collector = Collector::of(&rolecall::worlds().parts(), &metrics);
    for story in stories {
        collector.add("run", &story.log(), &Tagger::default());
    }
    collector.finish(None)
}

/// What is found of these parts; of all, if none is named.
fn analysed(stories: &[Story], names: &[&str]) -> Analyses {
    let registry = rolecall::worlds();
    let mut parts = registry.parts();
    parts.retain(|part| names.is_empty() || names.contains(&part.name()));
    Analyses {
        runs: vec!["run".to_owned()],
        rows: rows(stories),
        parts,
        own: registry.analyses,
        variance: None,
        raters: (None, None),
    }
}

/// The lines of a text, with single blanks.
fn lines(text: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(words).collect()
}

#[test]
fn a_response_that_is_the_reference_has_all_of_every_overlap_and_an_empty_one_has_none() {
    let text = "The box on the left is called a scatola.";
    let chinese = "\u{613f}\u{610f}\u{8bf4}\u{51fa}\u{6765}\u{5df2}\u{7ecf}\u{5f88}\u{52c7}\u{6562}\u{4e86}\u{3002}";
    for (data, text) in [(tutoring(), text), (counselling(), chinese)] {
        let story = |response: &str| {
            let private = json!({"references": [text]});
            Story::new("main:0:0", &data, Some(private), vec![respond(response)])
        };
        for overlap in Overlap::ALL {
            let value = |response: &str| match story(response).measured(overlap.name()) {
                Measurement::Value(value) => value,
                other => panic!("{other:?}"),
            };
            if !matches!(overlap, Overlap::DistinctOne | Overlap::DistinctTwo) {
                assert!((value(text) - 1.0).abs() < 1e-9, "{overlap:?} {}", value(text));
            }
            assert!(value("") < 1e-9, "{overlap:?} {}", value(""));
        }
    }
}

#[test]
fn languages_are_compared_word_by_word_or_character_by_character() {
    let f1 = |data: &Value, reference: &str, response: &str| {
        let private = json!({"references": [reference]});
        let story = Story::new("main:0:0", data, Some(private), vec![respond(response)]);
        story.measured("f1")
    };
    // Articles and marks are nothing; half of two words.
    let english = f1(&tutoring(), "The box!", "a box, red");
    assert_eq!(english, Measurement::Value(2.0 / 3.0));
    let chinese = f1(&counselling(), "\u{62b1}\u{62b1}", "\u{62b1}\u{4f60}");
    assert_eq!(chinese, Measurement::Value(0.5));
}

#[test]
fn other_tasks_have_none_of_these_figures() {
    let story = Story::new("main:0:0", &Value::Null, None, vec![respond("x")]);
    let result = measure(&story.log(), &rolecall::worlds().measured());
    let names: Vec<&str> = result.measures.names().collect();
    for overlap in Overlap::ALL {
        assert!(!names.contains(&overlap.name()), "{names:?}");
    }
    for name in ["retrievals", "persona_found", "strategies_planned", "strategy_accuracy"] {
        assert!(!names.contains(&name), "{names:?}");
    }
    let none = analysed(&[story], &[]);
    let object = analyses::object(&none);
    for part in ["responses", "strategies", "retrieval", "costs"] {
        assert_eq!(object["rows"][0][part], Value::Null);
    }
}

#[test]
fn plans_are_compared_with_what_people_saw() {
    let right = tutor("main:0:0", "x", &["Question", "Hint", "Hint"], &["Hint", "Question"]);
    assert_eq!(right.measured("strategy_accuracy"), Measurement::Rate(true));
    assert_eq!(right.measured("strategies_planned"), Measurement::Value(2.0));
    let wrong = tutor("main:0:0", "x", &["Hint"], &["Hint", "Question"]);
    assert_eq!(wrong.measured("strategy_accuracy"), Measurement::Rate(false));
    let unseen = tutor("main:0:0", "x", &["Hint"], &[]);
    assert_eq!(unseen.measured("strategy_accuracy"), Measurement::Absent);
}

#[test]
fn strategies_are_shown_beside_the_annotated_ones() {
    let stories = [
        tutor("tpe:0:0", "a", &["Correction", "Question"], &["Hint"]),
        tutor("tpe:1:0", "b", &["Correction"], &["Hint"]),
        tutor("tpe:2:0", "c", &["Hint"], &["Hint", "Question"]),
    ];
    let found = analysed(&stories, &["strategies"]);
    let text = lines(&analyses::text(&found, &Layout::default()));
    for line in ["annotated Hint 2 66.7", "tpe Correction 1 33.3", "annotated 3 1.33 33.3", "tpe cima 3 0 0.0"] {
        assert!(text.iter().any(|own| own.starts_with(line)), "{line}: {text:#?}");
    }
    assert!(text.contains(&"tpe Correction Question 1".to_owned()), "{text:#?}");
    let own = &analyses::object(&found)["rows"][0]["strategies"]["cima"];
    assert_eq!(own["planned"]["several"], json!({"n": 1, "share": 1.0 / 3.0}));
    assert_eq!(own["planned"]["transitions"][0]["to"], "Question");
    assert_eq!((&own["samples"], &own["same"]), (&json!(3), &json!(0)));
    // A chart for each row, and nothing of a name is markup.
    let page = html::analyses_page(&found);
    assert!(page.contains("strategies"));
}

#[test]
fn all_responses_together_say_something_else_than_their_mean() {
    let stories = [tutor("tpe:0:0", "Box is scatola.", &[], &[]), tutor("tpe:1:0", "No idea.", &[], &[])];
    let found = analysed(&stories, &["responses"]);
    let own = &analyses::object(&found)["rows"][0]["responses"]["cima"];
    let of = |part: &str, name: &str| own[part][name].as_f64();
    assert_eq!(own["n"], 2);
    assert_eq!(of("mean", "f1"), Some(0.5));
    assert_eq!(of("pooled", "f1"), None);
    let (mean, pooled) = (of("mean", "sacrebleu"), of("pooled", "sacrebleu"));
    assert!(mean.is_some() && pooled.is_some() && mean != pooled);
    let signature = own["signatures"]["sacrebleu"].as_str().unwrap();
    assert!(signature.contains("nrefs:1") && signature.contains("tok:13a"), "{signature}");
    let text = analyses::text(&found, &Layout::default());
    assert!(text.contains(signature), "{text}");
    assert!(!text.contains("FoCus"), "its script is for its own data: {text}");
}

#[test]
fn right_texts_are_shown_by_rank_and_calls_by_seat() {
    let private = json!({"references": ["a"], "gold": {"PERSONA": [3], "DOCUMENT": [0]}});
    let messages = vec![called(1000, 100), observed("PERSONA", &[1, 3]), observed("DOCUMENT", &[0, 2]), respond("a")];
    let story = Story::new("tpe:0:0", &sources(), Some(private), messages);
    assert_eq!(story.measured("retrievals"), Measurement::Value(2.0));
    assert_eq!(story.measured("persona_found"), Measurement::Value(1.0));
    assert_eq!(story.measured("documents_correct"), Measurement::Value(1.0));
    let found = analysed(&[story], &["retrieval", "costs", "responses"]);
    let own = &analyses::object(&found)["rows"][0];
    let ranks = own["retrieval"]["focus"]["ranks"].as_array().unwrap();
    let right = |source: &str, first: u64| {
        let mut ranks = ranks.iter();
        let rank = ranks.find(|rank| rank["source"] == source && rank["first"] == first);
        rank.unwrap()["right"].as_u64()
    };
    assert_eq!((right("PERSONA", 1), right("PERSONA", 2)), (Some(0), Some(1)));
    assert_eq!((right("DOCUMENT", 1), right("DOCUMENT", 2)), (Some(1), Some(1)));
    assert_eq!(own["costs"]["total"]["prompt"], 1000);
    assert_eq!(own["responses"]["focus"]["focus_script"].as_array().unwrap().len(), 3);
    let text = lines(&analyses::text(&found, &Layout::default()));
    // One episode of 1,100 tokens at 2 a million, and 200 of them.
    for line in ["tpe executor large 1 1 1.00 1000 100 1100 0.002200", "tpe executor large 0.4400"] {
        assert!(text.contains(&line.to_owned()), "{text:#?}");
    }
    let markdown = analyses::markdown(&found);
    assert!(markdown.contains("PERSONA"));
}
