//! The inner monologue of players that think after whatever they see or hear (ReSpAct section B.3, after
//! Huang et al. 2022): what was seen, what is to be reached now, and what is left after that.

use super::{Belief, Goal, Mind, SubGoal, Topic, speech};

/// The words of the monologue. `next` is what will be asked.
pub(super) fn monologue(mind: &Mind, next: Option<Topic>) -> String {
    let belief = &mind.belief;
    let Some(goal) = &belief.goal else {
        return "I do not know yet what I am to do.".to_owned();
    };
    let mut parts = Vec::new();
    match mind.talk.due {
        Some(thought) => parts.push(speech::thought(thought, mind, next)),
        None => parts.extend(what_was_seen(belief)),
    }
    if let Some(sub_goal) = belief.own_sub_goal(&mind.talk.preferred) {
        parts.push(format!("My sub-goal is to {sub_goal}."));
        parts.extend(left(&sub_goal, goal, belief));
    }
    if let Some(topic) = next {
        parts.push(match topic {
            Topic::Where(_) => "I should ask the user where to look.".to_owned(),
            Topic::Goal => "I should ask the user what exactly is meant.".to_owned(),
            Topic::Which => "I should ask the user which one is meant.".to_owned(),
        });
    }
    parts.join(" ")
}

/// The last observation, as far as it matters.
fn what_was_seen(belief: &Belief) -> Option<String> {
    let place = belief.room.receptacle(belief.just_seen?)?;
    Some(format!("Now I have seen what is in/on the {}.", place.name))
}

/// The rest of the task after the sub-goal.
fn left(now: &SubGoal, goal: &Goal, belief: &Belief) -> Option<String> {
    let target = &goal.target;
    match now {
        // With the object in hand only the lamp is looked for, or the place where the object goes.
        SubGoal::Find(_) if belief.holding.is_some() => None,
        SubGoal::Find(_) | SubGoal::Take(_) if goal.light => Some(format!("After that I need the {target}.")),
        SubGoal::Find(_) | SubGoal::Take(_) => {
            let treat = goal.treatment.map_or(String::new(), |treatment| format!("{} it and ", treatment.verb()));
            Some(format!("After that I have to {treat}put it in/on the {target}."))
        }
        SubGoal::Treat { .. } if !goal.light => Some(format!("After that I put it in/on the {target}.")),
        SubGoal::Treat { .. } | SubGoal::Put { .. } | SubGoal::Light { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::household::roles::goal::Treatment;
    use crate::environments::household::roles::sub_goal::Named;

    #[test]
    fn what_is_left_is_more_than_the_sub_goal() {
        let belief = Belief::default();
        let light = Goal { object: "mug".into(), target: "desklamp".into(), light: true, treatment: None, count: 1 };
        let clean = Goal { target: "shelf".into(), light: false, treatment: Some(Treatment::Clean), ..light.clone() };
        let (mug, lamp) = (Named::of("mug 1"), Named::of("desklamp 1"));
        let (one, of_it) = (mug.clone(), mug.clone());
        let look = SubGoal::Light { object: one, lamp };
        let wash = SubGoal::Treat { treatment: Treatment::Clean, object: of_it, with: None };
        let table = [
            (SubGoal::Find(Named::of("mug")), &light, "After that I need the desklamp."),
            (look, &light, ""),
            (SubGoal::Take(mug), &clean, "After that I have to clean it and put it in/on the shelf."),
            (wash, &clean, "After that I put it in/on the shelf."),
        ];
        for (now, goal, words) in table {
            assert_eq!(left(&now, goal, &belief).unwrap_or_default(), words, "{now}");
        }
    }
}
