//! The command line from outside: help, exit codes, messages, closed pipes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::binary::{rolecall, text};
use rolecall::ports::Entry;

fn given(arguments: &[&str], folder: &Path) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn help_names_every_subcommand_and_gives_examples() {
    let output = given(&["--help"], crate_folder());
    assert_eq!(output.status.code(), Some(0));
    let help = text(&output.stdout);
    for word in [
        "run",
        "check",
        "list",
        "show",
        "report",
        "compare",
        "conformance",
        "logs",
        "completions",
        "man",
        "rolecall show quickstart",
    ] {
        assert!(help.contains(word), "{word}");
    }
    let output = given(&["run", "--help"], crate_folder());
    let help = text(&output.stdout);
    for word in [
        "--set",
        "--name",
        "--logs",
        "--concurrency",
        "--arbiters",
        "--limit",
        "--seed",
        "--json",
        "--quiet",
        "ROLECALL__LIMITS__STEPS",
    ] {
        assert!(help.contains(word), "{word}");
    }
    assert!(!help.contains('\u{1b}'), "colours without a terminal");
}

/// The subcommands that the help names.
fn subcommands() -> Vec<String> {
    let help = text(&given(&["--help"], crate_folder()).stdout);
    let section = help.split("Commands:\n").nth(1).unwrap();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let names = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// What bash is told of the words at the cursor, the last of `words`.
fn completed(folder: &Path, words: &[&str]) -> Vec<String> {
    let output = rolecall(folder, &[&["--", "rolecall"], words].concat())
        .env("ROLECALL_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn names_of_runs_and_configs_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["run", "quickstart", "--limit", "1", "--name", "first", "--quiet"];
    assert_eq!(given(&arguments, folder.path()).status.code(), Some(0));
    std::fs::create_dir(folder.path().join("logs/fire\u{1b}[2J")).unwrap();
    std::fs::copy(folder.path().join("logs/first/run.toml"), folder.path().join("logs/fire\u{1b}[2J/run.toml"))
        .unwrap();
    for command in ["show", "report", "resume", "replay", "branch", "compare", "analyse"] {
        assert_eq!(completed(folder.path(), &[command, "fi"]), ["first"], "{command}");
    }
    assert_eq!(completed(folder.path(), &["logs", "verify", "fir"]), ["first"]);
    assert_eq!(completed(folder.path(), &["reproduce", "--run", "fir"]), ["first"]);
    assert_eq!(completed(folder.path(), &["run", "quick"]), ["quickstart"]);
    std::fs::write(folder.path().join("quick.toml"), "").unwrap();
    let both = completed(folder.path(), &["check", "quick"]);
    assert_eq!(both, ["quickstart", "quick.toml"]);
    let models = completed(folder.path(), &["run", "quickstart", "--with", "models/o"]);
    assert_eq!(models, ["models/ollama", "models/openai", "models/openrouter"]);
}

#[test]
fn every_subcommand_and_option_is_completed_and_every_shell_has_a_script() {
    let subcommands = subcommands();
    assert!(subcommands.len() >= 9, "{subcommands:?}");
    let proposed = completed(crate_folder(), &[""]);
    for name in &subcommands {
        assert!(proposed.contains(name), "{name}");
    }
    assert_eq!(completed(crate_folder(), &["show", "--no-p"]), ["--no-pager"]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = given(&["completions", shell], crate_folder());
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = text(&output.stdout);
        assert!(script.contains("ROLECALL_COMPLETE"), "{shell}");
    }
    let script = given(&["completions", "bash"], crate_folder()).stdout;
    let mut bash = Command::new("bash");
    let Ok(mut bash) = bash.arg("-n").stdin(Stdio::piped()).spawn() else {
        println!("skipped: this system has no bash");
        return;
    };
    bash.stdin.take().unwrap().write_all(&script).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    let output = given(&["man", "--out", "pages/man1"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = |name: &str| {
        let file = folder.path().join("pages/man1").join(name);
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    for name in subcommands().iter().filter(|name| *name != "help") {
        let page = page(&format!("rolecall-{name}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(page("rolecall-logs-canonical.1").contains(".SH SYNOPSIS"));
    let printed = text(&given(&["man"], folder.path()).stdout);
    assert_eq!(printed, page("rolecall.1"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    let refused = given(&["man", "--out", "file"], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`file`"), "{refused:?}");
}

#[test]
fn bad_arguments_and_bad_configs_exit_with_two() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&[][..], &["paly"], &["check"], &["list", "cats"], &["run", "x.toml", "--limit", "many"]] {
        assert_eq!(given(arguments, folder.path()).status.code(), Some(2), "{arguments:?}");
    }
    let output = given(&["check", "nowhere.toml"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    let start = "error: the config has a problem\n  nowhere.toml: does not exist; looked in `";
    assert!(told.starts_with(start) && told.ends_with("`rolecall list configs` lists them\n"), "{told}");
    assert!(output.stdout.is_empty());
}

#[test]
fn every_problem_of_a_config_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "sead = 1\n[limits]\nsteps = \"5\"\n").unwrap();
    let arguments = ["run", "bad.toml", "--limit", "0", "--set", "x"];
    let mut command = rolecall(folder.path(), &arguments);
    let output = command.env("ROLECALL__REPEATS", "many").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    for part in [
        "bad.toml:1: `sead` is unknown (did you mean `seed`?)",
        "bad.toml:3: `limits.steps` is the text `5`; it must be a whole number",
        "`--limit`: `tasks.limit` is the whole number `0`",
        "`--set`: `x` has no `=` after its key",
        "environment variable `ROLECALL__REPEATS`: `repeats` is the text `many`",
    ] {
        assert!(errors.contains(part), "{errors}");
    }
}

#[test]
fn configs_are_listed_with_their_first_comment() {
    let output = given(&["list", "configs"], crate_folder());
    assert_eq!(output.status.code(), Some(0));
    let listing = text(&output.stdout);
    assert!(listing.contains("configs/quickstart.toml"), "{listing}");
    assert!(listing.lines().all(|line| line.split_whitespace().count() > 1), "{listing}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("configs")).unwrap();
    let own = "#:schema ./rolecall.schema.json\n# A config of mine.\n";
    std::fs::write(folder.path().join("configs/mine.toml"), own).unwrap();
    let listing = text(&given(&["list", "configs"], folder.path()).stdout);
    let mut lines = listing.lines();
    let mine = lines.next().unwrap();
    assert!(mine.contains("configs/mine.toml") && mine.contains("A config of mine."), "{listing}");
    assert!(lines.any(|line| line.contains("quickstart") && line.contains("A first run")), "{listing}");
}

/// Names and parameters of a table, as `list` must print them.
fn words<E: Entry>(entries: &[&E]) -> Vec<&'static str> {
    let words = entries.iter().flat_map(|entry| {
        let parameters = entry.parameters().iter().map(|parameter| parameter.name);
        std::iter::once(entry.name()).chain(parameters)
    });
    words.collect()
}

#[test]
fn every_table_can_be_listed() {
    let registry = rolecall::worlds();
    let metrics = registry.metrics.iter().map(|entry| entry.metric.name());
    let tables = [
        ("roles", words(&registry.roles)),
        ("strategies", words(&registry.strategies)),
        ("environments", words(&registry.environments)),
        ("users", words(&registry.users)),
        ("metrics", metrics.collect()),
    ];
    for (table, words) in tables {
        let output = given(&["list", table], crate_folder());
        assert_eq!(output.status.code(), Some(0), "{table}");
        assert!(output.stderr.is_empty(), "{table}");
        let listing = text(&output.stdout);
        for word in words {
            assert!(listing.contains(word), "`{word}` is missing in\n{listing}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_problem() {
    for arguments in [&["list", "configs"][..], &["--help"]] {
        let mut child = rolecall(crate_folder(), arguments);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}
