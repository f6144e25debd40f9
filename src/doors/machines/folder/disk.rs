//! A folder on a disk, most likely another machine's.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::task::spawn_blocking;

use super::files::Store;
use rolecall_core::files::{if_there, sync_folder};

/// The folder of what is not whole yet.
const UNFINISHED: &str = "unfinished";

/// A folder on a disk. What is begun on it goes on to its end, even if nobody waits for it any more.
#[derive(Clone, Debug)]
pub(super) struct Disk(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Who writes here; nobody else has this name.
    writer: String,
    files: AtomicU64,
}

impl Disk {
    pub(super) fn new(path: PathBuf, writer: String) -> Self {
        Self(Arc::new(Folder { path, writer, files: AtomicU64::new(0) }))
    }

    /// Does something with the file or folder of a path.
    async fn run<T: Send + 'static>(
        &self,
        path: &str,
        work: impl FnOnce(&Folder, &Path) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let (folder, path) = (Arc::clone(&self.0), self.0.path.join(path));
        spawn_blocking(move || work(&folder, &path)).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

impl Folder {
    /// A whole file under a name of its own.
    fn unfinished(&self, bytes: &[u8], is_durable: bool) -> io::Result<PathBuf> {
        loop {
            let number = self.files.fetch_add(1, Ordering::Relaxed);
            let path = self.path.join(format!("{UNFINISHED}/{}~{number}", self.writer));
            let created = in_folder(&path, || File::create_new(&path));
            let mut file = match created {
                // What a lost process left may be the second name of a part: it is not touched.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            let mut written = file.write_all(bytes);
            if is_durable {
                written = written.and_then(|()| file.sync_all());
            }
            match written {
                Ok(()) => return Ok(path),
                Err(error) => {
                    let _ = fs::remove_file(&path);
                    return Err(error);
                }
            }
        }
    }

    fn publish(&self, path: &Path, bytes: &[u8]) -> io::Result<bool> {
        if bytes.is_empty() {
            // Whole as soon as it is there.
            return unless_there(in_folder(path, || File::create_new(path)).map(|_| ()));
        }
        let unfinished = self.unfinished(bytes, true)?;
        let linked = in_folder(path, || fs::hard_link(&unfinished, path));
        let linked = match unless_there(linked) {
            // A request that was sent twice finds the name that it made itself.
            Ok(false) => Ok(names(&unfinished)? == 2),
            Err(error) if has_no_links(&error) => Err(io::Error::new(
                ErrorKind::Unsupported,
                "its file system has no hard links, without which results cannot be committed \
                           exactly once: use another folder, or shards",
            )),
            linked => linked,
        };
        if matches!(linked, Ok(true)) {
            sync_folder(path.parent().unwrap_or(Path::new("")))?;
        }
        // What stays of it is never read.
        let _ = fs::remove_file(&unfinished);
        linked
    }
}

/// Does it once more if a folder was missing.
fn in_folder<T>(path: &Path, work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (work(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(parent)?;
            work()
        }
        (done, _) => done,
    }
}

fn unless_there(made: io::Result<()>) -> io::Result<bool> {
    match made {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        made => made.map(|()| true),
    }
}

/// Whether a link failed because there are none. The file that was to be linked could be made.
fn has_no_links(error: &io::Error) -> bool {
    const NOT_PERMITTED: i32 = 1;
    error.kind() == ErrorKind::Unsupported || error.raw_os_error() == Some(NOT_PERMITTED)
}

/// Number of names of a file.
#[cfg(unix)]
fn names(path: &Path) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(path)?.nlink())
}

#[cfg(not(unix))]
fn names(_: &Path) -> io::Result<u64> {
    Ok(1)
}

#[async_trait]
impl Store for Disk {
    async fn publish(&self, path: &str, bytes: &[u8]) -> io::Result<bool> {
        let bytes = bytes.to_vec();
        self.run(path, move |folder, path| folder.publish(path, &bytes)).await
    }

    async fn claim(&self, from: &str, to: &str) -> io::Result<bool> {
        let to = self.0.path.join(to);
        let claimed = self.run(from, move |_, from| {
            if if_there(fs::rename(from, &to))?.is_some() {
                return Ok(true);
            }
            // It is gone, perhaps by this very request that was sent twice, or the folder is missing.
            if !fs::exists(from)? {
                return fs::exists(&to);
            }
            Ok(if_there(in_folder(&to, || fs::rename(from, &to)))?.is_some())
        });
        claimed.await
    }

    async fn update(&self, path: &str, bytes: &[u8]) -> io::Result<bool> {
        let bytes = bytes.to_vec();
        let updated = self.run(path, move |_, path| match if_there(OpenOptions::new().write(true).open(path))? {
            Some(mut file) => file.write_all(&bytes).map(|()| true),
            None => Ok(false),
        });
        updated.await
    }

    async fn replace(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let bytes = bytes.to_vec();
        let replaced = self.run(path, move |folder, path| {
            let unfinished = folder.unfinished(&bytes, false)?;
            in_folder(path, || fs::rename(&unfinished, path)).inspect_err(|_| {
                let _ = fs::remove_file(&unfinished);
            })
        });
        replaced.await
    }

    async fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        self.run(path, |_, path| if_there(fs::read(path))).await
    }

    async fn has(&self, path: &str) -> io::Result<bool> {
        self.run(path, |_, path| fs::exists(path)).await
    }

    async fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let listed = self.run(folder, |_, folder| {
            let Some(entries) = if_there(fs::read_dir(folder))? else {
                return Ok(Vec::new());
            };
            entries.map(|entry| Ok(entry?.file_name().into_string().ok())).filter_map(Result::transpose).collect()
        });
        listed.await
    }

    async fn remove(&self, path: &str) -> io::Result<()> {
        self.run(path, |_, path| if_there(fs::remove_file(path)).map(|_| ())).await
    }
}
