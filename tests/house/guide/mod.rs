//! The guides in `docs/adding-*.md`, followed literally: a copy of the workspace gets their files and
//! lines as a reader would add them, is built, tested, and plays what the guides play; and
//! `rolecall new` writes the same. Then the commands of `docs/first-hour.md` are given there.
//!
//! `UPDATE_GUIDES=1 cargo test --test house guide` writes into the guides what is seen now.

pub(crate) mod copy;
mod page;

use std::collections::BTreeMap;
use std::process::Command;

use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;
use copy::Copy;
use page::{Block, Page};

const GUIDES: [&str; 5] = [
    "docs/adding-a-role.md",
    "docs/adding-a-user.md",
    "docs/adding-an-environment.md",
    "docs/adding-a-strategy.md",
    "docs/adding-a-metric.md",
];

/// The beginnings of the tests that run over every line of the tables and every file.
const CONFORMANCE: [&str; 5] = [
    "every_strategy_is_a_fold",
    "every_name_of_a_role",
    "every_role_and_user_is",
    "every_environment_shows",
    "modules_import_only",
];

/// The beginning of commands of the guides. Cargo is not asked to build that profile here: the program that
/// the tests have built plays them.
const QUICK: &str = "cargo run --profile quick -- ";

/// The beginning of commands in a package of its own, which `own_environment` builds; here, the copy has its world.
const OWN: &str = "cargo run -- ";

/// The command that writes a package of its own, and the folder of it.
const PACKAGE: (&str, &str) = ("rolecall new environment number-box --crate", "number-box/");

/// A page of commands only; what it adds, a guide has added.
const FIRST_HOUR: &str = "docs/first-hour.md";

fn page(name: &str) -> Page {
    Page::parse(&std::fs::read_to_string(root().join(name)).unwrap())
}

fn pages() -> Vec<Page> {
    GUIDES.map(page).into()
}

/// Does by hand to the files of a checkout as the block says.
fn follow(block: &Block, files: &mut BTreeMap<String, String>) {
    match block {
        Block::File { path, text } => {
            let before = files.insert(path.clone(), text.clone());
            assert!(before.is_none(), "`{path}` is no new file");
        }
        Block::Module { path, text } => {
            let list = files.get_mut(path).unwrap();
            let name = |line: &str| line.trim_start_matches("pub ").to_owned();
            let modules = list.lines().filter(|line| name(line).starts_with("mod "));
            let later = modules.map(str::to_owned).find(|line| name(line) > name(text));
            let place = match later {
                Some(line) => list.find(&line).unwrap(),
                None => list.rfind("mod ").map(|at| at + list[at..].find('\n').unwrap() + 1).unwrap(),
            };
            list.insert_str(place, text);
        }
        Block::Dependency { path, text } => {
            let manifest = files.get_mut(path).unwrap();
            let start = manifest.find("\n[dependencies]\n").unwrap() + "\n[dependencies]\n".len();
            let smaller = manifest[start..]
                .split_inclusive('\n')
                .take_while(|line| !line.trim().is_empty() && *line < text.as_str());
            let place = start + smaller.map(str::len).sum::<usize>();
            manifest.insert_str(place, text);
        }
        Block::Entry { path, table, text } => {
            let registry = files.get_mut(path).unwrap();
            let start = registry.find(&format!("static {table}: ")).unwrap();
            let end = start + registry[start..].find("\n];").unwrap() + 1;
            registry.insert_str(end, text);
        }
        Block::Commands(_) | Block::Seen { .. } => {}
    }
}

fn commands(page: &Page) -> Vec<&str> {
    let blocks = page.blocks.iter().filter_map(|block| match block {
        Block::Commands(lines) => Some(lines),
        _ => None,
    });
    blocks.flatten().map(String::as_str).collect()
}

/// Takes the files of the package of its own out, compares them with what its command writes, and puts those in that
/// the crate in this repository has too: with another name of the prelude's crate, as the guide says.
fn move_package(files: &mut BTreeMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<&str> = PACKAGE.0.split(' ').skip(1).collect();
    let output = rolecall(folder.path(), &words).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let written = copy::read(folder.path());
    let shown = files.extract_if(.., |path, _| path.starts_with(PACKAGE.1)).collect::<Vec<_>>();
    assert_eq!(shown.len(), 7);
    for (path, text) in shown {
        assert_eq!(written.get(&path), Some(&text), "`{path}` by hand and by `rolecall new`");
        let path = path.strip_prefix(PACKAGE.1).unwrap();
        match path.strip_prefix("src/") {
            Some("main.rs") => None,
            Some(code) => {
                let text = text.replace("use rolecall::", "use rolecall_core::");
                files.insert(format!("src/environments/number_box/{code}"), text)
            }
            None => files.insert(path.to_owned(), text),
        };
    }
}

/// Lets `rolecall new` change the files by the command of the guide; the commands that it names.
fn written_by_new(command: &str, files: &mut BTreeMap<String, String>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    copy::write(folder.path(), files);
    let words: Vec<&str> = command.strip_prefix(QUICK).unwrap().split(' ').collect();
    let output = rolecall(folder.path(), &words).output().unwrap();
    assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    *files = copy::read(folder.path());
    let printed = text(&output.stdout);
    let named = printed.lines().filter_map(|line| line.strip_prefix("  "));
    named.map(str::to_owned).collect()
}

/// The files of a checkout that `rolecall new` needs.
fn seed(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let ends = ["Cargo.toml", "src/run/registry.rs", "/mod.rs", "/entries.rs", "/lib.rs"];
    let needed = |path: &str| ends.iter().any(|end| path.ends_with(end));
    let needed = files.iter().filter(|(path, _)| needed(path));
    needed.map(|(path, text)| (path.clone(), text.clone())).collect()
}

#[test]
fn the_guides_can_be_followed_and_rolecall_new_writes_the_same() {
    let copy = Copy::of_the_workspace();
    let mut files = copy.files.clone();
    let mut by_new = seed(&files);
    let mut filters: Vec<String> = CONFORMANCE.map(str::to_owned).into();
    let mut packages = vec!["-p".to_owned(), env!("CARGO_PKG_NAME").to_owned()];
    for page in &pages() {
        page.blocks.iter().for_each(|block| follow(block, &mut files));
        let commands = commands(page);
        let new = commands.iter().find(|command| command.starts_with(&format!("{QUICK}new "))).unwrap();
        let plain = |command: &str| command.replace(QUICK, OWN);
        for named in written_by_new(new, &mut by_new) {
            assert!(commands.iter().any(|line| plain(line).starts_with(&plain(&named))), "`{named}` in {commands:?}");
        }
        if commands.contains(&PACKAGE.0) {
            move_package(&mut files);
        }
        let tested = commands.iter().find_map(|line| line.strip_prefix("cargo test -p ")).unwrap();
        // A whole package of tests has this one.
        let (package, filter) = tested.split_once(' ').unwrap_or((tested, "every_box_opens"));
        packages.extend(["-p".to_owned(), package.to_owned()]);
        filters.push(filter.to_owned());
    }
    for (path, written) in &by_new {
        assert_eq!(files.get(path), Some(written), "`{path}` by hand and by `rolecall new`");
    }
    let added = files.keys().filter(|path| !copy.files.contains_key(*path));
    assert!(added.clone().all(|path| by_new.contains_key(path)));
    assert_eq!(added.count(), 16);
    copy.fill(&files);
    assert_eq!(copy.unformatted(), "");
    let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
    let passed = copy.test(&[&packages, &["--lib", "--test", "house"][..]].concat(), &filters);
    for filter in &filters[CONFORMANCE.len()..] {
        assert!(passed.contains(&format!("::{filter}")), "no test of `{filter}` in\n{passed}");
    }
    let listed = rolecall(root(), &["list", "roles"]).output().unwrap();
    let own = !text(&listed.stdout).contains("explorer");
    assert!(own, "the copy's program has replaced the one under test");
    play(&copy);
}

/// Gives the commands of the guides, and compares what is seen.
fn play(copy: &Copy) {
    let update = std::env::var_os("UPDATE_GUIDES").is_some();
    for name in GUIDES.into_iter().chain([FIRST_HOUR]) {
        let page = page(name);
        // Runs of an earlier guide or test would take the names.
        let _ = std::fs::remove_dir_all(copy.folder.join("logs"));
        let mut guide = std::fs::read_to_string(root().join(name)).unwrap();
        let mut output = String::new();
        for block in &page.blocks {
            match block {
                Block::Commands(lines) => {
                    for line in lines.iter().filter(|line| !done(line)) {
                        output = given(copy, line);
                    }
                }
                Block::Seen { text, whole } => {
                    let most = if *whole { usize::MAX } else { text.lines().count() };
                    let now = output.lines().take(most).map(|line| format!("{line}\n"));
                    let now: String = now.collect();
                    assert!(update || now == *text, "{name}: this is what is seen now:\n{now}");
                    guide = guide.replacen(text, &now, 1);
                }
                Block::File { .. } | Block::Module { .. } | Block::Dependency { .. } | Block::Entry { .. } => {}
            }
        }
        if update {
            std::fs::write(root().join(name), guide).unwrap();
        }
    }
}

/// Whether the command was given for all guides together.
fn done(line: &str) -> bool {
    let line = line.strip_prefix(QUICK).unwrap_or(line);
    let done = ["cargo test ", "new ", "rolecall new "];
    done.iter().any(|start| line.starts_with(start))
}

/// Output of a command in the copy, where `rolecall` is the copy's program.
fn given(copy: &Copy, line: &str) -> String {
    let programs = ["cargo run --release -- ", QUICK, OWN];
    let built = programs.iter().fold(line.to_owned(), |line, program| line.replace(program, "rolecall "));
    let mut paths = vec![copy.program().parent().unwrap().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut command = Command::new("sh");
    command
        .args(["-c", &built])
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env_remove("RUST_LOG")
        .current_dir(&copy.folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "`{line}`: {}", text(&output.stderr));
    text(&output.stdout)
}
