//! The conversations of a folder: MultiWOZ's own file, or goals with reference conversations beside them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::iter;
use std::path::{Path, PathBuf};
use std::slice;

use serde_json::{Value, json};

use super::files::{DataError, each_entry, read_json, read_text};
use super::goal::{Dialogue, Goal};
use rolecall_core::files::find;
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::{counted, harmless, one_line};

/// MultiWOZ's own file.
pub(super) const OFFICIAL: &str = "data.json";
/// The conversation of the test set that ReSpAct's preparation leaves out, for a turn that is too long.
const LEFT_OUT: &str = "PMUL1455.json";

/// Most faults that are kept and told.
const SHOWN: usize = 5;

/// Conversations with faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    first: Vec<String>,
    /// How many there are.
    pub total: usize,
}

impl Faults {
    /// Notes a conversation: the file, its name there, and its fault.
    pub fn add(&mut self, file: &Path, id: &str, reason: &str) {
        self.total += 1;
        if self.first.len() < SHOWN {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            self.first.push(harmless(&format!("`{file}`, `{id}`: {reason}")));
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = counted(self.total as u64, "conversation", "conversations");
        let more = if self.total > self.first.len() { "; and more" } else { "" };
        write!(formatter, "{total}: {}{more}", self.first.join("; "))
    }
}

/// Which conversations of a data set are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The 100 of the test set that ReSpAct draws (spec section 5).
    Respact100,
    /// The test set.
    Test,
    /// The development set.
    Dev,
    /// Everything.
    All,
}

rolecall_core::names! { Split, as_str: Respact100 => "respact-100", Test => "test", Dev => "dev", All => "all" }

rolecall_core::shown_as!(Split, as_str);

impl Split {
    /// The sets that it takes conversations from.
    fn sets(self) -> &'static [&'static str] {
        match self {
            Self::All => &["test", "dev"],
            Self::Dev => &["dev"],
            Self::Test | Self::Respact100 => &["test"],
        }
    }
}

/// Where the conversations of a split lie.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Files of goals, each with the file of its utterances. MultiWOZ's own file holds both.
    parts: Vec<(PathBuf, Option<PathBuf>)>,
    /// File that lists the conversations of a set: for MultiWOZ's own file a list of names, else lists by set.
    list: Option<PathBuf>,
}

impl Source {
    /// Finds the files of a split.
    ///
    /// # Errors
    /// When one is missing.
    pub(super) fn find(folder: &Path, split: Split) -> Result<Self, DataError> {
        let missing = |problem: String| DataError::data(folder, problem);
        if let Some(data) = find(folder, OFFICIAL) {
            let name = match split {
                Split::All => None,
                Split::Dev => Some("valListFile"),
                Split::Test | Split::Respact100 => Some("testListFile"),
            };
            let list = name.map(|name| {
                let mut endings = ["json", "txt"].iter();
                let list = endings.find_map(|ending| find(folder, &format!("{name}.{ending}")));
                let problem = format!(
                    "split `{split}` needs `{name}.json` or `{name}.txt` beside `data.json`; add it, or take split \
                     `all`"
                );
                list.ok_or_else(|| missing(problem))
            });
            return Ok(Self { parts: vec![(data, None)], list: list.transpose()? });
        }
        let files: Vec<String> = split.sets().iter().map(|set| format!("goals_{set}.json")).collect();
        let mut parts = Vec::new();
        for (set, goals) in split.sets().iter().zip(&files) {
            let Some(goals) = find(folder, goals) else {
                continue;
            };
            let reference = format!("reference_{set}.json");
            let problem = format!("`{reference}` is missing, which says what users say first");
            let reference = find(folder, &reference).ok_or_else(|| missing(problem))?;
            parts.push((goals, Some(reference)));
        }
        if parts.is_empty() {
            return Err(missing(format!(
                "there are no conversations of split `{split}`: neither `data.json` of MultiWOZ nor `{}`; add them, \
                 or take another split",
                files.join("` or `")
            )));
        }
        Ok(Self { parts, list: find(folder, "splits.json") })
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let parts = self.parts.iter().flat_map(|(goals, said)| iter::once(goals).chain(said));
        parts.chain(&self.list).map(PathBuf::as_path)
    }

    /// Reads the conversations of a split, in order, and the faults of those that are left out.
    ///
    /// # Errors
    /// When a file cannot be read, or is malformed.
    pub(super) fn read(&self, split: Split) -> Result<(Vec<Dialogue>, Faults), DataError> {
        let is_official = self.parts.iter().all(|(_, said)| said.is_none());
        let list = self.list.as_deref();
        let named = list.filter(|_| is_official).map(listed).transpose()?.map(|names| drawn(names, split));
        let wanted: Option<HashSet<&str>> = named.as_ref().map(|names| names.iter().map(String::as_str).collect());
        let is_wanted = |key: &str| {
            let mut wanted = wanted.iter();
            wanted.all(|wanted| wanted.contains(without_ending(key)))
        };
        let mut found = Found::default();
        for (goals, reference) in &self.parts {
            let mut said: HashMap<String, Value> = HashMap::new();
            if let Some(reference) = reference {
                // Only the first utterance, so that the others need not be held.
                let any = |_: &str| true;
                each_entry(reference, any, |key, utterances| {
                    said.insert(without_ending(&key).to_owned(), json!([utterances.get(0)]));
                })?;
            }
            each_entry(goals, is_wanted, |key, entry| {
                let id = without_ending(&key);
                let said = match reference {
                    Some(_) => said.get(id),
                    None => entry.get("log"),
                };
                found.add(goals, &key, dialogue(id, &entry, said));
            })?;
        }
        let file = list.or(self.files().next()).unwrap_or(Path::new(""));
        let ids = match named {
            Some(named) => named,
            None => drawn(found.of_sets(list, split)?, split),
        };
        Ok(found.in_order(ids, file))
    }
}

/// Conversations as they were read.
#[derive(Default)]
struct Found {
    dialogues: HashMap<String, Option<Dialogue>>,
    order: Vec<String>,
    faults: Faults,
}

impl Found {
    /// Adds a conversation, or the reason why it cannot be played. Of two with one name the later one counts.
    fn add(&mut self, file: &Path, id: &str, read: Result<Dialogue, String>) {
        let read = read.map_err(|reason| self.faults.add(file, id, &reason));
        let id = without_ending(id).to_owned();
        if self.dialogues.insert(id.clone(), read.ok()).is_some() {
            self.faults.add(file, &id, "it is there twice; the later one counts");
        } else {
            self.order.push(id);
        }
    }

    /// The names of a split's conversations, in order; all names if no list selects some.
    fn of_sets(&self, lists: Option<&Path>, split: Split) -> Result<Vec<String>, DataError> {
        let lists: Option<HashMap<String, Value>> =
            lists.map(|lists| read_json(lists, "an object of lists")).transpose()?;
        let lists =
            split.sets().iter().map(|set| format!("{set}_ids")).filter_map(|key| lists.as_ref()?.get(&key)?.as_array());
        let names: HashSet<&str> = lists.flatten().filter_map(Value::as_str).map(without_ending).collect();
        let mut ids = self.order.clone();
        ids.retain(|id| names.is_empty() || names.contains(&**id));
        Ok(ids)
    }

    /// Conversations with these names, in the order of the names.
    fn in_order(mut self, ids: Vec<String>, list: &Path) -> (Vec<Dialogue>, Faults) {
        let mut dialogues = Vec::with_capacity(ids.len());
        for id in ids {
            match self.dialogues.remove(&id) {
                Some(dialogue) => dialogues.extend(dialogue),
                None => {
                    self.faults.add(list, &id, "it is named here, but there is no such conversation");
                }
            }
        }
        (dialogues, self.faults)
    }
}

/// A name without `.json`.
fn without_ending(id: &str) -> &str {
    let id = id.trim();
    id.strip_suffix(".json").unwrap_or(id)
}

/// The names of a list, each once: one a line, or a JSON list of texts.
fn listed(file: &Path) -> Result<Vec<String>, DataError> {
    let text = read_text(file)?;
    let names: Vec<String> = if text.trim_start().starts_with('[') {
        read_json(file, "a list of names, or one name a line")?
    } else {
        text.lines().map(str::to_owned).collect()
    };
    let mut seen = HashSet::new();
    let names = names.iter().map(|name| without_ending(name).to_owned());
    Ok(names.filter(|name| !name.is_empty() && seen.insert(name.clone())).collect())
}

/// Conversations of a split: the whole set, or ReSpAct's sample of it, in the order drawn.
fn drawn(ids: Vec<String>, split: Split) -> Vec<String> {
    if split != Split::Respact100 {
        return ids;
    }
    let mut files: Vec<String> = ids.iter().map(|id| format!("{id}.json")).collect();
    files.retain(|file| file != LEFT_OUT);
    files.sort();
    PythonRandom::new(10).sample(&files, 100).into_iter().map(|file| without_ending(&file).to_owned()).collect()
}

/// A conversation from its entry and its utterances. The first utterance stays as the data has it: ReSpAct's
/// preparation, which lowers letters and sets marks apart, is not repeated.
///
/// # Errors
/// When it cannot be played: the part that is missing or malformed.
pub(super) fn dialogue(id: &str, entry: &Value, said: Option<&Value>) -> Result<Dialogue, String> {
    let goal = entry.get("goal").and_then(Value::as_object).ok_or("it has no `goal`, an object of domains")?;
    let message = entry.get("message").or_else(|| goal.get("message")).and_then(sentences).unwrap_or_default();
    if message.is_empty() {
        return Err("it has no `message`, the sentences that say what the user wants".to_owned());
    }
    let first = said.and_then(|said| said.get(0));
    let first = first.and_then(|first| first.as_str().or_else(|| first.get("text")?.as_str()));
    let first =
        first.map(str::trim).filter(|first| !first.is_empty()).ok_or("it has no first utterance of the user")?;
    let goal = Goal::read(&Goal::tidied(goal)?)?;
    if goal.domains.is_empty() {
        return Err("nothing is wanted that can be asked for or booked here".to_owned());
    }
    Ok(Dialogue { id: id.to_owned(), goal, message, first: first.to_owned() })
}

/// The sentences of a goal, without markup; none if they are no texts.
fn sentences(message: &Value) -> Option<Vec<String>> {
    let all = match message {
        Value::Array(all) => all.as_slice(),
        one => slice::from_ref(one),
    };
    let mut all: Vec<String> = all.iter().map(|one| Some(unmarked(one.as_str()?))).collect::<Option<_>>()?;
    all.retain(|one| !one.is_empty());
    Some(all)
}

/// A text on one line without markup such as `<span class='emphasis'>`.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let is_mark = after.starts_with(|letter: char| letter == '/' || letter.is_ascii_alphabetic());
        match after.split_once('>') {
            Some((_, behind)) if is_mark => rest = behind,
            _ => {
                out.push('<');
                rest = after;
            }
        }
    }
    one_line(&(out + rest)).into_owned()
}
