//! Thoughts and questions in the form that ABA's agent gives them (appendix B, D and E of the paper):
//! what has to be done, where the object is, which one is meant, what to do with the answer.

use super::{Belief, Goal, Need, Topic, class_of, indefinite};

/// The question for what a task leaves out.
pub(super) const WHAT_EXACTLY: &str = "The task does not say everything. What exactly am I to do?";

/// The words of the first thought about a task. `next` is what will be asked.
pub(super) fn plan(goal: &Goal, belief: &Belief, next: Option<Topic>) -> String {
    let object = &goal.object;
    let task = task(goal);
    match next {
        Some(Topic::Where(_)) => {
            format!("{task} But where is the {object}? I ask the owner of this room.")
        }
        Some(Topic::Which) => format!("{task} There are multiple {object}, so I have to ask."),
        Some(Topic::Goal) | None => match first_way(goal, belief) {
            Some(way) => format!("{task} {way}"),
            None => format!("{task} I look for the {object}."),
        },
    }
}

/// The task, as a sentence.
pub(super) fn task(goal: &Goal) -> String {
    let Goal { object, target, .. } = goal;
    let (what, it) = match goal.count {
        2 => (format!("two {object}"), "them"),
        _ => (indefinite(object), "it"),
    };
    if goal.light {
        return format!("To solve this I have to take {what} and look at it under the {target}.");
    }
    let treat = goal.treatment.map_or(String::new(), |treatment| format!("{} it, ", treatment.verb()));
    format!("To solve this I have to take {what}, {treat}then put {it} in/on the {target}.")
}

/// The words of a thought about the answer.
pub(super) fn answered(goal: &Goal, belief: &Belief, next: Option<Topic>) -> String {
    let object = &goal.object;
    if next == Some(Topic::Which) {
        return format!("There are multiple {object}. I have to ask which one should be taken.");
    }
    match belief.class_needed() {
        Some(class) => format!("I still do not know where the {class} is. I have to look for it."),
        None => first_way(goal, belief).unwrap_or_else(|| {
            let known = goal.lamp().unwrap_or(object);
            format!("Now I know where the {known} is.")
        }),
    }
}

/// Where the object is fetched, and what comes after.
fn first_way(goal: &Goal, belief: &Belief) -> Option<String> {
    if let Some(held) = &belief.holding {
        let of_use = class_of(held) == &*goal.object;
        return of_use.then(|| with_it(held, goal, belief));
    }
    let thing = belief.candidates(goal).next()?;
    let place = &belief.room.receptacle(thing.place)?.name;
    let name = &thing.name;
    Some(format!("I can go to {place} and take the {name}. Then I {}.", goal.next_action()))
}

/// The next use of the object that is in hand.
fn with_it(held: &str, goal: &Goal, belief: &Belief) -> String {
    if let Some(lamp) = goal.lamp().and_then(|lamp| belief.thing(lamp))
        && let Some(place) = belief.room.receptacle(lamp.place)
    {
        let (place, lamp) = (&place.name, &lamp.name);
        return format!("I can go to {place} and look at the {held} under the {lamp}.");
    }
    format!("I have the {held} already. Next I {}.", goal.next_action())
}

/// The words of a question.
pub(super) fn question(topic: Topic, goal: &Goal, belief: &Belief) -> String {
    match topic {
        Topic::Where(need) => {
            let class = goal.class_of(need);
            let another = need == Need::Object && !belief.tried.is_empty();
            let other = if another { "other " } else { "" };
            format!("Where is the {other}{class}?")
        }
        Topic::Goal => WHAT_EXACTLY.to_owned(),
        Topic::Which => {
            let several = belief.still_needed(goal) == 2;
            let two = if several { "two " } else { "" };
            format!("Which {two}{} do you prefer?", goal.object)
        }
    }
}
