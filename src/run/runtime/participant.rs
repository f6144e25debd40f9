//! One participant behind a seat: asked under a deadline, cancelled when nobody wants the answer,
//! rebuilt after every failure. Nothing here knows actors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::protocol::{Ask, Failure, Reply, WorldStep};
use rolecall_core::domain::{FaultKind, Observation};
use rolecall_core::ports::model::Waiting;
use rolecall_core::ports::{
    Environment, EnvironmentError, EnvironmentFactory, Role, RoleError, RoleFactory, UserError, UserFactory,
    UserSimulator,
};

/// Makes the participant of a seat.
#[derive(Clone)]
pub(crate) enum Factory {
    Role(RoleFactory),
    User(UserFactory),
    Environment(EnvironmentFactory),
}

/// A participant that is alive.
pub(crate) enum Participant {
    Role(Box<dyn Role>),
    User(Box<dyn UserSimulator>),
    Environment(Box<dyn Environment>),
}

/// A participant's reaction to a request.
pub(crate) struct Reaction {
    /// The participant, unless it failed and must be made anew.
    pub(crate) participant: Option<Participant>,
    pub(crate) result: Result<Reply, Failure>,
    /// The answer came from outside the process.
    pub(crate) external: bool,
}

impl Factory {
    /// Makes the participant, unless that panics.
    pub(crate) fn try_make(&self) -> Option<Participant> {
        catch_unwind(AssertUnwindSafe(|| self.make())).ok()
    }

    fn make(&self) -> Participant {
        match self {
            Self::Role(make) => Participant::Role(make()),
            Self::User(make) => Participant::User(make()),
            Self::Environment(make) => Participant::Environment(make()),
        }
    }
}

/// Asks a participant, making it first if there is none.
///
/// A panic, a missed deadline, a cancellation and an error all cost the participant its life: what
/// it held in memory may be half done, and it can be rebuilt from the episode.
#[expect(
    clippy::manual_async_fn,
    reason = "an `async fn` keeps its arguments twice, and every waiting seat holds this future"
)]
pub(crate) fn ask(
    mut participant: Option<Participant>,
    factory: Factory,
    ask: Ask,
    deadline: Duration,
    cancel: CancellationToken,
) -> impl Future<Output = Reaction> {
    async move {
        let waiting = ask.waiting();
        let answering = AssertUnwindSafe(async {
            let answering = async {
                let participant = participant.get_or_insert_with(|| factory.make());
                (participant.answer(&ask).await, participant.is_external())
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => (Err(cancelled()), false),
                () = passed(deadline, waiting) => (Err(too_late(deadline)), false),
                answered = answering => answered,
            }
        });
        let answered = answering.catch_unwind().await;
        let (result, external) = answered.unwrap_or_else(|panic| (Err(panicked(&*panic)), false));
        Reaction { participant: kept(participant, result.is_ok()), result, external }
    }
}

/// The participant, if it is to live on. One that panics once more when it is dropped has failed
/// already.
fn kept(participant: Option<Participant>, lives: bool) -> Option<Participant> {
    if lives {
        return participant;
    }
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(participant))) {
        tracing::warn!(message = panic_text(&*panic), "a participant panicked as it was dropped");
    }
    None
}

/// Ends when the deadline has passed, not counting time in which the turn could do nothing but wait:
/// for a model's permits, rates and outages, a world also for the vectors of a model, or for a thread
/// that somebody else kept.
async fn passed(deadline: Duration, waiting: Waiting) {
    /// The time between two looks at a wait that goes on.
    const LOOK: Duration = Duration::from_millis(500);
    /// Whoever is woken later than this has waited for the thread.
    const LATE: Duration = Duration::from_millis(20);
    /// The number of times that this is excused: on a thread that is always late, turns must end as well.
    const EXCUSES: u32 = 8;
    let began = Instant::now();
    let (mut kept, mut excuses) = (Duration::ZERO, 0);
    let mut next = began + deadline;
    loop {
        tokio::time::sleep_until(next).await;
        let late = next.elapsed();
        if late > LATE && excuses < EXCUSES {
            // Nobody knows when it began: as much again is left for what came meanwhile.
            kept += late + late.min(deadline);
            excuses += 1;
        }
        let due = began + deadline + waiting.waited() + kept;
        if waiting.is_waiting() {
            next = due.max(Instant::now() + LOOK);
        } else if due <= Instant::now() {
            return;
        } else {
            next = due;
        }
    }
}

/// The failure of an open request when the episode ends before its answer.
pub(super) fn cancelled() -> Failure {
    Failure::new(FaultKind::Unavailable, "the episode was cancelled")
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    Failure::new(FaultKind::Panic, panic_text(panic))
}

fn too_late(deadline: Duration) -> Failure {
    let seconds = deadline.as_secs_f64();
    Failure::new(FaultKind::Deadline, format!("no answer within {seconds} s (limits.turn_seconds)"))
}

/// The text of a panic, as far as it has one.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("without a message"))
}

impl Participant {
    /// Whether what it answers comes from outside the process and cannot be had again.
    pub(crate) fn is_external(&self) -> bool {
        match self {
            Self::Role(role) => role.is_external(),
            Self::User(user) => user.is_external(),
            Self::Environment(environment) => environment.is_external(),
        }
    }

    /// Tells a world what the log has of it.
    pub(super) fn recall(&mut self, ask: &Ask, reply: &Reply) {
        if let (Self::Environment(environment), Ask::World { step, .. }) = (self, ask) {
            recall(&mut **environment, step, reply);
        }
    }

    async fn answer(&mut self, ask: &Ask) -> Result<Reply, Failure> {
        match (self, ask) {
            (Self::Role(role), Ask::Turn(turn)) => Ok(Reply::Answer(role.take_turn(turn).await?)),
            (Self::User(user), Ask::Turn(turn)) => Ok(Reply::Utterance(user.reply(turn).await?)),
            (Self::Environment(environment), Ask::World { replay, step, calls }) => {
                environment.may_call(calls);
                if environment.is_external() {
                    for (step, old) in replay {
                        recall(&mut **environment, step, old);
                    }
                } else if !replay.is_empty() {
                    // Boxed: seats that wait, which nearly never do so for this, need no room for it.
                    Box::pin(rebuild(&mut **environment, replay)).await?;
                }
                perform(&mut **environment, step).await
            }
            (Self::Role(_) | Self::User(_) | Self::Environment(_), _) => {
                Err(Failure::new(FaultKind::Unusable, "the seat was asked something that it cannot answer"))
            }
        }
    }
}

fn recall(environment: &mut dyn Environment, step: &WorldStep, reply: &Reply) {
    if let (WorldStep::Perform(action), Reply::Observation(shown)) = (step, reply) {
        environment.recall(action, shown);
    }
}

/// Performs again what was performed and hears again what was heard before, and compares.
async fn rebuild(environment: &mut dyn Environment, replay: &[(WorldStep, Reply)]) -> Result<(), Failure> {
    for (step, old) in replay {
        if perform(environment, step).await? != *old {
            return Err(Failure::new(
                FaultKind::Unusable,
                "the rebuilt world shows something else than the old one did",
            ));
        }
    }
    Ok(())
}

async fn perform(environment: &mut dyn Environment, step: &WorldStep) -> Result<Reply, Failure> {
    Ok(match step {
        WorldStep::Begin(begun) => Reply::Observation(environment.begin(begun).await?),
        WorldStep::Perform(action) => Reply::Observation(environment.perform(action).await?),
        WorldStep::Hear(exchange) => {
            environment.hear(&exchange.said, &exchange.reply).await?.map_or(Reply::Nothing, unasked)
        }
        WorldStep::Assess => Reply::Score(environment.assess().await?),
    })
}

/// A world's observation of what it heard. No action was refused, whatever it says.
fn unasked(shown: Observation) -> Reply {
    Reply::Observation(Observation { invalid: false, ..shown })
}

impl From<RoleError> for Failure {
    fn from(error: RoleError) -> Self {
        let kind = match error {
            RoleError::Unusable(_) => FaultKind::Unusable,
            RoleError::ContextFull(_) => FaultKind::ContextFull,
            RoleError::Refused(_) => FaultKind::Refused,
            RoleError::Unavailable(_) => FaultKind::Unavailable,
            RoleError::TooLate(_) => FaultKind::Deadline,
            RoleError::Failed(_) | RoleError::GivesUp => FaultKind::Error,
        };
        Self { gives_up: error == RoleError::GivesUp, ..Self::new(kind, error.to_string()) }
    }
}

impl From<UserError> for Failure {
    fn from(error: UserError) -> Self {
        let kind = match error {
            UserError::Unavailable(_) => FaultKind::Unavailable,
            UserError::TooLate(_) => FaultKind::Deadline,
            UserError::Failed(_) => FaultKind::Error,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<EnvironmentError> for Failure {
    fn from(error: EnvironmentError) -> Self {
        let kind = match error {
            EnvironmentError::Data(_) => FaultKind::Unavailable,
            EnvironmentError::OutOfOrder(_) | EnvironmentError::Failed(_) => FaultKind::Error,
        };
        Self::new(kind, error.to_string())
    }
}

#[cfg(test)]
#[path = "participant_tests.rs"]
mod tests;
