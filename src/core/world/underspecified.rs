//! Which tasks of a run are underspecified, and who is entrusted with what they leave out. Drawn as in the program of
//! "Uncertainty Decomposition for Clarification Seeking in LLM Agents" (arXiv 2606.19559), so that labels are equal.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::domain::{PrivateInfo, Seat};
use crate::evaluation::metrics::clarification::LABEL;
use crate::ports::{EnvironmentError, Parameter, Parameters};
use crate::text::mt19937::PythonRandom;
use crate::users::revealer::FULL_GOAL;

/// The parameter that says what is left out; each world has its own words for it, of which [`NOTHING`] is one.
pub const WHAT: &str = "underspecified";

/// The word for tasks as they are.
pub const NOTHING: &str = "none";

/// The parameter of how many tasks are labelled.
const TASKS: &str = "label_tasks";

/// The parameters that worlds share, besides [`WHAT`].
pub const PARAMETERS: [Parameter; 3] = [
    Parameter::number(
        "underspecified_share",
        0.5,
        0.0..=1.0,
        "share of the tasks that are underspecified; half of them in the paper",
    ),
    Parameter::integer(
        "label_seed",
        Some(42),
        0..=u32::MAX as i64,
        "draws which tasks are underspecified (Python's generator)",
    ),
    Parameter::integer(
        TASKS,
        None,
        1..=1_000_000_000,
        "so many tasks are labelled together, from the first on, and no others can be played (the paper's first 100); \
         absent: all",
    ),
];

/// The label of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Something is left out.
    pub underspecified: bool,
    /// The coin that was thrown for it: heads. Worlds with two things to leave out choose by it.
    pub heads: bool,
}

/// The labels of a run, by the numbers of its tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<Drawn>);

impl Labels {
    /// The labels that the parameters ask for; none where nothing is left out. A world with two things to leave out
    /// has coins thrown, before the labels are shuffled.
    pub fn of(parameters: &Parameters, tasks: usize, coins: bool) -> Option<Self> {
        parameters.text(WHAT).filter(|what| *what != NOTHING)?;
        let tasks = parameters.whole(TASKS).unwrap_or(tasks);
        let share = parameters.number("underspecified_share").unwrap_or(0.5);
        let seed = parameters.whole("label_seed").unwrap_or(42);
        Some(Self::draw(tasks, share, seed, coins))
    }

    /// Labels for so many tasks: the share of them that is underspecified, rounded up.
    pub fn draw(tasks: usize, share: f64, seed: u64, coins: bool) -> Self {
        let mut random = PythonRandom::new(seed);
        // The share of a number may miss a whole one by the last bits.
        let underspecified = (share * tasks as f64 - 1e-9).ceil() as usize;
        let specified = tasks.saturating_sub(underspecified);
        let mut labels: Vec<Drawn> = (0..tasks)
            .map(|task| Drawn { underspecified: task >= specified, heads: coins && random.randrange(2) == 0 })
            .collect();
        random.shuffle(&mut labels);
        Self(labels)
    }

    /// The label of a task.
    ///
    /// # Errors
    /// When fewer tasks were labelled.
    pub fn task(&self, index: usize) -> Result<Drawn, EnvironmentError> {
        self.0.get(index).copied().ok_or_else(|| {
            EnvironmentError::Data(format!(
                "task {index} has no label: environment.{TASKS} labels {} tasks; raise it, or play so many \
                 (tasks.limit)",
                self.0.len()
            ))
        })
    }
}

/// The private parts of a task: the whole goal for the user, and for the conductor, so that metrics see it and
/// nobody else, whether a question is called for and what is left out.
pub fn parts(full_goal: &str, needed: bool, dropped: Option<&str>) -> [PrivateInfo; 2] {
    let part =
        |audience, label: &str, value: Value| PrivateInfo { audience, label: label.to_owned(), value: Arc::new(value) };
    [
        part(Seat::User, FULL_GOAL, full_goal.into()),
        part(Seat::Conductor, LABEL, json!({ "needed": needed, "dropped": dropped })),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels as letters: specified, or without what the coin said.
    fn letters(labels: &Labels) -> String {
        let letter = |label: &Drawn| match (label.underspecified, label.heads) {
            (false, _) => 'S',
            (true, true) => 'o',
            (true, false) => 'r',
        };
        labels.0.iter().map(letter).collect()
    }

    #[test]
    fn labels_are_those_of_python() {
        let with_coins = "SSSooSrroSoSSoSSSoSSSooroSorSSroroSooSorSSSSSrSrSS\
                         SrSSoSSrrrrSrrSoSrooSSSoSSrSrSSrSrSrSrSooSrSoSrorS";
        assert_eq!(letters(&Labels::draw(100, 0.5, 42, true)), with_coins);
        let without_coins = "00101101011011100110000110101000111011100000011100\
                    10010011010001101010011111011110011011011000001001";
        let drawn = letters(&Labels::draw(100, 0.5, 42, false));
        assert_eq!(drawn.replace('S', "0").replace('r', "1"), without_coins);
    }

    fn count(tasks: usize, share: f64) -> usize {
        let labels = Labels::draw(tasks, share, 1, true);
        labels.0.iter().filter(|label| label.underspecified).count()
    }

    #[test]
    fn so_many_are_underspecified() {
        for (tasks, share, expected) in
            [(100, 0.5, 50), (7, 0.5, 4), (10, 0.0, 0), (10, 1.0, 10), (100, 0.07, 7), (100, 0.29, 29), (0, 0.5, 0)]
        {
            assert_eq!(count(tasks, share), expected, "{tasks} {share}");
        }
    }

    #[test]
    fn what_was_not_labelled_is_an_error() {
        let labels = Labels::draw(2, 0.5, 1, false);
        assert!(labels.task(1).is_ok());
        let error = labels.task(2).unwrap_err().to_string();
        assert!(error.contains("environment.label_tasks labels 2 tasks"), "{error}");
    }
}
