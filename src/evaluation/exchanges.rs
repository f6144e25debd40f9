//! What was said to the user, what the user answered, and what was done then.

use crate::domain::{Action, Event, Message, Utterance};

/// One utterance to the user with what came of it.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    /// Number of the event with which the user was told ([`Event::seq`]).
    pub seq: u32,
    /// In which trial, from 0.
    pub trial: u32,
    /// What was said.
    pub said: &'a Utterance,
    /// What the user answered; none if it did not.
    pub reply: Option<&'a Utterance>,
    /// What was done after it, until something was said again, another go began or all was over.
    pub actions: Vec<&'a Action>,
}

/// The exchanges of an episode, in order.
pub fn exchanges<'a>(events: &[&'a Event]) -> Vec<Exchange<'a>> {
    let mut found: Vec<Exchange<'a>> = Vec::new();
    let (mut open, mut trial) = (false, 0);
    for event in events {
        match &event.message {
            Message::Begun(begun) => {
                trial = begun.trial;
                open = false;
            }
            Message::Told(said) => {
                open = true;
                found.push(Exchange {
                    seq: event.seq,
                    trial,
                    said,
                    reply: None,
                    actions: Vec::new(),
                });
            }
            _ if !open => {}
            Message::Replied(reply) => {
                if let Some(last) = found.last_mut() {
                    last.reply.get_or_insert(reply);
                }
            }
            Message::Perform(action) => {
                if let Some(last) = found.last_mut() {
                    last.actions.push(action);
                }
            }
            _ => {}
        }
    }
    found
}
