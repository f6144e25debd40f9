//! The folder in which games or records lie until all of them are written.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The file that is locked as long as somebody writes into the folder.
const LOCK: &str = "lock";

/// A folder of this process alone, which is removed with what is left in it.
///
/// A process that is killed leaves its folder behind, but the system takes its lock away: the next
/// one that needs the folder removes it, so that games of two calls never mix.
pub(super) struct Unfinished {
    path: PathBuf,
    _locked: File,
}

impl Unfinished {
    /// Makes the folder. Fails if another process is writing into it.
    pub(super) fn make(path: PathBuf) -> anyhow::Result<Self> {
        let made = match Self::take(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if is_in_use(&path) {
                    bail!(
                        "`{}` is there: another process is writing there; wait for it, or \
                         choose another --out (remove the folder if no such process runs)",
                        path.display()
                    );
                }
                fs::remove_dir_all(&path).and_then(|()| Self::take(&path))
            }
            made => made,
        };
        let locked =
            made.with_context(|| format!("the folder `{}` cannot be made", path.display()))?;
        Ok(Self {
            path,
            _locked: locked,
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn take(path: &Path) -> io::Result<File> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::create_dir(path)?;
        let lock = File::create_new(path.join(LOCK))?;
        // Some file systems have no locks; then the folder alone must do.
        let _ = lock.try_lock();
        Ok(lock)
    }
}

/// Whether somebody holds the lock, or that cannot be told.
fn is_in_use(path: &Path) -> bool {
    match File::open(path.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_err(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out/.unfinished");
        fs::create_dir_all(path.join("valid_seen")).unwrap();
        fs::write(path.join(LOCK), "").unwrap();
        let held = Unfinished::make(path.clone()).unwrap();
        assert!(!path.join("valid_seen").exists());
        let second = Unfinished::make(path.clone()).err().unwrap();
        assert!(second.to_string().contains("another process"), "{second:#}");
        assert!(held.path().is_dir());
        drop(held);
        assert!(!path.exists());
    }
}
