//! A new world: a crate below `src/environments` of a checkout, or a package of its own.

use std::path::Path;

use anyhow::bail;

use super::change::{Change, place_of_dependency, place_of_entry};
use super::checkout::{Checkout, ROLECALL, checkout};
use super::name::Name;
use rolecall_core::files::shipped::simplified;

/// Path and template of files.
type Files = [(&'static str, &'static str)];

macro_rules! files {
    ($($path:literal: $template:literal,)*) => {
        &[$(($path, include_str!(concat!("environment/", $template, ".txt")))),*]
    };
}

/// The code of a world.
const CODE: &Files = files! {
    "entries.rs": "entries.rs",
    "world.rs": "world.rs",
};

/// The cast that plays it.
const CAST: &Files = files! {
    "configs/{{name}}.toml": "config.toml",
    "configs/{{name}}.jsonl": "script.jsonl",
    "agents/react-{{name}}/executor.toml": "card.toml",
    "agents/react-{{name}}/executor.md": "prompt.md",
};

/// The rest of a crate in a checkout.
const CRATE: &Files = files! {
    "Cargo.toml": "crate/Cargo.toml",
    "lib.rs": "crate/lib.rs",
};

/// The rest of a package of its own.
const PACKAGE: &Files = files! {
    "Cargo.toml": "package/Cargo.toml",
    "src/main.rs": "package/main.rs",
    "README.md": "package/README.md",
    ".gitignore": "package/gitignore",
};

/// The page that explains both.
pub(super) const GUIDE: &str = "docs/adding-an-environment.md";

/// Names that a program built by cargo cannot have, or that its package cannot.
const TAKEN: [&str; 5] = [ROLECALL, "build", "deps", "examples", "incremental"];

/// The folder of a world in a checkout.
pub(super) fn folder(module: &str) -> String {
    format!("src/environments/{module}")
}

/// Writes files below a folder, with what depends on the place put in.
fn write(root: &Path, folder: &str, files: &Files, fill: impl Fn(&str) -> String) -> anyhow::Result<Vec<Change>> {
    let path = |path| Path::new(folder).join(fill(path)).display().to_string().replace('\\', "/");
    files.iter().map(|(file, template)| Change::file(root, path(file), fill(template))).collect()
}

/// The changes to a checkout, and the commands to give next.
pub(super) fn in_checkout(checkout: &Checkout, name: &Name) -> anyhow::Result<(Vec<Change>, Vec<String>)> {
    if let Some(world) = &checkout.own_world {
        bail!("this package has its environment, `{world}`: --crate writes another package");
    }
    name.check_unused(CODE.iter().map(|(_, template)| *template))?;
    let (root, folder) = (&checkout.root, folder(&name.module));
    let fill = |template: &str| name.fill(template).replace("{{crate}}", "rolecall_core");
    let dependency = fill("rolecall-{{name}} = { path = \"src/environments/{{module}}\" }\n");
    let entry = fill("    &rolecall_{{module}}::ENTRIES,\n");
    let mut changes = write(root, &folder, CRATE, fill)?;
    changes.extend(write(root, &folder, CODE, fill)?);
    changes.extend(write(root, "", CAST, fill)?);
    changes
        .push(Change::lines(root, "Cargo.toml", dependency.clone(), |lines| place_of_dependency(lines, &dependency))?);
    changes.push(Change::lines(root, "src/lib.rs", entry, |lines| place_of_entry(lines, "WORLDS", &name.text))?);
    let commands = [
        "cargo test -p rolecall-{{name}}",
        "cargo run --profile quick -- run configs/{{name}}.toml",
        "cargo run --profile quick -- show {{name}} 2",
    ];
    Ok((changes, commands.map(fill).into()))
}

/// The files of a package of its own below `start`, the commands to give next, and what to do if cargo does not find
/// the version of rolecall.
pub(super) fn package(
    start: &Path,
    name: &Name,
    rolecall: Option<&str>,
) -> anyhow::Result<(Vec<Change>, Vec<String>, String)> {
    if !start.is_dir() {
        bail!("`{}` is no folder", start.display());
    }
    if TAKEN.contains(&name.text.as_str()) {
        bail!("`{}` cannot be the name of a package that depends on rolecall", name.text);
    }
    name.check_unused(CODE.iter().map(|(_, template)| *template))?;
    let dependency = dependency(rolecall)?;
    let fill = |template: &str| name.fill(template).replace("{{crate}}", ROLECALL).replace("{{rolecall}}", &dependency);
    let mut changes = write(start, &name.text, PACKAGE, fill)?;
    changes.extend(write(start, &fill("{{name}}/src"), CODE, fill)?);
    changes.extend(write(start, &name.text, CAST, fill)?);
    let commands = ["cd {{name}}", "cargo run -- run configs/{{name}}.toml", "cargo run -- report {{name}}"];
    let otherwise = match rolecall {
        Some(_) => String::new(),
        None => format!(
            "\nwhere cargo finds no rolecall {}, give `{}/Cargo.toml` the folder of a checkout:\n  \
             {ROLECALL} = {{ path = \"/path/to/rolecall\", default-features = false }}\n",
            env!("CARGO_PKG_VERSION"),
            name.text
        ),
    };
    Ok((changes, commands.map(fill).into(), otherwise))
}

/// The value of `rolecall` among the dependencies: a folder, a repository or a version; this version by default.
fn dependency(rolecall: Option<&str>) -> anyhow::Result<String> {
    let (key, value) = match rolecall {
        None => ("version", env!("CARGO_PKG_VERSION").to_owned()),
        Some(url) if url.contains("://") => ("git", url.to_owned()),
        // As Git writes addresses by SSH, and cargo does not.
        Some(address) if address.starts_with("git@") => ("git", format!("ssh://{}", address.replacen(':', "/", 1))),
        Some(path) if checkout(Path::new(path)).is_some_and(|checkout| checkout.own_world.is_none()) => {
            ("path", simplified(&std::path::absolute(path)?).display().to_string())
        }
        Some(version) if version.starts_with(|first: char| first.is_ascii_digit() || "=^~<>".contains(first)) => {
            ("version", version.to_owned())
        }
        Some(other) => {
            bail!("`{other}` is neither a folder with a checkout of rolecall nor an address of Git nor a version")
        }
    };
    Ok(format!("{{ {key} = {}, default-features = false }}", toml::Value::from(value)))
}
