//! The other half of a connection: the one thread that connects, reads, writes and ends programs.

use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::{UnixStream, unix};
use tokio::process::Child;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::lines::Lines;
use super::out::{Out, signal};
use super::rules::Gone;
use super::shared::Shared;
use super::target::{Address, Program, Target};
use super::time::thread;
use rolecall_core::text::visible;

/// How long a program that was told to end has for it, and one that has closed its output.
const TO_END: Duration = Duration::from_secs(1);
/// How long what a program wrote before it ended may take to come.
const REST: Duration = Duration::from_millis(200);

/// Somebody to talk to.
struct Connected {
    out: Out,
    from: Pin<Box<dyn AsyncRead + Send>>,
    child: Option<Child>,
    stderr: Option<JoinHandle<()>>,
}

/// Connects, and serves the connection until it ends.
pub(super) fn begin(shared: Arc<Shared>) {
    match thread() {
        Some(thread) => drop(thread.spawn(serve(shared))),
        None => shared.end(Gone::NotStarted("the system gives no thread".into())),
    }
}

async fn serve(shared: Arc<Shared>) {
    let connected = tokio::select! {
        biased;
        () = shared.closing.notified() => return,
        connected = connect(&shared) => connected,
    };
    match connected {
        Ok(connected) => talk(&shared, connected).await,
        Err(error) => {
            let text = match &shared.target {
                Target::Program(program) => {
                    let folder = program.folder.display();
                    format!("`{program}` cannot be started in `{folder}`: {error}")
                }
                Target::Address(address) => format!("nobody answers at `{address}`: {error}"),
            };
            shared.end(Gone::NotStarted(text.into()));
        }
    }
}

async fn connect(shared: &Arc<Shared>) -> io::Result<Connected> {
    match &shared.target {
        Target::Program(program) => start(program, shared),
        Target::Address(Address::Tcp(address)) => {
            let socket = TcpStream::connect(address).await?;
            socket.set_nodelay(true)?;
            let (from, to) = socket.into_split();
            Ok(Connected::socket(Out::Tcp(to), Box::pin(from)))
        }
        #[cfg(unix)]
        Target::Address(Address::Unix(path)) => {
            let (from, to) = UnixStream::connect(path).await?.into_split();
            Ok(Connected::socket(Out::Unix(to), Box::pin(from)))
        }
        #[cfg(not(unix))]
        Target::Address(Address::Unix(_)) => Err(io::ErrorKind::Unsupported.into()),
    }
}

impl Connected {
    fn socket(out: Out, from: Pin<Box<dyn AsyncRead + Send>>) -> Self {
        Self { out, from, child: None, stderr: None }
    }
}

#[cfg(unix)]
fn start(program: &Program, shared: &Arc<Shared>) -> io::Result<Connected> {
    let mut child = program.start()?;
    shared.lock().group = child.id();
    let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let stderr = child.stderr.take().map(|stderr| tokio::spawn(follow_stderr(Arc::clone(shared), stderr)));
    Ok(Connected {
        out: Out::Pipe(unix::pipe::Sender::from_owned_fd(to.into_owned_fd()?)?),
        from: Box::pin(from),
        child: Some(child),
        stderr,
    })
}

/// Elsewhere pipes cannot be written from any thread.
#[cfg(not(unix))]
fn start(_: &Program, _: &Arc<Shared>) -> io::Result<Connected> {
    Err(io::Error::other("this system cannot; let it listen, and write its address"))
}

async fn talk(shared: &Arc<Shared>, connected: Connected) {
    let Connected { out, from, mut child, stderr } = connected;
    let out = Arc::new(out);
    shared.lock().out = Some(Arc::clone(&out));
    shared.to_write.notify_one();
    let mut reading = Box::pin(read(shared, from));
    let ended = tokio::select! {
        () = shared.closing.notified() => Ended::Closed,
        gone = &mut reading => gone,
        error = write(shared, &out) => Ended::Died(format!("cannot be written to: {error}")),
        status = exit(shared, child.as_mut()) => match timeout(REST, &mut reading).await {
            Ok(Ended::Breach(gone)) => Ended::Breach(gone),
            _ => Ended::Died(format!("ended ({status})")),
        },
    };
    drop((reading, out));
    shared.lock().out = None;
    let mut text = None;
    match ended {
        Ended::Closed => end_child(shared, child.as_mut(), TO_END).await,
        Ended::Breach(gone) => {
            shared.end(gone);
            end_child(shared, child.as_mut(), Duration::ZERO).await;
        }
        Ended::Died(how) => {
            // The status says more than a closed output.
            let status = timeout(REST, exit(shared, child.as_mut())).await;
            text = Some(status.map_or(how, |status| format!("ended ({status})")));
            end_child(shared, child.as_mut(), Duration::ZERO).await;
        }
    }
    if let Some(mut stderr) = stderr {
        let _ = timeout(REST, &mut stderr).await;
        stderr.abort();
    }
    if let Some(text) = text {
        shared.end(Gone::Died(format!("{} {text}{}", shared.target, shared.last_lines()).into()));
    }
}

/// How a connection ended.
enum Ended {
    Closed,
    Breach(Gone),
    Died(String),
}

/// Reads until there is no more.
async fn read(shared: &Shared, mut from: Pin<Box<dyn AsyncRead + Send>>) -> Ended {
    let mut lines = Lines::default();
    let mut wakers = Vec::new();
    loop {
        match from.read_buf(lines.room()).await {
            Ok(0) => return Ended::Died("closed the connection".to_owned()),
            Ok(_) => {}
            Err(error) => return Ended::Died(format!("cannot be read: {error}")),
        }
        let handed = loop {
            match lines.next_line() {
                Ok(Some(line)) => {
                    if let Err(gone) = shared.hand_out(line, &mut wakers) {
                        break Err(gone);
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(shared.too_long(&error, lines.rest())),
            }
        };
        wakers.drain(..).for_each(std::task::Waker::wake);
        if let Err(gone) = handed {
            return Ended::Breach(gone);
        }
    }
}

/// Writes what callers could not; ends when that fails.
async fn write(shared: &Shared, out: &Out) -> io::Error {
    loop {
        let bytes = {
            let mut state = shared.lock();
            state.writing = !state.outbox.is_empty();
            std::mem::take(&mut state.outbox)
        };
        if bytes.is_empty() {
            shared.to_write.notified().await;
            continue;
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            match out.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if let Err(error) = out.writable().await {
                        return error;
                    }
                }
                Err(error) => return error,
            }
        }
    }
}

/// How a program ended; never, where there is none.
async fn exit(shared: &Shared, child: Option<&mut Child>) -> String {
    match child {
        None => std::future::pending().await,
        Some(child) => match child.wait().await {
            Ok(status) => {
                shared.lock().killed |= was_killed(status);
                status.to_string()
            }
            Err(error) => error.to_string(),
        },
    }
}

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::KILL.as_raw())
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// Waits for a program that is to end, and kills it and all that it started if it does not.
async fn end_child(shared: &Shared, child: Option<&mut Child>, within: Duration) {
    let Some(child) = child else {
        return;
    };
    if timeout(within, child.wait()).await.is_err() {
        signal(shared.lock().group, true);
        let _ = child.start_kill();
        let _ = timeout(TO_END, child.wait()).await;
    }
    shared.lock().group = None;
}

/// Hands on what a program says on standard error, line by line and not more than 64 kB a minute.
pub(super) async fn follow_stderr(shared: Arc<Shared>, mut from: impl AsyncRead + Unpin) {
    /// The most bytes of a line, and of a minute.
    const LINE: usize = 2_000;
    const MINUTE: usize = 64 << 10;
    let (mut since, mut said) = (Instant::now(), 0);
    let mut bytes = Vec::new();
    let mut say = |line: &[u8]| {
        let line = visible(&shared.target.without_secrets(String::from_utf8_lossy(line).trim_end())).into_owned();
        if line.is_empty() {
            return;
        }
        if since.elapsed() > Duration::from_secs(60) {
            (since, said) = (Instant::now(), 0);
        }
        let before = said;
        said += line.len();
        if said <= MINUTE {
            tracing::info!(program = %shared.target, line, "a program says");
        } else if before <= MINUTE {
            tracing::warn!(program = %shared.target, "a program says more than 64 kB a minute: the rest is left out");
        }
        shared.keep_line(line.trim().chars().take(300).collect());
    };
    loop {
        match from.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        while let Some(end) = bytes.iter().take(LINE).position(|byte| *byte == b'\n') {
            say(&bytes[..end]);
            bytes.drain(..=end);
        }
        if bytes.len() >= LINE {
            say(&bytes);
            bytes.clear();
        }
    }
    say(&bytes);
}
