//! What the documents promise: tests that they name, a config that they show, commands that they
//! give.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

mod binary;

use std::path::{Path, PathBuf};

use binary::{rolecall, text};
use rolecall::config::{Request, load};
use rolecall::registry::Registry;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The text of a document's blocks of code in that language.
fn blocks(document: &str, language: &str) -> String {
    let fence = format!("```{language}\n");
    let blocks = document.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// The file of a test that is named `file::test` or `folder::file::test`.
fn test_file(test: &str) -> PathBuf {
    let (file, _) = test.rsplit_once("::").unwrap();
    let path = root().join("tests").join(file.replace("::", "/"));
    path.with_extension("rs")
}

#[test]
fn every_invariant_has_the_tests_that_are_named() {
    let document = document("docs/architecture.md");
    let section = document.split("## Invariants").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect();
    assert!(rows.len() >= 10, "{rows:?}");
    for row in rows {
        let named = row.split('|').nth(2).unwrap();
        let tests: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test in {row}");
        for test in tests {
            let file = test_file(test);
            let code = std::fs::read_to_string(&file)
                .unwrap_or_else(|error| panic!("`{test}`: {}: {error}", file.display()));
            let name = test.rsplit("::").next().unwrap();
            let function = format!("fn {name}(");
            assert!(code.contains(&function), "there is no test `{test}`");
        }
    }
}

#[test]
fn the_example_config_can_be_resolved() {
    let example = blocks(&document("docs/configs.md"), "toml");
    // The files that these name stand for the reader's own.
    let own = |line: &&str| !line.starts_with("extends") && !line.starts_with("agents");
    let text: Vec<&str> = example.lines().filter(own).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.toml");
    std::fs::write(&file, text.join("\n")).unwrap();
    let request = Request {
        file,
        working: root().to_owned(),
        ..Request::default()
    };
    let resolved = load(&request, Registry::standard());
    let resolved = resolved.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(resolved.plan.episodes(), 10);
}

/// The commands of the README, one a line, without comments and line breaks.
fn commands() -> Vec<String> {
    let text = blocks(&document("README.md"), "sh").replace("\\\n", " ");
    let bare = text
        .lines()
        .map(|line| line.split(" #").next().unwrap().trim());
    bare.filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_commands_of_the_readme_can_be_given() {
    let commands = commands();
    let mut understood = 0;
    for command in &commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        for word in &words {
            if word.starts_with("configs/") || word.starts_with("tests/") {
                assert!(root().join(word).exists(), "`{word}` in `{command}`");
            }
        }
        let arguments = match words.as_slice() {
            ["cargo", "run", "--release", "--", arguments @ ..] => arguments,
            ["rolecall", arguments @ ..] => arguments,
            _ => continue,
        };
        // Everything that stands before `--help` is read and checked before help is printed.
        let output = rolecall(root(), arguments).arg("--help").output().unwrap();
        let complaint = text(&output.stderr);
        assert!(output.status.success(), "`{command}`: {complaint}");
        understood += 1;
    }
    assert!(understood >= 5, "{commands:?}");
}
