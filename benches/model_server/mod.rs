//! A model server for benches, in a process of its own: the bench's program started again with
//! `--serve`. It answers every request with the same completion after a delay that the path names.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const SERVE: &str = "--serve";

/// What the model says.
pub(crate) const SAYS: &str = "Think: I look at the next shelf and remember what stands there.";

/// The server; it ends with this value.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts the server and waits until it listens.
    pub(crate) fn start() -> Self {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program)
            .arg(SERVE)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("{}", listener.local_addr().unwrap());
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let _ = stream.set_nodelay(true);
            tokio::spawn(answer_all(stream));
        }
    });
}

async fn answer_all(mut stream: TcpStream) {
    let body = format!(
        "{{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":\"bench\",\"choices\":[{{\"index\":0,\
         \"message\":{{\"role\":\"assistant\",\"content\":\"{SAYS}\"}},\"finish_reason\":\"stop\"}}],\
         \"usage\":{{\"prompt_tokens\":500,\"completion_tokens\":14,\"total_tokens\":514}}}}"
    );
    let response = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut buffer = Vec::with_capacity(4096);
    while let Some(milliseconds) = read_request(&mut stream, &mut buffer).await {
        if milliseconds > 0 {
            // Nothing is kept for a connection that waits but these bytes.
            buffer = Vec::new();
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        }
        if stream.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads one request and says how long its answer is to take.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<u64> {
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
        let milliseconds = head.split('/').nth(1)?.parse().ok()?;
        while buffer.len() < end + 4 + length {
            if stream.read_buf(buffer).await.ok()? == 0 {
                return None;
            }
        }
        return Some(milliseconds);
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
