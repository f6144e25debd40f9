#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::prompts::{Manner, Style};
use crate::roles::reader::{Commands, Reading, read_json};

/// The moves as labelled lines, and the codes of what was mended or what is told.
fn shown(read: Result<Answer, Unreadable>) -> (String, String) {
    let manner = Manner {
        style: Style::Labels,
        ..Manner::default()
    };
    match read {
        Ok(answer) => {
            let lines = answer
                .moves
                .iter()
                .map(|made| manner.line(made).replace('\n', " "));
            let codes: Vec<&str> = answer.repaired.iter().map(|mend| &*mend.code).collect();
            (lines.collect::<Vec<_>>().join(" | "), codes.join(" "))
        }
        Err(error) => (String::new(), error.to_string()),
    }
}

fn acts(dataset: Dataset) -> Vec<DialogueAct> {
    let names = dataset.strategies().iter().map(|tool| tool.name);
    names.map(|name| DialogueAct(name.to_owned())).collect()
}

fn read_as(notation: Notation, dataset: Dataset, text: &str) -> (String, String) {
    let acts = acts(dataset);
    shown(read(
        text,
        &Written {
            notation,
            dataset,
            acts: &acts,
        },
    ))
}

/// What is written in a notation, the moves, and the codes of what was mended.
const WRITTEN: &[(Notation, Dataset, &str, &str, &str)] = {
    use Dataset::{Cima, Focus, Psyqa};
    &[
        (
            Notation::Thought,
            Focus,
            "Thought: I know.\nPlan: x",
            "Think: I know.",
            "",
        ),
        (
            Notation::Thought,
            Focus,
            "<think>hm</think>I know.",
            "Think: I know.",
            "reasoning_block",
        ),
        (
            Notation::Status,
            Cima,
            "Status: lost\nResponse: x",
            "Think: lost",
            "",
        ),
        (Notation::Status, Cima, "lost", "Think: lost", ""),
        (
            Notation::SourcePlan,
            Focus,
            "Plan: a\n#So1 = PERSONA[context]\nPlan: b\n#So2 = Knowledge[#So1]",
            "Plan:  1. So1 = PERSONA[context] 2. So2 = DOCUMENT[#So1]",
            "source_alias",
        ),
        (
            Notation::RewooPlan,
            Focus,
            "```\nPlan: a\n#E1 = DOCUMENT[the mill\n```",
            "Plan:  1. E1 = DOCUMENT[the mill]",
            "code_fence unclosed_bracket",
        ),
        (
            Notation::PlanDo,
            Cima,
            "Thought: t\nPlan: Hint\nDo: a\nPlan: Question and Hint\nDo: b?\nDialogue:\nx",
            "Think: t | Plan:  1. Hint | Speak: <Hint>: a | Plan:  1. Question 2. Hint | \
             Speak: <Question>: b?",
            "truncated_at_dialogue",
        ),
        (
            Notation::PlanDo,
            Psyqa,
            "Plan: Restatement\nDo: 你说\n很累。",
            "Plan:  1. Restatement | Speak: <Restatement>: 你说很累。",
            "",
        ),
        (
            Notation::ReactSource,
            Focus,
            "I need it.\nAction: Knowledge[the mill]\nObservation: made up",
            "Think: I need it. | Act: DOCUMENT[the mill]",
            "hallucinated_observation",
        ),
        (
            Notation::ReactSource,
            Focus,
            "Action: Finish[It is [very] old.]",
            "Finish: It is [very] old.",
            "missing_thought",
        ),
        (
            Notation::ReactStrategy,
            Cima,
            "say it\nAction: Hint\nObservation: a",
            "Think: say it | Plan:  1. Hint | Speak: <Hint>: a",
            "",
        ),
        (
            Notation::ReactStrategy,
            Cima,
            "t\nAction: Hint\nObservation: a\nThought: u\nAction: Response",
            "Think: t | Plan:  1. Hint | Speak: <Hint>: a | Finish: ",
            "",
        ),
        (
            Notation::ReactStrategy,
            Cima,
            "All is said.\nAction: Response",
            "Finish: ",
            "",
        ),
        (
            Notation::Modules,
            Focus,
            "[\"Knowledge_Retrieval\", \"persona retrieval\"]",
            "Plan:  1. DOCUMENT[context] 2. PERSONA[context]",
            "missing_answer_generator",
        ),
        (
            Notation::Modules,
            Focus,
            "Modules: [Answer_Generator]",
            "Plan: ",
            "",
        ),
        (
            Notation::Strategies,
            Psyqa,
            "information, others",
            "Plan:  1. Information 2. Others",
            "no_brackets",
        ),
        (
            Notation::SubResponse,
            Cima,
            "Hint: \"Sea\" is \"mare\".",
            "Speak: <Hint>: \"Sea\" is \"mare\".",
            "",
        ),
        (
            Notation::SubResponse,
            Cima,
            "mare\n\nDialogue:\nx",
            "Speak: <Hint>: mare",
            "continuation",
        ),
        (
            Notation::Response,
            Focus,
            "SYSTEM: It is 8 m.",
            "Finish: It is 8 m.",
            "",
        ),
        (
            Notation::Response,
            Cima,
            "Thought: first this, then that.\n**Response:** mare",
            "Finish: mare",
            "leading_text",
        ),
        (
            Notation::Response,
            Psyqa,
            "你好。\nSource Knowledge:\nPERSONA: x",
            "Finish: 你好。",
            "continuation",
        ),
    ]
};

#[test]
fn each_notation_gives_its_moves() {
    for (notation, dataset, text, moves, codes) in WRITTEN {
        let found = read_as(*notation, *dataset, text);
        let expected = ((*moves).to_owned(), (*codes).to_owned());
        assert_eq!(found, expected, "{} {text}", notation.as_str());
    }
}

#[test]
fn what_is_wrong_is_told_in_the_words_of_the_notation() {
    let told = |notation, text| read_as(notation, Dataset::Cima, text).1;
    assert!(told(Notation::PlanDo, "Plan: Praise\nDo: a").contains("one of: Hint, Question"));
    assert!(told(Notation::SourcePlan, "no plan").contains("`Plan:`"));
    assert!(told(Notation::ReactStrategy, "Action: Hint").contains("Observation"));
    assert!(told(Notation::ReactStrategy, "I am done").contains("Action:"));
    for notation in Notation::ALL {
        for text in ["", " \n ", "```\n```", "**"] {
            assert_eq!(
                told(notation, text),
                "the answer is empty",
                "{}",
                notation.as_str()
            );
        }
    }
}

#[test]
fn a_text_without_end_is_cut() {
    let text = "世".repeat(64 * 1024);
    let (moves, codes) = read_as(Notation::Response, Dataset::Psyqa, &text);
    assert!(moves.len() <= MOST_BYTES + 10, "{}", moves.len());
    assert_eq!(codes, "cut_text");
}

/// The moves of a structured answer.
fn structured(notation: Notation, dataset: Dataset, json: &str) -> (String, String) {
    let acts = acts(dataset);
    let written = Written {
        notation,
        dataset,
        acts: &acts,
    };
    let commands = Commands::default();
    let reading = Reading {
        open: kinds(notation, MoveKinds::of(&MoveKind::ALL)),
        commands: &commands,
        bare_commands: true,
        acts: &acts,
    };
    let read = read_json(json, false, &reading);
    shown(read.and_then(|answer| of_moves(answer, &written)))
}

#[test]
fn structured_answers_give_the_same_moves() {
    use Dataset::{Cima, Focus};
    let plan = r#"{"move":{"kind":"plan","steps":["PERSONA[context]","DOCUMENT[#So1]"]}}"#;
    let steps = "Plan:  1. So1 = PERSONA[context] 2. So2 = DOCUMENT[#So1]";
    assert_eq!(structured(Notation::SourcePlan, Focus, plan).0, steps);
    let modules = structured(Notation::Modules, Focus, plan).0;
    assert_eq!(modules, "Plan:  1. PERSONA[context] 2. DOCUMENT[context]");
    let said = r#"{"moves":[{"kind":"speak","act":"Hint","text":"a"},{"kind":"speak","act":"Question","text":"b?"}]}"#;
    let both = "Plan:  1. Hint | Speak: <Hint>: a | Plan:  1. Question | Speak: <Question>: b?";
    for notation in [Notation::PlanDo, Notation::ReactStrategy] {
        assert_eq!(structured(notation, Cima, said).0, both);
    }
    let names = r#"{"move":{"kind":"plan","steps":["hint","Others"]}}"#;
    assert_eq!(
        structured(Notation::Strategies, Cima, names).0,
        "Plan:  1. Hint 2. Others"
    );
    let act = r#"{"moves":[{"kind":"think","text":"t"},{"kind":"act","command":"Persona[a b]"}]}"#;
    assert_eq!(
        structured(Notation::ReactSource, Focus, act).0,
        "Think: t | Act: PERSONA[a b]"
    );
    let end = r#"{"moves":[{"kind":"finish","answer":"done"}]}"#;
    for notation in [
        Notation::ReactSource,
        Notation::ReactStrategy,
        Notation::Response,
    ] {
        assert_eq!(structured(notation, Cima, end).0, "Finish: done");
    }
    let empty = r#"{"moves":[{"kind":"finish","answer":""}]}"#;
    assert_eq!(
        structured(Notation::ReactStrategy, Cima, empty).0,
        "Finish: "
    );
    assert!(
        structured(Notation::Response, Cima, empty)
            .1
            .contains("missing")
    );
    let forward = plan.replace("PERSONA[context]", "PERSONA[So2]");
    assert!(
        structured(Notation::SourcePlan, Focus, &forward)
            .1
            .contains("So2")
    );
}

const PIECES: &[&str] = &[
    "Plan:",
    "Do:",
    "Thought:",
    "Action:",
    "Observation:",
    "Response:",
    "Dialogue:",
    "Status:",
    "Hint",
    "Praise",
    "#So1 = ",
    "#E2=",
    "PERSONA[",
    "context",
    "So1",
    "]",
    "[",
    "Finish[",
    "\n",
    " ",
    "\"",
    "，",
    "：",
    "世界",
    "```",
    "**",
    "<think>",
    "</think>",
    "{",
    "}",
    "é",
    "a b",
];

proptest! {
    /// Whatever is written, the moves are of the notation, none is empty, and nothing panics.
    #[test]
    fn any_text_is_read_or_refused(
        text in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        notation in prop::sample::select(&Notation::ALL[..]),
        dataset in prop::sample::select(&Dataset::ALL[..]),
    ) {
        let acts = acts(dataset);
        let written = Written { notation, dataset, acts: &acts };
        if let Ok(answer) = read(&text.concat(), &written) {
            prop_assert!(!answer.moves.is_empty());
            for made in &answer.moves {
                match made {
                    Move::Think { text } | Move::Speak { text, .. } => {
                        prop_assert!(!text.trim().is_empty());
                    }
                    Move::Plan { .. } | Move::Act { .. } | Move::Finish { .. } => {}
                    other => prop_assert!(false, "{other:?}"),
                }
            }
        }
    }
}
