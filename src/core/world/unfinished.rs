//! Writing of data sets: the folder in which games or records lie until all of them are written, and files of JSON
//! that are written entry by entry.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{mem, slice};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::log::Mark;

/// A folder of this process alone, which is removed with what is left in it.
///
/// A process that is killed leaves its folder behind, but the system takes its lock away: the next
/// one that needs the folder clears it, so that games of two calls never mix.
pub struct Unfinished {
    path: PathBuf,
    mark: Option<Mark>,
}

impl Unfinished {
    /// Makes the folder, or clears what a killed process left in it. Fails if something is in one of
    /// the places to which its content goes, or another process is writing into it.
    ///
    /// # Errors
    /// Then, and when the folder cannot be made.
    pub fn make(path: PathBuf, places: &[PathBuf]) -> anyhow::Result<Self> {
        places.iter().try_for_each(|place| free(place))?;
        let made = || format!("the folder `{}` cannot be made", path.display());
        fs::create_dir_all(&path).with_context(made)?;
        // Only who holds the mark may remove what lies beside it.
        let mark = Mark::set(&path).context("choose another --out")?;
        clear(&path, &mark).with_context(made)?;
        let mark = Some(mark);
        let unfinished = Self { path, mark };
        // The last holder of the mark may have been faster.
        places.iter().try_for_each(|place| free(place))?;
        Ok(unfinished)
    }

    /// Writes a file beside its place and moves it there when it is whole; returns what
    /// `write` says of it.
    ///
    /// # Errors
    /// When it cannot be written, or something is in its place.
    pub fn file<T>(path: &Path, write: impl FnOnce(&Path) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let name = path.file_name().context("--out must name a file")?;
        let beside = path.with_file_name(format!(".{}.unfinished", name.to_string_lossy()));
        let unfinished = Self::make(beside, slice::from_ref(&path.to_owned()))?;
        let file = unfinished.path.join("records");
        let written = write(&file)?;
        let made = || format!("`{}` cannot be made", path.display());
        fs::rename(&file, path).with_context(made)?;
        Ok(written)
    }

    /// Writes files and folders of these names in a folder within `out`, and moves them to `out` when all are whole;
    /// returns what `write` says of them.
    ///
    /// # Errors
    /// When they cannot be written, or something is in their places.
    pub fn parts<T>(
        out: &Path,
        name: &str,
        parts: &[&str],
        write: impl FnOnce(&Path) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let places: Vec<PathBuf> = parts.iter().map(|part| out.join(part)).collect();
        let unfinished = Self::make(out.join(name), &places)?;
        let wrong = || format!("`{}` cannot be written", out.display());
        let written = write(&unfinished.path).with_context(wrong)?;
        for (part, place) in parts.iter().zip(&places) {
            let wrong = || format!("`{}` cannot be made", place.display());
            fs::rename(unfinished.path.join(part), place).with_context(wrong)?;
        }
        Ok(written)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some(mark) = self.mark.take() else { return };
        let _ = clear(&self.path, &mark);
        drop(mark);
        // Stays if another process has put its mark there already.
        let _ = fs::remove_dir(&self.path);
    }
}

/// Fails if something is there that must not be written over.
fn free(path: &Path) -> anyhow::Result<()> {
    let is_empty = || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if fs::symlink_metadata(path).is_ok() && !is_empty() {
        bail!("`{}` is there already; remove it, or choose another --out", path.display());
    }
    Ok(())
}

/// Removes everything in the folder but the mark.
fn clear(folder: &Path, mark: &Mark) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path == mark.path() {
            continue;
        }
        if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(())
}

/// A file of JSON that is written entry by entry, each on a line of its own.
pub struct Listing {
    file: BufWriter<File>,
    before: &'static str,
    end: &'static str,
}

impl Listing {
    /// A list of entries, or an object of entries with keys.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path, is_object: bool) -> io::Result<Self> {
        let (before, end) = if is_object { ("{\n", "}") } else { ("[\n", "]") };
        let file = BufWriter::new(File::create(path)?);
        Ok(Self { file, before, end })
    }

    /// Adds an entry of a list.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, entry: &Value) -> io::Result<()> {
        write!(self.file, "{}{entry}", mem::replace(&mut self.before, ",\n"))
    }

    /// Adds an entry of an object.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_under(&mut self, key: &str, entry: &Value) -> io::Result<()> {
        let before = mem::replace(&mut self.before, ",\n");
        write!(self.file, "{before}{}: {entry}", json!(key))
    }

    /// Must be called for the file to be whole; there must be an entry.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        writeln!(self.file, "\n{}", self.end)?;
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out/.games.unfinished");
        fs::create_dir_all(path.join("valid_seen")).unwrap();
        fs::write(path.join("running"), "").unwrap();
        let held = Unfinished::make(path.clone(), &[]).unwrap();
        assert!(!path.join("valid_seen").exists());
        fs::write(path.join("mine"), "").unwrap();
        let second = Unfinished::make(path.clone(), &[]).err().unwrap();
        let message = format!("{second:#}");
        assert!(message.contains("is being written by"), "{message}");
        assert!(held.path().join("mine").is_file());
        drop(held);
        assert!(!path.exists());
    }

    /// All find the same leftovers at the same moment; whoever takes them over is alone.
    #[test]
    fn of_many_at_once_each_is_alone_in_the_folder() {
        const MANY: usize = 8;
        let (alone, start) = (AtomicUsize::new(0), Barrier::new(MANY));
        let inside = AtomicUsize::new(0);
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(".games.unfinished");
            fs::create_dir_all(path.join("stale")).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..MANY {
                    scope.spawn(|| {
                        start.wait();
                        let Ok(held) = Unfinished::make(path.clone(), &[]) else {
                            return;
                        };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        let mine = held.path().join("mine");
                        assert!(fs::create_dir(&mine).is_ok() && mine.is_dir());
                        alone.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    });
                }
            });
            assert!(!path.exists());
        }
        assert!(alone.into_inner() >= 20);
    }
}
