//! The metrics of travel (Ask-before-Plan sections 5.1 to 5.3). All are left out on other tasks, and where an episode
//! has nothing of what they count.
//!
//! Micro figures are shares of all turns or constraints, or means over all turns, of all episodes together; macro
//! figures, whose names end with `_macro`, are rates of tasks in which every turn is right. `repeated_errors` and
//! `calls_per_turn` show what memory recollection does.

mod judged;
mod plans;
mod played;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

pub(super) use self::judged::QUESTIONS;

use self::plans::{Judged, Planned};
use self::played::{Played, TurnFigures};
use super::score::clarification::Similarity;
use super::score::{Commonsense, Hard};
use super::steps::Status;
use super::tasks::NAMES;
use crate::ports::{EpisodeLog, Measurement, Metric, MetricEntry};
use crate::world;

/// A figure of an episode; none where it has nothing of the kind.
type Of = fn(&Played) -> Option<Measurement>;
type Further = Vec<(Cow<'static, str>, Measurement)>;

/// A figure, with further ones that are named by what they count.
struct Figure {
    name: &'static str,
    of: Of,
    further: &'static [fn(&Played) -> Further],
}

impl Metric for Figure {
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let played = played(log);
        let found = played.and_then(|played| (self.of)(&played));
        found.unwrap_or(Measurement::Absent)
    }

    fn further(&self, log: &EpisodeLog<'_>) -> Further {
        match (self.further, played(log)) {
            ([further], Some(played)) => further(&played),
            _ => Vec::new(),
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

/// What an episode was; it is read once.
fn played(log: &EpisodeLog<'_>) -> Option<Arc<Played>> {
    log.once(|log| Played::of(log).map(Arc::new))
}

/// The table of metrics: of each the name, what it says, how it is computed, and its further figures.
macro_rules! figures {
    ($($name:literal: $summary:literal => $of:expr $(, $further:expr)?;)+) => {
        /// The table of metrics.
        pub(super) static METRICS: &[MetricEntry] = &[
            $(world::metric($summary, &Figure { name: $name, of: $of, further: &[$($further)?] }).of(NAMES)),+
        ];
    };
}

figures! {
    "clarify_accuracy": "turns in which the clarifier asks if and only if details are open" => |own| share(own, accuracy);
    "clarify_accuracy_macro": "tasks in which it does so in every turn" => |own| every(own, accuracy);
    "clear_recall": "turns without open details in which it does not ask" => |own| share(own, clear);
    "clear_recall_macro": "tasks in which it does not ask when no detail is open" => |own| every(own, clear);
    "vague_recall": "turns with open details in which it asks" => |own| share(own, vague);
    "vague_recall_macro": "tasks in which it asks as long as details are open" => |own| every(own, vague);
    "rule_score": "questions while details are open that are, by their words, about one of them and nothing else"
        => |own| share(own, rule);
    "rule_score_macro": "tasks of which all such questions are" => |own| every(own, rule);
    "question_bleu": "BLEU of these questions with the most similar one of the data set, unsmoothed, from 0 to 1"
        => |own| similar(own, |question| question.bleu);
    "question_rouge_1": "the same in ROUGE-1" => |own| similar(own, |question| question.rouge_1);
    "question_rouge_2": "the same in ROUGE-2" => |own| similar(own, |question| question.rouge_2);
    "question_rouge_l": "the same in ROUGE-L" => |own| similar(own, |question| question.rouge_l);
    "well_formed": "calls of a turn that have the form of a tool's call; 1 without calls"
        => |own| mean(own, |turn| turn.well_formed);
    "api_match": "share of the expected tools that a turn calls" => |own| mean(own, |turn| turn.executed.api_match);
    "call_precision": "share of a turn's calls that are expected" => |own| mean(own, |turn| turn.executed.precision);
    "call_recall": "share of the expected calls that a turn makes" => |own| mean(own, |turn| turn.executed.recall);
    "call_f1": "precision and recall of a turn's calls together" => |own| mean(own, |turn| turn.executed.f1);
    "repeat_rate": "share of a turn's calls that it made before" => |own| mean(own, |turn| turn.executed.repeat_rate);
    "call_pass": "turns that make just the expected calls" => |own| share(own, passes);
    "call_pass_macro": "tasks in which every turn does" => |own| every(own, passes);
    "steps_per_turn": "steps of a turn in which one call is made a step; further the share of each status, such as \
                       `step_tool_error`"
        => |own| sum(own.turns.iter().map(|turn| turn.statuses.len() as f64).filter(|steps| *steps > 0.0)), statuses;
    "conversation_turns": "turns of executor and clarifier" => |own| Some(Measurement::Value(own.turns.len() as f64));
    "details": "details that have to be clarified; further the rate of tasks of each level and length, and with each kind \
                of detail, such as `missing_org`"
        => |own| Some(Measurement::Value(details(own) as f64)), traits;
    "calls_per_turn": "calls of a turn that were performed" => |own| mean(own, |turn| turn.calls as f64);
    "errors_per_turn": "calls of a turn that failed" => |own| mean(own, |turn| turn.errors as f64);
    "repeated_errors": "calls of a turn that failed with the same error as one of an earlier turn; not of first turns"
        => |own| sum(own.turns.iter().skip(1).map(|turn| turn.repeated as f64));
    "plan_delivered": "a plan was delivered" => |own| Some(Measurement::Rate(own.planned.as_ref()?.delivered));
    "commonsense": "constraints of common sense that plans meet, as the original program judges; further the rate of \
                    each"
        => |own| sense(own, reference), |own| each_sense(own, "commonsense", reference);
    "commonsense_macro": "plans that meet all of them" => |own| of_plan(own, reference, has_sense);
    "hard": "constraints of the request that plans meet, of those that count at its level; further the rate of each"
        => |own| wishes(own, reference), |own| each_wish(own, "hard", reference);
    "hard_macro": "plans that meet all that the request has" => |own| of_plan(own, reference, |plan| plan.fits);
    "final_pass": "plans that meet everything" => |own| of_plan(own, reference, |plan| plan.passes);
    "worded_commonsense": "as `commonsense`, judged as the constraints are worded"
        => |own| sense(own, worded), |own| each_sense(own, "worded_commonsense", worded);
    "worded_commonsense_macro": "as `commonsense_macro`, judged as the constraints are worded"
        => |own| of_plan(own, worded, has_sense);
    "worded_hard": "as `hard`, judged as the constraints are worded; at each level all count that the request has"
        => |own| wishes(own, worded), |own| each_wish(own, "worded_hard", worded);
    "worded_hard_macro": "as `hard_macro`, judged as the constraints are worded"
        => |own| of_plan(own, worded, |plan| plan.fits);
    "worded_final_pass": "as `final_pass`, judged as the constraints are worded"
        => |own| of_plan(own, worded, |plan| plan.passes);
}

/// The turns in which something is so, of those that say something about it.
fn share(own: &Played, of: fn(&TurnFigures) -> Option<bool>) -> Option<Measurement> {
    let said: Vec<bool> = own.turns.iter().filter_map(of).collect();
    let hits = said.iter().filter(|yes| **yes).count() as u64;
    let n = said.len() as u64;
    (n > 0).then_some(Measurement::Share { hits, n })
}

/// Whether it is so in all of them.
fn every(own: &Played, of: fn(&TurnFigures) -> Option<bool>) -> Option<Measurement> {
    let said: Vec<bool> = own.turns.iter().filter_map(of).collect();
    (!said.is_empty()).then(|| Measurement::Rate(said.iter().all(|yes| *yes)))
}

fn sum(values: impl Iterator<Item = f64>) -> Option<Measurement> {
    let (n, sum) = values.fold((0, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then_some(Measurement::Sum { sum, n })
}

/// The mean of all turns.
fn mean(own: &Played, of: fn(&TurnFigures) -> f64) -> Option<Measurement> {
    sum(own.turns.iter().map(of))
}

fn accuracy(turn: &TurnFigures) -> Option<bool> {
    Some(turn.clarified?.is_right)
}

fn clear(turn: &TurnFigures) -> Option<bool> {
    recalled(turn, false)
}

fn vague(turn: &TurnFigures) -> Option<bool> {
    recalled(turn, true)
}

fn recalled(turn: &TurnFigures, is_vague: bool) -> Option<bool> {
    let own = turn.clarified.filter(|own| own.is_vague == is_vague)?;
    Some(own.is_right)
}

fn rule(turn: &TurnFigures) -> Option<bool> {
    turn.clarified?.question.map(|(is_about, _)| is_about)
}

fn passes(turn: &TurnFigures) -> Option<bool> {
    Some(turn.executed.pass)
}

/// The mean similarity of the questions that were asked while details were open.
fn similar(own: &Played, of: fn(&Similarity) -> f64) -> Option<Measurement> {
    let questions = own.turns.iter().filter_map(|turn| turn.clarified?.question);
    sum(questions.map(|(_, similarity)| of(&similarity)))
}

/// Of each status the mean over turns of its share of their steps.
fn statuses(own: &Played) -> Further {
    let turns = own.turns.iter().filter(|turn| !turn.statuses.is_empty());
    let all = Status::ALL.into_iter().filter_map(|status| {
        let share = |turn: &TurnFigures| {
            let same = turn.statuses.iter().filter(|own| **own == status);
            same.count() as f64 / turn.statuses.len() as f64
        };
        let word = status.as_str().split(" more").next()?.replace(' ', "_");
        let shares = sum(turns.clone().map(share))?;
        Some((format!("step_{word}").into(), shares))
    });
    all.collect()
}

/// What a task may be like, besides what its details are about.
const TRAITS: &str = "level_easy, level_medium, level_hard, 3_days, 5_days, 7_days, missing_org, missing_dest, \
                      missing_people_number, missing_days, missing_departure_date, missing_budget, unfeasible_dest, \
                      unfeasible_housing, unfeasible_cuisine, unfeasible_transportation, unfeasible_budget";

fn details(own: &Played) -> usize {
    let is_detail = |of: &&String| of.starts_with("missing_") || of.starts_with("unfeasible_");
    own.traits.iter().filter(is_detail).count()
}

/// Of each trait whether the task has it.
fn traits(own: &Played) -> Further {
    let has = |of| own.traits.iter().any(|own| own == of);
    let all = TRAITS.split(", ");
    all.map(|of| (of.into(), Measurement::Rate(has(of)))).collect()
}

/// How a plan was judged in one of both ways.
type Way = fn(&Planned) -> &Judged;

fn reference(plan: &Planned) -> &Judged {
    &plan.reference
}

fn worded(plan: &Planned) -> &Judged {
    &plan.worded
}

fn of_plan(own: &Played, way: Way, of: fn(&Judged) -> bool) -> Option<Measurement> {
    let plan = own.planned.as_ref()?;
    Some(Measurement::Rate(of(way(plan))))
}

fn has_sense(judged: &Judged) -> bool {
    judged.commonsense.iter().all(|met| *met)
}

fn sense(own: &Played, way: Way) -> Option<Measurement> {
    let all = way(own.planned.as_ref()?).commonsense;
    let (hits, n) = (all.iter().filter(|met| **met).count(), all.len());
    let (hits, n) = (hits as u64, n as u64);
    Some(Measurement::Share { hits, n })
}

fn each_sense(own: &Played, name: &str, way: Way) -> Further {
    let met = own.planned.iter().flat_map(|plan| way(plan).commonsense);
    let keys = Commonsense::ALL.map(Commonsense::key).into_iter();
    each(name, keys.zip(met.map(Some)))
}

/// No share: the original's numerator counts what its denominator does not.
fn wishes(own: &Played, way: Way) -> Option<Measurement> {
    let (met, n) = way(own.planned.as_ref()?).hard_of;
    Some(Measurement::Sum { sum: met as f64, n })
}

fn each_wish(own: &Played, name: &str, way: Way) -> Further {
    let met = own.planned.iter().flat_map(|plan| way(plan).hard);
    each(name, Hard::ALL.map(Hard::key).into_iter().zip(met))
}

fn each(name: &str, all: impl Iterator<Item = (&'static str, Option<bool>)>) -> Further {
    let met = all.filter_map(|(key, met)| Some((key, met?)));
    met.map(|(key, met)| (format!("{name}_{key}").into(), Measurement::Rate(met))).collect()
}
