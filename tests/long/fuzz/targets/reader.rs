//! Any text, read in every way: open moves or a reason, the same each time, and the same again when
//! it is written down.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::domain::{Answer, DialogueAct, Move, MoveKind, MoveKinds, ToolCall};
use rolecall::prompts::{LineNotation, Speech, Style};
use rolecall::roles::reader::{Commands, Reading, Toolbox, read, read_json, read_natural, read_natural_json, read_tools};
use rolecall::text::is_line_break;

/// Whether the text may be read as JSON, whose texts may hold anything.
fn may_be_json(text: &str) -> bool {
    let opens = |(place, mark): (usize, char)| {
        let before = text[..place].chars().next_back();
        mark == '{' || (mark == '[' && !before.is_some_and(char::is_alphanumeric))
    };
    text.char_indices().any(opens)
}

fuzz_target!(|input: (u8, u8, &str)| {
    let (kinds, how, text) = input;
    let chosen = MoveKind::ALL.into_iter().enumerate();
    let chosen = chosen.filter(|(place, _)| kinds & (1 << place) != 0);
    let open = MoveKinds::of(&chosen.map(|(_, kind)| kind).collect::<Vec<_>>());
    let commands = if how & 1 == 0 {
        Commands::default()
    } else {
        Commands::new(["go to {r}", "take {o} from {r}", "look", "search[{words}]"])
    };
    let style = if how & 2 == 0 {
        Style::Papers
    } else {
        Style::Labels
    };
    let manner = LineNotation {
        style,
        speech: Speech::Speak,
    };
    let acts = DialogueAct::schema();
    let reading = Reading {
        open,
        commands: &commands,
        bare_commands: style == Style::Papers,
        acts: if how & 4 == 0 { &[] } else { &acts },
        natural: false,
    };
    let call = ToolCall {
        name: "act".to_owned(),
        arguments: text.into(),
    };
    let world = rolecall::ports::World::default();
    let toolbox = Toolbox {
        world: &world,
        as_written: how & 16 != 0,
    };
    let natural = Reading {
        natural: true,
        ..reading
    };
    let answers = [
        read(text, &reading),
        read_json(text, how & 8 != 0, &reading),
        read_tools(std::slice::from_ref(&call), text, &reading, toolbox),
        read_natural(text, &natural, toolbox),
        read_natural_json(text, how & 8 != 0, &natural, toolbox),
        read_tools(&[call], text, &natural, toolbox),
    ];
    for answer in answers.iter().flatten() {
        assert!(!answer.moves.is_empty());
        assert!(answer.moves.iter().all(|made| open.contains(made.kind())));
    }
    assert_eq!(answers[0], read(text, &reading));
    let whole = Reading {
        open: MoveKinds::of(&MoveKind::ALL),
        ..reading
    };
    // By design a label within a thought counts: written again, such a thought is another move.
    let labelled = |made: &Move| match made {
        Move::Think { text } => {
            // A label without anything after it cannot be read.
            let inner = read(text, &whole).ok();
            text.contains([':', '：']) && inner.is_none_or(|inner| inner.moves[0] != *made)
        }
        _ => false,
    };
    // Lines of a prompt have blanks for letters that break lines elsewhere.
    let broken = |letter| is_line_break(letter) && !matches!(letter, '\n' | '\r');
    let plain = |first: &Answer| {
        !may_be_json(text) && !text.contains(broken) && !first.moves.iter().any(labelled)
    };
    if let Some(first) = read(text, &whole).ok().filter(plain) {
        let lines: Vec<String> = first.moves.iter().map(|made| manner.line(made)).collect();
        let second = read(&lines.join("\n"), &whole).map(|answer| answer.moves);
        assert_eq!(second.as_ref(), Ok(&first.moves), "{lines:?}");
    }
});
