//! The ways to a server, and the answers that come by them.

use std::cell::RefCell;
use std::time::Duration;

use bytes::Bytes;
use hyper::Request;
use hyper::body::Body as _;
use reqwest::header::HeaderMap;
use reqwest::{Body, Client, Method, StatusCode, redirect};
use tokio::runtime;

use super::address::Address;
use super::direct::{Direct, DirectResponse, UNUSED};
use super::failure::{lost, on_the_way};
use crate::models::Failed;
use crate::ports::ModelError;

/// The way to a server.
pub(super) enum Way {
    Direct(Direct),
    /// By a library that knows encryption and proxies.
    Library(Library),
}

/// One request.
pub(super) struct Sending<'a> {
    pub(super) method: Method,
    pub(super) url: &'a str,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Way {
    /// The way to the server, which must take a connection within that time.
    pub(super) fn new(address: &Address, connect: Duration) -> Self {
        let library = || Library { is_local: address.is_local(), connect };
        Direct::new(address, connect).map_or_else(|| Self::Library(library()), Self::Direct)
    }

    /// Sends a request and gives the answer's head, whatever its status.
    pub(super) async fn send(&self, address: &Address, sending: Sending<'_>) -> Result<Response, Failed> {
        let Sending { method, url, headers, body } = sending;
        match self {
            Self::Direct(direct) => {
                let mut request = Request::new(Body::from(body));
                *request.method_mut() = method;
                *request.uri_mut() = address.path(url).parse().map_err(|_| no_path(url))?;
                *request.headers_mut() = headers;
                direct.send(request).await.map(Response::Direct)
            }
            Self::Library(library) => {
                let request = library.client()?.request(method, url);
                // Boxed: those who ask directly need no room for it.
                let sent = Box::pin(request.headers(headers).body(body).send()).await;
                let response = sent.map_err(|error| on_the_way(&error))?;
                Ok(Response::Library(response))
            }
        }
    }
}

fn no_path(url: &str) -> Failed {
    lost(ModelError::BadRequest(format!("`{url}` is no address")), None)
}

thread_local! {
    /// The clients of this thread: a connection is driven on the thread that opened it, and a call that takes
    /// one of another thread wakes that one for every piece that comes. Models that share a server share its
    /// connections.
    static CLIENTS: RefCell<Vec<(Kind, Client)>> = const { RefCell::new(Vec::new()) };
}

/// Key of a thread's clients.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    is_local: bool,
    connect: Duration,
    /// The runtime that drives its connections: another one may stand still.
    driver: Option<runtime::Id>,
}

/// The HTTP library. Its clients read the system's certificates, so they are made by the first call, and
/// not to check a config.
pub(super) struct Library {
    is_local: bool,
    connect: Duration,
}

impl Library {
    fn client(&self) -> Result<Client, Failed> {
        let kind = Kind {
            is_local: self.is_local,
            connect: self.connect,
            driver: runtime::Handle::try_current().ok().map(|handle| handle.id()),
        };
        CLIENTS.with_borrow_mut(|clients| {
            if let Some((_, client)) = clients.iter().find(|(known, _)| *known == kind) {
                return Ok(client.clone());
            }
            let client = build(kind.is_local, kind.connect).map_err(|error| {
                let why = format!("no HTTP client can be made: {error}");
                lost(ModelError::BadRequest(why), None)
            })?;
            clients.push((kind, client.clone()));
            Ok(client)
        })
    }
}

fn build(is_local: bool, connect: Duration) -> reqwest::Result<Client> {
    // Fails if somebody installed one before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(connect)
        // A redirect would carry the key elsewhere.
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        // Streams of one connection are bounded by the server; connections are not.
        .http1_only()
        .tcp_nodelay(true)
        .pool_idle_timeout(UNUSED);
    if is_local {
        builder = builder.no_proxy();
    }
    builder.build()
}

/// An answer whose body may still be on its way.
pub(crate) enum Response {
    Direct(DirectResponse),
    Library(reqwest::Response),
}

impl Response {
    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Direct(direct) => direct.response.status(),
            Self::Library(response) => response.status(),
        }
    }

    /// The headers.
    pub(crate) fn headers(&self) -> &HeaderMap {
        match self {
            Self::Direct(direct) => direct.response.headers(),
            Self::Library(response) => response.headers(),
        }
    }

    /// Takes the headers out.
    pub(crate) fn take_headers(&mut self) -> HeaderMap {
        std::mem::take(match self {
            Self::Direct(direct) => direct.response.headers_mut(),
            Self::Library(response) => response.headers_mut(),
        })
    }

    /// The bytes of the body, if the server says so.
    pub(crate) fn content_length(&self) -> Option<u64> {
        match self {
            Self::Direct(direct) => direct.response.body().size_hint().exact(),
            Self::Library(response) => response.content_length(),
        }
    }

    /// The next piece of the body; none at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failed> {
        match self {
            Self::Direct(direct) => direct.chunk().await,
            Self::Library(response) => {
                let chunk = response.chunk().await;
                chunk.map_err(|error| on_the_way(&error))
            }
        }
    }
}
