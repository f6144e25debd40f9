//! Any bytes that another process may write: the same lines however they come, and messages and answers of
//! `rolecall/1` or errors of one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::domain::{Answer, Observation, Score, Utterance};
use rolecall::process::{read_answer, read_introduction};
use rolecall::wire::{Lines, Message, read};

/// The whole lines of the chunks.
fn lines<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut lines = Lines::default();
    let mut found = Vec::new();
    for chunk in chunks {
        lines.room().extend_from_slice(chunk);
        while let Some(line) = lines.next_line().unwrap() {
            found.push(line.to_vec());
        }
    }
    found
}

/// The error is one harmless line.
fn harmless<T, E: ToString>(result: Result<T, E>) {
    if let Err(error) = result {
        assert!(!error.to_string().contains(char::is_control));
    }
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, bytes) = input;
    let whole = lines([bytes]);
    assert_eq!(whole, lines(bytes.chunks(usize::from(size).max(1))));
    for line in whole.iter().map(Vec::as_slice).chain([bytes]) {
        match read(line) {
            Err(bad) => harmless(Err::<(), _>(bad)),
            Ok(Message::Response { result: Ok(result), .. }) => {
                harmless(read_introduction(result));
                harmless(read_answer::<Answer>(result));
                harmless(read_answer::<Utterance>(result));
                harmless(read_answer::<Observation>(result));
                harmless(read_answer::<Score>(result));
            }
            Ok(_) => {}
        }
    }
});
