//! Finding the source tree of rolecall.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::files;

/// The largest `Cargo.toml` that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// The folder of rolecall's own `Cargo.toml`: `start` or the nearest folder above it.
pub(super) fn find(start: &Path) -> anyhow::Result<PathBuf> {
    if !start.is_dir() {
        bail!("`{}` is no folder", start.display());
    }
    match start.ancestors().find(|folder| is_rolecall(folder)) {
        Some(root) => Ok(root.to_owned()),
        None => bail!(
            "`{}` is not in a checkout of rolecall: neither here nor above is there a Cargo.toml \
             of the package `rolecall`; name one with --dir (a crate of your own adds to the \
             tables as examples/own_role.rs does)",
            start.display()
        ),
    }
}

fn is_rolecall(folder: &Path) -> bool {
    let manifest = files::read(&folder.join("Cargo.toml"), LARGEST_MANIFEST).ok();
    let text = manifest.and_then(|bytes| String::from_utf8(bytes).ok());
    let table = text.and_then(|text| text.parse::<toml::Table>().ok());
    let name = table
        .as_ref()
        .and_then(|table| table.get("package")?.get("name")?.as_str());
    name == Some(env!("CARGO_PKG_NAME"))
}
