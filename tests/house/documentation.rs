//! What the documents promise: tests that they name, a config that they show, commands that they
//! give.

use std::path::{Path, PathBuf};

use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;
use rolecall::config::{Request, Resolved, load};

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The text of a document's blocks of code in that language.
fn blocks(document: &str, language: &str) -> String {
    let fence = format!("```{language}\n");
    let blocks = document.split(&fence).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The file of a test that is named `program::file::test` or `program::folder::file::test`.
fn test_file(test: &str) -> PathBuf {
    let (file, _) = test.rsplit_once("::").unwrap();
    let path = root().join("tests").join(file.replace("::", "/"));
    let folder = path.join("mod.rs");
    if folder.exists() { folder } else { path.with_extension("rs") }
}

#[test]
fn every_invariant_has_the_tests_that_are_named() {
    let document = document("docs/architecture.md");
    let section = document.split("## Invariants").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 10, "{rows:?}");
    for row in rows {
        let named = row.split('|').nth(2).unwrap();
        let tests: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test in {row}");
        for test in tests {
            let file = test_file(test);
            let code =
                std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("`{test}`: {}: {error}", file.display()));
            let name = test.rsplit("::").next().unwrap();
            let function = format!("fn {name}(");
            assert!(code.contains(&function), "there is no test `{test}`");
        }
    }
}

#[test]
fn the_example_config_can_be_resolved() {
    let page = document("docs/configs.md");
    let (example, sweep) = page.split_once("## Sweeps").unwrap();
    assert_eq!(resolved(&blocks(example, "toml")).plan.episodes(), 10);
    // The same with the axes and the table further below, instead of the cell.
    let example = blocks(example, "toml");
    let common = example.split("[[cells]]").next().unwrap();
    let sweep = resolved(&format!("{common}\n{}", blocks(sweep, "toml")));
    assert_eq!((sweep.plan.cells.len(), sweep.plan.episodes()), (4, 40));
    assert_eq!(sweep.table.unwrap().rows.len(), 2);
}

/// The config of an example.
fn resolved(example: &str) -> Resolved {
    // The files that these name stand for the reader's own.
    let own = |line: &&str| !line.starts_with("extends") && !line.starts_with("agents");
    let text: Vec<&str> = example.lines().filter(own).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.toml");
    std::fs::write(&file, text.join("\n")).unwrap();
    let request = Request { file, working: root().to_owned(), ..Request::default() };
    let resolved = load(&request, rolecall::worlds());
    resolved.unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_example_of_a_model_can_be_resolved() {
    let page = document("docs/models.md");
    let (start, table) = page.split_once("## The table").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let configs = root().join("configs/models");
    let start = blocks(start, "toml")
        .replace("../household", &root().join("configs/household").to_string_lossy())
        .replace("llama-cpp.toml", &configs.join("llama-cpp.toml").to_string_lossy());
    let file = folder.path().join("my.toml");
    std::fs::write(&file, format!("{start}\n{}", blocks(table, "toml"))).unwrap();
    let request =
        Request { file, working: root().to_owned(), models: vec!["executor=mine".to_owned()], ..Request::default() };
    let resolved = load(&request, rolecall::worlds());
    let resolved = resolved.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(resolved.record.models.len(), 1);
    // What the page gives as defaults are the defaults.
    let mine = &resolved.record.models[0];
    let other = resolved.models.iter().find(|model| model.name == "llama-cpp");
    assert_eq!((&mine.retries, &mine.timeouts), {
        let other = other.unwrap();
        (&other.retries, &other.timeouts)
    });
}

/// Stands before the part of `docs/settings.md` that is made from the tables.
const SETTINGS_BEGIN: &str = "<!-- Made from the program: UPDATE_GUIDES=1 cargo test --test house settings -->\n";

#[test]
fn the_page_of_settings_is_made_from_their_tables() {
    let name = "docs/settings.md";
    let page = document(name);
    let (start, tables) = page.split_once(SETTINGS_BEGIN).unwrap();
    let now = format!("\n{}", rolecall::cli::settings_reference());
    if std::env::var_os("UPDATE_GUIDES").is_some() {
        std::fs::write(root().join(name), format!("{start}{SETTINGS_BEGIN}{now}")).unwrap();
        return;
    }
    assert_eq!(tables, now, "{SETTINGS_BEGIN}");
}

#[test]
fn the_schema_of_configs_is_made_from_their_tables() {
    let file = root().join("configs/rolecall.schema.json");
    let now = rolecall::cli::schema_text(&rolecall::worlds());
    if std::env::var_os("UPDATE_GUIDES").is_some() {
        std::fs::write(&file, now).unwrap();
        return;
    }
    let written = std::fs::read_to_string(file).unwrap();
    let remedy = "UPDATE_GUIDES=1 cargo test --test house schema";
    assert!(written == now, "another schema by now: {remedy}");
}

/// The commands of the README, one a line, without comments and line breaks.
fn commands() -> Vec<String> {
    let text = blocks(&document("README.md"), "sh").replace("\\\n", " ");
    let bare = text.lines().map(|line| line.split(" #").next().unwrap().trim());
    bare.filter(|line| !line.is_empty()).map(str::to_owned).collect()
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

/// The most words that the pages, the README and `logs/README.md` may have together: more is read by
/// nobody. An issue that brings something new may raise it by 1,500; otherwise shorten.
const MOST_WORDS: usize = 47_500;

/// The documents that the package holds, by their paths from its root.
fn documents() -> Vec<PathBuf> {
    let outside = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "logs/README.md"];
    let mut found: Vec<PathBuf> = outside.map(PathBuf::from).into();
    found.extend(pages());
    found
}

/// The pages of the book, its contents included.
fn pages() -> Vec<PathBuf> {
    let mut open = vec![root().join("docs")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found
}

/// A document without its blocks of code.
fn prose(document: &str) -> String {
    let parts = document.split("\n```").step_by(2);
    parts.collect::<Vec<_>>().join("\n")
}

/// Where the links of a document lead.
fn links(document: &str) -> Vec<String> {
    let prose = prose(document);
    let targets = prose.split("](").skip(1);
    targets.map(|rest| rest.split(')').next().unwrap().to_owned()).collect()
}

/// The anchors of a document: one for each heading, as forges make them.
fn anchors(document: &str) -> Vec<String> {
    let prose = prose(document);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for path in documents() {
        let text = document(path.to_str().unwrap());
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => root().join(&path),
                file => root().join(path.parent().unwrap()).join(file),
            };
            let there = target.exists();
            let there = there
                && (anchor.is_empty() || {
                    let text = std::fs::read_to_string(&target).unwrap_or_default();
                    anchors(&text).iter().any(|own| own == anchor)
                });
            if !there {
                wrong.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "dead links: {wrong:#?}");
    assert!(checked >= 100, "{checked}");
}

/// The book has no page for what lies outside its folder.
#[test]
fn pages_link_to_pages_of_the_book_only() {
    let mut wrong = Vec::new();
    for path in pages() {
        let depth = path.components().count() - 2;
        for link in links(&document(path.to_str().unwrap())) {
            let (file, _) = link.split_once('#').unwrap_or((&link, ""));
            let up = file.matches("../").count();
            let page = file.is_empty() || file.ends_with(".md");
            if !link.starts_with("https://") && (up > depth || !page) {
                wrong.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "outside the book: {wrong:#?}");
}

#[test]
fn the_contents_name_every_page_once() {
    let mut named: Vec<PathBuf> =
        links(&document("docs/SUMMARY.md")).iter().map(|link| Path::new("docs").join(link)).collect();
    named.sort();
    let mut pages = pages();
    pages.retain(|page| !page.ends_with("SUMMARY.md"));
    pages.sort();
    assert_eq!(named, pages);
}

#[test]
fn there_are_not_more_words_than_anybody_reads() {
    let mut counts: Vec<(usize, PathBuf)> = Vec::new();
    let outside = ["README.md", "logs/README.md"].map(PathBuf::from);
    for path in pages().into_iter().chain(outside) {
        let words = document(path.to_str().unwrap()).split_whitespace().count();
        counts.push((words, path));
    }
    counts.sort();
    let all: usize = counts.iter().map(|(words, _)| words).sum();
    assert!(all <= MOST_WORDS, "{all} words, the limit is {MOST_WORDS}: {counts:#?}");
}

#[test]
fn every_command_answers_a_question() {
    let page = document("docs/commands.md");
    let help = text(&rolecall(root(), &["--help"]).output().unwrap().stdout);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let names = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let mut count = 0;
    for name in names {
        assert!(page.contains(&format!("`rolecall {name}")), "`{name}`");
        count += 1;
    }
    assert!(count >= 15, "{help}");
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# A `b` c!\n[x](y.md#z) and [u](#a-b-c)\n```sh\n# no [v](w)\n```\n## D-e f\n";
    assert_eq!(links(text), ["y.md#z", "#a-b-c"]);
    assert_eq!(anchors(text), ["a-b-c", "d-e-f"]);
}

/// The names that a `pub use path::{...};` or `pub use path::name;` brings in.
fn exported(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for item in code.split("pub use ").skip(1) {
        let item = item.split(';').next().unwrap();
        let list = item.rsplit("::").next().unwrap();
        let list = match item.split_once("::{") {
            Some((_, list)) => list.trim_end_matches('}'),
            None => list,
        };
        names.extend(list.split(',').map(|name| name.trim().to_owned()));
    }
    names.retain(|name| !name.is_empty());
    names.sort();
    names
}

#[test]
fn the_promised_prelude_is_the_one_that_is_exported() {
    let promised = blocks(&document("docs/stability.md"), "text");
    let mut promised: Vec<String> = promised.split_whitespace().map(str::to_owned).collect();
    promised.sort();
    let exported = exported(&document("src/core/prelude.rs"));
    assert!(exported.len() > 30);
    assert_eq!(promised, exported);
}

#[test]
fn the_changelog_has_the_form_of_keep_a_changelog() {
    let changelog = document("CHANGELOG.md");
    let mut releases = Vec::new();
    for line in changelog.lines() {
        if let Some(release) = line.strip_prefix("## ") {
            releases.push(release.to_owned());
        }
        if let Some(kind) = line.strip_prefix("### ") {
            let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
            assert!(kinds.contains(&kind), "`{kind}`");
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(releases[0], "[Unreleased]", "changes are noted before they are released");
    // The first release needs no entry of its own before it is made.
    let released = releases.iter().any(|release| release.starts_with(&format!("[{version}]")));
    assert!(released || releases.len() == 1, "{releases:?} without {version}");
}
