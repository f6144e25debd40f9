//! `rolecall compare` as it is given in a shell.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::binary::{rolecall, text};
use crate::support::made_up::append;
use crate::support::synthetic::Story;
use rolecall::domain::{Ending, Limit, Seat};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::RunLog;
use serde_json::Value;

pub(crate) fn compare(folder: &Path, arguments: &[&str]) -> Output {
    let arguments = [&["compare"], arguments].concat();
    rolecall(folder, &arguments).output().unwrap()
}

pub(crate) fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = compare(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    text(&output.stdout)
}

pub(crate) fn object(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_slice(&compare(folder, &arguments).stdout).unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = compare(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// Writes a run below `logs` of the folder.
pub(crate) fn write(folder: &Path, name: &str, seed: u64, stories: &[Story]) {
    let run = folder.join("logs").join(name);
    fs::create_dir_all(&run).unwrap();
    let mut cells: Vec<&str> = stories.iter().map(|story| story.id.cell.as_str()).collect();
    cells.dedup();
    let cells: String = cells.iter().map(|cell| format!("[[cells]]\nname = \"{cell}\"\n")).collect();
    let count = stories.len();
    let record = format!("schema = 1\nseed = {seed}\nepisodes = {count}\n{cells}");
    fs::write(run.join("run.toml"), record).unwrap();
    for story in stories {
        append(&run, story);
    }
}

/// An episode that is solved or not, with so many actions.
pub(crate) fn episode(id: &str, solved: bool, actions: u32) -> Story {
    let ending = if solved { Ending::Solved } else { Ending::OutOf { limit: Limit::Steps } };
    Story { actions, ..Story::new(id, "put", ending) }
}

/// Twenty tasks of one cell; those for which `solved` holds are solved.
pub(crate) fn twenty(cell: &str, solved: impl Fn(u32) -> bool) -> Vec<Story> {
    let story = |task| episode(&format!("{cell}:{task}:0"), solved(task), 3 + task % 3);
    (0..20).map(story).collect()
}

/// Runs `before` and `after` of one cell each: 12 of 20 tasks solved, then 15 with one lost.
fn two_runs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "before", 7, &twenty("main", |task| task < 12));
    let after = twenty("main", |task| (1..16).contains(&task));
    // Episodes close in any order.
    let backwards: Vec<Story> = after.into_iter().rev().collect();
    write(folder.path(), "after", 7, &backwards);
    folder
}

#[test]
fn two_runs_are_compared_task_by_task() {
    let folder = two_runs();
    let found = object(folder.path(), &["before", "after"]);
    let row = &found["comparisons"][0];
    let success = &row["success"];
    assert_eq!((&found["base"], &row["second"], &row["pairs"]), (&"before".into(), &"after".into(), &20.into()));
    let counts = ["both", "only_first", "only_second", "neither"].map(|name| success[name].as_u64().unwrap());
    assert_eq!(counts, [11, 1, 4, 4]);
    near(&success["difference"], 0.15);
    for (metric, base, its) in [("reward", 0.6, 0.75), ("steps", 4.95, 4.95), ("actions", 3.95, 3.95)] {
        near(&row["metrics"][metric]["first"], base);
        near(&row["metrics"][metric]["second"], its);
    }
    let shown = printed(folder.path(), &["before", "after"]);
    let ends = ["+15.0", "-7.9 to +35.9", "0.3750", "0.75", "-0.05 to +0.40", "4.95", "3.95"];
    let needed = ["25.0", "34.8", "783", "1063"];
    let tasks = ["main:0:0", "main:12:0", "main:13:0", "main:14:0", "main:15:0", "task-0", "task-12"];
    for part in ends.iter().chain(&needed).chain(&tasks) {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    // What is named first is the base.
    let turned = object(folder.path(), &["after", "before"]);
    let success = &turned["comparisons"][0]["success"];
    assert_eq!((&turned["base"], &success["only_first"]), (&"after".into(), &4.into()));
    near(&success["difference"], -0.15);
    near(&success["p"], 0.375);
}

#[test]
fn cells_of_a_run_are_compared_with_its_first_or_with_the_named_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut stories = twenty("act", |task| task < 5);
    stories.extend(twenty("react", |task| task < 10));
    stories.extend(twenty("respact", |task| task < 18));
    write(folder.path(), "r", 1, &stories);
    let all = object(folder.path(), &["r"]);
    assert_eq!(all["base"], "act");
    let rows = all["comparisons"].as_array().unwrap();
    let names: Vec<&Value> = rows.iter().map(|row| &row["second"]).collect();
    assert_eq!(names, ["react", "respact"]);
    // Five tasks one way give 1/16, thirteen give 1/4096; Holm doubles the smaller of two.
    near(&rows[0]["success"]["p"], 1.0 / 16.0);
    near(&rows[0]["success"]["p_holm"], 1.0 / 16.0);
    near(&rows[1]["success"]["p"], 1.0 / 4096.0);
    near(&rows[1]["success"]["p_holm"], 2.0 / 4096.0);
    printed(folder.path(), &["r"]);
    let named = object(folder.path(), &["r:respact", "r:react"]);
    assert_eq!((&named["base"], &named["comparisons"][0]["success"]["only_first"]), (&"r:respact".into(), &8.into()));
    let shown = printed(folder.path(), &["logs/r:respact", "r:react", "r:act"]);
    assert!(shown.contains("logs/r:respact"), "{shown}");
    for cell in ["react", "act"] {
        assert!(shown.lines().any(|line| line.starts_with(cell)), "{cell} in {shown}");
    }
    for (wrong, part) in [
        (&["r:recat", "r:act"][..], "`r:recat` has no cell `recat` (did you mean `react`?)"),
        (&["r:act", "r"], "`r:act` would be compared with itself"),
        (&["r:act"], "has one cell only"),
        (&["s"], "`s` is no run"),
        (&["s:act", "r"], "`s` is no run"),
        (&["r", "r:act", "--difference", "0"], "above 0 and up to 100"),
    ] {
        let said = refused(folder.path(), wrong);
        assert!(said.contains(part), "{wrong:?}: {said}");
    }
}

#[test]
fn runs_of_several_cells_are_compared_cell_by_cell() {
    let folder = tempfile::tempdir().unwrap();
    for (name, most) in [("one", 8), ("two", 12)] {
        let mut stories = twenty("act", |task| task < most);
        stories.extend(twenty("react", |task| task < most + 5));
        write(folder.path(), name, 1, &stories);
    }
    write(folder.path(), "alone", 1, &twenty("other", |_| true));
    printed(folder.path(), &["one", "two"]);
    let both = object(folder.path(), &["one", "two"]);
    let sides = [0, 1].map(|place| both["comparisons"][place]["first"].as_str().unwrap().to_owned());
    assert_eq!(sides, ["one:act", "one:react"]);
    assert_eq!(object(folder.path(), &["one:act", "two"])["comparisons"][0]["second"], "two:act");
    let said = refused(folder.path(), &["one", "alone"]);
    assert!(said.contains("no cell is in both runs: `one` has act, react; `alone` has other"), "{said}");
    // Two single cells may have any names.
    assert_eq!(object(folder.path(), &["one:act", "alone"])["comparisons"][0]["pairs"], 20);
}

#[test]
fn other_seeds_are_refused_unless_tasks_alone_are_paired() {
    let folder = two_runs();
    write(folder.path(), "later", 8, &twenty("main", |task| task < 16));
    let said = refused(folder.path(), &["before", "later"]);
    for part in ["`before` has seed 7", "`later` has seed 8", "--by-task"] {
        assert!(said.contains(part), "{said}");
    }
    let found = object(folder.path(), &["before", "later", "--by-task"]);
    assert_eq!(found["comparisons"][0]["pairs"], 20);
    let run = folder.path().join("logs/later/run.toml");
    fs::write(run, "schema = 1\n[[cells]]\nname = \"main\"\n").unwrap();
    let said = refused(folder.path(), &["before", "later"]);
    assert!(said.contains("`later` does not say its seed"), "{said}");
}

#[test]
fn what_is_in_no_pair_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut before = twenty("main", |task| task < 12);
    before[3].ending = Some(Ending::Broken { by: Seat::User });
    write(folder.path(), "before", 7, &before);
    write(folder.path(), "after", 7, &twenty("main", |_| true)[..15]);
    let output = compare(folder.path(), &["before", "after"]);
    assert_eq!(output.status.code(), Some(1), "an episode broke");
    let shown = text(&output.stdout);
    assert!(shown.contains("1 episode ") && shown.contains("5 episodes"), "{shown}");
    let found = object(folder.path(), &["before", "after"]);
    let row = &found["comparisons"][0];
    assert_eq!(
        (&row["pairs"], &row["alone"]["first"], &row["not_counted"]["first"]),
        (&14.into(), &5.into(), &1.into())
    );
    let others: Vec<Story> = (50..60).map(|task| episode(&format!("main:{task}:0"), true, 3)).collect();
    write(folder.path(), "elsewhere", 7, &others);
    let said = refused(folder.path(), &["before", "elsewhere"]);
    assert!(said.contains("no task was played by both") && said.contains("`task-50`"), "{said}");
}

#[test]
fn long_lists_of_tasks_are_cut_unless_all_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "before", 7, &twenty("main", |_| false));
    write(folder.path(), "after", 7, &twenty("main", |_| true));
    let lines = |text: &str| text.lines().filter(|line| line.contains("  task-")).count();
    let some = printed(folder.path(), &["before", "after"]);
    assert!(some.contains("20 tasks"), "{some}");
    assert_eq!(lines(&some), 10);
    assert!(some.contains("--all"), "{some}");
    let all = printed(folder.path(), &["before", "after", "--all"]);
    assert!(lines(&all) == 20 && !all.contains("--all"), "{all}");
    let found = object(folder.path(), &["before", "after"]);
    let flipped = &found["comparisons"][0]["flipped"];
    assert_eq!(flipped["to_second"].as_array().unwrap().len(), 20);
    assert_eq!(flipped["to_second"][0]["episodes"]["second"], "main:0:0");
}

/// Six tasks, five times each: three are always gained, and one is lost once.
#[test]
fn repeats_of_a_task_are_no_samples_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let repeated = |solved: &dyn Fn(u32, u32) -> bool| -> Vec<Story> {
        let all = (0..6).flat_map(|task| (0..5).map(move |repeat| (task, repeat)));
        all.map(|(task, repeat)| episode(&format!("main:{task}:{repeat}"), solved(task, repeat), 3)).collect()
    };
    write(folder.path(), "before", 7, &repeated(&|task, _| task < 2));
    write(folder.path(), "after", 7, &repeated(&|task, repeat| (task, repeat) != (0, 4) && task < 5));
    let found = object(folder.path(), &["before", "after"]);
    let row = &found["comparisons"][0];
    assert_eq!((&row["pairs"], &row["tasks"]), (&30.into(), &6.into()));
    // Signs of four tasks: 5, 5, 5 and -1 add up to 14 or more in 2 of 16 ways, +-.
    near(&row["success"]["p"], 4.0 / 16.0);
    assert_eq!(row["success"]["test"], "signs by task");
    let effect = row["power"]["design_effect"].as_f64().unwrap();
    assert!(effect > 4.0, "{effect}");
    let shown = printed(folder.path(), &["before", "after"]);
    for part in ["4 of 5", "5 of 5", "main:0:4"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

/// A hundred tasks, of which the second side solves every other one that the first does not.
fn a_hundred(folder: &Path) {
    let tasks = |solved: &dyn Fn(u32) -> bool| -> Vec<Story> {
        (0..100).map(|task| episode(&format!("main:{task}:0"), solved(task), 3)).collect()
    };
    write(folder, "before", 7, &tasks(&|task| task % 2 == 0));
    let mut after = tasks(&|task| task % 4 != 3);
    write(folder, "after", 7, &after);
    // The same while it goes on: one episode is not over, and those after it wait for it.
    after[60].ending = None;
    after.truncate(70);
    write(folder, "going-on", 7, &after);
    write(folder, "short", 7, &after[..16]);
    write(folder, "same", 7, &tasks(&|task| task % 2 == 0 || task == 51));
}

#[test]
fn a_comparison_says_when_it_may_stop() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    a_hundred(folder);
    let found = object(folder, &["before", "after", "--sequential"]);
    let found = &found["comparisons"][0]["sequential"];
    assert_eq!((&found["verdict"], &found["stop"]), (&"different".into(), &true.into()));
    let decided = found["decided_after"]["pairs"].as_u64().unwrap();
    assert!((10..80).contains(&decided), "{found}");
    assert!(found["p"].as_f64().unwrap() < 0.05 && found["low"].as_f64().unwrap() > 0.0);
    assert_eq!(found["looks"].as_array().unwrap().last().unwrap()["pairs"], 100);
    let shown = printed(folder, &["before", "after", "--sequential"]);
    assert!(shown.contains(&format!("{decided} of 100")), "{shown}");
    // Nothing of it is there if nobody asks.
    assert_eq!(object(folder, &["before", "after"])["comparisons"][0]["sequential"], Value::Null);
    let going_on = object(folder, &["before", "going-on", "--sequential"]);
    let going_on = &going_on["comparisons"][0]["sequential"];
    assert_eq!((&going_on["pairs"], &going_on["waiting"]), (&60.into(), &9.into()));
    assert_eq!(going_on["decided_after"], found["decided_after"]);
    let short = object(folder, &["before", "short", "--sequential"]);
    let short = &short["comparisons"][0]["sequential"];
    assert_eq!((&short["pairs"], &short["stop"]), (&16.into(), &false.into()));
}

#[test]
fn both_sides_may_be_equivalent() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    a_hundred(folder);
    for (run, margin, verdict) in [("same", "6", "equivalent"), ("same", "2", "undecided"), ("after", "6", "different")]
    {
        let found = object(folder, &["before", run, "--equivalent", margin]);
        let found = &found["comparisons"][0]["equivalence"];
        assert_eq!(found["verdict"], verdict, "{run} {found}");
        let shown = printed(folder, &["before", run, "--equivalent", margin]);
        assert!(shown.contains(verdict), "{shown}");
    }
    // A difference that does not matter is a reason to stop as well.
    let found = object(folder, &["before", "same", "--sequential", "--equivalent", "30"]);
    assert_eq!(found["comparisons"][0]["sequential"]["verdict"], "equivalent");
    let said = refused(folder, &["before", "same", "--equivalent", "0"]);
    assert!(said.contains("above 0 and up to 100"), "{said}");
}

#[test]
fn a_family_may_hold_the_tests_of_all_figures() {
    let folder = two_runs();
    write(folder.path(), "later", 7, &twenty("main", |task| task < 18));
    let all = object(folder.path(), &["before", "after", "later", "--family", "all"]);
    let rows = all["comparisons"].as_array().unwrap();
    let mut tests: Vec<(f64, f64)> = Vec::new();
    for row in rows {
        let figures = row["metrics"].as_object().unwrap().values();
        let figures = figures.chain([&row["success"]]);
        let pair = |own: &Value| Some((own["p"].as_f64()?, own["p_holm"].as_f64()?));
        tests.extend(figures.filter_map(pair));
    }
    tests.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(tests.len() > 6, "{tests:?}");
    near(&tests[0].1.into(), tests[0].0 * tests.len() as f64);
    let shown = printed(folder.path(), &["before", "after", "later", "--family", "all"]);
    assert!(shown.contains(&tests.len().to_string()), "{shown}");
    let rows = object(folder.path(), &["before", "after", "later"]);
    assert_eq!(rows["comparisons"][0]["metrics"]["steps"]["p_holm"], Value::Null);
}

/// Puts a cost into every result of a run, and a currency into its record.
fn priced(folder: &Path, name: &str, cost: &str, currency: &str) {
    let run = folder.join("logs").join(name);
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(run.join(file)).unwrap();
        fs::write(run.join(file), text.replace(from, to)).unwrap();
    };
    let measures = format!("\"measures\":{{\"cost\":{cost},");
    let (log, mut lines) = (RunLog::open(&run).unwrap(), Vec::new());
    for line in fs::read_to_string(run.join("results.jsonl")).unwrap().lines() {
        let priced = line.replace("\"measures\":{", &measures);
        let result = EpisodeResult::decode(priced.as_bytes()).unwrap();
        let events = log.digest(&result.episode).unwrap();
        result.encode_sealed(events, &mut lines);
    }
    fs::write(run.join("results.jsonl"), lines).unwrap();
    let model = format!("[[models]]\nname = \"m\"\nprices = {{ currency = \"{currency}\" }}\n[[cells]]");
    edit("run.toml", "[[cells]]", &model);
}

#[test]
fn costs_are_compared_in_one_currency_only() {
    let folder = two_runs();
    priced(folder.path(), "before", "0.0125", "EUR");
    priced(folder.path(), "after", "0.0040", "EUR");
    let shown = printed(folder.path(), &["before", "after"]);
    for part in ["cost", "0.004000", "0.0125", "-0.008500"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    write(folder.path(), "abroad", 7, &twenty("main", |_| true));
    priced(folder.path(), "abroad", "0.0040", "USD");
    let found = object(folder.path(), &["before", "abroad"]);
    let metrics = found["comparisons"][0]["metrics"].as_object().unwrap();
    assert!(!metrics.contains_key("cost") && metrics.contains_key("steps"));
}

/// From a config to a comparison, with repeats and without.
#[test]
fn runs_of_a_shipped_config_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/quickstart.toml");
    let config = config.display().to_string();
    for (name, more) in [("once", "repeats=1"), ("thrice", "repeats=3")] {
        let arguments = ["run", &config, "--quiet", "--limit", "5", "--name", name, "--set", more];
        let output = rolecall(folder.path(), &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let tried = text(&output.stdout).contains("k tries");
        assert_eq!(tried, name == "thrice");
    }
    let cells = object(folder.path(), &["thrice:react", "thrice:respact-unhelpful"]);
    let row = &cells["comparisons"][0];
    assert_eq!((&row["pairs"], &row["tasks"]), (&15.into(), &5.into()));
    // The first repeat of a task has the same seeds in both runs.
    let runs = object(folder.path(), &["once", "thrice"]);
    for row in runs["comparisons"].as_array().unwrap() {
        assert_eq!((&row["pairs"], &row["alone"]["second"]), (&5.into(), &10.into()));
        for (metric, found) in row["metrics"].as_object().unwrap() {
            assert_eq!(found["difference"], 0.0, "{metric}");
        }
    }
}
