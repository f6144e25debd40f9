//! Warnings before the figures of a comparison: a side holds episodes that were selected by their outcome.

use crate::evaluation::Comparison;
use crate::text::counted;

/// A side that holds only episodes with certain outcomes in a run that it branched off from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenByOutcome {
    /// It is the base; otherwise the other side.
    pub is_base: bool,
    /// The run in which they came out so.
    pub run: String,
    /// The choice, in words.
    pub choice: String,
    /// Whether that run is the side that they are compared with.
    pub is_compared: bool,
    /// A fair baseline for a branch of that run.
    pub remedy: Option<Remedy>,
}

/// A baseline of episodes that were chosen alike: the control of a branch, played by its parent's own cast with
/// fresh seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It is there.
    Control {
        /// Its name.
        name: String,
        /// The branch has the same fresh seeds, and not those by which its episodes came out as they did.
        is_alike: bool,
    },
    /// The command that plays it.
    Command(String),
}

/// Warnings about the selection of a side's episodes.
pub(super) fn warnings(name: &str, comparison: &Comparison, chosen: &[ChosenByOutcome]) -> Vec<String> {
    let solved = &comparison.solved;
    let warning = |chosen: &ChosenByOutcome| {
        let ChosenByOutcome { run, choice, .. } = chosen;
        let base = || "the base".to_owned();
        let (side, only, other) = match chosen.is_base {
            true => (base(), solved.second, name.to_owned()),
            false => (name.to_owned(), solved.first, base()),
        };
        let pairs = counted(solved.pairs() as u64, "pair", "pairs");
        if chosen.is_compared {
            let of_run = solved.both + only;
            return format!(
                "{side} holds episodes that were chosen by how they came out in {run} ({choice}), and that \
                 is what they are compared with: {run} solved {of_run} of these {pairs} by choice, so that \
                 the difference says nothing of what was changed; {}",
                remedy(chosen)
            );
        }
        format!(
            "{side} holds episodes that were chosen by how they came out in {run} ({choice}), those of \
             {other} were not: the difference may come of the choice"
        )
    };
    chosen.iter().map(warning).collect()
}

/// A fair baseline instead of the run from which the episodes were selected.
fn remedy(chosen: &ChosenByOutcome) -> String {
    let all = "branch off all episodes (--episodes all), and compare these";
    match &chosen.remedy {
        None => all.to_owned(),
        Some(Remedy::Command(command)) => format!(
            "for a base that was chosen alike, have the cast of {} play them on with fresh seeds: {command}; or \
             {all}",
            chosen.run
        ),
        Some(Remedy::Control { name, is_alike }) => {
            let kept = match is_alike {
                true => String::new(),
                false => format!(
                    " (the branch itself kept the seeds of {}: if its cast depends on seeds, branch off once more \
                     with --control, which gives both the same fresh ones)",
                    chosen.run
                ),
            };
            format!("go by the comparison with its control, {name}{kept}")
        }
    }
}
