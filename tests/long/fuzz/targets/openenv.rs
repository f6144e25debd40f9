//! Any text as a message of a client of `rolecall serve env`, and as a move: read, or refused with a reason that
//! steers no terminal, and the same each time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::domain::{Brief, MoveKind, MoveKinds};
use rolecall::ports::World;
use rolecall::serve::openenv::{ClientMessage, read_message, read_move, read_words};
use serde_json::Value;

/// Data of a step, as a role's move and as words of the user.
fn step(data: &Value, brief: &Brief) {
    let world = World::default();
    let read = || read_move(data.clone(), brief, None, &world);
    let answer = read();
    assert_eq!(answer, read());
    match answer {
        Ok(answer) => assert!(answer.moves.len() <= data.to_string().len()),
        Err(why) => assert!(!why.is_empty()),
    }
    let _ = read_words(data.clone());
}

fuzz_target!(|input: (u8, &str)| {
    let (kinds, text) = input;
    let chosen = MoveKind::ALL.into_iter().enumerate();
    let chosen = chosen.filter(|(place, _)| kinds & (1 << place) != 0);
    let brief = Brief {
        open: MoveKinds::of(&chosen.map(|(_, kind)| kind).collect::<Vec<_>>()),
        ..Brief::default()
    };
    let message = read_message(text);
    assert_eq!(message, read_message(text));
    match message {
        Ok(ClientMessage::Step(data)) => step(&data, &brief),
        Ok(_) => {}
        Err(error) => assert!(!error.message.is_empty() && !error.message.contains('\u{1b}')),
    }
    step(&Value::String(text.to_owned()), &brief);
    if let Ok(data) = serde_json::from_str(text) {
        step(&data, &brief);
    }
});
