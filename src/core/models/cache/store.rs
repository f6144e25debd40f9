//! Replies on disk: one file each, below a folder that several processes may share.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::domain::ModelReply;
use crate::files;
use crate::models::ServedModel;
use crate::ports::model::RequestHash;
use crate::text::unique;

/// The version of the files' form.
const SCHEMA: u32 = 2;
/// Folder of the models that were met, by their places.
const MET: &str = "served";
/// The largest file that is read, in bytes; answers are bounded to less.
const LARGEST: u64 = 64 << 20;
/// Files that are read or written at the same time: a thousand calls do not open a thousand
/// threads.
const AT_ONCE: usize = 8;

/// The key by which a reply is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CacheKey {
    pub(super) request: RequestHash,
    /// The number of equal requests that the seat made before in the episode.
    pub(super) occurrence: u32,
}

/// Stands for the run of calls outside runs: no other process has it.
static OUTSIDE: LazyLock<String> = LazyLock::new(|| format!("{:x}", RandomState::new().hash_one(std::process::id())));

/// The model that a reply comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Origin {
    /// Address of the server, without secrets.
    address: String,
    /// Name by which the config asks for the model.
    model: String,
    /// Name and fingerprint that its server tells.
    #[serde(flatten)]
    served: ServedModel,
    /// The run that alone reads its replies, where there is no fingerprint.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    run: String,
}

impl Origin {
    /// A model at an address, of which its server told so much, or nothing.
    pub(super) fn new([address, model]: [&str; 2], served: Option<ServedModel>, run: &str) -> Self {
        let run = match (&served, run) {
            (Some(_), _) => String::new(),
            (None, "") => OUTSIDE.clone(),
            (None, run) => run.to_owned(),
        };
        Self { address: address.to_owned(), model: model.to_owned(), served: served.unwrap_or_default(), run }
    }

    /// The hash by which its reply to a request is found.
    pub(super) fn key(&self, request: RequestHash) -> RequestHash {
        let ServedModel { name, fingerprint } = &self.served;
        let parts = [&self.address, &self.model, name, fingerprint, &self.run].map(String::as_bytes);
        RequestHash::of(&[&request.0, parts[0], parts[1], parts[2], parts[3], parts[4]])
    }
}

/// A folder of replies.
#[derive(Debug)]
pub(super) struct Store {
    folder: Arc<Path>,
    at_once: Semaphore,
    /// The most bytes of a completion that the run keeps.
    answer_bytes: AtomicUsize,
}

/// The content of a file.
#[derive(Debug, Serialize, Deserialize)]
struct CachedReply {
    schema: u32,
    /// Address, name and fingerprint of the model that wrote it.
    #[serde(flatten)]
    origin: Origin,
    request: String,
    occurrence: u32,
    reply: ModelReply,
    /// The most bytes of a completion that were kept; none where nothing was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer_bytes: Option<usize>,
    /// The hash of all other fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl CachedReply {
    /// The entry of a reply of whose completions so many bytes were kept.
    fn new(key: CacheKey, origin: &Origin, reply: &ModelReply, most: usize) -> Self {
        let mut entry = Self {
            schema: SCHEMA,
            origin: origin.clone(),
            request: key.request.to_string(),
            occurrence: key.occurrence,
            reply: reply.clone(),
            answer_bytes: is_cut(reply, most).then_some(most),
            checksum: None,
        };
        entry.checksum = entry.hash();
        entry
    }

    /// The hash of what is written besides the hash itself; none of what cannot be written.
    fn hash(&self) -> Option<String> {
        let bytes = serde_json::to_vec(self).ok()?;
        Some(RequestHash::of(&[&bytes]).to_string())
    }
}

/// Whether more came of a completion than so many bytes.
fn is_cut(reply: &ModelReply, most: usize) -> bool {
    reply.choices.iter().any(|choice| choice.bytes() > most)
}

impl CacheKey {
    /// The file's place: `ab/cdef....json`.
    fn file(self) -> PathBuf {
        let occurrence = self.occurrence.to_le_bytes();
        let name = RequestHash::of(&[&self.request.0, &occurrence]).to_string();
        let (folder, rest) = name.split_at(2);
        Path::new(folder).join(format!("{rest}.json"))
    }
}

impl Store {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.into(), at_once: Semaphore::new(AT_ONCE), answer_bytes: AtomicUsize::new(usize::MAX) }
    }

    /// Replies are cut to so many bytes from now on.
    pub(super) fn bound_answers(&self, bytes: usize) {
        self.answer_bytes.store(bytes, Ordering::Relaxed);
    }

    /// The reply; none if there is no file, or one that cannot be used.
    pub(super) async fn read(&self, key: CacheKey) -> Option<ModelReply> {
        let path = self.folder.join(key.file());
        let most = self.answer_bytes.load(Ordering::Relaxed);
        let _place = self.at_once.acquire().await;
        let read = spawn_blocking(move || match read(&path, key, most) {
            Ok(reply) => Some(reply),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                let path = path.display();
                tracing::warn!(%path, %error, "a file of the cache cannot be used; asked again");
                None
            }
        });
        read.await.ok().flatten()
    }

    /// Writes a reply. A reply that cannot be kept is used all the same.
    pub(super) async fn write(&self, key: CacheKey, origin: &Origin, reply: &ModelReply) {
        let most = self.answer_bytes.load(Ordering::Relaxed);
        self.keep(self.folder.join(key.file()), CachedReply::new(key, origin, reply, most)).await;
    }

    /// The model that was met behind an address in this run, or in any run for an empty one; none of which nothing was told.
    pub(super) async fn met(&self, server: [&str; 2], run: &str) -> Option<Option<ServedModel>> {
        let path = self.folder.join(met_file(server, run));
        let read = spawn_blocking(move || serde_json::from_slice(&files::read(&path, LARGEST).ok()?).ok());
        read.await.ok().flatten()
    }

    /// Keeps the model that was met behind an address in a run.
    pub(super) async fn meet(&self, server: [&str; 2], run: &str, served: &Option<ServedModel>) {
        for run in unique([run, ""]) {
            self.keep(self.folder.join(met_file(server, run)), served.clone()).await;
        }
    }

    async fn keep(&self, path: PathBuf, entry: impl Serialize + Send + 'static) {
        let _place = self.at_once.acquire().await;
        let written = spawn_blocking(move || {
            if let Err(error) = write(&path, &entry) {
                let path = path.display();
                tracing::warn!(%path, %error, "nothing could be kept in the cache");
            }
        });
        let _ = written.await;
    }
}

fn met_file([address, model]: [&str; 2], run: &str) -> PathBuf {
    let name = RequestHash::of(&[address.as_bytes(), model.as_bytes(), run.as_bytes()]);
    Path::new(MET).join(format!("{name}.json"))
}

/// The reply, of whose completions so many bytes are wanted.
fn read(path: &Path, key: CacheKey, most: usize) -> io::Result<ModelReply> {
    let damaged = |what: String| io::Error::new(ErrorKind::InvalidData, what);
    let bytes = files::read(path, LARGEST)?;
    let mut entry: CachedReply = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if entry.schema != SCHEMA {
        return Err(damaged(format!("schema {} is not known", entry.schema)));
    }
    if entry.request != key.request.to_string() || entry.occurrence != key.occurrence {
        return Err(damaged("it holds the reply to another request".to_owned()));
    }
    let checksum = entry.checksum.take();
    if checksum.is_some() && checksum != entry.hash() {
        let what = "its checksum is that of another content: it was changed since it was written";
        return Err(damaged(what.to_owned()));
    }
    if entry.answer_bytes.is_some_and(|kept| kept < most) {
        // It was cut where more is wanted now.
        return Err(ErrorKind::NotFound.into());
    }
    Ok(entry.reply)
}

/// Writes beside the place and moves there: whoever reads sees all of it or nothing.
fn write(path: &Path, entry: &impl Serialize) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut bytes = serde_json::to_vec(entry)?;
    bytes.push(b'\n');
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let extension = format!("{}-{number}.part", std::process::id());
    let beside = path.with_extension(extension);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let moved = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if moved.is_err() {
        // It would only take room.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Choice;

    fn key(occurrence: u32) -> CacheKey {
        CacheKey { request: RequestHash([7; 16]), occurrence }
    }

    fn reply(text: &str) -> ModelReply {
        ModelReply { choices: vec![Choice { text: text.to_owned(), ..Choice::default() }], ..ModelReply::default() }
    }

    #[tokio::test]
    async fn a_reply_comes_back_and_a_damaged_file_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        assert_eq!(store.read(key(0)).await, None);
        let first = reply("a \u{1f600} reply");
        store.write(key(0), &Origin::default(), &first).await;
        assert_eq!(store.read(key(0)).await, Some(first.clone()));
        assert_eq!(store.read(key(1)).await, None);
        let path = folder.path().join(key(0).file());
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() - 1 {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(store.read(key(0)).await, None, "{length} bytes");
        }
        // The reply to another request is none to this one.
        std::fs::create_dir_all(folder.path().join(key(1).file()).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(key(1).file()), &whole).unwrap();
        assert_eq!(store.read(key(1)).await, None);
        store.write(key(0), &Origin::default(), &first).await;
        assert_eq!(store.read(key(0)).await, Some(first));
    }

    #[tokio::test]
    async fn a_changed_reply_is_none_and_one_of_an_older_release_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let kept = reply("put the apple on desk 1 \u{fc}");
        store.write(key(0), &Origin::default(), &kept).await;
        let path = folder.path().join(key(0).file());
        let whole = std::fs::read_to_string(&path).unwrap();
        for (was, is) in
            [("desk 1", "desk 2"), ("\"stop\"", "\"length\""), ("\"fingerprint\":\"\"", "\"fingerprint\":\"n\"")]
        {
            assert!(whole.contains(was), "{whole}");
            std::fs::write(&path, whole.replace(was, is)).unwrap();
            assert_eq!(store.read(key(0)).await, None, "{is}");
        }
        let mut entry: serde_json::Value = serde_json::from_str(&whole).unwrap();
        // Spaces are no content.
        std::fs::write(&path, serde_json::to_string_pretty(&entry).unwrap()).unwrap();
        assert_eq!(store.read(key(0)).await, Some(kept.clone()));
        entry.as_object_mut().unwrap().remove("checksum").unwrap();
        std::fs::write(&path, entry.to_string()).unwrap();
        assert_eq!(store.read(key(0)).await, Some(kept));
    }

    #[tokio::test]
    async fn a_reply_that_was_cut_is_none_where_more_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        store.bound_answers(4);
        store.write(key(0), &Origin::default(), &reply("12345")).await;
        store.write(key(1), &Origin::default(), &reply("1234")).await;
        assert_eq!(store.read(key(0)).await, Some(reply("12345")));
        store.bound_answers(5);
        assert_eq!(store.read(key(0)).await, None);
        assert_eq!(store.read(key(1)).await, Some(reply("1234")));
    }

    #[test]
    fn many_writers_of_one_file_leave_a_whole_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(key(0).file());
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let text = writer.to_string().repeat(50_000);
                    for _ in 0..20 {
                        write(path, &CachedReply::new(key(0), &Origin::default(), &reply(&text), 99_999)).unwrap();
                        let read = read(path, key(0), 99_999).unwrap();
                        assert_eq!(read.choices[0].text.len(), 50_000);
                    }
                });
            }
        });
        let left = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(left.count(), 1, "no temporary file is left");
    }

    #[tokio::test]
    async fn what_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").unwrap();
        let store = Store::new(&file);
        store.write(key(0), &Origin::default(), &reply("x")).await;
        assert_eq!(store.read(key(0)).await, None);
    }
}
