//! One completion: sent, and read plain or as a stream, whichever comes.

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::time::{Duration, timeout, timeout_at};

use super::body::prompt_bytes;
use super::failure::{cut, late, malformed, too_large};
use super::http::{Http, LARGEST, Opened, ended_early};
use super::json::{Unreadable, parse};
use super::reply::{Complete, Growing};
use super::sse::SseParser;
use super::wire::WireReply;
use crate::domain::{ModelReply, Usage};
use crate::models::{Attempt, Failed};
use crate::ports::model::{EncodedRequest, ModelSettings};

/// The last event of a stream.
const DONE: &[u8] = b"[DONE]";
/// How long the end of a connection is waited for after the last event, to use it again.
const TAIL: Duration = Duration::from_millis(50);

/// Sends a completion once.
pub(crate) async fn complete(
    http: &Http,
    settings: &ModelSettings,
    request: &EncodedRequest,
    key: &str,
) -> Result<Attempt, Failed> {
    let url = http.address().versioned(request.endpoint);
    let (body, end) = (request.body.clone(), http.end());
    let opening = http.open(&url, body, Some(key), (settings.stream, end));
    // Boxed: ten thousand calls wait at once, most of them for the first byte.
    let opened = Box::pin(opening).await?;
    let requests = opened.requests;
    let reading = Box::pin(timeout_at(end, read(http, opened))).await;
    let growing = reading
        .unwrap_or_else(|_| Err(late()))
        .map_err(|failed| Failed { requests, ..failed })?;
    let asked = request.choices as usize;
    let estimate = |reply: &ModelReply| estimated(settings, &request.body, reply);
    let Complete {
        reply,
        cached_tokens,
    } = growing
        .complete(asked, &http.secrets(), estimate)
        .map_err(|failed| Failed { requests, ..failed })?;
    Ok(Attempt {
        reply,
        requests,
        cached_tokens,
    })
}

/// Reads what comes, of whatever status.
async fn read(http: &Http, opened: Opened) -> Result<Growing, Failed> {
    if !opened.response.status().is_success() {
        return Err(http.refused_by(opened).await);
    }
    match is_stream(&opened.response) {
        true => streamed(http, opened.response).await,
        false => unstreamed(http, opened).await,
    }
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.map(|kind| kind.as_bytes().to_ascii_lowercase());
    kind.is_some_and(|kind| kind.starts_with(b"text/event-stream"))
}

async fn unstreamed(http: &Http, opened: Opened) -> Result<Growing, Failed> {
    let answer = http.read(opened).await?;
    if answer.body.trim_ascii().is_empty() {
        return Err(malformed("it is empty"));
    }
    let wire: WireReply = parse(&answer.body).map_err(|error| match error {
        Unreadable::Ends => cut(error.text()),
        other => malformed(other.text()),
    })?;
    let mut growing = Growing::default();
    growing.take_wire(wire, &http.secrets())?;
    Ok(growing)
}

/// Reads events until the last one. A stream that ends without it is complete if the connection
/// ended in order and every completion has said why it ends.
async fn streamed(http: &Http, mut response: Response) -> Result<Growing, Failed> {
    let secrets = http.secrets();
    let mut parser = SseParser::new(LARGEST);
    let mut growing = Growing::default();
    let mut events = Vec::new();
    let mut read = 0;
    while let Some(chunk) = http.chunk(&mut response).await? {
        read += chunk.len();
        let fits = parser.push(&chunk, &mut events);
        if read > LARGEST || fits.is_err() {
            return Err(too_large(LARGEST));
        }
        for event in events.drain(..) {
            if event.data == DONE {
                let _ = timeout(TAIL, response.chunk()).await;
                return Ok(growing);
            }
            growing.take(&event.data, &secrets)?;
        }
    }
    if let Some(event) = parser.finish().filter(|event| event.data != DONE) {
        let wire: WireReply = parse(&event.data).map_err(|_| ended_early())?;
        growing.take_wire(wire, &secrets)?;
    }
    if growing.is_finished() {
        return Ok(growing);
    }
    // Events came, and none of them was a completion's: another protocol.
    let other = read > 0 && growing.is_empty();
    Err(if other {
        malformed("a stream without completions")
    } else {
        ended_early()
    })
}

/// The tokens of a call whose server does not tell them.
fn estimated(settings: &ModelSettings, body: &[u8], reply: &ModelReply) -> Usage {
    let lengths = reply.choices.iter().map(|choice| {
        let calls = choice.tool_calls.iter();
        let calls = calls.map(|call| call.name.len() + call.arguments.to_string().len());
        choice.text.len() + calls.sum::<usize>()
    });
    Usage {
        prompt: settings.profile.tokens(prompt_bytes(body)),
        completion: settings.profile.tokens(lengths.sum()),
        estimated: true,
    }
}
