//! Messages of JSON-RPC 2.0: one a line, read without a copy of what they carry.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use rolecall_core::text::visible;

/// The id that a request and its response have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A number; ours are all numbers.
    Number(u64),
    /// A text.
    Text(String),
}

impl fmt::Display for Id {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(to, "{number}"),
            Self::Text(text) => write!(to, "`{}`", visible(text)),
        }
    }
}

/// An error that a call is answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{} (error {code})", visible(message))]
pub struct RpcError {
    /// The kind of error; those from -32768 to -32000 have a meaning that all protocols share.
    pub code: i64,
    /// The problem.
    #[serde(default)]
    pub message: String,
    /// Details for programs; null if there are none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl RpcError {
    /// There is no such method.
    pub const UNKNOWN_METHOD: i64 = -32601;
    /// The parameters cannot be used.
    pub const BAD_PARAMS: i64 = -32602;

    /// The error for parameters that cannot be used.
    pub fn bad_params(message: impl Into<String>) -> Self {
        Self::new(Self::BAD_PARAMS, message)
    }

    /// The error for a method that there is not.
    pub fn unknown_method(message: impl Into<String>) -> Self {
        Self::new(Self::UNKNOWN_METHOD, message)
    }

    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: Value::Null }
    }
}

/// A message of the other side.
#[derive(Clone, Debug)]
pub enum Message<'a> {
    /// It asks something.
    Request {
        /// The id that its answer must name.
        id: Id,
        /// The method that it calls.
        method: Cow<'a, str>,
        /// With what.
        params: Option<&'a RawValue>,
    },
    /// It says something that needs no answer.
    Notification {
        /// The method that it names.
        method: Cow<'a, str>,
        /// With what.
        params: Option<&'a RawValue>,
    },
    /// It answers.
    Response {
        /// The id of the request; none if that could not be read.
        id: Option<Id>,
        /// The answer.
        result: Result<&'a RawValue, RpcError>,
    },
}

/// Why a line is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no message of JSON-RPC ({reason}): `{start}`")]
pub struct BadMessage {
    /// The problem.
    pub reason: String,
    /// The start of the line, made harmless.
    pub start: String,
}

#[derive(Deserialize)]
struct Read<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "given")]
    id: Option<Option<Id>>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    result: Option<&'a RawValue>,
    error: Option<RpcError>,
}

/// Reads the field as it stands, be it null.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads the message of a line, be there a byte order mark before it.
///
/// # Errors
/// When it is none.
pub fn read(line: &[u8]) -> Result<Message<'_>, BadMessage> {
    let bad = |reason: String| BadMessage { reason: visible(&reason).into_owned(), start: start(line) };
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    // As text, for a reader of bytes may leave what it skips unchecked.
    let read: Read<'_> = serde_json::from_str(std::str::from_utf8(line).map_err(|error| bad(error.to_string()))?)
        .map_err(|error| bad(error.to_string()))?;
    if read.jsonrpc.as_deref() != Some("2.0") {
        return Err(bad("`jsonrpc` is not \"2.0\"".to_owned()));
    }
    let params = read.params;
    Ok(match (read.method, read.id, read.result, read.error) {
        (Some(method), Some(Some(id)), None, None) => Message::Request { id, method, params },
        (Some(method), None, None, None) => Message::Notification { method, params },
        (None, Some(id), Some(result), None) => Message::Response { id, result: Ok(result) },
        (None, Some(id), None, Some(error)) => Message::Response { id, result: Err(error) },
        _ => {
            return Err(bad("it has neither a `method`, nor an `id` with one of `result` and `error`".to_owned()));
        }
    })
}

/// The start of a line, made harmless.
pub(super) fn start(line: &[u8]) -> String {
    /// Bytes that are shown of it.
    const SHOWN: usize = 200;
    visible(&String::from_utf8_lossy(line.get(..SHOWN).unwrap_or(line))).into_owned()
}

#[derive(Serialize)]
struct Call<'a, T> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: &'a T,
}

#[derive(Serialize)]
struct Answer<'a, T> {
    jsonrpc: &'static str,
    id: &'a Id,
    #[serde(flatten)]
    result: Written<'a, T>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Written<'a, T> {
    Result(&'a T),
    Error(&'a RpcError),
}

/// The line of a request, or of a notification if it has no id.
pub(super) fn call<T: Serialize>(id: Option<u64>, method: &str, params: &T) -> serde_json::Result<Vec<u8>> {
    line(&Call { jsonrpc: "2.0", id, method, params })
}

/// The line of an answer.
pub(super) fn answer<T: Serialize>(id: &Id, result: Result<&T, &RpcError>) -> serde_json::Result<Vec<u8>> {
    let result = match result {
        Ok(result) => Written::Result(result),
        Err(error) => Written::Error(error),
    };
    line(&Answer { jsonrpc: "2.0", id, result })
}

fn line(message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(1024);
    serde_json::to_writer(&mut line, message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_told_apart_by_their_fields() {
        let line = br#"{"jsonrpc":"2.0","id":"c1","method":"complete","params":{"call":3},"more":1}"#;
        let Ok(Message::Request { id, method, params }) = read(line) else {
            panic!("no request");
        };
        assert_eq!((id, &*method), (Id::Text("c1".to_owned()), "complete"));
        assert_eq!(params.unwrap().get(), r#"{"call":3}"#);
        let line = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":null}";
        let Ok(Message::Response { id, result }) = read(line) else {
            panic!("no response");
        };
        assert_eq!((id, result.unwrap().get()), (Some(Id::Number(3)), "null"));
        let line = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#;
        let read = read(line);
        assert!(matches!(read, Ok(Message::Response { id: None, result: Err(_) })));
    }

    #[test]
    fn lines_that_are_no_messages_say_why_and_show_their_start() {
        for line in [
            &b"Loading weights...\x1b[0m"[..],
            b"",
            b"\xff\xfe",
            b"[]",
            br#"{"jsonrpc":"1.0","id":1,"result":1}"#,
            br#"{"jsonrpc":"2.0","id":1}"#,
            br#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1}}"#,
            br#"{"jsonrpc":"2.0","id":1.5,"result":1}"#,
            br#"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
            br#"{"jsonrpc":"2.0","id":1,"result":1} {}"#,
        ] {
            let bad = read(line).unwrap_err();
            assert!(!bad.to_string().contains('\x1b'), "{bad}");
        }
        let long = read(&[b'x'; 5_000]).unwrap_err();
        assert!(long.to_string().len() < 400);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let line = call(Some(7), "perform", &json!({"text": "a\nb"})).unwrap();
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        assert!(matches!(read(line.trim_ascii()), Ok(Message::Request { id: Id::Number(7), .. })));
        let error = RpcError::bad_params("no");
        let line = answer::<Value>(&Id::Text("c".to_owned()), Err(&error)).unwrap();
        let Ok(Message::Response { result, .. }) = read(line.trim_ascii()) else {
            panic!("no response");
        };
        assert_eq!(result.unwrap_err(), error);
    }
}
