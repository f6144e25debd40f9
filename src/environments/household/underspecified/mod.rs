//! Underspecified games: the sentence of a task without some of its details (ALFWorld-Clarification of "Uncertainty
//! Decomposition for Clarification Seeking in LLM Agents", arXiv 2606.19559), and whether what is missing matters.

pub mod labels;
pub mod search;

use super::{Goal, TaskType};

/// A detail of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The class of the object.
    Object,
    /// The class of the receptacle that it goes into.
    Receptacle,
    /// Whether it is to be clean, hot or cool.
    State,
    /// The class of the lamp.
    Lamp,
    /// The number, where two are wanted.
    Count,
}

rolecall_core::names! { Detail, as_str:
    Object => "object", Receptacle => "receptacle", State => "state", Lamp => "lamp", Count => "count",
}

impl Detail {
    /// Whether a goal of the type has the detail, so that it can be left out.
    pub fn is_part_of(self, task: TaskType) -> bool {
        let is_light = task == TaskType::LookInLight;
        match self {
            Self::Object => true,
            Self::Receptacle => !is_light,
            Self::State => task.treatment().is_some(),
            Self::Lamp => is_light,
            Self::Count => task == TaskType::PickTwo,
        }
    }

    /// The details that the paper's text lacks with this one: the state is lost with the object, and with the
    /// receptacle. Of games with a lamp that stands for the receptacle.
    pub fn lost_with(self, task: TaskType) -> [Self; 2] {
        let is_lamp = self == Self::Receptacle && task == TaskType::LookInLight;
        [if is_lamp { Self::Lamp } else { self }, Self::State]
    }
}

/// The sentence of a goal without these details. Without those of [`Detail::lost_with`] it is the paper's, word for
/// word; a single detail more or less is worded likewise.
pub fn sentence_without(goal: &Goal, dropped: &[Detail]) -> String {
    let lacks = |detail| dropped.contains(&detail);
    let (object, target) = (goal.object_class(), goal.target_class());
    if goal.task_type == TaskType::LookInLight {
        return match (lacks(Detail::Object), lacks(Detail::Lamp)) {
            (true, true) => "examine something somehow".to_owned(),
            (true, false) => format!("examine something with the {target}"),
            (false, true) => format!("examine the {object} somehow"),
            (false, false) => format!("examine the {object} with the {target}"),
        };
    }
    let treatment = goal.task_type.treatment().filter(|_| !lacks(Detail::State));
    let state = treatment.map_or("", |treatment| treatment.state());
    let is_two = goal.task_type == TaskType::PickTwo;
    let what = match (is_two, lacks(Detail::Object)) {
        (true, false) if lacks(Detail::Count) => format!("some {object}"),
        (true, false) => format!("two {object}"),
        (true, true) if lacks(Detail::Count) => "some things".to_owned(),
        (true, true) => "two things".to_owned(),
        (false, false) => format!("a {state} {object}").replace("  ", " "),
        (false, true) => format!("something {state}").trim_end().to_owned(),
    };
    match lacks(Detail::Receptacle) {
        true => format!("put {what} somewhere"),
        false => format!("put {what} in {target}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn goal(task_type: TaskType) -> Goal {
        let target = match task_type {
            TaskType::LookInLight => "desklamptype",
            _ => "fridgetype",
        };
        Goal { task_type, object: "eggtype".into(), target: target.into() }
    }

    #[test]
    fn sentences_are_those_of_the_paper() {
        use TaskType::{LookInLight, PickAndPlace, PickClean, PickCool, PickHeat, PickTwo};
        let others = ("put something in fridge", "put a egg somewhere");
        for (task, (without_object, without_receptacle)) in [
            (LookInLight, ("examine something with the desklamp", "examine the egg somehow")),
            (PickTwo, ("put two things in fridge", "put two egg somewhere")),
            (PickAndPlace, others),
            (PickClean, others),
            (PickHeat, others),
            (PickCool, others),
        ] {
            let without = |detail: Detail| sentence_without(&goal(task), &detail.lost_with(task));
            assert_eq!(without(Detail::Object), without_object, "{task}");
            assert_eq!(without(Detail::Receptacle), without_receptacle, "{task}");
        }
    }

    #[test]
    fn one_detail_alone_leaves_the_others() {
        for (task, detail, expected) in [
            (TaskType::PickHeat, Detail::Object, "put something hot in fridge"),
            (TaskType::PickHeat, Detail::Receptacle, "put a hot egg somewhere"),
            (TaskType::PickHeat, Detail::State, "put a egg in fridge"),
            (TaskType::PickTwo, Detail::Count, "put some egg in fridge"),
            (TaskType::LookInLight, Detail::Lamp, "examine the egg somehow"),
        ] {
            assert!(detail.is_part_of(task));
            assert_eq!(sentence_without(&goal(task), &[detail]), expected);
        }
        assert!(!Detail::State.is_part_of(TaskType::PickAndPlace));
        assert!(!Detail::Receptacle.is_part_of(TaskType::LookInLight));
    }

    proptest! {
        #[test]
        fn what_is_left_out_is_not_said(
            task in prop::sample::select(&TaskType::ALL[..]),
            dropped in prop::sample::subsequence(&Detail::ALL[..], 0..=Detail::ALL.len()),
        ) {
            let goal = goal(task);
            let said = sentence_without(&goal, &dropped);
            let lacks = |detail: Detail| dropped.contains(&detail) && detail.is_part_of(task);
            prop_assert_eq!(said.contains("egg"), !lacks(Detail::Object));
            let target = lacks(Detail::Receptacle) || lacks(Detail::Lamp);
            prop_assert_eq!(said.contains(goal.target_class()), !target);
            let state = task.treatment().map_or("?", |treatment| treatment.state());
            let has_state = Detail::State.is_part_of(task) && !lacks(Detail::State);
            prop_assert_eq!(said.contains(state), has_state);
            let two = task == TaskType::PickTwo && !lacks(Detail::Count);
            prop_assert_eq!(said.contains("two"), two);
            prop_assert!(!said.contains("  "));
        }
    }
}
