//! Failures of servers, and whether to ask again.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::clean::{clean, without_numbers};
use super::json::{Unreadable, parse};
use crate::models::Failed;
use crate::ports::ModelError;
use crate::ports::model::RetryReason;
use crate::text::joined_by;

/// The HTTP library's words for headers that it does not read to their end.
const HEAD_TOO_LARGE: &str = "message head is too large";

/// The HTTP library's words for a host that no name server knows, or that none was asked for in vain.
const NO_HOST: &str = "dns error";

/// Lines of a model's table by which a server takes what it refused.
pub(crate) const NEWER_LIMIT: &str = "max_tokens_field = \"max_completion_tokens\"";
pub(crate) const JOINED: &str = "same_speaker = \"joined\"";
pub(crate) const SYSTEM_OF_USER: &str = "system = \"user\"";

/// Fields of requests that a server may refuse and an answer does not need.
pub(crate) const OMITTED: [&str; 7] = ["temperature", "top_p", "stop", "seed", "logprobs", "n", "tool_choice"];

/// An error object or text as servers send it: `{"error": {...}}`, `{"error": "..."}`,
/// `{"detail": ...}`, `{"message": ...}`, or no JSON at all.
#[derive(Debug, Default)]
pub(crate) struct Said {
    message: String,
    /// `type` and `code`, if they are words.
    kind: String,
    /// `code`, if it is a number (or a word that is one).
    code: Option<u16>,
}

impl Said {
    /// Reads the body of an error.
    pub(crate) fn of_body(body: &[u8]) -> Self {
        match parse::<Value>(body) {
            Ok(value) => Self::of_value(&value),
            Err(_) => {
                Self { message: String::from_utf8_lossy(&body[..body.len().min(2000)]).into_owned(), ..Self::default() }
            }
        }
    }

    /// Reads the JSON of an error.
    pub(crate) fn of_value(value: &Value) -> Self {
        let error = value.get("error").unwrap_or(value);
        let text = |key: &str| error.get(key).and_then(Value::as_str);
        let outer = value.get("message").and_then(Value::as_str);
        let texts = [error.as_str(), text("message"), text("detail"), outer];
        // Of several servers in a row the last one knows why (OpenRouter).
        let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
        let message = texts.into_iter().flatten().next().map(|text| joined_by(": ", [text].into_iter().chain(raw)));
        let detail = || error.get("detail").map(Value::to_string);
        let code = error.get("code").or_else(|| error.get("status"));
        let code = code.and_then(|code| match code {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        });
        let words = ["type", "code"].map(|key| text(key).unwrap_or_default());
        Self {
            message: message.or_else(detail).unwrap_or_default(),
            kind: words.join(" ").to_lowercase(),
            code: code.and_then(|code| u16::try_from(code).ok()),
        }
    }

    fn is_overflow(&self) -> bool {
        let message = self.message.to_lowercase();
        let kinds = ["exceed_context_size", "context_length_exceeded"];
        let wordings = [
            "maximum context length",
            "context_length_exceeded",
            "contextwindowexceeded",
            "context window",
            "exceeds the available context size",
            "exceed context window",
            "greater than max_model_len",
            "prompt is too long",
            "input is too long",
            "context length",
            "context overflow",
            "context size",
            "input token count",
            "reduce the length",
            "tokens must be <=",
        ];
        kinds.iter().any(|kind| self.kind.contains(kind)) || wordings.iter().any(|wording| message.contains(wording))
    }

    /// Whether the template fails by which the server makes a prompt of a conversation.
    fn is_of_template(&self) -> bool {
        let message = self.message.to_lowercase();
        let wordings =
            ["jinja", "chat template", "chat_template", "conversation roles must alternate", "templateerror"];
        let roles =
            message.contains("role") && ["not supported", "must alternate"].iter().any(|no| message.contains(no));
        roles || wordings.iter().any(|wording| message.contains(wording))
    }

    /// The key of the model's table that avoids this, if one does.
    fn remedy(&self) -> Option<String> {
        let message = self.message.to_lowercase();
        let has = |wording: &str| message.contains(wording);
        if has("max_completion_tokens") {
            let or = "(or the limit itself as `extra_body.max_completion_tokens`)";
            return Some(format!("write `{NEWER_LIMIT}` into the model's table {or}"));
        }
        if has("alternate") {
            return Some(format!("write `{JOINED}` into the model's table"));
        }
        if has("system") && (self.is_of_template() || has("role")) {
            return Some(format!("write `{SYSTEM_OF_USER}` into the model's table"));
        }
        let refused = ["unsupported", "not support", "unknown", "unrecognized", "not permitted", "deprecated"];
        let field = OMITTED
            .iter()
            .find(|field| has(&format!("'{field}'")) || has(&format!("`{field}`")) || has(&format!("\"{field}\"")));
        let field = field.filter(|_| refused.iter().any(|wording| has(wording)))?;
        Some(format!("write `omit = [\"{field}\"]` into the model's table"))
    }

    /// Whether a filter in front of the model refuses the prompt.
    fn is_filtered(&self) -> bool {
        let kinds = ["content_filter", "content_policy", "data_inspection", "moderation"];
        let message = self.message.to_lowercase();
        let wordings =
            ["content management policy", "content filter", "safety system", "data_inspection", "moderation"];
        kinds.iter().any(|kind| self.kind.contains(kind)) || wordings.iter().any(|wording| message.contains(wording))
    }

    /// LiteLLM without a data base answers a wrong key so.
    fn is_about_the_key(&self) -> bool {
        let kinds = ["authentication_error", "invalid_api_key", "no_db_connection"];
        kinds.iter().any(|kind| self.kind.contains(kind))
    }
}

/// The error of a reply with this status. A status of 200 is taken from the error's own code.
pub(crate) fn failed<'a>(
    status: u16,
    said: &Said,
    after: Option<Duration>,
    secrets: impl Iterator<Item = &'a str>,
) -> Failed {
    let is_filtered = (status < 300 || (400..500).contains(&status) && !matches!(status, 401 | 408 | 429))
        && said.code.is_none_or(|code| !(500..600).contains(&code))
        && said.is_filtered();
    let status = match said.code {
        Some(code) if status < 300 && (400..600).contains(&code) => code,
        None if status < 300 => 500,
        _ => status,
    };
    let text = match clean(&said.message, secrets) {
        text if text.is_empty() => format!("status {status}"),
        text => text,
    };
    let about_request = !matches!(status, 300..=399 | 401 | 403 | 408 | 429);
    let client_side = about_request && status < 500;
    let with_remedy = |text: String| match said.remedy() {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    };
    let (error, retry) = match status {
        _ if about_request && said.is_overflow() => (ModelError::Overflow(text), None),
        _ if is_filtered => (ModelError::Refused(text), None),
        _ if about_request && said.is_of_template() => (ModelError::Template(with_remedy(text)), None),
        _ if client_side && said.is_about_the_key() => (ModelError::Auth(text), None),
        300..=399 => {
            let text = format!("it redirects (status {status}); write its new address as base_url");
            (ModelError::BadRequest(text), None)
        }
        401 | 403 => (ModelError::Auth(text), None),
        408 => (ModelError::Timeout(text), Some(RetryReason::Server)),
        409 => (ModelError::Server(text), Some(RetryReason::Server)),
        // An account without money says 429 too; waiting does not fill it.
        429 if said.kind.contains("insufficient_quota") => (ModelError::Auth(text), None),
        429 => {
            let error = ModelError::RateLimit(without_numbers(&text));
            (error, Some(RetryReason::RateLimit))
        }
        501 => (ModelError::Unsupported(text), None),
        500.. => (ModelError::Server(text), Some(RetryReason::Server)),
        _ => (ModelError::BadRequest(with_remedy(text)), None),
    };
    let after = retry.and(after);
    Failed {
        // Another 5xx may be all that there is behind the address.
        is_there: after.is_some() || !matches!(status, 500 | 502 | 504),
        after,
        ..lost(error, retry)
    }
}

/// A failure without a reply of the server. Its requests are counted at the end of the attempt.
pub(crate) fn lost(error: ModelError, retry: Option<RetryReason>) -> Failed {
    Failed {
        error,
        retry,
        after: None,
        is_there: retry != Some(RetryReason::Unreachable),
        requests: 0,
        answered: false,
    }
}

/// The answer ended in the middle.
pub(crate) fn cut(text: &str) -> Failed {
    let error = ModelError::Truncated(text.to_owned());
    lost(error, Some(RetryReason::Cut))
}

/// The answer makes no sense; the next one may.
pub(crate) fn malformed(text: impl Into<String>) -> Failed {
    lost(ModelError::Malformed(text.into()), Some(RetryReason::Cut))
}

/// Reads an answer.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failed> {
    parse(body).map_err(|error| match error {
        Unreadable::Ends => cut(&error.to_string()),
        other => malformed(other.to_string()),
    })
}

/// The answer is larger than what is read.
pub(crate) fn too_large(limit: usize) -> Failed {
    let text = format!("more than {} MB", limit >> 20);
    lost(ModelError::TooLarge(text), None)
}

/// A failure on the way: no connection, no answer in time, a cut one.
pub(crate) fn on_the_way(error: &reqwest::Error) -> Failed {
    if error.is_connect() {
        return no_connection(error, error.is_timeout());
    }
    if error.is_timeout() {
        return late("total_seconds");
    }
    if error.is_builder() {
        let text = "the request cannot be written down: check the headers of the config";
        return lost(ModelError::BadRequest(text.to_owned()), None);
    }
    broken(error)
}

/// No connection came about.
pub(crate) fn no_connection(error: &(dyn Error + 'static), is_late: bool) -> Failed {
    let text = match io_kind(error) {
        Some(ErrorKind::TimedOut) => "no connection in time".to_owned(),
        _ if is_late => "no connection in time".to_owned(),
        _ if chain(error).any(|cause| cause.to_string() == NO_HOST) => "unknown host".to_owned(),
        Some(kind) => kind.to_string(),
        None => "no connection".to_owned(),
    };
    lost(ModelError::Unreachable(text), Some(RetryReason::Unreachable))
}

/// A connection ended before the answer did.
pub(crate) fn broken(error: &(dyn Error + 'static)) -> Failed {
    if chain(error).any(|cause| cause.to_string().starts_with("invalid ")) {
        return malformed("it is no HTTP");
    }
    if chain(error).any(|cause| cause.to_string() == HEAD_TOO_LARGE) {
        return malformed("its headers are too large");
    }
    cut("the connection ended before the answer did")
}

/// The server did not answer within the time that a key of the model's table gives it.
pub(crate) fn late(key: &str) -> Failed {
    let error = ModelError::Timeout(format!("the time limit of the config is over (`timeouts.{key}`)"));
    lost(error, Some(RetryReason::Timeout))
}

fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| <dyn Error>::source(*error))
}

fn io_kind(error: &(dyn Error + 'static)) -> Option<ErrorKind> {
    let kinds = chain(error).filter_map(|cause| cause.downcast_ref::<std::io::Error>()).map(std::io::Error::kind);
    kinds.filter(|kind| *kind != ErrorKind::Other).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classified(status: u16, body: &str) -> (ModelError, Option<RetryReason>) {
        let said = Said::of_body(body.as_bytes());
        let failed = failed(status, &said, None, std::iter::empty());
        (failed.error, failed.retry)
    }

    #[test]
    fn overflow_is_known_by_type_code_and_wording() {
        let bodies = [
            r#"{"error":{"code":400,"message":"too much","type":"exceed_context_size_error"}}"#,
            r#"{"error":{"code":"context_length_exceeded","message":"x","type":null}}"#,
            r#"{"error":{"message":"This model's maximum context length is 8 tokens.","code":400}}"#,
            r#"{"error":{"message":"litellm.ContextWindowExceededError: x","code":"400"}}"#,
            r#"{"object":"error","message":"maximum context length is 4","code":400}"#,
        ];
        for body in bodies {
            let (error, retry) = classified(400, body);
            assert!(matches!(error, ModelError::Overflow(_)), "{body}: {error}");
            assert_eq!(retry, None);
        }
    }

    #[test]
    fn codes_may_be_numbers_words_or_absent() {
        for code in ["429", "\"429\"", "null", "\"slow_down\"", "{}"] {
            let body = format!(r#"{{"error":{{"message":"limit 3","code":{code}}}}}"#);
            let expected = ModelError::RateLimit("limit #".to_owned());
            let retry = Some(RetryReason::RateLimit);
            assert_eq!(classified(429, &body), (expected, retry), "{code}");
        }
    }

    #[test]
    fn an_error_under_status_200_has_its_own_code() {
        let body = r#"{"error":{"code":503,"message":"loading"}}"#;
        let expected = ModelError::Server("loading".to_owned());
        assert_eq!(classified(200, body).0, expected);
        let expected = ModelError::Server("x".to_owned());
        assert_eq!(classified(200, r#"{"error":"x"}"#).0, expected);
    }

    #[test]
    fn bodies_may_be_anything() {
        let expected = ModelError::Server("Internal Server Error".to_owned());
        assert_eq!(classified(500, "Internal Server Error").0, expected);
        let expected = ModelError::BadRequest("Not Found".to_owned());
        assert_eq!(classified(404, r#"{"detail":"Not Found"}"#).0, expected);
        let expected = ModelError::BadRequest("status 418".to_owned());
        assert_eq!(classified(418, "").0, expected);
        assert!(matches!(classified(302, "<html>").0, ModelError::BadRequest(_)));
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        let retried = |status| classified(status, "x").1;
        for status in [408, 409, 500, 502, 503, 504, 529] {
            assert_eq!(retried(status), Some(RetryReason::Server), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 405, 413, 422, 501] {
            assert_eq!(retried(status), None, "{status}");
        }
    }
}
