//! Any bytes as a stream of events, cut anywhere: the same events as in one piece.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::models::openai::{SseEvent, SseParser};

/// The events of the chunks, or nothing if one of them is too large.
fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Option<Vec<SseEvent>> {
    let mut parser = SseParser::new(1 << 10);
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events).ok()?;
    }
    events.extend(parser.finish());
    Some(events)
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, bytes) = input;
    let whole = events([bytes]);
    let cut = events(bytes.chunks(usize::from(size).max(1)));
    let single = events(bytes.chunks(1));
    assert_eq!(whole, cut);
    assert_eq!(whole, single);
});
