//! Packages with a world of their own: the example, and what `rolecall new environment NAME --crate` writes. Each is
//! built without our worlds, in folders that are kept from run to run, and gets the commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::guide::copy::{cargo, read, write};
use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;

/// A package, built.
struct Package {
    folder: PathBuf,
    program: PathBuf,
}

/// Where packages and what cargo makes of them are kept.
fn place() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("own_environment")
}

impl Package {
    /// Writes the files into a folder that is kept, and builds them with the versions of our lock file.
    fn build(name: &str, files: &BTreeMap<String, String>) -> Self {
        let folder = place().join(name);
        for old in ["src", "configs", "agents", "logs"] {
            let _ = fs::remove_dir_all(folder.join(old));
        }
        write(&folder, files);
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        let program = place().join("target/debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let package = Self { folder, program };
        package.cargo(&["build"]);
        package
    }

    /// Output of cargo, which must find nothing wrong with the package.
    fn cargo(&self, arguments: &[&str]) -> String {
        let mut command = cargo(&self.folder);
        command.args(arguments).arg("--offline").env("CARGO_TARGET_DIR", place().join("target"));
        let output = command.env_remove("CARGO_BUILD_TARGET").output().unwrap();
        let (shown, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{errors}\n{shown}");
        let name = self.program.file_stem().unwrap().display();
        assert!(!errors.contains(&format!("warning: `{name}`")), "{errors}");
        shown
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments.split(' ')).current_dir(&self.folder).env_remove("RUST_LOG");
        command
    }

    /// Output of a command, which must succeed.
    fn given(&self, arguments: &str) -> String {
        let output = self.command(arguments).output().unwrap();
        succeeded(arguments, &output)
    }

    fn lines(&self, file: &str) -> usize {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default().lines().count()
    }
}

fn succeeded(arguments: &str, output: &Output) -> String {
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The last figure in the row of a table that begins with a word.
fn last_of<'a>(table: &'a str, row: &str) -> &'a str {
    let row = table.lines().find(|line| line.split_whitespace().next() == Some(row));
    row.and_then(|row| row.split_whitespace().last()).unwrap_or_else(|| panic!("no row `{row:?}` in\n{table}"))
}

/// The example, with our folder for the one above it.
fn example() -> BTreeMap<String, String> {
    let folder = root().join("examples/own_environment");
    let mut files = BTreeMap::new();
    for path in ["Cargo.toml", "src/main.rs", "src/world.rs", "configs/corridor.toml"] {
        files.insert(path.to_owned(), fs::read_to_string(folder.join(path)).unwrap());
    }
    let manifest = files.get_mut("Cargo.toml").unwrap();
    let ours = toml::Value::from(root().display().to_string()).to_string();
    assert_eq!(manifest.matches("\"../..\"").count(), 1, "{manifest}");
    *manifest = manifest.replace("\"../..\"", &ours);
    files
}

#[test]
fn the_example_is_run_killed_resumed_replayed_and_reported() {
    const EPISODES: usize = 5 * 400;
    let package = Package::build("own_environment", &example());
    let run = package.given("run configs/corridor.toml --name short");
    assert_eq!(last_of(&run, "main"), "100.0");
    let results = fs::read_to_string(package.folder.join("logs/short/results.jsonl")).unwrap();
    assert_eq!(results.matches("\"steps\":6,").count(), 5, "{results}");

    let long = "run configs/corridor.toml --quiet --set repeats=400";
    let mut child = package.command(long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while package.lines("logs/corridor/results.jsonl") < EPISODES / 10 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended before it was killed");
        wait();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(package.lines("logs/corridor/results.jsonl") < EPISODES);
    let resumed = package.given("resume corridor --quiet");
    assert_eq!(last_of(&resumed, "main"), "100.0");
    assert_eq!(package.lines("logs/corridor/results.jsonl"), EPISODES);
    package.given("logs verify corridor");
    let replayed = package.given("replay corridor");
    assert_eq!(replayed.matches("2000 of 2000 episodes identical").count(), 2, "{replayed}");
    let report = package.given("report corridor");
    assert_eq!(last_of(&report, "main"), "100.0");
    assert!(report.contains(&EPISODES.to_string()), "{report}");

    for (command, shown) in [
        ("list environments", "corridor"),
        ("check configs/corridor.toml", "walker"),
        ("show short main:3", "open door"),
        ("branch short --episodes all --at turn:2 --set limits.steps=3", "main"),
        ("compare short short-branch", "main"),
        ("analyse short", "main"),
        ("export short --format otlp --out exported", "5"),
        ("serve env --help", "OpenEnv"),
    ] {
        let printed = package.given(command);
        assert!(printed.contains(shown), "{command}:\n{printed}");
    }
    // None of our worlds is in the program.
    assert!(!package.given("list environments").contains("household"));
    played_by_hand(&package);
}

#[expect(clippy::disallowed_methods, reason = "a test waits for another process")]
fn wait() {
    std::thread::sleep(Duration::from_millis(5));
}

/// Takes the walker's seat at the terminal.
fn played_by_hand(package: &Package) {
    let arguments = "play configs/corridor.toml --seat executor";
    let mut command = package.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let moves = "take key\nright\nright\nright\nright\nopen door\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), moves.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = succeeded(arguments, &output) + &text(&output.stderr);
    assert!(shown.contains("solved"), "{shown}");
}

#[test]
fn a_package_that_was_written_plays_and_takes_parts_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let ours = root().display().to_string();
    let new = |words: &str, folder: &Path| {
        let words: Vec<&str> = words.split(' ').collect();
        let output = rolecall(folder, &words).args(["--dir", "."]).output().unwrap();
        succeeded(&words.join(" "), &output)
    };
    let printed = new(&format!("new environment secret-number --crate --rolecall {ours}"), folder.path());
    assert!(printed.contains("cd secret-number\n  cargo run -- run configs/secret-number.toml"), "{printed}");
    let written = folder.path().join("secret-number");
    for part in ["role guesser", "user nodder", "strategy twice", "metric guesses"] {
        new(&format!("new {part}"), &written);
    }
    let package = Package::build("secret-number", &read(&written));
    let tested = package.cargo(&["test"]);
    for module in ["world", "guesser", "nodder", "twice", "guesses"] {
        assert!(tested.contains(&format!("test {module}::tests::")), "{tested}");
    }
    let run = package.given("run configs/secret-number.toml");
    assert_eq!(last_of(&run, "main"), "100.0");
    assert!(package.given("report secret-number").contains("even"));
    assert!(package.given("replay secret-number").contains("6 of 6 episodes identical"));
    for config in ["guesser", "nodder", "twice"] {
        let run = package.given(&format!("run configs/{config}.toml"));
        assert!(!run.contains("broken"), "{run}");
    }
    let listed = package.given("list metrics");
    assert!(listed.contains("guesses"), "{listed}");
}
