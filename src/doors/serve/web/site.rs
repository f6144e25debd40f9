//! The site: its pages, and who may look at them.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::routing::{get, post};
use axum::{Router, middleware};

use super::overviews::Overviews;
use super::rate::{self, RatingDesk};
use super::seat::holders::Holders;
use super::shared::{Program, Shared};
use super::snapshot::Runs;
use super::{compare, episode, event, live, login, page, rows, run, runs, seat};
use crate::serve::{Closing, ListenError, Listener, Lobby};
use rolecall_run::rating::Rating;
use rolecall_run::registry::Registry;

/// The settings of a site.
pub struct SiteSettings {
    /// The folder of the runs.
    pub logs: PathBuf,
    /// The program that serves it.
    pub program: Arc<dyn Program>,
    /// Where people wait for their turns, if they may play here.
    pub lobby: Option<Lobby>,
    /// The tables by which runs are measured and shown.
    pub registry: Registry,
}

/// A site that is about to be served.
pub struct Site {
    listener: Listener,
    shared: Arc<Shared>,
    token: Option<String>,
    rating: Option<Arc<RatingDesk>>,
}

impl Site {
    /// A site at an address, for whoever has its token.
    ///
    /// # Errors
    /// When no token can be made.
    pub fn new(listener: Listener, settings: SiteSettings, closing: Closing) -> Result<Self, ListenError> {
        let (listener, token) = listener.for_pages(login::OPEN, login::refuse)?;
        let metrics = settings.registry.measured();
        let shared = Shared {
            runs: Runs::new(settings.logs.clone(), metrics.clone()),
            overviews: Overviews::new(settings.logs, metrics),
            program: settings.program,
            lobby: settings.lobby,
            holders: Holders::default(),
            registry: settings.registry,
            access: listener.access().clone(),
            address: listener.address(),
            closing,
        };
        Ok(Self { listener, shared: Arc::new(shared), token, rating: None })
    }

    /// Adds a rating, and gives a link for each of its raters, in their order.
    ///
    /// # Errors
    /// When no tickets can be made.
    pub fn rated(mut self, rating: Rating) -> Result<(Self, Vec<String>), ListenError> {
        let (desk, tickets) = RatingDesk::new(rating, &self.shared.access.tickets)?;
        self.rating = Some(Arc::new(desk));
        let address = self.shared.address;
        Ok((self, tickets.into_iter().map(|ticket| format!("http://{address}{}#t={ticket}", rate::RATE)).collect()))
    }

    /// The address of a page, such as `/`, with the token if the site made one: it stands behind `#`, where it is
    /// sent to nobody.
    pub fn link(&self, path: &str) -> String {
        let address = self.shared.address;
        let token = self.token.as_ref().map(|token| format!("#t={token}")).unwrap_or_default();
        format!("http://{address}{path}{token}")
    }

    /// The address at which a person takes one seat after the other that waits, and sees nothing else.
    ///
    /// # Errors
    /// When no ticket can be made.
    pub fn ticket(&self) -> Result<String, ListenError> {
        let (number, text) = self.shared.access.tickets.issue()?;
        self.shared.holders.add(number);
        Ok(format!("http://{}/seat#t={text}", self.shared.address))
    }

    /// The routes, without the listener's check of who asks.
    fn routes(&self) -> Router {
        let pages = Router::new()
            .route("/", get(runs::page))
            .route("/run/{run}", get(run::page))
            .route("/run/{run}/{episode}", get(episode::page))
            .route("/run/{run}/{episode}/event/{seq}", get(event::page))
            .route("/compare", get(compare::page))
            .route("/take", post(episode::take))
            .route("/api/runs/events", get(runs::events))
            .route("/api/run/{run}/rows", get(rows::answer))
            .route("/api/run/{run}/events", get(live::events))
            .layer(middleware::from_fn(login::owners_only));
        let all = pages
            .merge(seat::routes())
            .merge(login::routes())
            .merge(page::routes())
            .with_state(Arc::clone(&self.shared));
        self.rating
            .iter()
            .cloned()
            .map(rate::routes)
            .fold(all, Router::merge)
            .layer(middleware::from_fn(login::headers))
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
