//! The words of the player's thoughts and questions, and the inner monologue of players that think after whatever they
//! see or hear (ReSpAct section B.3, after Huang et al. 2022): what was seen, what is to be reached now, and what is
//! left.

use super::{
    Belief, Goal, KnownReceptacle, Mind, Prior, Query, SubGoal, Talk, Thing, Thought, Topic, Wording, aba, by_class,
    indefinite, split_name,
};

/// Classes that are named as likely places.
const LIKELY_CLASSES: usize = 6;

/// The words of a thought. `next` is what will be asked after it.
pub(super) fn thought(thought: Thought, mind: &Mind, next: Option<Topic>) -> String {
    let Mind { belief, talk, .. } = mind;
    let Some(goal) = &belief.goal else {
        return "I do not know yet what I am to do.".to_owned();
    };
    let Goal { object, target, .. } = goal;
    let held = belief.holding.as_deref().unwrap_or(object);
    match thought {
        Thought::Plan if next == Some(Topic::Goal) => {
            "The task leaves something out, so I have to ask what exactly is meant.".to_owned()
        }
        Thought::Plan => first_thought(goal, mind, next),
        Thought::Answered => aba::answered(goal, belief, next),
        Thought::Found => found(goal, belief),
        Thought::Elsewhere => {
            let class = belief.class_needed().unwrap_or(object);
            let likely = likely_places(belief, class);
            format!("No {class} so far. I should look elsewhere: {likely}.")
        }
        Thought::Taken => format!("I have the {held}. Next I {}.", goal.next_action()),
        Thought::Treated if goal.light => format!("That is done. Next I need the {target}."),
        Thought::Treated => format!("That is done. Next I put the {held} in/on the {target}."),
        Thought::FirstInPlace => format!("That one is in place. Now I need another {object}."),
        Thought::NotMeant if talk.ambiguous => {
            format!("The task is not over, so another {object} must be meant. I try the next one.")
        }
        Thought::NotMeant => format!("The task is not over. I try another {object}."),
    }
}

/// How to solve the task, and what is recalled of where the object is (ABA appendix E).
fn first_thought(goal: &Goal, mind: &Mind, next: Option<Topic>) -> String {
    let Mind { belief, talk, .. } = mind;
    let Some(recalled) = mind.recalled() else {
        return match talk.phrasing {
            Wording::Respact => plan(goal, belief),
            Wording::Aba => aba::plan(goal, belief, next),
        };
    };
    let object = &goal.object;
    let query = Query::written(object, &recalled);
    let task = aba::task(goal);
    let wanted = indefinite(object);
    format!("{task} First I need to know where {wanted} is. {query}")
}

fn plan(goal: &Goal, belief: &Belief) -> String {
    let Goal { object, target, .. } = goal;
    let likely = likely_places(belief, object);
    if goal.light {
        return format!(
            "I have to find {}, take it to {} and turn that on. I would expect the {object} at: \
             {likely}.",
            indefinite(object),
            indefinite(target),
        );
    }
    let first = match goal.count {
        2 => format!("the first of two {object}"),
        _ => indefinite(object),
    };
    let treat = goal.treatment.map_or(String::new(), |treatment| format!(", {} it", treatment.verb()));
    format!(
        "I have to find {first}{treat} and put it in/on the {target}. I would expect it at: \
         {likely}."
    )
}

fn found(goal: &Goal, belief: &Belief) -> String {
    if let (Some(held), Some(lamp)) = (&belief.holding, goal.lamp()) {
        let lamp = indefinite(lamp);
        return format!("Here is {lamp}. I can turn it on to look at the {held}.");
    }
    match names_at(belief, goal) {
        Some((names, place)) => format!("I have found {names} in/on the {place}. I take it next."),
        None => format!("I have found {}.", indefinite(&goal.object)),
    }
}

/// The words of a question.
pub(super) fn question(topic: Topic, mind: &Mind) -> String {
    let Mind { belief, talk, .. } = mind;
    let Some(goal) = &belief.goal else {
        return "What am I to do?".to_owned();
    };
    if talk.phrasing == Wording::Aba {
        return aba::question(topic, goal, belief);
    }
    match topic {
        Topic::Where(need) => where_to_look(goal.class_of(need), goal, talk, belief),
        Topic::Goal => aba::WHAT_EXACTLY.to_owned(),
        Topic::Which if talk.ambiguous => which_is_meant(goal, belief),
        Topic::Which => which_one(goal, belief),
    }
}

/// The words of the question where to look for things of a class.
pub(super) fn where_to_look(class: &str, goal: &Goal, talk: &Talk, belief: &Belief) -> String {
    let likely = likely_places(belief, class);
    if let Some(index) = talk.disappointed_by {
        let place = belief.room.name(index);
        return format!(
            "There is no {class} in/on the {place}. I could still try {likely}. Where else should I \
             look for the {class}?"
        );
    }
    let which = match goal.count {
        2 if belief.objects.is_empty() => "first ",
        2 => "second ",
        _ => "",
    };
    format!(
        "I am looking for the {which}{class}. It could be at {likely}. Where should I look for \
         the {class} first?"
    )
}

/// Which of all known objects is meant, wherever they are.
fn which_is_meant(goal: &Goal, belief: &Belief) -> String {
    let names: Vec<&str> = belief.candidates(goal).map(|thing| &*thing.name).collect();
    let one = belief.still_needed(goal) == 1;
    let count = if one { "one" } else { "two" };
    format!("I know of {}. Which {count} should I take?", names.join(", "))
}

fn which_one(goal: &Goal, belief: &Belief) -> String {
    let (names, place) = names_at(belief, goal).unwrap_or_default();
    let which = match goal.count {
        2 => format!("Which two should I put in/on the {}?", goal.target),
        _ => "Which one should I take?".to_owned(),
    };
    format!("I found {names} in/on the {place}. {which}")
}

/// The objects at the first place that has any, and the place.
pub(super) fn names_at<'a>(belief: &'a Belief, goal: &Goal) -> Option<(String, &'a str)> {
    let candidates: Vec<&Thing> = belief.candidates(goal).collect();
    let first = candidates.first()?;
    let names: Vec<&str> =
        candidates.iter().filter(|thing| thing.place == first.place).map(|thing| &*thing.name).collect();
    let place = belief.room.receptacle(first.place)?;
    Some((names.join(", "), &place.name))
}

/// The likeliest receptacles that were not looked into, as `drawer (1-3), desk (1)`.
fn likely_places(belief: &Belief, class: &str) -> String {
    let prior = Prior::of(class, belief.search);
    let places = belief.room.receptacles();
    let unseen = places.filter(|(index, _)| belief.is_unseen(*index));
    let classes = by_class(unseen.map(|(index, place)| (place.class(), (index, place))));
    // The first place of a class stands for all.
    let worth = |places: &[(u8, &KnownReceptacle)]| {
        places.first().map_or(0.0, |(index, place)| belief.worth(*index, place, prior))
    };
    let classes = classes.into_iter();
    let mut classes: Vec<_> = classes.map(|one| (worth(&one.1), one)).collect();
    classes.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    classes.truncate(LIKELY_CLASSES);
    let listed = classes.into_iter().map(|(_, (class, places))| {
        let numbers = places
            .into_iter()
            .map(|(_, place)| split_name(&place.name))
            .map(|name| name.map_or(1, |(_, number)| number));
        format!("{class} ({})", ranges(numbers.collect()))
    });
    match &*listed.collect::<Vec<_>>() {
        [] => "places that I have seen already".to_owned(),
        listed => listed.join(", "),
    }
}

/// `1-3, 5` for 5, 3, 2, 1.
pub(super) fn ranges(mut numbers: Vec<u32>) -> String {
    numbers.sort_unstable();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, end)) if end.checked_add(1) == Some(number) => *end = number,
            _ => runs.push((number, number)),
        }
    }
    runs.into_iter()
        .map(|(start, end)| match end - start {
            0 => start.to_string(),
            _ => format!("{start}-{end}"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// The words of the monologue. `next` is what will be asked.
pub(super) fn monologue(mind: &Mind, next: Option<Topic>) -> String {
    let belief = &mind.belief;
    let Some(goal) = &belief.goal else {
        return "I do not know yet what I am to do.".to_owned();
    };
    let mut parts = Vec::new();
    match mind.talk.due {
        Some(due) => parts.push(thought(due, mind, next)),
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
    use super::super::goal::Treatment;
    use super::super::sub_goal::Named;

    use super::*;

    #[test]
    fn numbers_are_written_as_ranges() {
        assert_eq!(ranges(vec![5, 3, 2, 1]), "1-3, 5");
        assert_eq!(ranges(vec![1]), "1");
    }

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
