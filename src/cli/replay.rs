//! `rolecall replay`: plays the episodes of a run again and says whether they come out the same.

use std::fmt::Write;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use crate::choice::{self, ChoiceArguments};
use crate::progress::{bar, prepare};
use crate::reload_plan::{ReloadedPlan, reload_plan};
use crate::{diagnostics, output, runs};
use rolecall_core::log::{Accepted, RunLog};
use rolecall_core::text::{counted, joined, visible};
use rolecall_run::config::{Absent, Change};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Difference, Replay, ReplayError, Replayed, replay_run};

/// The most changes of the config that are named.
const MOST_CHANGES: usize = 5;

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// The episodes as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without them, all are played again
    episode: Vec<String>,
    /// Only with roles and users: they take their turns again, on the replies of models that were
    /// recorded
    #[arg(long, conflicts_with = "log")]
    models: bool,
    /// Only without roles and users: what they did is taken from the log, and the strategy and the
    /// environment are played again
    #[arg(long)]
    log: bool,
    /// Give a value of the run's config again that may be a secret, so that `run.toml` does not have it;
    /// may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Print what was found as one JSON object, with every difference
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: ChoiceArguments,
}

impl ReplayArguments {
    /// Who is played again, one after the other.
    fn ways(&self) -> Vec<Replay> {
        match (self.models, self.log) {
            (true, _) => vec![Replay::Models],
            (_, true) => vec![Replay::Log],
            (false, false) => vec![Replay::Models, Replay::Log],
        }
    }
}

/// Plays episodes again and prints how many came out identical, and the first difference of each
/// that did not.
pub(crate) fn execute(arguments: &ReplayArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let absent = if arguments.log { Absent::Unasked } else { Absent::Taken };
    let ReloadedPlan { resolved, changes } = reload_plan(run.folder(), &arguments.sets, &[], absent, registry)?;
    print_changes(&changes);
    print_accepted(&run.record().changes);
    let ids = choice::chosen(&run, &arguments.episode, &arguments.choice, registry)?;
    diagnostics::trace_panics();
    prepare(&resolved.plan, false)?;
    let mut ways = Vec::new();
    for who in arguments.ways() {
        let progress = bar(ids.len(), "episodes again", false);
        let replayed = replay_run(&resolved.plan, &run, &ids, who, &|_| progress.inc(1));
        progress.finish_and_clear();
        let way = Way { who, replayed };
        if !arguments.json {
            output::emit(&way.text())?;
        }
        ways.push(way);
    }
    if arguments.json {
        output::emit_json(as_json(&run, &ways))?;
    }
    output::exit_code(ways.iter().any(|way| way.identical() < way.replayed.len()))
}

/// Prints the changes since the run was played: they explain differences.
pub(crate) fn print_changes(changes: &[Change]) {
    for change in changes.iter().take(MOST_CHANGES) {
        output::remark(&format!("note: changed since the run: {change}"));
    }
    if let Some(more @ 1..) = changes.len().checked_sub(MOST_CHANGES) {
        output::remark(&format!("note: {more} more of the config changed"));
    }
}

/// Prints the changes while the run was played: episodes before have no config any more by which they could
/// be played again.
fn print_accepted(accepted: &[Accepted]) {
    for entry in accepted {
        let count = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
        output::remark(&format!(
            "note: `--accept-changes`, with {} episodes closed and {} open: {}",
            count(entry.closed),
            count(entry.open),
            visible(&changes_line(&entry.what))
        ));
    }
    if !accepted.is_empty() {
        output::remark(
            "note: all episodes are played again by the config as it is now; those that were begun \
             before changes were accepted (`[[changes]]` in `run.toml`) may differ for that reason \
             alone",
        );
    }
}

/// The first changes in one line.
fn changes_line(what: &[String]) -> String {
    let first = what.iter().take(MOST_CHANGES).map(String::as_str);
    joined(first.chain(what.get(MOST_CHANGES).map(|_| "...")))
}

fn as_json(run: &RunLog, ways: &[Way]) -> Value {
    let accepted = run
        .record()
        .changes
        .iter()
        .map(|entry| json!({"episodes_closed": entry.closed, "episodes_open": entry.open, "what": entry.what}));
    json!({
        "run": run.folder().display().to_string(),
        "accepted_changes": accepted.collect::<Vec<_>>(),
        "replays": ways.iter().map(Way::json).collect::<Vec<_>>(),
    })
}

/// The most differences that are printed.
const MOST_SHOWN: usize = 10;
/// Letters that are printed of each side of a difference.
const SIDE: usize = 320;
/// Letters of these before the first that differs.
const BEFORE: usize = 80;

/// The results of replaying one part of the cast.
struct Way {
    who: Replay,
    replayed: Vec<Replayed>,
}

impl Way {
    /// Number of episodes that came out identical.
    fn identical(&self) -> usize {
        self.replayed.iter().filter(|each| each.result.is_ok()).count()
    }

    fn different(&self) -> impl Iterator<Item = (&Replayed, &ReplayError)> {
        self.replayed.iter().filter_map(|each| Some((each, each.result.as_ref().err()?)))
    }

    /// The name, and who was played again in words.
    fn names(&self) -> (&'static str, &'static str) {
        match self.who {
            Replay::Models => ("models", "everybody again, on the recorded replies of models"),
            Replay::Log => ("log", "strategies and environments again, on the recorded moves"),
            Replay::Twice => ("twice", "every turn twice"),
        }
    }

    /// For people: the figures, then the first differences.
    fn text(&self) -> String {
        let ((name, played), all, identical) = (self.names(), self.replayed.len(), self.identical());
        let episodes = counted(all as u64, "episode", "episodes");
        let mut text = format!("{name}: {identical} of {episodes} identical ({played})\n");
        for (replayed, error) in self.different().take(MOST_SHOWN) {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{}", difference(replayed, error));
        }
        let more = (all - identical).saturating_sub(MOST_SHOWN);
        if more > 0 {
            let _ = write!(text, "\n{more} more differ (--json names them all)\n");
        }
        text
    }

    /// For programs: the figures and every difference.
    fn json(&self) -> Value {
        let differences = self.different().map(|(replayed, error)| {
            let episode = replayed.episode.to_string();
            match error {
                ReplayError::Differs(Difference { seq, logged, replayed }) => {
                    json!({ "episode": episode, "seq": seq, "logged": logged, "replayed": replayed })
                }
                other => json!({ "episode": episode, "problem": other.to_string() }),
            }
        });
        json!({
            "way": self.names().0,
            "episodes": self.replayed.len(),
            "identical": self.identical(),
            "differences": differences.collect::<Vec<_>>(),
        })
    }
}

fn difference(replayed: &Replayed, error: &ReplayError) -> String {
    let id = &replayed.episode;
    let ReplayError::Differs(difference) = error else {
        return format!("{id}: {}\n", visible(&error.to_string()));
    };
    let (logged, replayed) = sides(&difference.logged, &difference.replayed);
    format!("{id}, event {}\n  in the log:  {logged}\n  played now:  {replayed}\n", difference.seq)
}

/// Both sides, cut around the first place where they differ if they are long.
fn sides(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    (excerpt(one, same), excerpt(other, same))
}

fn excerpt(text: &str, same: usize) -> String {
    let length = text.chars().count();
    if length <= SIDE {
        return visible(text).to_string();
    }
    // Who wrote to whom stands at the beginning, and is shown in any case.
    let head = text.find(": ").map_or(0, |place| text[..place + 2].chars().count());
    let start = same.saturating_sub(BEFORE).min(length - SIDE);
    let mut shown = String::new();
    if start > head {
        shown.extend(text.chars().take(head));
        shown.push_str("... ");
    }
    let start = if start > head { start } else { 0 };
    shown.extend(text.chars().skip(start).take(SIDE));
    if start + SIDE < length {
        shown.push_str(" ...");
    }
    visible(&shown).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sides_are_cut_around_what_differs() {
        let text = |word: &str| format!("a to b: {} {word} {}", "x".repeat(500), "y".repeat(500));
        let (one, other) = sides(&text("this"), &text("that"));
        assert!(one.starts_with("a to b: ... xxx") && one.ends_with("yyy ..."), "{one}");
        assert!(one.contains(" this ") && other.contains(" that "));
        assert!(one.chars().count() < SIDE + 30);
        let (one, other) = sides(&"z".repeat(500), "z");
        assert!(one.ends_with("z ...") && other == "z", "{one}");
        assert_eq!(sides("a\u{1b}", "b").0, "a\\u{1b}");
    }
}
