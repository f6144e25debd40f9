//! What users did of their part, and the scores with and without dialogues whose user failed it.

use serde_json::{Value, json};

use super::{figures, played, summed, texts};
use crate::environments::booking::fidelity::Fidelity;
use crate::environments::booking::played::Played;
use crate::environments::booking::score::{Scope, Totals, Verdicts};
use crate::evaluation::analyses::{Row, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::analyses::Analyses;
use crate::reports::{Table, percent};

/// The dialogues of a row.
#[derive(Debug, Default)]
pub(super) struct Users {
    dialogues: usize,
    complete: usize,
    consistent: usize,
    left_early: usize,
    invented: usize,
    faithful: usize,
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
        self.complete += usize::from(own.complete);
        self.consistent += usize::from(own.consistent);
        self.left_early += usize::from(own.left_early);
        self.invented += usize::from(own.invented);
        self.faithful += usize::from(own.is_faithful());
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
    let mut users = Table::new("What users did of their part")
        .keys_of(["cell", "user"])
        .numbers([
            "dialogues",
            "said all",
            "consistent",
            "left early",
            "invented",
            "faithful",
        ]);
    let mut scores = Table::new(
        "Scores of the log judge in %, of all dialogues and of those with a faithful user",
    )
    .keys_of(["cell", "user", "over", "part"])
    .numbers(["all", "95 %", "n", "faithful", "95 %", "n"]);
    for (row, own) in played::<Users>(analyses).filter(|(_, own)| own.dialogues > 0) {
        let share = |count: usize| percent(count as f64 / own.dialogues as f64);
        let mut all = analyses.keys(row);
        all.push(own.dialogues.to_string());
        let counts = [
            own.complete,
            own.consistent,
            own.left_early,
            own.invented,
            own.faithful,
        ];
        all.extend(counts.map(share));
        users.row(all);
        let shown = |scope: Scope| matches!(scope, Scope::Dialogues | Scope::Domains);
        for (scope, part) in figures().filter(|(scope, _)| shown(*scope)) {
            let mut all = analyses.keys(row);
            all.extend([scope.as_str().to_owned(), part.as_str().to_owned()]);
            all.extend(texts(&own.all, scope, part));
            all.extend(texts(&own.kept, scope, part));
            scores.row(all);
        }
    }
    vec![users, scores]
}

/// How many `dialogues` there are, in how many the user did what, and the scores of `all` and of the `faithful`.
pub(super) fn object(row: &Row) -> Value {
    let Some(own) = row.tally::<Users>().filter(|own| own.dialogues > 0) else {
        return Value::Null;
    };
    json!({
        "user": row.name.user, "dialogues": own.dialogues, "complete": own.complete, "consistent": own.consistent,
        "left_early": own.left_early, "invented": own.invented, "faithful": own.faithful,
        "scores": { "all": summed(&own.all), "faithful": summed(&own.kept) },
    })
}
