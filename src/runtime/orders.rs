//! Episodes that clients ask for while a run goes on.

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::domain::{EpisodeId, Outcome, Seat, Served, View};

/// An episode that a client asks for.
#[derive(Debug)]
pub struct EpisodeOrder {
    /// Which one of the plan; it must not have been played.
    pub id: EpisodeId,
    /// What the client wants of it.
    pub served: Served,
    /// How the client takes part.
    pub client: Client,
}

/// The client of an episode, as far as the episode knows it.
#[derive(Debug)]
pub struct Client {
    /// The seat that it plays.
    pub seat: Seat,
    /// Struck when the client is gone: the episode closes as cancelled.
    pub gone: CancellationToken,
    /// Gets the end of the episode, once it is in the log. Dropped without one if the run stops before.
    pub over: oneshot::Sender<Over>,
}

/// The end of an episode.
#[derive(Clone, Debug)]
pub struct Over {
    /// What the seat may see; what came since its last turn is new.
    pub view: View,
    /// What it came to.
    pub outcome: Outcome,
}
