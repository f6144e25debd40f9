//! The splits of a run that is served: what its cells play, by the parameter `split` of their environments.

use rolecall_run::config::{Plan, Record};

/// The split of a cell whose environment has none.
const ONLY: &str = "tasks";

/// A split of tasks that clients may play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Its name, such as `valid_unseen`.
    pub name: String,
    /// What it is for, in the words of trainers: `train`, `validation` or `test`.
    pub kind: &'static str,
    /// The cells of the config that play it, by index.
    pub cells: Vec<usize>,
    /// The number of its tasks.
    pub tasks: usize,
}

/// The splits of a plan, in the order of its cells.
pub(super) fn splits(plan: &Plan, record: &Record) -> Vec<Split> {
    let mut all: Vec<Split> = Vec::new();
    for (index, (cell, own)) in plan.cells.iter().zip(&record.cells).enumerate() {
        let name = own.environment.parameters.get("split").and_then(|split| split.as_str());
        let name = name.filter(|name| !name.is_empty()).unwrap_or(ONLY);
        let tasks = plan.tasks_of(cell).count();
        match all.iter_mut().find(|split| split.name == name) {
            Some(split) => {
                split.cells.push(index);
                split.tasks = split.tasks.min(tasks);
            }
            None => all.push(Split { name: name.to_owned(), kind: kind(name), cells: vec![index], tasks }),
        }
    }
    all
}

/// What a split of this name is for.
fn kind(name: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["train"]) {
        "train"
    } else if has(&["valid", "dev"]) {
        "validation"
    } else {
        "test"
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn names_of_splits_say_what_they_are_for() {
        let table = [
            ("train", "train"),
            ("valid_seen", "validation"),
            ("dev", "validation"),
            ("eval_out_of_distribution", "test"),
            ("tasks", "test"),
        ];
        for (name, expected) in table {
            assert_eq!(kind(name), expected, "{name}");
        }
    }
}
