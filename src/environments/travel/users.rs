//! Users by rules: they answer from the details that their conversation has, and nothing else; and the facts that users
//! of travel hold: the details that a request lacks or contradicts.

use std::sync::Arc;

use async_trait::async_trait;

use super::reader;
use super::request::Attribute;
use super::score::clarification::rule_categories;
use super::tasks::NAMES;
use super::truth::{Clarification, details};
use rolecall_core::domain::{Event, Message, UserSees, Utterance, View};
use rolecall_core::ports::held::{FactKind, HeldFact, HeldFacts, Statement};
use rolecall_core::ports::{Turn, UserEntry, UserError, UserFactory, UserSimulator};

/// The user of the paper, with what the other one has in common with it.
const STATIC: UserEntry = UserEntry {
    name: "static",
    summary: "answers the details of its conversation in their order, whatever is asked, and leaves when none is left \
              (Ask-before-Plan)",
    environments: NAMES,
    tasks: &[],
    sees: UserSees::Dialogue,
    parameters: &[],
    build: |_| Ok(made(|known, _| known.open().next())),
};

/// The users.
pub(super) static USERS: &[UserEntry] = &[
    STATIC,
    UserEntry {
        name: "reactive",
        summary: "answers what it is asked if its conversation has a detail of it, and leaves when none is left",
        build: |_| Ok(made(Known::asked)),
        ..STATIC
    },
];

/// The last words of a user who has said everything.
const DONE: &str = "That is all I can tell you; please go on with the plan.";
/// The reply to a question about what was answered before.
const SAID: &str = "I have answered that already, and it is still as I said.";
/// The reply to a question about anything else.
const NOTHING: &str = "I have no other wishes about that.";

/// The knowledge of a user.
struct Known {
    details: Vec<Clarification>,
    replies: Vec<String>,
}

impl Known {
    /// The knowledge that a view gives; none if the task is none of travel.
    fn of(view: &View) -> Option<Self> {
        let mut replies = Vec::new();
        for event in view.all() {
            match &event.message {
                Message::Begun(_) => replies.clear(),
                Message::Replied(said) => replies.push(said.text.clone()),
                _ => {}
            }
        }
        Some(Self { details: details(view.all())?, replies })
    }

    /// The details that were not answered yet, in order: each answer stands for one.
    fn open(&self) -> impl Iterator<Item = &Clarification> {
        let mut replies = self.replies.clone();
        self.details.iter().filter(move |detail| {
            replies.iter().position(|reply| *reply == detail.answer).map(|said| replies.swap_remove(said)).is_none()
        })
    }

    /// The first open detail that a question is about.
    fn asked(&self, question: &str) -> Option<&Clarification> {
        let about = rule_categories(question);
        self.open().find(|detail| about.contains(&detail.attribute))
    }

    /// The reply to a question by a user who chooses so among the details.
    fn reply(&self, question: &str, choose: Choose) -> Utterance {
        if self.open().next().is_none() {
            return Utterance::leaving(DONE, true);
        }
        let about = rule_categories(question);
        let is_asked = |detail: &Clarification| about.contains(&detail.attribute);
        let text = match choose(self, question) {
            Some(detail) => detail.answer.as_str(),
            None if self.details.iter().any(is_asked) => SAID,
            None => NOTHING,
        };
        Utterance::text(text)
    }
}

/// How a user chooses the detail to answer a question with.
type Choose = for<'k> fn(&'k Known, &str) -> Option<&'k Clarification>;

fn made(choose: Choose) -> UserFactory {
    Arc::new(move || Box::new(RuleUser(choose)))
}

struct RuleUser(Choose);

#[async_trait]
impl UserSimulator for RuleUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let failed = |why: &str| UserError::Failed(why.to_owned());
        let known = Known::of(&turn.view)
            .ok_or_else(|| failed("the task has no details for this user; it understands tasks of travel only"))?;
        let question = turn.question().ok_or_else(|| failed("nothing was asked"))?;
        Ok(known.reply(&question.text, self.0))
    }
}

/// The facts of an episode.
pub(super) struct Held {
    details: Vec<Clarification>,
    facts: Vec<HeldFact>,
}

/// The facts of the user of an episode of travel; none of other episodes.
pub(super) fn held(events: &[Event]) -> Option<Held> {
    let details = details(events)?;
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
        self.details
            .iter()
            .enumerate()
            .filter(|(_, detail)| about.contains(&detail.attribute))
            .map(|(fact, _)| fact)
            .collect()
    }

    /// A detail is said with the words of the data set: what other words say of it is not decided here.
    fn stated(&self, words: &str, _: &[Event]) -> Vec<Statement> {
        let said =
            self.details.iter().enumerate().filter(|(_, detail)| !detail.answer.is_empty() && words == detail.answer);
        let statement = |(fact, _)| Statement { fact, is_true: true };
        said.map(statement).collect()
    }

    /// Each detail takes a question, wherever the expert stands.
    fn saves(&self, _: usize, _: &[Event]) -> u32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use crate::request::{Attribute, Operation};

    use super::*;

    fn detail(attribute: Attribute, answer: &str) -> Clarification {
        Clarification { attribute, operation: Operation::Add, question: "?".to_owned(), answer: answer.to_owned() }
    }

    fn known(replies: &[&str]) -> Known {
        Known {
            details: vec![detail(Attribute::People, "2."), detail(Attribute::Budget, "$900.")],
            replies: replies.iter().map(|reply| (*reply).to_owned()).collect(),
        }
    }

    #[test]
    fn the_static_user_answers_in_order_whatever_is_asked() {
        let reply = |replies: &[&str], question: &str| known(replies).reply(question, |known, _| known.open().next());
        assert_eq!(reply(&[], "What is your budget?").text, "2.");
        assert_eq!(reply(&["2."], "What is your budget?").text, "$900.");
        let last = reply(&["2.", "$900."], "How many?");
        assert!(last.leaving && last.satisfied);
    }

    #[test]
    fn the_reactive_user_answers_what_it_is_asked() {
        let reply = |replies: &[&str], question: &str| known(replies).reply(question, Known::asked);
        assert_eq!(reply(&[], "What is your budget?").text, "$900.");
        assert_eq!(reply(&["$900."], "What is your budget?").text, SAID);
        assert_eq!(reply(&[], "Which hotel do you like?").text, NOTHING);
        assert!(reply(&["$900.", "2."], "What is your budget?").leaving);
    }
}
