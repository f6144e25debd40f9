//! Sessions of `rolecall serve env`: resident memory of the server for each open one, and how long a step in the
//! household takes at 5,000 a second. Run with `cargo bench --bench serve`.
//!
//! The clients are another process: this program again, with `clients` as its argument.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used, clippy::disallowed_methods)]

mod measure;

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use measure::resident_bytes;
use rolecall::config::{Request, load};
use rolecall::log::{LogSettings, LogWriter};
use rolecall::runtime::{Launch, Orders};
use rolecall::serve::{Closing, Listener, Sessions, openenv};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, mpsc};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// Sessions that are open at once; each takes a socket of the server and one of the clients.
const OPEN: usize = 10_000;
/// Those of them that step.
const STEPPING: usize = 500;
/// Steps a second, and for how many seconds.
const RATE: usize = 5_000;
const SECONDS: usize = 10;

type Socket = WebSocketStream<TcpStream>;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("clients") {
        let address = std::env::args().nth(2).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let local = tokio::task::LocalSet::new();
        return local.block_on(&runtime, clients(address.parse().unwrap()));
    }
    if !measure::is_possible() {
        return;
    }
    serve();
}

/// Serves the household to the other process, and looks at its own memory when that says so.
fn serve() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sets = ["roles.executor.implementation=remote", "repeats=1000000", "limits.steps=1000000"];
    let request = Request {
        file: root.join("configs/household/respact.toml"),
        sets: sets.map(str::to_owned).to_vec(),
        working: root.to_owned(),
        ..Request::default()
    };
    let mut resolved = load(&request, rolecall::worlds()).unwrap();
    resolved.plan.run.concurrency = OPEN;
    let seat = resolved.plan.seat_of("remote").unwrap();
    let (sessions, plan, orders) = Sessions::new(resolved.plan, &resolved.record, seat);
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let writer = LogWriter::create(&run, &plan.record, &LogSettings::default()).unwrap();
    let mut launch = Launch::new(plan, &writer, rolecall::worlds().measured());
    launch.orders = Some(Orders::Clients(orders));
    let closing = Closing::default();
    let routes =
        openenv::routes(sessions.clone(), &rolecall::worlds(), Duration::from_secs(600), closing.clone(), None);
    let listener = Listener::bind("127.0.0.1:0", None).unwrap();
    let address = listener.address();
    let serving = listener.serve(routes, closing.clone()).unwrap();
    let watching = std::thread::spawn(move || {
        watch(address);
        closing.token.cancel();
        sessions.close();
    });
    launch.run(&mut ()).unwrap();
    watching.join().unwrap();
    serving.join().unwrap();
    writer.close().unwrap();
}

/// Starts the clients and prints what they find out.
fn watch(address: SocketAddr) {
    let mut clients = Command::new(std::env::current_exe().unwrap())
        .args(["clients", &address.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut go_on = clients.stdin.take().unwrap();
    let mut before = 0.0;
    for line in BufReader::new(clients.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let resident = resident_bytes();
        match line.as_str() {
            "one" => before = resident,
            "open" => {
                let each = |bytes: f64| bytes / OPEN as f64 / 1e3;
                println!(
                    "{OPEN} open sessions: {:.1} kB of resident memory each, everything of the server counted \
                     ({:.1} kB more than with one)",
                    each(resident),
                    each(resident - before)
                );
            }
            other => println!("{other}"),
        }
        writeln!(go_on).unwrap();
    }
    assert!(clients.wait().unwrap().success());
}

/// Says where things stand, and waits until the server has looked.
fn reached(what: &str) {
    println!("{what}");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

async fn connect(address: SocketAddr) -> Socket {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let config = WebSocketConfig::default().read_buffer_size(2048).write_buffer_size(0);
    let url = format!("ws://{address}/ws");
    let connected = client_async_with_config(url, stream, Some(config)).await;
    let (mut socket, _) = connected.unwrap();
    ask(&mut socket, r#"{"type":"reset","data":{"seed":1}}"#).await;
    socket
}

async fn ask(socket: &mut Socket, message: &'static str) {
    socket.send(Message::text(message)).await.unwrap();
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return assert!(text.contains("\"observation\""), "{text}"),
            Message::Ping(_) => {}
            other => panic!("{other}"),
        }
    }
}

/// Opens sessions, then steps in some of them.
async fn clients(address: SocketAddr) {
    let first = connect(address).await;
    reached("one");
    let began = Instant::now();
    let mut sockets = vec![first];
    while sockets.len() < OPEN {
        let more = (0..(OPEN - sockets.len()).min(100)).map(|_| connect(address));
        sockets.extend(futures_util::future::join_all(more).await);
    }
    let took = began.elapsed().as_secs_f64();
    reached("open");
    let rate = OPEN as f64 / took;
    reached(&format!("{rate:.0} sessions opened a second"));
    let idle = sockets.split_off(STEPPING);
    // A session that steps waits for its turn in a queue of those that are free.
    let (free, freed) = mpsc::unbounded_channel();
    sockets.into_iter().for_each(|socket| drop(free.send(socket)));
    let freed = Rc::new(Mutex::new(freed));
    let mut took = Vec::new();
    let (done, mut times) = mpsc::unbounded_channel();
    let began = Instant::now();
    for number in 0..RATE * SECONDS {
        let due = began + Duration::from_secs_f64(number as f64 / RATE as f64);
        if due > Instant::now() {
            tokio::time::sleep_until(due.into()).await;
        }
        // No answer is waited for before the next step: a slow server does not slow the steps down.
        let asked = Instant::now();
        let (free, freed, done) = (free.clone(), Rc::clone(&freed), done.clone());
        tokio::task::spawn_local(async move {
            let mut socket = freed.lock().await.recv().await.unwrap();
            ask(&mut socket, r#"{"type":"step","data":{"text":"look"}}"#).await;
            let _ = done.send(asked.elapsed());
            let _ = free.send(socket);
        });
    }
    drop(done);
    while let Some(time) = times.recv().await {
        took.push(time);
    }
    let wall = began.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |share: f64| took[(took.len() as f64 * share) as usize].as_secs_f64() * 1e3;
    reached(&format!(
        "{:.0} steps a second in {STEPPING} sessions: p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms",
        took.len() as f64 / wall,
        at(0.5),
        at(0.99),
        at(0.999)
    ));
    drop(idle);
}
