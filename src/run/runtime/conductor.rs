//! The conductor of one episode: it asks the strategy, records every message and says whom to ask
//! next. A plain state machine; `episode.rs` gives it a mailbox.
//!
//! One turn: [`Conductor::start`] or [`Conductor::answered`] records what happened, folds it into
//! the strategy, asks [`Strategy::next`] and returns the one request that follows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::allowance::Allowance;
use super::check::check;
use super::orders::{Client, Over};
use super::participant::panic_text;
use super::protocol::{Asked, Failure, Pending, Reply, Request, SeatTurns};
use super::record::Record;
use super::seats::Seats;
use crate::config::Limits;
use rolecall_core::domain::{
    Begun, Ending, EpisodeId, Event, Fault, FaultKind, Fork, Message, Opened, Outcome, PrivateInfo, PublicTask, Score,
    Scored, Seat, Seed, Transcript, Visibility,
};
use rolecall_core::ports::model::{CallBook, NoBook};
use rolecall_core::ports::{Directive, Strategy, StrategyError};

/// Trials of which each may have its share of events.
const MOST_TRIALS: u32 = 1_000;

/// The set-up of an episode.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) id: EpisodeId,
    /// The run's seed, or that which a client asked for.
    pub(crate) seed: Seed,
    /// The number of the repeat that seeds are derived from: 0 where a client asked for the seed.
    pub(crate) repeat: u32,
    pub(crate) task: Arc<PublicTask>,
    pub(crate) limits: Limits,
}

/// The opening of an episode. It becomes events at once and is kept nowhere else.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) opened: Box<Opened>,
    pub(crate) private: Vec<PrivateInfo>,
    /// The reason why the task cannot be opened, if so.
    pub(crate) broken: Option<String>,
}

/// The step that follows one of the conductor.
#[derive(Debug)]
pub(crate) enum Next {
    Ask(Request),
    Closed,
    /// The run ends before the episode does: nothing more happens, and the log can be gone on with.
    Suspended,
}

/// The reason why an episode must end before anything else happens.
#[derive(Debug)]
enum Stop {
    Close(Ending),
    Suspend,
}

/// The state of one episode.
pub(crate) struct Conductor {
    pub(super) setup: Setup,
    strategy: Box<dyn Strategy>,
    pub(super) record: Record,
    pub(super) seats: Seats<SeatTurns>,
    pub(super) requests: u32,
    pub(super) pending: Option<Pending>,
    /// Where the episode leaves another one, if it does.
    pub(super) fork: Option<Box<Fork>>,
    /// Set when the episode must end before anything else happens.
    stop: Option<Stop>,
    /// Struck when the episode is to end before its time.
    pub(super) cancel: CancellationToken,
    /// The book in which turns record the calls of models.
    pub(super) book: Arc<dyn CallBook>,
    pub(super) allowance: Arc<Allowance>,
}

impl Conductor {
    pub(crate) fn new(
        setup: Setup,
        visibility: Visibility,
        strategy: Box<dyn Strategy>,
        cancel: CancellationToken,
    ) -> Self {
        Self {
            record: Record::new(Transcript::new(visibility)),
            setup,
            strategy,
            seats: Seats::new(),
            requests: 0,
            pending: None,
            fork: None,
            stop: None,
            cancel,
            book: Arc::new(NoBook),
            allowance: Arc::default(),
        }
    }

    /// Opens the episode and asks the strategy for the first time, or closes it if its task cannot
    /// be opened.
    pub(crate) fn start(&mut self, opening: Opening) -> Next {
        self.fork.clone_from(&opening.opened.fork);
        let cause = self.record_event(None, Seat::Conductor, Seat::Conductor, Message::Opened(opening.opened));
        for part in opening.private {
            let audience = part.audience.clone();
            self.record_event(Some(cause), Seat::Conductor, audience, Message::Entrusted(Box::new(part)));
        }
        match opening.broken {
            Some(problem) => self.break_off(Seat::Environment, FaultKind::Unavailable, &problem),
            None => self.advance(cause),
        }
    }

    /// Closes the episode because of something that is nobody's turn.
    fn break_off(&mut self, by: Seat, kind: FaultKind, message: &str) -> Next {
        self.pending = None;
        let fault = Fault::new(by.clone(), kind, message, 0);
        self.record_event(None, by.clone(), Seat::Conductor, Message::Fault(fault));
        self.close(None, Ending::Broken { by })
    }

    /// Takes a step. Strategies are foreign code: a panic there ends the episode and nothing else.
    pub(crate) fn guard(&mut self, step: impl FnOnce(&mut Self) -> Option<Next>) -> Option<Next> {
        match catch_unwind(AssertUnwindSafe(|| step(self))) {
            Ok(next) => next,
            Err(panic) => {
                // It is not asked anything any more.
                self.strategy = Box::new(NoStrategy);
                Some(self.break_off(Seat::Conductor, FaultKind::Panic, &panic_text(&*panic)))
            }
        }
    }

    /// Closes the episode because the strategy asks somebody who is not in the cast.
    pub(crate) fn nobody(&mut self, seat: &Seat) -> Next {
        let message = format!("the strategy asks `{seat}`, who is not in the cast");
        self.break_off(Seat::Conductor, FaultKind::Error, &message)
    }

    /// The event that the open request is an answer to.
    pub(crate) fn cause(&self) -> u32 {
        self.pending.as_ref().map_or(0, |pending| pending.cause)
    }

    /// Asks the episode to end: at once if nothing is awaited, else when the awaited seat answers.
    pub(crate) fn interrupt(&mut self, ending: Ending) {
        self.stop.get_or_insert(Stop::Close(ending));
        self.cancel.cancel();
    }

    /// Asks the episode to stay as it is: open, for another process to go on with.
    pub(crate) fn suspend(&mut self) {
        self.stop = Some(Stop::Suspend);
        self.cancel.cancel();
    }

    /// Hands the end of the episode to its client, if it has come to one.
    pub(crate) fn hand_over(&self, client: Client) {
        let transcript = self.record.transcript();
        let last = transcript.get(self.record.len().saturating_sub(1));
        if let Some(Message::Closed(outcome)) = last.map(|event| &event.message) {
            let seen = self.seats.get(&client.seat).map_or(0, |turns| turns.seen);
            let view = transcript.visible_to(client.seat, seen, self.record.len());
            // Whoever is gone does not listen.
            let _ = client.over.send(Over { view, outcome: outcome.clone() });
        }
    }

    /// Whether the episode must end before anything else happens.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Takes the answer to a request. An answer to another request than the open one is late and
    /// changes nothing; one that came before an interruption is still recorded.
    pub(crate) fn answered(&mut self, number: u32, result: Result<Reply, Failure>) -> Option<Next> {
        let pending = self.pending.take_if(|pending| pending.number == number)?;
        let most = self.setup.limits.answer_bytes;
        let checked = result.and_then(|reply| check(&pending.asked, reply, most));
        Some(match checked {
            Ok(reply) => {
                let turns = self.seats.get(&pending.seat).map_or(0, |so_far| so_far.turns) + 1;
                self.seats.insert(pending.seat.clone(), SeatTurns { turns, seen: self.record.len() });
                let cause = self.take(&pending, reply);
                match self.world_hears(&pending, cause) {
                    Some(step) => self.ask_world(cause, step, Ending::Failed),
                    None => self.advance(cause),
                }
            }
            // What the interruption itself brought about is nobody's fault.
            Err(failure) => match self.stop.take() {
                Some(Stop::Close(ending)) => self.close(Some(pending.cause), ending),
                Some(Stop::Suspend) => Next::Suspended,
                None if failure.gives_up => self.close(Some(pending.cause), Ending::GaveUp),
                None => self.failed(pending, &failure),
            },
        })
    }

    /// Does what the strategy wants next.
    pub(super) fn advance(&mut self, cause: u32) -> Next {
        match self.stop.take() {
            Some(Stop::Close(ending)) => return self.close(Some(cause), ending),
            Some(Stop::Suspend) => return Next::Suspended,
            None => {}
        }
        if self.record.len() > self.most_events() {
            return self.break_off(Seat::Conductor, FaultKind::Error, "the episode does not end");
        }
        match self.strategy.next() {
            Err(error) => self.break_off(Seat::Conductor, FaultKind::Error, &error.to_string()),
            Ok(Directive::Begin { trial, round, keep_world }) => {
                let begun = Begun { trial, round, keep_world, seed: self.seed(&Seat::Environment, trial, round, 0, 0) };
                self.begin(cause, begun)
            }
            Ok(Directive::Brief(role, brief)) => match self.due() {
                Some(given) => self.give(cause, given),
                None => self.brief(cause, Seat::Role(role), brief),
            },
            Ok(Directive::Perform(action)) => self.perform(cause, action),
            Ok(Directive::Tell(utterance)) => self.tell(cause, utterance),
            Ok(Directive::Assess { unsolved }) => self.assess(cause, unsolved),
            Ok(Directive::Close) => {
                self.close(Some(cause), self.record.last_ending().cloned().unwrap_or(Ending::Failed))
            }
        }
    }

    /// No sensible strategy needs more events than this; one that does would never end.
    fn most_events(&self) -> usize {
        let trials = 1 + self.record.trial_and_round().0.min(MOST_TRIALS) as usize;
        10_000 + 100 * self.setup.limits.steps as usize * trials
    }

    pub(super) fn close(&mut self, cause: Option<u32>, ending: Ending) -> Next {
        let (success, reward) = self.record.result();
        let closed = Message::Closed(Outcome {
            success: success && !ending.is_broken(),
            ending,
            reward,
            counts: *self.record.counts(),
        });
        self.pending = None;
        self.record_event(cause, Seat::Conductor, Seat::Conductor, closed);
        Next::Closed
    }

    /// Records what a seat answered and returns the last event of it.
    fn take(&mut self, pending: &Pending, reply: Reply) -> u32 {
        let cause = pending.cause;
        let from = |conductor: &mut Self, message| {
            conductor.record_event(Some(cause), pending.seat.clone(), Seat::Conductor, message)
        };
        match reply {
            Reply::Answer(answer) => {
                let mut last = cause;
                for repair in answer.repaired {
                    last = from(self, Message::Repaired(repair));
                }
                for made in answer.moves {
                    last = from(self, Message::Moved(made));
                }
                last
            }
            Reply::Utterance(utterance) => from(self, Message::Replied(utterance)),
            Reply::Observation(observation) => from(self, Message::Observed(observation)),
            Reply::Nothing => cause,
            Reply::Score(score) => {
                let scored = self.scored(score, &pending.asked);
                from(self, Message::Scored(Box::new(scored)))
            }
        }
    }

    fn scored(&self, score: Score, asked: &Asked) -> Scored {
        let (trial, round) = self.record.trial_and_round();
        let ending = match asked {
            _ if score.success => Ending::Solved,
            Asked::World { unsolved, .. } => unsolved.clone(),
            Asked::Role(_) | Asked::User => Ending::Failed,
        };
        Scored { trial, round, ending, score }
    }

    /// Records a fault and tries the turn again, or ends the episode.
    fn failed(&mut self, pending: Pending, failure: &Failure) -> Next {
        let Pending { seat, attempt, ending: so_far, cause, asked, .. } = pending;
        let fault = Fault::new(seat.clone(), failure.kind, &failure.message, attempt);
        let own = failure.kind.ending();
        // What is nobody's answer is nothing that a role could mend, and a notice makes no prompt shorter.
        let answered = own.as_ref().is_some_and(|ending| *ending != Ending::ContextFull);
        let notice = format!("Your last answer could not be used: {}", fault.message);
        let seq = self.record_event(Some(cause), seat.clone(), Seat::Conductor, Message::Fault(fault));
        // A world that fails while the round is assessed is asked again as often as any, and no oftener.
        let limit = self.model_limit();
        if let (Some(limit), Asked::Role(_) | Asked::User) = (limit, &asked) {
            return self.out_of(seq, limit);
        }
        let ending = match (own, so_far) {
            (Some(own), Some(so_far)) if own != so_far => Some(Ending::Unusable),
            (own, so_far) => own.filter(|_| attempt == 0 || so_far.is_some()),
        };
        if attempt + 1 >= self.setup.limits.attempts {
            return match (asked, ending) {
                (Asked::Role(_), Some(ending)) => self.cut_short(seq, ending),
                _ => self.close(Some(seq), Ending::Broken { by: seat }),
            };
        }
        let next = match asked {
            Asked::Role(mut brief) => {
                if answered {
                    brief.notice = Some(notice.into());
                }
                let seq = self.record_event(Some(seq), Seat::Conductor, seat.clone(), Message::Brief(brief.clone()));
                self.ask(seat, attempt + 1, seq, Asked::Role(brief))
            }
            asked @ (Asked::User | Asked::World { .. }) => self.ask(seat, attempt + 1, cause, asked),
        };
        if let Some(pending) = &mut self.pending {
            pending.ending = ending;
        }
        next
    }

    pub(super) fn record_event(&mut self, cause: Option<u32>, from: Seat, to: Seat, message: Message) -> u32 {
        self.record.append(&mut *self.strategy, cause, from, to, message)
    }
}

/// Stands in for a strategy that panicked.
struct NoStrategy;

impl Strategy for NoStrategy {
    fn apply(&mut self, _: &Event) {}

    fn next(&self) -> Result<Directive, StrategyError> {
        Ok(Directive::Close)
    }
}
