//! Verdicts by AutoTOD's code over the answers of a judge model, beside those of the log judge.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::judged::{AUTOTOD, fields, number};
use super::{figures, summed, texts};
use crate::environments::booking::api::{Api, Domain};
use crate::environments::booking::database::{Database, Record};
use crate::environments::booking::goal::{Goal, Slots};
use crate::environments::booking::played::Played;
use crate::environments::booking::private::Wanted;
use crate::environments::booking::score::{Answers, Part, Totals, Venues, Verdicts, verdict};
use crate::evaluation::analyses::{Row, Tagger, Tally};
use crate::ports::EpisodeLog;
use crate::reports::Table;
use crate::reports::analyses::Analyses;

/// The dialogues of a row.
#[derive(Debug, Default)]
pub(super) struct Autotod {
    by_model: Totals,
    by_log: Totals,
    /// Dialogues of which the model left an answer open: AutoTOD leaves them out.
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
            Some(Ok(own)) => {
                self.compare(&own, by_log.as_ref());
                self.by_model.add(task, own);
            }
        }
        if let Some(own) = by_log {
            self.by_log.add(task, own);
        }
    }
}

impl Autotod {
    fn compare(&mut self, own: &Verdicts, other: Option<&Verdicts>) {
        for (domain, one) in &own.0 {
            let mut others = other.iter().flat_map(|other| &other.0);
            let other = others.find(|(name, _)| name == domain);
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

/// What a model says of a dialogue; none if nobody asked it.
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
        let answers = asked.into_iter().flatten().filter_map(|(field, key)| {
            let text = tagger.text(AUTOTOD.name, field, log.id, number(domain))?;
            Some((key, Value::from(text)))
        });
        let answers: Answers = answers.collect();
        answered |= !answers.is_empty();
        let bookings: Vec<Slots> = bookings(played, domain).collect();
        match verdict(domain, wanted, &answers, &bookings, &venues) {
            Ok(own) => verdicts.0.push((domain, own)),
            Err(_) => complete = false,
        }
    }
    answered.then_some(complete.then_some(verdicts).ok_or(Incomplete))
}

/// The venues and trains that decide the verdicts, as the detail of a score keeps them.
fn venues(detail: &Value) -> Venues {
    let [hotels, restaurants, attractions, trains, _] = Domain::ALL.map(|domain| {
        let records = &detail["records"][domain.as_str()];
        Vec::<Record>::deserialize(records).unwrap_or_default()
    });
    let records = [hotels, restaurants, attractions, trains];
    Venues::new(Arc::new(Database::new(records, Vec::new(), Vec::new())))
}

/// What was booked of a domain, in order.
fn bookings(played: &Played<'_>, domain: Domain) -> impl Iterator<Item = Slots> {
    let calls = played.calls().filter(move |call| {
        let api = call["api"].as_str().and_then(Api::named);
        api.map(Api::domain) == Some(domain)
    });
    calls.filter_map(|call| call.get("booking")?.as_object().cloned())
}

/// The tables of figures and of judges.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let title = "Inform, success and bookings in %: answers of a judge model, and the log judge";
    let table = Table::new(title).keys_of(["cell", "user", "over", "part"]);
    let mut table = table.numbers(["model", "95 %", "n", "log judge", "95 %", "n"]);
    let judges = Table::new("The judges").keys_of(["cell", "user"]);
    let heads = ["by model", "answer missing", "by log", "aborted", "agree"];
    let mut judges = judges.numbers(heads);
    for (row, own) in analyses.collected::<Autotod>() {
        let sums = [&own.by_model, &own.by_log];
        if sums.iter().all(|sum| sum.is_empty()) && own.aborted == 0 {
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
        let counts = [sums[0].len(), own.without, sums[1].len(), own.aborted];
        all.extend(counts.map(|count| count.to_string()));
        all.push(format!("{} of {}", own.agreed, own.compared));
        judges.row(all);
    }
    vec![table, judges]
}

/// `by_model` and `by_log` with figures by what they are over, how many dialogues each has, and how far they agree.
pub(super) fn object(row: &Row) -> Value {
    let own = row.tally::<Autotod>();
    let Some(own) = own.filter(|own| !own.by_log.is_empty() || !own.by_model.is_empty()) else {
        return Value::Null;
    };
    json!({
        "user": row.name.user, "by_model": summed(&own.by_model), "by_log": summed(&own.by_log),
        "dialogues": { "by_model": own.by_model.len(), "by_log": own.by_log.len() },
        "without_answer": own.without, "aborted": own.aborted,
        "agreement": { "parts": own.compared, "agreed": own.agreed },
    })
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::super::made_up;
    use super::*;
    use crate::environments::booking::score::Scope;

    /// Answers of a model about the dialogue of [`made_up::replied`].
    fn tagger(answers: &[(&str, u32, &str)]) -> Tagger {
        let mut tagger = Tagger::default();
        for (field, seq, text) in answers {
            let id: crate::domain::EpisodeId = "main:0:0".parse().unwrap();
            let given = tagger.texts.entry(format!("booking_answers.{field}")).or_insert_with(FxHashMap::default);
            given.insert((id, *seq), (*text).to_owned());
        }
        tagger
    }

    const TAXI: [(&str, u32, &str); 3] =
        [("leave_time", 5, "09:15"), ("car_type", 5, "red bmw"), ("phone_number", 5, "1234567890")];

    fn counted(answers: &[(&str, u32, &str)]) -> Autotod {
        let mut own = Autotod::default();
        made_up::replied("Varsity it is.", |log| own.add(log, &tagger(answers)));
        own
    }

    #[test]
    fn answers_of_a_model_are_judged_by_the_code_of_autotod() {
        let of = |name: &str, reference: &str| {
            let own = counted(&[&[("restaurant", 2, name), ("reference_number", 2, reference)], &TAXI[..]].concat());
            let sum = |scope, part| own.by_model.sum(scope, part).0;
            let restaurant = Scope::Domain(Domain::Restaurant);
            assert_eq!((own.by_model.len(), own.without, own.by_log.len()), (1, 0, 1));
            (sum(restaurant, Part::Inform), sum(restaurant, Part::Book), sum(Scope::Dialogues, Part::Success))
        };
        assert_eq!(of("The Varsity", "AB12CD34"), (1.0, 1.0, 1.0));
        assert_eq!(of("The Varsity", "ab12cd34"), (1.0, 0.0, 1.0));
        assert_eq!(of("Pizza Hut City Centre", "AB12CD34"), (0.0, 0.0, 1.0));
        // The log judge was not told of the reference.
        let own = counted(&[&[("restaurant", 2, "varsity"), ("reference_number", 2, "AB12CD34")], &TAXI[..]].concat());
        assert_eq!(own.by_log.sum(Scope::Dialogues, Part::Book).0, 0.0);
        assert_eq!((own.agreed, own.compared), (2, 4));
    }

    #[test]
    fn an_answer_that_is_missing_leaves_the_dialogue_out() {
        let own = counted(&[&[("restaurant", 2, "varsity")], &TAXI[..]].concat());
        assert_eq!((own.by_model.len(), own.without, own.by_log.len()), (0, 1, 1));
        let own = counted(&[]);
        assert_eq!((own.by_model.len(), own.without, own.by_log.len()), (0, 0, 1));
    }
}
