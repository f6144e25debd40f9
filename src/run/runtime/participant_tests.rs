//! Deadlines and cancellation under a clock that stands still but for what is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use tokio::time::{advance, sleep};

use super::super::protocol::WorldStep;
use super::*;
use rolecall_core::domain::{
    Action, Answer, Begun, CellName, EpisodeId, Move, Score, Seat, Seed, Transcript, Visibility,
};
use rolecall_core::ports::Turn;
use rolecall_core::ports::model::{Calls, NoBook};

const SECOND: Duration = Duration::from_secs(1);
const DEADLINE: Duration = Duration::from_secs(10);

/// A participant's turn, given the [`Waiting`] with which it may say that it waits.
type Behaviour = fn(Waiting) -> futures_util::future::BoxFuture<'static, Result<Answer, RoleError>>;

struct Toy(Behaviour);

#[async_trait]
impl Role for Toy {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        (self.0)(turn.calls.waiting().clone()).await
    }

    fn is_external(&self) -> bool {
        true
    }
}

fn factory(behaviour: Behaviour) -> Factory {
    Factory::Role(Arc::new(move || Box::new(Toy(behaviour))))
}

fn turn() -> Ask {
    let seat = Seat::Environment;
    let transcript = Transcript::new(Visibility::default());
    Ask::Turn(Turn {
        episode: EpisodeId { cell: CellName::new("main").unwrap(), task: 0, repeat: 0 },
        view: transcript.visible_to(seat.clone(), 0, 0),
        seat,
        number: 0,
        attempt: 0,
        seed: Seed(1),
        deadline: std::time::Duration::from_secs(120),
        cancel: CancellationToken::new(),
        calls: Calls::new(Arc::new(NoBook), 0),
    })
}

fn think() -> Answer {
    Move::think("hm").into()
}

/// Asks a new participant; says what came of it and when.
async fn asked(behaviour: Behaviour, cancel: CancellationToken) -> (Reaction, Duration) {
    let began = Instant::now();
    let reaction = ask(None, factory(behaviour), turn(), DEADLINE, cancel).await;
    (reaction, began.elapsed())
}

/// The kind of the failure, and after how many seconds it came.
async fn failure(behaviour: Behaviour) -> (FaultKind, u64) {
    let (reaction, after) = asked(behaviour, CancellationToken::new()).await;
    assert!(reaction.participant.is_none(), "it is made anew");
    (reaction.result.unwrap_err().kind, after.as_secs())
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_keeps_the_participant() {
    let slow: Behaviour = |_| {
        Box::pin(async {
            sleep(DEADLINE - SECOND).await;
            Ok(think())
        })
    };
    let (reaction, after) = asked(slow, CancellationToken::new()).await;
    assert_eq!(reaction.result, Ok(Reply::Answer(think())));
    assert!(reaction.participant.is_some() && reaction.external);
    assert_eq!(after, DEADLINE - SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_and_none_are_missed_deadlines_at_the_deadline() {
    let late: Behaviour = |_| {
        Box::pin(async {
            sleep(DEADLINE + SECOND).await;
            Ok(think())
        })
    };
    let never: Behaviour = |_| Box::pin(std::future::pending());
    assert_eq!(failure(late).await, (FaultKind::Deadline, 10));
    assert_eq!(failure(never).await, (FaultKind::Deadline, 10));
}

#[tokio::test(start_paused = true)]
async fn panics_and_errors_come_at_once() {
    let panics: Behaviour = |_| Box::pin(async { panic!("the toy panics") });
    let fails: Behaviour = |_| Box::pin(async { Err(RoleError::Unavailable("gone".to_owned())) });
    assert_eq!(failure(panics).await, (FaultKind::Panic, 0));
    assert_eq!(failure(fails).await, (FaultKind::Unavailable, 0));
}

#[tokio::test(start_paused = true)]
async fn a_participant_that_cannot_be_made_is_a_panic() {
    let factory = Factory::Role(Arc::new(|| panic!("no role")));
    let cancel = CancellationToken::new();
    let reaction = ask(None, factory, turn(), DEADLINE, cancel).await;
    let failure = reaction.result.unwrap_err();
    assert_eq!((failure.kind, failure.message.as_str()), (FaultKind::Panic, "it panicked: no role"));
}

/// Waits for a permit for a hundred seconds.
async fn permit(waiting: &Waiting) {
    let wait = 100 * SECOND;
    let guard = waiting.begin();
    sleep(wait).await;
    drop(guard);
    waiting.add(wait);
}

#[tokio::test(start_paused = true)]
async fn waiting_is_not_counted_and_nothing_else_is_given_away() {
    let in_time: Behaviour = |waiting| {
        Box::pin(async move {
            sleep(4 * SECOND).await;
            permit(&waiting).await;
            sleep(5 * SECOND).await;
            Ok(think())
        })
    };
    let (reaction, after) = asked(in_time, CancellationToken::new()).await;
    assert!(reaction.result.is_ok());
    assert_eq!(after, 109 * SECOND);
    let too_late: Behaviour = |waiting| {
        Box::pin(async move {
            permit(&waiting).await;
            std::future::pending().await
        })
    };
    assert_eq!(failure(too_late).await, (FaultKind::Deadline, 110));
    let twice: Behaviour = |waiting| {
        Box::pin(async move {
            permit(&waiting).await;
            sleep(9 * SECOND).await;
            permit(&waiting).await;
            std::future::pending().await
        })
    };
    assert_eq!(failure(twice).await, (FaultKind::Deadline, 210));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_does_not_end_never_misses_the_deadline_but_can_be_cancelled() {
    let waits: Behaviour = |waiting| {
        Box::pin(async move {
            let _guard = waiting.begin();
            std::future::pending().await
        })
    };
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    tokio::spawn(async move {
        sleep(3600 * SECOND).await;
        later.cancel();
    });
    let (reaction, after) = asked(waits, cancel).await;
    assert_eq!(reaction.result.unwrap_err().kind, FaultKind::Unavailable);
    assert_eq!(after, 3600 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn time_in_which_the_thread_was_kept_is_not_counted() {
    let answers: Behaviour = |_| {
        Box::pin(async {
            // The reply is there before the deadline, but takes two wakings to be read.
            sleep(DEADLINE - SECOND).await;
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            Ok(think())
        })
    };
    let asking = tokio::spawn(asked(answers, CancellationToken::new()));
    tokio::task::yield_now().await;
    // Somebody keeps the thread from the first to the thirtieth second.
    advance(30 * SECOND).await;
    let (reaction, _) = asking.await.unwrap();
    assert_eq!(reaction.result, Ok(Reply::Answer(think())));
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_is_always_late_is_not_excused_for_ever() {
    let never: Behaviour = |_| Box::pin(std::future::pending());
    let asking = tokio::spawn(asked(never, CancellationToken::new()));
    for _ in 0..100 {
        tokio::task::yield_now().await;
        advance(30 * SECOND).await;
    }
    tokio::task::yield_now().await;
    assert!(asking.is_finished());
    assert_eq!(asking.await.unwrap().0.result.unwrap_err().kind, FaultKind::Deadline);
}

/// Whether the participant was asked at all.
static STARTED: AtomicU32 = AtomicU32::new(0);

#[tokio::test(start_paused = true)]
async fn cancellation_comes_before_everything_else() {
    let answers: Behaviour = |_| {
        STARTED.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(think()) })
    };
    let cancel = CancellationToken::new();
    cancel.cancel();
    let (reaction, after) = asked(answers, cancel).await;
    let failure = reaction.result.unwrap_err();
    assert_eq!(failure.message, "the episode was cancelled");
    assert_eq!((after, STARTED.load(Ordering::Relaxed)), (Duration::ZERO, 0));
    // At the moment of the deadline, too.
    let never: Behaviour = |_| Box::pin(std::future::pending());
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    let asking = tokio::spawn(asked(never, cancel));
    tokio::task::yield_now().await;
    later.cancel();
    advance(DEADLINE).await;
    let (reaction, _) = asking.await.unwrap();
    assert_eq!(reaction.result.unwrap_err().kind, FaultKind::Unavailable);
}

/// Says when it is dropped.
struct Dropped(Arc<AtomicU32>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

struct Holder {
    _dropped: Dropped,
}

#[async_trait]
impl Environment for Holder {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        std::future::pending().await
    }

    async fn perform(&mut self, _: &Action) -> Result<Observation, EnvironmentError> {
        Ok(Observation::text(""))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::default())
    }
}

#[tokio::test(start_paused = true)]
async fn who_fails_is_dropped_before_anybody_hears_of_it() {
    let dropped = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&dropped);
    let factory = Factory::Environment(Arc::new(move || Box::new(Holder { _dropped: Dropped(Arc::clone(&counter)) })));
    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(1) };
    let step = |step| Ask::World { replay: Vec::new(), step, calls: rolecall_core::ports::model::Calls::default() };
    let cancel = CancellationToken::new();
    let asking = step(WorldStep::Begin(begun));
    let reaction = ask(None, factory.clone(), asking, DEADLINE, cancel.clone()).await;
    assert!(reaction.participant.is_none());
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
    let asking = step(WorldStep::Assess);
    let reaction = ask(None, factory, asking, DEADLINE, cancel).await;
    assert!(reaction.participant.is_some());
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
}

/// Panics when it is asked, when its turn is dropped, and when it is dropped itself.
struct Spiteful;

struct SpitefulTurn;

impl Drop for SpitefulTurn {
    fn drop(&mut self) {
        panic!("the turn is dropped");
    }
}

impl Drop for Spiteful {
    fn drop(&mut self) {
        panic!("the role is dropped");
    }
}

#[async_trait]
impl Role for Spiteful {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, RoleError> {
        let _turn = SpitefulTurn;
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn who_panics_as_it_is_dropped_is_a_panic() {
    let factory = Factory::Role(Arc::new(|| Box::new(Spiteful)));
    let cancel = CancellationToken::new();
    let reaction = ask(None, factory, turn(), DEADLINE, cancel).await;
    assert!(reaction.participant.is_none());
    assert_eq!(reaction.result.unwrap_err(), Failure::new(FaultKind::Panic, "it panicked: the turn is dropped"));
}
