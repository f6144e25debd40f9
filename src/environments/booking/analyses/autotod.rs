//! Verdicts by AutoTOD's code over the answers of a judge model, beside those of the log judge.

use std::sync::Arc;

use serde_json::{Value, json};

use super::judged::{AUTOTOD, fields, number};
use super::{figures, played, summed, texts};
use crate::environments::booking::api::{Api, Domain};
use crate::environments::booking::database::{Database, Record};
use crate::environments::booking::goal::{Goal, Slots};
use crate::environments::booking::played::Played;
use crate::environments::booking::private::Wanted;
use crate::environments::booking::score::{Answers, Totals, Venues, Verdicts, verdict};
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
        if let Some(own) = &by_log {
            self.by_log.add(task, own.clone());
        }
        match by_model(&wanted.goal, &played, log, tagger) {
            Model::Unasked => {}
            Model::Incomplete => self.without += 1,
            Model::Judged(own) => {
                if let Some(other) = &by_log {
                    self.compare(&own, other);
                }
                self.by_model.add(task, own);
            }
        }
    }
}

impl Autotod {
    fn compare(&mut self, own: &Verdicts, other: &Verdicts) {
        for (domain, one) in &own.0 {
            let Some((_, other)) = other.0.iter().find(|(name, _)| name == domain) else {
                continue;
            };
            let parts = [
                (one.inform, other.inform),
                (one.success, other.success),
                (one.book, other.book),
            ];
            for (one, other) in parts.into_iter().filter_map(|(one, other)| one.zip(other)) {
                self.compared += 1;
                self.agreed += u64::from(one == other);
            }
        }
    }
}

/// What a model says of a dialogue.
enum Model {
    /// Nobody asked it.
    Unasked,
    /// An answer is missing.
    Incomplete,
    /// It answered all that it was asked.
    Judged(Verdicts),
}

fn by_model(goal: &Goal, played: &Played<'_>, log: &EpisodeLog<'_>, tagger: &Tagger) -> Model {
    let (mut verdicts, mut answered, mut complete) = (Vec::new(), false, true);
    let Some(venues) = played.score.map(venues) else {
        return Model::Unasked;
    };
    for domain in Domain::ALL {
        let Some(wanted) = goal.of(domain) else {
            continue;
        };
        let asked = fields(domain, wanted);
        complete &= asked.is_some();
        let mut answers = Answers::new();
        for (field, key) in asked.unwrap_or_default() {
            let text = tagger.text(AUTOTOD.name, field, log.id, number(domain));
            answered |= text.is_some();
            answers.extend(text.map(|text| (key, Value::from(text))));
        }
        let bookings: Vec<Slots> = bookings(played, domain).collect();
        match verdict(domain, wanted, &answers, &bookings, &venues) {
            Ok(own) => verdicts.push((domain, own)),
            Err(_) => complete = false,
        }
    }
    match (answered, complete) {
        (false, _) => Model::Unasked,
        (true, false) => Model::Incomplete,
        (true, true) => Model::Judged(Verdicts(verdicts)),
    }
}

/// The venues and trains that decide the verdicts, as the detail of a score keeps them.
fn venues(detail: &Value) -> Venues {
    let of = |domain: Domain| -> Vec<Record> {
        let records = detail
            .get("records")
            .and_then(|all| all.get(domain.as_str()));
        let records = records.and_then(Value::as_array).into_iter().flatten();
        records
            .filter_map(|record| record.as_object().cloned())
            .collect()
    };
    let domains = [
        Domain::Hotel,
        Domain::Restaurant,
        Domain::Attraction,
        Domain::Train,
    ];
    Venues::new(Arc::new(Database::new(
        domains.map(of),
        Vec::new(),
        Vec::new(),
    )))
}

/// What was booked of a domain, in order.
fn bookings(played: &Played<'_>, domain: Domain) -> impl Iterator<Item = Slots> {
    let calls = played.calls().filter(move |call| {
        let api = call["api"].as_str().and_then(Api::named);
        api.map(Api::domain) == Some(domain)
    });
    calls.filter_map(|call| call.get("booking")?.as_object().cloned())
}

/// The table of figures.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let mut table = Table::new(
        "Inform, success and bookings in %: answers of a judge model, and the log judge",
    )
    .keys_of(["cell", "user", "over", "part"])
    .numbers(["model", "95 %", "n", "log judge", "95 %", "n"]);
    let mut judges = Table::new("The judges").keys_of(["cell", "user"]).numbers([
        "by model",
        "answer missing",
        "by log",
        "aborted",
        "agree",
    ]);
    for (row, own) in played::<Autotod>(analyses) {
        if own.by_log.is_empty() && own.by_model.is_empty() && own.aborted == 0 {
            continue;
        }
        for (scope, part) in figures() {
            let is_there = |totals: &Totals| totals.sum(scope, part).1 > 0;
            if !is_there(&own.by_model) && !is_there(&own.by_log) {
                continue;
            }
            let mut all = analyses.keys(row);
            all.extend([scope.as_str().to_owned(), part.as_str().to_owned()]);
            all.extend(texts(&own.by_model, scope, part));
            all.extend(texts(&own.by_log, scope, part));
            table.row(all);
        }
        let mut all = analyses.keys(row);
        let counts = [
            own.by_model.len(),
            own.without,
            own.by_log.len(),
            own.aborted,
        ];
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
    use crate::environments::booking::score::{Part, Scope};

    /// Answers of a model about the dialogue of [`made_up::replied`].
    fn tagger(answers: &[(&str, u32, &str)]) -> Tagger {
        let mut tagger = Tagger::default();
        for (field, seq, text) in answers {
            let id: crate::domain::EpisodeId = "main:0:0".parse().unwrap();
            let given = tagger
                .texts
                .entry(format!("booking_answers.{field}"))
                .or_insert_with(FxHashMap::default);
            given.insert((id, *seq), (*text).to_owned());
        }
        tagger
    }

    const TAXI: [(&str, u32, &str); 3] = [
        ("leave_time", 5, "09:15"),
        ("car_type", 5, "red bmw"),
        ("phone_number", 5, "1234567890"),
    ];

    fn counted(answers: &[(&str, u32, &str)]) -> Autotod {
        let mut own = Autotod::default();
        made_up::replied("Varsity it is.", |log| own.add(log, &tagger(answers)));
        own
    }

    #[test]
    fn answers_of_a_model_are_judged_by_the_code_of_autotod() {
        let of = |name: &str, reference: &str| {
            let own = counted(
                &[
                    &[("restaurant", 2, name), ("reference_number", 2, reference)],
                    &TAXI[..],
                ]
                .concat(),
            );
            let sum = |scope, part| own.by_model.sum(scope, part).0;
            let restaurant = Scope::Domain(Domain::Restaurant);
            assert_eq!(
                (own.by_model.len(), own.without, own.by_log.len()),
                (1, 0, 1)
            );
            (
                sum(restaurant, Part::Inform),
                sum(restaurant, Part::Book),
                sum(Scope::Dialogues, Part::Success),
            )
        };
        assert_eq!(of("The Varsity", "AB12CD34"), (1.0, 1.0, 1.0));
        assert_eq!(of("The Varsity", "ab12cd34"), (1.0, 0.0, 1.0));
        assert_eq!(of("Pizza Hut City Centre", "AB12CD34"), (0.0, 0.0, 1.0));
        // The log judge was not told of the reference.
        let own = counted(
            &[
                &[
                    ("restaurant", 2, "varsity"),
                    ("reference_number", 2, "AB12CD34"),
                ],
                &TAXI[..],
            ]
            .concat(),
        );
        assert_eq!(own.by_log.sum(Scope::Dialogues, Part::Book).0, 0.0);
        assert_eq!((own.agreed, own.compared), (2, 4));
    }

    #[test]
    fn an_answer_that_is_missing_leaves_the_dialogue_out() {
        let own = counted(&[&[("restaurant", 2, "varsity")], &TAXI[..]].concat());
        assert_eq!(
            (own.by_model.len(), own.without, own.by_log.len()),
            (0, 1, 1)
        );
        let own = counted(&[]);
        assert_eq!(
            (own.by_model.len(), own.without, own.by_log.len()),
            (0, 0, 1)
        );
    }
}
