//! Users by rules: they answer from the details that their conversation has, and nothing else.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::from_value;

use super::score::clarification::rule_categories;
use super::tasks::NAMES;
use super::truth::{Clarification, DETAILS};
use crate::domain::{Message, UserSees, Utterance, View};
use crate::ports::{Turn, UserEntry, UserError, UserFactory, UserSimulator};

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

/// What a user knows.
struct Known {
    details: Vec<Clarification>,
    replies: Vec<String>,
}

impl Known {
    /// What a view shows; none if the task is none of travel.
    fn of(view: &View) -> Option<Self> {
        let mut known = None;
        let mut replies = Vec::new();
        for event in view.all() {
            match &event.message {
                Message::Entrusted(part) if part.label == DETAILS => {
                    known = from_value((*part.value).clone()).ok();
                }
                Message::Begun(_) => replies.clear(),
                Message::Replied(said) => replies.push(said.text.clone()),
                _ => {}
            }
        }
        known.map(|details| Self { details, replies })
    }

    /// The details that were not answered yet, in order: each answer stands for one.
    fn open(&self) -> impl Iterator<Item = &Clarification> {
        let mut replies = self.replies.clone();
        self.details.iter().filter(move |detail| {
            let said = replies.iter().position(|reply| *reply == detail.answer);
            said.map(|said| replies.swap_remove(said)).is_none()
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
        let known = Known::of(&turn.view);
        let known = known
            .ok_or_else(|| failed("the task has no details for this user; it understands tasks of travel only"))?;
        let question = turn.question().ok_or_else(|| failed("nothing was asked"))?;
        Ok(known.reply(&question.text, self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::travel::request::{Attribute, Operation};

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
