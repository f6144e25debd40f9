//! The site: what all pages know, and its routes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::State;
use axum::middleware;
use axum::routing::get;

use super::{assets, headers, login, runs};
use crate::registry::Registry;
use crate::serve::access::Access;
use crate::serve::{Closing, ListenError, Listener};

/// The settings of a site.
#[derive(Clone, Debug)]
pub struct SiteSettings {
    /// The folder of the runs.
    pub logs: PathBuf,
}

/// A site that is about to be served.
pub struct Site {
    listener: Listener,
    shared: Arc<Shared>,
    token: Option<String>,
}

/// What every page knows.
pub(super) struct Shared {
    /// The folder of the runs.
    pub(super) logs: PathBuf,
    pub(super) registry: Registry,
    pub(super) access: Access,
    pub(super) address: SocketAddr,
    pub(super) closing: Closing,
}

/// What handlers get of it.
pub(super) type Known = State<Arc<Shared>>;

impl Site {
    /// A site at an address, for whoever has its token.
    ///
    /// # Errors
    /// When no token can be made.
    pub fn new(
        listener: Listener,
        settings: SiteSettings,
        closing: Closing,
    ) -> Result<Self, ListenError> {
        let (listener, token) = listener.for_pages(login::OPEN, login::refuse)?;
        let shared = Shared {
            logs: settings.logs,
            registry: Registry::standard(),
            access: listener.access().clone(),
            address: listener.address(),
            closing,
        };
        Ok(Self {
            listener,
            shared: Arc::new(shared),
            token,
        })
    }

    /// The address of a page, such as `/`, with the token if the site made one: it stands behind `#`, where it is
    /// sent to nobody.
    pub fn link(&self, path: &str) -> String {
        let address = self.shared.address;
        match &self.token {
            Some(token) => format!("http://{address}{path}#t={token}"),
            None => format!("http://{address}{path}"),
        }
    }

    /// The routes, without the listener's check of who asks.
    fn routes(&self) -> Router {
        let pages = Router::new().route("/", get(runs::page));
        let pages = pages.layer(middleware::from_fn(login::owners_only));
        let all = pages.merge(login::routes()).merge(assets::routes());
        all.layer(middleware::from_fn(headers::add))
            .with_state(Arc::clone(&self.shared))
    }

    /// Serves it on a thread of its own until its closing is struck.
    ///
    /// # Errors
    /// When there can be no such thread.
    pub fn serve(self) -> Result<JoinHandle<()>, ListenError> {
        let (routes, closing) = (self.routes(), self.shared.closing.clone());
        self.listener.serve(routes, closing)
    }
}
