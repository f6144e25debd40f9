//! Facts that the users of a world hold: the ground on which asking is measured.

use serde::{Deserialize, Serialize};

use crate::domain::{Event, Message, Seat};

/// The kinds of what a request may lack (LHAW, arXiv 2602.10525).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// The aim.
    Goal,
    /// A condition on the way there.
    Constraint,
    /// A value that the work begins with, or where something is.
    Input,
    /// Anything else around it.
    Context,
}

names! { FactKind, as_str:
    Goal => "goal", Constraint => "constraint", Input => "input", Context => "context",
}

/// A fact that the user holds, and that the agent lacks at the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFact {
    /// Its name within the task, such as `where:mug`.
    pub name: String,
    /// Its kind.
    pub kind: FactKind,
    /// A question that asks for it and for nothing else.
    pub question: String,
    /// The fact, in the words of a user.
    pub answer: String,
}

/// Statement of the user's words about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The fact, by its position among [`HeldFacts::facts`].
    pub fact: usize,
    /// Whether it is so.
    pub is_true: bool,
}

/// Secrets that the user of an episode was asked to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The phrases that give it away, whatever their case and marks.
    pub phrases: Vec<String>,
    /// How many of them one reply may hold.
    pub allowed: usize,
}

/// The facts of one episode, in an order of the world's own.
pub trait HeldFacts: Send + Sync {
    /// The facts.
    fn facts(&self) -> &[HeldFact];

    /// Facts that a question asks for, by position.
    fn asked(&self, question: &str) -> Vec<usize>;

    /// Statements that the user makes with these words; `so_far` are the events before them.
    fn stated(&self, words: &str, so_far: &[Event]) -> Vec<Statement>;

    /// The moves by which the expert's plan is shorter for knowing a fact, after these events; 0 if they show it.
    fn saves(&self, fact: usize, so_far: &[Event]) -> u32;

    /// The position of the fact that shortens the expert's plan most after these events, and that nobody has said;
    /// the first of equal ones. None where no fact helps.
    fn best(&self, so_far: &[Event]) -> Option<usize> {
        let said = said(self, so_far);
        let open = (0..self.facts().len()).filter(|fact| !said.contains(fact));
        let mut best = None;
        for fact in open {
            let saves = self.saves(fact, so_far);
            if saves > best.map_or(0, |(_, saves)| saves) {
                best = Some((fact, saves));
            }
        }
        best.map(|(fact, _)| fact)
    }
}

/// The facts that the user has said as they are.
fn said(held: &(impl HeldFacts + ?Sized), so_far: &[Event]) -> Vec<usize> {
    let stated = so_far
        .iter()
        .filter_map(|event| match &event.message {
            Message::Replied(reply) => Some((event.seq as usize, &reply.text)),
            _ => None,
        })
        .flat_map(|(seq, words)| {
            let before = so_far.get(..seq).unwrap_or(so_far);
            held.stated(words, before)
        });
    stated.filter(|statement| statement.is_true).map(|statement| statement.fact).collect()
}

/// Private part of the user with this label.
pub fn private_part<'a>(events: &'a [Event], label: &str) -> Option<&'a serde_json::Value> {
    events.iter().find_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience == Seat::User && part.label == label => Some(&*part.value),
        _ => None,
    })
}
