//! One completion: sent, and read plain or as a stream, whichever comes.

use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::time::{Duration, Instant, timeout, timeout_at};

use super::body::prompt_bytes;
use super::failure::{self, Said, failed, late, malformed, too_large};
use super::http::{CountedHttp, Http, LARGEST, OpenExchange, ended_early};
use super::json::parse;
use super::reply::Growing;
use super::sse::{EventTooLarge, SseParser};
use super::way::Response;
use crate::models::transport::estimated;
use crate::models::{Attempt, Failed, FirstByte};
use crate::ports::model::EncodedRequest;

/// The last event of a stream.
const DONE: &[u8] = b"[DONE]";
/// The time in which a connection must end after the last event to be used again.
const TAIL: Duration = Duration::from_millis(50);

/// Sends a completion once.
pub(crate) async fn complete(
    http: &mut CountedHttp<'_>,
    request: &EncodedRequest,
    first_byte: &FirstByte<'_>,
) -> Result<Attempt, Failed> {
    let url = http.server.address().versioned(request.endpoint);
    let opening = http.open(&url, request.body.clone(), http.server.settings.stream);
    // Boxed: ten thousand calls wait at once, most of them for the first byte.
    let response = Box::pin(opening).await?;
    let (http, exchange) = (http.server, &http.exchange);
    let asked = request.choices as usize;
    let growing = Box::pin(read(http, response, asked, exchange, first_byte)).await?;
    let profile = &http.settings.profile;
    let mut attempt = growing.complete(&profile.model, asked, &http.secrets(), |reply| {
        let prompt = prompt_bytes(&request.body);
        estimated(profile, prompt, reply)
    })?;
    // Without such a price it is nothing to the log: it differs from run to run.
    if profile.prices.as_ref().is_some_and(|prices| prices.cached_input.is_some()) {
        attempt.reply.usage.cached = attempt.cached_tokens;
    }
    Ok(attempt)
}

/// Reads what comes, of whatever status.
async fn read(
    http: &Http,
    response: Response,
    asked: usize,
    exchange: &OpenExchange<'_>,
    first_byte: &FirstByte<'_>,
) -> Result<Growing, Failed> {
    if !response.status().is_success() {
        let refused = timeout_at(http.end(), http.refused_by(response)).await;
        return Err(refused.unwrap_or_else(|_| late("total_seconds")));
    }
    match is_stream(&response) {
        true => streamed(http, response, asked, exchange, first_byte).await,
        false => {
            first_byte.came();
            let rest = timeout_at(http.end(), unstreamed(http, response, asked)).await;
            rest.unwrap_or_else(|_| Err(late("total_seconds")))
        }
    }
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.map(|kind| kind.as_bytes().to_ascii_lowercase());
    kind.is_some_and(|kind| kind.starts_with(b"text/event-stream"))
}

async fn unstreamed(http: &Http, response: Response, asked: usize) -> Result<Growing, Failed> {
    let body = http.completions(response, asked).await?;
    if body.trim_ascii().is_empty() {
        return Err(malformed("it is empty"));
    }
    let mut growing = Growing::new(http.answer_bytes());
    growing.take(failure::read(&body)?, &http.secrets())?;
    Ok(growing)
}

/// The data of an event; some servers write several as the lines of one.
fn parts(data: &[u8]) -> Vec<&[u8]> {
    if !data.contains(&b'\n') || parse::<Value>(data).is_ok() {
        return vec![data];
    }
    data.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect()
}

/// Reads events until the last one, or until nothing more of any completion is kept: a server whose
/// connection ends generates no more. A stream that ends without its last event is complete if the
/// connection ended in order and every completion has said why it ends.
async fn streamed(
    http: &Http,
    mut response: Response,
    asked: usize,
    exchange: &OpenExchange<'_>,
    first_byte: &FirstByte<'_>,
) -> Result<Growing, Failed> {
    let secrets = http.secrets();
    let mut parser = SseParser::new(http.most(asked));
    let mut growing = Growing::new(http.answer_bytes());
    let mut events = Vec::new();
    let mut read = 0;
    // Until when the answer may go on once it has begun: servers open streams before they have read the prompt.
    let (mut since, mut end) = (Instant::now(), None);
    loop {
        let chunk = match end {
            None => http.begins(exchange, &mut since, response.chunk()).await??,
            Some(end) => {
                timeout_at(end, http.chunk(&mut response)).await.unwrap_or_else(|_| Err(late("total_seconds")))?
            }
        };
        let Some(chunk) = chunk else {
            break;
        };
        read += chunk.len();
        let fits = parser.push(&chunk, &mut events);
        fits.map_err(|EventTooLarge(most)| too_large(most))?;
        if read > LARGEST {
            return Err(too_large(LARGEST));
        }
        for event in events.drain(..) {
            if event.name == b"error" {
                return Err(failed(200, &Said::of_body(&event.data), None, secrets.iter().copied()));
            }
            for data in parts(&event.data) {
                if data == DONE {
                    let _ = timeout(TAIL, response.chunk()).await;
                    return Ok(growing);
                }
                let wire = parse(data).map_err(|error| malformed(error.to_string()))?;
                growing.take(wire, &secrets)?;
                if growing.is_too_long(asked) {
                    return Ok(growing);
                }
            }
            if end.is_none() && growing.has_begun() {
                first_byte.came();
                http.goes_on();
                end = Some(http.end());
            }
        }
    }
    if let Some(event) = parser.finish().filter(|event| event.data != DONE) {
        let wire = parse(&event.data).map_err(|_| ended_early())?;
        growing.take(wire, &secrets)?;
    }
    if growing.is_finished() {
        return Ok(growing);
    }
    // Events came, and none of them was a completion's: another protocol.
    Err(match read > 0 && growing.is_empty() {
        true => malformed("a stream without completions"),
        false => ended_early(),
    })
}
