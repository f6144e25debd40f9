//! A real server of NATS, which `tests/nats.sh` installs.

#![allow(dead_code, unreachable_pub, reason = "each program uses a part")]
#![allow(clippy::disallowed_methods, reason = "it waits for another process")]

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The program `nats-server`, unless there is none and none is needed.
pub(crate) fn program() -> Option<PathBuf> {
    let named = std::env::var_os("ROLECALL_NATS_SERVER").filter(|path| !path.is_empty() && path != "off");
    if named.is_none() {
        let needed = std::env::var_os("ROLECALL_ORACLE").is_some();
        assert!(!needed, "no server of NATS: run `tests/nats.sh`, which installs one");
        println!("skipped: ROLECALL_NATS_SERVER is not set; `tests/nats.sh` installs a server");
    }
    named.map(PathBuf::from)
}

/// A server on a port of its own.
pub(crate) struct NatsServer {
    program: PathBuf,
    /// The port.
    pub port: u16,
    child: Child,
    folder: tempfile::TempDir,
}

impl NatsServer {
    /// A server whose configuration has these lines, too.
    pub fn start(program: PathBuf, settings: &str) -> Self {
        Self::with_store(program, "2m", settings)
    }

    /// A server that brings what it stored to the disk so often.
    pub fn synced(program: PathBuf, interval: &str) -> Self {
        Self::with_store(program, interval, "")
    }

    fn with_store(program: PathBuf, interval: &str, settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store");
        let config =
            format!("jetstream {{ store_dir: '{}', sync_interval: {interval} }}\n{settings}\n", store.display());
        Self::with_config(program, folder, &config)
    }

    /// One that has no store.
    pub fn without_store(program: PathBuf) -> Self {
        Self::with_config(program, tempfile::tempdir().unwrap(), "")
    }

    fn with_config(program: PathBuf, folder: tempfile::TempDir, config: &str) -> Self {
        std::fs::write(folder.path().join("config"), config).unwrap();
        loop {
            let port = free_port();
            // Another program may have taken the port.
            if let Some(child) = run(&program, &folder, port) {
                return Self { program, port, child, folder };
            }
        }
    }

    /// The address of a run, or of all.
    pub fn address(&self, run: &str) -> String {
        format!("nats://127.0.0.1:{}/{run}", self.port)
    }

    /// A file below its folder.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        file
    }

    /// Ends it without a warning.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, with what it had stored.
    pub fn restart(&mut self) {
        self.child = run(&self.program, &self.folder, self.port).unwrap();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens at, for now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Starts a server, and waits until it answers; none if it ended before.
fn run(program: &PathBuf, folder: &tempfile::TempDir, port: u16) -> Option<Child> {
    let mut child = Command::new(program)
        .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
        .arg("--config")
        .arg(folder.path().join("config"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(child);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
