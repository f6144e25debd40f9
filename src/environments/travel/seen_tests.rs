//! Tests of a seat's knowledge after messages.

use serde_json::json;

use super::*;
use rolecall_core::domain::{Call, MoveKinds, Notation, PlanStep, Section, Utterance};

/// The executor's knowledge after these messages.
fn seen(messages: impl IntoIterator<Item = Message>) -> Seen {
    let mut seen = Seen::default();
    let seat = Seat::Environment;
    messages.into_iter().for_each(|message| seen.fold(&message, &seat));
    seen
}

fn performed(action: Action, data: Value, text: &str) -> [Message; 2] {
    let observed =
        Observation { invalid: data["status"] == "tool error", data: Some(Box::new(data)), ..Observation::text(text) };
    [Message::Perform(action), Message::Observed(observed)]
}

fn call(text: &str, status: &str, shown: &str) -> [Message; 2] {
    performed(Action::text(text), json!({ "status": status, "call": text }), shown)
}

fn briefed(notation: &str) -> Message {
    Message::Brief(Brief {
        open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act]),
        notation: Notation::new(notation).ok(),
        ..Brief::default()
    })
}

fn said(question: &str, reply: Utterance) -> [Message; 2] {
    [Message::Told(Utterance::text(question)), Message::Replied(reply)]
}

#[test]
fn results_are_those_of_this_turn_that_succeeded_each_once() {
    let calls = [call("A(1)", "successful", "x"), call("B(2)", "tool error", "no"), call("A(1)", "successful", "y")];
    let turn = seen(calls.concat());
    assert_eq!(turn.results(), [("A(1)".to_owned(), "y".to_owned())]);
    assert_eq!(turn.chain(), ["A(1)", "B(2)", "A(1)"]);
    let leaving = said("Else?", Utterance::leaving("No.", true));
    let left = seen([calls.concat(), leaving.into()].concat());
    assert_eq!((left.results().len(), left.exchanges().len()), (1, 0));
    let answered = said("When?", Utterance::text("Today."));
    let next = seen([calls.concat(), answered.into()].concat());
    assert!(next.results().is_empty() && next.chain().is_empty());
    assert_eq!(next.exchanges()[0].answer, "Today.");
}

#[test]
fn steps_are_written_into_the_scratchpad() {
    let mut messages = vec![
        briefed("tool-thought"),
        Message::Moved(Move::think("t")),
        briefed("tool-action"),
        Message::Moved(Move::act("A(1)")),
    ];
    messages.extend(call("A(1)", "successful", "x"));
    messages.push(briefed("tool-thought"));
    let steps = seen(messages);
    let lines = ["Thought 0: t", "Action 0: A(1)", "Observation 0: x"];
    assert_eq!(steps.run().lines(), lines);
    assert_eq!(steps.to_be_written().as_deref(), Some("Thought 1:"));
}

#[test]
fn a_planner_has_full_results_and_its_enquiries() {
    let collect = Action {
        text: "Collect()".to_owned(),
        call: Some(Box::new(Call { tool: COLLECT.to_owned(), arguments: Value::Null })),
    };
    let all = json!({ "results": { "Attractions in A": "all" } });
    let messages = [performed(collect, all, "One result is at hand."), call("C(3)", "tool error", "no")];
    let planner = seen(messages.concat());
    let result = ("Attractions in A".to_owned(), "all".to_owned());
    assert_eq!(planner.collected(), Some(&[result][..]));
    assert_eq!(planner.enquiries()[0].shown, "no");
    assert!(planner.enquiries()[0].invalid && planner.chain().is_empty());
}

#[test]
fn steps_of_a_plan_go_when_they_are_performed() {
    let steps = vec![PlanStep::of("A(1)"), PlanStep::of("B(2)")];
    let mut messages = vec![Message::Moved(Move::Plan { steps })];
    messages.extend(call("A(1)", "successful", "x"));
    assert_eq!(seen(messages).planned(), [Action::text("B(2)")]);
}

#[test]
fn a_seat_follows_a_run_however_often_it_repeats_and_forgets_lessons_of_other_turns() {
    let mut messages = Vec::new();
    for _ in 0..5 {
        messages.extend([briefed("tool-action"), Message::Moved(Move::act("A(1)"))]);
        messages.extend(call("A(1)", "tool error", "no"));
    }
    let lines = seen(messages.clone()).run().lines().to_vec();
    assert_eq!(lines.last().map(String::as_str), Some("Observation 4: no"));
    let lesson = Section { name: "lessons".to_owned(), text: "Not A.".to_owned() };
    messages.push(Message::Brief(Brief { sections: vec![lesson].into(), ..Brief::default() }));
    assert_eq!(seen(messages.clone()).lessons(), ["Not A."]);
    messages.extend(said("When?", Utterance::text("Today.")));
    assert!(seen(messages).lessons().is_empty());
}
