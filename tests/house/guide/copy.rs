//! A copy of the crate beside its build, which shares the compiled dependencies.
//!
//! The copy has a fixed place and files are written only if they differ, so that a second build
//! has nothing to do. Cargo's intermediate files go to the folder of the build under which this
//! test was compiled, where the dependencies are already; what is built in the end goes to a
//! folder of its own. Cargo tells packages apart by name and version, not by their place, so the
//! copy gets a version of its own: otherwise it would replace the program under test. The unit tests
//! of the crate are left out: they run where they are, and building them again takes a minute.

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
    /// The files of the crate, as text, by path.
    pub(crate) files: BTreeMap<String, String>,
}

/// Cargo as from a shell. What it tells a test of the package would change what build scripts see
/// (`ring` looks), so that dependencies would be built again, here and by who started the test.
fn cargo(folder: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy();
        if told.starts_with("CARGO_PKG_") || told.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// The manifest or lock file with another version of the crate.
fn with_own_version(file: &str) -> String {
    let name = format!("name = \"{}\"\n", env!("CARGO_PKG_NAME"));
    let old = format!("{name}version = \"{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(file.matches(&old).count(), 1, "the version is not where it was");
    file.replace(&old, &format!("{old}+guide"))
}

/// The code without its unit tests.
fn without_tests(code: &str) -> String {
    code.replace("#[cfg(test)]", "#[cfg(any())]")
}

impl Copy {
    /// The files that a package of the crate would hold; nothing is written yet.
    pub(crate) fn of_the_crate() -> Self {
        let mut list = cargo(root());
        list.args(["package", "--list", "--allow-dirty", "--offline", "--quiet"]);
        let output = list.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let listed = text(&output.stdout);
        // Some files are made only when a package is.
        // Old runs are no part of what builds, and some of their files are no text; nor are weights.
        let there = listed.lines().filter(|path| {
            root().join(path).is_file()
                && !path.ends_with(".safetensors")
                && !path.replace('\\', "/").starts_with("tests/logs/runs_of_0_1/")
        });
        let files = there.map(|path| {
            let mut file = fs::read_to_string(root().join(path)).unwrap();
            if ["Cargo.toml", "Cargo.lock"].contains(&path) {
                file = with_own_version(&file);
            } else if path.starts_with("src") && path.ends_with(".rs") {
                file = without_tests(&file);
            }
            // On Windows the list has its own separators.
            (path.replace('\\', "/"), file)
        });
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
        Self { folder: place.join("crate"), target: place.join("target"), files: files.collect() }
    }

    /// Makes the copy hold these files and no others.
    pub(crate) fn fill(&self, files: &BTreeMap<String, String>) {
        fs::create_dir_all(&self.folder).unwrap();
        // What earlier runs left behind need not be text.
        for path in paths(&self.folder) {
            if !files.contains_key(&path) {
                fs::remove_file(self.folder.join(path)).unwrap();
            }
        }
        write(&self.folder, files);
    }

    /// Builds the crate with these targets and runs the tests that fit a filter; what they print.
    pub(crate) fn test(&self, targets: &[&str], filters: &[String]) -> String {
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut command = cargo(&self.folder);
        command.args(["test", "--offline", "--locked"]).args(targets);
        command.arg("--").args(filters);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_BUILD_BUILD_DIR", build);
        // Nobody debugs the copy.
        command.env("CARGO_PROFILE_DEV_DEBUG", "false");
        command.env_remove("CARGO_BUILD_TARGET");
        let output = command.output().unwrap();
        let (shown, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{errors}\n{shown}");
        assert!(!errors.contains("warning:"), "{errors}");
        shown
    }

    /// What `cargo fmt` would change; nothing where it is not installed.
    pub(crate) fn unformatted(&self) -> String {
        let given = |arguments: &[&str]| cargo(&self.folder).args(arguments).output().unwrap();
        if !given(&["fmt", "--version"]).status.success() {
            return String::new();
        }
        text(&given(&["fmt", "--check"]).stdout)
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
    let paths = paths(folder).into_iter();
    let file = |path: String| {
        let text = fs::read_to_string(folder.join(&path)).unwrap();
        (path, text)
    };
    paths.map(file).collect()
}

/// The paths of the files in a folder, from there.
fn paths(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap();
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                paths.push(parts.join("/"));
            }
        }
    }
    paths
}
