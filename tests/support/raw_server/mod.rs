//! A server that sends recorded bytes exactly, in the pieces that a test asks for, and knows
//! nothing about HTTP beyond finding the end of a request.

pub(crate) mod completion;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rolecall::ports::model::{Capabilities, ModelProfile, ModelSettings, ScoringMethod, Secret, Timeouts};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The folder of recorded exchanges; says so when the test is skipped.
pub(crate) fn recordings() -> Option<PathBuf> {
    crate::support::recordings::oracle("models")
}

/// The recorded response, as it came over the wire.
pub(crate) fn response(name: &str) -> Arc<[u8]> {
    let path = recordings().unwrap().join(format!("{name}.response.http"));
    fs::read(&path).unwrap().into()
}

/// The JSON of a recorded response that is not chunked.
#[allow(dead_code, reason = "not every test reads them")]
pub(crate) fn json(name: &str) -> Value {
    let response = response(name);
    let text = std::str::from_utf8(&response).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// A request as it came.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "not every test reads all of it")]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

/// What is sent, and how.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) bytes: Arc<[u8]>,
    /// Only so many of them are sent.
    pub(crate) until: usize,
    /// So many at once.
    pub(crate) piece: usize,
    /// The time between two pieces.
    pub(crate) pause: Duration,
    /// The connection stays open after the last piece.
    pub(crate) hang: bool,
}

impl Reply {
    /// All at once.
    pub(crate) fn whole(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { until: bytes.len(), piece: bytes.len().max(1), pause: Duration::ZERO, hang: false, bytes }
    }

    /// A status with a JSON body.
    #[allow(dead_code, reason = "not every test makes its own")]
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::with_headers(status, "", &body.to_string())
    }

    /// A status with headers (each ended by `\r\n`) and a body.
    #[allow(dead_code, reason = "not every test makes its own")]
    pub(crate) fn with_headers(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n{headers}");
        Self::whole(format!("{head}Connection: close\r\n\r\n{body}").into_bytes())
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// The server; it answers each connection once.
pub(crate) struct RawServer {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl RawServer {
    /// Starts on a free port.
    pub(crate) async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answer: Arc<Answer> = Arc::new(answer);
        let requests = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answer, requests) = (answer.clone(), requests.clone());
                tokio::spawn(async move {
                    // A client that goes away early is what some tests are about.
                    let _ = serve(stream, &*answer, &requests).await;
                });
            }
        });
        Self { url, seen }
    }

    /// The requests so far.
    #[allow(dead_code, reason = "not every test looks at them")]
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, answer: &Answer, seen: &Mutex<Vec<Request>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut bytes = Vec::new();
    let request = loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
        if let Some(request) = read(&bytes) {
            break request;
        }
    };
    let reply = answer(&request);
    seen.lock().unwrap().push(request);
    for piece in reply.bytes[..reply.until].chunks(reply.piece) {
        stream.write_all(piece).await?;
        if reply.pause > Duration::ZERO {
            tokio::time::sleep(reply.pause).await;
        }
    }
    if reply.hang {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    stream.shutdown().await
}

/// The request, once all of it is there.
fn read(bytes: &[u8]) -> Option<Request> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length");
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    let body = bytes[end + 4..].get(..length)?;
    Some(Request { method, path, headers, body: serde_json::from_slice(body).unwrap_or_default() })
}

/// Settings of a model on that server that can do everything.
#[allow(dead_code, reason = "not every test needs them")]
pub(crate) fn settings(base_url: &str, scoring: Option<ScoringMethod>) -> ModelSettings {
    ModelSettings {
        api_key: Some(Secret::new("sk-test-0123456789")),
        send_seed: true,
        stream: false,
        timeouts: Timeouts {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(20),
            idle: Duration::from_secs(5),
            total: Duration::from_secs(20),
        },
        profile: ModelProfile {
            name: "tiny".to_owned(),
            model: "tiny".to_owned(),
            capabilities: Capabilities { json_schema: true, tools: true, logprobs: true, several: true, scoring },
            ..ModelProfile::default()
        },
        ..ModelSettings::new("tiny", base_url)
    }
}
