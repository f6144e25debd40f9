//! Estimates and comparisons against those of other programs: `tests/original/statistics.jsonl`
//! holds made-up episodes and what SciPy and statsmodels make of them
//! (`tests/original/statistics.py`).

use std::fs;
use std::path::Path;

use crate::support::synthetic::{Story, events};
use proptest::prelude::*;
use rolecall::domain::{CellName, Ending, Seat};
use rolecall::evaluation::{CellEpisodes, Comparison, EpisodeResult, Estimate, Pairs, Summary, holm, measure};
use rolecall::ports::{EpisodeLog, Metric};
use rolecall::reports::{self, Layout, Report, json, markdown};
use serde_json::{Value, json};

/// Ends that are computed without chance.
const EXACT: f64 = 1e-8;
/// Ends of bootstrap intervals vary with the draws, here by this share of the standard error.
const DRAWS: f64 = 0.25;

fn lines(kind: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/original/statistics.jsonl");
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let found: Vec<Value> = lines.filter(|line: &Value| line["kind"] == kind).collect();
    assert!(!found.is_empty());
    found
}

fn result(story: &Story) -> EpisodeResult {
    let metrics: Vec<&dyn Metric> = rolecall::worlds().metrics.into_iter().map(|entry| entry.metric).collect();
    let events = events(story);
    let log = EpisodeLog::new(&story.id, events.iter().collect());
    measure(&log, &metrics)
}

fn results(cell: &str, episodes: &Value) -> Vec<EpisodeResult> {
    let played = |episode: &Value| {
        let [task, repeat, solved, actions] = [0, 1, 2, 3].map(|place| episode[place].as_u64());
        let ending = match solved {
            Some(1) => Ending::Solved,
            _ => Ending::GaveUp,
        };
        let id = format!("{cell}:{}:{}", task.unwrap(), repeat.unwrap());
        let story = Story { actions: u32::try_from(actions.unwrap()).unwrap(), ..Story::new(&id, "put", ending) };
        result(&story)
    };
    episodes.as_array().unwrap().iter().map(played).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn near(found: f64, expected: &Value, tolerance: f64, what: &str) {
    let expected = number(expected);
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

fn bootstrapped(found: &Estimate, expected: &Value, what: &str) {
    near(found.value().unwrap(), &expected["mean"], EXACT, what);
    let (low, high) = found.interval().unwrap();
    let tolerance = DRAWS * number(&expected["error"]);
    near(low, &expected["low"], tolerance, what);
    near(high, &expected["high"], tolerance, what);
}

#[test]
fn estimates_are_those_of_scipy_and_statsmodels() {
    for (place, line) in lines("single").iter().enumerate() {
        let results = results("react", &line["episodes"]);
        let summary = Summary::of(&results, &[]);
        let row = &summary.rows[0];
        let what = format!("run {place}");
        bootstrapped(&summary.estimate(row, "steps"), &line["steps"], &what);
        let success = summary.estimate(row, "success");
        near(success.value().unwrap(), &line["success"]["rate"], EXACT, &what);
        let (low, high) = success.interval().unwrap();
        near(low, &line["success"]["low"], EXACT, &what);
        near(high, &line["success"]["high"], EXACT, &what);
        let tries = line["tries"].as_array().unwrap();
        assert_eq!(row.passes.len(), tries.len(), "{what}");
        for (found, expected) in row.passes.iter().zip(tries) {
            assert_eq!(found.tries as u64, expected["k"]);
            assert_eq!(found.tasks as u64, expected["tasks"]);
            for (share, name) in [(found.any, "any"), (found.every, "every")] {
                let what = format!("{what}, {name} of {} tries", found.tries);
                near(share.value, &expected[name]["rate"], EXACT, &what);
                near(share.low, &expected[name]["low"], EXACT, &what);
                near(share.high, &expected[name]["high"], EXACT, &what);
            }
        }
    }
}

#[test]
fn comparisons_are_those_of_scipy_and_statsmodels() {
    for (place, line) in lines("paired").iter().enumerate() {
        let (first, second) = (results("a", &line["first"]), results("b", &line["second"]));
        let pairs = Pairs::of(&CellEpisodes::new(&first), &CellEpisodes::new(&second));
        let found = Comparison::of("a".to_owned(), "b".to_owned(), &pairs, &["steps"]).unwrap();
        let what = format!("comparison {place}");
        assert_eq!(found.solved.pairs() as u64, line["pairs"], "{what}");
        let success = found.success.unwrap();
        let expected = &line["success"];
        near(success.value, &expected["difference"], EXACT, &what);
        near(success.low, &expected["low"], EXACT, &what);
        near(success.high, &expected["high"], EXACT, &what);
        near(found.p, &expected["p"], EXACT, &what);
        bootstrapped(&found.means[0].difference, &line["steps"], &what);
        assert_eq!(found.power(0.05).needed, line["needed"], "{what}");
    }
}

#[test]
fn adjusted_p_values_are_those_of_statsmodels() {
    let line = &lines("holm")[0];
    let numbers = |name: &str| -> Vec<f64> { line[name].as_array().unwrap().iter().map(number).collect() };
    for (found, expected) in holm(&numbers("p")).iter().zip(numbers("adjusted")) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

/// Two cells that play thirty tasks four times.
fn repeated() -> Vec<EpisodeResult> {
    let lines = lines("single");
    let mut all = results("react", &lines[3]["episodes"]);
    all.extend(results("respact", &lines[4]["episodes"]));
    all
}

fn cells() -> [CellName; 2] {
    ["react", "respact"].map(|name| CellName::new(name).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn the_order_of_results_changes_no_bit(shuffled in Just(repeated()).prop_shuffle()) {
        let all = |results: &[EpisodeResult]| {
            let listed: Vec<&EpisodeResult> = results.iter().collect();
            let comparisons = Comparison::all(&listed, &cells(), &["steps"]);
            format!("{:?} {comparisons:?}", Summary::of(results, &cells()))
        };
        prop_assert_eq!(all(&repeated()), all(&shuffled));
    }
}

#[test]
fn cells_that_share_tasks_are_one_sample_of_tasks() {
    let line = &lines("single")[1];
    let once = results("react", &line["episodes"]);
    let mut twice = once.clone();
    twice.extend(results("respact", &line["episodes"]));
    let (single, double) = (Summary::of(&once, &cells()), Summary::of(&twice, &cells()));
    assert_eq!((double.total.counted, double.total.tasks), (120, 60));
    assert!(double.rows.iter().all(|row| row.passes.is_empty()));
    let width = |summary: &Summary| {
        let estimate = summary.estimate(&summary.total, "success");
        let (low, high) = estimate.interval().unwrap();
        high - low
    };
    // A copy of every episode says nothing new.
    assert!((width(&double) / width(&single) - 1.0).abs() < 0.05);
}

/// Two tasks, three times each: one is solved twice, of the other an episode broke and one was
/// solved.
#[test]
fn repeats_say_what_several_tries_come_to() {
    let broken = Ending::Broken { by: Seat::User };
    let stories = [
        ("react:0:0", Ending::Solved),
        ("react:0:1", Ending::GaveUp),
        ("react:0:2", Ending::Solved),
        ("react:1:0", broken),
        ("react:1:1", Ending::Solved),
        ("react:1:2", Ending::GaveUp),
    ];
    let stories = stories.map(|(id, ending)| Story::new(id, "put", ending));
    let results: Vec<EpisodeResult> = stories.iter().map(result).collect();
    let summary = Summary::of(&results, &[]);
    // pass@2 of the tasks: 1 and 1; pass^2: 1/3 and 0. Only the first counts three times.
    let text = reports::summary(&summary, &Layout::default());
    assert!(text.contains("58.3") && text.contains("16.7"), "{text}");
    let object = json::object("r", &summary);
    let tries = object["tries"].as_array().unwrap();
    assert_eq!(tries.len(), 3);
    let figures = [(1, 2, 7.0 / 12.0, 7.0 / 12.0), (2, 2, 1.0, 1.0 / 6.0), (3, 1, 1.0, 0.0)];
    for (found, (k, tasks, any, every)) in tries.iter().zip(figures) {
        assert_eq!(found["cell"], "react");
        assert_eq!((&found["k"], &found["tasks"]), (&json!(k), &json!(tasks)));
        for (key, rate) in [("pass_any", any), ("pass_every", every)] {
            assert!((number(&found[key]["rate"]) - rate).abs() < 1e-12, "{found}");
        }
    }
    for share in ["pass_any", "pass_every"].map(|key| &tries[1][key]) {
        assert!(number(&share["low"]) < number(&share["high"]));
    }
    let report = Report::without_transcripts(&results, &[], Summary::of(&results, &[]));
    for page in [markdown::report(&report), reports::html::page(&report)] {
        for part in ["k tries", "58"] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }
    let once = json::object("r", &Summary::of(&results[..1], &[]));
    assert!(once.get("tries").is_none());
    let ends = &object["intervals"]["reward"];
    assert_eq!((&ends[0], &ends[1]), (&object["reward"]["low"], &object["reward"]["high"]));
}
