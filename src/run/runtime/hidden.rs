//! Events that no seat may see: calls of models. They are whole until they are in the log; after that
//! the conductor keeps what is counted of them, unless a metric reads replies.

use rolecall_core::domain::{Choice, Event, Finish, Message, ModelCall, ModelReply, Seat, Usage};

/// The events of an episode that its transcript does not keep, in order.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    digests: Vec<Digest>,
    /// The models' names, which digests refer to.
    models: Vec<Box<str>>,
    /// Events that are not in the log yet, or are kept whole.
    whole: Vec<Event>,
    keep: bool,
}

/// The part of a call that is counted.
#[derive(Debug)]
struct Digest {
    seq: u32,
    cause: Option<u32>,
    from: Seat,
    turn: u32,
    attempt: u32,
    call: u32,
    again: u32,
    unread: Option<Box<str>>,
    /// The answer was cut at the limit of tokens.
    cut: bool,
    model: u32,
    usage: Usage,
    cost: Option<f64>,
}

impl Hidden {
    /// Has everything kept whole.
    pub(crate) fn keep(&mut self) {
        self.keep = true;
    }

    pub(crate) fn push(&mut self, event: Event) -> &Event {
        self.whole.push_mut(event)
    }

    /// Events from this one on that are whole.
    pub(crate) fn whole(&self, seq: usize) -> &[Event] {
        &self.whole[self.whole.partition_point(|event| (event.seq as usize) < seq)..]
    }

    /// Notes that everything is in the log: only what is counted is needed from now on.
    pub(crate) fn logged(&mut self) {
        if self.keep {
            return;
        }
        for event in std::mem::take(&mut self.whole) {
            if let Message::ModelCalled(call) = event.message {
                let model = self.model(&call.model);
                if self.digests.len() == self.digests.capacity() {
                    self.digests.reserve_exact(self.digests.len() / 4 + 4);
                }
                self.digests.push(Digest {
                    seq: event.seq,
                    cause: event.cause,
                    from: event.from,
                    turn: call.turn,
                    attempt: call.attempt,
                    call: call.call,
                    again: call.again,
                    cut: call.reply.choices.first().is_some_and(|choice| choice.finish == Finish::Length),
                    unread: call.unread,
                    model,
                    usage: call.reply.usage,
                    cost: call.cost,
                });
            }
        }
    }

    fn model(&mut self, name: &str) -> u32 {
        let known = self.models.iter().position(|known| **known == *name);
        let place = known.unwrap_or_else(|| {
            self.models.push(name.into());
            self.models.len() - 1
        });
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// The events whose replies are gone, without them.
    pub(crate) fn digests(&self) -> Vec<Event> {
        self.digests.iter().map(|digest| self.event(digest)).collect()
    }

    fn event(&self, digest: &Digest) -> Event {
        let model = self.models.get(digest.model as usize);
        let cut = || Choice { finish: Finish::Length, ..Choice::default() };
        let choices = digest.cut.then(cut).into_iter().collect();
        Event {
            seq: digest.seq,
            cause: digest.cause,
            from: digest.from.clone(),
            to: Seat::Conductor,
            message: Message::ModelCalled(Box::new(ModelCall {
                turn: digest.turn,
                attempt: digest.attempt,
                call: digest.call,
                again: digest.again,
                unread: digest.unread.clone(),
                model: model.map(|name| name.to_string()).unwrap_or_default(),
                request: String::new(),
                reply: ModelReply { usage: digest.usage, choices, ..ModelReply::default() },
                cost: digest.cost,
                remembered: false,
            })),
        }
    }
}
