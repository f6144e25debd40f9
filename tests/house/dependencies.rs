//! What rolecall is built from and what it is shipped as. The licences of crates and where they come
//! from are checked by the lists in `deny.toml`: `cargo deny check` looks at more, but this needs
//! nothing but cargo.

use crate::support::shipped::root;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use toml::Table;

fn table(file: &str) -> Table {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    text.parse().unwrap()
}

/// A list of texts in `deny.toml`.
fn list(section: &str, key: &str) -> Vec<String> {
    let list = table("deny.toml")[section][key].as_array().unwrap().clone();
    let texts = list.iter().map(|text| text.as_str().unwrap().to_owned());
    texts.collect()
}

/// What else is allowed for single crates.
fn exceptions() -> BTreeMap<String, Vec<String>> {
    let table = table("deny.toml");
    let exceptions = table["licenses"]["exceptions"].as_array().unwrap();
    let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
    let exception = |exception: &toml::Value| {
        let allow = exception["allow"].as_array().unwrap();
        (text(&exception["crate"]), allow.iter().map(text).collect())
    };
    exceptions.iter().map(exception).collect()
}

#[test]
fn exceptions_are_for_tools_of_tests_only() {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--locked", "--offline", "--features", "full", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let tree = String::from_utf8(output.stdout).unwrap();
    let shipped: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(shipped.contains(&"serde") && shipped.len() > 30);
    for name in exceptions().keys() {
        assert!(!shipped.contains(&name.as_str()), "`{name}` is part of the program");
    }
}

/// Whether one of the ways to use a crate is allowed. `A/B` is how old crates write `A OR B`.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let expression = Expression::parse_mode(licence, ParseMode::LAX).unwrap();
    expression.evaluate(|wanted| allowed.contains(&wanted.to_string()))
}

/// Every crate that is built or tested with on this kind of machine.
fn packages() -> Vec<Value> {
    let cargo = || Command::new(env!("CARGO"));
    let version = cargo().arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = cargo()
        .current_dir(root())
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", host.unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn every_licence_is_one_that_is_allowed() {
    let allowed = list("licenses", "allow");
    let exceptions = exceptions();
    let packages = packages();
    assert!(packages.len() > 50, "{}", packages.len());
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| {
            let more = exceptions.get(package["name"].as_str().unwrap());
            let allowed = more.map_or(allowed.clone(), |more| [&allowed[..], more].concat());
            let licence = package["license"].as_str();
            !licence.is_some_and(|licence| is_allowed(licence, &allowed))
        })
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "not allowed by deny.toml: {refused:#?}");
}

#[test]
fn a_licence_is_allowed_if_one_way_to_use_the_crate_is() {
    let allowed = ["MIT", "Apache-2.0"].map(str::to_owned);
    for licence in ["MIT", "GPL-3.0-only OR MIT", "MIT/Unlicense", "MIT AND Apache-2.0"] {
        assert!(is_allowed(licence, &allowed), "{licence}");
    }
    for licence in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "Zlib", "Apache-2.0 WITH LLVM-exception"] {
        assert!(!is_allowed(licence, &allowed), "{licence}");
    }
}

#[test]
fn everything_comes_from_the_official_registry() {
    let lock = table("Cargo.lock");
    let packages = lock["package"].as_array().unwrap();
    let allowed = list("sources", "allow-registry");
    assert!(list("sources", "allow-git").is_empty());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let source = package.get("source").map(|source| source.as_str().unwrap());
        match source.map(|source| source.strip_prefix("registry+")) {
            // Packages of this workspace.
            None => assert!(name == "rolecall" || name.starts_with("rolecall-"), "{name}"),
            Some(registry) => {
                let official = registry.is_some_and(|url| allowed.iter().any(|known| known == url));
                assert!(official, "{name}: {source:?}");
                assert!(package.get("checksum").is_some(), "{name} has no checksum");
            }
        }
    }
}

/// The files that `cargo package` would put into the packages that the arguments name.
fn packaged(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["package", "--list", "--allow-dirty", "--offline", "--quiet"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_package_holds_what_it_needs_and_no_more() {
    let list = packaged(&[]);
    let allowed = [
        ".cargo_vcs_info.json",
        ".gitignore",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "agents",
        "benches",
        "build.rs",
        "clippy.toml",
        "configs",
        "deny.toml",
        "docs",
        "examples",
        "logs",
        "rustfmt.toml",
        "src",
        "tests",
    ];
    for file in list.lines() {
        let path = Path::new(file);
        let first = path.iter().next().unwrap().to_str().unwrap();
        assert!(allowed.contains(&first), "`{file}` does not belong into the package");
        let size = std::fs::metadata(root().join(path)).map_or(0, |found| found.len());
        // The weights of the model that comes with the program may have 2.5 MB.
        let most = if file.ends_with(".safetensors") { 2_500_000 } else { 1 << 20 };
        assert!(size < most, "`{file}` has {size} bytes");
    }
    let below = |folder: &str| list.lines().filter(|file| file.starts_with(folder)).collect::<Vec<_>>();
    assert_eq!(below("logs"), ["logs/README.md"]);
    // The other crates are packages of their own.
    assert_eq!(below("src"), ["src/lib.rs", "src/main.rs"]);
    for file in ["agents/local/model.safetensors", "configs/quickstart.toml", "examples/own_role.rs"] {
        assert!(list.lines().any(|found| found == file), "`{file}` is missing");
    }
}

#[test]
fn packages_of_members_hold_their_folder() {
    let metadata = packages();
    let members = metadata.iter().filter(|package| package["source"].is_null() && package["publish"].is_null());
    let members = members.filter(|package| package["name"] != "rolecall");
    let mut count = 0;
    for member in members {
        let name = member["name"].as_str().unwrap();
        let list = packaged(&["-p", name]);
        assert!(list.lines().any(|file| file == "lib.rs"), "{name}: {list}");
        for file in list.lines() {
            let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
            let known = ["css", "js", "json", "lock", "md", "orig", "pddl", "rs", "toml", "twl2", "txt"];
            assert!(ending.is_some_and(|ending| known.contains(&ending)), "`{file}` does not belong into {name}");
        }
        assert_eq!(member["version"].as_str(), Some(env!("CARGO_PKG_VERSION")), "{name}");
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn all_that_is_handed_out_has_one_version() {
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    for (file, start) in [("CITATION.cff", "version: "), ("python/src/rolecall/__init__.py", "__version__ = ")] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert_eq!(text.lines().find_map(|line| line.strip_prefix(start)), Some(version.as_str()), "{file}");
    }
}
