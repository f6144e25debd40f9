//! The expert's words: templates for thoughts, questions and answers, in the form of ABA's printed
//! trajectories (appendices B, D and F), in our own words.

use crate::language::indefinite;
use crate::{Command, Goal, TaskType};

/// The outline of the task, as the beginning of a thought.
pub(super) fn outline(goal: &Goal) -> String {
    let target = goal.target_class();
    let one = indefinite(goal.object_class());
    let steps = match (goal.task_type, goal.task_type.treatment()) {
        (_, Some(treatment)) => {
            let verb = treatment.verb();
            format!("get {one}, {verb} it, and put it in/on the {target}")
        }
        (TaskType::PickTwo, None) => {
            let object = goal.object_class();
            format!("get two {object}, one after the other, and put both in/on the same {target}")
        }
        (TaskType::LookInLight, None) => {
            let lamp = indefinite(target);
            format!("hold {one} where {lamp} is, and switch the {target} on")
        }
        (_, None) => format!("get {one} and put it in/on the {target}"),
    };
    format!("For this task I have to {steps}.")
}

/// The next step with an object in the hand.
pub(super) fn rest(goal: &Goal, treated: bool) -> String {
    let target = goal.target_class();
    match goal.task_type.treatment() {
        None if goal.task_type == TaskType::LookInLight => {
            format!("I go to the {target} with it and switch that on")
        }
        Some(treatment) if !treated => {
            let verb = treatment.verb();
            format!("I {verb} it, then I put it in/on the {target}")
        }
        _ => format!("I put it in/on the {target}"),
    }
}

/// The end of the first thought: where a thing might be, and whom to ask.
pub(super) fn unknown(class: &str, places: &[&str]) -> String {
    match places {
        [] => format!("I do not know where the {class} is, so I ask the owner of the room."),
        places => {
            let places: Vec<String> = places.iter().map(|place| indefinite(place)).collect();
            format!(
                "The {class} could be in/on {}, but I do not know where, so I ask the owner of the room.",
                places.join(" or ")
            )
        }
    }
}

/// The end of the first thought of a player who asks nobody.
pub(super) fn searched(class: &str, places: &[&str]) -> String {
    let places: Vec<String> = places.iter().map(|place| indefinite(place)).collect();
    match &places[..] {
        [] => format!("I look for the {class} in one place after the other."),
        places => format!("The {class} could be in/on {}. I look into them first.", places.join(" or ")),
    }
}

/// The thought that something else has to be asked for.
pub(super) fn also_unknown(class: &str) -> String {
    format!("I also have to know where the {class} is. I ask the owner for it.")
}

/// The thought that several things could be meant.
pub(super) fn several(class: &str) -> String {
    format!("There is more than one {class}, and the task does not say which. I have to ask for it.")
}

/// The answer to it.
pub(super) fn meant(objects: &[String]) -> String {
    format!("I mean {}.", objects.join(" and "))
}

/// The thought that oneself does not know.
pub(super) fn not_recalled(class: &str) -> String {
    format!("I do not know enough about the {class}. I have to ask the owner of the room.")
}

/// The plan, in one sentence.
pub(super) fn way(plan: &[String]) -> String {
    let steps = plan.iter().filter_map(|command| step_in_words(command));
    let steps: Vec<String> = steps.collect();
    format!("Now I know enough. I can {}.", steps.join(", then "))
}

/// A command in words; nothing for walking and opening, which go without saying.
fn step_in_words(command: &str) -> Option<String> {
    Some(match Command::read(command) {
        Command::Take { object, from } => format!("take {object} from {from}"),
        Command::Put { object, to } => format!("put {object} in/on {to}"),
        Command::Treat { verb, object, with } => format!("{verb} {object} with {with}"),
        Command::Use(lamp) => format!("switch {lamp} on"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_one_sentence() {
        let plan = [
            "go to desk 1",
            "take mug 1 from desk 1",
            "go to microwave 1",
            "heat mug 1 with microwave 1",
            "go to cabinet 2",
            "open cabinet 2",
            "move mug 1 to cabinet 2",
        ];
        assert_eq!(
            way(&plan.map(str::to_owned)),
            "Now I know enough. I can take mug 1 from desk 1, then heat mug 1 with microwave 1, then \
             put mug 1 in/on cabinet 2."
        );
    }

    #[test]
    fn two_objects_are_meant_together() {
        let two = ["mug 1".to_owned(), "mug 2".to_owned()];
        assert_eq!(meant(&two), "I mean mug 1 and mug 2.");
        assert_eq!(meant(&two[..1]), "I mean mug 1.");
    }
}
