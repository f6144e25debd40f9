//! Finding the source tree of rolecall.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::files;

/// The largest `Cargo.toml` that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// A source tree of rolecall.
pub(super) struct Checkout {
    /// The folder of its `Cargo.toml`.
    pub(super) root: PathBuf,
    /// Its version.
    pub(super) version: String,
}

/// The source tree in which `start` lies: the nearest folder upward with rolecall's `Cargo.toml`.
pub(super) fn find(start: &Path) -> anyhow::Result<Checkout> {
    if !start.is_dir() {
        bail!("`{}` is no folder", start.display());
    }
    match start.ancestors().find_map(checkout) {
        Some(checkout) => Ok(checkout),
        None => bail!(
            "`{}` is not in a checkout of rolecall: neither here nor above is there a Cargo.toml \
             of the package `rolecall`; name one with --dir (a crate of your own adds to the \
             tables as examples/own_role.rs does)",
            start.display()
        ),
    }
}

fn checkout(folder: &Path) -> Option<Checkout> {
    let manifest = files::read(&folder.join("Cargo.toml"), LARGEST_MANIFEST).ok()?;
    let table: toml::Table = std::str::from_utf8(&manifest).ok()?.parse().ok()?;
    let text = |key| table.get("package")?.get(key)?.as_str();
    if text("name") != Some(env!("CARGO_PKG_NAME")) {
        return None;
    }
    Some(Checkout { root: folder.to_owned(), version: text("version").unwrap_or_default().to_owned() })
}
