//! Conduct of users, and the scores with and without dialogues whose user failed.

use serde_json::{Value, json};

use super::{figures, summed, texts};
use crate::fidelity::Fidelity;
use crate::played::Played;
use crate::score::{Scope, Totals, Verdicts};
use rolecall_core::evaluation::analyses::{Row, Tagger, Tally};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::analyses::Analyses;
use rolecall_core::reports::{Table, percent};

/// Test on the conduct of a user.
type IsSo = fn(Fidelity) -> bool;

/// Counts of users: their names in the table and in JSON, and the test for each.
const PARTS: [(&str, &str, IsSo); 5] = [
    ("said all", "complete", |fidelity| fidelity.complete),
    ("consistent", "consistent", |fidelity| fidelity.consistent),
    ("left early", "left_early", |fidelity| fidelity.left_early),
    ("invented", "invented", |fidelity| fidelity.invented),
    ("faithful", "faithful", Fidelity::is_faithful),
];

/// The dialogues of a row.
#[derive(Debug, Default)]
pub(super) struct Users {
    dialogues: usize,
    /// Users for which each of [`PARTS`] is so.
    counts: [usize; PARTS.len()],
    all: Totals,
    /// Scores of the dialogues whose user was faithful.
    kept: Totals,
}

impl Tally for Users {
    fn add(&mut self, log: &EpisodeLog<'_>, _: &Tagger) {
        let (Some(fidelity), Some(played)) = (Fidelity::of(log), Played::of(log)) else {
            return;
        };
        self.dialogues += 1;
        for (count, (.., is_so)) in self.counts.iter_mut().zip(PARTS) {
            *count += usize::from(is_so(fidelity));
        }
        let Some(verdicts) = played.score.and_then(Verdicts::of_detail) else {
            return;
        };
        let task = log.opened().map_or("", |opened| opened.task.id.as_str());
        if fidelity.is_faithful() {
            self.kept.add(task, verdicts.clone());
        }
        self.all.add(task, verdicts);
    }
}

/// The tables of users and of scores.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let users = Table::new("What users did of their part").keys_of(["cell", "user"]).numbers(["dialogues"]);
    let mut users = users.numbers(PARTS.map(|(head, ..)| head));
    let mut scores = Table::new("Scores of the log judge in %, of all dialogues and of those with a faithful user")
        .keys_of(["cell", "user", "over", "part"])
        .numbers(["all", "95 %", "n", "faithful", "95 %", "n"]);
    for (row, counted) in analyses.collected::<Users>().filter(|(_, counted)| counted.dialogues > 0) {
        let share = |count: usize| percent(count as f64 / counted.dialogues as f64);
        let mut all = analyses.keys(row);
        all.push(counted.dialogues.to_string());
        all.extend(counted.counts.map(share));
        users.row(all);
        for (scope, part) in figures() {
            if matches!(scope, Scope::Dialogues | Scope::Domains) {
                let mut all = analyses.keys(row);
                all.extend(texts(scope, part, [&counted.all, &counted.kept]));
                scores.row(all);
            }
        }
    }
    vec![users, scores]
}

/// JSON of a row: `dialogues`, the counts of users, and the scores of `all` and of the `faithful`.
pub(super) fn object(row: &Row) -> Value {
    let Some(users) = row.tally::<Users>().filter(|users| users.dialogues > 0) else {
        return Value::Null;
    };
    let mut object = json!({ "user": row.name.user, "dialogues": users.dialogues });
    for ((_, key, _), count) in PARTS.into_iter().zip(users.counts) {
        object[key] = json!(count);
    }
    object["scores"] = json!({ "all": summed(&users.all), "faithful": summed(&users.kept) });
    object
}
