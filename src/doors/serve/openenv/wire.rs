//! OpenEnv's messages: what clients send, read with errors that say what is allowed, and what they get.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::serve::{Order, SessionError};
use rolecall_core::text::visible;

/// The keys that a reset may have.
const RESET_KEYS: [&str; 6] = ["cell", "episode_id", "seed", "split", "task", "user"];

/// The types of messages that clients may send.
const TYPES: &str = "reset, step, state, mcp, close";

/// A message of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMessage {
    /// A new episode.
    Reset(Order),
    /// A move.
    Step(Value),
    /// How things stand.
    State,
    /// A message of MCP.
    Mcp(Value),
    /// The end of the session.
    Close,
}

/// The sort of an error, as OpenEnv names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The message is no JSON object.
    InvalidJson,
    /// There is no such type of message.
    UnknownType,
    /// The message is not as it has to be.
    ValidationError,
    /// The server cannot do it now.
    ExecutionError,
    /// As many sessions are open as may be.
    CapacityReached,
    /// The session is not where the message needs it.
    SessionError,
}

/// An error, as clients get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WireError {
    /// The problem, and what to do.
    pub message: String,
    /// The sort of error.
    pub code: Code,
    /// How many sessions are open, if too many are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_sessions: Option<usize>,
    /// How many may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_sessions: Option<usize>,
}

impl WireError {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { message: message.into(), code, active_sessions: None, max_sessions: None }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::ValidationError, message)
    }

    /// The error where no episode is being played.
    pub(super) fn no_episode() -> Self {
        Self::new(Code::SessionError, "no episode is being played: reset first")
    }
}

impl From<SessionError> for WireError {
    fn from(error: SessionError) -> Self {
        let message = error.to_string();
        match error {
            SessionError::Full { open, most } => Self {
                active_sessions: Some(open),
                max_sessions: Some(most),
                ..Self::new(Code::CapacityReached, message)
            },
            SessionError::Wrong { .. } => Self::invalid(message),
            SessionError::Over => Self::new(Code::SessionError, message),
            SessionError::Stopping => Self::new(Code::ExecutionError, message),
        }
    }
}

/// Reads a message.
///
/// # Errors
/// When it is none.
pub fn read_message(text: &str) -> Result<ClientMessage, WireError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| WireError::new(Code::InvalidJson, format!("no JSON: {error}")))?;
    let Value::Object(mut fields) = value else {
        return Err(WireError::new(Code::InvalidJson, "a message is an object with a `type`"));
    };
    let data = fields.remove("data").unwrap_or_default();
    match fields.get("type").and_then(Value::as_str).unwrap_or_default() {
        "reset" => order(data).map(ClientMessage::Reset),
        "step" if data.is_null() => Err(WireError::invalid("`data` is missing, for instance {\"text\": \"look\"}")),
        "step" => Ok(ClientMessage::Step(data)),
        "state" => Ok(ClientMessage::State),
        "mcp" => Ok(ClientMessage::Mcp(data)),
        "close" => Ok(ClientMessage::Close),
        other => Err(WireError::new(Code::UnknownType, format!("there is no type `{}`, only {TYPES}", shown(other)))),
    }
}

/// Reads what a reset asks for. A key that is not known is refused: a seed that is silently left out costs
/// somebody an experiment.
///
/// # Errors
/// When a key is unknown or its value is of another type.
pub(super) fn order(data: Value) -> Result<Order, WireError> {
    let fields = match data {
        Value::Null => Map::new(),
        Value::Object(fields) => fields,
        _ => return Err(WireError::invalid("`data` of a reset is an object")),
    };
    let mut order = Order::default();
    for (key, value) in fields {
        if value.is_null() {
            continue;
        }
        match key.as_str() {
            "cell" => order.cell = Some(text(&key, value)?),
            "episode_id" => order.name = Some(text(&key, value)?),
            "seed" => order.seed = Some(number(&key, &value)?),
            "split" => order.split = Some(text(&key, value)?),
            "task" => {
                order.task =
                    Some(u32::try_from(number(&key, &value)?).map_err(|_| WireError::invalid("`task` is too large"))?);
            }
            "user" => order.user = Some(text(&key, value)?),
            _ => {
                let allowed = RESET_KEYS.join(", ");
                let key = shown(&key);
                return Err(WireError::invalid(format!("a reset has no `{key}`; allowed are: {allowed}")));
            }
        }
    }
    Ok(order)
}

fn text(key: &str, value: Value) -> Result<String, WireError> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(WireError::invalid(format!("`{key}` must be a text"))),
    }
}

fn number(key: &str, value: &Value) -> Result<u64, WireError> {
    value.as_u64().ok_or_else(|| WireError::invalid(format!("`{key}` must be a whole number, 0 or more")))
}

/// The beginning of a client's word, for a message to it.
fn shown(word: &str) -> String {
    const MOST: usize = 40;
    visible(word.get(..word.floor_char_boundary(MOST)).unwrap_or(word)).into_owned()
}

/// A message to a client.
#[derive(Debug, Serialize)]
pub(super) struct Frame<'a, T> {
    pub(super) r#type: &'a str,
    pub(super) data: T,
}

impl<T: Serialize> Frame<'_, T> {
    /// The message as it is sent.
    pub(super) fn line(&self) -> String {
        // What is sent has no maps with keys that are no texts: nothing can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A message that says what is wrong.
pub(super) fn error_line(error: &WireError) -> String {
    Frame { r#type: "error", data: error }.line()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(text: &str) -> Code {
        read_message(text).unwrap_err().code
    }

    #[test]
    fn messages_are_read_and_others_refused_by_their_codes() {
        let reset = r#"{"type":"reset","data":{"seed":7,"episode_id":"mine","task":3,"user":null}}"#;
        let order = Order { seed: Some(7), name: Some("mine".to_owned()), task: Some(3), ..Order::default() };
        assert_eq!(read_message(reset), Ok(ClientMessage::Reset(order)));
        let bare = read_message(r#"{"type":"reset"}"#);
        assert_eq!(bare, Ok(ClientMessage::Reset(Order::default())));
        assert_eq!(read_message(r#"{"type":"close"}"#), Ok(ClientMessage::Close));
        for text in ["", "{", "7", "[]", "\"reset\"", &"[".repeat(10_000)] {
            assert_eq!(code(text), Code::InvalidJson, "{text}");
        }
        for text in ["{}", r#"{"type":7}"#, r#"{"type":"dance","data":{}}"#] {
            assert_eq!(code(text), Code::UnknownType, "{text}");
        }
        for data in [
            r#"{"sed":7}"#,
            r#"{"seed":-1}"#,
            r#"{"seed":1.5}"#,
            r#"{"seed":"7"}"#,
            r#"{"task":4294967296}"#,
            r#"{"split":1}"#,
            "[]",
            "7",
        ] {
            let text = format!(r#"{{"type":"reset","data":{data}}}"#);
            assert_eq!(code(&text), Code::ValidationError, "{data}");
        }
        let unknown = read_message(r#"{"type":"reset","data":{"sed":7}}"#).unwrap_err();
        assert!(unknown.message.contains("`sed`; allowed are: cell, episode_id, seed"));
        assert_eq!(code(r#"{"type":"step"}"#), Code::ValidationError);
    }

    #[test]
    fn codes_are_written_as_openenv_writes_them() {
        let error = WireError::from(SessionError::Full { open: 3, most: 3 });
        let line = error_line(&error);
        assert!(line.starts_with(r#"{"type":"error","data":{"message":"3 of 3 sessions"#));
        assert!(line.ends_with(r#""code":"CAPACITY_REACHED","active_sessions":3,"max_sessions":3}}"#));
    }

    proptest! {
        #[test]
        fn whatever_a_client_sends_is_read_or_refused(text in r#"\PC{0,60}|\{"type":"(reset|step)","data":\{"[a-z]{1,4}":\PC{0,9}\}\}"#) {
            let _ = read_message(&text);
        }
    }
}
