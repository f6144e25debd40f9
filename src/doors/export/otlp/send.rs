//! Sends spans to a collector: OTLP over HTTP, compressed, tried again while it is busy.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url, redirect};
use serde_json::Value;

use super::wire::protobuf;

/// Where traces go, beside the address of a collector.
const TRACES: &str = "v1/traces";
/// How often a request is sent in all.
const ATTEMPTS: u32 = 6;
/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long a collector may take for a request, unless the environment says otherwise.
const PATIENCE: u64 = 10_000;
/// Bytes of an answer that are read.
const ANSWER: usize = 1 << 16;

/// Why spans cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The address is none.
    #[error("{setting}: {problem}; give the collector's address, such as http://localhost:4318")]
    Address {
        /// Where it was given.
        setting: &'static str,
        /// The problem with it.
        problem: String,
    },
    /// A variable of the environment cannot be used. Its value may be a secret and is not shown.
    #[error("{variable}: {problem}")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// The problem.
        problem: &'static str,
    },
    /// The collector is not there, or takes nothing.
    #[error("the collector at {host} {problem}; spans have fixed ids: export again when it is mended")]
    Refused {
        /// Its host.
        host: String,
        /// Its answer or failure.
        problem: String,
    },
}

/// A collector of spans.
pub struct Collector {
    client: Client,
    url: Url,
    headers: HeaderMap,
    json: bool,
}

impl Collector {
    /// The collector at this address, or where the variables of the environment say; these give headers, too.
    /// With `json` it gets JSON instead of protobuf.
    ///
    /// # Errors
    /// When address, headers or patience cannot be used.
    pub fn new(
        endpoint: Option<&str>,
        json: bool,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SendError> {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let url = address(endpoint, &set)?;
        let patience = "OTEL_EXPORTER_OTLP_TIMEOUT";
        let wrong = |_| SendError::Variable { variable: patience, problem: "must be a number of milliseconds" };
        let millis = set(patience).map_or(Ok(PATIENCE), |text| text.trim().parse().map_err(wrong))?;
        let mut headers = HeaderMap::new();
        for name in ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"] {
            headers.extend(set(name).map(|text| read_headers(name, &text)).transpose()?.unwrap_or_default());
        }
        let kind = if json { "application/json" } else { "application/x-protobuf" };
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        // Fails if somebody installed one before, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .timeout(Duration::from_millis(millis))
            // A redirect would carry the headers elsewhere.
            .redirect(redirect::Policy::none())
            .http1_only();
        let host = url.host_str().unwrap_or_default();
        if ["localhost", "127.0.0.1", "[::1]"].contains(&host) {
            builder = builder.no_proxy();
        }
        Ok(Self {
            client: builder.build().map_err(|error| SendError::Refused {
                host: host.to_owned(),
                problem: format!("cannot be asked: {}", error.without_url()),
            })?,
            url,
            headers,
            json,
        })
    }

    /// Sends a request, and gives the number of spans that were not taken.
    ///
    /// # Errors
    /// When the collector did not take it.
    pub(super) async fn send(&self, request: &Value) -> Result<u64, SendError> {
        let plain = if self.json { request.to_string().into_bytes() } else { protobuf(request) };
        let mut squeezed = GzEncoder::new(Vec::new(), Compression::fast());
        let body = squeezed
            .write_all(&plain)
            .and_then(|()| squeezed.finish())
            .map_err(|error| self.refused(error.to_string()))?;
        let mut wait = Duration::from_secs(1);
        for attempt in 1.. {
            let problem = match self
                .client
                .post(self.url.clone())
                .headers(self.headers.clone())
                .body(body.clone())
                .send()
                .await
            {
                Ok(mut answer) if answer.status().is_success() => {
                    let mut read = Vec::new();
                    while read.len() < ANSWER
                        && let Ok(Some(piece)) = answer.chunk().await
                    {
                        read.extend_from_slice(&piece);
                    }
                    return Ok(self.rejected(&read));
                }
                Ok(answer) => {
                    wait = answer.headers().get(RETRY_AFTER).and_then(seconds).unwrap_or(wait);
                    let status = answer.status();
                    if !is_busy(status) {
                        return Err(self.refused(format!("answers {status}")));
                    }
                    format!("answers {status}")
                }
                Err(error) => format!("cannot be asked: {}", error.without_url()),
            };
            if attempt >= ATTEMPTS {
                return Err(self.refused(problem));
            }
            tokio::time::sleep(wait.min(LONGEST_WAIT)).await;
            wait *= 2;
        }
        Ok(0)
    }

    fn refused(&self, problem: String) -> SendError {
        SendError::Refused { host: self.url.host_str().unwrap_or_default().to_owned(), problem }
    }

    /// How many spans an answer says were not taken.
    fn rejected(&self, answer: &[u8]) -> u64 {
        if self.json {
            let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
            let count = &answer["partialSuccess"]["rejectedSpans"];
            return count.as_str().and_then(|text| text.parse().ok()).or(count.as_u64()).unwrap_or_default();
        }
        // `partial_success` is field 1, with `rejected_spans` as its field 1.
        let [0x0a, _, 0x08, digits @ ..] = answer else {
            return 0;
        };
        let mut count = 0;
        for (place, digit) in digits.iter().take(9).enumerate() {
            count |= u64::from(digit & 0x7f) << (7 * place);
            if digit & 0x80 == 0 {
                break;
            }
        }
        count
    }
}

fn is_busy(status: StatusCode) -> bool {
    [429, 502, 503, 504].contains(&status.as_u16())
}

fn seconds(value: &HeaderValue) -> Option<Duration> {
    Some(Duration::from_secs(value.to_str().ok()?.trim().parse().ok()?))
}

/// The address of the traces: as it stands in the variable for traces, otherwise below that of the collector.
fn address(endpoint: Option<&str>, set: &dyn Fn(&str) -> Option<String>) -> Result<Url, SendError> {
    let (setting, text, whole) = match endpoint {
        Some(text) => ("--endpoint", Some(text.to_owned()), text.ends_with(TRACES)),
        None => match set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
            Some(text) => ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", Some(text), true),
            None => ("OTEL_EXPORTER_OTLP_ENDPOINT", set("OTEL_EXPORTER_OTLP_ENDPOINT"), false),
        },
    };
    let wrong = |problem: String| SendError::Address { setting, problem };
    let mut url =
        Url::parse(text.ok_or_else(|| wrong("is not set, and `--endpoint` has no address".to_owned()))?.trim())
            .map_err(|error| wrong(format!("no URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("must begin with `http://` or `https://` and a host".to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("holds a user or a password; OTEL_EXPORTER_OTLP_HEADERS takes them".to_owned()));
    }
    if !whole {
        url.set_path(&format!("{}/{TRACES}", url.path().trim_end_matches('/')));
    }
    Ok(url)
}

/// Headers as `key=value,key=value`, with `%` escapes in values.
fn read_headers(variable: &'static str, text: &str) -> Result<HeaderMap, SendError> {
    let wrong =
        || SendError::Variable { variable, problem: "must be `name=value,name=value`, values with `%` escapes" };
    let mut headers = HeaderMap::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        let name: HeaderName = name.trim().parse().map_err(|_| wrong())?;
        let mut value = HeaderValue::from_bytes(&unescaped(value.trim()).ok_or_else(wrong)?).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address by these variables.
    fn found(endpoint: Option<&str>, variables: &[(&str, &str)]) -> Result<String, SendError> {
        let set = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        address(endpoint, &set).map(|url| url.to_string())
    }

    #[test]
    fn traces_go_below_the_collector_or_where_traces_are_said_to_go() {
        let traces = "http://h:4318/v1/traces";
        for endpoint in ["http://h:4318", "http://h:4318/", traces] {
            assert_eq!(found(Some(endpoint), &[]).as_deref(), Ok(traces));
        }
        let all = ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://h/otel");
        assert_eq!(found(None, &[all]).as_deref(), Ok("https://h/otel/v1/traces"));
        let traces_only = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://h/t?x=1");
        assert_eq!(found(None, &[all, traces_only]).as_deref(), Ok("https://h/t?x=1"));
        for wrong in ["h:4318", "ftp://h", "http://", "http://me:s3cret@h"] {
            let said = found(Some(wrong), &[]).unwrap_err().to_string();
            assert!(said.starts_with("--endpoint: ") && !said.contains("s3cret"), "{said}");
        }
        assert!(found(None, &[]).is_err());
    }

    #[test]
    fn headers_are_unescaped_and_secret() {
        let headers = read_headers("H", "a=b%20c%3D, x-y = 1,").unwrap();
        assert_eq!((&headers["a"], &headers["x-y"]), (&"b c=".parse().unwrap(), &"1".parse().unwrap()));
        assert!(headers.values().all(HeaderValue::is_sensitive));
        for wrong in ["s3cret", "a=%2", "a=%zz", "a b=c", "a=%0a"] {
            let said = read_headers("H", wrong).unwrap_err().to_string();
            assert!(!said.contains("s3cret"), "{said}");
        }
    }
}
