//! Any bytes as a message to a server of MCP: an answer that is a message, the same over lines and HTTP but for its
//! status. Any bytes as what a server answers: read within bounds, or an error; of a stream, the same however cut.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rolecall::mcp::{Events, Given, Headers, Reaction, Page, Server, Shown, Spoken, Tool, Way, chosen};
use serde_json::Value;
use serde_json::value::RawValue;

/// The most bytes that are kept of what a tool gives.
const LONGEST: usize = 64;

fn server() -> Server {
    let tool = Tool {
        name: "begin".to_owned(),
        description: String::new(),
        input: Value::Null,
        output: Value::Null,
    };
    Server {
        instructions: String::new(),
        tools: vec![tool],
    }
}

fn hear(bytes: &[u8], mut way: Way) -> Option<Value> {
    let reply = match server().hear(bytes, &mut way) {
        Reaction::Answer(reply) => reply,
        Reaction::Call(called) => called.answer(&Given::Refused("no".to_owned())),
        Reaction::Cancelled(_) | Reaction::Nothing => return None,
    };
    assert!([200, 400, 404].contains(&reply.status));
    assert!(!reply.line.contains('\n'));
    let answer: Value = serde_json::from_str(&reply.line).unwrap();
    assert!(answer.get("result").is_some() != answer.get("error").is_some());
    Some(answer["id"].clone())
}

fn answered(text: &str) {
    let Ok(raw) = serde_json::from_str::<&RawValue>(text) else {
        return;
    };
    if let Ok(shown) = Shown::read(raw, LONGEST) {
        assert!(shown.text.len() <= LONGEST + " [cut]".len() || shown.is_error);
        assert!(shown.data.is_none_or(|data| data.to_string().len() <= LONGEST * 6));
    }
    if let Ok(page) = Page::read(raw) {
        assert!(page.tools.iter().all(|tool| tool.input.is_object()));
    }
    let _ = (Spoken::read(&Ok(raw.to_owned())), chosen(raw));
}

fn streamed<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Option<String> {
    let mut events = Events::default();
    let mut found = chunks.into_iter().map(|chunk| events.take(chunk, 1));
    let answer = found.find(|taken| !matches!(taken, Ok(None)))?;
    Some(format!("{answer:?}"))
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, bytes) = input;
    let ids = [
        Way::Lines { greeted: false },
        Way::Lines { greeted: true },
        Way::Http(Headers::default()),
    ]
    .map(|way| hear(bytes, way));
    assert!(ids.iter().all(|id| *id == ids[0]));
    if let Ok(text) = std::str::from_utf8(bytes) {
        answered(text);
    }
    let whole = streamed([bytes]);
    assert_eq!(whole, streamed(bytes.chunks(usize::from(size).max(1))));
});
