//! All formats as texts and as structured answers. The tests stay in one file, since they share tasks and readers.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use rolecall_core::domain::{Answer, Notation, PublicTask};
use rolecall_core::prompts::{LineNotation, Style};
use rolecall_core::roles::reader::{Commands, Reading, of_moves, read_format, read_json};

/// A task of the dataset.
fn task(dataset: Dataset) -> PublicTask {
    let mut task = PublicTask::new("t", dataset.name(), "");
    task.data = serde_json::json!({ "dataset": dataset.name() });
    task
}

fn read(text: &str, format: DialogueFormat, dataset: Dataset, acts: &[DialogueAct]) -> Result<Answer, Unreadable> {
    let task = task(dataset);
    let asked = Asked { task: Some(&task), acts, natural: false };
    read_format(&format, text, &asked)
}

/// The moves as labelled lines, and the codes of the mends or the error.
fn shown(read: Result<Answer, Unreadable>) -> (String, String) {
    let notation = LineNotation { style: Style::Labels, ..LineNotation::default() };
    match read {
        Ok(answer) => {
            let lines = answer.moves.iter().map(|made| notation.line(made).replace('\n', " "));
            let codes: Vec<&str> = answer.repaired.iter().map(|mend| &*mend.code).collect();
            (lines.collect::<Vec<_>>().join(" | "), codes.join(" "))
        }
        Err(error) => (String::new(), error.to_string()),
    }
}

fn acts(dataset: Dataset) -> Vec<DialogueAct> {
    dataset.strategies().iter().map(|tool| tool.name).map(|name| DialogueAct(name.to_owned())).collect()
}

fn read_as(format: DialogueFormat, dataset: Dataset, text: &str) -> (String, String) {
    let acts = acts(dataset);
    shown(read(text, format, dataset, &acts))
}

/// A text in a format, the moves, and the codes of the mends.
const WRITTEN: &[(DialogueFormat, Dataset, &str, &str, &str)] = {
    use Dataset::{Cima, Focus, Psyqa};
    &[
        (DialogueFormat::Thought, Focus, "Thought: I know.\nPlan: x", "Think: I know.", ""),
        (DialogueFormat::Thought, Focus, "<think>hm</think>I know.", "Think: I know.", "reasoning_block"),
        (DialogueFormat::Status, Cima, "Status: lost\nResponse: x", "Think: lost", ""),
        (DialogueFormat::Status, Cima, "lost", "Think: lost", ""),
        (
            DialogueFormat::SourcePlan,
            Focus,
            "Plan: a\n#So1 = PERSONA[context]\nPlan: b\n#So2 = Knowledge[#So1]",
            "Plan:  1. So1 = PERSONA[context] 2. So2 = DOCUMENT[#So1]",
            "source_alias",
        ),
        (
            DialogueFormat::RewooPlan,
            Focus,
            "```\nPlan: a\n#E1 = DOCUMENT[the mill\n```",
            "Plan:  1. E1 = DOCUMENT[the mill]",
            "code_fence unclosed_bracket",
        ),
        (
            DialogueFormat::PlanDo,
            Cima,
            "Thought: t\nPlan: Hint\nDo: a\nPlan: Question and Hint\nDo: b?\nDialogue:\nx",
            "Think: t | Plan:  1. Hint | Speak: <Hint>: a | Plan:  1. Question 2. Hint | \
             Speak: <Question>: b?",
            "truncated_at_dialogue",
        ),
        (
            DialogueFormat::PlanDo,
            Psyqa,
            "Plan: Restatement\nDo: 你说\n很累。",
            "Plan:  1. Restatement | Speak: <Restatement>: 你说很累。",
            "",
        ),
        (
            DialogueFormat::ReactSource,
            Focus,
            "I need it.\nAction: Knowledge[the mill]\nObservation: made up",
            "Think: I need it. | Act: DOCUMENT[the mill]",
            "hallucinated_observation",
        ),
        (
            DialogueFormat::ReactSource,
            Focus,
            "Action: Finish[It is [very] old.]",
            "Finish: It is [very] old.",
            "missing_thought",
        ),
        (
            DialogueFormat::ReactStrategy,
            Cima,
            "say it\nAction: Hint\nObservation: a",
            "Think: say it | Plan:  1. Hint | Speak: <Hint>: a",
            "",
        ),
        (
            DialogueFormat::ReactStrategy,
            Cima,
            "t\nAction: Hint\nObservation: a\nThought: u\nAction: Response",
            "Think: t | Plan:  1. Hint | Speak: <Hint>: a | Finish: ",
            "",
        ),
        (DialogueFormat::ReactStrategy, Cima, "All is said.\nAction: Response", "Finish: ", ""),
        (
            DialogueFormat::Modules,
            Focus,
            "[\"Knowledge_Retrieval\", \"persona retrieval\"]",
            "Plan:  1. DOCUMENT[context] 2. PERSONA[context]",
            "missing_answer_generator",
        ),
        (DialogueFormat::Modules, Focus, "Modules: [Answer_Generator]", "Plan: ", ""),
        (DialogueFormat::Strategies, Psyqa, "information, others", "Plan:  1. Information 2. Others", "no_brackets"),
        (DialogueFormat::SubResponse, Cima, "Hint: \"Sea\" is \"mare\".", "Speak: <Hint>: \"Sea\" is \"mare\".", ""),
        (DialogueFormat::SubResponse, Cima, "mare\n\nDialogue:\nx", "Speak: <Hint>: mare", "continuation"),
        (
            DialogueFormat::ReasonedResponse,
            Focus,
            "Thought: The height\nis asked.\nResponse: SYSTEM: It is 8 m.\nIt is old.",
            "Think: The height is asked. | Finish: It is 8 m. It is old.",
            "",
        ),
        (
            DialogueFormat::ReasonedResponse,
            Cima,
            "the word is missing\n**response:** mare\n\nDialogue:\nx",
            "Think: the word is missing | Finish: mare",
            "continuation",
        ),
        (DialogueFormat::ReasonedResponse, Cima, "Response: mare", "Finish: mare", "missing_thought"),
        (DialogueFormat::ReasonedResponse, Cima, "mare", "Finish: mare", "no_label"),
        (DialogueFormat::Response, Focus, "SYSTEM: It is 8 m.", "Finish: It is 8 m.", ""),
        (
            DialogueFormat::Response,
            Cima,
            "Thought: first this, then that.\n**Response:** mare",
            "Finish: mare",
            "leading_text",
        ),
        (DialogueFormat::Response, Psyqa, "你好。\nSource Knowledge:\nPERSONA: x", "Finish: 你好。", "continuation"),
    ]
};

#[test]
fn each_format_gives_its_moves() {
    for (format, dataset, text, moves, codes) in WRITTEN {
        let found = read_as(*format, *dataset, text);
        let expected = ((*moves).to_owned(), (*codes).to_owned());
        assert_eq!(found, expected, "{} {text}", format.as_str());
    }
}

/// The formats that are listed, found by their names.
fn all_formats() -> Vec<DialogueFormat> {
    let named = |name| DialogueFormat::of(Notation::new(name).unwrap()).unwrap();
    FORMATS.iter().map(|format| named(format.name())).collect()
}

#[test]
fn every_name_can_stand_in_a_brief_and_is_found_again() {
    let all = all_formats();
    for (format, listed) in all.iter().zip(FORMATS) {
        assert_eq!(format.as_str(), listed.name());
        assert_eq!(DialogueFormat::of(format.notation().unwrap()), Some(*format));
    }
    assert!(all.is_sorted(), "each in the order of its variants");
}

#[test]
fn what_is_wrong_is_told_in_the_words_of_the_format() {
    let told = |format, text| read_as(format, Dataset::Cima, text).1;
    assert!(told(DialogueFormat::PlanDo, "Plan: Praise\nDo: a").contains("one of: Hint, Question"));
    assert!(told(DialogueFormat::SourcePlan, "no plan").contains("`Plan:`"));
    assert!(told(DialogueFormat::ReactStrategy, "Action: Hint").contains("Observation"));
    assert!(told(DialogueFormat::ReactStrategy, "I am done").contains("Action:"));
    for format in all_formats() {
        for text in ["", " \n ", "```\n```", "**"] {
            assert_eq!(told(format, text), "the answer is empty", "{}", format.as_str());
        }
    }
}

#[test]
fn a_text_without_end_is_cut() {
    let text = "世".repeat(64 * 1024);
    let (moves, codes) = read_as(DialogueFormat::Response, Dataset::Psyqa, &text);
    assert!(moves.len() <= 32 * 1024 + 10, "{}", moves.len());
    assert_eq!(codes, "cut_text");
}

/// The moves of a structured answer.
fn structured(format: DialogueFormat, dataset: Dataset, json: &str) -> (String, String) {
    let acts = acts(dataset);
    let task = task(dataset);
    let asked = Asked { task: Some(&task), acts: &acts, natural: false };
    let commands = Commands::default();
    let reading = Reading {
        open: format.offered(MoveKinds::of(&MoveKind::ALL)),
        commands: &commands,
        bare_commands: true,
        acts: &acts,
        natural: false,
    };
    let read = read_json(json, false, &reading);
    shown(read.and_then(|answer| of_moves(&format, answer, &asked)))
}

#[test]
fn structured_answers_give_the_same_moves() {
    use Dataset::{Cima, Focus};
    let plan = r#"{"move":{"kind":"plan","steps":["PERSONA[context]","DOCUMENT[#So1]"]}}"#;
    let steps = "Plan:  1. So1 = PERSONA[context] 2. So2 = DOCUMENT[#So1]";
    assert_eq!(structured(DialogueFormat::SourcePlan, Focus, plan).0, steps);
    let modules = structured(DialogueFormat::Modules, Focus, plan).0;
    assert_eq!(modules, "Plan:  1. PERSONA[context] 2. DOCUMENT[context]");
    let said = r#"{"moves":[{"kind":"speak","act":"Hint","text":"a"},{"kind":"speak","act":"Question","text":"b?"}]}"#;
    let both = "Plan:  1. Hint | Speak: <Hint>: a | Plan:  1. Question | Speak: <Question>: b?";
    for format in [DialogueFormat::PlanDo, DialogueFormat::ReactStrategy] {
        assert_eq!(structured(format, Cima, said).0, both);
    }
    let names = r#"{"move":{"kind":"plan","steps":["hint","Others"]}}"#;
    assert_eq!(structured(DialogueFormat::Strategies, Cima, names).0, "Plan:  1. Hint 2. Others");
    let act = r#"{"moves":[{"kind":"think","text":"t"},{"kind":"act","command":"Persona[a b]"}]}"#;
    assert_eq!(structured(DialogueFormat::ReactSource, Focus, act).0, "Think: t | Act: PERSONA[a b]");
    let end = r#"{"moves":[{"kind":"finish","answer":"done"}]}"#;
    for format in [DialogueFormat::ReactSource, DialogueFormat::ReactStrategy, DialogueFormat::Response] {
        assert_eq!(structured(format, Cima, end).0, "Finish: done");
    }
    let empty = r#"{"moves":[{"kind":"finish","answer":""}]}"#;
    assert_eq!(structured(DialogueFormat::ReactStrategy, Cima, empty).0, "Finish: ");
    assert!(structured(DialogueFormat::Response, Cima, empty).1.contains("missing"));
    let forward = plan.replace("PERSONA[context]", "PERSONA[So2]");
    assert!(structured(DialogueFormat::SourcePlan, Focus, &forward).1.contains("So2"));
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
    /// Whatever is written, the moves are of the format, none is empty, and nothing panics.
    #[test]
    fn any_text_is_read_or_refused(
        text in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        format in prop::sample::select(all_formats()),
        dataset in prop::sample::select(&Dataset::OFFICIAL[..]),
    ) {
        let acts = acts(dataset);
        if let Ok(answer) = read(&text.concat(), format, dataset, &acts) {
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
