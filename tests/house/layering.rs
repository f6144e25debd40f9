//! Who may import whom within a crate (docs/architecture.md, "Layers"), and what may be used where: all that the borders
//! of crates leave open. The first is read off the paths that the code names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules of crates with several layers, and the modules of its crate that each imports; those that are left out import
/// none. Any may use `names` and `maps`.
const LAYERS: [(&str, &str); 19] = [
    ("core/transformer", "text files"),
    ("core/ports", "domain text"),
    ("core/prelude", "domain ports"),
    ("core/prompts", "domain text ports"),
    ("core/models", "domain text files transformer ports"),
    ("core/log", "domain text files ports"),
    ("core/evaluation", "domain text ports prelude log"),
    ("core/strategies", "domain text ports prelude"),
    ("core/users", "domain text files ports prelude prompts"),
    ("core/roles", "domain text files ports prelude prompts"),
    // Persons read what models read, and answer what models answer.
    ("core/people", "domain text files ports prelude prompts roles users"),
    ("core/reports", "domain text log evaluation"),
    ("core/world", "domain text ports users log reports evaluation"),
    ("run/config", "registry"),
    ("run/runtime", "registry config"),
    ("run/rating", "registry"),
    ("doors/process", "wire"),
    ("doors/mcp", "wire"),
    ("doors/serve", "mcp"),
];

/// Crates of ours that each member may depend on, for tests too. `environments` stands for each world.
const CRATES: [(&str, &str); 6] = [
    ("core", ""),
    ("environments", "core"),
    ("run", "core"),
    ("doors", "core run"),
    ("training", "core"),
    ("cli", "core run doors training"),
];

/// Words of code, and the modules or files that may use them.
const PLACES: [(&str, &str); 7] = [
    ("actix", "run/runtime/"),
    (
        "Instant::now",
        "core/models/ core/ports/model/off_thread.rs run/runtime/ doors/machines/ doors/serve/ doors/wire/ training/lib.rs",
    ),
    ("SystemTime", "cli/"),
    ("rand::rng", ""),
    ("from_os_rng", ""),
    ("reqwest", "core/models/ doors/export/ doors/mcp/"),
    ("TcpStream", "doors/wire/"),
];

/// A file of the source: its crate by the folder below `src`, its path from there, its code without comments.
pub(super) struct File {
    folder: String,
    path: PathBuf,
    pub(super) code: String,
}

impl File {
    pub(super) fn shown(&self) -> String {
        Path::new(&self.folder).join(&self.path).display().to_string()
    }

    /// The folder of the crate and the first module on the way to the file.
    fn module(&self) -> String {
        let first = self.path.iter().next().unwrap().to_str().unwrap();
        format!("{}/{}", self.folder, first.trim_end_matches(".rs"))
    }

    pub(super) fn is_test(&self) -> bool {
        let name = self.path.file_stem().unwrap().to_str().unwrap();
        name.ends_with("tests") || self.path.iter().any(|folder| folder == "tests")
    }
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

pub(super) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files of all crates below `src`.
pub(super) fn files() -> Vec<File> {
    let file = |path: PathBuf| {
        let relative = path.strip_prefix(source()).unwrap();
        let depth = match relative.iter().count() {
            1 => 0,
            _ if relative.starts_with("environments") => 2,
            _ => 1,
        };
        let folder: PathBuf = relative.iter().take(depth).collect();
        let text = fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
        File {
            folder: folder.to_str().unwrap().replace('\\', "/"),
            path: relative.iter().skip(depth).collect(),
            code: code.join("\n"),
        }
    };
    rust_files(&source()).into_iter().map(file).collect()
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let layers = BTreeMap::from(LAYERS);
    let files = files();
    let modules: BTreeSet<String> = files.iter().map(File::module).collect();
    let layered = |file: &&File| ["core", "run", "doors"].contains(&file.folder.as_str()) && !file.is_test();
    let mut wrong = Vec::new();
    for file in files.iter().filter(layered) {
        let here = module(&file.path);
        let below = layers.get(file.module().as_str()).unwrap_or(&"");
        for path in named(&file.code, &here) {
            let (Some(here), Some(import)) = (here.first(), path.first()) else { continue };
            let mut known = ["names", "maps", here].into_iter().chain(below.split(' '));
            if modules.contains(&format!("{}/{import}", file.folder)) && !known.any(|known| known == import) {
                wrong.push(format!("{} imports `{import}`", file.shown()));
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden imports:\n{}", wrong.join("\n"));
}

/// The crates of ours that a manifest names as dependencies of any kind, worlds as `environments`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("rolecall-"));
    let names = names.map(|rest| rest.split(['.', ' ']).next().unwrap());
    let world = |name: &&str| source().join("environments").join(name).is_dir();
    names.map(|name| if world(&name) { "environments".to_owned() } else { name.to_owned() }).collect()
}

#[test]
fn only_the_facade_depends_on_worlds_and_nothing_on_the_conformance_suites() {
    for (folder, allowed) in CRATES {
        let members = match folder {
            "environments" => fs::read_dir(source().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect(),
            _ => vec![source().join(folder)],
        };
        for member in members {
            let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
            let wrong = dependencies(&manifest).into_iter().find(|name| !allowed.split(' ').any(|known| known == name));
            assert_eq!(wrong, None, "in the manifest of {}", member.display());
        }
    }
    let facade = dependencies(&fs::read_to_string(source().with_file_name("Cargo.toml")).unwrap());
    let known: BTreeSet<String> = CRATES.map(|(folder, _)| folder.to_owned()).into();
    assert_eq!(facade, known);
}

#[test]
fn actors_clocks_and_randomness_stay_in_their_modules() {
    let mut wrong = Vec::new();
    for file in files() {
        for (word, places) in PLACES {
            let allowed = places.split_whitespace().any(|place| file.shown().starts_with(place));
            if file.code.contains(word) && !allowed {
                wrong.push(format!("{} uses `{word}`", file.shown()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "in the wrong place:
{}",
        wrong.join(
            "
"
        )
    );
}

#[test]
fn the_rules_find_what_they_forbid() {
    assert_eq!(
        dependencies(
            "rolecall-run.workspace = true
rolecall-shop = {}
"
        ),
        ["environments", "run"].map(String::from).into()
    );
    let files = [
        (
            "a/mod.rs",
            "pub mod b;
mod c;
pub use b::X;
pub use c::*;",
        ),
        (
            "a/b.rs",
            "use super::c::{self, Y};
#[cfg(test)]
mod tests {
    use crate::d;
}",
        ),
        (
            "a/c.rs",
            "fn z() {
    crate::d::W::new()
}",
        ),
        (
            "d.rs",
            "use crate::{
    a::X, e::V,
};",
        ),
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
pub(super) fn without_tests(code: &str) -> String {
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
    let mut crates: BTreeMap<String, Vec<(PathBuf, String)>> = BTreeMap::new();
    for file in files().into_iter().filter(|file| !file.is_test()) {
        crates.entry(file.folder).or_default().push((file.path, file.code));
    }
    for (name, code) in crates {
        let wrong = circles(&code);
        assert!(wrong.is_empty(), "in a circle in `{name}`: {wrong:#?}");
    }
}

/// Names of worlds, and of the data sets that they are known by. `dialogue` is also a common noun
/// (`sees = "dialogue"`).
const NAMES: [&str; 11] =
    ["household", "alfworld", "alfred", "focus", "cima", "psyqa", "shop", "webshop", "chatshop", "multiwoz", "autotod"];

/// A world is its crate, its line in the facade, its configs and its cards: no other code holds its name; the examples
/// of the help are texts.
#[test]
fn no_crate_but_its_own_and_the_facade_names_a_world() {
    let mut wrong = Vec::new();
    for file in files() {
        if file.folder.is_empty() || file.folder.starts_with("environments/") || file.is_test() {
            continue;
        }
        for line in without_tests(&file.code).lines() {
            let small = line.to_lowercase();
            if small.split(|letter: char| !letter.is_alphanumeric()).any(|word| NAMES.contains(&word)) {
                wrong.push(format!("{}: {}", file.shown(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "worlds are named:\n{}", wrong.join("\n"));
}
