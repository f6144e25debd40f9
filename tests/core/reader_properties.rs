//! What holds of the reader for any text.

use std::sync::LazyLock;

use proptest::prelude::*;
use rolecall::domain::{Answer, DialogueAct, Move, MoveKind, MoveKinds, PlanStep, ToolCall};
use rolecall::ports::{Unreadable, World};
use rolecall::prompts::{LineNotation, Speech, Style};
use rolecall::roles::reader::{Commands, Reading, Toolbox, read, read_json, read_tools};
use rolecall::text::is_line_break;
use serde_json::{Value, json};

const ALL: MoveKinds = MoveKinds::of(&MoveKind::ALL);

static ACTS: LazyLock<Vec<DialogueAct>> = LazyLock::new(DialogueAct::schema);

static WORLD: LazyLock<World> = LazyLock::new(World::default);

/// No tools but those of moves.
fn none() -> Toolbox<'static> {
    Toolbox { world: &WORLD, as_written: false }
}

const FORMS: [&str; 4] = ["go to {r}", "take {o} from {r}", "look", "search[{words}]"];

fn with<T>(open: MoveKinds, manner: LineNotation, known: bool, use_it: impl FnOnce(&Reading<'_>) -> T) -> T {
    let commands = if known { Commands::new(FORMS) } else { Commands::default() };
    use_it(&Reading {
        open,
        commands: &commands,
        bare_commands: manner.style == Style::Papers,
        acts: &ACTS,
        natural: false,
    })
}

/// Pieces of what models write.
const PIECES: &[&str] = &[
    "Think:",
    "think[",
    "> ",
    "Act:",
    "Action 2:",
    "Speak: ",
    "Ask:",
    "Finish[",
    "]",
    "[",
    "Plan:\n",
    "1. ",
    "- ",
    "Judge: ",
    "clear",
    "unclear. ",
    "yes",
    "```\n",
    "**",
    "\"",
    "'",
    "\n",
    "\n\n",
    " ",
    ". ",
    "OK.",
    "Observation:",
    "Human: ",
    "<think>",
    "</think>",
    "<|im_end|>",
    "{",
    "}",
    "\"kind\": ",
    "\"act\"",
    "\"text\": ",
    ",",
    "look",
    "go to desk 1",
    "take mug 1 from desk 1",
    "search[red shoes]",
    "Where is it?",
    "Affirm: ",
    "<Deny>: ",
    "[NotifyFailure]",
    "\"act\": \"Deny\"",
    "\"speak\": ",
    "E1 = ",
    "Lesson:",
    "a",
    "Ä",
    "世界",
    "：",
    "(",
    ")",
    "\u{202e}",
    "\u{2028}",
    "\u{85}",
    "\r\n",
    "🙂",
    "Thought: ",
];

/// Such pieces in any order, and anything else.
fn written() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-zA-Z0-9 .,:?]{0,12}",
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn open_kinds() -> impl Strategy<Value = MoveKinds> {
    proptest::sample::subsequence(MoveKind::ALL.to_vec(), 1..=7).prop_map(|kinds| MoveKinds::of(&kinds))
}

fn manner() -> impl Strategy<Value = LineNotation> {
    (any::<bool>(), any::<bool>()).prop_map(|(labels, ask)| LineNotation {
        style: if labels { Style::Labels } else { Style::Papers },
        speech: if ask { Speech::Ask } else { Speech::Speak },
    })
}

/// A move in plain words.
fn plain_move() -> impl Strategy<Value = Move> {
    let words = || "[A-Z][a-z]{1,8}( [a-z]{1,8}){0,4}[.!]";
    let command = || prop_oneof![Just("look".to_owned()), "go to [a-z]{2,8} [1-9]"];
    prop_oneof![
        words().prop_map(Move::think),
        (words(), proptest::sample::select(ACTS.clone())).prop_map(|(text, act)| Move::Speak { text, act: Some(act) }),
        command().prop_map(Move::act),
        proptest::collection::vec(command(), 1..4)
            .prop_map(|steps| Move::Plan { steps: steps.into_iter().map(PlanStep::of).collect() }),
        (any::<bool>(), proptest::option::of(words())).prop_map(|(clarify, reason)| Move::Judge { clarify, reason }),
        words().prop_map(|lesson| Move::Learn { lesson }),
        words().prop_map(|answer| Move::Finish { answer: Box::new(Value::String(answer)) }),
    ]
}

/// The move as the schema of structured answers wants it.
fn structured(made: &Move) -> Value {
    match made {
        Move::Think { text } => json!({"kind": "think", "text": text}),
        Move::Speak { text, act } => json!({"kind": "speak", "act": act, "text": text}),
        Move::Act { action } => json!({"kind": "act", "command": action.text}),
        Move::Plan { steps } => {
            let steps: Vec<&str> = steps.iter().map(|step| &*step.action.text).collect();
            json!({"kind": "plan", "steps": steps})
        }
        Move::Judge { clarify, reason } => {
            json!({"kind": "judge", "clarify": clarify, "reason": reason.clone().unwrap_or_default()})
        }
        Move::Learn { lesson } => json!({"kind": "learn", "lesson": lesson}),
        Move::Finish { answer } => json!({"kind": "finish", "answer": answer}),
    }
}

/// Whether the text may be read as JSON, whose texts may hold anything.
fn may_be_json(text: &str) -> bool {
    let opens = |(place, mark): (usize, char)| {
        let before = text[..place].chars().next_back();
        mark == '{' || (mark == '[' && !before.is_some_and(char::is_alphanumeric))
    };
    text.char_indices().any(opens)
}

/// Whether an utterance declares one of the acts.
fn declares_an_act(made: &Move) -> bool {
    match made {
        Move::Speak { act, .. } => act.as_ref().is_some_and(|act| ACTS.contains(act)),
        _ => true,
    }
}

/// Whether a thought begins with a label, which counts by design: written again it is another move.
fn holds_a_label(made: &Move, reading: &Reading<'_>) -> bool {
    let Move::Think { text } = made else {
        return false;
    };
    // A label without anything after it cannot be read.
    let inner = read(text, reading).ok();
    text.contains([':', '：']) && inner.is_none_or(|inner| inner.moves[0] != *made)
}

fn moves(answer: Result<Answer, Unreadable>) -> Vec<Move> {
    answer.unwrap_or_else(|error| panic!("{error}")).moves
}

/// Found by the property below.
#[test]
fn a_step_with_a_number_inside_is_one_step_when_it_is_written_down() {
    let made = Move::Plan { steps: vec![PlanStep::of("A 2. ,Think:")] };
    let manner = LineNotation::default();
    let line = manner.line(&made);
    let second = with(ALL, manner, false, |reading| read(&line, reading));
    assert_eq!(moves(second), [made]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_gives_open_moves_or_a_reason(
        text in written(),
        open in open_kinds(),
        manner in manner(),
        known in any::<bool>(),
        cut in any::<bool>(),
    ) {
        with(open, manner, known, |reading| {
            for answer in [read(&text, reading), read_json(&text, cut, reading)].into_iter().flatten() {
                prop_assert!(!answer.moves.is_empty());
                prop_assert!(answer.moves.iter().all(|made| open.contains(made.kind())));
                prop_assert!(answer.moves.iter().all(declares_an_act), "{:?}", answer.moves);
            }
            let again = (read(&text, reading), read(&text, reading));
            prop_assert_eq!(again.0, again.1);
            let call = ToolCall { name: "think".to_owned(), arguments: Value::String(text.clone()) };
            let _ = read_tools(&[call], &text, reading, none());
            Ok(())
        })?;
    }

    #[test]
    fn what_was_read_is_read_again_when_it_is_written_down(
        text in written(),
        manner in manner(),
        known in any::<bool>(),
    ) {
        with(ALL, manner, known, |reading| {
            // Lines of a prompt have blanks for letters that break lines elsewhere.
            let broken = |letter| is_line_break(letter) && !matches!(letter, '\n' | '\r');
            let plain = |first: &Answer| {
                !may_be_json(&text)
                    && !text.contains(broken)
                    && !first.moves.iter().any(|made| holds_a_label(made, reading))
            };
            if let Some(first) = read(&text, reading).ok().filter(plain) {
                let lines: Vec<String> = first.moves.iter().map(|made| manner.line(made)).collect();
                let lines = lines.join("\n");
                let second = read(&lines, reading);
                prop_assert_eq!(second.map(|answer| answer.moves), Ok(first.moves), "{}", lines);
            }
            Ok(())
        })?;
    }

    #[test]
    fn text_json_and_tools_give_the_same_moves(
        made in proptest::collection::vec(plain_move(), 1..4),
        manner in manner(),
    ) {
        with(ALL, manner, true, |reading| {
            let lines: Vec<String> = made.iter().map(|made| manner.line(made)).collect();
            let from_text = read(&lines.join("\n"), reading).unwrap();
            prop_assert!(from_text.repaired.is_empty(), "{:?}", from_text.repaired);
            prop_assert_eq!(&from_text.moves, &made);
            let list: Vec<Value> = made.iter().map(structured).collect();
            let from_json = moves(read_json(&json!({"moves": list}).to_string(), false, reading));
            prop_assert_eq!(&from_json, &made);
            let calls: Vec<ToolCall> = made.iter().map(|made| ToolCall {
                name: made.kind().as_str().to_owned(),
                arguments: structured(made),
            }).collect();
            prop_assert_eq!(&moves(read_tools(&calls, "", reading, none())), &made);
            Ok(())
        })?;
    }
}

/// A model that has lost its way may write one label for megabytes.
#[test]
#[expect(clippy::disallowed_methods, reason = "the time that reading takes is what is tested")]
fn long_nonsense_is_read_in_time_that_grows_with_its_length() {
    let began = std::time::Instant::now();
    for part in ["</think>", "<think>", "a. Act: ", "act: ", "act[", "1. Act: "] {
        let text = part.repeat((512 << 10) / part.len());
        let _ = with(ALL, LineNotation::default(), true, |reading| read(&text, reading));
    }
    let took = began.elapsed().as_secs();
    assert!(took < 20, "{took} s");
}
