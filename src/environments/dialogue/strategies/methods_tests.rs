//! The course of each method: calls, queries, briefs, and the response.

use super::played_tests::*;
use super::*;
use crate::formats::DialogueFormat::{
    Modules, PlanDo, ReactSource, ReactStrategy, ReasonedResponse, Response, RewooPlan, SourcePlan, Status, Strategies,
    SubResponse, Thought,
};
use rolecall_core::domain::{Message, Move, Observation};
use rolecall_core::ports::{Directive, ParameterValue, conformance};

const CONTEXT: &str = "What is this? A tower. How high?";

/// The moves of a role that answers as it is asked to.
fn usual(notation: DialogueFormat, act: Option<&str>, number: usize) -> Vec<Move> {
    match notation {
        Thought | Status => vec![Move::think("The user is curious.")],
        SourcePlan => vec![with_variables(&[("So1", "DOCUMENT[tower]"), ("So2", "PERSONA[#So1]")])],
        RewooPlan => vec![with_variables(&[("E1", "DOCUMENT[tower]"), ("E2", "PERSONA[#E1]")])],
        Modules => vec![plan(&["DOCUMENT[context]", "PERSONA[context]"])],
        Strategies => vec![plan(&["Hint", "Question", "Hint"])],
        SubResponse => vec![says(act.unwrap(), &format!("part {number}."))],
        PlanDo => vec![plan(&["Hint"]), says("Hint", "a."), plan(&["Question"]), says("Question", "b?")],
        ReactSource if number < 2 => vec![Move::think("hm"), Move::act("PERSONA[context]")],
        ReactStrategy if number < 2 => vec![Move::think("hm"), plan(&["Hint"]), says("Hint", "a.")],
        ReactStrategy => vec![unreadable()],
        ReasonedResponse => vec![Move::think("The height."), finish("It is 41 metres high.")],
        _ => vec![finish("It is 41 metres high.")],
    }
}

/// The notations of all calls and the sources that were asked, until the response is given.
fn sample(cast: Cast, dataset: &str) -> (Vec<DialogueFormat>, Vec<String>) {
    let mut played = Played::begun(cast, dataset);
    let (mut calls, mut asked) = (Vec::new(), Vec::new());
    loop {
        match played.next() {
            Directive::Brief(_, brief) => {
                let act = brief.acts.first().map(|act| act.as_str());
                let format = DialogueFormat::of(brief.notation.unwrap()).unwrap();
                let moves = usual(format, act, calls.len());
                calls.push(format);
                for made in &moves {
                    assert!(brief.open.contains(made.kind()), "{made:?}");
                }
                assert!(moves.len() == 1 || brief.several);
                played.answers(moves);
            }
            Directive::Perform(action) => {
                asked.push(action.call.unwrap().tool);
                played.found("It is 41 metres high.");
            }
            Directive::Assess { .. } => {
                assert_eq!(asked.pop().unwrap(), "respond");
                assert_eq!(played.scored(), Directive::Close);
                played.can_be_gone_on_with();
                return (calls, asked);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_method_makes_the_calls_of_its_line() {
    let (p, d) = ("PERSONA", "DOCUMENT");
    let focus: [(Cast, &[DialogueFormat], &[&str]); 9] = [
        (COT, &[ReasonedResponse], &[p, d]),
        (FEW_SHOT, &[Response], &[p, d]),
        (REACT, &[ReactSource, ReactSource, ReactSource], &[p, p]),
        (CUE, &[Status, Response], &[]),
        (CHAMELEON, &[Modules, Response], &[d, p]),
        (REWOO, &[RewooPlan, Response], &[d, p]),
        (TPE, &[Thought, SourcePlan, Response], &[d, p]),
        (MERGED, &[Thought, Response], &[p, d]),
        ((tpe, &["executor", "planner"]), &[SourcePlan, Response], &[d, p]),
    ];
    for (cast, calls, asked) in focus {
        assert_eq!(sample(cast, "focus"), (calls.to_vec(), asked.iter().map(ToString::to_string).collect()));
    }
    let cima: [(Cast, &[DialogueFormat]); 9] = [
        (COT, &[ReasonedResponse]),
        (FEW_SHOT, &[Response]),
        (REACT, &[ReactStrategy, ReactStrategy, ReactStrategy]),
        (CUE, &[Status, Response]),
        (CHAMELEON, &[Strategies, SubResponse, SubResponse, SubResponse]),
        (REWOO, &[Response]),
        (MERGED, &[Thought, PlanDo]),
        (TPE, &[Thought, Strategies, SubResponse, SubResponse, SubResponse]),
        ((tpe, &["executor"]), &[PlanDo]),
    ];
    for (cast, calls) in cima {
        assert_eq!(sample(cast, "cima"), (calls.to_vec(), Vec::new()));
        // A task without data is one whose strategies are free.
        assert_eq!(sample(cast, "").0, calls);
    }
}

#[test]
fn reasoning_is_part_of_the_answer_and_no_response() {
    let mut played = Played::begun(COT, "cima");
    played.answers([Move::think("The word is missing."), finish(" mare ")]);
    assert_eq!(played.response(), "mare");
    // Reasoning alone is no response.
    let mut played = Played::begun(COT, "cima");
    played.answers([Move::think("The word is missing.")]);
    assert!(matches!(played.next(), Directive::Assess { .. }));
    // As it was before it reasoned.
    let earlier = [("reasons", ParameterValue::Flag(false))];
    let played = Played::with_parameters(COT, "cima", &earlier, false);
    assert_eq!(played.notation(), Response);
}

#[test]
fn queries_are_input_dialogue_and_where_it_counts_thought() {
    let planned = |played: &mut Played| {
        let steps = ["DOCUMENT[height]", "PERSONA[ #so01 ]", "PERSONA[Context]"];
        played.answers([plan(&steps)]);
        let first = played.query();
        played.found("A granite tower.");
        let second = played.query();
        played.found("I like towers.");
        [first, second, played.query()]
    };
    let with = |hears: bool| {
        let told = [("status", ParameterValue::Flag(hears))];
        let mut played = Played::with_parameters(TPE, "focus", &told, false);
        played.answers([Move::think(" Curious. ")]);
        assert_eq!(played.section("thought"), "Curious.");
        planned(&mut played)
    };
    let inputs = ["height ", "A granite tower. ", ""];
    assert_eq!(with(true), inputs.map(|input| format!("{input}{CONTEXT} Curious.")));
    assert_eq!(with(false), inputs.map(|input| format!("{input}{CONTEXT}")));
    let mut rewoo = Played::begun(REWOO, "focus");
    let steps = [("#E1", "KNOWLEDGE[height]"), ("E2", "persona[E1 and E7]")];
    rewoo.answers([with_variables(&steps)]);
    assert_eq!(rewoo.asked(), ("DOCUMENT".to_owned(), format!("height {CONTEXT}")));
    rewoo.found("Tall.");
    // An unbound variable stays as it is.
    assert_eq!(rewoo.query(), format!("Tall. and E7 {CONTEXT}"));
    let mut chameleon = Played::begun(CHAMELEON, "focus");
    chameleon.answers([plan(&["DOCUMENT[height]"])]);
    assert_eq!(chameleon.query(), CONTEXT);
}

#[test]
fn the_executor_is_told_what_was_found_line_by_line() {
    let texts = Observation {
        data: Some(Box::new(serde_json::json!({"texts": ["One\ntower.", "Two towers."]}))),
        ..Observation::text("One\ntower. Two towers.")
    };
    let mut played = Played::begun(TPE, "focus");
    played.answers([Move::think("Curious.")]);
    played.answers([plan(&["DOCUMENT[x]", "PERSONA[y]", "PERSONA[z]"])]);
    played.apply(Message::Observed(texts.clone()));
    played.refused("There is no such thing.");
    played.found("I like towers.");
    let found = "DOCUMENT: One tower.\nDOCUMENT: Two towers.\nPERSONA: I like towers.";
    assert_eq!(played.section("knowledge"), found);
    assert_eq!(played.section("thought"), "Curious.");
    let mut rewoo = Played::begun(REWOO, "focus");
    rewoo.answers([plan(&["DOCUMENT[x]", "PERSONA[#E1]"])]);
    rewoo.apply(Message::Observed(texts));
    rewoo.refused("There is no such thing.");
    let evidence = "#E1 = DOCUMENT[x]: One tower. Two towers.\n#E2 = PERSONA[#E1]:";
    assert_eq!(rewoo.section("knowledge"), evidence);
    assert_eq!(rewoo.section("plan"), "DOCUMENT[x]\nPERSONA[#E1]");
}

#[test]
fn what_a_plan_asks_of_nobody_is_left_out() {
    let mut played = Played::begun(REWOO, "focus");
    played.answers([plan(&["WEATHER[tower]", "", "]] [", "PERSONA", "DOCUMENT[#E4"])]);
    assert_eq!(played.asked(), ("PERSONA".to_owned(), CONTEXT.to_owned()));
    played.found("I like towers.");
    assert_eq!(played.query(), format!("I like towers. {CONTEXT}"));
    let mut nothing = Played::begun(REWOO, "focus");
    nothing.answers([plan(&["WEATHER[tower]"])]);
    assert_eq!(nothing.notation(), Response);
    let mut praise = Played::begun(CHAMELEON, "cima");
    praise.answers([plan(&["Praise", "the hint strategy", "Other"])]);
    assert_eq!(praise.section("strategy"), "Hint");
    praise.answers([says("Hint", "a.")]);
    assert_eq!(praise.section("strategy"), "Others");
    let mut only_praise = Played::begun(CHAMELEON, "cima");
    only_praise.answers([plan(&["Praise"])]);
    assert_eq!(only_praise.notation(), Response);
}

#[test]
fn sub_responses_are_independent_in_chameleon_and_follow_each_other_in_tpe() {
    let mut played = Played::begun(CHAMELEON, "cima");
    played.answers([plan(&["Hint", "Question"])]);
    played.answers([says("Hint", "It ends in -a.")]);
    let (role, brief) = played.turn();
    let sections: Vec<&str> = brief.sections.iter().map(|section| &*section.name).collect();
    assert_eq!((role.as_str(), sections), ("executor", vec!["strategy"]));
    assert_eq!(brief.acts.len(), 1);
    played.answers([says("Question", "Which word?")]);
    assert_eq!(played.response(), "It ends in -a. Which word?");
    let mut played = Played::begun(TPE, "cima");
    played.answers([Move::think("Unsure.")]);
    played.answers([plan(&["Hint", "Question"])]);
    played.answers([says("Hint", "It ends in -a.")]);
    assert_eq!(played.section("plan"), "Hint\nQuestion");
    assert_eq!(played.section("scratchpad"), "Plan: Hint\nDo: It ends in -a.");
    assert_eq!(played.section("thought"), "Unsure.");
}

#[test]
fn one_answer_may_hold_every_plan_with_its_words() {
    let mut played = Played::begun(MERGED, "cima");
    played.answers([Move::think("Unsure.")]);
    let (_, brief) = played.turn();
    assert!(brief.several && brief.acts.len() == 5);
    played.answers(usual(PlanDo, None, 0));
    assert_eq!(played.response(), "a. b?");
    let mut chinese = Played::begun(MERGED, "psyqa");
    chinese.answers([Move::think("孤单")]);
    chinese.answers([says("Information", "你好。"), says("Others", " 祝好。"), says("Others", " ")]);
    assert_eq!(chinese.response(), "你好。祝好。");
    let mut silent = Played::begun(MERGED, "cima");
    silent.answers([Move::think("Unsure.")]);
    assert_eq!(silent.answers([Move::think("hm"), plan(&["Hint"])]), GAVE_UP);
}

#[test]
fn react_reads_all_it_has_done_and_is_asked_once_for_the_response() {
    let told = [("most_steps", ParameterValue::Integer(3))];
    let mut played = Played::with_parameters(REACT, "focus", &told, false);
    played.answers([Move::think("Look."), Move::act("KNOWLEDGE[tower]"), Move::act("PERSONA[x]")]);
    assert_eq!(played.asked(), ("DOCUMENT".to_owned(), format!("tower {CONTEXT}")));
    played.found("A granite\ntower.");
    let asked = played.answers([Move::act("WEATHER[tower]")]);
    assert_eq!(asked, Directive::Perform(rolecall_core::domain::Action::text("WEATHER[tower]")));
    played.refused("There is no WEATHER.");
    played.answers([Move::think("Hm.")]);
    let lines = "Thought: Look.\nAction: KNOWLEDGE[tower]\nObservation: A granite tower.\n\
        Action: WEATHER[tower]\nObservation: There is no WEATHER.\nThought: Hm.";
    assert_eq!(played.section("scratchpad"), lines);
    assert!(played.turn().1.notice.is_some());
    assert_eq!(played.answers([Move::act("PERSONA[x]")]), GAVE_UP);
    let mut played = Played::with_parameters(REACT, "focus", &told, false);
    played.answers([Move::think("I know."), Move::act("respond[It is high.]")]);
    assert_eq!(played.response(), "It is high.");
}

#[test]
fn react_joins_what_strategies_said_unless_it_states_the_response() {
    let spoken = |end: Move| {
        let mut played = Played::begun(REACT, "cima");
        played.answers([plan(&["Hint"]), says("Hint", "a.")]);
        assert_eq!(played.section("scratchpad"), "Action: Hint\nObservation: a.");
        played.answers([plan(&["Hint", "Question"]), says("Hint", "b?"), end]);
        played.response()
    };
    assert_eq!(spoken(unreadable()), "a. b?");
    assert_eq!(spoken(finish("c!")), "c!");
    let mut silent = Played::begun(REACT, "cima");
    assert_eq!(silent.answers([unreadable()]), GAVE_UP);
}

#[test]
fn whoever_cannot_answer_ends_the_sample_and_whoever_responds_ends_it_too() {
    for dataset in ["focus", "cima", ""] {
        for cast in ALL {
            let mut played = Played::begun(cast, dataset);
            while let Directive::Perform(_) = played.next() {
                played.found("x");
            }
            assert_eq!(played.answers([unreadable()]), GAVE_UP);
            let mut played = Played::begun(cast, dataset);
            while let Directive::Perform(_) = played.next() {
                played.found("x");
            }
            played.answers([finish("  My response. "), Move::think("dropped"), unreadable()]);
            assert_eq!(played.response(), "My response.");
        }
    }
    // A strategy that cannot speak ends it, whatever others said.
    let mut played = Played::begun(CHAMELEON, "cima");
    played.answers([plan(&["Hint", "Question"])]);
    played.answers([says("Hint", "a.")]);
    assert_eq!(played.answers([unreadable()]), GAVE_UP);
}

#[test]
fn a_world_that_is_done_ends_the_go() {
    let done = || Message::Observed(Observation { done: true, ..Observation::text("x") });
    let mut played = Played::begun(COT, "focus");
    assert!(matches!(played.apply(done()), Directive::Assess { .. }));
    let mut played = Played::begun(REACT, "focus");
    played.answers([Move::act("WEATHER[x]")]);
    assert!(matches!(played.apply(done()), Directive::Assess { .. }));
}

#[test]
fn who_must_take_part_and_who_may_not() {
    let fails = |build: Build, cast: &'static [&'static str]| factory((build, cast), &[]).is_err();
    assert!(fails(cot, &["thinker"]) && fails(react, &[]) && fails(cue_cot, &["executor"]));
    assert!(fails(chameleon, &["executor"]) && fails(rewoo, &["planner"]));
    assert!(fails(tpe, &["thinker", "planner"]) && fails(tpe, &["executor", "clarifier"]));
}

#[test]
fn all_of_them_are_folds() {
    for cast in ALL {
        conformance::strategy(&factory(cast, &[]).unwrap()).unwrap();
    }
}
