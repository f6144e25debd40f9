//! The task sentences, in the two wordings that official games have for each task type.

use super::goal::TaskType;

/// The sentence that asks for a task, without a full stop; `second` chooses the other wording.
pub(super) fn sentence(task: TaskType, object: &str, target: &str, second: bool) -> String {
    let treated = |adjective: &str, verb: &str| {
        if second {
            format!("{verb} some {object} and put it in {target}")
        } else {
            format!("put a {adjective} {object} in {target}")
        }
    };
    match (task, second) {
        (TaskType::PickAndPlace, false) => format!("put a {object} in {target}"),
        (TaskType::PickAndPlace, true) => format!("put some {object} on {target}"),
        (TaskType::PickTwo, false) => format!("put two {object} in {target}"),
        (TaskType::PickTwo, true) => format!("find two {object} and put them in {target}"),
        (TaskType::PickClean, _) => treated("clean", "clean"),
        (TaskType::PickHeat, _) => treated("hot", "heat"),
        (TaskType::PickCool, _) => treated("cool", "cool"),
        (TaskType::LookInLight, false) => format!("look at {object} under the {target}"),
        (TaskType::LookInLight, true) => format!("examine the {object} with the {target}"),
    }
}
