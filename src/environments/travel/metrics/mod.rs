//! The metrics of travel (Ask-before-Plan sections 5.1 to 5.3). All are left out on other tasks, and where an episode
//! has nothing of what they count.
//!
//! Micro figures are shares of all turns or constraints, or means over all turns, of all episodes together; macro
//! figures, whose names end with `_macro`, are rates of tasks in which every turn is right. `repeated_errors` and
//! `calls_per_turn` show what memory recollection does.

mod judged;
mod played;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use self::played::{Judged, Planned, Played, TurnFigures};
use super::score::clarification::Similarity;
use super::score::{Commonsense, Hard};
use super::steps::Status;
use super::tasks::NAMES;
use rolecall_core::ports::{EpisodeLog, Measurement, Metric, MetricEntry};
use rolecall_core::world;

pub(super) use self::judged::QUESTIONS;

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
        played(log).and_then(|played| (self.of)(&played)).unwrap_or(Measurement::Absent)
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

/// The figures of an episode, which is read once.
fn played(log: &EpisodeLog<'_>) -> Option<Arc<Played>> {
    log.once(|log| Played::of(log).map(Arc::new))
}

/// The table of metrics: of each the name, what it says, the function of the episode that computes it, and another one
/// for its further figures.
macro_rules! figures {
    ($($name:literal: $summary:literal => $of:ident($($by:expr),*) $(, $further:ident($($more:expr),*))?;)+) => {
        /// The table of metrics.
        pub(super) static METRICS: &[MetricEntry] = &[$(world::metric($summary, &Figure {
            name: $name,
            of: |played| $of(played, $($by),*),
            further: &[$(|played| $further(played, $($more),*))?],
        }).of(NAMES)),+];
    };
}

figures! {
    "clarify_accuracy": "turns in which the clarifier asks if and only if details are open" => share(accuracy);
    "clarify_accuracy_macro": "tasks in which it does so in every turn" => every(accuracy);
    "clear_recall": "turns without open details in which it does not ask" => share(clear);
    "clear_recall_macro": "tasks in which it does not ask when no detail is open" => every(clear);
    "vague_recall": "turns with open details in which it asks" => share(vague);
    "vague_recall_macro": "tasks in which it asks as long as details are open" => every(vague);
    "rule_score": "questions while details are open that are, by their words, about one of them and nothing else"
        => share(rule);
    "rule_score_macro": "tasks of which all such questions are" => every(rule);
    "question_bleu": "BLEU of these questions with the most similar one of the data set, unsmoothed, from 0 to 1"
        => similar(|question| question.bleu);
    "question_rouge_1": "the same in ROUGE-1" => similar(|question| question.rouge_1);
    "question_rouge_2": "the same in ROUGE-2" => similar(|question| question.rouge_2);
    "question_rouge_l": "the same in ROUGE-L" => similar(|question| question.rouge_l);
    "well_formed": "calls of a turn that have the form of a tool's call; 1 without calls"
        => mean(|turn| turn.well_formed);
    "api_match": "share of the expected tools that a turn calls" => mean(|turn| turn.executed.api_match);
    "call_precision": "share of a turn's calls that are expected" => mean(|turn| turn.executed.precision);
    "call_recall": "share of the expected calls that a turn makes" => mean(|turn| turn.executed.recall);
    "call_f1": "precision and recall of a turn's calls together" => mean(|turn| turn.executed.f1);
    "repeat_rate": "share of a turn's calls that it made before" => mean(|turn| turn.executed.repeat_rate);
    "call_pass": "turns that make just the expected calls" => share(passes);
    "call_pass_macro": "tasks in which every turn does" => every(passes);
    "steps_per_turn": "steps of a turn in which one call is made a step; further the share of each status, such as \
                       `step_tool_error`" => steps(), statuses();
    "conversation_turns": "turns of executor and clarifier" => value(|played| played.turns.len());
    "details": "details that have to be clarified; further the rate of tasks of each level and length, and with each kind \
                of detail, such as `missing_org`" => value(details), traits();
    "calls_per_turn": "calls of a turn that were performed" => mean(|turn| turn.calls as f64);
    "errors_per_turn": "calls of a turn that failed" => mean(|turn| turn.errors as f64);
    "repeated_errors": "calls of a turn that failed with the same error as one of an earlier turn; not of first turns"
        => repeated();
    "plan_delivered": "a plan was delivered" => delivered();
    "commonsense": "constraints of common sense that plans meet, as the original program judges; further the rate of \
                    each" => sense(reference), each_sense("commonsense", reference);
    "commonsense_macro": "plans that meet all of them" => of_plan(reference, has_sense);
    "hard": "constraints of the request that plans meet, of those that count at its level; further the rate of each"
        => wishes(reference), each_wish("hard", reference);
    "hard_macro": "plans that meet all that the request has" => of_plan(reference, |plan| plan.fits);
    "final_pass": "plans that meet everything" => of_plan(reference, |plan| plan.passes);
    "worded_commonsense": "as `commonsense`, judged as the constraints are worded"
        => sense(worded), each_sense("worded_commonsense", worded);
    "worded_commonsense_macro": "as `commonsense_macro`, judged as the constraints are worded"
        => of_plan(worded, has_sense);
    "worded_hard": "as `hard`, judged as the constraints are worded; at each level all count that the request has"
        => wishes(worded), each_wish("worded_hard", worded);
    "worded_hard_macro": "as `hard_macro`, judged as the constraints are worded" => of_plan(worded, |plan| plan.fits);
    "worded_final_pass": "as `final_pass`, judged as the constraints are worded" => of_plan(worded, |plan| plan.passes);
}

/// The turns in which something is so, of those that say something about it.
fn share(played: &Played, of: fn(&TurnFigures) -> Option<bool>) -> Option<Measurement> {
    hits(&played.turns.iter().filter_map(of).collect::<Vec<bool>>())
}

fn hits(all: &[bool]) -> Option<Measurement> {
    let (hits, n) = (all.iter().filter(|yes| **yes).count() as u64, all.len() as u64);
    (n > 0).then_some(Measurement::Share { hits, n })
}

/// Whether it is so in all of them.
fn every(played: &Played, of: fn(&TurnFigures) -> Option<bool>) -> Option<Measurement> {
    let said: Vec<bool> = played.turns.iter().filter_map(of).collect();
    (!said.is_empty()).then(|| Measurement::Rate(said.iter().all(|yes| *yes)))
}

fn sum(values: impl Iterator<Item = f64>) -> Option<Measurement> {
    let (n, sum) = values.fold((0, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then_some(Measurement::Sum { sum, n })
}

/// The mean of all turns.
fn mean(played: &Played, of: fn(&TurnFigures) -> f64) -> Option<Measurement> {
    sum(played.turns.iter().map(of))
}

fn value(played: &Played, of: fn(&Played) -> usize) -> Option<Measurement> {
    Some(Measurement::Value(of(played) as f64))
}

/// The steps of turns that have any.
fn steps(played: &Played) -> Option<Measurement> {
    sum(played.turns.iter().map(|turn| turn.statuses.len() as f64).filter(|steps| *steps > 0.0))
}

fn repeated(played: &Played) -> Option<Measurement> {
    sum(played.turns.iter().skip(1).map(|turn| turn.repeated as f64))
}

fn delivered(played: &Played) -> Option<Measurement> {
    Some(Measurement::Rate(played.planned.as_ref()?.delivered))
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
    let clarified = turn.clarified.filter(|clarified| clarified.is_vague == is_vague)?;
    Some(clarified.is_right)
}

fn rule(turn: &TurnFigures) -> Option<bool> {
    turn.clarified?.question.map(|(is_about, _)| is_about)
}

fn passes(turn: &TurnFigures) -> Option<bool> {
    Some(turn.executed.pass)
}

/// The mean similarity of the questions that were asked while details were open.
fn similar(played: &Played, of: fn(&Similarity) -> f64) -> Option<Measurement> {
    let questions = played.turns.iter().filter_map(|turn| turn.clarified?.question);
    sum(questions.map(|(_, similarity)| of(&similarity)))
}

/// Of each status the mean over turns of its share of their steps.
fn statuses(played: &Played) -> Further {
    let turns = played.turns.iter().filter(|turn| !turn.statuses.is_empty());
    Status::ALL
        .into_iter()
        .filter_map(|status| {
            let share = |turn: &TurnFigures| {
                turn.statuses.iter().filter(|found| **found == status).count() as f64 / turn.statuses.len() as f64
            };
            let word = status.as_str().split(" more").next()?.replace(' ', "_");
            let shares = sum(turns.clone().map(share))?;
            Some((format!("step_{word}").into(), shares))
        })
        .collect()
}

/// The traits that a task may have.
const TRAITS: &str = "level_easy, level_medium, level_hard, 3_days, 5_days, 7_days, missing_org, missing_dest, \
                      missing_people_number, missing_days, missing_departure_date, missing_budget, unfeasible_dest, \
                      unfeasible_housing, unfeasible_cuisine, unfeasible_transportation, unfeasible_budget";

fn details(played: &Played) -> usize {
    let is_detail = |of: &&String| of.starts_with("missing_") || of.starts_with("unfeasible_");
    played.traits.iter().filter(is_detail).count()
}

/// Of each trait whether the task has it.
fn traits(played: &Played) -> Further {
    let has = |of| played.traits.iter().any(|held| held == of);
    TRAITS.split(", ").map(|of| (of.into(), Measurement::Rate(has(of)))).collect()
}

/// How a plan was judged in one of both ways.
type Way = fn(&Planned) -> &Judged;

fn reference(plan: &Planned) -> &Judged {
    &plan.reference
}

fn worded(plan: &Planned) -> &Judged {
    &plan.worded
}

fn of_plan(played: &Played, way: Way, of: fn(&Judged) -> bool) -> Option<Measurement> {
    let plan = played.planned.as_ref()?;
    Some(Measurement::Rate(of(way(plan))))
}

fn has_sense(judged: &Judged) -> bool {
    judged.commonsense.iter().all(|met| *met)
}

fn sense(played: &Played, way: Way) -> Option<Measurement> {
    hits(&way(played.planned.as_ref()?).commonsense)
}

fn each_sense(played: &Played, name: &str, way: Way) -> Further {
    let met = played.planned.iter().flat_map(|plan| way(plan).commonsense);
    let keys = Commonsense::ALL.map(Commonsense::key).into_iter();
    each(name, keys.zip(met.map(Some)))
}

/// No share: the original's numerator counts what its denominator does not.
fn wishes(played: &Played, way: Way) -> Option<Measurement> {
    let (met, n) = way(played.planned.as_ref()?).hard_of;
    Some(Measurement::Sum { sum: met as f64, n })
}

fn each_wish(played: &Played, name: &str, way: Way) -> Further {
    let met = played.planned.iter().flat_map(|plan| way(plan).hard);
    each(name, Hard::ALL.map(Hard::key).into_iter().zip(met))
}

fn each(name: &str, all: impl Iterator<Item = (&'static str, Option<bool>)>) -> Further {
    all.filter_map(|(key, met)| Some((format!("{name}_{key}").into(), Measurement::Rate(met?)))).collect()
}
