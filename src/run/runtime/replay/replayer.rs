//! Going through an episode again by its log: the conductor, the strategy and every participant that
//! can be played again must do exactly what they did. What came from outside (replies of models,
//! people, faults, clocks) is taken from the log. Nothing here knows actors.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::logged_turn::{broken_at_once, calls_at, digest_of, struck, taken};
use super::run::block_on;
use super::{Difference, alike, shown};
use crate::config::Plan;
use crate::runtime::book::{LoggedBook, LoggedCalls};
use crate::runtime::casting::{Cast, cast_of};
use crate::runtime::conductor::{Conductor, Next};
use crate::runtime::participant::{Factory, Participant, ask, cancelled};
use crate::runtime::protocol::{Ask, Failure, Reply, Request};
use crate::runtime::requests::{NotRebuilt, RebuiltCall, Requests, SentRequest};
use crate::runtime::seats::Seats;
use rolecall_core::domain::{EpisodeId, Event, Fork, Message, ModelCall, Opened, Seat};
use rolecall_core::log::Digest;
use rolecall_core::ports::model::{CallKey, Calls};

/// The rules of what is played again, and what is taken from the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplayRules {
    /// The moves of roles and the words of users are taken from the log.
    pub(crate) taken: bool,
    /// Every turn is taken twice: by a participant that lived through the episode, and by one made
    /// for this turn only. Both must answer alike, since they are functions of their views.
    pub(crate) twice: bool,
    /// The config was changed since the log was written: what that shows in is no difference.
    pub(crate) changed: bool,
    /// The log is that of another cast, which this one goes on from.
    pub(crate) fork: Option<Fork>,
}

impl ReplayRules {
    fn is_lenient(&self) -> bool {
        self.changed || self.fork.is_some()
    }
}

/// An episode that stands where its log ends.
pub(crate) struct ReplayedEpisode {
    pub(crate) conductor: Conductor,
    pub(crate) factories: Seats<Factory>,
    /// The participants that were asked.
    pub(crate) lived: Seats<Participant>,
    /// The step that follows.
    pub(crate) next: Next,
    /// The calls of models that the log holds.
    pub(crate) calls: LoggedCalls,
    /// Number of events in the log, and the digest of their lines.
    pub(crate) logged: usize,
    pub(crate) digest: Digest,
    /// The first so many events are of another process, which paid for their calls.
    pub(crate) paid_before: usize,
}

/// Who is told of each call of a model, with its request.
type Watcher<'a> = Option<&'a mut (dyn FnMut(RebuiltCall) + Send)>;

/// Goes through the log. Fails at the first event that comes out otherwise.
pub(crate) async fn replay_events(
    cast: Cast,
    log: &[Event],
    rules: ReplayRules,
) -> Result<ReplayedEpisode, Difference> {
    replay_watched(cast, log, rules, None).await
}

/// Goes through the log and, where somebody watches, takes each turn that called models once more for its
/// requests. The world is not played then: what it showed is taken from the log.
async fn replay_watched<'a>(
    mut cast: Cast,
    log: &'a [Event],
    rules: ReplayRules,
    watcher: Watcher<'a>,
) -> Result<ReplayedEpisode, Difference> {
    let forked = log.first().and_then(|event| match &event.message {
        Message::Opened(opened) => opened.fork.as_deref(),
        _ => None,
    });
    let foreign = forked.map_or(0, |fork| fork.events as usize);
    let forked_from = forked.map(|fork| fork.run.clone()).unwrap_or_default();
    let fork = rules.fork.as_ref().or(forked).cloned();
    let opened: &mut Opened = &mut cast.opening.opened;
    if rules.changed
        && let Some(Message::Opened(logged)) = log.first().map(|event| &event.message)
    {
        // The log says who it was that began.
        *opened = Opened::clone(logged);
    }
    opened.fork = fork.map(Box::new);
    // What kept the episode from its beginning may be elsewhere: in the log that it branched off from.
    cast.opening.broken = cast.opening.broken.or_else(|| broken_at_once(log));
    let deadline = cast.setup.limits.turn;
    let digest = digest_of(&cast.setup.id, log);
    let mut conductor = Conductor::new(cast.setup, cast.visibility, cast.strategy, CancellationToken::new());
    let book = Arc::new(LoggedBook::of(log, watcher.is_some()));
    conductor.keep_book(book.clone());
    let mut replayer = Replayer {
        log,
        foreign,
        forked_from,
        rules,
        watcher,
        conductor,
        factories: cast.factories,
        lived: Seats::new(),
        book,
        compared: 0,
        deadline,
        open: 0,
    };
    let first = replayer.conductor.guard(|conductor| Some(conductor.start(cast.opening)));
    let next = replayer.go_on(first).await?;
    replayer.compare()?;
    let complete = log.len() - replayer.open;
    Ok(ReplayedEpisode {
        conductor: replayer.conductor,
        factories: replayer.factories,
        lived: replayer.lived,
        next,
        calls: LoggedCalls::of(&log[..complete], &log[complete..]),
        logged: log.len(),
        digest,
        paid_before: log.len(),
    })
}

struct Replayer<'a> {
    log: &'a [Event],
    /// Events at the beginning that another cast brought about.
    foreign: usize,
    /// The run of that cast.
    forked_from: String,
    rules: ReplayRules,
    watcher: Watcher<'a>,
    conductor: Conductor,
    factories: Seats<Factory>,
    lived: Seats<Participant>,
    book: Arc<LoggedBook>,
    /// Events that were compared.
    compared: usize,
    deadline: Duration,
    /// Calls at the end of the log whose turn has no answer there.
    open: usize,
}

impl Replayer<'_> {
    /// Answers what is asked until the log is at its end or the episode at its.
    async fn go_on(&mut self, first: Option<Next>) -> Result<Next, Difference> {
        let mut next = first;
        loop {
            self.compare()?;
            let request = match next {
                Some(Next::Ask(request)) => request,
                Some(over) => return Ok(over),
                None => return Err(self.differs("an answer that nobody awaits".to_owned())),
            };
            if self.conductor.record.len() >= self.log.len() {
                return Ok(Next::Ask(request));
            }
            if self.factories.get(&request.seat).is_none() {
                next = Some(self.conductor.nobody(&request.seat));
                continue;
            }
            match self.answer(&request).await? {
                Some(after) => next = Some(after),
                None => return Ok(Next::Ask(request)),
            }
        }
    }

    /// Answers a request as the log does; nothing if the answer is not there.
    async fn answer(&mut self, request: &Request) -> Result<Option<Next>, Difference> {
        let log = self.log;
        let at = self.conductor.record.len();
        let logged = calls_at(log, at, &request.seat);
        self.rebuild(request, at, &logged).await?;
        let Some(answer) = log.get(at + logged.len()) else {
            self.open = logged.len();
            self.record(request.number, logged)?;
            return Ok(None);
        };
        let cause = self.conductor.cause();
        let struck = struck(log, cause, &request.seat);
        // A world that hears may have nothing to show, and then the strategy may close the episode.
        let waited = !request.ask.is_hearing() || struck.is_some();
        if let Some(ending) = struck {
            self.conductor.interrupt(ending);
        }
        let (result, calls) = match &answer.message {
            Message::Fault(fault) if fault.seat == request.seat => {
                // It did not live on.
                self.lived.remove(&request.seat);
                (Err(Failure::new(fault.kind, fault.message.clone())), logged)
            }
            Message::Closed(_) if waited => (Err(cancelled()), logged),
            _ if self.is_taken(request, at) => {
                let seat = &request.seat;
                let taken = match request.ask.is_hearing() && answer.from != *seat {
                    true => Some(Reply::Nothing),
                    false => taken(&log[at + logged.len()..], seat, cause),
                };
                let reply = taken.ok_or_else(|| self.differs(format!("a turn of `{seat}`")))?;
                if let Some(lived) = self.lived.get_mut(seat) {
                    lived.recall(&request.ask, &reply);
                }
                (Ok(reply), logged)
            }
            _ => self.play(request).await?,
        };
        self.record(request.number, calls)?;
        let next = self.conductor.guard(|conductor| conductor.answered(request.number, result));
        Ok(Some(next.unwrap_or(Next::Suspended)))
    }

    fn record(&mut self, number: u32, calls: Vec<ModelCall>) -> Result<(), Difference> {
        self.conductor.called(number, calls).map_err(|error| self.differs(error.to_string()))
    }

    /// Whether the answer cannot or must not be played again.
    fn is_taken(&mut self, request: &Request, at: usize) -> bool {
        let seat = &request.seat;
        let taken = match seat {
            Seat::Environment => self.watcher.is_some(),
            _ => self.rules.taken || at < self.foreign,
        };
        if taken {
            return true;
        }
        if self.lived.get(seat).is_none()
            && let Some(factory) = self.factories.get(seat)
            && let Some(participant) = factory.try_make()
        {
            self.lived.insert(seat.clone(), participant);
        }
        self.lived.get(seat).is_some_and(Participant::is_external)
    }

    /// Has the participant take the turn again.
    async fn play(&mut self, request: &Request) -> Result<(Result<Reply, Failure>, Vec<ModelCall>), Difference> {
        // Whoever is not in the cast is not asked.
        let Some(factory) = self.factories.get(&request.seat).cloned() else {
            return Ok((Err(cancelled()), Vec::new()));
        };
        // Each play of the turn counts its calls from 0.
        let asked = |participant| {
            let mut asking = request.ask.clone();
            if let Ask::Turn(turn) = &mut asking {
                turn.calls = Calls::new(self.book.clone(), request.number);
            }
            ask(participant, factory.clone(), asking, self.deadline, CancellationToken::new())
        };
        let old = asked(self.lived.remove(&request.seat)).await;
        let calls = self.book.take();
        if self.rules.twice && request.seat != Seat::Environment {
            let fresh = asked(None).await;
            let new_calls = self.book.take();
            if fresh.result != old.result {
                return Err(self.differs(format!(
                    "`{}` is no function of its view: {:?} from the one that lived through the \
                     episode, {:?} from a fresh one",
                    request.seat, old.result, fresh.result
                )));
            }
            if new_calls != calls {
                let seat = &request.seat;
                return Err(self.differs(format!("`{seat}` calls its model otherwise when it is new")));
            }
        }
        if let Some(participant) = old.participant {
            self.lived.insert(request.seat.clone(), participant);
        }
        Ok((old.result, calls))
    }

    /// Takes a turn that called models once more, and tells whoever watches of its requests.
    async fn rebuild(&mut self, request: &Request, at: usize, logged: &[ModelCall]) -> Result<(), Difference> {
        if self.watcher.is_none() || logged.is_empty() {
            return Ok(());
        }
        let foreign = (at < self.foreign).then(|| NotRebuilt::Foreign { run: self.forked_from.clone() });
        let mut made = Vec::new();
        let mut ended = String::new();
        let mut follows = false;
        if foreign.is_none() {
            let (result, _) = self.play(request).await?;
            follows = self.ends_so(request, at + logged.len(), &result);
            made = self.book.requests().map(Requests::take).unwrap_or_default();
            ended = match result {
                Ok(_) => "it ends without it".to_owned(),
                Err(failure) => failure.message,
            };
        }
        for (seq, call) in (at as u32..).zip(logged) {
            let is_it = |(key, _): &(CallKey, SentRequest)| {
                (key.turn, key.attempt, key.call) == (call.turn, call.attempt, call.call)
            };
            let found = made.iter().position(is_it).map(|place| made.swap_remove(place).1);
            let missing = || foreign.clone().unwrap_or(NotRebuilt::NotMade(ended.clone()));
            let rebuilt = RebuiltCall {
                seq,
                seat: request.seat.clone(),
                call: call.clone(),
                request: found.ok_or_else(missing),
                follows,
            };
            if let Some(watcher) = &mut self.watcher {
                watcher(rebuilt);
            }
        }
        Ok(())
    }

    /// Whether a turn ends as it does in the log, whose answer begins at this position: with the same answer,
    /// with a fault, or not at all.
    fn ends_so(&self, request: &Request, at: usize, result: &Result<Reply, Failure>) -> bool {
        let seat = &request.seat;
        let Some(answer) = self.log.get(at).filter(|event| event.from == *seat) else {
            return true;
        };
        let logged = taken(&self.log[at..], seat, self.conductor.cause());
        match (&answer.message, logged, result) {
            (Message::Fault(_), ..) => true,
            // Of several moves where one is open, the first was taken.
            (_, Some(Reply::Answer(logged)), Ok(Reply::Answer(answer))) => {
                answer.repaired == logged.repaired && answer.moves.starts_with(&logged.moves)
            }
            (_, logged, result) => logged.as_ref() == result.as_ref().ok(),
        }
    }

    /// Compares the events that have come since the last time with the log.
    fn compare(&mut self) -> Result<(), Difference> {
        let record = &self.conductor.record;
        let end = record.len().min(self.log.len());
        for event in record.since(self.compared) {
            let seq = event.seq as usize;
            let Some(logged) = self.log.get(seq) else {
                break;
            };
            if logged != event && !(self.rules.is_lenient() && alike(logged, event)) {
                return Err(Difference::new(seq, self.log, shown(event)));
            }
        }
        self.compared = end;
        Ok(())
    }

    fn differs(&self, replayed: String) -> Difference {
        Difference::new(self.conductor.record.len(), self.log, replayed)
    }
}

/// Plays an episode of a log again and tells of each call of a model with its request, in the order of the
/// log. Answers of roles, users and the world are taken from the log, so that nobody is asked and nothing is
/// paid; only the turns that called models are taken once more, on the side, for their requests. Every call
/// of the log is told of, also of attempts that failed and of a turn that the log leaves open.
pub fn rebuild_requests(plan: &Plan, id: &EpisodeId, log: &[Event], each: &mut (dyn FnMut(RebuiltCall) + Send)) {
    let mut told = 0;
    let mut count = |call: RebuiltCall| {
        told = call.seq as usize + 1;
        each(call);
    };
    let Some(cast) = cast_of(plan, id, log) else {
        return rest(log, 0, &NotRebuilt::NotPlayed(format!("the config plays no episode `{id}`")), each);
    };
    let rules = ReplayRules { taken: true, changed: true, ..ReplayRules::default() };
    let played = block_on(replay_watched(cast, log, rules, Some(&mut count)));
    let why = match played {
        Ok(Ok(_)) => NotRebuilt::Differs("it is over there".to_owned()),
        Ok(Err(difference)) => NotRebuilt::Differs(difference.to_string()),
        Err(error) => NotRebuilt::NotPlayed(format!("no timers for its turns: {error}")),
    };
    rest(log, told, &why, each);
}

/// Tells of the calls from a position on, none of which can be had again.
fn rest(log: &[Event], from: usize, why: &NotRebuilt, each: &mut (dyn FnMut(RebuiltCall) + Send)) {
    for event in log.iter().filter(|event| event.seq as usize >= from) {
        if let Message::ModelCalled(call) = &event.message {
            each(RebuiltCall {
                seq: event.seq,
                seat: event.from.clone(),
                call: ModelCall::clone(call),
                request: Err(why.clone()),
                follows: false,
            });
        }
    }
}
