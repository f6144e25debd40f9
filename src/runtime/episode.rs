//! The conductor with a mailbox: one actor per episode. It writes every message to the log before
//! the next seat is asked, and takes its seats along when it ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use actix::prelude::{Actor, ActorContext, Addr, AsyncContext, Context, Handler};
use actix::{ActorFutureExt, AtomicResponse, WrapFuture};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

use super::book::{Called, LiveBook, Tallies};
use super::clock::Moment;
use super::conductor::{Conductor, Next, Opening, Setup};
use super::directory::{Directory, LiveEpisode};
use super::participant::{Factory, panic_text};
use super::protocol::Request;
use super::seat::{Answered, Asking, SeatActor};
use super::seats::Seats;
use crate::domain::{Ending, FaultKind, Limit, Seat, Visibility};
use crate::evaluation::{EpisodeResult, measure};
use crate::log::{Batch, EventEncoder, LogError, LogHandle};
use crate::ports::{EpisodeLog, Metric, ModelError, Strategy};

/// Bytes to set aside for the line of an event; most need less.
const LINE_BYTES: usize = 256;

/// What all episodes of a run share.
pub(crate) struct Shared {
    pub(crate) log: LogHandle,
    pub(crate) directory: Directory,
    pub(crate) metrics: Arc<[&'static dyn Metric]>,
    /// Struck when the run is to end.
    pub(crate) stop: CancellationToken,
    pub(crate) finished: mpsc::UnboundedSender<EpisodeResult>,
}

/// What one episode is started with.
pub(crate) struct Cast {
    pub(crate) setup: Setup,
    pub(crate) opening: Opening,
    pub(crate) visibility: Visibility,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) factories: Seats<Factory>,
}

/// One episode.
pub(crate) struct EpisodeActor {
    conductor: Conductor,
    seats: Seats<Place>,
    shared: Arc<Shared>,
    live: Arc<LiveEpisode>,
    encoder: EventEncoder,
    /// Events that were handed to the log.
    logged: usize,
    began: Moment,
    tallies: Arc<Tallies>,
    /// Until the episode begins.
    opening: Option<Box<Opening>>,
    /// An actor whose last address is gone stops silently: the episode holds its own until it
    /// closes.
    myself: Option<Addr<Self>>,
    _permit: OwnedSemaphorePermit,
}

/// A seat's place in the episode: how its participant is made, and the actor once it was asked.
struct Place {
    factory: Factory,
    actor: Option<Addr<SeatActor>>,
}

impl EpisodeActor {
    pub(crate) fn new(cast: Cast, shared: Arc<Shared>, permit: OwnedSemaphorePermit) -> Self {
        let cancel = shared.stop.child_token();
        let live = shared.directory.enter(&cast.setup.id);
        let encoder = EventEncoder::new(&cast.setup.id);
        let places = cast.factories.map(|factory| Place {
            factory,
            actor: None,
        });
        Self {
            encoder,
            conductor: Conductor::new(cast.setup, cast.visibility, cast.strategy, cancel),
            seats: places,
            shared,
            live,
            logged: 0,
            began: Moment::now(),
            tallies: Arc::default(),
            opening: Some(Box::new(cast.opening)),
            myself: None,
            _permit: permit,
        }
    }

    /// Runs a step of the conductor. Strategies are foreign code: a panic there ends the episode
    /// and nothing else.
    fn step(&mut self, step: impl FnOnce(&mut Conductor) -> Option<Next>) -> Option<Next> {
        let conductor = &mut self.conductor;
        match catch_unwind(AssertUnwindSafe(|| step(conductor))) {
            Ok(next) => next,
            Err(panic) => {
                let message = panic_text(&*panic);
                Some(self.conductor.abandon(FaultKind::Panic, &message))
            }
        }
    }

    /// Logs what happened, then does what follows.
    fn proceed(&mut self, next: Next, durable: bool, context: &mut Context<Self>) {
        let next = match next {
            // A world answers at once: what it is asked goes to the log with what it shows.
            Next::Ask(request) if !durable && request.seat == Seat::Environment => {
                return self.ask(request, context);
            }
            next => next,
        };
        let batch = self.unlogged(matches!(next, Next::Closed));
        let log = self.shared.log.clone();
        match next {
            Next::Ask(request) if durable => {
                let written = async move { log.append_durably(batch).await };
                self.ask_when(written, request, context);
            }
            Next::Ask(request) => match log.try_append(batch) {
                Ok(None) => self.ask(request, context),
                // The queue is full: this episode waits for room, the others go on.
                Ok(Some(batch)) => {
                    let written = async move { log.append(batch).await };
                    self.ask_when(written, request, context);
                }
                Err(error) => self.ask_if_logged(Err(error), request, context),
            },
            Next::Closed => {
                let written = async move { log.append(batch).await };
                context.wait(written.into_actor(self).map(|written, episode, context| {
                    if written.is_err() {
                        episode.shared.stop.cancel();
                    }
                    episode.myself = None;
                    context.stop();
                }));
            }
        }
    }

    fn ask_when(
        &mut self,
        written: impl Future<Output = Result<(), LogError>> + 'static,
        request: Request,
        context: &mut Context<Self>,
    ) {
        context.wait(written.into_actor(self).map(|written, episode, context| {
            episode.ask_if_logged(written, request, context);
        }));
    }

    fn ask_if_logged(
        &mut self,
        written: Result<(), LogError>,
        request: Request,
        context: &mut Context<Self>,
    ) {
        match written {
            Ok(()) => self.ask(request, context),
            Err(error) => {
                self.shared.stop.cancel();
                let message = error.to_string();
                let kind = FaultKind::Unavailable;
                let next = self.conductor.break_off(Seat::Conductor, kind, &message);
                self.proceed(next, false, context);
            }
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the seat lives as long as this address, and the protocol bounds its mailbox to one"
    )]
    fn ask(&mut self, request: Request, context: &mut Context<Self>) {
        let Request { seat, number, ask } = request;
        let Some(place) = self.seats.get_mut(&seat) else {
            let message = format!("the strategy asks `{seat}`, who is not in the cast");
            let next = self
                .conductor
                .break_off(Seat::Conductor, FaultKind::Error, &message);
            self.proceed(next, false, context);
            return;
        };
        let actor = place.actor.get_or_insert_with(|| {
            SeatActor {
                factory: place.factory.clone(),
                participant: None,
                conductor: context.address().downgrade(),
            }
            .start()
        });
        actor.do_send(Asking {
            number,
            ask,
            deadline: self.conductor.limits().turn,
            cancel: self.conductor.cancel().clone(),
        });
    }

    /// The events that are not logged yet, with the result if the episode is closed.
    fn unlogged(&mut self, closed: bool) -> Batch {
        let record = self.conductor.record();
        let new = record.len() - self.logged;
        let mut batch = Batch::events(Vec::with_capacity(new * LINE_BYTES));
        for event in (self.logged..record.len()).filter_map(|seq| record.transcript().get(seq)) {
            // What cannot be written is refused before it becomes an event (`check`).
            if let Err(error) = self.encoder.encode(event, &mut batch.events) {
                tracing::error!(episode = %self.conductor.id(), %error, "event not written");
            }
        }
        self.shared.directory.count(&self.live, new);
        self.logged = record.len();
        if closed {
            let result = self.result();
            let mut timing = serde_json::json!({
                "schema": crate::domain::SCHEMA,
                "episode": self.conductor.id(),
                "wall_ms": self.began.elapsed().as_secs_f64() * 1e3,
            });
            let models = self.tallies.snapshot();
            if !models.is_empty() {
                timing["models"] = serde_json::json!(models);
            }
            result.encode(&mut batch.result);
            batch.timing = format!("{timing}\n").into_bytes();
            // The launcher may be gone if the run was stopped the hard way.
            let _ = self.shared.finished.send(result);
        }
        batch
    }

    fn result(&self) -> EpisodeResult {
        let record = self.conductor.record();
        let log = EpisodeLog {
            id: self.conductor.id(),
            events: record.transcript().events(record.len()).collect(),
        };
        // Metrics are foreign code: one that panics costs its figures, not the episode.
        let measured = catch_unwind(AssertUnwindSafe(|| measure(&log, &self.shared.metrics)));
        measured.unwrap_or_else(|panic| {
            let message = panic_text(&*panic);
            tracing::error!(episode = %log.id, %message, "a metric failed; none is reported");
            measure(&log, &[])
        })
    }
}

impl Actor for EpisodeActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        let myself = context.address();
        let allowance = Arc::clone(self.conductor.allowance());
        let tallies = Arc::clone(&self.tallies);
        let book = LiveBook::new(myself.downgrade().recipient(), allowance, tallies);
        self.conductor.keep_book(Arc::new(book));
        self.myself = Some(myself);
        if let Some(limit) = self.conductor.limits().episode {
            context.run_later(limit, |episode, _| {
                episode
                    .conductor
                    .interrupt(Ending::OutOf { limit: Limit::Time });
            });
        }
        let opening = self.opening.take();
        let next = self.step(|conductor| opening.map(|opening| conductor.start(*opening)));
        if let Some(next) = next {
            self.proceed(next, false, context);
        }
    }

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.shared.directory.leave(self.conductor.id());
    }
}

impl Handler<Answered> for EpisodeActor {
    type Result = ();

    fn handle(&mut self, answered: Answered, context: &mut Context<Self>) {
        if self.shared.stop.is_cancelled() {
            self.conductor.interrupt(Ending::Cancelled);
        }
        let Answered {
            number,
            result,
            external,
        } = answered;
        if let Some(next) = self.step(|conductor| conductor.answered(number, result)) {
            self.proceed(next, external, context);
        }
    }
}

impl Handler<Called> for EpisodeActor {
    type Result = AtomicResponse<Self, Result<(), ModelError>>;

    /// Records calls of models, and answers when they are on disk: whoever made them waits for
    /// that. Nothing else is handled meanwhile: a deadline that passes or a run that ends could
    /// otherwise log what follows first, or close the episode without these calls.
    fn handle(&mut self, called: Called, _: &mut Context<Self>) -> Self::Result {
        let Called { request, calls } = called;
        let conductor = &mut self.conductor;
        let recorded = catch_unwind(AssertUnwindSafe(|| conductor.called(request, calls)));
        let recorded = recorded.unwrap_or(Err(ModelError::Cancelled));
        let batch = self.unlogged(false);
        let log = self.shared.log.clone();
        let writing = async move {
            recorded?;
            let written = log.append_durably(batch).await;
            written.map_err(|error| ModelError::NotRecorded(error.to_string()))
        };
        let stop = self.shared.stop.clone();
        let recording = writing.into_actor(self).map(move |written, _, _| {
            if matches!(written, Err(ModelError::NotRecorded(_))) {
                stop.cancel();
            }
            written
        });
        AtomicResponse::new(Box::pin(recording))
    }
}
