//! `rolecall rate` as it is given in a shell, and its figures against those of other programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, play};
use rolecall::domain::{EpisodeId, Event, Message};
use rolecall::evaluation::labels::{Ratings, agreement};
use serde_json::Value;
use tempfile::TempDir;

/// A short run in which something is said.
fn run() -> TempDir {
    let folder = folder();
    play(folder.path(), "respact", "r", &["--limit", "12"]);
    folder
}

fn rate(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = ends(folder, &[&["rate"], arguments].concat(), code);
    text(&output.stdout) + &text(&output.stderr)
}

/// The same of arguments without spaces in them.
fn given(folder: &Path, line: &str, code: i32) -> String {
    rate(folder, &line.split(' ').collect::<Vec<_>>(), code)
}

fn import(folder: &Path, rater: &str, file: &Path) {
    let file = file.to_str().unwrap();
    rate(folder, &["import", "r", "--rater", rater, file], 0);
}

fn agreed(folder: &Path, what: &str) -> Value {
    let arguments = ["rate", "agreement", "r", "--what", what, "--json"];
    serde_json::from_slice(&ends(folder, &arguments, 0).stdout).unwrap()
}

/// Everything that was said, by episode and event.
fn said(folder: &Path) -> BTreeMap<(EpisodeId, u32), String> {
    let all = events(folder, "r").into_iter();
    let told = all.flat_map(|(id, events)| {
        let told = events.into_iter().filter_map(move |event| match event.message {
            Message::Told(said) => Some(((id.clone(), event.seq), said.text)),
            _ => None,
        });
        told.collect::<Vec<_>>()
    });
    told.collect()
}

/// The rows of a sheet.
fn sheet(file: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(file).unwrap();
    let rows = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

/// The ids of a sheet.
fn ids(file: &Path) -> BTreeSet<String> {
    let rows = sheet(file).into_iter().skip(1);
    rows.map(|mut row| row.remove(0)).collect()
}

/// The sheet with the labels filled in, as a spreadsheet program might save it.
fn fill(folder: &Path, name: &str, mut label: impl FnMut(&str, usize) -> String) -> PathBuf {
    let mut rows = sheet(&folder.join("sheets").join(name));
    for (place, row) in rows.iter_mut().enumerate().skip(1) {
        row[3] = label(&row[2], place);
    }
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    let mut writer = csv::WriterBuilder::new().delimiter(b';').from_writer(&mut bytes);
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    drop(writer);
    let file = folder.join(format!("filled-{name}"));
    fs::write(&file, bytes).unwrap();
    file
}

fn stored(folder: &Path, name: &str) -> Vec<Value> {
    let file = folder.join("logs/r/labels").join(name);
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn sheets_are_blind_and_their_key_is_not() {
    let folder = run();
    let at = folder.path();
    let export = ["export", "r", "--what", "categories", "--out", "sheets"];
    rate(at, &[&export[..], &["--sample", "6", "--raters", "3", "--overlap", "0.5"]].concat(), 0);
    let said = said(at);
    let key: Value = serde_json::from_slice(&fs::read(at.join("sheets/key.json")).unwrap()).unwrap();
    let mut holders: BTreeMap<String, u32> = BTreeMap::new();
    for number in 1..=3 {
        let name = format!("rater-{number}.csv");
        let rows = sheet(&at.join("sheets").join(&name));
        assert_eq!(rows[0], ["id", "context", "said", "categories", "note"]);
        assert_eq!(rows.len(), 5, "three for all and one of the others");
        let listed = key["sheets"][&name].as_array().unwrap();
        for (row, id) in rows[1..].iter().zip(listed) {
            assert_eq!(id, &row[0]);
            let item = &key["items"][&row[0]];
            let episode: EpisodeId = item["episode"].as_str().unwrap().parse().unwrap();
            let seq = u32::try_from(item["seq"].as_u64().unwrap()).unwrap();
            assert_eq!(said[&(episode, seq)], row[2]);
            assert_eq!(row[3], "");
            *holders.entry(row[0].clone()).or_default() += 1;
        }
        let text = fs::read_to_string(at.join("sheets").join(&name)).unwrap();
        for word in ["respact", "helpful", "main", "executor", "solved", "oracle", "strategy"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert!(text.contains("Task: ") && text.contains("Result: "), "{text}");
    }
    let shared = holders.values().filter(|count| **count == 3).count();
    assert_eq!((holders.len(), shared), (6, 3));
}

#[test]
fn instructions_hold_the_criteria_and_more_items_hold_the_fewer() {
    let folder = run();
    let at = folder.path();
    let export = ["export", "r", "--what", "categories", "--sample", "6", "--out", "sheets"];
    rate(at, &export, 0);
    let few = ids(&at.join("sheets/rater-1.csv"));
    let page = fs::read_to_string(at.join("sheets/instructions.md")).unwrap();
    assert!(page.contains("clarification request") && page.contains("`categories`"), "{page}");
    let again = rate(at, &export, 2);
    assert!(again.contains("holds sheets already"), "{again}");
    // The same seed draws the same items, and more with them.
    let more = ["export", "r", "--what", "acts", "--sample", "8", "--out", "more"];
    rate(at, &more, 0);
    let more = ids(&at.join("more/rater-2.csv"));
    assert!(few.is_subset(&more) && (few.len(), more.len()) == (6, 8));
}

#[test]
fn labels_come_back_and_change_only_on_request() {
    let folder = run();
    let at = folder.path();
    rate(at, &["export", "r", "--what", "categories", "--out", "sheets"], 0);
    let count = said(at).len();
    let file = fill(at, "rater-1.csv", |_, place| match place {
        1 => String::new(),
        _ => "Probing Question".to_owned(),
    });
    let file = file.to_str().unwrap();
    rate(at, &["import", "r", "--rater", "anna", file], 0);
    let labels = stored(at, "categories-anna.jsonl");
    assert_eq!(labels.len(), count - 1);
    assert!(labels.iter().all(|label| label["label"] == "probing question"));
    // The same sheet again changes nothing.
    rate(at, &["import", "r", "--rater", "anna", file], 0);
    assert_eq!(stored(at, "categories-anna.jsonl"), labels);
    let other = fill(at, "rater-2.csv", |_, _| "3".to_owned());
    let other = other.to_str().unwrap();
    let refused = rate(at, &["import", "r", "--rater", "anna", other], 2);
    assert!(refused.contains("--replace") && refused.contains("was `probing question`"), "{refused}");
    assert_eq!(stored(at, "categories-anna.jsonl"), labels);
    rate(at, &["import", "r", "--rater", "anna", other, "--replace"], 0);
    let labels = stored(at, "categories-anna.jsonl");
    assert!(labels.len() == count && labels.iter().all(|label| label["label"] == "status update"));
    // The analysis takes them.
    let arguments = ["analyse", "r", "--labels", "anna", "--only", "categories", "--json"];
    let found: Value = serde_json::from_slice(&ends(at, &arguments, 0).stdout).unwrap();
    assert_eq!(found["rows"][0]["categories"]["status update"]["share"], 1.0);
    assert_eq!(found["labels"]["categories"], "anna");
}

#[test]
fn a_wrong_sheet_is_refused_with_its_lines() {
    let folder = run();
    let at = folder.path();
    rate(at, &["export", "r", "--what", "scale:1-5:clarity", "--out", "sheets"], 0);
    let file = fill(at, "rater-1.csv", |_, place| if place == 2 { "6" } else { "4" }.to_owned());
    let told = rate(at, &["import", "r", "--rater", "anna", file.to_str().unwrap()], 2);
    assert!(told.contains(": `6` is no label; there is 1, 2, 3, 4, 5"), "{told}");
    let broken = text(&fs::read(&file).unwrap()).replace(";6;", ";5;") + "u123;x;y;4;\r\n";
    fs::write(&file, broken).unwrap();
    let told = rate(at, &["import", "r", "--rater", "anna", file.to_str().unwrap()], 2);
    assert!(told.contains("the run has no item `u123`"), "{told}");
    let empty = fill(at, "rater-1.csv", |_, _| String::new());
    let told = rate(at, &["import", "r", "--rater", "anna", empty.to_str().unwrap()], 2);
    assert!(told.contains("has no label yet"), "{told}");
    assert!(!at.join("logs/r/labels").exists());
    for name in ["rules", "An na", "../x"] {
        let told = rate(at, &["import", "r", "--rater", name, file.to_str().unwrap()], 2);
        assert!(told.contains("--rater"), "{told}");
    }
    // Labels do no harm to the log.
    ends(at, &["logs", "verify", "r"], 0);
}

#[test]
fn rules_and_raters_are_compared() {
    let folder = run();
    let at = folder.path();
    given(at, "export r --what acts --out sheets", 0);
    let both = ["ReqForObjLocAndOD", "AlternateQuestions"];
    for (rater, name) in [("anna", "rater-1.csv"), ("ben", "rater-2.csv")] {
        let label = |said: &str, _| both[usize::from(said.contains("Which"))].to_owned();
        import(at, rater, &fill(at, name, label));
    }
    let found = agreed(at, "acts");
    let names = found["raters"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|rater| rater["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["anna", "ben", "rules"]);
    assert_eq!(found["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(found["pairs"][0]["raw"]["value"], 1.0);
    let shown = given(at, "agreement r --what acts", 0);
    for part in ["kappa", "alpha", "anna", "ben", "rules"] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let line = "agreement r --what acts --rater anna --rater rules --markdown";
    let shown = given(at, line, 0);
    assert!(shown.contains("anna") && !shown.contains("ben"), "{shown}");
    let told = given(at, "agreement r --what acts --rater carl", 2);
    assert!(told.contains("`carl` has labelled no `acts`"), "{told}");
    let told = given(at, "agreement r --what categories", 2);
    assert!(told.contains("nobody has labelled `categories`"), "{told}");
}

#[test]
fn whole_dialogues_are_rated_on_a_scale() {
    let folder = run();
    let at = folder.path();
    let scale = "scale:1-5:clarity";
    let line = format!("export r --what {scale} --items dialogues --raters 3 --out sheets");
    given(at, &line, 0);
    // One of three raters always gives a point more.
    for (number, more) in [(1, 0), (2, 0), (3, 1)] {
        let name = format!("rater-{number}.csv");
        // By the item, since the sheets have orders of their own.
        let rows = sheet(&at.join("sheets").join(&name));
        let sum = |place: usize| rows[place][0].bytes().map(usize::from).sum::<usize>();
        let file = fill(at, &name, |_, place| (1 + sum(place) % 4 + more).to_string());
        import(at, &format!("r{number}"), &file);
    }
    let found = agreed(at, scale);
    assert_eq!(found["raters"].as_array().unwrap().len(), 3);
    let kappa = |pair: usize| found["pairs"][pair]["kappa"]["value"].as_f64().unwrap();
    assert_eq!(found["pairs"][1]["raw"]["value"], 0.0);
    assert!((kappa(0) - 1.0).abs() < 1e-9, "{found}");
    assert!(kappa(1) > 0.2 && kappa(1) < 1.0, "{found}");
}

/// A config with a model at the address; what it can do is written as said.
fn config(folder: &Path, url: &str, can: &str) {
    let text = format!(
        "extends = \"configs/household/respact.toml\"\nname = \"judged\"\n[models.large]\nprovider = \"openai\"\n\
         base_url = \"{url}\"\nmodel = \"m\"\nretries = {{ attempts = 2 }}\n[models.large.capabilities]\n{can}\n"
    );
    fs::write(folder.join("my.toml"), text).unwrap();
}

#[cfg(debug_assertions)]
#[test]
fn a_sheet_that_stands_there_is_whole_whenever_export_is_killed() {
    let folder = run();
    let at = folder.path();
    let export = |out: &str, step: Option<u32>| {
        let arguments = ["rate", "export", "r", "--what", "categories", "--out", out];
        let mut command = rolecall(at, &arguments);
        command.envs(step.map(|step| ("ROLECALL_DIE_AT", step.to_string())));
        command.output().unwrap().status.success()
    };
    assert!(export("whole", None));
    let mut killed = 0;
    while !export(&format!("out-{killed}"), Some(killed + 1)) {
        let files = fs::read_dir(at.join(format!("out-{killed}"))).into_iter();
        for file in files.flatten() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|end| end != "part") {
                let whole = at.join("whole").join(file.file_name().unwrap());
                assert_eq!(fs::read(&file).unwrap(), fs::read(whole).unwrap(), "{file:?}");
            }
        }
        killed += 1;
    }
    assert!(killed > 12, "{killed}");
}

#[test]
fn a_judge_without_its_key_is_told_before_anybody_is_asked() {
    let folder = run();
    let at = folder.path();
    config(at, "http://localhost:1", "");
    let key = ["--set", "models.large.api_key_env=ROLECALL_TEST_HAS_NO_SUCH_KEY"];
    let told = rate(at, &[&JUDGE[..], &key].concat(), 2);
    assert!(told.contains("model `large`: needs the environment variable `ROLECALL_TEST_HAS_NO_SUCH_KEY`"), "{told}");
    assert!(!at.join("logs/r/labels").exists());
}

const JUDGE: [&str; 8] = ["judge", "r", "--what", "categories", "--model", "large", "--config", "my.toml"];

#[test]
fn a_judge_labels_everything_once_and_unreadable_answers_are_left_out() {
    let folder = run();
    let at = folder.path();
    let count = said(at).len();
    // The first item is never answered readably, the second one only when it is asked again.
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        let last = |end: &str| asked.key.ends_with(end);
        match asked.key.as_str() {
            key if key.contains(":0:0/") => Does::Says("hm"),
            _ if last("/0/0") && asked.key.contains(":1:0/") => Does::Says("a status update or a follow-up"),
            _ => Does::Says("Category: status update."),
        }
    });
    config(at, &server.url(), "json_schema = false");
    rate(at, &JUDGE, 1);
    let hidden = said(at).keys().filter(|(id, _)| id.task == 0).count();
    let twice = said(at).keys().filter(|(id, _)| id.task == 1).count();
    assert_eq!(server.requests(), (count + hidden + twice) as u64);
    let labels = stored(at, "categories-judge-large.jsonl");
    assert_eq!(labels.len(), count - hidden);
    assert!(labels.iter().all(|label| label["label"] == "status update"));
    // What has a label is not asked again.
    let before = server.requests();
    rate(at, &JUDGE, 1);
    assert_eq!(server.requests() - before, 2 * hidden as u64);
    assert_eq!(stored(at, "categories-judge-large.jsonl"), labels);
    // Half a line is taken off, and its item asked again.
    let file = at.join("logs/r/labels/categories-judge-large.jsonl");
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 9);
    fs::write(&file, bytes).unwrap();
    rate(at, &JUDGE, 1);
    assert_eq!(stored(at, "categories-judge-large.jsonl").len(), labels.len());
}

#[test]
fn a_judge_is_told_its_labels_and_a_schema_where_it_knows_one() {
    let folder = run();
    let at = folder.path();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = std::sync::Arc::clone(&seen);
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        noted.lock().unwrap().push(asked.body.clone());
        Does::Says("{\"label\": \"Affirm\"}")
    });
    config(at, &server.url(), "json_schema = true");
    let acts = ["judge", "r", "--what", "acts", "--model", "large", "--config", "my.toml", "--sample", "3"];
    rate(at, &[&acts[..], &["--rater", "strict"]].concat(), 0);
    assert_eq!(stored(at, "acts-strict.jsonl").len(), 3);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    let said = said(at);
    for body in seen.iter() {
        let labels = &body["response_format"]["json_schema"]["schema"]["properties"]["label"]["enum"];
        assert_eq!(labels.as_array().unwrap().len(), 10);
        let asked = body["messages"][1]["content"].as_str().unwrap();
        assert!(said.values().any(|said| asked.contains(said.as_str())), "{asked}");
        assert!(asked.contains("Task: ") && !asked.contains("respact") && !asked.contains("helpful"));
        let told = body["messages"][0]["content"].as_str().unwrap();
        assert!(told.contains("- NotifyFailure: To say that something did not work."), "{told}");
    }
    let told = rate(at, &["judge", "r", "--what", "acts", "--model", "larg", "--config", "my.toml"], 2);
    assert!(told.contains("no model `larg` (did you mean `large`?)"), "{told}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_loses_no_label() {
    let folder = run();
    let at = folder.path();
    let server = FakeModel::start(Duration::ZERO, |asked| match asked.number {
        // The server gives each text in two fields, which the client joins.
        0..4 => Does::Says("status update. "),
        _ => Does::Stalls(Duration::from_secs(600)),
    });
    config(at, &server.url(), "json_schema = false");
    let arguments = [&["rate"], &JUDGE[..], &["--concurrency", "1"]].concat();
    let mut child = rolecall(at, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while server.requests() < 5 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let code = child.wait().unwrap().code();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code, Some(1), "{output:?}");
    let labels = stored(at, "categories-judge-large.jsonl");
    assert_eq!(labels.len(), 4, "{output:?}");
}

fn near(found: Option<f64>, expected: &Value, about: &str) {
    match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() < 1e-9, "{about}: {found} {expected}");
        }
        (found, expected) => assert_eq!(found, expected, "{about}"),
    }
}

/// `tests/original/agreement.py` says with which programs.
#[test]
fn agreement_is_what_other_programs_compute() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/original/agreement.jsonl");
    let lines = fs::read_to_string(file).unwrap();
    assert!(lines.lines().count() > 10);
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let item = |item: &Value| {
            let labels = item.as_array().unwrap().iter();
            labels.map(|label| label.as_u64().map(|label| label as usize)).collect()
        };
        let found = agreement(&Ratings {
            labels: line["labels"].as_u64().unwrap() as usize,
            ordinal: line["ordinal"].as_bool().unwrap(),
            items: line["items"].as_array().unwrap().iter().map(item).collect(),
        });
        near(found.fleiss.map(|figure| figure.value), &line["fleiss"], "fleiss");
        near(found.alpha.map(|figure| figure.value), &line["alpha"], "alpha");
        let pairs = line["pairs"].as_array().unwrap();
        assert_eq!(found.pairs.len(), pairs.len());
        for (pair, expected) in found.pairs.iter().zip(pairs) {
            assert_eq!(pair.items as u64, expected["items"]);
            near(pair.raw.map(|figure| figure.value), &expected["raw"], "raw");
            near(pair.kappa.map(|figure| figure.value), &expected["kappa"], "kappa");
            assert_eq!(serde_json::to_value(&pair.confusion).unwrap(), expected["confusion"]);
            let (low, high) = pair.kappa.unwrap().interval.unwrap();
            assert!(low <= pair.kappa.unwrap().value && pair.kappa.unwrap().value <= high);
        }
    }
}

/// How many domains each episode's goal has.
fn domains_of_goals(at: &Path, run: &str) -> Vec<usize> {
    let domains = |events: &Vec<Event>| {
        let goal = events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part) => part.value["domains"].as_object().map(serde_json::Map::len),
            _ => None,
        });
        goal.unwrap()
    };
    events(at, run).values().map(domains).collect()
}

/// A question with fields of its own for each part of a dialogue, which any text answers.
#[test]
fn a_judge_answers_in_texts_what_is_asked_of_each_part() {
    let folder = folder();
    let at = folder.path();
    let played = "run configs/booking/booking-respact.toml --set environment.profile=reference --name r --limit 4 -q \
                  --no-report";
    ends(at, &played.split_whitespace().collect::<Vec<_>>(), 0);
    // Of the first dialogue it never says any phone number of a taxi or venue, and no name; of the others nothing but
    // `none`.
    let server = FakeModel::start(Duration::ZERO, |asked| {
        let schema = &asked.body["response_format"]["json_schema"]["schema"];
        let fields = schema["required"].as_array().unwrap().iter();
        let fields = fields.map(|field| field.as_str().unwrap().to_owned());
        let mut answer: BTreeMap<String, &str> = fields.map(|field| (field, "none")).collect();
        if asked.key.contains(":0:0/") {
            answer.pop_first();
        }
        Does::Says(Box::leak(serde_json::to_string(&answer).unwrap().into_boxed_str()))
    });
    config(at, &server.url(), "json_schema = true");
    let asked = "judge r --what booking_answers --model large --config my.toml --rater m";
    let asked: Vec<&str> = asked.split_whitespace().collect();
    rate(at, &asked, 0);
    // One request for each domain, and another where a field was missing.
    let goals = domains_of_goals(at, "r");
    let domains: usize = goals.iter().sum();
    assert_eq!(server.requests(), (domains + goals[0]) as u64);
    let shown = ends(at, &["analyse", "r", "--labels", "m", "--only", "autotod", "--json"], 0);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let own = &shown["rows"][0]["autotod"];
    assert_eq!(own["dialogues"], serde_json::json!({ "by_model": 3, "by_log": 4 }), "{shown}");
    assert_eq!(own["without_answer"], 1);
    assert_eq!(own["by_model"]["dialogue"]["inform"]["value"], 0.0, "{own}");
    assert_eq!(own["by_log"]["dialogue"]["inform"]["value"], 1.0);
    // What is answered by any text is nothing to be exported or compared.
    let refused = given(at, "export r --what booking_answers.phone --out sheets", 2);
    assert!(refused.contains("answered by any text"), "{refused}");
    // What has all of its labels is not asked again.
    let before = server.requests();
    rate(at, &asked, 0);
    assert_eq!(server.requests() - before, 2 * goals[0] as u64);
}
