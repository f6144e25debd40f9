//! The task sentences, in the two wordings that official games have for each task type.

use super::TaskType;

/// The sentence that asks for a task, without a full stop; `second` chooses the other wording.
pub(super) fn sentence(task: TaskType, object: &str, target: &str, second: bool) -> String {
    if let Some(treatment) = task.treatment() {
        let (state, verb) = (treatment.state(), treatment.verb());
        return match second {
            true => format!("{verb} some {object} and put it in {target}"),
            false => format!("put a {state} {object} in {target}"),
        };
    }
    match (task, second) {
        (TaskType::PickTwo, false) => format!("put two {object} in {target}"),
        (TaskType::PickTwo, true) => format!("find two {object} and put them in {target}"),

        (TaskType::LookInLight, false) => format!("look at {object} under the {target}"),
        (TaskType::LookInLight, true) => format!("examine the {object} with the {target}"),
        (_, false) => format!("put a {object} in {target}"),
        (_, true) => format!("put some {object} on {target}"),
    }
}
