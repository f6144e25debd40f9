//! A conversation as its log tells it. Metrics and analyses read it.

use serde_json::Value;

use super::formats::RESPONSE;
use super::goal::Wanted;
use rolecall_core::domain::{Message, Move, Utterance};
use rolecall_core::ports::EpisodeLog;

/// A conversation.
#[derive(Clone, Debug, Default)]
pub struct Played<'a> {
    /// One for each utterance of the user that the agent answered, or began to.
    pub turns: Vec<Turn<'a>>,
    /// The last words of the user, which nobody answered.
    pub farewell: Option<&'a str>,
    /// The user ended the conversation with them.
    pub left: bool,
    /// Why the original program stops.
    pub aborted: Option<&'a str>,
    /// The detail of the score, if there is one.
    pub score: Option<&'a Value>,
}

/// An utterance of the user, and what the agent did about it.
#[derive(Clone, Debug, Default)]
pub struct Turn<'a> {
    /// Text of the user.
    pub user: &'a str,
    /// The calls: `api`, `input`, `outcome` and further fields.
    pub calls: Vec<&'a Value>,
    /// The reply, with the number of its event.
    pub reply: Option<(u32, &'a Utterance)>,
    /// The reply is the raw answer, which had neither a call nor a reply in it.
    pub raw: bool,
}

impl<'a> Turn<'a> {
    /// The turn that begins with these words of the user.
    fn new(user: &'a str) -> Self {
        Self { user, ..Self::default() }
    }

    /// The words of the reply.
    pub fn said(&self) -> Option<&'a str> {
        self.reply.map(|(_, said)| said.text.as_str())
    }
}

impl<'a> Played<'a> {
    /// The conversation of an episode; of several trials the last. None of another world.
    pub fn of(log: &EpisodeLog<'a>) -> Option<Self> {
        log.opened()?.task.data.get("profile")?.as_str()?;
        Wanted::of_log(log)?;
        let mut played = Self::default();
        let mut thoughts: Vec<&str> = Vec::new();
        let mut begins = true;
        for event in &log.events {
            match &event.message {
                Message::Begun(_) => (played, begins) = (Self::default(), true),
                Message::Observed(seen) => {
                    let data = seen.data.as_deref();
                    let text = data.and_then(|data| data.get("aborted")?.as_str());
                    played.aborted = text.or(played.aborted);
                    if std::mem::take(&mut begins) {
                        played.turns.push(Turn::new(&seen.text));
                    } else if let Some(call) = data.and_then(|data| data.get("call")) {
                        played.last(|turn| turn.calls.push(call));
                    }
                }
                Message::Moved(Move::Think { text }) => thoughts.push(text.trim()),
                Message::Told(said) => {
                    let labelled = thoughts.iter().any(|text| text.contains(RESPONSE));
                    let last = thoughts.last().copied().unwrap_or_default();
                    let raw = !labelled && !last.is_empty() && said.text.ends_with(last);
                    played.last(|turn| (turn.reply, turn.raw) = (Some((event.seq, said)), raw));
                }
                Message::Replied(reply) => {
                    thoughts.clear();
                    if reply.leaving {
                        (played.farewell, played.left) = (Some(reply.text.as_str()), true)
                    } else {
                        played.turns.push(Turn::new(&reply.text))
                    }
                }
                Message::Scored(scored) => played.score = Some(&scored.score.detail),
                _ => {}
            }
        }
        // Said after the last turn.
        let is_idle = |turn: &Turn<'_>| turn.reply.is_none() && turn.calls.is_empty();
        if played.turns.len() > 1 && played.turns.last().is_some_and(is_idle) {
            played.farewell = played.turns.pop().map(|turn| turn.user);
        }
        Some(played)
    }

    fn last(&mut self, change: impl FnOnce(&mut Turn<'a>)) {
        if let Some(turn) = self.turns.last_mut() {
            change(turn);
        }
    }

    /// All calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &'a Value> {
        self.turns.iter().flat_map(|turn| turn.calls.iter().copied())
    }

    /// The calls with this outcome.
    pub fn outcomes(&self, outcome: &str) -> usize {
        self.calls().filter(|call| call["outcome"] == outcome).count()
    }

    /// Texts of the user, first to last.
    pub fn user(&self) -> impl Iterator<Item = &'a str> {
        self.turns.iter().map(|turn| turn.user).chain(self.farewell)
    }
}
