//! One exchange with a server: bounded, under time limits, without redirects.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue, USER_AGENT,
};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout, timeout_at};

use super::address::Address;
use super::clean::forms_of;
use super::failure::{Said, cut, failed, late, read, too_large};
use super::squeeze::{ESCAPED, Squeezed, TooMany};
use super::wait::asked_wait;
use super::way::{Response, Sending, Way};
use crate::models::Failed;
use crate::models::outage::later;
use crate::ports::model::{ModelSettings, Secret};
use crate::ports::{ModelError, SetupError};

/// The most bytes of an answer that are read.
pub(crate) const LARGEST: usize = 16 << 20;

/// The shortest text or number of a body's field that is hidden in errors: shorter ones would be found
/// everywhere.
const SHORTEST_FIELD: usize = 6;
/// Bytes of an answer around each byte of the completions that are kept of it: log-probabilities.
const AROUND: usize = 64;
/// Bytes of an answer beside its completions.
const BESIDE: usize = 1 << 20;
/// The most bytes of a text in an error that are read; less is shown.
const ERROR_TEXT: usize = 1 << 14;

/// Name of the program in requests.
const NAME: &str = concat!("rolecall/", env!("CARGO_PKG_VERSION"));
/// The header of servers that know idempotency keys.
const IDEMPOTENCY: HeaderName = HeaderName::from_static("idempotency-key");

/// The way to a server.
pub(crate) struct Http {
    pub(crate) settings: ModelSettings,
    address: Address,
    way: Way,
    /// The headers of every request.
    headers: HeaderMap,
    /// The forms of the texts that must not be seen in errors.
    secrets: Vec<String>,
    /// The server was seen closing a connection that it had not said it would close.
    closes: AtomicBool,
    /// The most bytes of a completion that anybody keeps.
    answer_bytes: AtomicUsize,
    queue: Mutex<Queue>,
}

/// Exchanges with a server that are not over.
struct Queue {
    /// Their numbers, in the order in which they began.
    open: BTreeSet<u64>,
    next: u64,
    /// When something of any answer came last.
    progress: Instant,
}

/// An exchange among all others with its server, until it is over.
pub(crate) struct OpenExchange<'a> {
    server: &'a Http,
    number: u64,
}

impl Drop for OpenExchange<'_> {
    fn drop(&mut self) {
        self.server.queue().open.remove(&self.number);
    }
}

/// A whole answer of any status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The way to a server for one attempt at a call, whose HTTP requests it counts.
pub(crate) struct CountedHttp<'a> {
    pub(crate) server: &'a Http,
    pub(crate) exchange: OpenExchange<'a>,
    /// The idempotency key, if there is one.
    pub(crate) key: Option<&'a str>,
    pub(crate) requests: u32,
}

impl Http {
    /// A client with the settings' key, headers and time limits.
    pub(crate) fn new(settings: &ModelSettings) -> Result<Self, SetupError> {
        let address = Address::new(&settings.base_url)
            .map_err(|problem| SetupError::at("base_url", format!("no base URL: {problem}")))?;
        let secrets = settings.api_key.iter().chain(settings.headers.values());
        let secrets = secrets.map(Secret::reveal);
        // Some servers take keys as fields of the body.
        let mut fields = settings.extra_body.possible_secrets();
        fields.retain(|field| field.len() >= SHORTEST_FIELD);
        let secrets = secrets.chain(fields.iter().map(String::as_str));
        Ok(Self {
            way: Way::new(&address, settings.timeouts.connect),
            headers: headers(settings)?,
            secrets: forms_of(secrets),
            closes: AtomicBool::new(false),
            answer_bytes: AtomicUsize::new(LARGEST),
            queue: Mutex::new(Queue { open: BTreeSet::new(), next: 0, progress: Instant::now() }),
            address,
            settings: settings.clone(),
        })
    }

    /// The server's address.
    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Nobody keeps more than so many bytes of a completion.
    pub(crate) fn bound_answers(&self, bytes: usize) {
        self.answer_bytes.store(bytes.min(LARGEST), Ordering::Relaxed);
    }

    /// The most bytes of a completion that anybody keeps.
    pub(crate) fn answer_bytes(&self) -> usize {
        self.answer_bytes.load(Ordering::Relaxed)
    }

    /// The most bytes that are kept of an answer with so many completions, or of an event of a stream.
    pub(crate) fn most(&self, completions: usize) -> usize {
        let around = self.answer_bytes().saturating_mul(AROUND);
        let all = around.saturating_mul(completions.max(1));
        all.saturating_add(BESIDE).min(LARGEST)
    }

    /// The texts that must not be seen in errors.
    pub(crate) fn secrets(&self) -> Vec<&str> {
        self.secrets.iter().map(String::as_str).collect()
    }

    /// Until when an exchange that begins now may last.
    pub(crate) fn end(&self) -> Instant {
        later(Instant::now(), self.settings.timeouts.total)
    }

    /// The way for an attempt, with a key if it is one request.
    pub(crate) fn counted<'a>(&'a self, key: Option<&'a str>) -> CountedHttp<'a> {
        CountedHttp { exchange: self.begin_exchange(), server: self, key, requests: 0 }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_exchange(&self) -> OpenExchange<'_> {
        let mut queue = self.queue();
        let number = queue.next;
        queue.next += 1;
        queue.open.insert(number);
        OpenExchange { server: self, number }
    }

    /// Notes that an answer goes on.
    pub(crate) fn goes_on(&self) {
        self.queue().progress = Instant::now();
    }

    /// Waits for an answer to begin, or to go on before anything of its text came. A server is not slow while it answers
    /// requests that were sent before: `since`, the start of the wait, moves with them.
    pub(crate) async fn begins<T>(
        &self,
        exchange: &OpenExchange<'_>,
        since: &mut Instant,
        what: impl Future<Output = T>,
    ) -> Result<T, Failed> {
        let mut what = pin!(what);
        loop {
            let end = later(*since, self.settings.timeouts.first_byte);
            if let Ok(came) = timeout_at(end, &mut what).await {
                return Ok(came);
            }
            let queue = self.queue();
            let is_first = queue.open.first().is_none_or(|first| *first >= exchange.number);
            if is_first || queue.progress <= *since {
                return Err(late("first_byte_seconds"));
            }
            *since = queue.progress;
        }
    }

    /// Asks for something and reads the whole answer, whatever its status.
    pub(crate) async fn get(&self, url: &str) -> Result<Answer, Failed> {
        let exchange = async {
            let sending = Sending { method: Method::GET, url, headers: self.headers.clone(), body: Bytes::new() };
            self.read(self.way.send(&self.address, sending).await?).await
        };
        let answer = timeout(self.settings.timeouts.total, exchange).await;
        answer.map_err(|_| late("total_seconds"))?
    }

    /// The next piece of an answer; none at its end.
    pub(crate) async fn chunk(&self, response: &mut Response) -> Result<Option<Bytes>, Failed> {
        let next = timeout(self.settings.timeouts.idle, response.chunk()).await;
        let chunk = next.map_err(|_| late("idle_seconds"))??;
        if chunk.is_some() {
            self.goes_on();
        }
        Ok(chunk)
    }

    /// Reads a whole answer.
    pub(crate) async fn read(&self, mut response: Response) -> Result<Answer, Failed> {
        let (status, headers) = head(&mut response);
        let all = Squeezed::new(usize::MAX, LARGEST);
        let body = self.body(response, all).await?;
        Ok(Answer { status, headers, body })
    }

    /// Reads an answer with so many completions. It is read to its end, where its usage stands; of longer
    /// texts is kept what shows that they are too long.
    pub(crate) async fn completions(&self, response: Response, completions: usize) -> Result<Bytes, Failed> {
        let text = self.answer_bytes().saturating_add(1);
        let most = Squeezed::new(text.saturating_mul(ESCAPED), self.most(completions));
        self.body(response, most).await
    }

    async fn body(&self, mut response: Response, mut kept: Squeezed) -> Result<Bytes, Failed> {
        let promised = response.content_length().unwrap_or(0);
        if promised > LARGEST as u64 {
            return Err(too_large(LARGEST));
        }
        let Some(first) = self.chunk(&mut response).await? else {
            return Ok(Bytes::new());
        };
        // Most answers come in one piece, which needs no copy.
        let mut next = match self.chunk(&mut response).await? {
            Some(second) => Some(second),
            None => return Ok(first),
        };
        let mut read = first.len();
        kept.push(&first).map_err(|TooMany(most)| too_large(most))?;
        while let Some(chunk) = next {
            read += chunk.len();
            if read > LARGEST {
                return Err(too_large(LARGEST));
            }
            kept.push(&chunk).map_err(|TooMany(most)| too_large(most))?;
            next = self.chunk(&mut response).await?;
        }
        Ok(kept.end())
    }

    /// The answer if it says that all is well, else what is wrong.
    pub(crate) fn accepted(&self, answer: Answer) -> Result<Bytes, Failed> {
        if (200..300).contains(&answer.status) {
            return Ok(answer.body);
        }
        Err(self.refused(&answer))
    }

    /// The failure that an answer tells of.
    pub(crate) fn refused(&self, answer: &Answer) -> Failed {
        let said = Said::of_body(&answer.body);
        let wait = asked_wait(answer.status, &answer.headers);
        let secrets = self.secrets.iter().map(String::as_str);
        failed(answer.status, &said, wait, secrets)
    }

    /// The failure that an answer tells of that is no success.
    pub(crate) async fn refused_by(&self, mut response: Response) -> Failed {
        let (status, headers) = head(&mut response);
        let kept = Squeezed::new(ERROR_TEXT, BESIDE);
        let body = match self.body(response, kept).await {
            Ok(body) => body,
            // What a 400 means is in its body; of the others the status says what to do.
            Err(failed) if matches!(status, 400 | 404..=407 | 410..=428) => return failed,
            Err(_) => Bytes::new(),
        };
        self.refused(&Answer { status, headers, body })
    }
}

impl CountedHttp<'_> {
    fn sending<'u>(&self, url: &'u str, body: Bytes, is_stream: bool) -> Sending<'u> {
        let mut headers = self.server.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let key = self.key.map(|key| HeaderValue::from_bytes(key.as_bytes()));
        if let Some(Ok(key)) = key {
            headers.insert(IDEMPOTENCY, key);
        }
        if is_stream && self.server.closes.load(Ordering::Relaxed) {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Sending { method: Method::POST, url, headers, body }
    }

    /// Sends JSON; gives the answer's head, whatever its status.
    ///
    /// A connection that is used again may have been closed by the server meanwhile: llama.cpp does
    /// so after each stream, without saying it. Such a request is sent once more at once, and from
    /// then on streams get connections of their own.
    pub(crate) async fn open(&mut self, url: &str, body: Bytes, is_stream: bool) -> Result<Response, Failed> {
        let mut is_again = false;
        loop {
            self.requests += 1;
            let sending = self.sending(url, body.clone(), is_stream);
            let sent = self.server.way.send(&self.server.address, sending);
            let mut since = Instant::now();
            let failed = match self.server.begins(&self.exchange, &mut since, sent).await {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(failed)) | Err(failed) => failed,
            };
            if is_again || !matches!(failed.error, ModelError::Truncated(_)) {
                return Err(failed);
            }
            is_again = true;
            self.server.closes.store(true, Ordering::Relaxed);
        }
    }

    /// Sends JSON and reads the whole answer, whatever its status.
    pub(crate) async fn post_json(&mut self, url: &str, body: Bytes) -> Result<Answer, Failed> {
        let response = self.open(url, body, false).await?;
        let answer = timeout_at(self.server.end(), self.server.read(response)).await;
        answer.unwrap_or_else(|_| Err(late("total_seconds")))
    }

    /// Sends JSON and reads what comes as `T`.
    pub(crate) async fn ask<T: DeserializeOwned>(&mut self, url: &str, body: Bytes) -> Result<T, Failed> {
        let answer = self.post_json(url, body).await?;
        read(&self.server.accepted(answer)?)
    }
}

fn head(response: &mut Response) -> (u16, HeaderMap) {
    (response.status().as_u16(), response.take_headers())
}

fn headers(settings: &ModelSettings) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    headers.insert(USER_AGENT, HeaderValue::from_static(NAME));
    for (name, value) in &settings.headers {
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| SetupError::at("headers", format!("`{name}` is no name of a header")))?;
        let value = secret_header(value.reveal()).map_err(|_| {
            let problem = format!("the value of `{name}` cannot be sent in a header");
            SetupError::at("headers", problem)
        })?;
        headers.insert(name, value);
    }
    if let Some(key) = &settings.api_key {
        let value = secret_header(&format!("Bearer {}", key.reveal()))
            .map_err(|_| SetupError::at("api_key", "the key cannot be sent in a header"))?;
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

/// A value that HTTP libraries do not show.
fn secret_header(value: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(value.trim())?;
    value.set_sensitive(true);
    Ok(value)
}

/// The connection ended before the answer did.
pub(crate) fn ended_early() -> Failed {
    cut("the stream ended before the answer did")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fields_of_the_body_are_not_repeated() {
        let mut settings = ModelSettings::new("m", "http://localhost:1");
        let fields = [("user_token", "not to be seen"), ("format", "short")];
        for (name, value) in fields {
            settings.extra_body.insert(name.to_owned(), value.into());
        }
        let inner = serde_json::json!({"reasoning_effort": "minimal", "ids": [12_345_678, "deeper"]});
        settings.extra_body.insert("inner".to_owned(), inner);
        let http = Http::new(&settings).unwrap();
        assert_eq!(http.secrets(), ["not to be seen", "12345678", "deeper"]);
    }
}
