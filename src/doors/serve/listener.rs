//! The listener: one address, one check of every request ([`Access`]), one thread. What is served is a router
//! that somebody else made.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::{Access, Tickets, Token};

/// The most bytes of a request's body.
const LONGEST_BODY: usize = 1 << 20;

/// The most connections of pages at once: more wait. Each open page of a run that goes on holds one.
const MOST_READERS: usize = 1024;

/// The time that a browser may take to say what it wants, and that it may keep a connection for nothing.
const HEADERS: Duration = Duration::from_secs(30);

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
        /// The problem with it.
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
        /// The problem with it.
        problem: String,
    },
    /// No secret can be made.
    #[error("the system has no random numbers to make a token of: say `--token-file FILE`")]
    Random,
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
    refuse: Refuse,
    /// The most connections at once.
    most: usize,
    /// The time that a client may take to say what it wants.
    patience: Option<Duration>,
}

/// Makes the answer to a request that is not let in.
pub(super) type Refuse = fn(&Request, StatusCode, &'static str) -> Response;

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
        let wrong = |problem: String| ListenError::Address { address: address.to_owned(), problem };
        let resolved: Vec<SocketAddr> = address.to_socket_addrs().map_err(|error| wrong(error.to_string()))?.collect();
        let loopback = resolved.iter().all(|address| address.ip().is_loopback());
        if !loopback && token.is_none() {
            return Err(ListenError::Open { address: address.to_owned() });
        }
        let (listener, address) = TcpListener::bind(&*resolved)
            .and_then(|listener| {
                listener.set_nonblocking(true)?;
                let address = listener.local_addr()?;
                Ok((listener, address))
            })
            .map_err(|error| wrong(error.to_string()))?;
        let access = Access { token, tickets: Tickets::default(), loopback, open: &[] };
        Ok(Self {
            listener,
            address,
            access,
            refuse: |_, status, reason| Refusal::new(status, reason).into_response(),
            most: Semaphore::MAX_PERMITS,
            patience: None,
        })
    }

    /// Prepares it for pages that people look at: a token is always needed, and strangers see how to give it.
    /// Gives the token's text if one had to be made.
    ///
    /// # Errors
    /// When none can be made.
    pub(super) fn for_pages(
        mut self,
        open: &'static [&'static str],
        refuse: Refuse,
    ) -> Result<(Self, Option<String>), ListenError> {
        self.access.open = open;
        self.refuse = refuse;
        (self.most, self.patience) = (MOST_READERS, Some(HEADERS));
        let mut made = None;
        if self.access.token.is_none() {
            let (token, text) = Token::random()?;
            self.access.token = Some(token);
            made = Some(text);
        }
        Ok((self, made))
    }

    /// Who is let in, and by what.
    pub(super) fn access(&self) -> &Access {
        &self.access
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
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ListenError::Start)?;
        let entered = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(self.listener);
        drop(entered);
        let listener = listener.map_err(ListenError::Start)?;
        let routes = routes
            .layer(DefaultBodyLimit::max(LONGEST_BODY))
            .layer(middleware::from_fn_with_state((Arc::new(self.access), self.refuse), guard));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.patience);
        let places = Arc::new(Semaphore::new(self.most));
        let ended = async move {
            tokio::select! {
                () = accept(&listener, &routes, &http, &places, &closing) => {}
                () = closing.token.cancelled() => {}
            }
            drop(listener);
            closing.open.close();
            // Whoever does not end by itself is cut off.
            let _ = tokio::time::timeout(ENDING, closing.open.wait()).await;
        };
        std::thread::Builder::new()
            .name("serve".to_owned())
            .spawn(move || {
                runtime.block_on(ended);
                runtime.shutdown_background();
            })
            .map_err(ListenError::Start)
    }
}

/// Takes connections for ever, as many at once as there are places.
async fn accept(
    listener: &tokio::net::TcpListener,
    routes: &Router,
    http: &http1::Builder,
    places: &Arc<Semaphore>,
    closing: &Closing,
) {
    while let Ok(place) = Arc::clone(places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, or a client that was gone at once: others may come later.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Answers are short, and somebody waits for each. A connection that refuses is slower, no more.
        let _ = stream.set_nodelay(true);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes.clone()));
        let stop = closing.token.clone();
        let served = closing.open.track_future(async move {
            let mut connection = pin!(connection.with_upgrades());
            // Who breaks off a connection has nobody to be told.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(place);
        });
        tokio::spawn(served);
    }
}

/// Lets a request through with what it is [granted](super::Grant), or refuses it.
async fn guard(State((access, refuse)): State<(Arc<Access>, Refuse)>, mut request: Request, next: Next) -> Response {
    match access.check(request.headers(), request.uri()) {
        Ok(grant) => {
            request.extensions_mut().insert(grant);
            next.run(request).await
        }
        Err((status, reason)) => {
            let mut refused = refuse(&request, status, reason);
            if status == StatusCode::UNAUTHORIZED {
                refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            refused
        }
    }
}

/// An answer that says what is wrong with a request.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// The problem under `detail`, and whatever else there is to say.
    pub(super) body: Value,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, detail: impl Serialize) -> Self {
        Self { status, body: json!({ "detail": detail }) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
