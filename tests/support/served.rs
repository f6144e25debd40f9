//! A server of episodes, as a shell starts it, and a client that says what it likes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

use super::binary::rolecall;

/// The run of every server here.
const RUN: &str = "served";

/// A server with its folder.
pub struct Server {
    child: Child,
    /// Where it listens: host and port.
    pub address: String,
    folder: tempfile::TempDir,
}

impl Server {
    /// `rolecall serve env` of a config, with further arguments.
    pub fn of(config: &str, arguments: &[&str]) -> Self {
        Self::start("env", config, arguments)
    }

    /// `rolecall serve KIND` of a config, with further arguments.
    pub fn start(kind: &str, config: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let common = ["--listen", "127.0.0.1:0", "--logs", "logs", "--name", RUN];
        let all = [&["serve", kind, config], &common[..], arguments].concat();
        let mut command = rolecall(folder.path(), &all);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let output = child.stdout.as_mut().unwrap();
        // Byte by byte: nothing of what follows may be lost in a buffer.
        BufReader::with_capacity(1, output).read_line(&mut first).unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split([' ', '/']).next());
        let Some(address) = address.map(str::to_owned) else {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("no server: {first}{said}");
        };
        Self { child, address, folder }
    }

    /// The folder of the run.
    pub fn run(&self) -> PathBuf {
        self.folder.path().join("logs").join(RUN)
    }

    /// The folder in which the server was started.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Resident memory of the server, in bytes.
    pub fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// A new session.
    pub fn client(&self) -> Client {
        Client::at(&self.address, "/ws", &[]).unwrap()
    }

    /// What a request is answered: the status and the JSON.
    pub fn http(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let headers = format!("Host: {}\r\n", self.address);
        http(&self.address, &headers, method, path, body)
    }

    /// Ends the server as Ctrl-C does; gives what it printed on both streams.
    pub fn stop(&mut self) -> (String, String) {
        let number = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &number]).status();
        assert!(killed.unwrap().success());
        let mut texts = [String::new(), String::new()];
        let (out, err) = (self.child.stdout.take(), self.child.stderr.take());
        out.unwrap().read_to_string(&mut texts[0]).unwrap();
        err.unwrap().read_to_string(&mut texts[1]).unwrap();
        self.child.wait().unwrap();
        let [out, err] = texts;
        (out, err)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a request with these headers is answered.
pub fn http(address: &str, headers: &str, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let body = body.map_or(String::new(), |body| body.to_string());
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

/// A session's connection.
pub struct Client(WebSocket<TcpStream>);

impl Client {
    /// Connects with further headers.
    pub fn at(address: &str, path: &str, headers: &[(&'static str, &str)]) -> Result<Self, String> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let connected = client(request, stream);
        connected.map(|(socket, _)| Self(socket)).map_err(|error| error.to_string())
    }

    /// Sends a text as it is.
    pub fn send(&mut self, text: &str) -> Result<(), Error> {
        self.0.send(Message::text(text))
    }

    /// Sends bytes past the protocol.
    pub fn scribble(&mut self, bytes: &[u8]) {
        // The server may have enough of it before it has all.
        let _ = self.0.get_mut().write_all(bytes);
    }

    /// The next text; none once the server has closed the connection.
    pub fn hear(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Asks, and gives the whole answer.
    pub fn ask(&mut self, message: &Value) -> Value {
        self.send(&message.to_string()).unwrap();
        serde_json::from_str(&self.hear().unwrap()).unwrap()
    }

    /// Resets; gives the answer's data.
    pub fn reset(&mut self, data: Value) -> Value {
        let answer = self.ask(&json!({ "type": "reset", "data": data }));
        assert_eq!(answer["type"], "observation", "{answer}");
        answer["data"].clone()
    }

    /// Makes a move; gives the answer's data.
    pub fn step(&mut self, text: &str) -> Value {
        let answer = self.ask(&json!({ "type": "step", "data": { "text": text } }));
        assert_eq!(answer["type"], "observation", "{answer}");
        answer["data"].clone()
    }

    /// The code of the error that a message is answered with.
    pub fn refused(&mut self, message: &str) -> String {
        self.send(message).unwrap();
        let answer: Value = serde_json::from_str(&self.hear().unwrap()).unwrap();
        assert_eq!(answer["type"], "error", "{answer}");
        answer["data"]["code"].as_str().unwrap().to_owned()
    }
}
