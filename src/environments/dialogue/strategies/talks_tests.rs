//! Dialogues with a user, and arbitrary answers.

use proptest::prelude::*;
use proptest::strategy::Strategy as Proptest;

use super::played_tests::*;
use rolecall_core::domain::{Action, Call, Ending, Limit, Message, Move, Observation, PlanStep, Utterance};
use rolecall_core::ports::{Directive, ParameterValue};

/// Settings for a conversation of so many responses.
fn turns(most: i64) -> [(&'static str, ParameterValue); 1] {
    [("turns", ParameterValue::Integer(most))]
}

/// Whether the response that is given says that the dialogue goes on.
fn goes_on(played: &Played) -> bool {
    let Directive::Perform(Action { call, .. }) = played.next() else {
        panic!("nothing is performed");
    };
    call.unwrap().arguments.get("goes_on") == Some(&true.into())
}

#[test]
fn the_user_hears_each_response_and_the_cast_begins_anew_with_the_longer_dialogue() {
    let mut played = Played::with_parameters(TPE, "focus", &turns(2), true);
    played.answers([Move::think("Curious.")]);
    played.answers([plan(&["DOCUMENT[tower]"])]);
    played.found("A tower.");
    played.answers([finish("It is high.")]);
    assert!(goes_on(&played));
    let told = played.found("");
    assert_eq!(told, Directive::Tell(Utterance::response("It is high.")));
    played.replied("How old?", false);
    assert_eq!(played.turn().0, "thinker");
    assert!(played.turn().1.sections.is_empty());
    played.answers([Move::think("Still curious.")]);
    played.answers([plan(&["DOCUMENT[#So1]"])]);
    // Neither variables nor thoughts are kept.
    let context = "What is this? A tower. How high? It is high. How old?";
    assert_eq!(played.query(), format!("#So1 {context} Still curious."));
    played.found("First lit in 1863.");
    played.answers([finish("From 1863.")]);
    assert!(!goes_on(&played));
    assert!(matches!(played.found(""), Directive::Tell(_)));
    let over = Directive::Assess { unsolved: Ending::OutOf { limit: Limit::Turns } };
    assert_eq!(played.replied("Thanks.", false), over);
    assert_eq!(played.scored(), Directive::Close);
    played.can_be_gone_on_with();
}

#[test]
fn a_user_who_leaves_and_a_cast_without_a_response_end_the_conversation() {
    let mut played = Played::with_parameters(COT, "cima", &turns(10), true);
    played.answers([finish("Think of the ending.")]);
    played.found("");
    let left = Directive::Assess { unsolved: Ending::UserLeft };
    assert_eq!(played.replied("Bye.", true), left);
    let mut played = Played::with_parameters(COT, "cima", &turns(10), true);
    played.answers([finish("Think of the ending.")]);
    played.found("");
    played.replied("Which?", false);
    assert_eq!(played.answers([unreadable()]), GAVE_UP);
}

fn any_text() -> impl Proptest<Value = String> {
    let texts = [
        "",
        " ",
        "PERSONA[context]",
        "DOCUMENT[#So1]",
        "DOCUMENT[E1 #So2 So1]",
        "persona",
        "KNOWLEDGE[x",
        "[",
        "]]",
        "respond[It is.]",
        "Finish[]",
        "Hint",
        "question",
        "Information",
        "WEATHER[è]",
        "你好\n。",
    ];
    prop::sample::select(texts.to_vec()).prop_map(str::to_owned)
}

fn any_action() -> impl Proptest<Value = Action> {
    let call = prop_oneof![Just("PERSONA"), Just("respond"), Just("weather")];
    prop_oneof![
        4 => any_text().prop_map(Action::text),
        1 => (any_text(), call).prop_map(|(text, tool)| Action {
            call: Some(Box::new(Call {
                tool: tool.to_owned(),
                arguments: serde_json::json!({"query": text, "text": text}),
            })),
            text,
        }),
    ]
}

fn any_step() -> impl Proptest<Value = PlanStep> {
    let variables = ["So1", "#So1", "so02", "E1", "", "x"];
    let variable = prop::option::of(prop::sample::select(variables.to_vec()));
    (any_text(), variable, any_action()).prop_map(|(description, variable, action)| PlanStep {
        description,
        variable: variable.map(str::to_owned),
        action,
    })
}

fn any_move() -> impl Proptest<Value = Move> {
    prop_oneof![
        any_text().prop_map(Move::think),
        any_text().prop_map(|text| says("Hint", &text)),
        any_action().prop_map(|action| Move::Act { action }),
        prop::collection::vec(any_step(), 0..6).prop_map(|steps| Move::Plan { steps }),
        any_text().prop_map(|text| finish(&text)),
        Just(unreadable()),
        Just(Move::Learn { lesson: "x".to_owned() }),
        Just(Move::Judge { clarify: true, reason: None }),
    ]
}

/// Events that come back from the world, and from the user.
fn any_seen() -> impl Proptest<Value = (Observation, bool)> {
    (any_text(), any::<u8>()).prop_map(|(text, chance)| {
        let seen = Observation { invalid: chance < 40, done: chance > 250, ..Observation::text(text) };
        (seen, (40..60).contains(&chance))
    })
}

/// The most calls of a strategy for one response: a thought, a plan, and then a call for each strategy or,
/// with ReAct, for each step and the last word.
const MOST_CALLS: usize = 2 + 9;

proptest! {
    #[test]
    fn whatever_is_answered_it_ends_and_goes_on_alike_from_any_point(
        which in 0..ALL.len(),
        dataset in prop::sample::select(vec!["focus", "cima", "psyqa", ""]),
        user in any::<bool>(),
        answers in prop::collection::vec(prop::collection::vec(any_move(), 1..5), 40),
        seen in prop::collection::vec(any_seen(), 40),
    ) {
        let mut played = Played::with_parameters(ALL[which], dataset, &turns(3), user);
        let (mut answers, mut seen) = (answers.into_iter().cycle(), seen.into_iter().cycle());
        let (mut responses, mut calls) = (0, 0);
        // A response takes no more than its calls and as many questions; three are given at most.
        for _ in 0..400 {
            match played.next() {
                Directive::Brief(_, brief) => {
                    calls += 1;
                    prop_assert!(calls <= MOST_CALLS, "{:?}", brief);
                    // The runtime admits no other move.
                    let moves = answers.next().unwrap().into_iter();
                    let moves = moves.filter(|made| brief.open.contains(made.kind()));
                    let mut moves: Vec<Move> = moves.collect();
                    if moves.is_empty() {
                        moves.push(unreadable());
                    }
                    moves.truncate(if brief.several { 5 } else { 1 });
                    played.answers(moves);
                }
                Directive::Perform(action) => {
                    let call = action.call.filter(|call| call.tool == "respond");
                    if let Some(call) = call.filter(|call| call.arguments.get("text").is_some()) {
                        prop_assert!(!call.arguments["text"].as_str().unwrap().trim().is_empty());
                        responses += 1;
                    }
                    played.apply(Message::Observed(seen.next().unwrap().0));
                }
                Directive::Tell(said) => {
                    prop_assert!(user && !said.text.is_empty());
                    calls = 0;
                    let (reply, leaving) = seen.next().unwrap();
                    played.replied(&reply.text, leaving);
                }
                Directive::Assess { .. } => drop(played.scored()),
                Directive::Close => break,
                other => prop_assert!(false, "{:?}", other),
            }
        }
        prop_assert_eq!(played.next(), Directive::Close);
        let most = if user { 3 } else { 1 };
        prop_assert!(responses <= most);
        played.can_be_gone_on_with();
    }

    #[test]
    fn events_that_follow_from_nothing_are_survived(
        which in 0..ALL.len(),
        moves in prop::collection::vec((any_move(), any_seen(), 0..4_u8), 0..60),
    ) {
        let mut played = Played::with_parameters(ALL[which], "focus", &turns(3), true);
        for (made, (seen, leaving), choice) in moves {
            match choice {
                0 => drop(played.apply(Message::Observed(seen))),
                1 => drop(played.replied(&seen.text, leaving)),
                _ => drop(played.apply(Message::Moved(made))),
            }
        }
        prop_assert_eq!(played.scored(), Directive::Close);
        played.can_be_gone_on_with();
    }
}
