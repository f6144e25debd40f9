//! The metrics of booking. All are left out on other tasks.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::fidelity::Fidelity;
use super::played::Played;
use super::score::{Part, Scope, Verdicts};
use super::tasks::NAMES;
use rolecall_core::evaluation::metrics::Formula;
use rolecall_core::ports::{EpisodeLog, Measurement, Metric, MetricEntry};
use rolecall_core::world;

/// The table of metrics.
pub(super) static METRICS: &[MetricEntry] = &[
    metric(
        "log judge: what was wanted was found, in every domain",
        &LogFigure("log_inform", Scope::Dialogues, Part::Inform),
    ),
    metric(
        "log judge: what the user wanted to know was said, in every domain where it wanted that",
        &LogFigure("log_success", Scope::Dialogues, Part::Success),
    ),
    metric(
        "log judge: what was wanted was booked, in every domain where it was",
        &LogFigure("log_book", Scope::Dialogues, Part::Book),
    ),
    metric(
        "log judge: half of inform, and half of the mean of success and book as far as there are any",
        &LogFigure("log_combine", Scope::Dialogues, Part::Combine),
    ),
    metric(
        "the same as log_inform over domains; further `log_hotel_inform` and so on by domain",
        &LogFigure("log_domain_inform", Scope::Domains, Part::Inform),
    ),
    metric(
        "the same as log_success over domains; further by domain",
        &LogFigure("log_domain_success", Scope::Domains, Part::Success),
    ),
    metric(
        "the same as log_book over domains; further by domain",
        &LogFigure("log_domain_book", Scope::Domains, Part::Book),
    ),
    metric(
        "the same as log_combine over domains, counted in quarters; further by domain",
        &LogFigure("log_domain_combine", Scope::Domains, Part::Combine),
    ),
    metric(
        "utterances of the user that the agent answered",
        &Formula::optional("user_turns", |log| count(log, |played| played.turns.len())),
    ),
    metric("calls", &Formula::optional("api_calls", |log| count(log, |played| played.calls().count()))),
    metric(
        "calls that were understood and refused",
        &Formula::optional("refused_calls", |log| outcomes(log, "refused")),
    ),
    metric(
        "queries that found more than is shown",
        &Formula::optional("too_many_results", |log| outcomes(log, "too many")),
    ),
    metric("queries that found nothing", &Formula::optional("empty_results", |log| outcomes(log, "nothing"))),
    metric(
        "calls that were made before with the same input",
        &Formula::optional("repeated_calls", |log| count(log, repeated)),
    ),
    metric(
        "calls that could not be understood, and answers with neither call nor reply",
        &Formula::optional("malformed_outputs", |log| count(log, malformed)),
    ),
    metric(
        "dialogues at which the original program stops with an error",
        &Formula::optional("aborted", |log| Some(Measurement::Rate(Played::of(log)?.aborted.is_some()))),
    ),
    metric(
        "the user said all of its goal, or let it pass when it heard it, and asked for what it was not told",
        &Formula::optional("user_complete", |log| fidelity(log, |user| user.complete)),
    ),
    metric(
        "the user said nothing that its goal wants otherwise",
        &Formula::optional("user_consistent", |log| fidelity(log, |user| user.consistent)),
    ),
    metric(
        "the user left before it had said all of its goal",
        &Formula::optional("user_left_early", |log| fidelity(log, |user| user.left_early)),
    ),
    metric(
        "the user said values that its goal leaves open and nobody had offered",
        &Formula::optional("user_invented", |log| fidelity(log, |user| user.invented)),
    ),
];

const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    world::metric(summary, metric).of(NAMES)
}

fn count(log: &EpisodeLog<'_>, of: impl Fn(&Played<'_>) -> usize) -> Option<Measurement> {
    Some(Measurement::Value(of(&Played::of(log)?) as f64))
}

/// The calls with this outcome.
fn outcomes(log: &EpisodeLog<'_>, outcome: &str) -> Option<Measurement> {
    count(log, |played| played.outcomes(outcome))
}

fn malformed(played: &Played<'_>) -> usize {
    played.turns.iter().filter(|turn| turn.raw).count() + played.outcomes("malformed")
}

fn repeated(played: &Played<'_>) -> usize {
    let mut made: HashSet<(Option<&str>, String)> = HashSet::new();
    let again = played.calls().filter(|call| {
        // The same keys in another order are one input.
        let pairs: BTreeMap<&String, &Value> = call["input"].as_object().into_iter().flatten().collect();
        !made.insert((call["api"].as_str(), format!("{pairs:?}")))
    });
    again.count()
}

fn fidelity(log: &EpisodeLog<'_>, of: fn(Fidelity) -> bool) -> Option<Measurement> {
    Fidelity::of(log).map(|user| Measurement::Rate(of(user)))
}

/// A score of the log judge, whose verdicts the world computed when it was asked to assess. Absent for dialogues that
/// the original program aborts or that AutoTOD leaves out. The score over domains has one for each domain beside it.
struct LogFigure(&'static str, Scope, Part);

impl Metric for LogFigure {
    fn name(&self) -> &'static str {
        self.0
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        verdicts(log).map_or(Measurement::Absent, |verdicts| verdicts.measured(self.1, self.2))
    }

    fn further(&self, log: &EpisodeLog<'_>) -> Vec<(Cow<'static, str>, Measurement)> {
        let verdicts = verdicts(log).filter(|_| self.1 == Scope::Domains).unwrap_or_default();
        verdicts
            .0
            .iter()
            .map(|(domain, _)| {
                let name = format!("log_{domain}_{}", self.2.as_str());
                (name.into(), verdicts.measured(Scope::Domain(*domain), self.2))
            })
            .collect()
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

fn verdicts(log: &EpisodeLog<'_>) -> Option<Verdicts> {
    Verdicts::of_detail(Played::of(log)?.score?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::account::{Account, Call, Exchange, Outcome};
    use super::super::analyses::made_up;
    use super::*;

    fn figure(log: &EpisodeLog<'_>, name: &str) -> Measurement {
        for metric in METRICS.iter().map(|entry| entry.metric) {
            if metric.name() == name {
                return metric.measure(log);
            }
            let mut further = metric.further(log).into_iter();
            if let Some((_, found)) = further.find(|(key, _)| key == name) {
                return found;
            }
        }
        Measurement::Absent
    }

    #[test]
    fn the_log_judge_has_figures_of_dialogues_over_domains_and_of_each() {
        made_up::replied("Varsity, reference AB12CD34. A red BMW comes.", |log| {
            let of = |name: &str| figure(log, name);
            assert_eq!(of("log_inform"), Measurement::Rate(true));
            assert_eq!(of("log_success"), Measurement::Rate(false));
            assert_eq!(of("log_book"), Measurement::Rate(true));
            assert_eq!(of("log_combine"), Measurement::Value(0.75));
            assert_eq!(of("log_domain_inform"), Measurement::Share { hits: 2, n: 2 });
            assert_eq!(of("log_domain_success"), Measurement::Share { hits: 0, n: 1 });
            assert_eq!(of("log_domain_combine"), Measurement::Share { hits: 6, n: 8 });
            assert_eq!(of("log_taxi_combine"), Measurement::Value(0.5));
            assert_eq!(of("log_restaurant_success"), Measurement::Absent);
            assert_eq!(of("log_hotel_inform"), Measurement::Absent);
        });
        made_up::elsewhere(|log| {
            for metric in METRICS.iter().map(|entry| entry.metric) {
                assert_eq!(metric.measure(log), Measurement::Absent, "{}", metric.name());
                assert!(metric.further(log).is_empty() && metric.is_left_out_if_absent());
            }
        });
    }

    #[test]
    fn calls_are_counted_by_what_came_of_them() {
        let call = |input: serde_json::Value, outcome: Outcome| Call {
            name: "query_hotels".to_owned(),
            api: None,
            input: input.as_object().unwrap().clone(),
            outcome,
        };
        let found = |count, more| Outcome::Found { count, more };
        let calls = vec![
            call(json!({ "area": "north", "stars": "4" }), found(0, false)),
            call(json!({ "stars": "4", "area": "north" }), found(0, false)),
            call(json!({ "area": "south" }), found(10, true)),
            call(json!({ "area": "west" }), found(3, false)),
            call(json!({ "area": "moon" }), Outcome::Refused),
            call(json!({}), Outcome::Malformed),
        ];
        let turn = |calls, reply: Option<&str>| Exchange {
            user: "A hotel".to_owned(),
            calls,
            reply: reply.map(str::to_owned),
        };
        // Nobody answered the last utterance: all turns were used.
        let exchanges = vec![turn(calls, Some("Where?")), turn(Vec::new(), Some("Yes")), turn(Vec::new(), None)];
        let account = Account { exchanges, farewell: None };
        made_up::with(&made_up::wanted(), &account, |log| {
            for (name, count) in [
                ("user_turns", 2.0),
                ("api_calls", 6.0),
                ("refused_calls", 1.0),
                ("too_many_results", 1.0),
                ("empty_results", 2.0),
                ("repeated_calls", 1.0),
                ("malformed_outputs", 1.0),
            ] {
                assert_eq!(figure(log, name), Measurement::Value(count), "{name}");
            }
            assert_eq!(figure(log, "aborted"), Measurement::Rate(false));
        });
    }
}
