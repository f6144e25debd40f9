//! Who may import whom (docs/architecture.md, "Layers"), and what may be used where. Crate borders
//! would do the first for a crate of many; here a test reads the `use` lines.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may import of the crate, besides itself.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let middle = ["domain", "ports", "prelude", "text", "files"];
    let talking = [&middle[..], &["prompts", "memory"]].concat();
    let mut allowed = BTreeMap::from([
        ("domain", vec![]),
        ("text", vec![]),
        ("files", vec![]),
        ("ports", vec!["domain"]),
        ("prelude", vec!["domain", "ports"]),
        ("environments", middle.to_vec()),
        ("memory", vec!["domain", "ports", "text"]),
        ("prompts", vec!["domain", "ports", "text", "memory"]),
        ("users", talking.clone()),
        ("roles", talking),
        ("strategies", vec!["domain", "ports", "prelude", "text"]),
        ("models", vec!["domain", "ports", "text", "files"]),
        ("log", vec!["domain", "ports", "files"]),
        (
            "evaluation",
            vec!["domain", "ports", "prelude", "log", "text"],
        ),
        ("reports", vec!["domain", "text", "log", "evaluation"]),
    ]);
    let implementations = [
        "environments",
        "users",
        "roles",
        "strategies",
        "models",
        "evaluation",
    ];
    let registry = [&["domain", "ports"], &implementations[..]].concat();
    let config = ["domain", "ports", "files", "registry", "log"];
    let runtime = ["domain", "ports", "registry", "config", "log", "evaluation"];
    allowed.insert("registry", registry);
    allowed.insert("config", config.to_vec());
    allowed.insert("runtime", runtime.to_vec());
    allowed
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
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
    let name = |rest: &str| {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
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
            if import != module && !below.contains(&import.as_str()) {
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
        assert!(
            above || known.contains_key(module.as_str()),
            "{} has no rule",
            path.display()
        );
    }
}

#[test]
fn actors_clocks_and_randomness_stay_in_their_modules() {
    // What may be written where; an empty list means nowhere.
    let rules: [(&str, &[&str]); 8] = [
        ("actix", &["runtime"]),
        ("Instant::now", &["runtime", "models"]),
        ("SystemTime", &["cli"]),
        ("thread_rng", &[]),
        ("rand::rng", &[]),
        ("from_os_rng", &[]),
        ("reqwest", &["models"]),
        ("TcpStream", &[]),
    ];
    let mut wrong = Vec::new();
    for (module, path, code) in files() {
        for (word, places) in rules {
            if code.contains(word) && !places.contains(&module.as_str()) {
                wrong.push(format!("{} uses `{word}`", path.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "in the wrong place:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_rules_find_what_they_forbid() {
    assert_eq!(
        imports("use crate::runtime::X; use crate::domain;"),
        ["runtime", "domain"]
    );
    let edges = BTreeMap::from([
        ("a".to_owned(), siblings("use super::b::X;")),
        ("b".to_owned(), siblings("use super::{Y}; super::c::z()")),
        (
            "c".to_owned(),
            siblings("use super::a;\n#[cfg(test)] super::d"),
        ),
        ("d".to_owned(), siblings("use super::a;")),
    ]);
    let circle = edges.keys().filter(|name| leads_back(name, &edges));
    assert_eq!(circle.collect::<Vec<_>>(), ["a", "b", "c"]);
}

/// The files beside it that a file names as `super::file`, tests left out.
fn siblings(code: &str) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]").next().unwrap();
    let name = |rest: &str| {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    code.split("super::").skip(1).map(name).collect()
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
fn no_files_of_a_folder_import_each_other_in_a_circle() {
    let mut folders: BTreeMap<PathBuf, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (_, path, code) in files() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name != "mod" && !name.ends_with("_tests") {
            let folder = path.parent().unwrap().to_owned();
            let edges = folders.entry(folder).or_default();
            edges.insert(name.to_owned(), siblings(&code));
        }
    }
    let mut wrong = Vec::new();
    for (folder, edges) in &folders {
        let inside = edges.keys().filter(|name| leads_back(name, edges));
        wrong.extend(inside.map(|name| folder.join(name).display().to_string()));
    }
    // An episode and its seats hold each other's addresses.
    wrong.retain(|file| !["runtime/episode", "runtime/seat"].contains(&file.as_str()));
    assert!(wrong.is_empty(), "in a circle: {wrong:?}");
}
