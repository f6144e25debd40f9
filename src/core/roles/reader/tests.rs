#![allow(clippy::unwrap_used)]

use super::*;
use crate::prompts::{LineNotation, Style};

const ALL: MoveKinds = MoveKinds::of(&MoveKind::ALL);
const RESPACT: MoveKinds = MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]);

fn forms() -> Commands {
    Commands::new(["go to {r}", "open {r}", "take {o} from {r}", "look", "inventory"])
}

/// The moves in the style of labels, and the codes of what was mended.
fn read_as(text: &str, open: MoveKinds, bare_commands: bool) -> (String, String) {
    let commands = forms();
    let reading = Reading { open, commands: &commands, bare_commands, acts: &[], natural: false };
    let manner = LineNotation { style: Style::Labels, ..LineNotation::default() };
    match read(text, &reading) {
        Ok(answer) => {
            let lines: Vec<String> = answer.moves.iter().map(|made| manner.line(made)).collect();
            let codes: Vec<&str> = answer.repaired.iter().map(|mend| mend.code.as_str()).collect();
            (lines.join(" | "), codes.join(" "))
        }
        Err(error) => (String::new(), error.to_string()),
    }
}

fn row(moves: &str, codes: &str) -> (String, String) {
    (moves.to_owned(), codes.to_owned())
}

/// A text, the moves, and the codes of the repairs or why nothing was found.
const WRITTEN: &[(&str, &str, &str)] = &[
    ("Think: a mug", "Think: a mug", ""),
    ("> think: a mug", "Think: a mug", ""),
    ("think[a mug]", "Think: a mug", "label_form"),
    ("think[a mug", "Think: a mug", "label_form unclosed_bracket"),
    ("**Thought:** a mug", "Think: a mug", "label_form"),
    ("Thought 3: a mug", "Think: a mug", "label_form"),
    ("Action 2: go to desk 1", "Act: go to desk 1", "label_form"),
    ("Act: [go to desk 1]", "Act: go to desk 1", "bracketed_text"),
    ("Act: `go to desk 1`", "Act: go to desk 1", "quoted_text"),
    ("Act: Go to desk 1.", "Act: go to desk 1", "command_form"),
    ("Act: go to desk 1 (to look there)", "Act: go to desk 1", "command_form"),
    ("Act: think: hm", "Think: hm", "nested_label"),
    ("Ask: where is it?", "Speak: where is it?", ""),
    ("ask[where is it?]", "Speak: where is it?", "label_form"),
    ("Speak: \"Where is it?\"", "Speak: Where is it?", "quoted_text"),
    ("```\nAct: look\n```", "Act: look", "code_fence"),
    ("Sure, here it is:\n\nAct: look", "Act: look", "leading_text"),
    ("Act: look\nThis will show the room.", "Act: look", "trailing_text"),
    ("Think: a\nAct: look", "Think: a | Act: look", ""),
    ("Think: I see. Act: look", "Think: I see. | Act: look", "inline_label"),
    ("Think: a\nand b\n\nAct: look", "Think: a and b | Act: look", ""),
    ("Action:\ngo to desk 1", "Act: go to desk 1", ""),
    ("- Think: a\n- Act: look", "Think: a | Act: look", "label_form"),
    ("Act: look\nObservation: You see.\nAct: open desk 1", "Act: look", "continuation"),
    ("> think: a\nOK.\n> look", "Think: a", "continuation"),
    ("Speak: where?\nHuman: there\nAct: look", "Speak: where?", "continuation"),
    ("Act: look<|im_end|>\nUser: x", "Act: look", "special_token"),
    ("<think>hm</think>Act: look", "Act: look", "reasoning_block"),
    ("<think>hm", "Think: hm", "reasoning_block"),
    ("go to desk 1", "Act: go to desk 1", "missing_label"),
    ("I should look for a mug.", "Think: I should look for a mug.", "missing_label"),
    ("Where is the mug?", "Speak: Where is the mug?", "missing_label"),
    ("Think: I go\ngo to desk 1", "Think: I go | Act: go to desk 1", "missing_label"),
    ("思考：我看看。", "Think: 思考：我看看。", "missing_label"),
    ("Think：我看看。", "Think: 我看看。", "label_form"),
    ("{\"kind\": \"act\", \"command\": \"look\"}", "Act: look", ""),
    ("{\"thought\": \"a\", \"action\": \"look\"}", "Think: a | Act: look", "json_form"),
    ("Speak: where?\nFinish[done]", "Speak: where?", "closed_move label_form"),
];

#[test]
fn what_models_write_is_understood() {
    for (text, moves, codes) in WRITTEN {
        assert_eq!(read_as(text, RESPACT, false), row(moves, codes), "{text}");
    }
}

#[test]
fn in_the_papers_style_commands_need_no_label() {
    let table = [
        ("go to desk 1", "Act: go to desk 1", ""),
        (" go to desk 1\n", "Act: go to desk 1", ""),
        ("> go to desk 1", "Act: go to desk 1", ""),
        ("> put it away", "Act: put it away", ""),
        ("put it away", "Act: put it away", ""),
        ("> think: a\n> look", "Think: a | Act: look", ""),
        ("look\nYou see a bed.\n> open bed 1", "Act: look", "trailing_text"),
    ];
    for (text, moves, codes) in table {
        assert_eq!(read_as(text, RESPACT, true), row(moves, codes), "{text}");
    }
}

/// A text, the moves, and the codes of the repairs or why nothing was found.
const OTHER_KINDS: &[(&str, &str, &str)] = &[
    ("Judge: unclear. Which mug?", "Judge: unclear. Which mug?", ""),
    ("Judge: clear.", "Judge: clear.", ""),
    ("Judgement: Yes, ask which", "Judge: unclear. ask which", "label_form"),
    ("Judge: not clear", "Judge: unclear.", ""),
    ("Judge: {\"clarify\": false}", "", "the move `judge` says neither `clear` nor `unclear`, neither yes nor no"),
    ("{\"judge\": {\"clarify\": true, \"reason\": \"x\"}}", "Judge: unclear. x", "json_form"),
    ("Plan:\n1. look\n2. Act: go to desk 1", "Plan: \n1. look\n2. go to desk 1", ""),
    ("Plan:\nlook\ngo to desk 1", "Plan: \n1. look\n2. go to desk 1", ""),
    ("Plan: 1. look 2. open desk 1", "Plan: \n1. look\n2. open desk 1", ""),
    ("Plan: [\"look\", 'open desk 1']", "Plan: \n1. look\n2. open desk 1", "json_quotes"),
    ("[\"look\", \"open desk 1\"]", "Plan: \n1. look\n2. open desk 1", ""),
    ("Plan:\n- #E1 = look", "Plan: \n1. E1 = look", ""),
    ("Lesson: look\nfirst", "Learn: look first", ""),
    ("Finish[42]", "Finish: 42", "label_form"),
    ("Final answer: {\"a\": 1}", "Finish: {\"a\":1}", "label_form"),
    ("Finish:", "Finish: ", ""),
    ("", "", "the answer is empty"),
    ("Observation: x", "", "no move was found in `Observation: x`"),
    ("Think:", "", "the move `think` says nothing"),
];

#[test]
fn the_other_kinds_are_read_too() {
    for (text, moves, codes) in OTHER_KINDS {
        assert_eq!(read_as(text, ALL, false), row(moves, codes), "{text}");
    }
    let think = MoveKinds::of(&[MoveKind::Think]);
    assert_eq!(read_as("Find a mug.", think, false), row("Think: Find a mug.", "missing_label"));
    let closed = "a move of the kind `act` is not open now; open are: think";
    assert_eq!(read_as("Act: look", think, false), row("", closed));
}

/// Texts where dialogue acts have to be declared, and the moves that are read.
const DECLARED: &[(&str, &str)] = &[
    ("Speak: <Affirm>: Yes.", "Speak: <Affirm>: Yes."),
    ("speak: Affirm: Yes.", "Speak: <Affirm>: Yes."),
    ("Speak: [affirm] Yes.", "Speak: <Affirm>: Yes."),
    ("Speak: [Affirm]: \"Yes.\"", "Speak: <Affirm>: Yes."),
    ("Speak: [Affirm: Yes.]", "Speak: <Affirm>: Yes."),
    ("Speak [Affirm]: Yes.", "Speak: <Affirm>: Yes."),
    ("Speak[Affirm]: Yes.", "Speak: <Affirm>: Yes."),
    ("**Affirm**: Yes.", "Speak: <Affirm>: Yes."),
    ("<Affirm>: Yes. Act: look", "Speak: <Affirm>: Yes. | Act: look"),
    ("Act: <Deny>: No.", "Speak: <Deny>: No."),
    ("Think: a\nSpeak: Where?", "Think: a"),
    (r#"{"kind": "speak", "act": "deny", "text": "No."}"#, "Speak: <Deny>: No."),
    (r#"{"speak": "No.", "act": "<Deny>"}"#, "Speak: <Deny>: No."),
    (r#"{"kind": "speak", "text": "[Deny]: No."}"#, "Speak: <Deny>: No."),
];

#[test]
fn dialogue_acts_are_read_where_they_are_wanted() {
    let commands = Commands::default();
    let acts = DialogueAct::schema();
    let reading = |acts| Reading { open: RESPACT, commands: &commands, bare_commands: false, acts, natural: false };
    let manner = LineNotation { style: Style::Labels, ..LineNotation::default() };
    let lines = |text, acts| {
        let answer = read(text, &reading(acts)).map_err(|error| error.to_string())?;
        let lines: Vec<String> = answer.moves.iter().map(|made| manner.line(made)).collect();
        Ok::<_, String>(lines.join(" | "))
    };
    for (text, expected) in DECLARED {
        assert_eq!(lines(text, &acts).as_deref(), Ok(*expected), "{text}");
    }
    for text in [
        "Speak: Affirmative.",
        "Speak: Deny me nothing.",
        "Speak: <Agree>: Yes.",
        r#"{"kind": "speak", "act": "agree", "text": "Yes."}"#,
    ] {
        let problem = lines(text, &acts).unwrap_err();
        assert!(problem.contains("<ReqForInstruction>: ..."), "{problem}");
        assert!(problem.ends_with("NotifyFailure"), "{problem}");
    }
    // Where they are not wanted they are words like others, and no field declares one.
    assert_eq!(lines("Speak: Affirm: Yes.", &[]).as_deref(), Ok("Speak: Affirm: Yes."));
    let json = r#"{"kind": "speak", "act": "Deny", "text": "No."}"#;
    assert_eq!(lines(json, &[]).as_deref(), Ok("Speak: No."));
}

#[test]
fn reasoning_is_left_out_wherever_it_stands() {
    let (moves, codes) = read_as("<think>a</think>b<think>c</think>\nAct: look", RESPACT, true);
    assert_eq!((&*moves, &*codes), ("Act: look", "leading_text reasoning_block"));
    let (moves, _) = read_as("a</think>b</think>Act: look. Think: c", RESPACT, false);
    assert_eq!(moves, "Act: look | Think: c");
}

#[test]
fn the_action_that_requests_clarification_is_a_question_where_somebody_hears_it() {
    let without = RESPACT.without(MoveKind::Speak);
    let asks = "Speak: Is anything missing? Please tell me what exactly is wanted.";
    for text in [
        "request_clarification",
        "> request_clarification",
        "Act: request_clarification",
        "Action: Request_Clarification",
        r#"{"action": "request_clarification"}"#,
    ] {
        for bare in [true, false] {
            assert_eq!(read_as(text, RESPACT, bare).0, asks, "{text}");
            assert_ne!(read_as(text, without, bare).0, asks, "{text}");
        }
    }
    let other = read_as("Act: request_clarification of desk 1", RESPACT, true);
    assert_eq!(other.0, "Act: request_clarification of desk 1");
}
