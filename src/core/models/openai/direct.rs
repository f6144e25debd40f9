//! Servers that are reached without encryption and without a proxy: those on this machine and beside it,
//! which answer so many calls that the way to them shows.
//!
//! A connection that nobody uses waits for the next request to its server, whichever model makes it, on the
//! thread that it is driven on: a call that takes one of another thread wakes that one for every piece.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Body;
use reqwest::header::{HOST, HeaderValue};
use rustc_hash::FxHashMap;
use tokio::runtime;
use tokio::time::{Instant, timeout};
use tower_service::Service;

use super::address::Address;
use super::failure::{broken, no_connection};
use crate::models::Failed;

/// A connection that nobody uses waits so long for the next request.
pub(super) const UNUSED: Duration = Duration::from_secs(60);
/// A connection on which nothing comes is looked after so often.
const ALIVE: Duration = Duration::from_secs(15);

type Sender = SendRequest<Body>;

thread_local! {
    /// The connections of this thread that nobody uses, by server; those that wait longest come first.
    static WAITING: RefCell<FxHashMap<Arc<str>, Vec<Unused>>> = RefCell::default();
}

/// A connection that nobody uses.
struct Unused {
    sender: Sender,
    /// The runtime that drives it: another one may stand still.
    driver: runtime::Id,
    until: Instant,
}

/// The way to such a server.
pub(super) struct Direct {
    /// Its host and port.
    server: Arc<str>,
    uri: Uri,
    host: HeaderValue,
    connector: HttpConnector,
    /// The time within which there must be a connection.
    connect: Duration,
}

impl Direct {
    /// None if the server is reached in another way.
    pub(super) fn new(address: &Address, connect: Duration) -> Option<Self> {
        let server = address.open_server()?;
        let uri: Uri = format!("http://{server}/").parse().ok()?;
        if !address.is_local() && Matcher::from_system().intercept(&uri).is_some() {
            return None;
        }
        Some(Self {
            host: HeaderValue::from_str(server).ok()?,
            server: server.into(),
            uri,
            connector: connector(connect),
            connect,
        })
    }

    /// Sends a request, which need not name the host, and gives the answer's head.
    pub(super) async fn send(&self, mut request: Request<Body>) -> Result<DirectResponse, Failed> {
        let host = request.headers_mut().entry(HOST);
        host.or_insert_with(|| self.host.clone());
        loop {
            let (mut sender, is_new) = match self.take() {
                Some(sender) => (sender, false),
                // Boxed: those that wait for an answer need no room for it.
                None => (Box::pin(self.connect()).await?, true),
            };
            let mut error = match sender.try_send_request(request).await {
                Ok(response) => {
                    return Ok(DirectResponse { response, sender: Some(sender), server: Arc::clone(&self.server) });
                }
                Err(error) => error,
            };
            match error.take_message() {
                // It was closed meanwhile, and nothing was sent.
                Some(unsent) if !is_new => request = unsent,
                _ => return Err(broken(error.error())),
            }
        }
    }

    /// A connection that waits. One that is not at the end of its last answer, such as when the answer came
    /// before the whole request was sent, is given up.
    fn take(&self) -> Option<Sender> {
        let driver = runtime::Handle::current().id();
        WAITING.with_borrow_mut(|waiting| {
            let waiting = waiting.get_mut(&self.server)?;
            loop {
                let unused = waiting.pop()?;
                if unused.driver == driver && unused.sender.is_ready() {
                    return Some(unused.sender);
                }
            }
        })
    }

    async fn connect(&self) -> Result<Sender, Failed> {
        let mut connector = self.connector.clone();
        let connecting = timeout(self.connect, connector.call(self.uri.clone())).await;
        let stream =
            connecting.map_err(|late| no_connection(&late, true))?.map_err(|error| no_connection(&error, false))?;
        let (sender, connection) = http1::handshake(stream).await.map_err(|error| broken(&error))?;
        // How it ends, whoever uses it sees.
        tokio::spawn(async { drop(connection.await) });
        Ok(sender)
    }
}

/// Opens connections as the library does for other servers.
fn connector(connect: Duration) -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(connect));
    connector.set_keepalive(Some(ALIVE));
    connector.set_keepalive_interval(Some(ALIVE));
    connector.set_keepalive_retries(Some(3));
    #[cfg(target_os = "linux")]
    connector.set_tcp_user_timeout(Some(2 * ALIVE));
    connector
}

/// An answer whose body may still be on its way.
pub(crate) struct DirectResponse {
    pub(super) response: hyper::Response<Incoming>,
    /// None once the body is read.
    sender: Option<Sender>,
    server: Arc<str>,
}

impl DirectResponse {
    /// The next piece; none at the end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, Failed> {
        let body = self.response.body_mut();
        while !body.is_end_stream() {
            let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
            let Some(frame) = frame.transpose().map_err(|error| broken(&error))? else {
                break;
            };
            // Trailers are nothing to us.
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
        if let Some(sender) = self.sender.take().filter(|sender| !sender.is_closed()) {
            keep(&self.server, sender);
        }
        Ok(None)
    }
}

/// Lets a connection wait, and closes those that waited for too long.
fn keep(server: &Arc<str>, sender: Sender) {
    let now = Instant::now();
    let unused = Unused { sender, driver: runtime::Handle::current().id(), until: now + UNUSED };
    WAITING.with_borrow_mut(|waiting| {
        for waiting in waiting.values_mut() {
            let over = waiting.partition_point(|unused| unused.until <= now);
            waiting.drain(..over);
        }
        match waiting.get_mut(server) {
            Some(waiting) => waiting.push(unused),
            None => {
                waiting.insert(Arc::clone(server), vec![unused]);
            }
        }
    });
}
