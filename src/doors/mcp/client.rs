//! A server from the client's side: it is connected to when it is first needed, asked which revision it
//! speaks, and connected to once more when it went away.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::answers::{ListedTool, Page, Spoken, chosen};
use super::http::Http;
use super::protocol::{CallError, Era, LAST_HANDSHAKE, MODERN, ourselves, with_meta};
use crate::wire::{self, Belongs, Peer, Program, RpcError, Rules, Target};
use rolecall_core::ports::model::Secret;
use rolecall_core::text::visible;

/// How long a server may take to say which revision it speaks, before it is taken for one that does not
/// answer what it does not know.
const TO_DISCOVER: Duration = Duration::from_secs(10);

/// The most pages of tools that are read, and the most tools.
const MOST_PAGES: usize = 100;
const MOST_TOOLS: usize = 1_000;

/// Where a server is.
#[derive(Clone, Debug)]
pub(super) enum Location {
    /// A program that is started.
    Program(Program),
    /// An address, with the token that it wants.
    Address(Url, Option<Secret>),
}

/// A server. Clones are the same.
#[derive(Clone)]
pub(super) struct Client(Arc<Shared>);

struct Shared {
    location: Location,
    start: Duration,
    connected: Mutex<Option<Arc<Connected>>>,
}

impl Client {
    /// A server that has so long to begin. Nothing is started yet.
    pub(super) fn new(location: Location, start: Duration) -> Self {
        Self(Arc::new(Shared { location, start, connected: Mutex::default() }))
    }

    /// All its tools.
    pub(super) async fn tools(&self) -> Result<Vec<ListedTool>, CallError> {
        Arc::clone(&self.0).on_wire(|shared| async move { shared.tools().await }).await
    }

    /// Lists its tools, for callers that may block the thread.
    pub(super) fn wait_for_tools(&self) -> Result<Vec<ListedTool>, CallError> {
        let within = self.0.start * 2;
        wire::wait(self.tools(), within).unwrap_or_else(|| {
            let current = self.0.connected.try_lock();
            let link = current.as_ref().ok().and_then(|current| current.as_ref()).map(|connected| &connected.link);
            Err(self.0.silent(within, link))
        })
    }

    /// Calls a tool.
    pub(super) async fn call(&self, tool: &str, arguments: &Value) -> Result<Box<RawValue>, CallError> {
        let Value::Object(params) = json!({ "name": tool, "arguments": arguments }) else {
            return Err(CallError::Gone("a call has parameters".to_owned()));
        };
        Arc::clone(&self.0).on_wire(|shared| async move { shared.call("tools/call", &params).await }).await
    }
}

impl Shared {
    /// Does something on the thread of all connections, which has a clock, whoever waits for it; a caller that
    /// waits no longer ends it.
    async fn on_wire<T, F>(self: Arc<Self>, what: impl FnOnce(Arc<Self>) -> F) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, CallError>> + Send + 'static,
    {
        let broken = || CallError::Gone("the thread of connections is gone".to_owned());
        AbortOnDropHandle::new(wire::spawn(what(self)).ok_or_else(broken)?).await.unwrap_or_else(|_| Err(broken()))
    }

    async fn tools(&self) -> Result<Vec<ListedTool>, CallError> {
        let mut tools = Vec::new();
        let mut params = Map::new();
        for _ in 0..MOST_PAGES {
            let page = Page::read(&self.call("tools/list", &params).await?).map_err(|problem| self.wrong(problem))?;
            tools.extend(page.tools);
            if tools.len() > MOST_TOOLS {
                break;
            }
            match page.next {
                None => return Ok(tools),
                Some(next) => drop(params.insert("cursor".to_owned(), next.into())),
            }
        }
        Err(self.wrong(format!("it lists more than {MOST_TOOLS} tools, or its list has no end")))
    }

    /// Asks something, once more if the server went away.
    async fn call(&self, method: &str, params: &Map<String, Value>) -> Result<Box<RawValue>, CallError> {
        let connected = self.connected().await?;
        match connected.call(method, params).await {
            Err(CallError::Gone(reason)) => {
                tracing::warn!(reason, "an MCP server went away, and is connected to once more");
                self.forget(&connected).await;
                self.connected().await?.call(method, params).await
            }
            other => other,
        }
    }

    async fn connected(&self) -> Result<Arc<Connected>, CallError> {
        let mut current = self.connected.lock().await;
        if let Some(connected) = &*current {
            return Ok(Arc::clone(connected));
        }
        let mut link = self.link()?;
        let era = match timeout(self.start, self.connect(&mut link)).await {
            Ok(era) => era?,
            Err(_) => return Err(self.silent(self.start, Some(&link))),
        };
        Ok(Arc::clone(current.insert(Arc::new(Connected { link, era }))))
    }

    async fn forget(&self, gone: &Arc<Connected>) {
        let mut current = self.connected.lock().await;
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, gone)) {
            *current = None;
        }
    }

    /// Agrees upon the newest revision that both speak.
    async fn connect(&self, link: &mut Link) -> Result<Era, CallError> {
        let most = TO_DISCOVER.min(self.start / 2);
        let discovered = timeout(most, link.call("server/discover", &with_meta(Map::new()), Era::Modern)).await;
        let spoken = match discovered {
            Ok(Ok(result)) => Spoken::read(&Ok(result)),
            Ok(Err(CallError::Refused(error))) => Spoken::read(&Err(error)),
            // Some die of what they do not know.
            Ok(Err(CallError::Gone(_))) => {
                *link = self.link()?;
                Spoken::Handshake
            }
            Err(_) => Spoken::Handshake,
        };
        match spoken {
            Spoken::Modern => Ok(Era::Modern),
            Spoken::Neither => Err(self.wrong(format!("it speaks neither {MODERN} nor a revision before"))),
            Spoken::Handshake => self.greet(link).await,
        }
    }

    async fn greet(&self, link: &Link) -> Result<Era, CallError> {
        let result = link
            .call(
                "initialize",
                &json!({
                    "protocolVersion": LAST_HANDSHAKE,
                    "capabilities": {},
                    "clientInfo": ourselves(),
                })
                .as_object()
                .cloned()
                .unwrap_or_default(),
                Era::Greeting,
            )
            .await?;
        let era = Era::Handshake(chosen(&result).map_err(|problem| self.wrong(problem))?);
        link.notify("notifications/initialized", era).await?;
        Ok(era)
    }

    fn link(&self) -> Result<Link, CallError> {
        Ok(match &self.location {
            Location::Program(program) => Link::Lines(Peer::open(Target::Program(program.clone()), RULES)),
            Location::Address(url, token) => Link::Http(Http::new(url, token.as_ref(), self.start)?),
        })
    }

    fn silent(&self, within: Duration, link: Option<&Link>) -> CallError {
        let seconds = within.as_secs();
        let said = match link {
            Some(Link::Lines(peer)) => peer.last_lines(),
            Some(Link::Http(_)) | None => String::new(),
        };
        self.wrong(format!("it does not answer within {seconds} seconds; `start_seconds` gives it more{said}"))
    }

    fn wrong(&self, problem: impl fmt::Display) -> CallError {
        CallError::Gone(format!("the MCP server {}: {problem}", self.location))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => write!(to, "`{}`", visible(&program.to_string())),
            Self::Address(url, _) => write!(to, "`{url}`"),
        }
    }
}

/// Servers ask us nothing but whether we live.
const RULES: Rules = Rules {
    cancel: |id| ("notifications/cancelled", json!({ "requestId": id })),
    belongs: |method, _| {
        Belongs::Answered(match method {
            "ping" => Ok(json!({})),
            _ => Err(RpcError::unknown_method("this client answers no requests")),
        })
    },
    answers_cancelled: None,
    skips_lines: true,
};

/// A server that is connected to.
struct Connected {
    link: Link,
    era: Era,
}

impl Connected {
    async fn call(&self, method: &str, params: &Map<String, Value>) -> Result<Box<RawValue>, CallError> {
        match self.era {
            Era::Modern => self.link.call(method, &with_meta(params.clone()), self.era).await,
            Era::Greeting | Era::Handshake(_) => self.link.call(method, params, self.era).await,
        }
    }
}

enum Link {
    Lines(Peer),
    Http(Http),
}

impl Link {
    async fn call(&self, method: &str, params: &Map<String, Value>, era: Era) -> Result<Box<RawValue>, CallError> {
        match self {
            Self::Lines(peer) => match peer.call(method, params).result().await {
                Ok(answer) => answer.map_err(CallError::Refused),
                Err(gone) => Err(CallError::Gone(gone.to_string())),
            },
            Self::Http(http) => http.call(method, params, era).await,
        }
    }

    async fn notify(&self, method: &str, era: Era) -> Result<(), CallError> {
        match self {
            Self::Lines(peer) => {
                peer.notify(method, &json!({}));
                Ok(())
            }
            Self::Http(http) => http.notify(method, era).await,
        }
    }
}
