//! Verdicts by AutoTOD's code over the answers of a judge model, beside those of the log judge.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::judged::{AUTOTOD, fields, number};
use super::{figures, summed, texts};
use crate::api::{Api, Domain};
use crate::database::{Database, Record};
use crate::goal::{Goal, Slots, Wanted};
use crate::played::Played;
use crate::score::{Answers, Part, Totals, Venues, Verdicts, verdict};
use rolecall_core::evaluation::analyses::{Row, Tagger, Tally};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::Table;
use rolecall_core::reports::analyses::Analyses;

/// The dialogues of a row.
#[derive(Debug, Default)]
pub(super) struct Autotod {
    by_model: Totals,
    by_log: Totals,
    /// Dialogues in which the model left an answer open: AutoTOD leaves them out.
    without: usize,
    /// Dialogues at which the original program stops.
    aborted: usize,
    /// Parts of verdicts that both judges gave, and those in which they agree.
    compared: u64,
    agreed: u64,
}

impl Tally for Autotod {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let (Some(wanted), Some(played)) = (Wanted::of_log(log), Played::of(log)) else {
            return;
        };
        self.aborted += usize::from(played.aborted.is_some());
        let task = log.opened().map_or("", |opened| opened.task.id.as_str());
        let by_log = played.score.and_then(Verdicts::of_detail);
        match by_model(&wanted.goal, &played, log, tagger) {
            None => {}
            Some(Err(Incomplete)) => self.without += 1,
            Some(Ok(verdicts)) => {
                self.compare(&verdicts, by_log.as_ref());
                self.by_model.add(task, verdicts);
            }
        }
        if let Some(verdicts) = by_log {
            self.by_log.add(task, verdicts);
        }
    }
}

impl Autotod {
    fn compare(&mut self, verdicts: &Verdicts, other: Option<&Verdicts>) {
        for (domain, one) in &verdicts.0 {
            let other = other.iter().flat_map(|other| &other.0).find(|(name, _)| name == domain);
            for part in [Part::Inform, Part::Success, Part::Book] {
                let other = other.and_then(|(_, other)| other.share(part));
                if let Some((one, other)) = one.share(part).zip(other) {
                    self.compared += 1;
                    self.agreed += u64::from(one == other);
                }
            }
        }
    }
}

/// An answer of the model is missing.
struct Incomplete;

/// Verdicts of a model on a dialogue; none if nobody asked it.
fn by_model(
    goal: &Goal,
    played: &Played<'_>,
    log: &EpisodeLog<'_>,
    tagger: &Tagger,
) -> Option<Result<Verdicts, Incomplete>> {
    let venues = venues(played.score?);
    let (mut verdicts, mut answered, mut complete) = (Verdicts::default(), false, true);
    let wanted = Domain::ALL.into_iter();
    for (domain, wanted) in wanted.filter_map(|domain| Some((domain, goal.of(domain)?))) {
        let asked = fields(domain, wanted);
        complete &= asked.is_some();
        let answers: Answers = asked
            .into_iter()
            .flatten()
            .filter_map(|(field, key)| {
                let text = tagger.text(AUTOTOD.name, field, log.id, number(domain))?;
                Some((key, Value::from(text)))
            })
            .collect();
        answered |= !answers.is_empty();
        let bookings: Vec<Slots> = bookings(played, domain).collect();
        match verdict(domain, wanted, &answers, &bookings, &venues) {
            Ok(verdict) => verdicts.0.push((domain, verdict)),
            Err(_) => complete = false,
        }
    }
    answered.then_some(complete.then_some(verdicts).ok_or(Incomplete))
}

/// The venues and trains that decide the verdicts, from the detail of a score.
fn venues(detail: &Value) -> Venues {
    let [hotels, restaurants, attractions, trains, _] =
        Domain::ALL.map(|domain| Vec::<Record>::deserialize(&detail["records"][domain.as_str()]).unwrap_or_default());
    Venues::new(Arc::new(Database::new([hotels, restaurants, attractions, trains], Vec::new(), Vec::new())))
}

/// Bookings of a domain, in order.
fn bookings(played: &Played<'_>, domain: Domain) -> impl Iterator<Item = Slots> {
    played
        .calls()
        .filter(move |call| call["api"].as_str().and_then(Api::named).map(Api::domain) == Some(domain))
        .filter_map(|call| call.get("booking")?.as_object().cloned())
}

/// The tables of scores and of judges.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let title = "Inform, success and bookings in %: answers of a judge model, and the log judge";
    let mut table = Table::new(title).keys_of(["cell", "user", "over", "part"]).numbers([
        "model",
        "95 %",
        "n",
        "log judge",
        "95 %",
        "n",
    ]);
    let judges = Table::new("The judges").keys_of(["cell", "user"]);
    let mut judges = judges.numbers(["by model", "answer missing", "by log", "aborted", "agree"]);
    for (row, tally) in analyses.collected::<Autotod>() {
        let sums = [&tally.by_model, &tally.by_log];
        if sums.iter().all(|sum| sum.is_empty()) && tally.aborted == 0 {
            continue;
        }
        for (scope, part) in figures() {
            if sums.iter().any(|totals| totals.sum(scope, part).1 > 0) {
                let mut all = analyses.keys(row);
                all.extend(texts(scope, part, sums));
                table.row(all);
            }
        }
        let mut all = analyses.keys(row);
        all.extend([sums[0].len(), tally.without, sums[1].len(), tally.aborted].map(|count| count.to_string()));
        all.push(format!("{} of {}", tally.agreed, tally.compared));
        judges.row(all);
    }
    vec![table, judges]
}

/// JSON of a row: `by_model` and `by_log` with scores by scope, the number of dialogues of each, and their agreement.
pub(super) fn object(row: &Row) -> Value {
    let tally = row.tally::<Autotod>();
    let Some(tally) = tally.filter(|tally| !tally.by_log.is_empty() || !tally.by_model.is_empty()) else {
        return Value::Null;
    };
    json!({
        "user": row.name.user, "by_model": summed(&tally.by_model), "by_log": summed(&tally.by_log),
        "dialogues": { "by_model": tally.by_model.len(), "by_log": tally.by_log.len() },
        "without_answer": tally.without, "aborted": tally.aborted,
        "agreement": { "parts": tally.compared, "agreed": tally.agreed },
    })
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::super::made_up;
    use super::*;
    use crate::score::Scope;

    /// Answers of a model about the dialogue of [`made_up::replied`].
    fn tagger(answers: &[(&str, u32, &str)]) -> Tagger {
        let mut tagger = Tagger::default();
        for (field, seq, text) in answers {
            let id: rolecall_core::domain::EpisodeId = "main:0:0".parse().unwrap();
            let given = tagger.texts.entry(format!("booking_answers.{field}")).or_insert_with(FxHashMap::default);
            given.insert((id, *seq), (*text).to_owned());
        }
        tagger
    }

    const TAXI: [(&str, u32, &str); 3] =
        [("leave_time", 5, "09:15"), ("car_type", 5, "red bmw"), ("phone_number", 5, "1234567890")];

    fn counted(answers: &[(&str, u32, &str)]) -> Autotod {
        let mut tally = Autotod::default();
        made_up::replied("Varsity it is.", |log| tally.add(log, &tagger(answers)));
        tally
    }

    #[test]
    fn answers_of_a_model_are_judged_by_the_code_of_autotod() {
        let of = |name: &str, reference: &str| {
            let tally = counted(&[&[("restaurant", 2, name), ("reference_number", 2, reference)], &TAXI[..]].concat());
            let sum = |scope, part| tally.by_model.sum(scope, part).0;
            let restaurant = Scope::Domain(Domain::Restaurant);
            assert_eq!((tally.by_model.len(), tally.without, tally.by_log.len()), (1, 0, 1));
            (sum(restaurant, Part::Inform), sum(restaurant, Part::Book), sum(Scope::Dialogues, Part::Success))
        };
        assert_eq!(of("The Varsity", "AB12CD34"), (1.0, 1.0, 1.0));
        assert_eq!(of("The Varsity", "ab12cd34"), (1.0, 0.0, 1.0));
        assert_eq!(of("Pizza Hut City Centre", "AB12CD34"), (0.0, 0.0, 1.0));
        // The log judge was not told of the reference.
        let tally =
            counted(&[&[("restaurant", 2, "varsity"), ("reference_number", 2, "AB12CD34")], &TAXI[..]].concat());
        assert_eq!(tally.by_log.sum(Scope::Dialogues, Part::Book).0, 0.0);
        assert_eq!((tally.agreed, tally.compared), (2, 4));
    }

    #[test]
    fn an_answer_that_is_missing_leaves_the_dialogue_out() {
        let tally = counted(&[&[("restaurant", 2, "varsity")], &TAXI[..]].concat());
        assert_eq!((tally.by_model.len(), tally.without, tally.by_log.len()), (0, 1, 1));
        let tally = counted(&[]);
        assert_eq!((tally.by_model.len(), tally.without, tally.by_log.len()), (0, 0, 1));
    }
}
