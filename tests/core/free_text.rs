//! Commands that take any text, and verbs of the world that the reader knows as labels.

use proptest::prelude::*;
use rolecall::domain::{DialogueAct, Move, MoveKind, MoveKinds};
use rolecall::prompts::{LineNotation, Style};
use rolecall::roles::reader::{Commands, Reading, read, read_json};
use rolecall::text::one_line;
use serde_json::json;

use crate::support::puppet::{cut, reply, schema};
use crate::tools::{lines, performed, play};

const ALL: MoveKinds = MoveKinds::of(&MoveKind::ALL);

const FORMS: &[&str] = &[
    "search[{text}]",
    "click[{text}]",
    "question[{text}]",
    "plan[{text}]",
    "answer[{text}]",
    "think[{text}]",
    "user[{text}]",
    "query_trains {text}",
    "answer {text}",
    "say {text}",
    "note[{text}] on {thing}",
    "go to {place}",
];

/// The moves as lines in the style of labels, and the codes of what was mended.
fn read_as(text: &str, open: MoveKinds, bare_commands: bool, acts: &[DialogueAct]) -> String {
    let commands = Commands::new(FORMS.iter().copied());
    let reading = Reading { open, commands: &commands, bare_commands, acts, natural: false };
    let manner = LineNotation { style: Style::Labels, ..LineNotation::default() };
    match read(text, &reading) {
        Ok(answer) => {
            let moves = answer.moves.iter().map(|made| manner.line(made));
            let codes = answer.repaired.iter().map(|mend| mend.code.clone());
            let all: Vec<String> = moves.chain(codes).collect();
            all.join(" | ")
        }
        Err(error) => error.to_string(),
    }
}

/// A text with everything in it that means something elsewhere.
fn any_text() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "Act:",
        ". Act: look",
        "Think: ",
        "] ",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "`",
        "**",
        "> ",
        " (",
        ")",
        ". Ask: x",
        ": ",
        "E1 = ",
        "#E1",
        "1. ",
        "- ",
        "OK.",
        "$40.00",
        "< prev",
        "3 oz, ",
        "{\"day\": \"monday\"}",
        "世界",
        "：",
        "\u{a0}",
        "<Affirm>: ",
        " on ",
        " ",
        "a",
    ];
    let piece = prop_oneof![
        4 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let text = proptest::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat());
    // These end what a model says, wherever they stand.
    let ends = ["<|", "</s>", "<think>", "</think>"];
    text.prop_filter("one line", move |text| !text.contains(['\n', '\r']) && !ends.iter().any(|end| text.contains(end)))
}

fn command() -> impl Strategy<Value = String> {
    let bracketed = FORMS.iter().filter(|form| form.ends_with("[{text}]"));
    let open = FORMS.iter().filter(|form| form.ends_with(" {text}"));
    let bracketed = proptest::sample::select(bracketed.collect::<Vec<_>>());
    let open = proptest::sample::select(open.collect::<Vec<_>>());
    let whole = |text: &String| !text.trim().is_empty() && text.trim_end().len() == text.len();
    prop_oneof![
        (bracketed, any_text()).prop_map(|(form, text)| form.replace("{text}", &text)),
        (open, any_text().prop_filter("an end", whole)).prop_map(|(form, text)| form.replace("{text}", &text)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_in_a_command_is_read_back(command in command(), declares in any::<bool>()) {
        let acts = if declares { DialogueAct::schema() } else { Vec::new() };
        let shown = one_line(&command);
        let act = format!("Act: {shown}");
        for bare in [format!("> {command}"), command.clone(), act.clone()] {
            prop_assert_eq!(read_as(&bare, ALL, true, &acts), act.as_str(), "{}", bare);
        }
        prop_assert_eq!(read_as(&act, ALL, false, &acts), act.as_str());
        let missing = format!("{act} | missing_label");
        prop_assert_eq!(read_as(&command, ALL, false, &acts), missing);
        let plan = format!("Plan:\n1. {command}\n- {command}\nE1 = {command}\n{command}");
        let steps = format!("Plan: \n1. {shown}\n2. {shown}\n3. E1 = {shown}\n4. {shown}");
        prop_assert_eq!(read_as(&plan, ALL, true, &acts), steps);
        let commands = Commands::new(FORMS.iter().copied());
        let reading = Reading { open: ALL, commands: &commands, bare_commands: true, acts: &acts, natural: false };
        let json = json!({"moves": [{"kind": "act", "command": command}]}).to_string();
        let read = read_json(&json, false, &reading).map(|answer| answer.moves);
        prop_assert_eq!(read, Ok(vec![Move::act(command)]));
    }
}

/// What is written, and what is read in the style of labels.
const WRITTEN: &[(&str, &str)] = &[
    ("question[What colour?]", "Act: question[What colour?] | missing_label"),
    ("Action: question[What colour?]", "Act: question[What colour?]"),
    ("- question[What colour?]", "Act: question[What colour?] | missing_label"),
    ("Question[What colour?]", "Act: question[What colour?] | command_form missing_label"),
    ("question[What colour?", "Act: question[What colour?] | missing_label unclosed_bracket"),
    ("question[What colour?] I want to know.", "Act: question[What colour?] | command_form missing_label"),
    ("Question: What colour?", "Speak: What colour? | label_form"),
    ("Think: I see. Act: question[a. Act: b]", "Think: I see. | Act: question[a. Act: b] | inline_label"),
    ("Think: question[a]", "Think: question[a]"),
    ("act[search[red]]", "Act: search[red] | label_form"),
    ("Act: search[red].", "Act: search[red] | command_form"),
    ("Act: Search[Red Shoes", "Act: search[Red Shoes] | unclosed_bracket"),
    ("Act: note[a] b] on desk 1", "Act: note[a] b] on desk 1"),
    ("finish[42]", "Finish: 42 | label_form"),
    ("go to desk 1", "Act: go to desk 1 | missing_label"),
    ("Plan:\nplan[a]\nquestion[b]", "Plan: \n1. plan[a]\n2. question[b]"),
    ("Plan: look\nAct: plan[a]", "Plan: \n1. look | Act: plan[a]"),
];

#[test]
fn verbs_that_the_world_lists_are_the_worlds() {
    for (text, expected) in WRITTEN {
        let read = read_as(text, ALL, false, &[]);
        let (moves, codes) = expected.split_once(" | ").unwrap_or((expected, ""));
        let expected = match codes.contains(':') || !codes.contains(' ') {
            true => (*expected).to_owned(),
            false => format!("{moves} | {}", codes.replace(' ', " | ")),
        };
        assert_eq!(read, expected, "{text}");
    }
    // Who cannot act has no use for the world's verbs.
    let planner = MoveKinds::of(&[MoveKind::Plan, MoveKind::Speak]);
    assert_eq!(read_as("plan[look]", planner, false, &[]), "Plan: \n1. look | label_form");
    let commands = Commands::new(["{text}", "look"]);
    assert!(commands.has("look") && !commands.has("I see, look."));
}

#[test]
fn free_text_is_played_in_text_and_in_json() {
    let says = ["> search[3 oz, under $40.00]", "question[What colour?]", "> buy lamp"];
    let says = says.map(reply).to_vec();
    let (events, _) = play("free-text", &lines("counter", "", "text"), says);
    let texts = |events| -> Vec<String> {
        let done = performed(events).into_iter();
        done.map(|(text, _)| text).collect()
    };
    let expected = ["search[3 oz, under $40.00]", "question[What colour?]", "buy lamp"];
    assert_eq!(texts(&events), expected);
    let json = |command: &str| reply(&json!({"move": {"kind": "act", "command": command}}).to_string());
    let says = expected.map(json).to_vec();
    let (events, sent) = play("free-json", &lines("counter", "", "json"), says);
    assert_eq!(texts(&events), expected);
    let pattern = &schema(&sent[0].request)["properties"]["move"]["anyOf"][1]["properties"]["command"]["pattern"];
    let free = r"[!#-\[\]-~][ -!#-\[\]-~]{0,299}";
    let expected = format!(r"^(search\[{free}\]|question\[{free}\]|buy [a-z]{{2,24}}( [0-9]{{1,2}})?)$");
    assert_eq!(pattern, &expected);
}

#[test]
fn half_a_command_is_none() {
    let says = vec![cut("> search[red sh"), cut("> search[red]"), reply("> buy lamp")];
    let (events, sent) = play("half", &lines("counter", "", "text"), says);
    assert!(sent[1].prompt().contains("was cut at the limit of tokens"));
    let done: Vec<String> = performed(&events).into_iter().map(|(text, _)| text).collect();
    assert_eq!(done, ["search[red]", "buy lamp"]);
}
