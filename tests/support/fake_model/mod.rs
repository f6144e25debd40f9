//! A model server in its own thread that speaks HTTP/1.1 over raw sockets and fails as it is told.
//! Its replies are a function of the request; it counts what it is asked by the calls' keys.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod cast;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rolecall::ports::model::RetryReason;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

/// A request as the server sees it.
pub struct Asked {
    /// The call's key: what the header says behind what stands for the run and the request.
    pub key: String,
    /// The whole header.
    pub sent: String,
    /// How often the key came before.
    pub again: u32,
    /// How many requests came before, in all.
    pub number: u64,
    pub body: Value,
}

/// What the server does with a request.
#[derive(Clone)]
pub enum Does {
    Replies,
    /// Replies with this text.
    Says(&'static str),
    /// Another status, with headers and a body.
    Refuses(u16, Vec<(&'static str, String)>, String),
    /// Closes the connection before the answer.
    Closes,
    /// Closes the connection within the answer.
    Cuts,
    /// Begins its answer, and goes on only after this time.
    Stalls(Duration),
    /// Answers what is no reply.
    Babbles,
    /// Promises more than anybody should read.
    Floods,
}

impl Does {
    /// What a client must take it for, if it is to ask again.
    fn reason(&self) -> Option<RetryReason> {
        Some(match self {
            Self::Refuses(429, ..) => RetryReason::RateLimit,
            Self::Refuses(status, ..) if *status >= 500 => RetryReason::Server,
            Self::Closes | Self::Cuts | Self::Babbles => RetryReason::Cut,
            Self::Stalls(_) => RetryReason::Timeout,
            Self::Replies | Self::Says(_) | Self::Refuses(..) | Self::Floods => return None,
        })
    }
}

/// Stands for the key of a request for the list of models.
const MODELS: &str = "models";
/// The list of models, with a fingerprint.
const LIST: &str = r#"{"object": "list", "data": [{"id": "fake", "object": "model", "root": "fake-1"}]}"#;

type Manners = dyn Fn(&Asked) -> Does + Send + Sync;

/// What was counted.
#[derive(Clone, Default)]
pub struct Counts {
    pub requests: u64,
    pub by_key: BTreeMap<String, u32>,
    /// The hashes of the bodies that came under each whole key.
    pub bodies: BTreeMap<String, BTreeSet<String>>,
    /// Faults that clients must answer with a retry, by the reason.
    pub faults: BTreeMap<RetryReason, u64>,
}

struct Shared {
    manners: Box<Manners>,
    latency: Duration,
    counts: Mutex<Counts>,
}

/// A running server.
pub struct FakeModel {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl FakeModel {
    /// A server that answers after the latency, and does what it is told to.
    pub fn start(latency: Duration, manners: impl Fn(&Asked) -> Does + Send + Sync + 'static) -> Self {
        let shared = Shared { manners: Box::new(manners), latency, counts: Mutex::default() };
        Self::open("127.0.0.1:0".parse().unwrap(), Arc::new(shared))
    }

    /// A server that always answers.
    pub fn friendly() -> Self {
        Self::start(Duration::ZERO, |_| Does::Replies)
    }

    /// A server that always answers, after the latency, at this address.
    pub fn at(address: SocketAddr, latency: Duration) -> Self {
        let shared = Shared { manners: Box::new(|_| Does::Replies), latency, counts: Mutex::default() };
        Self::open(address, Arc::new(shared))
    }

    fn open(address: SocketAddr, shared: Arc<Shared>) -> Self {
        let stop = CancellationToken::new();
        let (told, listens) = std::sync::mpsc::channel();
        let serving = serve(address, Arc::clone(&shared), stop.clone(), told);
        let thread = std::thread::spawn(|| {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(serving);
        });
        Self { address: listens.recv().unwrap(), shared, stop, thread: Some(thread) }
    }

    /// Ends the server with all connections.
    pub fn kill(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Starts a killed server again in its old place; it goes on counting.
    pub fn restart(&mut self) {
        self.kill();
        *self = Self::open(self.address, Arc::clone(&self.shared));
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Writes `live.toml` into the folder: household games whose executor is played by the model. `more`
    /// is set besides, and `model` of the model.
    pub fn write_config(&self, folder: &Path, more: &str, model: &str) {
        let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
        let (agents, url) = (agents.display(), self.url());
        let config = format!(
            r#"
name = "live"
seed = 1
agents = '{agents}'
strategy = {{ name = "react" }}
environment = {{ name = "household", data = "builtin" }}
{more}
[roles.executor]
implementation = "model"
persona = "react/executor"
model = "fake"
[models.fake]
provider = "openai"
model = "any"
base_url = "{url}"
{model}"#
        );
        std::fs::write(folder.join("live.toml"), config).unwrap();
    }

    pub fn counts(&self) -> Counts {
        self.shared.counts.lock().unwrap().clone()
    }

    pub fn requests(&self) -> u64 {
        self.shared.counts.lock().unwrap().requests
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn serve(
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    told: std::sync::mpsc::Sender<SocketAddr>,
) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(address).unwrap();
    let listener = socket.listen(4096).unwrap();
    told.send(listener.local_addr().unwrap()).unwrap();
    let accepting = async {
        loop {
            if let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(talk(stream, Arc::clone(&shared)));
            }
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = accepting => {}
    }
    // The connections go with the runtime.
}

/// Answers the requests of one connection.
async fn talk(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut read = Vec::new();
    while let Some((key, body)) = request(&mut stream, &mut read).await {
        if key == MODELS {
            // Who is there is told to anybody and counted nowhere.
            if stream.write_all(&answer(200, &[], LIST)).await.is_err() {
                return;
            }
            continue;
        }
        let (does, reply) = shared.decide(key, &body);
        if let Does::Stalls(stall) = does {
            // The answer has begun: from here on it is a matter of the turn.
            let whole = answer(200, &[], &reply);
            let head = whole.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
            if stream.write_all(&whole[..head]).await.is_err() {
                return;
            }
            tokio::time::sleep(stall).await;
            if stream.write_all(&whole[head..]).await.is_err() {
                return;
            }
            continue;
        }
        if !shared.latency.is_zero() {
            tokio::time::sleep(shared.latency).await;
        }
        let whole = match &does {
            Does::Replies | Does::Says(_) | Does::Stalls(_) => answer(200, &[], &reply),
            Does::Refuses(status, headers, body) => answer(*status, headers, body),
            Does::Closes => return,
            Does::Cuts => {
                let whole = answer(200, &[], &reply);
                let _ = stream.write_all(&whole[..whole.len() - 5]).await;
                return;
            }
            Does::Babbles => answer(200, &[], "<html>all is well</html>"),
            Does::Floods => {
                let head = "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n";
                head.as_bytes().to_vec()
            }
        };
        if stream.write_all(&whole).await.is_err() {
            return;
        }
    }
}

/// The key and the body of the next request; none when the connection ends.
async fn request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    let end = loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        more(stream, read).await?;
    };
    let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name));
        line.map(|value| value.trim_start_matches(':').trim().to_owned())
    };
    let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
    while read.len() < end + length {
        more(stream, read).await?;
    }
    let body = read[end..end + length].to_vec();
    let is_list = head.starts_with("get ");
    read.drain(..end + length);
    if is_list {
        return Some((MODELS.to_owned(), body));
    }
    Some((header("idempotency-key").unwrap_or_default(), body))
}

async fn more(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<()> {
    match stream.read_buf(read).await {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(()),
    }
}

impl Shared {
    fn decide(&self, sent: String, body: &[u8]) -> (Does, String) {
        let mut counts = self.counts.lock().unwrap();
        let key = sent.split_once('/').map_or("", |(_, key)| key).to_owned();
        let bodies = counts.bodies.entry(sent.clone()).or_default();
        bodies.insert(blake3::hash(body).to_hex().to_string());
        let again = counts.by_key.entry(key.clone()).or_default();
        *again += 1;
        let asked = Asked {
            key,
            sent,
            again: *again - 1,
            number: counts.requests,
            body: serde_json::from_slice(body).unwrap_or_default(),
        };
        counts.requests += 1;
        let does = (self.manners)(&asked);
        if let Some(reason) = does.reason() {
            *counts.faults.entry(reason).or_default() += 1;
        }
        // The reply depends on the request alone: it is its hash.
        let text = match does {
            Does::Says(text) => text.to_owned(),
            _ => blake3::hash(body).to_hex()[..16].to_owned(),
        };
        (does, reply(&text, body))
    }
}

fn reply(text: &str, body: &[u8]) -> String {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!({"index": 0, "message": message, "text": text,
                        "finish_reason": "stop"});
    let usage = json!({"prompt_tokens": body.len() / 4, "completion_tokens": 16});
    let mut reply = json!({"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage});
    let asked: Value = serde_json::from_slice(body).unwrap_or_default();
    if asked["return_token_ids"] == true {
        // A token is a byte; 256 and more begin a message of each role, and 0 ends it.
        let ids = |text: &str| text.bytes().map(u32::from).chain([0]).collect::<Vec<u32>>();
        let role = |role: &Value| 256 + role.as_str().map_or(0, str::len) as u32;
        let mut prompt = Vec::new();
        for message in asked["messages"].as_array().into_iter().flatten() {
            prompt.push(role(&message["role"]));
            prompt.extend(ids(message["content"].as_str().unwrap_or_default()));
        }
        prompt.push(role(&"assistant".into()));
        reply["prompt_token_ids"] = prompt.into();
        // Who gives ids says the text once.
        reply["choices"][0]["text"] = Value::Null;
        reply["choices"][0]["token_ids"] = ids(text).into();
    }
    reply.to_string()
}

fn answer(status: u16, headers: &[(&'static str, String)], body: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    head.into_bytes()
}
