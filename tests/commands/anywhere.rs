//! The program with nothing but itself: shipped configs, `init`, the schema, runs that are gone on with from
//! another folder; and a newcomer's first walk.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::binary::{rolecall, text};
use serde_json::Value;

fn said(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

/// What was printed by a command that must succeed.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = said(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    text(&output.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = said(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    text(&output.stderr)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn an_empty_folder_is_enough_wherever_a_config_is_named() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let listed = done(folder, &["list", "configs"]);
    assert!(listed.contains("household/respact "), "{listed}");
    assert!(done(folder, &["check", "household/relay"]).contains("rolecall:/agents/relay/"));
    done(folder, &["run", "quickstart", "--limit", "1", "--quiet"]);
    done(folder, &["run", "configs/dialogue/tpe.toml", "--limit", "1", "--quiet"]);
    // Data beside a config come with it.
    let own = ["run", "dialogue/own-sources", "--name", "own", "--quiet"];
    assert!(done(folder, &own).contains("bakery"));
    done(folder, &["replay", "own"]);
    for config in json(&done(folder, &["list", "configs", "--json"])).as_array().unwrap() {
        let name = config["name"].as_str().unwrap();
        let is_overlay = ["models/", "gpt-4/", "retrievers/"].iter().any(|folder| name.starts_with(folder));
        if !is_overlay {
            done(folder, &["check", name]);
        }
    }
    assert!(done(folder, &["reproduce"]).contains("respact-table6"));
    let table = done(folder, &["reproduce", "aba-table1", "--limit", "1", "--quiet"]);
    assert!(table.contains("ABA"), "{table}");
    let models = done(folder, &["models", "list", "--config", "household/respact-model"]);
    assert!(models.contains("http://localhost:8080/v1"), "{models}");
    // Nothing but runs was written.
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["logs"]);
}

#[test]
fn a_run_is_gone_on_with_played_again_and_branched_from_any_folder() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let (home, other) = (root.join("home"), root.join("other"));
    fs::create_dir_all(home.join("mine/agents/react")).unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(
        home.join("mine/own.toml"),
        "extends = \"household/react\"\nname = \"own\"\ntasks.limit = 4\n[models.m]\nprovider = \"scripted\"\nscript = \"s.jsonl\"\n",
    )
    .unwrap();
    fs::write(home.join("mine/s.jsonl"), "").unwrap();
    fs::write(home.join("mine/agents/react/executor.toml"), "implementation = \"rules\"\n").unwrap();
    done(&home, &["run", "mine/own.toml", "--quiet"]);
    done(&home, &["run", "quickstart", "--limit", "2", "--quiet"]);
    let moved = root.join("moved");
    for at in [&home, &moved] {
        if *at == moved {
            // The folder of the runs may be moved with all that belongs to them.
            fs::rename(&home, &moved).unwrap();
        }
        for run in ["own", "quickstart"] {
            let run = at.join("logs").join(run);
            let run = run.to_str().unwrap();
            done(&other, &["replay", run]);
            let results = || fs::read_to_string(Path::new(run).join("results.jsonl")).unwrap();
            let before = results();
            done(&other, &["resume", run]);
            assert_eq!(results(), before, "nothing is played once more");
        }
    }
    let own = moved.join("logs/own");
    let branch = [
        "branch",
        own.to_str().unwrap(),
        "--episodes",
        "all",
        "--at",
        "turn:2",
        "--set",
        "limits.steps=9",
        "--name",
        "short",
        "--quiet",
    ];
    done(&other, &branch);
    done(&root, &["replay", "moved/logs/short"]);
    // A config that is gone is told, and so is one that changed.
    fs::write(moved.join("mine/own.toml"), "extends = \"household/react\"\nname = \"own\"\ntasks.limit = 5\n").unwrap();
    assert!(refused(&other, &["resume", own.to_str().unwrap()]).contains("is not the one that was begun"));
    fs::remove_file(moved.join("mine/own.toml")).unwrap();
    assert!(refused(&other, &["resume", own.to_str().unwrap()]).contains("own.toml: does not exist"));
}

#[test]
fn what_the_readme_runs_is_right() {
    let place = tempfile::tempdir().unwrap();
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap().replace("\\\n", " ");
    let runs = readme.lines().filter_map(|line| line.strip_prefix("rolecall run "));
    // Official files are not here.
    let runs = runs.filter(|options| !options.contains("json_2.1.1"));
    let mut checked = 0;
    for options in runs {
        let options = options.split('#').next().unwrap().replace("--limit 5", "");
        let arguments = ["check"].into_iter().chain(options.split_whitespace());
        done(place.path(), &arguments.collect::<Vec<_>>());
        checked += 1;
    }
    assert!(checked >= 3, "{checked}");
}

#[test]
fn init_writes_what_is_shipped_and_nothing_over_what_was_changed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    done(folder, &["init", "games"]);
    let games = folder.join("games");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in [
        "configs/quickstart.toml",
        "configs/rolecall.schema.json",
        "configs/dialogue/own/desk.jsonl",
        "agents/respact/exemplars/put-1.txt",
    ] {
        assert_eq!(fs::read(games.join(file)).unwrap(), fs::read(root.join(file)).unwrap(), "{file}");
    }
    let configs = json(&done(&games, &["list", "configs", "--json"]));
    assert!(configs.as_array().unwrap().iter().all(|config| config["shipped"] == false), "{configs}");
    assert!(done(&games, &["check", "quickstart"]).contains(" agents/respact/executor.toml"));
    done(&games, &["init"]);
    // What was changed stays, and then nothing is written at all.
    fs::write(games.join("configs/quickstart.toml"), "name = \"mine\"\n").unwrap();
    fs::remove_file(games.join("agents/respact/executor.md")).unwrap();
    let told = refused(&games, &["init"]);
    assert!(told.contains("configs/quickstart.toml") && told.contains("--force"), "{told}");
    assert!(!games.join("agents/respact/executor.md").exists());
    done(&games, &["init", "--force"]);
    for file in ["configs/quickstart.toml", "agents/respact/executor.md"] {
        assert_eq!(fs::read(games.join(file)).unwrap(), fs::read(root.join(file)).unwrap(), "{file}");
    }
    done(&games, &["init"]);
    let told = done(folder, &["init", "more games"]);
    assert!(told.contains("cd 'more games'\n"), "{told}");
    fs::write(folder.join("file"), "").unwrap();
    assert!(refused(folder, &["init", "file"]).contains("cannot be written"));
}

#[test]
fn what_is_printed_for_programs_can_be_read_by_them() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let checked = json(&done(folder, &["check", "quickstart", "--json"]));
    assert_eq!((&checked["ok"], &checked["config"]["episodes"]), (&true.into(), &536.into()));
    assert_eq!(checked["config"]["cells"][1]["users"][0]["kind"], "helpful");
    fs::write(folder.join("bad.toml"), "extends = \"quickstart\"\n\nsed = 3\n").unwrap();
    let output = said(folder, &["check", "bad.toml", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let checked = json(&text(&output.stdout));
    let problem = &checked["problems"][0];
    assert_eq!(
        (&checked["ok"], &problem["position"], &problem["key"]),
        (&false.into(), &"bad.toml:3".into(), &"sed".into())
    );
    assert!(problem["problem"].as_str().unwrap().contains("did you mean `seed`?"));
    // Nothing of it steers a terminal.
    fs::write(
        folder.join("steering.toml"),
        "extends = \"household/respact-model\"\nmodels.agent.model = \"a\\u202eb\"\n",
    )
    .unwrap();
    let told = done(folder, &["check", "steering.toml", "--json"]);
    assert!(!told.contains('\u{202e}'), "{told}");
    let config = json(&told)["config"].to_string();
    assert!(config.contains("a\u{202e}b"), "{config}");
    fs::create_dir(folder.join("configs")).unwrap();
    fs::write(folder.join("configs/own.toml"), "# Mine \u{9b}2J\n").unwrap();
    let told = done(folder, &["list", "configs", "--json"]);
    assert!(!told.contains('\u{9b}'), "{told}");
    assert_eq!(json(&told)[0]["summary"], "Mine \u{9b}2J");
    let strategies = json(&done(folder, &["list", "strategies", "--json"]));
    let relay = strategies.as_array().unwrap().iter().find(|own| own["name"] == "relay").unwrap();
    assert_eq!(relay["parameters"]["order"]["type"], "array");
    for what in ["roles", "environments", "users", "models", "metrics", "configs"] {
        let list = json(&done(folder, &["list", what, "--json"]));
        let first = &list[0];
        assert!(first["name"].is_string() && first["summary"].is_string(), "{what}: {first}");
    }
    let schema = json(&done(folder, &["schema"]));
    assert_eq!(schema["properties"]["seed"]["type"], "integer");
    let data = ["data", "statistics", "dialogue", "--data", "builtin", "--json"];
    let figures = json(&done(folder, &data));
    let first = figures.as_object().unwrap().values().next().unwrap();
    assert!(first["samples"].as_u64() > Some(0) && first["utterances before them"]["mean"].is_f64());
    let data = ["data", "statistics", "household", "--data", "builtin", "--split", "unseen", "--json"];
    let figures = json(&done(folder, &data));
    assert_eq!(figures["valid_unseen"]["games"], 134);
    let spread = figures["valid_unseen"].as_object().unwrap().values().find(|own| own.is_object());
    assert!(spread.unwrap()["least"].as_f64() <= spread.unwrap()["most"].as_f64());
}

#[test]
fn lists_of_runs_and_episodes_fit_a_narrow_terminal_and_know_other_folders() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    done(folder, &["run", "quickstart", "--limit", "2", "--quiet", "--logs", "kept"]);
    assert!(done(folder, &["show"]).is_empty());
    let runs = done(folder, &["show", "--logs", "kept"]);
    assert!(runs.contains("quickstart"), "{runs}");
    let output = said(folder, &["show", "quickstart", "--logs", "kept"]);
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), 2 + 8);
    for line in runs.lines().chain(list.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let told = text(&output.stderr);
    assert!(told.contains("--json"), "{told}");
    assert!(refused(folder, &["show", "none", "--logs", "kept"]).contains("there are `quickstart`"));
}

/// What a newcomer does in the first quarter of an hour, in a folder with nothing but the program.
#[cfg(unix)]
#[test]
fn the_walk_of_a_newcomer() {
    use std::process::{Command, Stdio};

    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    // The first result.
    done(folder, &["init"]);
    let table = done(folder, &["run", "configs/quickstart.toml", "--limit", "6", "--quiet"]);
    assert!(table.contains("respact-helpful"), "{table}");
    assert!(folder.join("logs/quickstart/report.html").exists());
    // A config of one's own, with two mistakes at first.
    let own = "#:schema configs/rolecall.schema.json\nextends = \"configs/household/respact.toml\"\nname = \"own\"\n\
               [strategy]\nname = \"relay\"\norder = [\"thinker\", \"plannr\", \"executor\"]\n[limits]\nstpes = 20\n";
    fs::write(folder.join("own.toml"), own).unwrap();
    let problems = refused(folder, &["run", "own.toml"]);
    for problem in [
        "own.toml:6: `strategy.order.1` is `plannr`",
        "(did you mean `planner`?)",
        "own.toml:8: `limits.stpes` is unknown (did you mean `steps`?)",
    ] {
        assert!(problems.contains(problem), "{problem} is not in {problems}");
    }
    let right = own.replace("plannr", "planner").replace("stpes", "steps");
    fs::write(folder.join("own.toml"), right).unwrap();
    assert!(done(folder, &["check", "own.toml"]).contains("planner"));
    // Stopped after the first episodes, and on from there. `SIGTERM` is as Ctrl-C, which a shell has jobs in the
    // background ignore.
    let arguments = ["run", "own.toml", "--concurrency", "1", "--set", "repeats=8", "--quiet"];
    let mut run = rolecall(folder, &arguments);
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let results = folder.join("logs/own/results.jsonl");
    while fs::read(&results).is_ok_and(|lines| lines.is_empty()) || !results.exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let stopped = child.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(1), "{stopped:?}");
    assert!(text(&stopped.stderr).contains("rolecall resume"), "{stopped:?}");
    let listed = done(folder, &["show", "--json"]);
    assert!(listed.contains("interrupted"), "{listed}");
    done(folder, &["resume", "own", "--quiet"]);
    // Results, an episode, the report.
    assert!(done(folder, &["show", "own", "--limit", "3"]).contains("main:0:0"));
    assert!(done(folder, &["show", "own", "main:0:0"]).contains("executor"));
    let report = done(folder, &["report", "own", "--markdown"]);
    assert!(!report.contains("&#") && report.contains("helpful"), "{report}");
    done(folder, &["compare", "own", "quickstart:react"]);
}
