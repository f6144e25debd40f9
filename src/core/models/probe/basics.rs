//! Completions and how they are drawn.

use serde_json::{Value, json};

use super::asking::{Asking, CHAT, choices, first_choice, shown, text_of};
use super::finding::{Checked, Found, OptionCheck};

/// Tokens of most answers.
const LIMIT: u64 = 12;
/// Enough tokens that every text has one of [`STOPS`].
const LONG: u64 = 32;
/// The texts at which answers are to end.
const STOPS: [&str; 2] = ["a", "e"];

/// Whether conversations are completed, and whether `max_tokens` limits that.
pub(super) async fn chat(asking: &Asking<'_>) -> (OptionCheck, OptionCheck) {
    let fields = json!({"max_tokens": LIMIT, "temperature": 0, "seed": 1});
    let said = match asking.ask(CHAT, &asking.chat(fields)).await {
        Ok(said) => said,
        Err(unanswered) => {
            let limited = Found::Unknown.by("no conversation was completed");
            return (unanswered.into(), limited);
        }
    };
    match first_choice(&said) {
        Ok(choice) => (it_says(choice), limited(&said, choice)),
        Err(nothing) => (nothing.clone(), nothing),
    }
}

fn it_says(choice: &Value) -> OptionCheck {
    Found::Supported.by(format!("it says {}", shown(text_of(choice))))
}

fn limited(said: &Value, choice: &Value) -> OptionCheck {
    let used = said.pointer("/usage/completion_tokens");
    match used.and_then(Value::as_u64) {
        Some(used) if used > LIMIT => Found::Ignored.by(format!("{used} tokens came where {LIMIT} were allowed")),
        Some(used) if choice["finish_reason"] == "length" => {
            Found::Supported.by(format!("cut after {used} tokens, and says `length`"))
        }
        _ => Found::Unknown.by("the answer ended before the limit"),
    }
}

/// Whether texts are completed.
pub(super) async fn completions(asking: &Asking<'_>) -> Checked {
    let body = asking.text(json!({"max_tokens": 6, "temperature": 0}));
    let said = asking.ask("completions", &body).await?;
    first_choice(&said).map(it_says)
}

/// Whether replies are streamed, and whether the stream tells the tokens used.
pub(super) async fn stream(asking: &Asking<'_>) -> (OptionCheck, OptionCheck) {
    let options = json!({"include_usage": true});
    let fields = json!({
        "max_tokens": 6, "temperature": 0, "stream": true, "stream_options": options,
    });
    let streamed = match asking.stream(&asking.chat(fields)).await {
        Ok(streamed) => streamed,
        Err(unanswered) => {
            let check = OptionCheck::from(unanswered);
            return (check.clone(), check);
        }
    };
    if !streamed.is_stream {
        let text = "the answer came in one piece";
        return (Found::Ignored.by(text), Found::Unknown.by(text));
    }
    let pieces = streamed.values().filter(|event| !choices(event).is_empty()).count();
    let end = match streamed.ends() {
        true => "ends with",
        false => "ends without",
    };
    let stream = Found::Supported.by(format!("{pieces} pieces; {end} `[DONE]`"));
    let prompt = |event: Value| event.pointer("/usage/prompt_tokens")?.as_u64();
    let usage = match streamed.values().find_map(prompt) {
        Some(tokens) => Found::Supported.by(format!("{tokens} tokens of prompt")),
        None => Found::Ignored.by("no event tells the tokens used"),
    };
    (stream, usage)
}

/// Whether stop sequences end an answer.
pub(super) async fn stop(asking: &Asking<'_>) -> Checked {
    let body = asking.chat(json!({"max_tokens": LONG, "stop": STOPS, "seed": 3}));
    let said = asking.ask(CHAT, &body).await?;
    let choice = first_choice(&said)?;
    let text = text_of(choice);
    Ok(if STOPS.iter().any(|stop| text.contains(stop)) {
        Found::Ignored.by(format!("{} goes on after it", shown(text)))
    } else if choice["finish_reason"] == "stop" {
        Found::Supported.by(format!("{} ends before it", shown(text)))
    } else {
        Found::Unknown.by("no stop sequence came")
    })
}

/// Whether thinking comes in a field of its own.
pub(super) async fn thinking(asking: &Asking<'_>) -> Checked {
    let said = asking.ask(CHAT, &asking.chat(json!({"max_tokens": LONG}))).await?;
    let message = &first_choice(&said)?["message"];
    let field = ["reasoning_content", "reasoning"].into_iter().find(|field| message[field].is_string());
    Ok(match field {
        Some(field) => Found::Supported.by(format!("in the field `{field}`: give it tokens with `reasoning`")),
        None => Found::Unknown.by("no thinking came"),
    })
}

/// Whether temperature 0 gives the same answer again.
pub(super) async fn repeatable(asking: &Asking<'_>) -> Checked {
    let body = asking.chat(json!({"max_tokens": LIMIT, "temperature": 0, "seed": 1}));
    Ok(match same(asking, [&body, &body]).await? {
        true => Found::Supported.by("two answers are equal"),
        false => Found::Ignored.by("two answers differ"),
    })
}

/// Whether the seed decides how an answer is drawn.
pub(super) async fn seed(asking: &Asking<'_>) -> Checked {
    let seeded = |seed: u32| {
        let fields = json!({"max_tokens": LONG, "temperature": 1, "seed": seed});
        asking.chat(fields)
    };
    let (one, other) = (seeded(1), seeded(2));
    if !same(asking, [&one, &one]).await? {
        return Ok(Found::Ignored.by("two answers to one seed differ"));
    }
    Ok(match same(asking, [&one, &other]).await? {
        false => Found::Supported.by("answers to one seed are equal, to two seeds they differ"),
        true => Found::Unknown.by("answers to two seeds are equal"),
    })
}

async fn same(asking: &Asking<'_>, bodies: [&Value; 2]) -> Result<bool, OptionCheck> {
    let mut texts = Vec::new();
    for body in bodies {
        let said = asking.ask(CHAT, body).await?;
        let first = choices(&said).first();
        texts.push(first.map(text_of).unwrap_or_default().to_owned());
    }
    if texts.iter().any(String::is_empty) {
        return Err(Found::Unknown.by("an answer is empty"));
    }
    Ok(texts[0] == texts[1])
}

/// Whether several completions come from one request.
pub(super) async fn several(asking: &Asking<'_>) -> Checked {
    let body = asking.chat(json!({"max_tokens": 8, "n": 2, "seed": 3}));
    Ok(match choices(&asking.ask(CHAT, &body).await?).len() {
        2 => Found::Supported.by("2 of 2 completions came"),
        came => Found::Ignored.by(format!("{came} of 2 completions came")),
    })
}

/// Whether tokens come with their ids, as vLLM and SGLang give them. What trains on rewards wants them.
pub(super) async fn token_ids(asking: &Asking<'_>) -> Checked {
    let body = asking.chat(json!({"max_tokens": 2, "return_token_ids": true}));
    let said = asking.ask(CHAT, &body).await?;
    let ids = |place: &str| said.pointer(place).and_then(Value::as_array).map_or(0, Vec::len);
    Ok(match (ids("/prompt_token_ids"), ids("/choices/0/token_ids")) {
        (0, _) | (_, 0) => Found::Ignored.by("no ids came"),
        (prompt, reply) => Found::Supported.by(format!(
            "{prompt} of the prompt and {reply} of the answer; ask with \
             `extra_body = {{ return_token_ids = true }}`"
        )),
    })
}

/// Whether generated tokens come with log-probabilities.
pub(super) async fn logprobs(asking: &Asking<'_>) -> Checked {
    // llama.cpp leaves them out for pieces of letters, with which an answer may begin.
    let body = asking.chat(json!({"max_tokens": LIMIT, "temperature": 0, "logprobs": true}));
    let said = asking.ask(CHAT, &body).await?;
    let mut tokens = said.pointer("/choices/0/logprobs/content").and_then(Value::as_array).into_iter().flatten();
    Ok(match tokens.find_map(|token| token["logprob"].as_f64()) {
        Some(logprob) => Found::Supported.by(format!("a token has {logprob:.4}")),
        None => Found::Ignored.by("no token has one"),
    })
}
