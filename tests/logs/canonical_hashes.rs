//! Canonical logs of the shipped configs, of which `tests/logs/canonical_hashes` keeps only the hashes: a change
//! that is meant to change no log changes none of them.
//!
//! A line of `hashes.txt` is the BLAKE3 of what `rolecall logs canonical` prints, the config, and options of
//! `rolecall run`. A config that does not play by itself has a comment instead: `# <config>: <why>`.
//! `hashes-official.txt` holds runs over official data, which are played where `ROLECALL_DATA` names it.
//!
//! A new line begins with `-`. It, and whatever a change is meant to change, is written by
//!
//! ```sh
//! UPDATE_HASHES=1 cargo test --test logs canonical_hashes
//! ```

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::support::binary::{rolecall, text};
use crate::support::recordings::data;
use crate::support::shipped::{configs, root};

/// Stands in a line for the folder of official data.
const DATA: &str = "$ROLECALL_DATA";

fn list(name: &str) -> PathBuf {
    root().join("tests/logs/canonical_hashes").join(name)
}

/// A run: what it came to, and what `rolecall run` is given.
struct Kept {
    hash: String,
    arguments: String,
}

impl Kept {
    /// Reads a line; comments and empty lines are none.
    fn read(line: &str) -> Option<Self> {
        let (hash, arguments) = line.split_once(' ')?;
        (hash != "#").then(|| Self { hash: hash.to_owned(), arguments: arguments.to_owned() })
    }

    fn config(&self) -> &str {
        self.arguments.split(' ').next().unwrap()
    }

    /// Plays it now, with official data from this folder, and hashes its canonical log.
    fn play(&self, data: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let given: Vec<String> =
            self.arguments.split_whitespace().map(|argument| argument.replace(DATA, data)).collect();
        let mut arguments = vec!["run"];
        arguments.extend(given.iter().map(String::as_str));
        let logs = folder.path().to_str().unwrap();
        arguments.extend(["--logs", logs, "--name", "run", "--no-report", "-q"]);
        let played = rolecall(root(), &arguments).output().unwrap();
        if !played.status.success() {
            return format!("it does not play: {}", text(&played.stderr).trim());
        }
        let printed = rolecall(folder.path(), &["logs", "canonical", "./run"]).output();
        let printed = printed.unwrap();
        assert!(printed.status.success(), "{printed:?}");
        blake3::hash(&printed.stdout).to_hex().to_string()
    }
}

/// The runs of a list.
fn kept(list: &Path) -> Vec<Kept> {
    let text = fs::read_to_string(list).unwrap();
    text.lines().filter_map(Kept::read).collect()
}

/// What the runs come to now, some at a time.
fn play_all(kept: &[Kept], data: &str) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let play = || {
        let mut played = Vec::new();
        while let Some((place, one)) = take(kept, &next) {
            played.push((place, one.play(data)));
        }
        played
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut played = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        let played = threads.into_iter().map(|thread| thread.join().unwrap());
        played.flatten().collect::<Vec<_>>()
    });
    played.sort();
    played.into_iter().map(|(_, hash)| hash).collect()
}

fn take<'a>(kept: &'a [Kept], next: &AtomicUsize) -> Option<(usize, &'a Kept)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    Some((place, kept.get(place)?))
}

/// Plays the runs of a list, and compares or writes their hashes.
fn check(list: &Path, data: &str) {
    let kept = kept(list);
    let now = play_all(&kept, data);
    assert!(now.len() >= 10 && now.len() == kept.len());
    if env::var_os("UPDATE_HASHES").is_some() {
        return write(list, &now);
    }
    let pairs = kept.iter().zip(&now);
    let wrong: Vec<String> = pairs
        .filter(|(kept, now)| kept.hash != **now)
        .map(|(kept, now)| format!("{}\n  kept {}\n  now  {now}", kept.arguments, kept.hash))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} canonical logs of {} are not as they were (UPDATE_HASHES=1 cargo test --test logs \
         canonical_hashes writes their hashes anew):\n{}",
        wrong.len(),
        kept.len(),
        list.display(),
        wrong.join("\n")
    );
}

/// Puts these hashes into the list, whose other lines stay.
fn write(list: &Path, now: &[String]) {
    let mut now = now.iter();
    let text = fs::read_to_string(list).unwrap();
    let lines = text.lines().map(|line| match Kept::read(line) {
        Some(kept) => format!("{} {}\n", now.next().unwrap(), kept.arguments),
        None => format!("{line}\n"),
    });
    let lines: String = lines.collect();
    assert!(!lines.contains("it does not play"), "{lines}");
    fs::write(list, lines).unwrap();
}

#[test]
fn shipped_configs_are_played_as_they_were() {
    check(&list("hashes.txt"), "");
}

#[test]
fn official_data_is_played_as_it_was() {
    let Some(data) = data("") else { return };
    check(&list("hashes-official.txt"), data.to_str().unwrap());
}

#[test]
fn every_shipped_config_is_listed() {
    let shipped = configs(&root().join("configs")).into_iter();
    let shipped = shipped.map(|path| {
        let path = path.strip_prefix(root()).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let shipped: BTreeSet<String> = shipped.collect();
    let hashes = list("hashes.txt");
    let text = fs::read_to_string(&hashes).unwrap();
    let comments = text.lines().filter_map(|line| line.strip_prefix("# "));
    let excused = comments.filter_map(|line| Some(line.split_once(": ")?.0.to_owned()));
    let played = kept(&hashes);
    let played = played.iter().map(|kept| kept.config().to_owned());
    let listed: BTreeSet<String> = played.chain(excused).collect();
    let missing: Vec<&String> = shipped.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "add it to {}, as `- <config> --limit 12` if it plays by itself and else as `# <config>: <why>`: \
         {missing:?}",
        hashes.display()
    );
    let gone: Vec<&String> = listed.difference(&shipped).collect();
    assert!(gone.is_empty(), "there is no such config: {gone:?}");
}
