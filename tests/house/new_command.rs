//! `rolecall new` where it cannot work. What it writes where it can is built and played by
//! `tests/house/guide`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::binary::{self, rolecall, text};
use tempfile::TempDir;

/// The files that `new role` changes, and the manifest.
const FILES: [&str; 3] = ["Cargo.toml", "src/registry.rs", "src/roles/mod.rs"];

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
    let (roles, elsewhere) = (folder.path().join("src/roles"), tempfile::tempdir().unwrap());
    let output = rolecall(&roles, &["new", "role", "my-role"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(roles.join("my_role.rs").exists() && folder.path().join("configs/my-role.toml").exists());
    let dir = folder.path().display().to_string();
    let more = ["new", "role", "other", "--dir", &dir];
    let output = rolecall(elsewhere.path(), &more).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("next, in `"));
    let again = refused(folder.path(), &["new", "role", "my_role"]);
    assert!(again.contains("`src/roles/my_role.rs` exists already"), "{again}");
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
    fs::write(room.join("mod.rs"), "mod entries;\nmod roles;\n").unwrap();
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
    let registry = folder.path().join("src/registry.rs");
    let text = fs::read_to_string(&registry).unwrap();
    fs::write(&registry, text.replace("pub static ROLES:", "pub static OTHERS:")).unwrap();
    let told = refused(folder.path(), &["new", "role", "my-role"]);
    assert!(told.contains("`src/registry.rs` has no line `static ROLES: "), "{told}");
    assert!(told.contains("by hand:") && told.contains("name: \"my-role\","), "{told}");
    fs::write(&registry, text).unwrap();
    fs::write(folder.path().join("src/roles/mod.rs"), "//! Nothing.\n").unwrap();
    let told = refused(folder.path(), &["new", "role", "my-role"]);
    assert!(told.contains("by hand:\npub mod my_role;"), "{told}");
}

#[test]
fn a_checkout_of_another_version_is_told() {
    let folder = checkout();
    let manifest = folder.path().join("Cargo.toml");
    let own = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen(&own, "version = \"99.0.0\"", 1)).unwrap();
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
    assert!(told.contains("--dir"), "{told}");
    let manifest = "[package]\nname = \"other\"\nversion = \"0.1.0\"\n";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    let told = refused(folder.path(), &["new", "metric", "mine"]);
    assert!(told.contains("is not in a checkout of rolecall"), "{told}");
    let told = refused(folder.path(), &["new", "metric", "mine", "--dir", "nowhere"]);
    assert!(told.contains("is no folder"), "{told}");
}
