//! Participants in other processes, played by small programs in Python.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

use crate::support::binary::{rolecall, text};

/// A folder with the programs, or nothing where there is no Python.
fn folder() -> Option<tempfile::TempDir> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let children = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors/children");
    for name in ["player.py", "world.py"] {
        fs::copy(children.join(name), folder.path().join(name)).unwrap();
    }
    Some(folder)
}

/// A config in which an executor in another process plays the household.
fn household(options: &str, more: &str) -> String {
    format!(
        "name = \"p\"\nseed = 1\n{more}\n\
         [environment]\nname = \"household\"\ndata = \"builtin\"\n\
         [strategy]\nname = \"respact\"\n[user]\nkind = \"helpful\"\n\
         [roles.executor]\nimplementation = \"process\"\ncommand = [\"python3\", \"player.py\"]\n\
         parameters = {{ {options} }}\n"
    )
}

fn done(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

/// Plays a config, which must work.
fn play(folder: &Path, config: &str) -> Output {
    fs::write(folder.join("p.toml"), config).unwrap();
    let _ = fs::remove_dir_all(folder.join("logs"));
    let played = done(folder, &["run", "p.toml", "-q"]);
    assert!(folder.join("logs/p/results.jsonl").exists(), "{}", text(&played.stderr));
    played
}

fn canonical(folder: &Path) -> String {
    let lines = done(folder, &["logs", "canonical", "logs/p"]);
    assert!(lines.status.success(), "{}", text(&lines.stderr));
    text(&lines.stdout)
}

fn events(folder: &Path) -> Vec<Value> {
    canonical(folder).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the participants of faults said.
fn faults(folder: &Path) -> Vec<String> {
    let events = events(folder).into_iter();
    let faults = events.filter_map(|event| event["message"]["fault"]["message"].as_str().map(str::to_owned));
    faults.collect()
}

fn restarts(folder: &Path) -> u64 {
    let lines = fs::read_to_string(folder.join("logs/p/timings.jsonl")).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| line["restarts"].as_u64().unwrap_or(0)).sum()
}

fn replays(folder: &Path) {
    let replayed = done(folder, &["replay", "logs/p"]);
    assert!(replayed.status.success(), "{}{}", text(&replayed.stdout), text(&replayed.stderr));
}

#[test]
fn a_role_and_a_user_in_other_processes_are_played_again() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let config = household("forgets = true", "tasks.limit = 6\nlimits.steps = 12").replace(
        "kind = \"helpful\"",
        "kind = \"process\"\ncommand = [\"python3\", \"player.py\"]\nsees = \"question\"",
    );
    play(folder, &config);
    assert_eq!(faults(folder), Vec::<String>::new());
    let said = canonical(folder);
    assert!(said.contains("You said Where?"), "nobody asked");
    replays(folder);
    // Several programs, and another order of turns, change nothing.
    play(folder, &config.replace("parameters", "workers = 3\nparameters"));
    assert_eq!(canonical(folder), said);
    let record = fs::read_to_string(folder.join("logs/p/run.toml")).unwrap();
    assert!(record.contains("[cells.roles.program]") && record.contains("[cells.users.program]"));
}

#[test]
fn a_program_that_is_killed_costs_nothing() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let (episodes, life) = match std::env::var("ROLECALL_PROCESS_KILLS") {
        Ok(_) => (200, 0.2),
        Err(_) => (25, 0.15),
    };
    let more = format!("tasks.limit = 25\nrepeats = {}\nlimits.steps = 20", episodes / 25);
    play(folder, &household("slow = 0.002", &more));
    let undisturbed = canonical(folder);
    let mut killed = 0;
    loop {
        play(folder, &household(&format!("slow = 0.002, lives = {life}"), &more));
        assert_eq!(faults(folder), Vec::<String>::new());
        assert!(canonical(folder) == undisturbed, "the logs differ");
        killed += restarts(folder);
        if episodes == 25 || killed > 40_000 {
            break;
        }
    }
    println!("{killed} turns saw their program die");
    assert!(killed > 10, "{killed}");
}

#[test]
fn models_are_asked_through_us_and_a_killed_program_asks_them_once() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let reply = "{\"contains\": \"seed\", \"text\": \"go to fridge 1\"}\n";
    fs::write(folder.join("replies.jsonl"), reply.repeat(3)).unwrap();
    let models = "tasks.limit = 5\nlimits.steps = 8\nmodels.m = { provider = \"scripted\", script = \"replies.jsonl\" }\n\
                  cache.mode = \"off\"";
    play(folder, &household("model = \"m\"", models));
    let calm = canonical(folder);
    assert!(calm.contains("model_called") && calm.contains("go to fridge 1"), "{calm}");
    replays(folder);
    play(folder, &household("model = \"m\", slow = 0.02, lives = 0.2", models));
    assert_eq!(canonical(folder), calm);
    // One that it may not ask.
    play(folder, &household("model = \"other\"", models));
    assert!(canonical(folder).contains("`other` may not be asked here; it may ask m"));
}

/// Modes of a program that breaks the rules, and what the fault says of it.
const HOSTILE: [(&str, &str); 13] = [
    ("silent", "no answer within"),
    ("twice", "which is not open"),
    ("other", "which is not open"),
    ("text", "which is not open"),
    ("prints", "print to stderr"),
    ("flood", ""),
    ("large", "more than 16 MiB"),
    ("deep", "nests deeper"),
    ("wrong", "its answer is none"),
    ("exit", "no weights"),
    ("unusable", "I will not"),
    ("unavailable", "I will not"),
    ("failed", "I will not"),
];

#[test]
fn a_hostile_program_is_a_fault_and_never_a_crash() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    std::thread::scope(|scope| {
        for (mode, says) in HOSTILE {
            scope.spawn(move || {
                let own = folder.join(mode);
                fs::create_dir(&own).unwrap();
                fs::copy(folder.join("player.py"), own.join("player.py")).unwrap();
                let limits = "tasks.limit = 2\nlimits = { steps = 6, attempts = 2, turn_seconds = 3 }";
                let limits = if mode == "silent" { limits.replace("= 3 ", "= 0.3 ") } else { limits.to_owned() };
                play(&own, &household(&format!("mode = \"{mode}\""), &limits));
                let faults = faults(&own);
                assert!(!faults.is_empty(), "{mode}: no fault");
                assert!(faults.iter().any(|fault| fault.contains(says)), "{mode}: {faults:?}");
                assert!(faults.iter().all(|fault| !fault.contains('\u{1b}')), "{mode}: {faults:?}");
                let verified = done(&own, &["logs", "verify", "logs/p"]);
                assert!(verified.status.success(), "{mode}: {}", text(&verified.stdout));
            });
        }
    });
}

#[test]
fn programs_that_cannot_be_started_say_why_before_a_run_begins() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    for (from, to, says) in [
        ("player.py", "nothing.py", "No such file"),
        ("\"python3\", \"player.py\"", "\"./nothing\"", "cannot be started"),
        ("parameters = {", "parameters = { mode = \"banner\",", "print to stderr"),
        ("parameters = {", "parameters = { protocol = 0,", "no `protocol`"),
        ("parameters", "env = [\"OPENAI_API_KEY\"]\nparameters", "looks like a secret"),
        ("command =", "address = \"x\"\ncommand =", "write one of the two"),
    ] {
        fs::write(folder.join("p.toml"), household("", "").replacen(from, to, 1)).unwrap();
        let played = done(folder, &["run", "p.toml", "-q"]);
        let said = text(&played.stderr);
        assert!(!played.status.success() && said.contains(says), "{to}: {said}");
        assert!(!folder.join("logs").exists(), "{to} made a log");
    }
    // Looking starts nothing.
    fs::write(folder.join("p.toml"), household("", "").replace("player.py", "nothing.py")).unwrap();
    let checked = done(folder, &["check", "p.toml"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("nothing.py"));
}

#[test]
fn a_run_is_played_again_without_its_program_if_that_is_external() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    for external in [true, false] {
        let options = format!("external = {external}");
        play(folder, &household(&options, "tasks.limit = 3\nlimits.steps = 6"));
        fs::rename(folder.join("player.py"), folder.join("gone.py")).unwrap();
        let replayed = done(folder, &["replay", "logs/p"]);
        assert_eq!(replayed.status.success(), external, "{}", text(&replayed.stderr));
        assert!(external || text(&replayed.stderr).contains("`--log`"), "{}", text(&replayed.stderr));
        let replayed = done(folder, &["replay", "logs/p", "--log"]);
        assert!(replayed.status.success(), "{}", text(&replayed.stderr));
        fs::rename(folder.join("gone.py"), folder.join("player.py")).unwrap();
        replays(folder);
    }
}

#[test]
fn a_run_goes_on_with_the_same_program_only() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let config = household("slow = 0.02", "tasks.limit = 8\nlimits.steps = 10");
    play(folder, &config);
    let undisturbed = canonical(folder);
    fs::remove_dir_all(folder.join("logs")).unwrap();
    let mut run = rolecall(folder, &["run", "p.toml", "-q"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(800));
    run.kill().unwrap();
    run.wait().unwrap();
    fs::write(folder.join("digest.txt"), "d2").unwrap();
    let resumed = done(folder, &["resume", "logs/p", "-q"]);
    assert!(!resumed.status.success());
    assert!(text(&resumed.stderr).contains("program.digest"), "{}", text(&resumed.stderr));
    fs::remove_file(folder.join("digest.txt")).unwrap();
    let resumed = done(folder, &["resume", "logs/p", "-q"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert!(canonical(folder) == undisturbed);
}

#[test]
fn a_world_in_another_process_is_played_killed_and_played_again() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let answers = [
        r#"{"moves": [{"kind": "speak", "text": "What is it?"}]}"#,
        r#"{"moves": [{"kind": "act", "action": {"text": "sing"}}]}"#,
    ];
    let count = r#"{"moves": [{"kind": "act", "action": {"text": "count"}}]}"#;
    let answers = [&answers[..], &[count; 6]].concat().join("\n");
    fs::write(folder.join("answers.jsonl"), answers).unwrap();
    let config = |options: &str| {
        format!(
            "name = \"p\"\nlimits.steps = 8\nrepeats = 3\n[environment]\nname = \"process\"\n\
             command = [\"python3\", \"world.py\"]\nparameters = {{ {options} }}\n\
             [strategy]\nname = \"respact\"\n[user]\nkind = \"process\"\ncommand = [\"python3\", \"player.py\"]\n\
             [roles.executor]\nimplementation = \"scripted\"\nfile = \"answers.jsonl\"\n"
        )
    };
    play(folder, &config(""));
    assert_eq!(faults(folder), Vec::<String>::new());
    let calm = canonical(folder);
    assert!(calm.contains("Somebody said You said What is it?") && calm.contains("\"solved\""), "{calm}");
    replays(folder);
    // Whatever reads runs reads this one as any other.
    done(folder, &["run", "p.toml", "-q", "--name", "q"]);
    for command in [
        &["report", "logs/p"][..],
        &["analyse", "logs/p"],
        &["compare", "logs/p", "logs/q"],
        &["logs", "verify", "logs/p"],
    ] {
        let read = done(folder, command);
        assert!(read.status.success() && !read.stdout.is_empty(), "{command:?}: {}", text(&read.stderr));
    }
    let readers: [(&[&str], &str); 2] =
        [(&["report", "logs/p", "--json"], "\"episodes\":"), (&["show", "logs/p", "main:0:0"], "What is it?")];
    for (command, shown) in readers {
        let read = done(folder, command);
        let (out, error) = (text(&read.stdout), text(&read.stderr));
        assert!(read.status.success() && out.contains(shown), "{command:?}: {out}{error}");
    }
    play(folder, &config("slow = 0.004, lives = 0.2"));
    assert_eq!(faults(folder), Vec::<String>::new());
    assert_eq!(canonical(folder), calm);
    assert!(restarts(folder) > 0);
    // One that is external is taken from the log.
    play(folder, &config("external = true"));
    assert_eq!(canonical(folder), calm);
    replays(folder);
}

#[test]
fn a_planner_elsewhere_is_the_same_as_its_twin_here() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let plan =
        r#"{"moves": [{"kind": "plan", "steps": [{"action": {"text": "look"}}, {"action": {"text": "inventory"}}]}]}"#;
    fs::write(folder.join("plans.jsonl"), format!("{plan}\n").repeat(60)).unwrap();
    let relay = |planner: &str| {
        let config = household("", "tasks.limit = 4\nlimits.steps = 20");
        let (head, _) = config.split_once("[roles.executor]").unwrap();
        let head =
            head.replace("\"respact\"", "\"relay\"\norder = [\"thinker\", \"clarifier\", \"planner\", \"executor\"]");
        format!(
            "{head}\n[roles.thinker]\nimplementation = \"rules\"\n[roles.clarifier]\nimplementation = \"rules\"\n\
             [roles.executor]\nimplementation = \"rules\"\n[roles.planner]\n{planner}\n"
        )
    };
    play(folder, &relay("implementation = \"scripted\"\nfile = \"plans.jsonl\""));
    let twin = canonical(folder);
    play(folder, &relay("implementation = \"process\"\ncommand = [\"python3\", \"player.py\"]"));
    assert_eq!(faults(folder), Vec::<String>::new());
    assert!(twin.contains("\"plan\""));
    assert_eq!(canonical(folder), twin);
}

#[test]
fn nothing_that_others_are_entrusted_with_is_on_the_wire() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    play(folder, &household("record = \"got.jsonl\"", "tasks.limit = 4\nlimits.steps = 8"));
    let got = fs::read_to_string(folder.join("got.jsonl")).unwrap();
    let entrusted: Vec<Value> =
        events(folder).into_iter().filter_map(|event| event["message"].get("entrusted").cloned()).collect();
    assert!(!entrusted.is_empty(), "there is no secret to keep");
    for secret in entrusted {
        let label = secret["label"].as_str().unwrap();
        assert!(!got.contains(&format!("\"label\": \"{label}\"")), "the program got `{label}`");
        for text in secret["value"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            assert!(text.len() < 20 || !got.contains(text), "the program got {text:?}");
        }
    }
    // What it may see it does.
    assert!(got.contains("\"observed\"") && got.contains("\"opened\""));
}

#[test]
fn programs_are_held_to_the_rules() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    for (kind, program) in [("role", "player.py"), ("user", "player.py"), ("environment", "world.py")] {
        let arguments = ["conformance", "process", "--kind", kind, "--", "python3", program];
        let checked = done(folder, &arguments);
        assert!(checked.status.success(), "{}{}", text(&checked.stdout), text(&checked.stderr));
    }
    let found = done(folder, &["conformance", "process", "--", "python3", "world.py"]);
    assert!(text(&found.stdout).contains("checked as: environment"), "{}", text(&found.stdout));
    // One that draws its answers, and says nothing of it.
    let player = fs::read_to_string(folder.join("player.py")).unwrap();
    let dice = player.replace("random.Random(f", "random.Random() or (f");
    fs::write(folder.join("dice.py"), dice).unwrap();
    let failed = done(folder, &["conformance", "process", "--", "python3", "dice.py"]);
    assert_eq!(failed.status.code(), Some(1));
    let told = text(&failed.stdout);
    assert!(told.lines().any(|line| line.contains("FAIL") && line.contains("asked twice")), "{told}");
}
