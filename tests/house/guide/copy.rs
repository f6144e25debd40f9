//! A copy of the workspace beside its build, which shares the compiled dependencies.
//!
//! The copy has a fixed place and files are written only if they differ, so that a second build
//! has nothing to do. Cargo's intermediate files go to the folder of the build under which this
//! test was compiled, where the dependencies are already; what is built in the end goes to a
//! folder of its own. Cargo tells the members of workspaces apart by name and version, not by their place, so the
//! copy gets a version of its own: otherwise it would replace the program under test. The unit tests
//! of the crates are left out: they run where they are, and building them again takes a minute.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::binary::text;
use crate::support::shipped::root;

/// The copy.
pub(crate) struct Copy {
    pub(crate) folder: PathBuf,
    target: PathBuf,
    /// The files of the workspace, as text, by path.
    pub(crate) files: BTreeMap<String, String>,
}

/// Cargo as from a shell. What it tells a test of the package would change what build scripts see
/// (`ring` looks), so that dependencies would be built again, here and by who started the test.
pub(crate) fn cargo(folder: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy();
        if told.starts_with("CARGO_PKG_") || told.starts_with("CARGO_MANIFEST_") || told == "OUT_DIR" {
            command.env_remove(&name);
        }
    }
    command
}

/// Folders and files that nothing of what is built here comes from.
const OUTSIDE: [&str; 9] = [
    ".ci",
    ".git",
    "cache",
    "examples/own_environment",
    "logs",
    "python",
    "target",
    "tests/logs/runs_of_0_1",
    "tests/long",
];

/// The manifest or lock file with another version of our packages.
fn with_own_version(file: &str) -> String {
    let old = format!("version = \"{}", env!("CARGO_PKG_VERSION"));
    let mut ours = false;
    let line = |line: &str| {
        let new = if ours { line.replacen(&old, &format!("{old}+guide"), 1) } else { line.to_owned() };
        ours = line == "[workspace.package]" || line.starts_with("name = \"rolecall");
        new + "\n"
    };
    let changed: String = file.lines().map(line).collect();
    assert!(changed.contains("+guide"), "the version is not where it was");
    changed
}

/// The code without its unit tests.
fn without_tests(code: &str) -> String {
    code.replace("#[cfg(test)]", "#[cfg(any())]")
}

impl Copy {
    /// The files of the workspace as far as they are text; nothing is written yet.
    pub(crate) fn of_the_workspace() -> Self {
        let file = |path: String| {
            let mut file = fs::read_to_string(root().join(&path)).ok()?;
            if ["Cargo.toml", "Cargo.lock"].contains(&path.as_str()) {
                file = with_own_version(&file);
            } else if path.starts_with("src/") && path.ends_with(".rs") {
                file = without_tests(&file);
            }
            Some((path, file))
        };
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
        let files = paths(root(), &OUTSIDE).into_iter().filter_map(file).collect();
        Self { folder: place.join("crate"), target: place.join("target"), files }
    }

    /// Makes the copy hold these files and no others.
    pub(crate) fn fill(&self, files: &BTreeMap<String, String>) {
        fs::create_dir_all(&self.folder).unwrap();
        // What earlier runs left behind need not be text.
        for path in paths(&self.folder, &[]) {
            if !files.contains_key(&path) {
                fs::remove_file(self.folder.join(path)).unwrap();
            }
        }
        write(&self.folder, files);
    }

    /// Builds what arguments of `cargo test` name, and runs the tests that fit a filter; what they print.
    pub(crate) fn test(&self, arguments: &[&str], filters: &[String]) -> String {
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut command = cargo(&self.folder);
        command.args(["test", "--offline"]).args(arguments);
        command.arg("--").args(filters);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_BUILD_BUILD_DIR", build);
        // Nobody debugs the copy, and it plays little.
        command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        command.env_remove("CARGO_BUILD_TARGET");
        let output = command.output().unwrap();
        let (shown, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{errors}\n{shown}");
        assert!(!errors.contains("warning:"), "{errors}");
        shown
    }

    /// Changes that `cargo fmt` would make; nothing where it is not installed.
    pub(crate) fn unformatted(&self) -> String {
        let given = |arguments: &[&str]| cargo(&self.folder).args(arguments).output().unwrap();
        if !given(&["fmt", "--version"]).status.success() {
            return String::new();
        }
        text(&given(&["fmt", "--all", "--check"]).stdout)
    }

    /// The program that was built from the copy.
    pub(crate) fn program(&self) -> PathBuf {
        let name = format!("rolecall{}", std::env::consts::EXE_SUFFIX);
        self.target.join("debug").join(name)
    }
}

/// Writes files that differ.
pub(crate) fn write(folder: &Path, files: &BTreeMap<String, String>) {
    for (path, text) in files {
        let path = folder.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The files of a folder by path from there.
pub(crate) fn read(folder: &Path) -> BTreeMap<String, String> {
    let paths = paths(folder, &[]).into_iter();
    let file = |path: String| {
        let text = fs::read_to_string(folder.join(&path)).unwrap();
        (path, text)
    };
    paths.map(file).collect()
}

/// The paths of the files in a folder, from there, but for those in other folders.
fn paths(folder: &Path, outside: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let parts = path.strip_prefix(folder).unwrap().iter().map(|part| part.to_string_lossy());
            let name = parts.collect::<Vec<_>>().join("/");
            if outside.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                paths.push(name);
            }
        }
    }
    paths
}
