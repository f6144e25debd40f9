//! The config's files, as they travel to workers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};

use rolecall_core::files::shipped;
use rolecall_run::config::Resolved;

/// The texts of the files that a run was resolved from and that lie below its working folder, by their paths
/// from there. Others must be where they are on every machine.
pub(crate) fn bundle(resolved: &Resolved) -> anyhow::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for file in &resolved.record.files {
        if shipped::is_shipped(Path::new(&file.path)) || !is_below(Path::new(&file.path)) {
            continue;
        }
        let path = resolved.working.join(&file.path);
        let text = fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?;
        files.insert(file.path.clone(), text);
    }
    Ok(files)
}

/// Whether a relative path stays inside its base folder.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// A folder that holds such files, and whatever else there is in another folder. It is removed when this is
/// dropped.
#[derive(Debug)]
pub(crate) struct Unpacked(PathBuf);

impl Unpacked {
    /// Lays the files over the folder `base`, in a new folder.
    pub(crate) fn new(name: &str, files: &BTreeMap<String, String>, base: &Path) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("rolecall-{name}-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| format!("`{}` cannot be made", folder.display()))?;
        let unpacked = Self(folder);
        for (path, text) in files {
            if !is_below(Path::new(path)) {
                bail!("the queue has a file that lies outside of the run's folder: its manifest was changed");
            }
            let path = unpacked.0.join(path);
            let write = || {
                fs::create_dir_all(path.parent().unwrap_or(&path))?;
                fs::write(&path, text)
            };
            write().with_context(|| format!("`{}` cannot be written", path.display()))?;
        }
        link_rest(base, &unpacked.0).with_context(|| format!("`{}` cannot be filled", unpacked.0.display()))?;
        Ok(unpacked)
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // What it links to stays where it is.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Links to whatever is in one folder and not in the other.
fn link_rest(from: &Path, to: &Path) -> io::Result<()> {
    let there = fs::read_dir(to)?.map(|entry| Ok(entry?.file_name()));
    let there: BTreeSet<_> = there.collect::<io::Result<_>>()?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        let (from, to) = (from.join(&name), to.join(&name));
        if !there.contains(&name) {
            link(&from, &to)?;
        } else if from.is_dir() && to.is_dir() {
            link_rest(&from, &to)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

/// Elsewhere links need rights that few have: data is named by its whole path.
#[cfg(not(unix))]
fn link(_from: &Path, _to: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_over_the_folder_and_the_rest_is_linked() {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir_all(base.path().join("configs/more")).unwrap();
        for (path, text) in [("configs/a.toml", "old"), ("configs/b.txt", "b"), ("data", "d")] {
            fs::write(base.path().join(path), text).unwrap();
        }
        let files = BTreeMap::from([("configs/a.toml".to_owned(), "new".to_owned())]);
        let unpacked = Unpacked::new("test", &files, base.path()).unwrap();
        let read = |path| fs::read_to_string(unpacked.folder().join(path)).unwrap();
        assert_eq!(["configs/a.toml", "configs/b.txt", "data"].map(read), ["new", "b", "d"]);
        let folder = unpacked.folder().to_owned();
        drop(unpacked);
        assert!(!folder.exists());
        assert_eq!(fs::read_to_string(base.path().join("configs/b.txt")).unwrap(), "b");
    }

    #[test]
    fn nothing_is_written_elsewhere() {
        let base = tempfile::tempdir().unwrap();
        for path in ["../a", "/a", "a/../../b"] {
            let files = BTreeMap::from([(path.to_owned(), String::new())]);
            assert!(Unpacked::new("elsewhere", &files, base.path()).is_err(), "{path}");
        }
    }
}
