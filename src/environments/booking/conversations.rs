//! The conversations of a folder: MultiWOZ's own file, or goals with reference conversations beside them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::faults::Faults;
use super::files::{BookingError, each_entry, find, read_json, read_text};
use super::goal::{Dialogue, Goal};
use crate::text::mt19937::PythonRandom;
use crate::text::one_line;

/// MultiWOZ's own file.
pub(super) const OFFICIAL: &str = "data.json";
/// The conversation of the test set that ReSpAct's preparation leaves out, for a turn that is too long.
const LEFT_OUT: &str = "PMUL1455.json";

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

names! { Split, as_str: Respact100 => "respact-100", Test => "test", Dev => "dev", All => "all" }

/// Where the conversations of a split lie.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// In `data.json`, whose test or development set a list names.
    Official {
        data: PathBuf,
        list: Option<PathBuf>,
    },
    /// In goals with their reference conversations, one pair of files for each set.
    Parts {
        parts: Vec<[PathBuf; 2]>,
        splits: Option<PathBuf>,
    },
}

impl Source {
    /// Finds the files of a split.
    ///
    /// # Errors
    /// When one is missing.
    pub(super) fn find(folder: &Path, split: Split) -> Result<Self, BookingError> {
        let missing = |problem: String| BookingError::data(folder, problem);
        if let Some(data) = find(folder, OFFICIAL) {
            let name = match split {
                Split::All => return Ok(Self::Official { data, list: None }),
                Split::Dev => "valListFile",
                Split::Test | Split::Respact100 => "testListFile",
            };
            let mut lists = ["json", "txt"].iter();
            let list = lists.find_map(|ending| find(folder, &format!("{name}.{ending}")));
            return match list {
                Some(list) => Ok(Self::Official {
                    data,
                    list: Some(list),
                }),
                None => Err(missing(format!(
                    "split `{}` needs `{name}.json` or `{name}.txt` beside `data.json`; add it, or take split `all`",
                    split.as_str()
                ))),
            };
        }
        let sets: &[&str] = match split {
            Split::All => &["test", "dev"],
            Split::Dev => &["dev"],
            Split::Test | Split::Respact100 => &["test"],
        };
        let mut parts = Vec::new();
        for set in sets {
            let Some(goals) = find(folder, &format!("goals_{set}.json")) else {
                continue;
            };
            let reference = format!("reference_{set}.json");
            let reference = find(folder, &reference).ok_or_else(|| {
                missing(format!(
                    "`{reference}` is missing, which says what users say first"
                ))
            })?;
            parts.push([goals, reference]);
        }
        if parts.is_empty() {
            let goals = sets.iter().map(|set| format!("`goals_{set}.json`"));
            return Err(missing(format!(
                "there are no conversations of split `{}`: neither `data.json` of MultiWOZ nor {}; add them, or take \
                 another split",
                split.as_str(),
                goals.collect::<Vec<_>>().join(" or ")
            )));
        }
        let splits = find(folder, "splits.json");
        Ok(Self::Parts { parts, splits })
    }

    /// The files.
    pub(super) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Official { data, list } => [data]
                .into_iter()
                .chain(list)
                .map(PathBuf::as_path)
                .collect(),
            Self::Parts { parts, splits } => parts
                .iter()
                .flatten()
                .chain(splits)
                .map(PathBuf::as_path)
                .collect(),
        }
    }

    /// Reads the conversations of a split, in order, and what is wrong with those that are left out.
    ///
    /// # Errors
    /// When a file cannot be read, or is not what it has to be.
    pub(super) fn read(&self, split: Split) -> Result<(Vec<Dialogue>, Faults), BookingError> {
        match self {
            Self::Official { data, list } => official(data, list.as_deref(), split),
            Self::Parts { parts, splits } => of_parts(parts, splits.as_deref(), split),
        }
    }
}

/// The conversations of MultiWOZ's own file, with the list of their ids.
fn official(
    data: &Path,
    list: Option<&Path>,
    split: Split,
) -> Result<(Vec<Dialogue>, Faults), BookingError> {
    let mut found = Found::default();
    let ids = list.map(listed).transpose()?;
    let ids = ids.map(|ids| drawn(ids, split));
    let wanted: Option<HashSet<String>> = ids.as_ref().map(|ids| ids.iter().cloned().collect());
    let is_wanted = |key: &str| {
        let mut wanted = wanted.iter();
        wanted.all(|wanted| wanted.contains(without_ending(key)))
    };
    each_entry(data, is_wanted, |key, entry| {
        let read = dialogue(without_ending(&key), &entry, entry.get("log"));
        found.add(data, &key, read);
    })?;
    Ok(found.in_order(ids, list.unwrap_or(data)))
}

/// The conversations of files of goals, each with its file of utterances.
fn of_parts(
    parts: &[[PathBuf; 2]],
    splits: Option<&Path>,
    split: Split,
) -> Result<(Vec<Dialogue>, Faults), BookingError> {
    let mut found = Found::default();
    let mut ids = Vec::new();
    for [goals, reference] in parts {
        let mut said: HashMap<String, Value> = HashMap::new();
        let keep = |key: String, utterances| {
            said.insert(without_ending(&key).to_owned(), first_of(utterances));
        };
        each_entry(reference, |_| true, keep)?;
        let read = |key: String, entry: Value| {
            let id = without_ending(&key);
            ids.push(id.to_owned());
            found.add(goals, &key, dialogue(id, &entry, said.get(id)));
        };
        each_entry(goals, |_| true, read)?;
    }
    let first = parts.first().map(|[goals, _]| &**goals);
    let file = splits.or(first).unwrap_or(Path::new(""));
    if let Some(splits) = splits {
        let sets: HashMap<String, Value> = read_json(splits, "an object of lists")?;
        let keys: &[&str] = match split {
            Split::All => &["test_ids", "dev_ids"],
            Split::Dev => &["dev_ids"],
            Split::Test | Split::Respact100 => &["test_ids"],
        };
        ids = within(ids, keys.iter().filter_map(|key| sets.get(*key)));
    }
    Ok(found.in_order(Some(drawn(ids, split)), file))
}

/// Only the first utterance of a conversation, so that the others need not be held.
fn first_of(utterances: Value) -> Value {
    match utterances {
        Value::Array(mut all) => {
            all.truncate(1);
            Value::Array(all)
        }
        other => other,
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
    /// Takes a conversation, or the reason why it cannot be played. Of two with one name the later one counts.
    fn add(&mut self, file: &Path, id: &str, read: Result<Dialogue, String>) {
        let read = read.map_err(|reason| self.faults.add(file, id, &reason));
        let id = without_ending(id).to_owned();
        if self.dialogues.insert(id.clone(), read.ok()).is_some() {
            self.faults
                .add(file, &id, "it is there twice; the later one counts");
        } else {
            self.order.push(id);
        }
    }

    /// Those that a list names, in its order; all of them without one.
    fn in_order(mut self, ids: Option<Vec<String>>, list: &Path) -> (Vec<Dialogue>, Faults) {
        let ids = ids.unwrap_or(self.order);
        let mut dialogues = Vec::with_capacity(ids.len());
        for id in ids {
            match self.dialogues.remove(&id) {
                Some(dialogue) => dialogues.extend(dialogue),
                None => self.faults.add(
                    list,
                    &id,
                    "it is named here, but there is no such conversation",
                ),
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
fn listed(file: &Path) -> Result<Vec<String>, BookingError> {
    let text = read_text(file)?;
    let names: Vec<String> = match text.trim_start().starts_with('[') {
        true => read_json(file, "a list of names, or one name a line")?,
        false => text.lines().map(str::to_owned).collect(),
    };
    let mut seen = HashSet::new();
    let names = names.iter().map(|name| without_ending(name).to_owned());
    Ok(names
        .filter(|name| !name.is_empty() && seen.insert(name.clone()))
        .collect())
}

/// Those names that one of these lists has; all of them if there is no list.
fn within<'l>(ids: Vec<String>, lists: impl Iterator<Item = &'l Value>) -> Vec<String> {
    let names = lists
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str);
    let names: HashSet<&str> = names.map(without_ending).collect();
    let is_in = |id: &String| names.is_empty() || names.contains(&**id);
    ids.into_iter().filter(is_in).collect()
}

/// What a split takes of a set: everything, or what ReSpAct draws of it, in the order drawn.
fn drawn(ids: Vec<String>, split: Split) -> Vec<String> {
    if split != Split::Respact100 {
        return ids;
    }
    let mut files: Vec<String> = ids.iter().map(|id| format!("{id}.json")).collect();
    files.retain(|file| file != LEFT_OUT);
    files.sort();
    let sample = PythonRandom::new(10).sample(&files, 100);
    sample
        .iter()
        .map(|file| without_ending(file).to_owned())
        .collect()
}

/// A conversation of an entry and of what was said in it. Its first utterance stays as the data has it: ReSpAct's
/// preparation, which writes small letters and sets marks apart, is not repeated.
///
/// # Errors
/// When it cannot be played: what is missing, or is not as it has to be.
pub(super) fn dialogue(id: &str, entry: &Value, said: Option<&Value>) -> Result<Dialogue, String> {
    let goal = entry.get("goal").and_then(Value::as_object);
    let goal = goal.ok_or("it has no `goal`, an object of domains")?;
    let message = entry.get("message").or_else(|| goal.get("message"));
    let message = message.and_then(sentences).unwrap_or_default();
    if message.is_empty() {
        return Err("it has no `message`, the sentences that say what the user wants".to_owned());
    }
    let first = said.and_then(|said| said.get(0));
    let first = first.and_then(|first| first.as_str().or_else(|| first.get("text")?.as_str()));
    let first = first.map(str::trim).filter(|first| !first.is_empty());
    let first = first
        .ok_or("it has no first utterance of the user")?
        .to_owned();
    let goal = Goal::read(&Goal::tidied(goal)?)?;
    if goal.domains.is_empty() {
        return Err("nothing is wanted that can be asked for or booked here".to_owned());
    }
    Ok(Dialogue {
        id: id.to_owned(),
        goal,
        message,
        first,
    })
}

/// The sentences of a goal, without marks; none if they are no texts.
fn sentences(message: &Value) -> Option<Vec<String>> {
    let list = match message {
        Value::String(one) => vec![one.as_str()],
        Value::Array(all) => all.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let list = list
        .into_iter()
        .map(|one| one_line(&unmarked(one)).into_owned());
    Some(list.filter(|one| !one.is_empty()).collect())
}

/// A text without its marks, `<span class='emphasis'>` and the like.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let is_mark =
            after.starts_with(|letter: char| letter == '/' || letter.is_ascii_alphabetic());
        match after.split_once('>') {
            Some((_, behind)) if is_mark => rest = behind,
            _ => {
                out.push('<');
                rest = after;
            }
        }
    }
    out + rest
}
