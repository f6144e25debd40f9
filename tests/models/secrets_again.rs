//! Values that may be secrets and were given on the command line or in variables: no run writes them down, and
//! whoever goes on with it, plays it again or branches off gives them again.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};

const TENANT: &str = "canary-tenant-41c7";
const REGION: &str = "canary-region-9e02";
const VARIABLE: &str = "ROLECALL__MODELS__FAKE__EXTRA_BODY__REGION";
const INSTEAD: &str = "ROLECALL__MODELS__FAKE__EXTRA_BODY__TENANT";

fn given(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = rolecall(folder, arguments);
    command.env_remove(VARIABLE).env_remove(INSTEAD);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let told = text(&output.stdout) + &text(&output.stderr);
    for secret in [TENANT, REGION] {
        assert!(!told.contains(secret), "{arguments:?}: {told}");
    }
    output
}

/// Leaves the run as an interrupted one, so that the model is asked again.
fn interrupt(run: &Path) {
    let events = fs::read_to_string(run.join("events.jsonl")).unwrap();
    let half = events.lines().take(8).map(|line| format!("{line}\n"));
    fs::write(run.join("events.jsonl"), half.collect::<String>()).unwrap();
    for name in ["results.jsonl", "timings.jsonl"] {
        fs::write(run.join(name), "").unwrap();
    }
}

#[test]
fn fields_of_requests_are_given_again_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start(Duration::ZERO, |asked| {
        let known = asked.body["tenant"] == TENANT && asked.body["region"] == REGION;
        match known && asked.body["top_k"] == 7 {
            true => Does::Says("Act: look"),
            false => Does::Refuses(401, Vec::new(), format!("who is {}?", asked.body)),
        }
    });
    let more = "tasks.limit = 1\nlimits.steps = 3\n";
    server.write_config(folder.path(), more, "extra_body.top_k = 7\n");
    let path = folder.path();
    let tenant = format!("models.fake.extra_body.tenant={TENANT}");
    let set = ["--set", &*tenant];
    let region = [(VARIABLE, REGION)];
    let quiet = ["--quiet", "--no-report"];
    let run = [&["run", "live.toml"][..], &set, &quiet].concat();
    assert_eq!(given(path, &run, &region).status.code(), Some(0));
    let record = fs::read_to_string(path.join("logs/live/run.toml")).unwrap();
    assert!(!record.contains(TENANT) && !record.contains(REGION), "{record}");
    assert!(record.contains("top_k = 7"), "{record}");
    interrupt(&path.join("logs/live"));
    let resume = [&["resume", "live"][..], &quiet].concat();
    let again = |arguments: &[&str], variables: &[(&str, &str)], missing: &str| {
        let output = given(path, arguments, variables);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(missing), "{told}");
    };
    again(&resume, &region, "`--set models.fake.extra_body.tenant=...`");
    again(&resume, &region, INSTEAD);
    let with_set = [&resume[..], &set].concat();
    again(&with_set, &[], VARIABLE);
    let output = given(path, &with_set, &region);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // Played again and branched off, with the one value in a variable instead.
    let variables = [(VARIABLE, REGION), (INSTEAD, TENANT)];
    let replay = given(path, &["replay", "live"], &variables);
    assert_eq!(replay.status.code(), Some(0), "{}", text(&replay.stderr));
    again(&["replay", "live"], &region, "tenant");
    let replay = given(path, &[&["replay", "live"][..], &set].concat(), &region);
    assert_eq!(replay.status.code(), Some(0), "{}", text(&replay.stderr));
    let branch = ["branch", "live", "0", "--at", "last"];
    let output = given(path, &[&branch[..], &quiet].concat(), &variables);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = fs::read_to_string(path.join("logs/live-branch/run.toml")).unwrap();
    assert!(!record.contains(TENANT) && !record.contains(REGION), "{record}");
}

#[test]
fn requests_are_shown_without_fields_that_may_be_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"));
    let more = "tasks.limit = 1\nlimits.steps = 2\n";
    let fields = format!("extra_body = {{ top_k = 7, tenant = \"{TENANT}\", inner = {{ list = [\"{REGION}\"] }} }}\n");
    server.write_config(folder.path(), more, &fields);
    let told = |arguments: &[&str]| {
        let output = given(folder.path(), arguments, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    told(&["run", "live.toml", "--quiet", "--no-report"]);
    for arguments in [
        &["show", "live", "0", "--prompts"][..],
        &["show", "live", "0", "--prompts", "--json"],
        &["check", "live.toml", "--prompt", "executor"],
    ] {
        let shown = told(arguments);
        for part in ["tenant", "(not written)", "top_k"] {
            assert!(shown.contains(part), "{arguments:?}: {shown}");
        }
    }
}

#[test]
fn what_an_older_version_wrote_down_is_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"));
    let more = "tasks.limit = 1\nlimits.steps = 3\n";
    server.write_config(folder.path(), more, "extra_body.list = [\"canary\"]\n");
    let path = folder.path();
    let quiet = ["--quiet", "--no-report"];
    let run = [&["run", "live.toml"][..], &quiet].concat();
    assert_eq!(given(path, &run, &[]).status.code(), Some(0));
    let file = path.join("logs/live/run.toml");
    let record = fs::read_to_string(&file).unwrap();
    let hidden = "list = \"(not written)\"";
    assert!(record.contains(hidden), "{record}");
    fs::write(&file, record.replace(hidden, "list = [\"canary\"]")).unwrap();
    let output = given(path, &[&["resume", "live"][..], &quiet].concat(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn nothing_of_a_field_that_cannot_be_used_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::friendly();
    server.write_config(folder.path(), "", "");
    for value in [
        format!("models.fake.extra_body={TENANT}"),
        format!("models.fake.extra_body.stream={TENANT}"),
        format!("models.fake.extra_body.tenant=[2020-01-01, \"{TENANT}\"]"),
        format!("models.fake.extra_body {TENANT}"),
        format!("models.fake.extra_body=[{{ a = \"{TENANT}\" }}]"),
    ] {
        let output = given(folder.path(), &["check", "live.toml", "--set", &value], &[]);
        assert_eq!(output.status.code(), Some(2), "{value}");
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_what_models_were_asked() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"));
    server.write_config(folder.path(), "tasks.limit = 1\nlimits.steps = 2\n", "");
    let path = folder.path();
    // One that was taken over as well.
    fs::create_dir_all(path.join("logs/live")).unwrap();
    let quiet = ["--quiet", "--no-report"];
    let run = |more: &[&str]| {
        let output = given(path, &[&["run", "live.toml"][..], &quiet, more].concat(), &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    run(&["--name", "live"]);
    run(&["--name", "second"]);
    run(&["--name", "rules", "--set", "roles.executor={implementation=\"rules\"}"]);
    let mode = |name: &str| {
        let found = fs::metadata(path.join("logs").join(name)).unwrap();
        found.permissions().mode() & 0o77
    };
    assert_eq!((mode("live"), mode("second")), (0, 0));
    assert_ne!(mode("rules"), 0);
}
