//! A rating that goes on: who is asked about which items, and what was given so far.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::store::{self, Appending};
use super::{Asked, RatingError, Wanted};
use rolecall_core::domain::Seed;
use rolecall_core::evaluation::labels::{Item, What, dealt};

/// A rating by some raters. The files of labels are the source of what was given.
#[derive(Debug)]
pub struct Rating {
    folder: PathBuf,
    what: What,
    question: String,
    items: BTreeMap<String, Asked>,
    raters: Vec<RaterList>,
    /// One label is written at a time.
    writing: Mutex<()>,
}

/// A rater with the names of the items that are asked about, in an order of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaterList {
    /// The rater's name.
    pub name: String,
    /// The items, or pairs.
    pub ids: Vec<String>,
    /// The pairs whose sides are swapped.
    pub swapped: BTreeSet<String>,
}

impl RaterList {
    /// Deals items to so many raters, who are called `rater-1` and so on: a share of them to all, the others to one
    /// each.
    pub fn dealt(wanted: &Wanted, raters: u32, overlap: f64, seed: Seed) -> Vec<Self> {
        (1..)
            .zip(dealt(&wanted.ids, raters, overlap, seed))
            .map(|(number, ids)| {
                let name = format!("rater-{number}");
                let swapped = wanted.swapped(&name);
                Self { name, ids, swapped }
            })
            .collect()
    }
}

/// A rater's answers about an item: texts by the key of what is asked.
pub type Answers = BTreeMap<String, String>;

/// The labels that a rater has given, by the item's name.
pub type Given = BTreeMap<String, Answers>;

impl Rating {
    /// Reads the items of a run about which these raters are asked.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn of(wanted: &Wanted, what: What, question: String, raters: Vec<RaterList>) -> Result<Self, RatingError> {
        Ok(Self::new(wanted.run.folder(), what, question, wanted.asked(&wanted.ids)?.into_iter().collect(), raters))
    }

    /// A rating of items that were read, whose labels are kept in the folder of their run.
    pub fn new(
        folder: &Path,
        what: What,
        question: String,
        items: BTreeMap<String, Asked>,
        raters: Vec<RaterList>,
    ) -> Self {
        Self { folder: folder.to_owned(), what, question, items, raters, writing: Mutex::default() }
    }

    /// The question, in a sentence.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The raters.
    pub fn raters(&self) -> &[RaterList] {
        &self.raters
    }

    /// The item or pair of a name, with the sides of a pair as this rater sees them.
    pub fn asked(&self, rater: &RaterList, id: &str) -> Option<Asked> {
        let asked = self.items.get(id)?.clone();
        Some(match rater.swapped.contains(id) {
            true => asked.swapped(),
            false => asked,
        })
    }

    /// The questions about an item, each with a key of its own.
    pub fn parts(&self, item: &Item) -> Vec<What> {
        self.what.parts().into_iter().filter(|part| item.has_field(part.key())).collect()
    }

    /// The labels that a rater has given so far.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn given(&self, rater: &RaterList) -> Result<Given, RatingError> {
        let mut given = Given::new();
        for part in self.what.parts() {
            for (line, _) in store::read(&self.folder, &part, &rater.name)? {
                given.entry(line.id).or_default().insert(part.key().to_owned(), line.label);
            }
        }
        Ok(given)
    }

    /// Whether a rater has answered all that is asked of an item.
    pub fn is_done(&self, given: &Given, id: &str) -> bool {
        let answered = |part: &What| given.get(id).is_some_and(|answers| answers.contains_key(part.key()));
        let has_all = |item: &Item| self.parts(item).iter().all(answered);
        self.items.get(id).is_some_and(|asked| has_all(&asked.item))
    }

    /// Keeps what a rater answers about an item: each answer that is new is written at once, behind the earlier one.
    /// An empty text is no answer.
    ///
    /// # Errors
    /// When an answer is no label of what is asked, or cannot be written.
    pub fn give(&self, rater: &RaterList, id: &str, answers: &Answers) -> Result<(), RatingError> {
        let unusable = |problem: String| Err(RatingError::Unusable(problem));
        let Some(asked) = self.asked(rater, id).filter(|_| rater.ids.iter().any(|listed| listed == id)) else {
            return unusable("there is no such item".to_owned());
        };
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.given(rater)?;
        let before = before.get(id);
        for part in self.parts(&asked.item) {
            let earlier = before.and_then(|answers| answers.get(part.key()));
            let answer = answers.get(part.key()).map(|answer| answer.trim());
            // A text may be taken back.
            let is_empty = |answer: &&str| answer.is_empty() && (earlier.is_none() || !part.is_text());
            let Some(answer) = answer.filter(|answer| !is_empty(answer)) else {
                continue;
            };
            let Some(label) = part.label(answer) else {
                return unusable(format!("`{part}` has no such label"));
            };
            if earlier != Some(&label) {
                Appending::open(&self.folder, &part, &rater.name)?.add(&asked.line(id, label))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::Utterance;

    fn rating(folder: &Path) -> Rating {
        let item = |seq| Item { seq, said: Utterance::text("Where?"), context: Vec::new(), fields: None };
        let items = (1..=2).map(|seq| {
            let turn = ("main:0:0".parse().unwrap(), seq);
            let asked = Asked { turn, item: item(seq), against: None };
            (format!("u{seq}"), asked)
        });
        let list = |name: &str, ids: &[&str]| RaterList {
            name: name.to_owned(),
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            swapped: BTreeSet::new(),
        };
        let raters = vec![list("rater-1", &["u1", "u2"]), list("rater-2", &["u2"])];
        let what = "categories".parse().unwrap();
        Rating::new(folder, what, String::new(), items.collect(), raters)
    }

    #[test]
    fn labels_are_kept_at_once_changed_and_each_rater_s_own() {
        let folder = tempfile::tempdir().unwrap();
        let one = rating(folder.path());
        let [first, second] = one.raters() else { panic!("{:?}", one.raters()) };
        let answer = |label: &str| Answers::from([("label".to_owned(), label.to_owned())]);
        one.give(first, "u1", &answer("status update")).unwrap();
        one.give(first, "u1", &answer("")).unwrap();
        one.give(first, "u1", &answer("3")).unwrap();
        one.give(first, "u1", &answer("Follow-up")).unwrap();
        one.give(second, "u2", &answer("probing question")).unwrap();
        assert!(one.give(second, "u1", &answer("follow-up")).is_err());
        assert!(one.give(first, "u2", &answer("good")).is_err());
        // What is in the files is all that there is: somebody who begins anew finds it.
        let again = rating(folder.path());
        let given = again.given(first).unwrap();
        assert_eq!(given, Given::from([("u1".to_owned(), answer("follow-up"))]));
        assert!(again.is_done(&given, "u1") && !again.is_done(&given, "u2"));
        let file = folder.path().join("labels/categories-rater-1.jsonl");
        let lines = std::fs::read_to_string(file).unwrap();
        assert_eq!(lines.lines().count(), 2, "{lines}");
    }
}
