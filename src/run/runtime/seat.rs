//! The one participant actor: a seat with a mailbox.

use std::time::Duration;

use actix::prelude::{Actor, AsyncContext, Context, Handler, Message};
use actix::{ActorFutureExt, WeakRecipient, WrapFuture};
use tokio_util::sync::CancellationToken;

use super::participant::{Factory, Participant, ask};
use super::protocol::{Ask, Failure, Reply};
use super::slot::{Activity, EpisodeOnSlot};

/// A request to a seat.
pub(crate) struct Asking {
    pub(crate) number: u32,
    pub(crate) ask: Ask,
    pub(crate) deadline: Duration,
    pub(crate) cancel: CancellationToken,
}

/// A seat's answer.
pub(crate) struct Answered {
    pub(crate) number: u32,
    pub(crate) result: Result<Reply, Failure>,
    pub(crate) external: bool,
}

impl Message for Asking {
    type Result = ();
}

impl Message for Answered {
    type Result = ();
}

/// A participant behind a mailbox. It knows nobody but the conductor, and that one only weakly: an
/// episode that is gone takes its seats along.
pub(crate) struct SeatActor {
    pub(crate) factory: Factory,
    pub(crate) participant: Option<Participant>,
    pub(crate) conductor: WeakRecipient<Answered>,
    /// The slot that it runs on, and the name by which the watchdog knows it.
    pub(crate) on_slot: EpisodeOnSlot,
    pub(crate) activity: Activity,
}

impl Actor for SeatActor {
    type Context = Context<Self>;
}

impl Handler<Asking> for SeatActor {
    type Result = ();

    // An episode that is gone wants no answer, and one answer is on its way at most.
    fn handle(&mut self, asking: Asking, context: &mut Context<Self>) {
        let number = asking.number;
        let answering = ask(self.participant.take(), self.factory.clone(), asking.ask, asking.deadline, asking.cancel);
        let answering = self.on_slot.watch(self.activity, answering);
        // `wait`, not `spawn`: nothing else is handled while the participant is away.
        context.wait(answering.into_actor(self).map(move |asked, seat, _| {
            seat.participant = asked.participant;
            if let Some(conductor) = seat.conductor.upgrade() {
                conductor.do_send(Answered { number, result: asked.result, external: asked.external });
            }
        }));
    }
}
