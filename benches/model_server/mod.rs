//! A model server for benches, in a process of its own: the bench's program started again with
//! `--serve`. It answers after a delay, and in a voice, that the path names: `/50/agent/v1/...`.

#![allow(dead_code, reason = "each bench uses a part")]

mod voices;

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const SERVE: &str = "--serve";
/// The argument behind which stands the file that takes all requests.
const RECORD: &str = "--record";

/// The server; it ends with this value.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts the server and waits until it listens.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// The same of a server that writes down all requests: a line with the path and one with the body of each.
    pub(crate) fn recording(file: &Path) -> Self {
        Self::with(&[RECORD, file.to_str().unwrap()])
    }

    fn with(arguments: &[&str]) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program).arg(SERVE).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().parse().unwrap();
        Self { child, address }
    }

    /// Where it answers after so many milliseconds.
    pub(crate) fn base_url(&self, milliseconds: u64) -> String {
        format!("http://{}/{milliseconds}/v1", self.address)
    }

    /// The same where it answers in a voice.
    pub(crate) fn voice(&self, milliseconds: u64, voice: &str) -> String {
        format!("http://{}/{milliseconds}/{voice}/v1", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves, if the program was started for that; never comes back then.
pub(crate) fn serve_if_asked() {
    if !std::env::args().any(|argument| argument == SERVE) {
        return;
    }
    let mut arguments = std::env::args().skip_while(|argument| argument != RECORD);
    let record = arguments.nth(1).map(|file| {
        let file = OpenOptions::new().create(true).append(true).open(file);
        Arc::new(Mutex::new(file.unwrap()))
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        // Ten thousand connections may come at once.
        let listener = socket.listen(16_384).unwrap();
        println!("{}", listener.local_addr().unwrap());
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let _ = stream.set_nodelay(true);
            tokio::spawn(answer_all(stream, record.clone()));
        }
    });
}

type Record = Option<Arc<Mutex<File>>>;

async fn answer_all(mut stream: TcpStream, record: Record) {
    let mut buffer = Vec::with_capacity(4096);
    while let Some(request) = read_request(&mut stream, &mut buffer).await {
        if let Some(record) = &record {
            let mut lines = format!("{}\n", request.path).into_bytes();
            lines.extend(&buffer[request.body.clone()]);
            lines.push(b'\n');
            record.lock().unwrap().write_all(&lines).unwrap();
        }
        let response = request.response();
        if request.milliseconds > 0 {
            // Nothing is kept for a connection that waits but these bytes.
            buffer = Vec::new();
            tokio::time::sleep(Duration::from_millis(request.milliseconds)).await;
        }
        if stream.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// What of a request decides on its answer.
struct Asked {
    path: String,
    milliseconds: u64,
    body: Range<usize>,
}

impl Asked {
    /// A whole answer. What is said depends on the request alone.
    fn response(&self) -> String {
        let voice = self.path.split('/').nth(2).unwrap_or_default();
        let says = voices::says(voice, self.body.len()).replace('\n', "\\n");
        let says = says.replace('"', "\\\"");
        let body = format!(
            "{{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":\"bench\",\"choices\":[{{\"index\":0,\
             \"message\":{{\"role\":\"assistant\",\"content\":\"{says}\"}},\"finish_reason\":\"stop\"}}],\
             \"usage\":{{\"prompt_tokens\":500,\"completion_tokens\":14,\"total_tokens\":514}}}}"
        );
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
        format!("{head}: {}\r\n\r\n{body}", body.len())
    }
}

/// Reads one request.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Asked> {
    buffer.clear();
    loop {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
        let Some(end) = find(buffer, b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .and_then(|length| length.trim().parse::<usize>().ok())
            .unwrap_or(0);
        let path = head.split(' ').nth(1)?.to_owned();
        let milliseconds = path.split('/').nth(1)?.parse().ok()?;
        let body = end + 4..end + 4 + length;
        while buffer.len() < body.end {
            if stream.read_buf(buffer).await.ok()? == 0 {
                return None;
            }
        }
        return Some(Asked { path, milliseconds, body });
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
