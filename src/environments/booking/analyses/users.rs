//! What users did of their part, and the scores with and without dialogues whose user failed it.

use serde_json::{Value, json};

use super::{figures, summed, texts};
use crate::environments::booking::fidelity::Fidelity;
use crate::environments::booking::played::Played;
use crate::environments::booking::score::{Scope, Totals, Verdicts};
use crate::evaluation::analyses::{Row, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::analyses::Analyses;
use crate::reports::{Table, percent};

/// Whether something is so of a user.
type IsSo = fn(Fidelity) -> bool;

/// What is counted of users: in the table, in the value for programs, and in what each did.
const PARTS: [(&str, &str, IsSo); 5] = [
    ("said all", "complete", |own| own.complete),
    ("consistent", "consistent", |own| own.consistent),
    ("left early", "left_early", |own| own.left_early),
    ("invented", "invented", |own| own.invented),
    ("faithful", "faithful", Fidelity::is_faithful),
];

/// The dialogues of a row.
#[derive(Debug, Default)]
pub(super) struct Users {
    dialogues: usize,
    /// Those of which each of [`PARTS`] is so.
    counts: [usize; PARTS.len()],
    all: Totals,
    /// Those whose user did its part.
    kept: Totals,
}

impl Tally for Users {
    fn add(&mut self, log: &EpisodeLog<'_>, _: &Tagger) {
        let (Some(own), Some(played)) = (Fidelity::of(log), Played::of(log)) else {
            return;
        };
        self.dialogues += 1;
        for (count, (.., is_so)) in self.counts.iter_mut().zip(PARTS) {
            *count += usize::from(is_so(own));
        }
        let Some(verdicts) = played.score.and_then(Verdicts::of_detail) else {
            return;
        };
        let task = log.opened().map_or("", |opened| opened.task.id.as_str());
        if own.is_faithful() {
            self.kept.add(task, verdicts.clone());
        }
        self.all.add(task, verdicts);
    }
}

/// The tables of users and of scores.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let users = Table::new("What users did of their part").keys_of(["cell", "user"]);
    let users = users.numbers(["dialogues"]);
    let mut users = users.numbers(PARTS.map(|(head, ..)| head));
    let title = "Scores of the log judge in %, of all dialogues and of those with a faithful user";
    let scores = Table::new(title).keys_of(["cell", "user", "over", "part"]);
    let mut scores = scores.numbers(["all", "95 %", "n", "faithful", "95 %", "n"]);
    let rows = analyses.collected::<Users>();
    for (row, own) in rows.filter(|(_, own)| own.dialogues > 0) {
        let share = |count: usize| percent(count as f64 / own.dialogues as f64);
        let mut all = analyses.keys(row);
        all.push(own.dialogues.to_string());
        all.extend(own.counts.map(share));
        users.row(all);
        for (scope, part) in figures() {
            if matches!(scope, Scope::Dialogues | Scope::Domains) {
                let mut all = analyses.keys(row);
                all.extend(texts(scope, part, [&own.all, &own.kept]));
                scores.row(all);
            }
        }
    }
    vec![users, scores]
}

/// How many `dialogues` there are, in how many the user did what, and the scores of `all` and of the `faithful`.
pub(super) fn object(row: &Row) -> Value {
    let Some(own) = row.tally::<Users>().filter(|own| own.dialogues > 0) else {
        return Value::Null;
    };
    let mut object = json!({ "user": row.name.user, "dialogues": own.dialogues });
    for ((_, key, _), count) in PARTS.into_iter().zip(own.counts) {
        object[key] = json!(count);
    }
    object["scores"] = json!({ "all": summed(&own.all), "faithful": summed(&own.kept) });
    object
}
