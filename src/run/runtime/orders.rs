//! Episodes that are asked for while a run goes on: by clients, or by a queue.

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use rolecall_core::domain::{EpisodeId, Event, Outcome, Seat, Served, View};

/// Where the episodes of a run come from that does not play all of its plan.
#[derive(Debug)]
pub enum Orders {
    /// Clients ask for them.
    Clients(mpsc::Receiver<EpisodeOrder>),
    /// A queue hands them out.
    Queue(mpsc::Receiver<QueuedEpisode>),
}

/// An episode that a queue hands out.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedEpisode {
    /// Which one of the plan.
    pub id: EpisodeId,
    /// Events that somebody else played of it, to be continued. If it does not come out like that, the episode is
    /// played from its beginning.
    pub begun: Vec<Event>,
    /// The reason why it is to break at once, if it is.
    pub broken: Option<String>,
}

/// An episode that a client asks for.
#[derive(Debug)]
pub struct EpisodeOrder {
    /// Which one of the plan; it must not have been played.
    pub id: EpisodeId,
    /// The client's wishes.
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
    /// Events that the seat may see; those since its last turn are new.
    pub view: View,
    /// Its outcome.
    pub outcome: Outcome,
}
