//! The listener: one address, one check of every request ([`Access`]), one thread. What is served is a router
//! that somebody else made.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::{Access, Token};

/// The most bytes of a request's body.
const LONGEST_BODY: usize = 1 << 20;

/// The time that connections have to end once the server stops.
const ENDING: Duration = Duration::from_secs(2);

/// Why nobody can be let in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// The address cannot be listened to.
    #[error(
        "`--listen {address}`: {problem} (an address is HOST:PORT, for instance 127.0.0.1:8000; port 0 takes a \
         free one)"
    )]
    Address {
        /// The address as it was given.
        address: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Others reach the address, and no token is asked for.
    #[error(
        "`--listen {address}`: other machines reach this address, so a token is needed: make one by `(umask \
         077; openssl rand -hex 32 > token)` and say `--token-file token`"
    )]
    Open {
        /// The address as it was given.
        address: String,
    },
    /// The token's file cannot be used.
    #[error(
        "`--token-file {}` {problem} (make one by `(umask 077; openssl rand -hex 32 > token)`)",
        file.display()
    )]
    Token {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The server's thread cannot be started.
    #[error("the server cannot be started: {0}")]
    Start(#[source] io::Error),
}

/// An address that is listened to.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    access: Access,
}

/// The end of a server, as those know it who hold connections open.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// Struck when the server stops.
    pub token: CancellationToken,
    /// Whoever holds a token of it is waited for, for a short time.
    pub open: TaskTracker,
}

impl Listener {
    /// Takes an address, such as `127.0.0.1:8000`, where clients need the token of a file, if there is one.
    ///
    /// # Errors
    /// When the address cannot be taken, the file cannot be used, or others reach the address without a token.
    pub fn bind(address: &str, token: Option<&Path>) -> Result<Self, ListenError> {
        let token = token.map(Token::read).transpose()?;
        let wrong = |problem: String| ListenError::Address {
            address: address.to_owned(),
            problem,
        };
        let resolved = address.to_socket_addrs();
        let resolved = resolved.map_err(|error| wrong(error.to_string()))?;
        let resolved: Vec<SocketAddr> = resolved.collect();
        let loopback = resolved.iter().all(|address| address.ip().is_loopback());
        if !loopback && token.is_none() {
            let address = address.to_owned();
            return Err(ListenError::Open { address });
        }
        let bound = TcpListener::bind(&*resolved).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = bound.map_err(|error| wrong(error.to_string()))?;
        let access = Access { token, loopback };
        Ok(Self {
            listener,
            address,
            access,
        })
    }

    /// The address, with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether clients need a token.
    pub fn needs_token(&self) -> bool {
        self.access.token.is_some()
    }

    /// Serves the routes on a thread of its own until the closing is struck.
    ///
    /// # Errors
    /// When there can be no such thread.
    pub fn serve(self, routes: Router, closing: Closing) -> Result<JoinHandle<()>, ListenError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ListenError::Start)?;
        let entered = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(self.listener);
        drop(entered);
        let listener = listener.map_err(ListenError::Start)?.tap_io(|connection| {
            // Answers are short, and somebody waits for each. A connection that refuses is slower, no more.
            let _ = connection.set_nodelay(true);
        });
        let routes = routes
            .layer(DefaultBodyLimit::max(LONGEST_BODY))
            .layer(middleware::from_fn_with_state(Arc::new(self.access), guard));
        let Closing { token, open } = closing;
        let ended = async move {
            let stop = token.clone().cancelled_owned();
            let serving = axum::serve(listener, routes).with_graceful_shutdown(stop);
            let serving = tokio::spawn(serving.into_future());
            token.cancelled().await;
            open.close();
            // Whoever does not end by itself is cut off.
            let _ = tokio::time::timeout(ENDING, async {
                open.wait().await;
                serving.await
            })
            .await;
        };
        let thread = std::thread::Builder::new().name("serve".to_owned());
        let thread = thread.spawn(move || {
            runtime.block_on(ended);
            runtime.shutdown_background();
        });
        thread.map_err(ListenError::Start)
    }
}

/// Lets a request through, or refuses it.
async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match access.check(request.headers(), request.uri()) {
        Ok(()) => next.run(request).await,
        Err((status, reason)) => {
            let mut refused = Refusal::new(status, reason).into_response();
            if status == StatusCode::UNAUTHORIZED {
                let scheme = HeaderValue::from_static("Bearer");
                refused.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            }
            refused
        }
    }
}

/// An answer that says what is wrong with a request.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// What is wrong, under `detail`, and whatever else there is to say.
    pub(super) body: Value,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail: String = detail.into();
        let body = json!({ "detail": detail });
        Self { status, body }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
