//! The inner monologue of players that think after whatever they see or hear (ReSpAct section B.3, after
//! Huang et al. 2022): what was seen, what is to be reached now, and what is left after that.

use super::belief::Belief;
use super::goal::{Errand, Goal};
use super::mind::Mind;
use super::speech;
use super::talk::Topic;

/// The words of the monologue. `next` is what will be asked.
pub(super) fn monologue(mind: &Mind, next: Option<Topic>) -> String {
    let belief = &mind.belief;
    let Some(goal) = &belief.goal else {
        return "I do not know yet what I am to do.".to_owned();
    };
    let mut parts = Vec::new();
    match mind.talk.due {
        Some(thought) => parts.push(speech::thought(thought, mind, next)),
        None => parts.extend(sight(belief)),
    }
    if let Some(sub_goal) = belief.own_sub_goal(&mind.talk.preferred) {
        parts.push(format!("My sub-goal is to {sub_goal}."));
    }
    parts.extend(left(goal, belief));
    if let Some(topic) = next {
        parts.push(match topic {
            Topic::Where(_) => "I should ask the user where to look.".to_owned(),
            Topic::Which => "I should ask the user which one is meant.".to_owned(),
        });
    }
    parts.join(" ")
}

/// What the last observation has shown, as far as it matters.
fn sight(belief: &Belief) -> Option<String> {
    let place = belief.room.place(belief.just_seen?)?;
    Some(format!("Now I have seen what is in/on the {}.", place.name))
}

/// What is left to be done after the sub-goal.
fn left(goal: &Goal, belief: &Belief) -> Option<String> {
    let treated = belief.treated.is_some() && belief.treated == belief.holding;
    match &goal.errand {
        Errand::Light { lamp } if belief.holding.is_none() => {
            Some(format!("After that I need the {lamp}."))
        }
        Errand::Light { .. } => None,
        Errand::Put {
            to,
            treatment: Some(treatment),
            ..
        } if belief.holding.is_none() => Some(format!(
            "After that I have to {} it and put it in/on the {to}.",
            treatment.verb()
        )),
        Errand::Put {
            to,
            treatment: Some(_),
            ..
        } if !treated => Some(format!("After that I put it in/on the {to}.")),
        Errand::Put { to, .. } if belief.holding.is_none() => {
            Some(format!("After that I put it in/on the {to}."))
        }
        Errand::Put { .. } => None,
    }
}
