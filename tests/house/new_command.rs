//! `rolecall new` where it cannot work. What it writes where it can is built and played by
//! `tests/house/guide`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::binary::{self, rolecall, text};
use tempfile::TempDir;

/// The files that `new role` changes, and the manifest.
const FILES: [&str; 3] = ["Cargo.toml", "src/run/registry.rs", "src/core/roles/mod.rs"];

fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in FILES {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), path).unwrap();
    }
    folder
}

/// Every file of a folder.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(content(&path));
        } else {
            all.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    all
}

/// Gives a command that must be refused without any change; what it says.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let before = content(folder);
    let output = rolecall(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    assert!(content(folder) == before, "{arguments:?} has changed something");
    text(&output.stderr)
}

#[test]
fn it_works_from_any_folder_of_a_checkout_and_a_second_time_it_refuses() {
    let folder = checkout();
    let (roles, elsewhere) = (folder.path().join("src/core/roles"), tempfile::tempdir().unwrap());
    let output = rolecall(&roles, &["new", "role", "my-role"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(roles.join("my_role.rs").exists() && folder.path().join("configs/my-role.toml").exists());
    let dir = folder.path().display().to_string();
    let more = ["new", "role", "other", "--dir", &dir];
    let output = rolecall(elsewhere.path(), &more).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("next, in `"));
    let again = refused(folder.path(), &["new", "role", "my_role"]);
    assert!(again.contains("`src/core/roles/my_role.rs` exists already"), "{again}");
    fs::remove_file(roles.join("my_role.rs")).unwrap();
    let again = refused(folder.path(), &["new", "role", "my-role"]);
    assert!(again.contains("has a module `my_role` already"), "{again}");
}

#[test]
fn names_that_are_taken_or_cannot_be_are_refused() {
    let folder = checkout();
    for (name, why) in [
        ("scripted", "is taken"),
        ("role", "uses `Role` already"),
        ("match", "a word of the Rust language"),
        ("My-Role", "lower-case letters"),
        ("../role", "lower-case letters"),
        ("reader", "has a module `reader` already"),
    ] {
        let told = refused(folder.path(), &["new", "role", name]);
        assert!(told.contains(why), "{name}: {told}");
    }
}

#[test]
fn what_is_for_one_environment_goes_into_its_folder() {
    let folder = checkout();
    let room = folder.path().join("src/environments/my_world");
    fs::create_dir_all(room.join("roles")).unwrap();
    fs::write(room.join("lib.rs"), "mod entries;\nmod roles;\n").unwrap();
    fs::write(room.join("roles/mod.rs"), "mod aba;\n").unwrap();
    let tables = ["ROLES", "USERS", "STRATEGIES", "METRICS"];
    let tables = tables.map(|table| format!("static {table}: &[X] = &[\n    // None.\n];\n"));
    fs::write(room.join("entries.rs"), tables.concat()).unwrap();
    for (kind, file, written) in
        [("role", "roles/mine.rs", "super::roles::mine::build"), ("user", "mine.rs", "super::mine::build")]
    {
        let options = ["new", kind, "mine", "--environment", "my-world"];
        let output = rolecall(folder.path(), &options).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(room.join(file).is_file(), "{file}");
        let entries = fs::read_to_string(room.join("entries.rs")).unwrap();
        assert!(entries.contains(written), "{entries}");
        assert!(entries.contains("environments: &[\"my-world\"],"));
        let code = fs::read_to_string(room.join(file)).unwrap();
        assert!(code.contains("use rolecall_core::prelude::*;"), "{code}");
        assert!(text(&output.stdout).contains("cargo test -p rolecall-my-world mine"));
        let config = folder.path().join("configs/mine.toml");
        let played = fs::read_to_string(&config).unwrap();
        assert!(played.contains("name = \"my-world\""), "{played}");
        fs::remove_dir_all(folder.path().join("configs")).unwrap();
    }
    let elsewhere = ["new", "role", "other", "--environment", "nowhere"];
    let told = refused(folder.path(), &elsewhere);
    assert!(told.contains("there is no environment `nowhere`"), "{told}");
}

#[test]
fn a_dry_run_shows_every_line_and_writes_nothing() {
    let folder = checkout();
    let before = content(folder.path());
    let arguments = ["new", "role", "my-role", "--dry-run"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    for line in [
        "+impl Role for MyRole {",
        "+pub mod my_role;",
        "+        name: \"my-role\",",
        "+implementation = \"my-role\"",
        "nothing was written",
    ] {
        assert!(shown.lines().any(|shown| shown.starts_with(line)), "`{line}` in\n{shown}");
    }
    assert!(content(folder.path()) == before);
}

#[test]
fn a_file_that_is_not_as_expected_is_left_alone_and_the_line_is_told() {
    let folder = checkout();
    let registry = folder.path().join("src/run/registry.rs");
    let text = fs::read_to_string(&registry).unwrap();
    fs::write(&registry, text.replace("pub static ROLES:", "pub static OTHERS:")).unwrap();
    let told = refused(folder.path(), &["new", "role", "my-role"]);
    assert!(told.contains("`src/run/registry.rs` has no line `static ROLES: "), "{told}");
    assert!(told.contains("by hand:") && told.contains("name: \"my-role\","), "{told}");
    fs::write(&registry, text).unwrap();
    fs::write(folder.path().join("src/core/roles/mod.rs"), "//! Nothing.\n").unwrap();
    let told = refused(folder.path(), &["new", "role", "my-role"]);
    assert!(told.contains("by hand:\npub mod my_role;"), "{told}");
}

#[test]
fn a_checkout_of_another_version_is_told() {
    let folder = checkout();
    let manifest = folder.path().join("Cargo.toml");
    let own = format!("[workspace.package]\nversion = \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = fs::read_to_string(&manifest).unwrap();
    assert!(text.contains(&own), "{text}");
    fs::write(&manifest, text.replace(&own, "[workspace.package]\nversion = \"99.0.0\"")).unwrap();
    let mut command = rolecall(folder.path(), &["new", "role", "my-role"]);
    let output = command.output().unwrap();
    assert!(output.status.success());
    let told = binary::text(&output.stderr);
    assert!(told.contains("the checkout is version 99.0.0"), "{told}");
}

#[test]
fn outside_a_checkout_it_says_where_it_works() {
    let folder = tempfile::tempdir().unwrap();
    let told = refused(folder.path(), &["new", "metric", "mine"]);
    assert!(told.contains("--dir") && told.contains("--crate"), "{told}");
    let manifest = "[package]\nname = \"other\"\nversion = \"0.1.0\"\n";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    let told = refused(folder.path(), &["new", "metric", "mine"]);
    assert!(told.contains("is not in a checkout of rolecall"), "{told}");
    let told = refused(folder.path(), &["new", "metric", "mine", "--dir", "nowhere"]);
    assert!(told.contains("is no folder"), "{told}");
}

/// Writes a package with a world of its own; what is printed.
fn package(folder: &Path, options: &[&str]) -> String {
    let output =
        rolecall(folder, &[&["new", "environment", "my-world", "--crate"], options].concat()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_world_becomes_a_package_of_its_own_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let shown = package(folder.path(), &["--dry-run"]);
    assert!(shown.contains("+    rolecall::main(rolecall::worlds().with(&entries::ENTRIES))"), "{shown}");
    assert!(content(folder.path()).is_empty());
    let shown = package(folder.path(), &[]);
    let ending = format!(
        "\nnext:\n  cd my-world\n  cargo run -- run configs/my-world.toml\n  cargo run -- report my-world\nand read \
         docs/adding-an-environment.md\n\nwhere cargo finds no rolecall {version}, give `my-world/Cargo.toml` the folder \
         of a checkout:\n  rolecall = {{ path = \"/path/to/rolecall\", default-features = false }}\n"
    );
    assert!(shown.ends_with(&ending), "{shown}");
    let manifest = fs::read_to_string(folder.path().join("my-world/Cargo.toml")).unwrap();
    let dependency = format!("rolecall = {{ version = \"{version}\", default-features = false }}\n");
    assert!(manifest.contains(&dependency), "{manifest}");
    let again = refused(folder.path(), &["new", "environment", "my-world", "--crate"]);
    assert!(again.contains("`my-world/Cargo.toml` exists already"), "{again}");
    let code = fs::read_to_string(folder.path().join("my-world/src/world.rs")).unwrap();
    assert!(code.contains("use rolecall::prelude::*;"), "{code}");
    for (arguments, why) in [
        (&["role", "mine", "--crate"][..], "--crate is for environments"),
        (&["environment", "rolecall", "--crate"], "cannot be the name of a package"),
        (&["environment", "household", "--crate"], "is taken"),
        (&["environment", "other", "--crate", "--rolecall", "nowhere"], "`nowhere` is neither"),
        (&["environment", "other", "--crate", "--rolecall", "my-world"], "`my-world` is neither"),
    ] {
        let told = refused(folder.path(), &[&["new"], arguments].concat());
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_package_depends_on_a_folder_a_repository_or_a_version() {
    let ours = checkout();
    let path = ours.path().display().to_string();
    for (option, written) in [
        (path.as_str(), format!("path = \"{path}\"")),
        ("https://example.org/rolecall.git", "git = \"https://example.org/rolecall.git\"".to_owned()),
        ("git@example.org:some/rolecall.git", "git = \"ssh://git@example.org/some/rolecall.git\"".to_owned()),
        ("=0.4.1", "version = \"=0.4.1\"".to_owned()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let shown = package(folder.path(), &["--rolecall", option]);
        assert!(!shown.contains("finds no rolecall"), "{shown}");
        let manifest = fs::read_to_string(folder.path().join("my-world/Cargo.toml")).unwrap();
        let dependency = format!("\nrolecall = {{ {written}, default-features = false }}\n");
        assert!(manifest.contains(&dependency), "{manifest}");
    }
}

#[test]
fn parts_go_into_a_package_of_its_own_too() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), &[]);
    let root = folder.path().join("my-world");
    let output = rolecall(&root.join("configs"), &["new", "role", "mine"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\n  cargo test mine\n  cargo run -- run configs/mine.toml\n"));
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    assert!(read("src/main.rs").contains("mod entries;\npub mod mine;\nmod world;\n"));
    assert!(read("src/entries.rs").contains("build: super::mine::build,"));
    assert!(read("src/mine.rs").contains("use rolecall::prelude::*;"));
    assert!(read("configs/mine.toml").contains("name = \"my-world\""));
    for arguments in [&["role", "other", "--environment", "my-world"][..], &["environment", "other"]] {
        let told = refused(&root, &[&["new"], arguments].concat());
        assert!(told.contains("`my-world`"), "{told}");
    }
}
