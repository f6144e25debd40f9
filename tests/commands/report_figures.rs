//! Figures: from the log of an episode to the estimates of a run.

use std::fs;
use std::sync::LazyLock;

use crate::support::synthetic::{Story, encode, events, write_run};
use proptest::prelude::*;
use rolecall::domain::{CellName, Ending, Limit, Message, Seat};
use rolecall::evaluation::{Comparison, EpisodeResult, Estimate, Standing, Summary, measure, measure_run};
use rolecall::log::{Batch, RESULTS, RunLog};
use rolecall::ports::{EpisodeLog, Measurement, Metric};
use rolecall::reports;

fn metrics() -> Vec<&'static dyn Metric> {
    rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect()
}

fn result(story: &Story) -> EpisodeResult {
    let events = events(story);
    let log = EpisodeLog::new(&story.id, events.iter().collect());
    measure(&log, &metrics())
}

fn cells() -> Vec<CellName> {
    ["respact", "react"].map(|name| CellName::new(name).unwrap()).to_vec()
}

/// Two cells, two task types, every standing.
fn stories() -> Vec<Story> {
    let mut stories = Vec::new();
    for task in 0..40_u32 {
        for cell in ["respact", "react"] {
            let ending = match (cell, task % 10) {
                ("react", 0..=4) => Ending::OutOf { limit: Limit::Steps },
                (_, 5) => Ending::GaveUp,
                (_, 6) if task == 6 => Ending::Broken { by: Seat::User },
                (_, 7) if task == 7 => Ending::Cancelled,
                _ => Ending::Solved,
            };
            let kind = if task % 2 == 0 { "put" } else { "heat" };
            let mut story = Story::new(&format!("{cell}:{task}:0"), kind, ending);
            story.questions = if cell == "react" { 0 } else { task % 4 };
            story.actions = 2 + task % 7;
            story.invalid = task % 3;
            story.reward *= 0.1 + f64::from(task) / 7.0;
            story.faults = u32::from(task == 9);
            story.user = (cell == "respact").then_some(if task < 20 { "helpful" } else { "unhelpful" });
            if task == 8 && cell == "respact" {
                story.ending = None;
            }
            stories.push(story);
        }
    }
    stories
}

#[test]
fn an_episode_is_measured_from_its_events() {
    let story = Story {
        user: Some("helpful"),
        questions: 2,
        actions: 5,
        invalid: 2,
        faults: 1,
        ..Story::new("respact:4:0", "heat", Ending::Solved)
    };
    let result = result(&story);
    let expected = [
        ("success", Measurement::Rate(true)),
        ("reward", Measurement::Value(1.0)),
        ("steps", Measurement::Value(8.0)),
        ("questions", Measurement::Value(2.0)),
        ("invalid", Measurement::Value(2.0)),
        ("actions", Measurement::Value(5.0)),
        ("thoughts", Measurement::Value(1.0)),
        ("faults", Measurement::Value(1.0)),
        // The thought is the first move, the question the second.
        ("first_question", Measurement::Value(2.0)),
        ("plans", Measurement::Value(0.0)),
        ("judgements", Measurement::Value(0.0)),
        ("lessons", Measurement::Value(0.0)),
        ("finishes", Measurement::Value(0.0)),
        // Both questions are the same; the answer to the second one is acted on.
        ("repeated_questions", Measurement::Value(1.0)),
        ("idle_questions", Measurement::Value(1.0)),
        ("advice_followed", Measurement::Value(1.0)),
        ("dialogue_turns", Measurement::Value(2.0)),
    ];
    let names: Vec<&str> = result.measures.names().collect();
    assert_eq!(names, expected.map(|(name, _)| name));
    for (name, measurement) in expected {
        assert_eq!(result.measures.get(name), measurement, "{name}");
    }
    assert_eq!((result.task.as_str(), result.kind.as_str()), ("task-4", "heat"));
    assert_eq!(result.user.as_deref(), Some("helpful"));
    let Some(Message::Closed(outcome)) = events(&story).pop().map(|event| event.message) else {
        panic!("the story has an end");
    };
    assert_eq!(result.counts, outcome.counts);
    let mut line = Vec::new();
    result.encode(&mut line);
    assert_eq!(EpisodeResult::decode(&line).unwrap(), result);
    let other = String::from_utf8(line).unwrap().replace("\"schema\":1", "\"schema\":2");
    assert!(EpisodeResult::decode(other.as_bytes()).is_err());
}

#[test]
fn what_does_not_count_is_reported_apart() {
    let standing = |ending| {
        let story = Story { ending, ..Story::new("react:0:0", "put", Ending::Solved) };
        result(&story).standing()
    };
    assert_eq!(standing(None), Standing::Unfinished);
    assert_eq!(standing(Some(Ending::Cancelled)), Standing::Cancelled);
    assert_eq!(standing(Some(Ending::Broken { by: Seat::User })), Standing::Broken);
    assert_eq!(standing(Some(Ending::UserLeft)), Standing::Counted);
    let results: Vec<EpisodeResult> = stories().iter().map(result).collect();
    let summary = Summary::of(&results, &cells());
    let total = &summary.total;
    let apart = (total.broken, total.cancelled, total.unfinished);
    assert_eq!((total.episodes, total.counted, apart), (80, 75, (2, 2, 1)));
    assert_eq!(summary.estimate(total, "success").n(), 75);
}

#[test]
fn a_reward_that_is_no_number_spoils_nothing() {
    let story = Story { reward: f64::NAN, ..Story::new("react:0:0", "put", Ending::Solved) };
    let result = result(&story);
    let mut line = Vec::new();
    result.encode(&mut line);
    assert_eq!(EpisodeResult::decode(&line).unwrap(), result);
    let summary = Summary::of(&[result], &[]);
    assert_eq!(summary.estimate(&summary.total, "reward"), Estimate::Empty);
}

#[test]
fn no_metric_fails_on_an_episode_that_hardly_began() {
    let story = Story::new("react:0:0", "put", Ending::Solved);
    let events = events(&story);
    for end in 0..events.len() {
        let log = EpisodeLog::new(&story.id, events.iter().take(end).collect());
        assert_eq!(measure(&log, &metrics()).standing(), Standing::Unfinished);
    }
}

#[test]
fn cells_are_compared_over_the_tasks_that_both_played() {
    let results: Vec<EpisodeResult> = stories().iter().map(result).collect();
    let results: Vec<&EpisodeResult> = results.iter().collect();
    let comparisons = Comparison::all(&results, &cells(), &["steps"]);
    let [one] = &comparisons[..] else {
        panic!("{comparisons:?}");
    };
    // Of 40 tasks 6 and 7 do not count; respact's 8 is unfinished. Both give up at 5, 15, 25 and
    // 35; react alone runs out of steps at 0 to 4 of every ten.
    let solved = one.solved;
    assert_eq!((solved.first, solved.second, solved.neither), (20, 0, 4));
    assert_eq!((solved.both, solved.pairs()), (13, 37));
    assert_eq!(one.p, 2.0 * 0.5_f64.powi(20));
    let success = one.success.unwrap();
    assert!((success.value + 20.0 / 37.0).abs() < 1e-12);
    // Respact asks `task % 4` questions more, and plays the same otherwise.
    let questions = (0..40_u32).filter(|task| !matches!(task, 6..=8));
    let questions: u32 = questions.map(|task| task % 4).sum();
    let steps = &one.means[0];
    let difference = steps.difference.value().unwrap();
    assert!((difference + f64::from(questions) / 37.0).abs() < 1e-12);
    assert!((steps.second - steps.first - difference).abs() < 1e-12);
}

#[test]
fn only_the_same_task_makes_a_pair() {
    let mut first = result(&Story::new("respact:0:0", "put", Ending::Solved));
    let second = result(&Story::new("react:0:0", "put", Ending::GaveUp));
    assert_eq!(Comparison::all(&[&first, &second], &cells(), &["steps"]).len(), 1);
    first.task = "another data set".to_owned();
    assert!(Comparison::all(&[&first, &second], &cells(), &["steps"]).is_empty());
    let many: Vec<CellName> = ('a'..='h').map(|name| CellName::new(&name.to_string()).unwrap()).collect();
    let results: Vec<EpisodeResult> =
        many.iter().map(|cell| result(&Story::new(&format!("{cell}:0:0"), "put", Ending::Solved))).collect();
    let results: Vec<&EpisodeResult> = results.iter().collect();
    assert_eq!(Comparison::all(&results, &many, &["steps"]).len(), 7, "many cells: each with the first");
}

/// Figures counted by hand from `stories`.
#[test]
fn estimates_are_those_of_an_independent_count() {
    let results: Vec<EpisodeResult> = stories().iter().map(result).collect();
    let summary = Summary::of(&results, &cells()).in_order(&rolecall::worlds().kinds());
    let rows: Vec<_> =
        summary.rows.iter().map(|row| (row.cell.as_ref().unwrap().as_str(), row.user.as_deref())).collect();
    assert_eq!(rows, [("respact", Some("helpful")), ("respact", Some("unhelpful")), ("react", None)]);
    assert_eq!(summary.kinds, ["put", "heat"]);
    // Of 40 tasks 6 broke and 7 was cancelled; 5, 15, 25, 35 gave up; 20 ran out of steps.
    let react = &summary.rows[2];
    let Estimate::Rate { n, successes, .. } = summary.estimate(react, "success") else {
        panic!("success is a rate");
    };
    assert_eq!((n, successes), (38, 14));
    assert_eq!(react.endings["out of steps"], 20);
    assert_eq!(react.endings["broken by user"], 1);
    assert_eq!(react.faults[0].count, 1);
    // Actions of the 38: the sum of 2 + task % 7 over 0..40 without 6 and 7.
    let actions: u32 = (0..40_u32).filter(|task| !matches!(task, 6 | 7)).map(|task| 2 + task % 7).sum();
    let found = summary.estimate(react, "actions").value().unwrap();
    assert!((found - f64::from(actions) / 38.0).abs() < 1e-12);
    let first = summary.estimate(react, "first_question");
    assert_eq!(first, Estimate::Empty);
    let put = react.among(&summary.groups, "put").unwrap();
    assert_eq!((put.episodes, put.counted), (20, 19));
}

#[test]
fn an_old_run_gives_the_figures_that_it_gave_when_it_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let batches = stories().into_iter().rev().map(|story| {
        let mut batch = Batch::events(encode(&story.id, &events(&story)));
        if story.ending.is_some() {
            result(&story).encode(&mut batch.result);
        }
        batch
    });
    write_run(&run, "[[cells]]\nname = \"respact\"\n[[cells]]\nname = \"react\"", batches.collect());
    let log = RunLog::open(&run).unwrap();
    let again: Vec<EpisodeResult> =
        log.episodes().unwrap().map(|episode| measure(&episode.unwrap().log(), &metrics())).collect();
    let text = fs::read_to_string(run.join(RESULTS)).unwrap();
    let mut then: Vec<EpisodeResult> =
        text.lines().map(|line| EpisodeResult::decode(line.as_bytes()).unwrap()).collect();
    // An episode that was never closed has no line among the results.
    then.extend(again.iter().filter(|result| result.ending.is_none()).cloned());
    let cells = &log.record().cells;
    assert_eq!(Summary::of(&again, cells), Summary::of(&then, cells));
    assert_eq!(again.len(), 80);
    assert_eq!(reports::facts(&log)[0], ("cells".to_owned(), "respact, react".to_owned()));
    assert!(reports::notes(&log).is_empty());
    assert_eq!(measure_run(&log, &metrics()).unwrap(), again);
}

/// All that a summary of the stories says.
fn summary(stories: &[Story]) -> String {
    let results: Vec<EpisodeResult> = stories.iter().map(result).collect();
    format!("{:?}", Summary::of(&results, &cells()))
}

/// The summary of the stories in their order.
static STRAIGHT: LazyLock<String> = LazyLock::new(|| summary(&stories()));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_order_of_completion_changes_no_bit(
        stories in Just(stories()).prop_shuffle(),
    ) {
        prop_assert_eq!(&*STRAIGHT, &summary(&stories));
    }
}
