//! Replies that are far larger than anybody keeps.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::FakeModel;

/// The bytes that a reply has too many.
const LONG: usize = 12 << 20;
/// Episodes that are played at once.
const EPISODES: usize = 24;

/// A server of large replies that holds them once.
struct Large {
    address: std::net::SocketAddr,
    sent: Arc<AtomicU64>,
}

impl Large {
    fn start(head: &str, begin: String, end: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sent = Arc::new(AtomicU64::new(0));
        let reply: Arc<[String; 3]> = Arc::new([head.to_owned(), begin, end.to_owned()]);
        let counts = Arc::clone(&sent);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (reply, sent) = (Arc::clone(&reply), Arc::clone(&counts));
                // A client that reads no further ends it.
                std::thread::spawn(move || serve(stream.unwrap(), &reply, &sent));
            }
        });
        Self { address, sent }
    }

    /// A completion that is one JSON.
    fn whole() -> Self {
        let begin = r#"{"choices":[{"index":0,"message":{"content":"Act: look\n"#;
        let end = r#"","reasoning_content":"hm"},"finish_reason":"stop"}],
                     "usage":{"prompt_tokens":7,"completion_tokens":3000000}}"#;
        let length = begin.len() + LONG + end.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n"
        );
        Self::start(&head, begin.to_owned(), end)
    }
}

/// Answers one request.
fn serve(mut stream: TcpStream, [head, begin, end]: &[String; 3], sent: &AtomicU64) -> Option<()> {
    let mut read = Vec::new();
    let mut piece = [0; 1 << 14];
    loop {
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&read).to_lowercase();
        let Some((headers, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = headers.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.unwrap().parse().unwrap() {
            break;
        }
    }
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(begin.as_bytes()).ok()?;
    let mut left = LONG;
    // Of a stream, the end of each event; of one JSON, more of its text.
    let (unit, at_the_end) = match end.is_empty() {
        true => (begin.as_bytes().repeat(64), end.as_bytes()),
        false => (vec![b'x'; 1 << 16], end.as_bytes()),
    };
    while left > 0 {
        let length = unit.len().min(left);
        stream.write_all(&unit[..length]).ok()?;
        sent.fetch_add(length as u64, Ordering::Relaxed);
        left -= length;
    }
    stream.write_all(at_the_end).ok()
}

fn write_config(folder: &Path, server: &Large, more: &str) {
    // The address of another server takes the place of that of the friendly one.
    FakeModel::friendly().write_config(
        folder,
        &format!(
            "limits = {{ steps = 2, answer_bytes = 4000 }}\n\
             run = {{ concurrency = {EPISODES}, arbiters = 1 }}\ntasks = {{ limit = {EPISODES} }}"
        ),
        more,
    );
    let path = folder.join("live.toml");
    let config = fs::read_to_string(&path).unwrap();
    let was = config.lines().find(|line| line.starts_with("base_url")).unwrap();
    let is = format!("base_url = \"http://{}/v1\"", server.address);
    fs::write(&path, config.replace(was, &is)).unwrap();
}

/// The most memory that the run took, in megabytes, where the system tells it.
#[expect(clippy::disallowed_methods, reason = "a thread of the test's own sleeps")]
fn play(folder: &Path) -> Option<u64> {
    let arguments = ["run", "live.toml", "--quiet", "--no-report"];
    let mut command = rolecall(folder, &arguments);
    let mut running = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", running.id());
    let mut most = None;
    loop {
        let told = fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kilobytes.map(|kilobytes| kilobytes >> 10));
        if running.try_wait().unwrap().is_some() {
            return most;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The replies in the log.
fn recorded(folder: &Path) -> Vec<Value> {
    let arguments = ["logs", "canonical", "live"];
    let output = rolecall(folder, &arguments).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let replies = events.filter_map(|event| {
        let called = event["message"].get("model_called")?;
        Some(called["reply"].clone())
    });
    replies.collect()
}

fn assert_replays(folder: &Path) {
    let output = rolecall(folder, &["replay", "live"]).output().unwrap();
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
}

#[test]
fn of_a_large_reply_is_kept_what_answer_bytes_allows() {
    let folder = tempfile::tempdir().unwrap();
    let server = Large::whole();
    write_config(folder.path(), &server, "");
    let most = play(folder.path());
    // All replies of a moment together have almost 300 MB.
    assert!(most.is_none_or(|most| most < 120), "{most:?} MB");
    let replies = recorded(folder.path());
    assert!(replies.len() >= EPISODES, "{}", replies.len());
    for reply in &replies {
        let choice = &reply["choices"][0];
        let text = choice["text"].as_str().unwrap();
        assert!(text.len() == 4000 && text.starts_with("Act: look\nxxx"), "{text}");
        assert_eq!(choice["finish"], "length");
        // What was generated is paid, also what nobody keeps.
        assert_eq!(reply["usage"], json!({"prompt": 7, "completion": 3_000_000}));
    }
    assert_replays(folder.path());
}

#[test]
fn a_stream_is_read_no_further_than_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let delta = json!({"choices": [{"index": 0, "delta": {"content": "Act: look\n"}}]});
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let server = Large::start(head, format!("data: {delta}\n\n"), "");
    write_config(folder.path(), &server, "stream = true\n");
    play(folder.path());
    let replies = recorded(folder.path());
    assert!(replies.len() >= EPISODES, "{}", replies.len());
    for reply in &replies {
        assert_eq!(reply["choices"][0]["text"], "Act: look\n".repeat(400));
        assert_eq!(reply["choices"][0]["finish"], "length");
        assert_eq!(reply["usage"]["estimated"], true);
    }
    // What the system holds for a connection is sent without being read.
    let sent = server.sent.load(Ordering::Relaxed) / replies.len() as u64;
    assert!(sent < LONG as u64 / 2, "{sent}");
    assert_replays(folder.path());
}
