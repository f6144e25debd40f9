//! Pooled and grouped figures: shares of many, several figures of one metric, groups of tasks.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rolecall::config::{Request, load};
use rolecall::evaluation::{
    CellEpisodes, Comparison, Detail, EpisodeResult, Estimate, Pairs, Summary, estimate, measure_run, stored_results,
};
use rolecall::log::{LogWriter, RunLog};
use rolecall::ports::{EnvironmentEntry, MetricEntry, NoWords, RoleEntry};
use rolecall::prelude::*;
use rolecall::registry::Registry;
use rolecall::reports::{self, Report};
use rolecall::runtime::Launch;
use rolecall::world::{WorldEntry, metric};
use serde_json::{Value, json};

/// A form with slots: a task has 1 to 5 of them, and an action says how many are filled in right.
struct Form {
    task: u32,
    right: u64,
}

#[async_trait]
impl Environment for Form {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        Ok(Observation::text("A form."))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        self.right = if action.text == "fill in" { careful(self.task) } else { hasty(self.task) };
        Ok(Observation { done: true, ..Observation::text("Thank you.") })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let n = slots(self.task);
        let slots = json!({"hits": self.right, "n": n});
        Ok(Score {
            detail: json!({"slots": slots, "length": n, "complete": self.right > 0}),
            ..Score::all_or_nothing(self.right == n)
        })
    }
}

struct Forms;

impl TaskSource for Forms {
    fn len(&self) -> usize {
        20
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let number = index as u32;
        let slots = slots(number);
        let task = PublicTask::new(format!("form-{index}"), "form", "fill in the form");
        let task = task.within("difficulty", if slots > 2 { "hard" } else { "easy" });
        let task = match index % 2 {
            0 => task.within("domain", "train"),
            _ => task,
        };
        let form = move || Box::new(Form { task: number, right: 0 }) as Box<dyn Environment>;
        Ok(OpenTask { task: task.into(), environment: Arc::new(form) })
    }
}

fn slots(task: u32) -> u64 {
    1 + u64::from(task * 7 % 5)
}

/// How many a careful clerk has right: all or none.
fn careful(task: u32) -> u64 {
    if task.is_multiple_of(3) { 0 } else { slots(task) }
}

/// How many a hasty clerk has right.
fn hasty(task: u32) -> u64 {
    if task.is_multiple_of(2) { slots(task) } else { slots(task) / 2 }
}

/// What tasks come to, and their slots.
fn played(by: fn(u32) -> u64) -> Vec<(f64, f64)> {
    (0..20).map(|task| (by(task) as f64, slots(task) as f64)).collect()
}

/// Fills in what it can, or in haste.
struct Clerk(&'static str);

#[async_trait]
impl Role for Clerk {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, RoleError> {
        Ok(Move::act(self.0).into())
    }
}

/// The slots of the last score, and with them those that are wrong, their number, and nothing.
struct Slots;

impl Slots {
    fn of(log: &EpisodeLog<'_>) -> Option<(u64, u64)> {
        let mut events = log.events.iter();
        let slots = events.find_map(|event| match &event.message {
            Message::Scored(scored) => scored.score.detail.get("slots"),
            _ => None,
        })?;
        Some((slots["hits"].as_u64()?, slots["n"].as_u64()?))
    }
}

impl Metric for Slots {
    fn name(&self) -> &'static str {
        "slots"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        Self::of(log).map_or(Measurement::Absent, |(hits, n)| Measurement::Share { hits, n })
    }

    fn further(&self, log: &EpisodeLog<'_>) -> Vec<(Cow<'static, str>, Measurement)> {
        let (hits, n) = Self::of(log).unwrap_or_default();
        let wrong = Measurement::Share { hits: n - hits, n };
        let all = Measurement::Rate(hits == n);
        let name = format!("slots_{}", "all");
        let nothing = Measurement::Share { hits: 0, n: 0 };
        vec![("slots_wrong".into(), wrong), (name.into(), all), ("slots_none".into(), nothing)]
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

static FORMS: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: "forms",
        summary: "forms with slots",
        parameters: &[],
        words: &NoWords,
        build: |_| Ok(Arc::new(Forms)),
    }],
    roles: &[
        RoleEntry {
            name: "careful",
            summary: "fills in what it can",
            roles: &[],
            environments: &["forms"],
            parameters: &[],
            build: |_| Ok(Arc::new(|| Box::new(Clerk("fill in")))),
        },
        RoleEntry {
            name: "hasty",
            summary: "fills in half",
            roles: &[],
            environments: &["forms"],
            parameters: &[],
            build: |_| Ok(Arc::new(|| Box::new(Clerk("scribble")))),
        },
    ],
    metrics: METRICS,
    ..WorldEntry::EMPTY
};

static METRICS: &[MetricEntry] = &[
    metric("slots that are right", &Slots).of(&["forms"]),
    metric("the same, as the score says it", &Detail { name: "right", key: "slots" }),
    metric("slots of a form", &Detail { name: "length", key: "length" }),
    metric("whether anything is right", &Detail { name: "complete", key: "complete" }),
    metric("what no score says", &Detail { name: "missing", key: "missing" }),
];

fn registry() -> Registry {
    let mut registry = rolecall::worlds();
    registry.add(&FORMS);
    registry
}

/// Plays all forms with a clerk, each `repeats` times; the run stands in the folder under the clerk's
/// name.
fn play(folder: &Path, clerk: &str, repeats: u32) -> RunLog {
    let config = format!(
        "seed = 1\nrepeats = {repeats}\n[environment]\nname = \"forms\"\n[strategy]\nname = \
         \"react\"\n[roles.executor]\nimplementation = \"{clerk}\"\n"
    );
    let file = folder.join(format!("{clerk}.toml"));
    fs::write(&file, config).unwrap();
    let request = Request { file, working: env!("CARGO_MANIFEST_DIR").into(), ..Request::default() };
    let plan = load(&request, registry()).unwrap().plan;
    let run = folder.join("logs").join(clerk);
    let log = LogWriter::create(&run, &plan.record, &plan.run.log).unwrap();
    Launch::new(plan, &log, registry().measured()).run(&mut ()).unwrap();
    log.close().unwrap();
    RunLog::open(&run).unwrap()
}

fn results(run: &RunLog) -> Vec<EpisodeResult> {
    measure_run(run, &registry().measured()).unwrap()
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{found} {expected}");
}

#[test]
fn shares_are_pooled_and_a_metric_gives_several() {
    let folder = tempfile::tempdir().unwrap();
    let run = play(folder.path(), "careful", 1);
    let results = results(&run);
    // As they were written, apart from who else may write them.
    let stored = stored_results(run.folder(), run.record()).unwrap();
    assert_eq!(stored, results);
    let line = fs::read_to_string(run.folder().join("results.jsonl")).unwrap();
    let line: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    let measures = &line["measures"];
    assert!(measures["slots"]["n"].is_u64() && measures["complete"].is_boolean());
    assert!(line["groups"]["difficulty"].is_string());
    for absent in ["missing", "slots_none", "bleu"] {
        assert!(measures.get(absent).is_none(), "{absent}");
    }
    let names: Vec<&str> = results[0].measures.names().collect();
    let last = "slots slots_wrong slots_all right length complete";
    assert!(names.join(" ").ends_with(last));

    let summary = Summary::of(&results, &[]);
    let of = |name| summary.estimate(&summary.total, name);
    let tasks = played(careful);
    let (hits, n) = tasks.iter().fold((0.0, 0.0), |all, own| (all.0 + own.0, all.1 + own.1));
    let Estimate::Pooled { n: episodes, hits: sum, of: all, mean, .. } = of("slots") else {
        panic!("{:?}", of("slots"));
    };
    assert_eq!((episodes, sum as f64, all as f64), (20, hits, n));
    near(mean, tasks.iter().map(|(hits, n)| hits / n).sum::<f64>() / 20.0, 1e-12);
    near(of("slots").value().unwrap(), hits / n, 1e-12);
    near(of("slots_wrong").value().unwrap(), 1.0 - hits / n, 1e-12);
    assert_eq!(of("right"), of("slots"));
    assert_eq!(of("slots_all").value(), of("success").value());
    assert!(matches!(of("length"), Estimate::Mean { n: 20, mean, .. } if mean == n / 20.0));
    assert!(matches!(of("complete"), Estimate::Rate { n: 20, .. }));

    let object = reports::json::object("r", &summary);
    assert_eq!(object["metrics"]["slots"], json!(hits / n));
    assert_eq!(object["shares"]["slots"]["hits"], json!(sum));
    assert_eq!(object["cells"][0]["shares"], object["shares"]);
    assert!(object["shares"].get("complete").is_none());
    let text = reports::figures(&summary, &Default::default());
    let row = text.lines().find(|line| line.starts_with("slots ")).unwrap();
    assert!(row.contains(&format!("{:.1}", hits / n * 100.0)), "{row}");
}

/// A task played several times is one sample: the interval is that of the episodes played once, apart
/// from Student's quantile, and near the linearised one of the ratio.
#[test]
fn copies_of_a_task_narrow_no_share() {
    let folder = tempfile::tempdir().unwrap();
    let run = play(folder.path(), "careful", 4);
    let all = results(&run);
    let once: Vec<EpisodeResult> = all.iter().filter(|own| own.episode.repeat == 0).cloned().collect();
    let ends = |results: &[EpisodeResult]| {
        let summary = Summary::of(results, &[]);
        let found = summary.estimate(&summary.total, "slots");
        (found.value().unwrap(), found.interval().unwrap())
    };
    let (one, four) = (ends(&once), ends(&all));
    near(one.0, four.0, 1e-12);
    let own = played(careful);
    let n: f64 = own.iter().map(|(_, n)| n).sum();
    let squares: f64 = own.iter().map(|(hits, n)| (hits - one.0 * n).powi(2)).sum();
    let half = 2.093 * (20.0 / 19.0 * squares / (n * n)).sqrt();
    for (low, high) in [one.1, four.1] {
        near(high - low, 2.0 * half, 0.3 * half);
    }
}

#[test]
fn groups_break_tables_and_the_page_down() {
    let folder = tempfile::tempdir().unwrap();
    let run = play(folder.path(), "careful", 1);
    let results = results(&run);
    let summary = Summary::of(&results, &[]);
    let names: Vec<&str> = summary.breakdowns.iter().map(|by| by.name.as_str()).collect();
    assert_eq!(names, ["difficulty", "domain"]);
    let by = &summary.breakdowns[0];
    assert_eq!(by.values, ["easy", "hard"]);
    let hard = summary.rows[0].among(&by.groups, "hard").unwrap();
    let expected = (0..20).filter(|task| slots(*task) > 2).count();
    assert_eq!((hard.episodes, hard.value.as_ref()), (expected, None));
    let object = reports::json::object("r", &summary);
    assert_eq!(object["breakdowns"]["difficulty"][1]["value"], "hard");
    assert_eq!(object["breakdowns"]["domain"][0]["n"], 10);

    // Rows of their own: of those without a value too.
    let split = Summary::by(&results, &[], Some("domain"));
    let rows: Vec<_> = split.rows.iter().map(|row| (row.value.as_deref(), row.counted)).collect();
    assert_eq!(rows, [(None, 10), (Some("train"), 10)]);
    let object = reports::json::object("r", &split);
    assert_eq!((&object["by"], &object["cells"][1]["value"]), (&json!("domain"), &json!("train")));
    assert_eq!(split.total, summary.total);
    let text = reports::figures(&split, &Default::default());
    assert!(text.contains("train"), "{text}");

    let report = Report::of(&run, &results, summary).unwrap();
    let page = reports::html::page(&report);
    for part in ["difficulty", "domain", "hard"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(reports::markdown::report(&report).contains("difficulty"));
}

#[test]
fn shares_are_compared_task_by_task() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (play(folder.path(), "hasty", 1), play(folder.path(), "careful", 1));
    let (first, second) = (results(&first), results(&second));
    let pairs = Pairs::of(&CellEpisodes::new(&first), &CellEpisodes::new(&second));
    let [name, other] = ["hasty", "careful"].map(str::to_owned);
    let comparison = Comparison::of(name, other, &pairs, &["slots", "length"]).unwrap();
    let [slots_found, length] = &comparison.means[..] else {
        panic!("{comparison:?}");
    };
    assert!(slots_found.is_rate && !length.is_rate);
    let own = (0..20).map(|task| (hasty(task) as f64, careful(task) as f64, slots(task) as f64));
    let own: Vec<(f64, f64, f64)> = own.collect();
    let n: f64 = own.iter().map(|(.., n)| n).sum();
    let one = own.iter().map(|own| own.0).sum::<f64>() / n;
    let other = own.iter().map(|own| own.1).sum::<f64>() / n;
    near(slots_found.first, one, 1e-12);
    near(slots_found.second, other, 1e-12);
    near(slots_found.difference.value().unwrap(), other - one, 1e-12);
    // The variance of a difference of ratios by tasks, linearised (Cochran 1977, section 6.17), with Student's
    // quantile for 19 degrees of freedom.
    let rests = own.iter().map(|(hits, more, n)| (more - other * n) - (hits - one * n));
    let squares: f64 = rests.map(|rest| rest * rest).sum();
    let half = 2.093 * (20.0 / 19.0 * squares).sqrt() / n;
    let (low, high) = slots_found.difference.interval().unwrap();
    assert!(low < other - one && other - one < high);
    near(high - low, 2.0 * half, 0.4 * half);
}

#[test]
fn the_program_reports_and_compares_by_group() {
    let folder = tempfile::tempdir().unwrap();
    for clerk in ["hasty", "careful"] {
        play(folder.path(), clerk, 1);
    }
    let printed = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall"));
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code(), text)
    };
    let (code, text) = printed(&["report", "careful", "--by", "difficulty"]);
    assert!(code == Some(0) && text.contains("hard"), "{text}");
    let (code, text) = printed(&["compare", "hasty", "careful", "--by", "difficulty"]);
    assert!(code == Some(0) && text.contains("hard") && text.contains("slots"), "{text}");
    let (_, text) = printed(&["compare", "hasty", "careful", "--by", "difficulty", "--json"]);
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&object["by"], &object["comparisons"][1]["value"]), (&json!("difficulty"), &json!("hard")));
    assert_eq!(object["comparisons"][0]["metrics"]["slots"]["pairs"], 8);
    let (code, text) = printed(&["report", "careful", "--by", "size"]);
    assert_eq!(code, Some(2));
    assert!(
        text.contains("no task has a group `size`; results can be broken down by difficulty, domain, kind"),
        "{text}"
    );
    let (_, text) = printed(&["list", "metrics"]);
    assert!(text.contains("household"), "{text}");
}

/// In an environment that it is not for, a metric leaves nothing behind.
#[test]
fn metrics_of_some_worlds_are_left_out_of_others() {
    for entry in registry().metrics {
        let left_out = entry.metric.is_left_out_if_absent();
        assert!(entry.environments.is_empty() || left_out, "{}", entry.metric.name());
    }
}

/// The estimate over episodes of different tasks with these shares.
fn pooled(of: &[(u64, u64)]) -> Estimate {
    let result = |(task, (hits, n)): (usize, &(u64, u64))| {
        let line = json!({
            "schema": 1, "episode": format!("main:{task}:0"), "task": format!("t{task}"), "kind": "k",
            "strategy": "react", "ending": {"kind": "failed"}, "success": false, "reward": 0.0,
            "counts": {"steps": 1, "questions": 0, "actions": 1, "invalid": 0, "faults": 0},
            "measures": {"slots": {"hits": hits, "n": n}},
        });
        EpisodeResult::decode(line.to_string().as_bytes()).unwrap()
    };
    let results: Vec<EpisodeResult> = of.iter().enumerate().map(result).collect();
    estimate(&results.iter().collect::<Vec<_>>(), "slots")
}

/// Another program's: exact fractions for the linearised variance of the ratio (Cochran 1977, section 6.4),
/// Student's quantile by Simpson's rule, and the ends as the roots of `(p - share)^2 = z^2 p (1 - p) / n`,
/// by halving, for the `n` of Korn and Graubard (1998).
#[test]
fn shares_have_the_interval_of_an_independent_computation() {
    type Case = (&'static [(u64, u64)], f64, f64);
    let cases: [Case; 4] = [
        (&[(3, 4), (0, 2), (5, 5), (2, 6), (1, 1), (4, 8)], 0.236_775_700_598_438_14, 0.857_019_024_339_690_1),
        (
            &[(0, 10), (10, 10), (1, 8), (9, 10), (12, 12), (2, 20), (10, 11), (0, 3), (7, 9), (1, 10)],
            0.220_147_858_226_491_5,
            0.786_447_137_801_064_5,
        ),
        // No more than there are, where tasks are more alike than chance would have them.
        (&[(3, 7), (3, 6), (2, 5), (4, 8), (5, 9), (2, 4)], 0.338_651_753_298_619_96, 0.638_006_371_155_420_2),
        // One task is one sample, whatever it holds.
        (&[(9, 9)], 0.206_549_314_377_237_4, 1.0),
    ];
    for (of, low, high) in cases {
        let found = pooled(of).interval().unwrap();
        near(found.0, low, 1e-8);
        near(found.1, high, 1e-8);
    }
    let found = pooled(cases[0].0);
    let Estimate::Pooled { n: 6, hits: 15, of: 26, share, mean, .. } = found else {
        panic!("{found:?}");
    };
    near(share, 15.0 / 26.0, 1e-12);
    near(mean, 43.0 / 72.0, 1e-12);
    assert_eq!(pooled(&[(0, 0)]), Estimate::Empty);
}
