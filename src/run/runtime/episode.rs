//! The conductor with a mailbox: one actor per episode. It writes every message to the log before
//! the next seat is asked, and takes its seats along when it ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use actix::prelude::{Actor, ActorContext, Addr, AsyncContext, Context, Handler};
use actix::{ActorFutureExt, AtomicResponse, WrapFuture};
use tokio_util::sync::CancellationToken;

use super::book::{Called, LiveBook, LoggedCalls, Tallies};
use super::casting::Cast;
use super::clock::Moment;
use super::conductor::{Conductor, Next, Opening};
use super::directory::Directory;
use super::orders::Client;
use super::participant::{Factory, Participant};
use super::protocol::{Ask, Request};
use super::replay::ReplayedEpisode;
use super::seat::{Answered, Asking, SeatActor};
use super::seats::Seats;
use super::slot::{Activity, EpisodeLease};
use rolecall_core::domain::{Ending, EpisodeId, Limit, Seat};
use rolecall_core::log::{Digest, EventEncoder, LogError, LogHandle};
use rolecall_core::ports::model::{CallBook, Calls};
use rolecall_core::ports::{Metric, ModelError};

/// The context that all episodes of a run share.
pub(crate) struct RunContext {
    /// The id that tells the run from all others.
    pub(crate) run: Arc<str>,
    pub(crate) log: LogHandle,
    pub(crate) directory: Directory,
    pub(crate) metrics: Arc<[&'static dyn Metric]>,
    /// Struck when the run is to end.
    pub(crate) stop: CancellationToken,
}

/// The start of an episode.
pub(crate) enum Start {
    /// From its beginning.
    Fresh(Box<Cast>),
    /// From its beginning, with a client in a seat.
    Served(Box<Cast>, Client),
    /// From where its events end.
    On(Box<ReplayedEpisode>),
}

impl Start {
    pub(super) fn id(&self) -> &EpisodeId {
        match self {
            Self::Fresh(cast) | Self::Served(cast, _) => &cast.setup.id,
            Self::On(replayed) => &replayed.conductor.setup.id,
        }
    }
}

/// The first step of an episode.
enum First {
    Open(Opening),
    GoOn { next: Next, calls: LoggedCalls },
}

/// One episode.
pub(crate) struct EpisodeActor {
    pub(super) conductor: Conductor,
    seats: Seats<SeatSlot>,
    pub(super) shared: Arc<RunContext>,
    pub(super) encoder: EventEncoder,
    /// Events that were handed to the log.
    pub(super) logged: usize,
    /// Events at the beginning that an earlier process played, which paid for their calls.
    pub(super) logged_before: usize,
    /// The digest of the lines of the logged events.
    pub(super) digest: Digest,
    pub(super) began: Moment,
    pub(super) tallies: Arc<Tallies>,
    /// Until the episode begins.
    first: Option<Box<First>>,
    /// An actor whose last address is gone stops silently: the episode holds its own until it
    /// closes.
    myself: Option<Addr<Self>>,
    pub(super) lease: EpisodeLease,
    /// Who plays a seat from elsewhere.
    client: Option<Box<Client>>,
}

/// A seat's place in the episode: how its participant is made, and the actor once it was asked.
struct SeatSlot {
    factory: Factory,
    activity: Activity,
    /// One that an episode that goes on brought along.
    participant: Option<Participant>,
    actor: Option<Addr<SeatActor>>,
}

impl EpisodeActor {
    pub(crate) fn new(start: Start, shared: Arc<RunContext>, lease: EpisodeLease) -> Self {
        let cancel = shared.stop.child_token();
        let (mut logged, mut logged_before, mut digest) = (0, 0, Digest::default());
        let (mut lived, mut client) = (Seats::new(), None);
        let fresh = |cast: Cast| {
            let conductor = Conductor::new(cast.setup, cast.visibility, cast.strategy, cancel.clone());
            (conductor, cast.factories, First::Open(cast.opening))
        };
        let (mut conductor, factories, first) = match start {
            Start::Fresh(cast) => fresh(*cast),
            Start::Served(cast, asking) => {
                client = Some(Box::new(asking));
                fresh(*cast)
            }
            Start::On(replayed) => {
                let mut replayed = *replayed;
                (logged, digest, lived) = (replayed.logged, replayed.digest, replayed.lived);
                logged_before = replayed.paid_before;
                replayed.conductor.cancel = cancel;
                (replayed.conductor, replayed.factories, First::GoOn { next: replayed.next, calls: replayed.calls })
            }
        };
        if shared.metrics.iter().any(|metric| metric.reads_replies()) {
            conductor.record.keep_replies();
        }
        if logged == conductor.record.len() {
            conductor.record.logged();
        }
        shared.directory.enter(&conductor.setup.id);
        let mut number = 0..;
        let seats = factories.map(|seat, factory| SeatSlot {
            factory,
            // Roles come first, in the order of their cell.
            activity: Activity::of_seat(seat, number.next().unwrap_or_default()),
            participant: lived.remove(seat),
            actor: None,
        });
        Self {
            encoder: EventEncoder::new(&conductor.setup.id),
            conductor,
            seats,
            shared,
            logged,
            logged_before,
            digest,
            began: Moment::now(),
            tallies: Arc::default(),
            first: Some(Box::new(first)),
            myself: None,
            lease,
            client,
        }
    }

    /// Begins, or goes on.
    fn begin(&mut self, first: First, context: &mut Context<Self>) {
        let myself = context.address();
        let (opening, next, calls) = match first {
            First::Open(opening) => (Some(opening), None, LoggedCalls::default()),
            First::GoOn { next, calls } => (None, Some(next), calls),
        };
        let book: Arc<dyn CallBook> = Arc::new(LiveBook {
            run: Arc::clone(&self.shared.run),
            episode: myself.downgrade().recipient(),
            allowance: Arc::clone(&self.conductor.allowance),
            logged: calls,
            tallies: Arc::clone(&self.tallies),
            answer_bytes: self.conductor.setup.limits.answer_bytes,
        });
        self.conductor.keep_book(Arc::clone(&book));
        self.myself = Some(myself);
        let next = match (opening, next) {
            (Some(opening), _) => {
                let _running = self.lease.on_slot().enter(Activity::Strategy);
                self.conductor.guard(|conductor: &mut Conductor| Some(conductor.start(opening)))
            }
            // What is asked was written down for a book and a life that are over.
            (None, Some(Next::Ask(mut request))) => {
                let fresh = Calls::new(book, request.number);
                match &mut request.ask {
                    Ask::Turn(turn) => {
                        turn.calls = fresh;
                        turn.cancel = self.conductor.cancel.clone();
                    }
                    Ask::World { calls, .. } => *calls = fresh,
                }
                Some(Next::Ask(request))
            }
            (None, next) => next,
        };
        if let Some(next) = next {
            self.proceed(next, false, context);
        }
    }

    /// Logs what happened, then does what follows.
    fn proceed(&mut self, next: Next, durable: bool, context: &mut Context<Self>) {
        if self.lease.is_given_up() {
            return self.leave(context);
        }
        let next = match next {
            // A world answers at once: what it is asked goes to the log with what it shows.
            Next::Ask(request) if !durable && request.seat == Seat::Environment => {
                return self.ask(request, context);
            }
            next => next,
        };
        let mut batch = self.unlogged();
        if !matches!(next, Next::Ask(_)) {
            self.end(&mut batch, matches!(next, Next::Closed));
        }
        let log = self.shared.log.clone();
        match next {
            Next::Ask(request) if durable => {
                self.ask_when(async move { log.append_durably(batch).await }, request, context);
            }
            Next::Ask(request) => match log.try_append(batch) {
                Ok(None) => self.ask(request, context),
                // The queue is full: this episode waits for room, the others go on.
                Ok(Some(batch)) => {
                    self.ask_when(async move { log.append(batch).await }, request, context);
                }
                Err(error) => self.ask_if_logged(Err(error), request, context),
            },
            Next::Closed | Next::Suspended => {
                let written = async move { log.append(batch).await };
                context.wait(written.into_actor(self).map(|written, episode, context| {
                    if written.is_err() {
                        episode.shared.stop.cancel();
                    }
                    episode.leave(context);
                }));
            }
        }
    }

    fn leave(&mut self, context: &mut Context<Self>) {
        if let Some(client) = self.client.take() {
            self.conductor.hand_over(*client);
        }
        self.myself = None;
        context.stop();
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

    fn ask_if_logged(&mut self, written: Result<(), LogError>, request: Request, context: &mut Context<Self>) {
        match written {
            Ok(()) => self.ask(request, context),
            Err(error) => {
                self.shared.stop.cancel();
                tracing::error!(episode = %self.conductor.setup.id, %error, "nothing more can be logged");
                // Nothing may happen that is not in the log.
                self.conductor.suspend();
                self.proceed(Next::Suspended, false, context);
            }
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the seat lives as long as this address, and the protocol bounds its mailbox to one"
    )]
    fn ask(&mut self, request: Request, context: &mut Context<Self>) {
        let Request { seat, number, ask } = request;
        let Some(slot) = self.seats.get_mut(&seat) else {
            let next = self.conductor.nobody(&seat);
            return self.proceed(next, false, context);
        };
        let actor = slot.actor.get_or_insert_with(|| {
            SeatActor {
                factory: slot.factory.clone(),
                participant: slot.participant.take(),
                conductor: context.address().downgrade().recipient(),
                on_slot: self.lease.on_slot().clone(),
                activity: slot.activity,
            }
            .start()
        });
        actor.do_send(Asking {
            number,
            ask,
            deadline: self.conductor.setup.limits.turn,
            cancel: self.conductor.cancel.clone(),
        });
    }
}

impl Actor for EpisodeActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        if let Some(limit) = self.conductor.setup.limits.episode {
            context.run_later(limit, |episode, _| episode.conductor.interrupt(Ending::OutOf { limit: Limit::Time }));
        }
        if let Some(client) = &self.client {
            let gone = client.gone.clone().cancelled_owned().into_actor(self);
            context.spawn(gone.map(|(), episode, _| episode.conductor.interrupt(Ending::Cancelled)));
        }
        if let Some(first) = self.first.take() {
            self.begin(*first, context);
        }
    }

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.shared.directory.leave(&self.conductor.setup.id);
    }
}

impl Handler<Answered> for EpisodeActor {
    type Result = ();

    fn handle(&mut self, answered: Answered, context: &mut Context<Self>) {
        if self.shared.stop.is_cancelled() {
            self.conductor.suspend();
        }
        let running = self.lease.on_slot().enter(Activity::Strategy);
        let step = |conductor: &mut Conductor| conductor.answered(answered.number, answered.result);
        let next = self.conductor.guard(step);
        drop(running);
        if let Some(next) = next {
            self.proceed(next, answered.external, context);
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
        let given_up = self.lease.is_given_up();
        let conductor = &mut self.conductor;
        let recorded =
            catch_unwind(AssertUnwindSafe(|| conductor.called(request, calls))).unwrap_or(Err(ModelError::Cancelled));
        let batch = self.unlogged();
        let log = self.shared.log.clone();
        let writing = async move {
            recorded?;
            if given_up {
                return Err(ModelError::Cancelled);
            }
            log.append_durably(batch).await.map_err(|error| ModelError::NotRecorded(error.to_string()))
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
