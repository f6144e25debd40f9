//! A server over Streamable HTTP, from the client's side: each message is a request of its own, whose answer is
//! JSON, or a stream of events that ends with it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url, redirect};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::protocol::{CallError, Era};
use crate::locked;
use crate::wire::{Id, Lines, MOST_BYTES, Message, RpcError, read};
use rolecall_core::ports::SetupError;
use rolecall_core::ports::model::Secret;
use rolecall_core::text::visible;

/// The header that names a session of the revisions before.
const SESSION: &str = "mcp-session-id";

/// A server at an address.
#[derive(Debug)]
pub(super) struct Http {
    client: Client,
    url: Url,
    token: Option<Secret>,
    last: AtomicU64,
    session: Mutex<Option<HeaderValue>>,
}

/// Checks the address of a server.
///
/// # Errors
/// When it is no address, or holds a secret.
pub(super) fn address(url: &str) -> Result<Url, SetupError> {
    let wrong = |problem: &str| SetupError::at("url", problem);
    let url = Url::parse(url.trim()).map_err(|error| wrong(&format!("is no URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("must begin with `http://` or `https://` and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return Err(wrong(
            "holds a user, a password or a query; name the variable that holds a token with `token_env`",
        ));
    }
    Ok(url)
}

impl Http {
    /// A connection to a server. Nothing is sent yet.
    pub(super) fn new(url: &Url, token: Option<&Secret>, connect: Duration) -> Result<Self, CallError> {
        // Fails if somebody installed one before, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .connect_timeout(connect)
            // A redirect would carry the token elsewhere.
            .redirect(redirect::Policy::none())
            .http1_only()
            .tcp_nodelay(true);
        if ["localhost", "127.0.0.1", "[::1]"].contains(&url.host_str().unwrap_or_default()) {
            builder = builder.no_proxy();
        }
        Ok(Self {
            client: builder.build().map_err(|error| CallError::gone(url, error.without_url()))?,
            url: url.clone(),
            token: token.cloned(),
            last: AtomicU64::new(0),
            session: Mutex::default(),
        })
    }

    /// Asks something, and gives what was answered.
    pub(super) async fn call(
        &self,
        method: &str,
        params: &Map<String, Value>,
        era: Era,
    ) -> Result<Box<RawValue>, CallError> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let response = self
            .send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }), method, params, era)
            .await?;
        let status = response.status();
        let in_session = locked(&self.session).is_some();
        if let Some(session) = response.headers().get(SESSION) {
            let mut current = locked(&self.session);
            *current = Some(session.clone());
        }
        let kind = response.headers().get(CONTENT_TYPE);
        let answered = match kind
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
        {
            "text/event-stream" if status.is_success() => self.follow(response, id).await?,
            "application/json" => {
                result_of(&self.body(response).await?, id).map_err(|problem| CallError::gone(&self.url, problem))
            }
            _ => Err(CallError::gone(&self.url, "it answers no JSON")),
        };
        match answered {
            Ok(answer) if status.is_success() => answer.map_err(CallError::Refused),
            Err(error) if status.is_success() => Err(error),
            Ok(Err(error)) if !in_session || !ends_session(status, &error) => Err(CallError::Refused(error)),
            // Gateways and old servers answer in HTTP alone, and that a session is over is said in several ways.
            other => Err(self.failed(status, in_session, other.ok().and_then(Result::err))),
        }
    }

    /// The error that a status stands for, with the error that came with it.
    fn failed(&self, status: StatusCode, in_session: bool, said: Option<RpcError>) -> CallError {
        let said = said.map_or_else(String::new, |error| format!(": {error}"));
        CallError::gone(
            &self.url,
            match status {
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                    format!("it lets nobody in without a token that it knows ({status}); see `token_env`")
                }
                StatusCode::NOT_FOUND if in_session => format!("it forgot the session ({status}){said}"),
                _ => format!("it answers {status}{said}"),
            },
        )
    }

    /// Says something that needs no answer.
    pub(super) async fn notify(&self, method: &str, era: Era) -> Result<(), CallError> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method }), method, &Map::new(), era).await.map(drop)
    }

    async fn send(
        &self,
        message: &Value,
        method: &str,
        params: &Map<String, Value>,
        era: Era,
    ) -> Result<Response, CallError> {
        self.client
            .post(self.url.clone())
            .headers(self.headers(method, params, era))
            .body(message.to_string())
            .send()
            .await
            .map_err(|error| CallError::gone(&self.url, causes(error.without_url())))
    }

    fn headers(&self, method: &str, params: &Map<String, Value>, era: Era) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let mut say = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        if let Some(version) = era.version() {
            say("mcp-protocol-version", version);
        }
        if era == Era::Modern {
            say("mcp-method", method);
            let name = params.get("name").and_then(Value::as_str);
            name.into_iter().for_each(|name| say("mcp-name", name));
        }
        if let Some(token) = &self.token
            && let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {}", token.reveal()))
        {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let session = locked(&self.session);
        headers
            .extend(session.clone().map(|session| (Some(reqwest::header::HeaderName::from_static(SESSION)), session)));
        headers
    }

    async fn chunk(&self, response: &mut Response) -> Result<Option<bytes::Bytes>, CallError> {
        response.chunk().await.map_err(|error| CallError::gone(&self.url, causes(error.without_url())))
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, CallError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response).await? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST_BYTES {
                return Err(CallError::gone(&self.url, "it answers more than 16 MiB"));
            }
        }
        Ok(body)
    }

    /// Reads a stream until the answer comes.
    async fn follow(&self, mut response: Response, id: u64) -> Result<Result<Answered, CallError>, CallError> {
        let mut events = Events::default();
        while let Some(chunk) = self.chunk(&mut response).await? {
            let found = events.take(&chunk, id).map_err(|problem| CallError::gone(&self.url, problem))?;
            if let Some(answer) = found {
                return Ok(Ok(answer));
            }
        }
        Err(CallError::gone(&self.url, "its stream ends without an answer"))
    }
}

/// An answer, or the error in its place.
pub type Answered = Result<Box<RawValue>, RpcError>;

/// The answer that a body holds.
fn result_of(body: &[u8], id: u64) -> Result<Answered, String> {
    answer_in(body, id)?.ok_or_else(|| "it answers something else than it was asked".to_owned())
}

/// The answer in a message, if it is one to the request of this id. A server that could not read whose request
/// it refuses names none.
fn answer_in(message: &[u8], id: u64) -> Result<Option<Answered>, String> {
    match read(message).map_err(|bad| bad.to_string())? {
        Message::Response { id: Some(Id::Number(answered)), result } if answered == id => {
            Ok(Some(result.map(ToOwned::to_owned)))
        }
        Message::Response { id: None, result: Err(error) } => Ok(Some(Err(error))),
        _ => Ok(None),
    }
}

/// The events of a stream, of which one is the answer.
#[derive(Debug, Default)]
pub struct Events {
    lines: Lines,
    data: Vec<u8>,
}

impl Events {
    /// Takes what came, and gives the answer to the request of this id if that is among it.
    ///
    /// # Errors
    /// When an event is no message, or has more than 16 MiB.
    pub fn take(&mut self, bytes: &[u8], id: u64) -> Result<Option<Answered>, String> {
        self.lines.room().extend_from_slice(bytes);
        loop {
            let Some(line) = self.lines.next_line().map_err(|error| error.to_string())? else {
                return Ok(None);
            };
            if let Some(data) = line.strip_prefix(b"data:") {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
                if self.data.len() > MOST_BYTES {
                    return Err("an event has more than 16 MiB".to_owned());
                }
            }
            if line.is_empty() && !self.data.is_empty() {
                let event = std::mem::take(&mut self.data);
                if let Some(answer) = answer_in(&event, id)? {
                    return Ok(Some(answer));
                }
            }
        }
    }
}

/// An error with what brought it about.
fn causes(error: reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    visible(&text).into_owned()
}

/// Whether an error means that the session is over, and not only this call.
fn ends_session(status: StatusCode, error: &RpcError) -> bool {
    // SDKs in TypeScript and Python; the third is that of a server that was started again.
    const WORDS: [&str; 6] = [
        "valid session",
        "session not found",
        "not initialized",
        "session expired",
        "session terminated",
        "unknown session",
    ];
    let message = error.message.to_lowercase();
    let is_gone = status == StatusCode::NOT_FOUND || matches!(status.as_u16(), 502..=504);
    is_gone || WORDS.iter().any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_until_the_answer_comes() {
        let stream = b": ping\r\n\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\n\
                       data: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":3,\"result\":{\"a\":1}}\r\n\r\n";
        for cut in 0..stream.len() {
            let mut events = Events::default();
            let first = events.take(&stream[..cut], 3).unwrap();
            assert!(first.is_none());
            let found = events.take(&stream[cut..], 3).unwrap().unwrap().unwrap();
            assert_eq!(found.get(), "{\"a\":1}");
        }
        let mut events = Events::default();
        assert!(events.take(b"data: x\n\n", 3).is_err());
    }

    #[test]
    fn addresses_hold_no_secret() {
        for wrong in ["ftp://x/", "http://u:p@x/mcp", "x", "http://x/mcp?key=1"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
        assert!(address("http://127.0.0.1:9/mcp").is_ok());
    }
}
