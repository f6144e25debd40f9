//! Finding the source tree that a part goes into: rolecall's, or a package with a world of its own.

use std::path::{Path, PathBuf};

use anyhow::bail;

use rolecall_core::files;

/// The largest `Cargo.toml` that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// Name of the package that names the worlds, and of the dependency of who brings one.
pub(super) const ROLECALL: &str = "rolecall";

/// A source tree.
pub(super) struct Checkout {
    /// The folder of its `Cargo.toml`.
    pub(super) root: PathBuf,
    /// Version of the rolecall in it.
    pub(super) version: String,
    /// Name of the world, and of the package, where the tree is a package with a world of its own.
    pub(super) own_world: Option<String>,
}

/// The source tree in which `start` lies: the nearest folder upward with such a `Cargo.toml`.
pub(super) fn find(start: &Path) -> anyhow::Result<Checkout> {
    if !start.is_dir() {
        bail!("`{}` is no folder", start.display());
    }
    match start.ancestors().find_map(checkout) {
        Some(checkout) => Ok(checkout),
        None => bail!(
            "`{}` is not in a checkout of rolecall, nor in a package with a world of its own: neither here nor above is \
             their Cargo.toml; name a folder with --dir (`rolecall new environment NAME --crate` makes such a package \
             anywhere)",
            start.display()
        ),
    }
}

/// The source tree with this root; none if it is no such root.
pub(super) fn checkout(folder: &Path) -> Option<Checkout> {
    let manifest = files::read(&folder.join("Cargo.toml"), LARGEST_MANIFEST).ok()?;
    let table: toml::Table = std::str::from_utf8(&manifest).ok()?.parse().ok()?;
    let package = table.get("package")?;
    let name = package.get("name")?.as_str()?;
    let root = folder.to_owned();
    if name == ROLECALL {
        let version = table
            .get("workspace")
            .and_then(|workspace| workspace.get("package")?.get("version"))
            .or(package.get("version"))
            .and_then(toml::Value::as_str);
        return Some(Checkout { root, version: version.unwrap_or_default().to_owned(), own_world: None });
    }
    let brings_a_world = table.get("dependencies")?.get(ROLECALL).is_some() && folder.join("src/entries.rs").is_file();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    brings_a_world.then(|| Checkout { root, version, own_world: Some(name.to_owned()) })
}
