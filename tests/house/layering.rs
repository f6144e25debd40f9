//! Who may import whom (docs/architecture.md, "Layers"), and what may be used where. Crate borders
//! would do the first for a crate of many; here a test reads the `use` lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may import of the crate, besides itself. Worlds may use what is for all worlds; of
/// what is for all worlds, nothing may use a world.
#[expect(clippy::too_many_lines, reason = "a table")]
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let talking = ["domain", "ports", "prelude", "text", "files", "prompts"];
    let of_runs = ["evaluation", "reports", "log", "world", "conformance"];
    let shared = [&talking[..], &["roles", "users", "strategies"], &of_runs].concat();
    let registry = [
        "domain",
        "ports",
        "world",
        "environments",
        "users",
        "roles",
        "people",
        "strategies",
        "models",
        "evaluation",
        "reports",
        "process",
        "mcp",
    ];
    let serve = [
        // Who sits in the lobby.
        "people",
        "domain",
        "ports",
        "text",
        "prompts",
        "roles",
        "registry",
        "config",
        "log",
        "evaluation",
        "reports",
        "runtime",
        "rating",
        "mcp",
    ];
    let rating = ["domain", "ports", "text", "files", "registry", "log", "evaluation"];
    let machines = ["domain", "ports", "text", "files", "config", "log", "evaluation", "runtime"];
    let export = ["domain", "ports", "text", "prompts", "registry", "config", "log", "evaluation", "runtime"];
    let evaluation = ["domain", "ports", "prelude", "log", "text"];
    let config = ["domain", "ports", "files", "registry", "log"];
    let runtime = ["domain", "ports", "registry", "config", "log", "evaluation"];
    BTreeMap::from([
        ("names", vec![]),
        ("maps", vec![]),
        ("domain", vec![]),
        ("text", vec![]),
        ("files", vec![]),
        ("transformer", vec!["files", "text"]),
        ("training", vec!["files", "text", "transformer"]),
        ("wire", vec!["text"]),
        ("process", vec!["domain", "ports", "text", "wire", "world"]),
        ("mcp", vec!["domain", "ports", "text", "files", "evaluation", "wire", "world"]),
        ("rating", rating.to_vec()),
        ("serve", serve.to_vec()),
        ("machines", machines.to_vec()),
        ("export", export.to_vec()),
        ("conformance", vec!["domain", "ports", "text"]),
        ("ports", vec!["domain"]),
        ("prelude", vec!["domain", "ports"]),
        ("prompts", vec!["domain", "ports", "text"]),
        ("users", talking.to_vec()),
        ("roles", talking.to_vec()),
        // Persons read what models read, and answer what models answer.
        ("people", [&talking[..], &["roles", "users"]].concat()),
        ("strategies", vec!["domain", "ports", "prelude", "text"]),
        ("models", vec!["domain", "ports", "text", "files", "transformer"]),
        ("log", vec!["domain", "ports", "text", "files"]),
        ("evaluation", evaluation.to_vec()),
        ("reports", vec!["domain", "text", "log", "evaluation"]),
        ("world", vec!["domain", "ports", "text", "users", "log", "reports", "conformance", "evaluation"]),
        ("environments", shared),
        ("registry", registry.to_vec()),
        ("config", config.to_vec()),
        ("runtime", runtime.to_vec()),
    ])
}

pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Each file of the crate with its module and its code (comments left out).
fn files() -> Vec<(String, PathBuf, String)> {
    let source = source();
    let files = rust_files(&source).into_iter().map(|path| {
        let relative = path.strip_prefix(&source).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs").to_owned();
        let code: Vec<String> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| line.split("//").next().unwrap().to_owned())
            .collect();
        (module, relative.to_path_buf(), code.join("\n"))
    });
    files.collect()
}

/// The modules of the crate that a file names as `crate::module`.
fn imports(code: &str) -> Vec<String> {
    let name = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    code.split("crate::").skip(1).map(name).collect()
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let allowed = allowed();
    let mut wrong = Vec::new();
    for (module, path, code) in files() {
        let Some(below) = allowed.get(module.as_str()) else {
            continue;
        };
        for import in imports(&code) {
            let known = import == module || import == "maps";
            if !known && !below.contains(&import.as_str()) {
                wrong.push(format!("{} imports `{import}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden imports:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_of_the_crate_has_a_rule() {
    let known = allowed();
    for (module, path, _) in files() {
        let above = ["lib", "main", "cli"].contains(&module.as_str());
        assert!(above || known.contains_key(module.as_str()), "{} has no rule", path.display());
    }
}

#[test]
fn actors_clocks_and_randomness_stay_in_their_modules() {
    // What may be written where; an empty list means nowhere.
    let rules: [(&str, &[&str]); 8] = [
        ("actix", &["runtime"]),
        ("Instant::now", &["runtime", "models", "wire", "serve", "machines", "training"]),
        ("SystemTime", &["cli"]),
        ("thread_rng", &[]),
        ("rand::rng", &[]),
        ("from_os_rng", &[]),
        ("reqwest", &["models", "mcp", "export"]),
        ("TcpStream", &["wire", "serve"]),
    ];
    let mut wrong = Vec::new();
    for (module, path, code) in files() {
        for (word, places) in rules {
            if code.contains(word) && !places.contains(&module.as_str()) {
                wrong.push(format!("{} uses `{word}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "in the wrong place:\n{}", wrong.join("\n"));
}

#[test]
fn the_rules_find_what_they_forbid() {
    assert_eq!(imports("use crate::runtime::X; use crate::domain;"), ["runtime", "domain"]);
    let files = [
        ("a/mod.rs", "pub mod b;\nmod c;\npub use b::X;\npub use c::*;"),
        ("a/b.rs", "use super::c::{self, Y};\n#[cfg(test)]\nmod tests {\n    use crate::d;\n}"),
        ("a/c.rs", "fn z() {\n    crate::d::W::new()\n}"),
        ("d.rs", "use crate::{\n    a::X, e::V,\n};"),
        ("e.rs", "pub struct V;"),
    ];
    let files = files.map(|(path, code)| (PathBuf::from(path), code.to_owned()));
    assert_eq!(circles(&files), ["a", "a::b", "a::c", "d"]);
}

/// The names of modules that lead to a file.
fn module(path: &Path) -> Vec<String> {
    let words = path.with_extension("");
    let words = words.iter().map(|word| word.to_str().unwrap().to_owned());
    words.filter(|word| !["mod", "lib"].contains(&word.as_str())).collect()
}

/// The code without its tests.
fn without_tests(code: &str) -> String {
    let mut lines = code.lines();
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let item = lines.by_ref().find(|line| !line.trim().starts_with('#'));
        if item.is_some_and(|item| !item.ends_with([';', '}'])) {
            lines.by_ref().find(|line| *line == end);
        }
    }
    kept.join("\n")
}

/// The paths that the tree of a `use` stands for.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let (head, rest) = tree.split_once('{').unwrap_or((tree, ""));
    let mut begin: Vec<String> = head.split("::").map(|word| word.trim().to_owned()).collect();
    begin.retain(|word| !word.is_empty());
    if rest.is_empty() {
        return vec![begin];
    }
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in rest[..rest.rfind('}').unwrap_or(rest.len())].chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(letter),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    let inner = parts.flat_map(|part| paths(part));
    inner.map(|path| [begin.clone(), path].concat()).collect()
}

/// A path from the crate's root, as it is written in a module.
fn absolute(path: &[String], module: &[String]) -> Option<Vec<String>> {
    let up = path.iter().take_while(|word| *word == "super").count();
    let rest: Vec<String> = path[up..].iter().filter(|word| *word != "self").cloned().collect();
    match path.first()?.as_str() {
        "crate" => Some(rest[1..].to_vec()),
        "super" => Some([&module[..module.len().checked_sub(up)?], &rest[..]].concat()),
        _ => Some([module, &rest[..]].concat()),
    }
}

/// The paths of the crate that a module names.
fn named(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let code = without_tests(code);
    let mut found = Vec::new();
    let mut body = String::new();
    for statement in code.split(';') {
        let at = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].lines().last().unwrap_or_default().trim();
            before.is_empty() || before.starts_with("pub")
        });
        let (before, tree) = statement.split_at(at.unwrap_or(statement.len()));
        body.push_str(before);
        found.extend(tree.strip_prefix("use ").into_iter().flat_map(paths));
    }
    for (at, _) in body.match_indices("::") {
        let word = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
        let before = body[..at].rfind(|letter| !word(letter)).map_or(0, |at| at + 1);
        let path = body[before..].split(|letter| !word(letter)).next().unwrap();
        if ["crate::", "super::"].iter().any(|start| path.starts_with(start)) {
            found.push(path.split("::").map(str::to_owned).collect());
        }
    }
    let found = found.iter().filter_map(|path| absolute(path, module));
    found.collect()
}

/// The files that use each other in a circle. A file below a folder may use what the folder's own file
/// holds or hands on.
fn circles(files: &[(PathBuf, String)]) -> Vec<String> {
    let modules: Vec<Vec<String>> = files.iter().map(|(path, _)| module(path)).collect();
    let file_of = |path: Vec<String>| {
        let known = (1..=path.len()).rev().map(|length| &path[..length]);
        let known = known.filter(|known| modules.iter().any(|module| module == known));
        known.map(|known| known.join("::")).next()
    };
    let edges = modules.iter().zip(files).map(|(module, (_, code))| {
        let name = module.join("::");
        let used = named(code, module).into_iter().filter_map(file_of);
        let above = |other: &String| format!("{name}::").starts_with(&format!("{other}::"));
        (name.clone(), used.filter(|other| !above(other)).collect())
    });
    let edges: BTreeMap<String, BTreeSet<String>> = edges.collect();
    let inside = edges.keys().filter(|name| leads_back(name, &edges));
    inside.cloned().collect()
}

/// Whether `from` leads back to itself by way of other files.
fn leads_back(from: &str, edges: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let mut open: Vec<&String> = edges[from].iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(next) = open.pop() {
        if next == from {
            return true;
        }
        if seen.insert(next) {
            open.extend(edges.get(next).into_iter().flatten());
        }
    }
    false
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let files = files().into_iter();
    let code = files.filter(|(_, path, _)| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name != "tests" && !name.ends_with("_tests")
    });
    let code: Vec<(PathBuf, String)> = code.map(|(_, path, code)| (path, code)).collect();
    let wrong = circles(&code);
    assert!(wrong.is_empty(), "in a circle: {wrong:#?}");
}

/// Names of worlds, and of the data sets that they are known by. `dialogue` is also a common noun
/// (`sees = "dialogue"`), so that its world is looked for by its path alone.
const NAMES: [&str; 11] =
    ["household", "alfworld", "alfred", "focus", "cima", "psyqa", "shop", "webshop", "chatshop", "multiwoz", "autotod"];

/// A world is its folder, its line in the registry, its configs and its cards: nothing else in `src`
/// imports one or holds its name in code; the examples of the help are texts. (Before worlds had rooms,
/// 201 lines of 91 files did.)
#[test]
fn no_room_but_its_own_and_the_registry_names_a_world() {
    let mut wrong = Vec::new();
    for (_, path, code) in files() {
        let shown = path.display().to_string();
        let own = shown.starts_with("environments/") || shown == "registry.rs";
        if own || shown.ends_with("tests.rs") {
            continue;
        }
        for line in without_tests(&code).lines() {
            let small = line.to_lowercase();
            let words: Vec<&str> = small.split(|letter: char| !letter.is_alphanumeric()).collect();
            let named = NAMES.iter().any(|name| words.contains(name));
            if named || small.contains("environments::dialogue") {
                wrong.push(format!("{shown}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "worlds are named:\n{}", wrong.join("\n"));
    let folders = fs::read_dir(source().join("environments")).unwrap();
    for folder in folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let world = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let room = format!("environments/{world}/");
        for (_, path, code) in files() {
            let shown = path.display().to_string();
            let named = code.contains(&format!("environments::{world}"));
            assert!(!named || shown.starts_with(&room) || shown == "registry.rs", "{shown} imports `{world}`");
        }
    }
}
