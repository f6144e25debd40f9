//! Questions to the user, the replies, and the actions after them.

use super::question_detector::asks;
use crate::domain::{Action, Event, Message, Utterance};

/// One question to the user with what came of it. An utterance that asks nothing (thanks, a report) is
/// none, and ends none, and so is a response to a dialogue.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    /// In which trial, from 0.
    pub trial: u32,
    /// The question.
    pub said: &'a Utterance,
    /// The reply; none if the user gave none.
    pub reply: Option<&'a Utterance>,
    /// The actions after it, until another question, trial or round, or the end.
    pub actions: Vec<&'a Action>,
}

/// The exchanges of an episode, in order.
pub fn exchanges<'a>(events: &[&'a Event]) -> Vec<Exchange<'a>> {
    let mut found: Vec<Exchange<'a>> = Vec::new();
    let (mut open, mut remarked, mut trial) = (false, false, 0);
    for event in events {
        match &event.message {
            Message::Begun(begun) => {
                trial = begun.trial;
                open = false;
            }
            Message::Told(said) if said.response || !asks(&said.text) => remarked = true,
            Message::Told(said) => {
                (open, remarked) = (true, false);
                found.push(Exchange { trial, said, reply: None, actions: Vec::new() });
            }
            _ if !open => {}
            // The answer to a remark.
            Message::Replied(_) if remarked => remarked = false,
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
