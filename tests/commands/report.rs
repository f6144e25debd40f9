//! The files that runs and `rolecall report` write.

use std::fs;
use std::path::Path;

use crate::support::binary::{rolecall, text};
use crate::support::synthetic::{Story, encode, events, write_run};
use rolecall::domain::Ending;
use rolecall::evaluation::{EpisodeResult, Seal};
use rolecall::log::Batch;

#[test]
fn a_report_that_cannot_be_written_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let broken = Ending::Broken { by: rolecall::domain::Seat::User };
    let stories = [Ending::Solved, broken].into_iter().enumerate();
    let batches = stories.map(|(task, ending)| {
        let story = Story::new(&format!("react:{task}:0"), "put", ending);
        Batch::events(encode(&story.id, &events(&story)))
    });
    write_run(&run, "schema = 1", batches.collect());
    let report = |arguments: &[&str]| rolecall(folder.path(), arguments).output().unwrap();
    report(&["report", "run", "--write"]);
    let markdown = fs::read_to_string(run.join("report.md")).unwrap();
    fs::remove_file(run.join("report.html")).unwrap();
    fs::create_dir(run.join("report.html")).unwrap();
    let output = report(&["report", "run", "--write"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    assert!(complaint.contains("`run/report.html` cannot be written"), "{complaint}");
    assert!(!run.join("report.html.part").exists());
    assert_eq!(fs::read_to_string(run.join("report.md")).unwrap(), markdown);
    for own in ["run/events.jsonl", "run/../run/run.toml"] {
        let output = report(&["report", "run", "--html", own]);
        assert!(text(&output.stderr).contains("belongs to the log"), "{output:?}");
    }
    let output = report(&["report", "run", "--html", "no/such/folder.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(report(&["report", "run"]).status.code(), Some(1), "the log is whole");
}

/// Plays two games of the quickstart, with further arguments.
fn play(folder: &Path, more: &[&str]) -> std::process::Output {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/quickstart.toml");
    let config = config.display().to_string();
    let arguments = ["run", &config, "--logs", "logs", "--quiet", "--limit", "2"];
    rolecall(folder, &[&arguments, more].concat()).output().unwrap()
}

#[test]
fn a_run_ends_by_writing_its_reports() {
    let folder = tempfile::tempdir().unwrap();
    let output = play(folder.path(), &[]);
    let printed = text(&output.stdout);
    assert!(printed.contains("logs/quickstart/report.html"), "{printed}");
    let run = folder.path().join("logs/quickstart");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    let markdown = fs::read_to_string(run.join("report.md")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let again = rolecall(folder.path(), &["report", "quickstart", "--html", "-"]).output().unwrap();
    assert!(text(&again.stdout) == page, "a report is a function of the run's folder");
    let again = rolecall(folder.path(), &["report", "quickstart", "--markdown"]).output().unwrap();
    assert_eq!(text(&again.stdout), markdown);
    let json = play(folder.path(), &["--json"]);
    let object: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(object["run"], "logs/quickstart-2");
    assert!(folder.path().join("logs/quickstart-2/report.html").exists());
    let none = play(folder.path(), &["--no-report"]);
    assert!(!text(&none.stdout).contains("report.html"));
    assert!(!folder.path().join("logs/quickstart-3/report.html").exists());
}

/// Writes another result of an episode, sealed as if the run had written it.
fn forge(results: &Path, line: usize) {
    let text = fs::read_to_string(results).unwrap();
    let lines = text.lines().enumerate().map(|(number, own)| {
        let own = own.as_bytes();
        let mut result = EpisodeResult::decode(own).unwrap();
        if number == line {
            result.success = !result.success;
        }
        let Seal::Whole(events) = Seal::of(own) else {
            panic!("{text}");
        };
        let mut sealed = Vec::new();
        result.encode_sealed(events, &mut sealed);
        String::from_utf8(sealed).unwrap()
    });
    let forged: String = lines.collect();
    assert_ne!(forged, text);
    fs::write(results, forged).unwrap();
}

#[test]
fn results_that_the_run_wrote_are_taken_only_as_far_as_they_are_of_its_events_and_this_version() {
    let folder = tempfile::tempdir().unwrap();
    assert!(play(folder.path(), &["--no-report"]).status.success());
    let run = folder.path().join("logs/quickstart");
    let report = || {
        let output = rolecall(folder.path(), &["report", "quickstart", "--json"]).output();
        text(&output.unwrap().stdout)
    };
    let (whole, results) = (report(), run.join("results.jsonl"));
    let written = fs::read_to_string(&results).unwrap();
    // A line that somebody changed is computed again.
    let place = if written.contains("\"success\":true") { "true" } else { "false" };
    let other = if place == "true" { "false" } else { "true" };
    let name = "\"success\":";
    let changed = written.replacen(&format!("{name}{place}"), &format!("{name}{other}"), 1);
    fs::write(&results, changed).unwrap();
    assert_eq!(report(), whole);
    // One that is not what the metrics give costs all others their belief.
    fs::write(&results, &written).unwrap();
    forge(&results, 0);
    assert_eq!(report(), whole);
    // What another version wrote is computed again, although every line is whole.
    let record = run.join("run.toml");
    let own = fs::read_to_string(&record).unwrap();
    let version = format!("rolecall = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(own.contains(&version), "{own}");
    fs::write(&record, own.replace(&version, "rolecall = \"0.1.9\"")).unwrap();
    assert_eq!(report(), whole);
    // Without any, all are computed.
    fs::remove_file(&results).unwrap();
    assert_eq!(report(), whole);
}
