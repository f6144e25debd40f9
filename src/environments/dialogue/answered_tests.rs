use serde_json::json;

use super::*;
use rolecall_core::domain::*;

fn opened(data: Value) -> Message {
    let mut task = PublicTask::new("t", "cima", "");
    task.data = data;
    Message::Opened(Box::new(Opened {
        task: Arc::new(task),
        cell: CellName::new("main").unwrap(),
        strategy: "tpe".to_owned(),
        roles: Vec::new(),
        user: None,
        fork: None,
        served: None,
    }))
}

fn private_info(value: Value) -> Message {
    Message::Entrusted(Box::new(PrivateInfo {
        audience: Seat::Conductor,
        label: REFERENCE.to_owned(),
        value: Arc::new(value),
    }))
}

fn plan(names: &[&str]) -> Message {
    Message::Moved(Move::Plan { steps: names.iter().map(|name| PlanStep::of(*name)).collect() })
}

fn respond(text: &str) -> Message {
    Message::Perform(Action {
        text: format!("respond[{text}]"),
        call: Some(Box::new(Call { tool: RESPOND.to_owned(), arguments: json!({"text": text}) })),
    })
}

fn brief() -> Message {
    Message::Brief(Brief { open: MoveKinds::of(&[MoveKind::Plan]), ..Brief::default() })
}

fn answered(messages: Vec<Message>) -> Option<Answered> {
    let events = Event::numbered(messages);
    let id = "main:0:0".parse().unwrap();
    let log = EpisodeLog::new(&id, events.iter().collect());
    Answered::of(&log).map(|found| (*found).clone())
}

fn tutoring() -> Value {
    json!({"dataset": "cima", "language": "en", "tools": [{"name": "Hint"}, {"name": "Question"}]})
}

#[test]
fn the_response_is_the_first_that_was_given_and_what_follows_does_not_count() {
    let private = json!({"references": ["a", "b"], "strategies": [["Question", "Hint"], ["Hint"]]});
    let found = answered(vec![
        opened(tutoring()),
        private_info(private),
        brief(),
        plan(&["Hint", "Hint", "Sing", "Question"]),
        respond("first]"),
        plan(&["Question"]),
        respond("second"),
    ])
    .unwrap();
    assert_eq!((found.response.text.as_str(), found.response.references.len()), ("first]", 2));
    let planned = found.response.planned.as_deref().map(Response::collapsed);
    assert_eq!(planned, Some(vec!["Hint", "Question"]));
    assert_eq!(found.is_planned_as_annotated(), Some(true));
    assert_eq!(found.response.language, "en");
}

#[test]
fn without_a_response_the_last_answer_that_is_a_text_counts() {
    let finish = |answer: Value| Message::Moved(Move::Finish { answer: Box::new(answer) });
    let given = |last: Vec<Message>| {
        let first = vec![opened(tutoring()), private_info(json!({"references": ["a"]}))];
        answered(first.into_iter().chain(last).collect()).unwrap()
    };
    let found = given(vec![finish(json!("x")), finish(json!("y")), finish(Value::Null)]);
    assert_eq!(found.response.text, "y");
    // No plan was asked for, so there is nothing to be right.
    assert_eq!((found.response.planned.clone(), found.is_planned_as_annotated()), (None, None));
    assert_eq!(given(Vec::new()).response.text, "");
    let bare = given(vec![Message::Perform(Action::text("respond[a [b] c]"))]);
    assert_eq!(bare.response.text, "a [b] c");
    // A planner that planned nothing.
    let silent = given(vec![brief(), respond("x")]);
    assert_eq!(silent.response.planned, Some(Vec::new()));
}

#[test]
fn only_what_metrics_may_see_makes_a_answered() {
    assert_eq!(answered(vec![]), None);
    assert_eq!(answered(vec![opened(tutoring())]), None);
    assert_eq!(answered(vec![opened(tutoring()), brief(), private_info(json!({}))]), None);
    let odd = answered(vec![opened(Value::Null), private_info(json!([1]))]).unwrap();
    assert_eq!(
        odd,
        Answered { response: Response { language: "en".to_owned(), ..Response::default() }, ..Answered::default() }
    );
}

#[test]
fn right_texts_are_counted_by_source_and_rank() {
    let observed = |source: &str, retrieved: &[u64]| {
        Message::Observed(Observation {
            data: Some(Box::new(json!({"source": source, "retrieved": retrieved}))),
            ..Observation::text("")
        })
    };
    let found = answered(vec![
        opened(json!({"dataset": "focus", "tools": [{"name": "PERSONA"}]})),
        private_info(json!({"gold": {"PERSONA": [1, 3], "DOCUMENT": [7], "OTHER": []}})),
        brief(),
        plan(&["PERSONA"]),
        observed("PERSONA", &[0, 3]),
        observed("DOCUMENT", &[7, 1]),
        observed("DOCUMENT", &[7]),
        Message::Observed(Observation::text("no data")),
        respond("x"),
        observed("PERSONA", &[1]),
    ])
    .unwrap();
    assert_eq!(found.response.planned, None, "sources are no strategies");
    assert_eq!(found.retrievals.len(), 3);
    assert_eq!(found.found("PERSONA"), Some((1, 2)));
    assert_eq!(found.found("DOCUMENT"), Some((1, 1)));
    assert_eq!((found.found("OTHER"), found.found("NONE")), (None, None));
    assert_eq!(found.correct("PERSONA", 1), Some(0));
    assert_eq!(found.correct("PERSONA", 2), Some(1));
    assert_eq!(found.correct("DOCUMENT", 1), Some(2));
    assert_eq!(found.correct("NONE", 1), None);
}
