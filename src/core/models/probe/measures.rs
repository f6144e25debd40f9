//! Scores of texts, tokens, the window, and who is let in.

use serde_json::{Value, json};

use super::asking::{Asking, CHAT, Unanswered, first_choice, of_error};
use super::finding::{Checked, Found, OptionCheck};
use crate::models::{FirstByte, openai};
use crate::ports::ModelError;
use crate::ports::model::{ModelRequest, ModelSettings, Prompt, Scoring, ScoringMethod};

/// A short text for tokenizers.
const SHORT: &str = "go to the fridge 1";
/// A text like those of prompts, for measuring tokens.
const LONG: &str = "You are in the middle of a room. Looking quickly around you, you see a \
    cabinet 3, a cabinet 2, a countertop 1, a drawer 2, a fridge 1, a microwave 1, a sinkbasin 1, \
    a stoveburner 2, and a toaster 1. Your task is to: put a clean mug in the coffeemachine.\n\
    > go to countertop 1\nOn the countertop 1, you see a bread 1, a mug 2, and a peppershaker 1.\n";
/// Bytes of a prompt that fits few windows, where the window's size is not known.
const LARGE: usize = 64_000;
/// The largest window that is overfilled on purpose.
const AFFORDABLE: u32 = 40_000;

/// Whether texts are scored that way: one is.
pub(super) async fn scoring(settings: &ModelSettings, method: ScoringMethod) -> OptionCheck {
    let (prompt, candidate) = match method {
        ScoringMethod::EchoLogprobs => ("go to the", " fridge 1"),
        ScoringMethod::TokenByToken => ("The user said: find the mug. Action: ", "stop"),
    };
    match score(settings, method, prompt, candidate).await {
        Ok(logprob) => Found::Supported.by(format!("`{candidate}` has {logprob:.4} after `{prompt}`")),
        Err(error) => of_error(&error),
    }
}

async fn score(
    settings: &ModelSettings,
    method: ScoringMethod,
    prompt: &str,
    candidate: &str,
) -> Result<f64, ModelError> {
    let mut settings = settings.clone();
    settings.profile.capabilities.scoring = Some(method);
    let unusable = |error: crate::ports::SetupError| ModelError::BadRequest(error.to_string());
    let transport = openai::transport(&settings).map_err(unusable)?;
    let request = transport.encode(&ModelRequest::Score(Scoring {
        prompt: Prompt::Text(prompt.to_owned()),
        candidates: vec![candidate.to_owned()],
    }))?;
    let attempt =
        transport.attempt(&request, "probe", "", &FirstByte::default()).await.map_err(|failed| failed.error)?;
    let none = || ModelError::Malformed("no score came".to_owned());
    Ok(attempt.reply.scores.first().ok_or_else(none)?.logprob)
}

/// Whether the server shows how it splits texts.
pub(super) async fn tokenize(asking: &Asking<'_>) -> Checked {
    let tokens = tokens(asking, SHORT).await?;
    Ok(Found::Supported.by(format!("`{SHORT}` has {tokens} tokens")))
}

/// Bytes of the text of prompts for one token.
pub(super) async fn bytes_per_token(asking: &Asking<'_>) -> Option<f64> {
    let counted = match tokens(asking, LONG).await {
        Ok(tokens) => tokens,
        // What the text adds to a conversation's prompt, as the server counts it.
        Err(_) => {
            let without = prompt_tokens(asking, "a").await?;
            let with = prompt_tokens(asking, LONG).await?;
            with.checked_sub(without)? + 1
        }
    };
    (counted > 0).then(|| LONG.len() as f64 / counted as f64)
}

/// llama.cpp and vLLM name the text differently.
async fn tokens(asking: &Asking<'_>, text: &str) -> Result<u64, Unanswered> {
    let model = &asking.http.settings.profile.model;
    let llama = json!({"content": text, "with_pieces": true});
    let vllm = json!({"model": model, "prompt": text, "return_token_strs": true});
    match tokens_of(asking, &llama).await {
        Ok(tokens) => Ok(tokens),
        Err(_) => tokens_of(asking, &vllm).await,
    }
}

async fn tokens_of(asking: &Asking<'_>, body: &Value) -> Result<u64, Unanswered> {
    let said = asking.ask_own("tokenize", body).await?;
    match said["tokens"].as_array() {
        Some(tokens) if !tokens.is_empty() => Ok(tokens.len() as u64),
        _ => Err(Unanswered::Failed("the answer holds no tokens".to_owned())),
    }
}

async fn prompt_tokens(asking: &Asking<'_>, text: &str) -> Option<u64> {
    let messages = json!([{"role": "user", "content": text}]);
    let body = asking.chat(json!({"messages": messages, "max_tokens": 1}));
    asking.ask(CHAT, &body).await.ok()?.pointer("/usage/prompt_tokens")?.as_u64()
}

/// The window's size, as the server tells it.
pub(super) async fn context(asking: &Asking<'_>) -> Option<u32> {
    let number = |value: &Value, path: &str| {
        let number = value.pointer(path)?.as_u64().filter(|number| *number > 0);
        u32::try_from(number?).ok()
    };
    let props = asking.get(&asking.http.address().own("props")).await;
    let tokens = props.ok().and_then(|props| number(&props, "/default_generation_settings/n_ctx"));
    if tokens.is_some() {
        return tokens;
    }
    let models = asking.get(&asking.http.address().versioned("models")).await.ok()?;
    let known = models["data"].as_array()?;
    let model = asking.http.settings.profile.model.as_str();
    let named = known.iter().find(|known| known["id"] == model);
    let only = known.first().filter(|_| known.len() == 1);
    let named = named.or(only)?;
    ["/max_model_len", "/meta/n_ctx", "/context_length"].iter().find_map(|path| number(named, path))
}

/// Whether a prompt that is too long is refused rather than silently cut; and the window's size, if
/// the refusal tells it.
pub(super) async fn overflow(asking: &Asking<'_>, known: Option<u32>) -> (OptionCheck, Option<u32>) {
    if let Some(tokens) = known.filter(|tokens| *tokens > AFFORDABLE) {
        let text = format!("not tried: {tokens} tokens would have to be sent");
        return (Found::Unknown.by(text), known);
    }
    // No token of this text has more than 14 bytes.
    let length = known.map_or(LARGE, |tokens| tokens as usize * 16);
    let long = "mug fridge xyz ".repeat(length / 15 + 1);
    let messages = json!([{"role": "user", "content": long}]);
    let body = asking.chat(json!({"messages": messages, "max_tokens": 4}));
    let taken = format!("a prompt of {length} bytes is taken");
    match asking.try_chat(&body).await {
        Ok(()) if known.is_some() => (Found::Ignored.by(taken + " and cut"), known),
        Ok(()) => (Found::Unknown.by(taken), None),
        Err(ModelError::Overflow(text)) => {
            let window = known.or_else(|| told_by(&text));
            (Found::Supported.by(text), window)
        }
        Err(other) => (of_error(&other), known),
    }
}

/// The window's size in the words of a refusal.
fn told_by(text: &str) -> Option<u32> {
    let before = ["context size (", "context length is ", "context length of "];
    let after = before.iter().find_map(|words| text.split_once(words));
    let digits = after?.1.split(|letter: char| !letter.is_ascii_digit());
    digits.into_iter().next()?.parse().ok()
}

/// Whether the name of the model matters.
pub(super) async fn model_name(asking: &Asking<'_>) -> Checked {
    let body = asking.chat(json!({"model": "no-such-model", "max_tokens": 3}));
    match asking.ask(CHAT, &body).await {
        Ok(said) => {
            first_choice(&said)?;
            Ok(Found::Ignored.by("a model that does not exist answers"))
        }
        Err(Unanswered::Refused(text)) => Ok(Found::Supported.by(text)),
        Err(failed) => Err(failed.into()),
    }
}

/// Whether a key is needed; `chat` says whether the conversation with the key went well.
pub(super) async fn key(asking: &Asking<'_>, chat: Found) -> OptionCheck {
    if chat != Found::Supported {
        return Found::Unknown.by("no conversation was completed");
    }
    let needless = Found::Ignored.by("it answers without one");
    if asking.http.settings.api_key.is_none() {
        return needless;
    }
    let mut settings = asking.http.settings.clone();
    settings.api_key = None;
    let http = match openai::Http::new(&settings) {
        Ok(http) => http,
        Err(error) => return Found::Unknown.by(error.to_string()),
    };
    let without = Asking { http: &http, needs: asking.needs.clone() };
    let body = without.chat(json!({"max_tokens": 3}));
    let mut failed = String::new();
    // Some servers fail without a key instead of saying that they need one; once may be chance.
    for _ in 0..2 {
        match without.ask(CHAT, &body).await {
            Ok(_) => return needless,
            Err(Unanswered::Refused(text) | Unanswered::Failed(text)) => failed = text,
        }
    }
    Found::Supported.by(format!("without one: {failed}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_tell_the_window() {
        let llama = "request (18013 tokens) exceeds the available context size (1024 tokens)";
        assert_eq!(told_by(llama), Some(1024));
        let vllm = "This model's maximum context length is 4096 tokens. However";
        assert_eq!(told_by(vllm), Some(4096));
        assert_eq!(told_by("too long"), None);
    }
}
