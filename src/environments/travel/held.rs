//! The facts that the users of travel hold: the details that a request lacks or contradicts.

use serde_json::from_value;

use super::reader;
use super::request::Attribute;
use super::score::clarification::rule_categories;
use super::truth::{Clarification, DETAILS};
use crate::domain::Event;
use crate::ports::held::{FactKind, HeldFact, HeldFacts, Statement, private_part};

/// The facts of an episode.
pub(super) struct Held {
    details: Vec<Clarification>,
    facts: Vec<HeldFact>,
}

/// The facts of the user of an episode of travel; none of other episodes.
pub(super) fn held(events: &[Event]) -> Option<Held> {
    let details = private_part(events, DETAILS)?.clone();
    let details: Vec<Clarification> = from_value(details).ok()?;
    let fact = |detail: &Clarification| HeldFact {
        name: detail.attribute.key().to_owned(),
        kind: kind(detail.attribute),
        question: detail.question.clone(),
        answer: detail.answer.clone(),
    };
    Some(Held { facts: details.iter().map(fact).collect(), details })
}

/// Where the trip leads is its goal; what it begins with is where, when, for how long and with whom.
fn kind(attribute: Attribute) -> FactKind {
    match attribute {
        Attribute::Destination => FactKind::Goal,
        Attribute::Origin | Attribute::Days | Attribute::Departure | Attribute::People => FactKind::Input,
        Attribute::Housing | Attribute::Cuisine | Attribute::Transportation | Attribute::Budget => FactKind::Constraint,
    }
}

impl HeldFacts for Held {
    fn facts(&self) -> &[HeldFact] {
        &self.facts
    }

    fn asked(&self, question: &str) -> Vec<usize> {
        let mut about = rule_categories(question);
        about.extend(reader::about(question));
        let details = self.details.iter().enumerate();
        let asked = details.filter(|(_, detail)| about.contains(&detail.attribute));
        asked.map(|(fact, _)| fact).collect()
    }

    /// A detail is said with the words of the data set: what other words say of it is not decided here.
    fn stated(&self, words: &str, _: &[Event]) -> Vec<Statement> {
        let details = self.details.iter().enumerate();
        let said = details.filter(|(_, detail)| !detail.answer.is_empty() && words == detail.answer);
        let statement = |(fact, _)| Statement { fact, is_true: true };
        said.map(statement).collect()
    }

    /// Each detail takes a question, wherever the expert stands.
    fn saves(&self, _: usize, _: &[Event]) -> u32 {
        1
    }
}
