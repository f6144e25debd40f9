//! Where the real server is, and its own routes, asked without the client that is tested.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// What `tests/real_model.sh` has started.
pub(crate) struct Servers {
    /// The address of a server for everybody.
    pub(crate) open: String,
    /// The address of one that wants a key, and the key.
    pub(crate) locked: Option<(String, String)>,
    /// The program that starts another one.
    pub(crate) start: Option<PathBuf>,
}

/// The servers, unless there are none and none are needed.
pub(crate) fn servers() -> Option<Servers> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(open) = variable("ROLECALL_REAL_MODEL").filter(|value| value != "off") else {
        let needed = std::env::var_os("ROLECALL_ORACLE").is_some();
        assert!(!needed, "no real model server: run `tests/real_model.sh`, which starts one");
        println!("skipped: ROLECALL_REAL_MODEL is not set; `tests/real_model.sh` starts a server");
        return None;
    };
    let locked = variable("ROLECALL_REAL_MODEL_LOCKED");
    Some(Servers {
        open,
        locked: locked.zip(variable("ROLECALL_REAL_MODEL_KEY")),
        start: variable("ROLECALL_REAL_MODEL_START").map(PathBuf::from),
    })
}

/// Asks a route of the server's own: POST with a JSON body.
pub(crate) fn post(address: &str, route: &str, body: &Value) -> Value {
    let host = address.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let body = body.to_string();
    let head = format!(
        "POST {route} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    serde_json::from_str(body).unwrap()
}

/// A port that nobody listens on now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A server of one's own, which ends with this value.
pub(crate) struct Own(Child);

impl Own {
    /// Starts one and waits until it answers.
    pub(crate) fn start(program: &PathBuf, port: u16) -> Self {
        let mut child = Command::new(program)
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        lines.read_line(&mut line).unwrap();
        assert!(line.starts_with("listening "), "{line}");
        Self(child)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
