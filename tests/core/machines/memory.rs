//! A shared folder that is only a map, behind the network of the simulation.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rolecall::machines::{FolderQueue, Queue, Store};

use super::net::Shared;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// The folder of a world.
#[derive(Clone)]
pub(super) struct Memory {
    shared: Shared,
    files: Files,
    /// Its fence lets everybody in: publishing writes over what is there.
    pub(super) is_broken: bool,
}

impl Memory {
    pub(super) fn new(shared: &Shared) -> Self {
        Self { shared: shared.clone(), files: Files::default(), is_broken: false }
    }

    /// The queue as a worker has it, whose clock runs so many times faster than others.
    pub(super) fn queue(&self, worker: &str, clock: f64) -> Box<dyn Queue> {
        let store = Reach { memory: self.clone(), worker: worker.to_owned(), clock };
        Box::new(FolderQueue::over(Box::new(store), "simulated", worker).unwrap())
    }

    /// The files below a folder.
    pub(super) fn below(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let files = self.files.lock().unwrap();
        let below = files.range(folder.to_owned()..);
        let below = below.take_while(|(path, _)| path.starts_with(folder));
        below.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    }
}

/// A worker's way to it.
struct Reach {
    memory: Memory,
    worker: String,
    clock: f64,
}

impl Reach {
    async fn request<T: Send + 'static>(
        &self,
        kind: &'static str,
        effect: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T + Send + 'static,
    ) -> io::Result<T> {
        let files = Files::clone(&self.memory.files);
        let effect = move || effect(&mut files.lock().unwrap());
        self.memory.shared.request(&self.worker, kind, effect).await
    }
}

#[async_trait]
impl Store for Reach {
    async fn publish(&self, path: &str, bytes: &[u8]) -> io::Result<bool> {
        let (path, bytes, is_broken) = (path.to_owned(), bytes.to_vec(), self.memory.is_broken);
        let effect = move |files: &mut BTreeMap<_, _>| {
            let is_free = is_broken || !files.contains_key(&path);
            if is_free {
                files.insert(path, bytes);
            }
            is_free
        };
        self.request("publish", effect).await
    }

    async fn claim(&self, from: &str, to: &str) -> io::Result<bool> {
        let (from, to) = (from.to_owned(), to.to_owned());
        let effect = move |files: &mut BTreeMap<_, _>| match files.remove(&from) {
            Some(bytes) => {
                files.insert(to, bytes);
                true
            }
            None => files.contains_key(&to),
        };
        self.request("claim", effect).await
    }

    async fn update(&self, path: &str, bytes: &[u8]) -> io::Result<bool> {
        let (path, bytes) = (path.to_owned(), bytes.to_vec());
        let effect = move |files: &mut BTreeMap<_, _>| match files.get_mut(&path) {
            Some(file) => {
                *file = bytes;
                true
            }
            None => false,
        };
        self.request("update", effect).await
    }

    async fn replace(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (path, bytes) = (path.to_owned(), bytes.to_vec());
        let effect = move |files: &mut BTreeMap<_, _>| drop(files.insert(path, bytes));
        self.request("replace", effect).await
    }

    async fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let owned = path.to_owned();
        let effect = move |files: &mut BTreeMap<String, Vec<u8>>| files.get(&owned).cloned();
        let mut content = self.request("read", effect).await?;
        if let Some(bytes) = content.as_mut().filter(|_| path == "manifest.json") {
            super::net::skew(bytes, self.clock);
        }
        Ok(content)
    }

    async fn has(&self, path: &str) -> io::Result<bool> {
        let path = path.to_owned();
        self.request("has", move |files| files.contains_key(&path)).await
    }

    async fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let folder = format!("{folder}/");
        let effect = move |files: &mut BTreeMap<String, Vec<u8>>| {
            let below = files.range(folder.clone()..).map(|(path, _)| path);
            let names = below.map_while(|path| path.strip_prefix(&folder));
            names.map(str::to_owned).collect()
        };
        self.request("list", effect).await
    }

    async fn remove(&self, path: &str) -> io::Result<()> {
        let path = path.to_owned();
        self.request("remove", move |files| drop(files.remove(&path))).await
    }
}
