//! Completions and how they are drawn.

use serde_json::{Value, json};

use super::asking::{Asking, Outcome, choices, shown, text_of};
use super::finding::Found;

/// The route of conversations.
pub(super) const CHAT: &str = "chat/completions";
/// The route of texts.
pub(super) const COMPLETIONS: &str = "completions";
/// Tokens of most answers.
const LIMIT: u64 = 12;
/// Enough tokens that every text has one of [`STOPS`].
const LONG: u64 = 32;
/// Where answers are to end.
const STOPS: [&str; 2] = ["a", "e"];

type Check = (Found, String);

/// Whether conversations are completed, and whether `max_tokens` limits that.
pub(super) async fn chat(asking: &Asking<'_>) -> (Check, Check) {
    let fields = json!({"max_tokens": LIMIT, "temperature": 0, "seed": 1});
    match asking.ask(CHAT, &asking.chat(fields)).await {
        Outcome::Said(said) => match choices(&said).first() {
            Some(choice) => {
                let text = format!("it says {}", shown(text_of(choice)));
                ((Found::Supported, text), limited(&said, choice))
            }
            None => {
                let nothing = "the answer holds no completion".to_owned();
                ((Found::Unknown, nothing.clone()), (Found::Unknown, nothing))
            }
        },
        other => {
            let check = other.without_answer();
            let text = "no conversation was completed".to_owned();
            (check, (Found::Unknown, text))
        }
    }
}

fn limited(said: &Value, choice: &Value) -> Check {
    let used = said
        .pointer("/usage/completion_tokens")
        .and_then(Value::as_u64);
    let finish = choice["finish_reason"].as_str().unwrap_or_default();
    match used {
        Some(used) if used > LIMIT => {
            let text = format!("{used} tokens came where {LIMIT} were allowed");
            (Found::Ignored, text)
        }
        Some(used) if finish == "length" => {
            let text = format!("cut after {used} tokens, and says `length`");
            (Found::Supported, text)
        }
        _ => {
            let text = "the answer ended before the limit".to_owned();
            (Found::Unknown, text)
        }
    }
}

/// Whether texts are completed.
pub(super) async fn completions(asking: &Asking<'_>) -> Check {
    let body = asking.text(json!({"max_tokens": 6, "temperature": 0}));
    match asking.ask(COMPLETIONS, &body).await {
        Outcome::Said(said) => match choices(&said).first() {
            Some(choice) => (
                Found::Supported,
                format!("it says {}", shown(text_of(choice))),
            ),
            None => (Found::Unknown, "the answer holds no completion".to_owned()),
        },
        other => other.without_answer(),
    }
}

/// Whether replies are streamed, and whether the stream tells the tokens used.
pub(super) async fn stream(asking: &Asking<'_>) -> (Check, Check) {
    let options = json!({"include_usage": true});
    let fields = json!({
        "max_tokens": 6, "temperature": 0, "stream": true, "stream_options": options,
    });
    let streamed = match asking.stream(CHAT, &asking.chat(fields)).await {
        Ok(streamed) => streamed,
        Err(outcome) => {
            let check = outcome.without_answer();
            return (check.clone(), check);
        }
    };
    if !streamed.is_stream {
        let text = "the answer came in one piece".to_owned();
        return ((Found::Ignored, text.clone()), (Found::Unknown, text));
    }
    let pieces = streamed.values().filter(|event| !choices(event).is_empty());
    let pieces = pieces.count();
    let end = if streamed.ends() {
        "ends with"
    } else {
        "ends without"
    };
    let stream = format!("{pieces} pieces; {end} `[DONE]`");
    let prompt = |event: Value| {
        event
            .pointer("/usage/prompt_tokens")
            .and_then(Value::as_u64)
    };
    let usage = match streamed.values().find_map(prompt) {
        Some(tokens) => (Found::Supported, format!("{tokens} tokens of prompt")),
        None => (Found::Ignored, "no event tells the tokens used".to_owned()),
    };
    ((Found::Supported, stream), usage)
}

/// Whether stop sequences end an answer.
pub(super) async fn stop(asking: &Asking<'_>) -> Check {
    let body = asking.chat(json!({"max_tokens": LONG, "stop": STOPS, "seed": 3}));
    let said = match asking.ask(CHAT, &body).await {
        Outcome::Said(said) => said,
        other => return other.without_answer(),
    };
    let Some(choice) = choices(&said).first() else {
        return (Found::Unknown, "the answer holds no completion".to_owned());
    };
    let text = text_of(choice);
    if STOPS.iter().any(|stop| text.contains(stop)) {
        return (Found::Ignored, format!("{} goes on after it", shown(text)));
    }
    match choice["finish_reason"].as_str() {
        Some("stop") => (Found::Supported, format!("{} ends before it", shown(text))),
        _ => (Found::Unknown, "no stop sequence came".to_owned()),
    }
}

/// Whether temperature 0 gives the same answer again.
pub(super) async fn repeatable(asking: &Asking<'_>) -> Check {
    let body = asking.chat(json!({"max_tokens": LIMIT, "temperature": 0, "seed": 1}));
    match same(asking, [&body, &body]).await {
        Ok(true) => (Found::Supported, "two answers are equal".to_owned()),
        Ok(false) => (Found::Ignored, "two answers differ".to_owned()),
        Err(check) => check,
    }
}

/// Whether the seed decides how an answer is drawn.
pub(super) async fn seed(asking: &Asking<'_>) -> Check {
    let seeded = |seed: u32| {
        let fields = json!({"max_tokens": LONG, "temperature": 1, "seed": seed});
        asking.chat(fields)
    };
    let (one, other) = (seeded(1), seeded(2));
    let again = match same(asking, [&one, &one]).await {
        Ok(again) => again,
        Err(check) => return check,
    };
    if !again {
        return (Found::Ignored, "two answers to one seed differ".to_owned());
    }
    match same(asking, [&one, &other]).await {
        Ok(false) => (
            Found::Supported,
            "answers to one seed are equal, to two seeds they differ".to_owned(),
        ),
        Ok(true) => (Found::Unknown, "answers to two seeds are equal".to_owned()),
        Err(check) => check,
    }
}

async fn same(asking: &Asking<'_>, bodies: [&Value; 2]) -> Result<bool, Check> {
    let mut texts = Vec::new();
    for body in bodies {
        match asking.ask(CHAT, body).await {
            Outcome::Said(said) => {
                let first = choices(&said).first();
                texts.push(first.map(text_of).unwrap_or_default().to_owned());
            }
            other => return Err(other.without_answer()),
        }
    }
    if texts.iter().any(String::is_empty) {
        return Err((Found::Unknown, "an answer is empty".to_owned()));
    }
    Ok(texts[0] == texts[1])
}

/// Whether several completions come from one request.
pub(super) async fn several(asking: &Asking<'_>) -> Check {
    let body = asking.chat(json!({"max_tokens": 8, "n": 2, "seed": 3}));
    match asking.ask(CHAT, &body).await {
        Outcome::Said(said) => match choices(&said).len() {
            2 => (Found::Supported, "2 of 2 completions came".to_owned()),
            came => (Found::Ignored, format!("{came} of 2 completions came")),
        },
        other => other.without_answer(),
    }
}

/// Whether generated tokens come with log-probabilities.
pub(super) async fn logprobs(asking: &Asking<'_>) -> Check {
    // llama.cpp leaves them out for pieces of letters, with which an answer may begin.
    let body = asking.chat(json!({"max_tokens": LIMIT, "temperature": 0, "logprobs": true}));
    let said = match asking.ask(CHAT, &body).await {
        Outcome::Said(said) => said,
        other => return other.without_answer(),
    };
    let tokens = said.pointer("/choices/0/logprobs/content");
    let mut tokens = tokens.and_then(Value::as_array).into_iter().flatten();
    match tokens.find_map(|token| token["logprob"].as_f64()) {
        Some(logprob) => (Found::Supported, format!("a token has {logprob:.4}")),
        None => (Found::Ignored, "no token has one".to_owned()),
    }
}
