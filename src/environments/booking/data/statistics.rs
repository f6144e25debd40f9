//! `rolecall data statistics booking`: contents of a city, and wishes of its users.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::api::Domain;
use crate::city::{BUILTIN, City};
use crate::goal::{Dialogue, filled};
use rolecall_core::ports::Parameters;
use rolecall_core::reports::Table;
use rolecall_core::text::{counted, joined};
use rolecall_core::world::Desk;

/// Counts of each domain: records, goals, and goals that want one by name, one that is not there first, answers, a
/// booking, and another one first. With the keys of the JSON.
const FIGURES: [(&str, &str); 7] = [
    ("records", "records"),
    ("goals", "goals"),
    ("by name", "named"),
    ("first in vain", "fail_info"),
    ("questions", "reqt"),
    ("bookings", "book"),
    ("first not free", "fail_book"),
];

/// The figures of the databases and of the goals.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").unwrap_or("all");
    let (city, split) =
        if data == Path::new(BUILTIN) { (City::builtin(), "all") } else { (City::load(data, split)?, split) };
    let domains = Domain::ALL.map(|domain| Counts::of(domain, &city));
    let mixes = mixes(&city.dialogues);
    let lengths = |length: fn(&Dialogue) -> usize| mean(city.dialogues.iter().map(length));
    let sentences = lengths(|dialogue| dialogue.message.len());
    let words = lengths(|dialogue| dialogue.first.split_whitespace().count());
    if parameters.flag("json") {
        let domains = domains.iter().map(|counts| (counts.domain.as_str(), counts.json()));
        let shown = json!({
            "split": split,
            "conversations": city.dialogues.len(),
            "left_out": city.left_out.total,
            "sentences": sentences,
            "words_first": words,
            "mixes": mixes.iter().cloned().collect::<BTreeMap<_, _>>(),
            "domains": domains.collect::<Value>(),
        });
        return Ok(format!("{shown:#}\n"));
    }
    let number = counted(city.dialogues.len() as u64, "conversation", "conversations");
    let title = format!("{number} (split {split}), by what is wanted in each");
    let mut figures = Table::new(&title).key("domain").numbers(FIGURES.map(|(head, _)| head));
    let title = "Slots: how often something is said of each, and how often it is asked";
    let mut slots = Table::new(title).keys_of(["domain", "slot"]).numbers(["said", "asked"]);
    for counts in &domains {
        let domain = counts.domain.as_str();
        figures.row(row(&[domain], &counts.figures));
        for (slot, numbers) in &counts.slots {
            slots.row(row(&[domain, slot], numbers));
        }
    }
    let mut together = Table::new("What is wanted together").key("domains").numbers(["conversations"]);
    for (mix, count) in &mixes {
        together.row(row(&[mix], &[*count]));
    }
    let mut text = [figures, slots, together].map(|table| table.text(&desk.layout())).join("\n");
    text += &format!("\nSentences of a goal: {sentences:.1}; words of a first utterance: {words:.1} (means)\n");
    for remark in city.remarks() {
        text += &format!("{remark}\n");
    }
    Ok(text)
}

/// The row of a table: names, then numbers.
fn row(names: &[&str], numbers: &[usize]) -> Vec<String> {
    let names = names.iter().map(|name| (*name).to_owned());
    let numbers = numbers.iter().map(usize::to_string);
    names.chain(numbers).collect()
}

/// Counts of a domain.
struct Counts {
    domain: Domain,
    figures: [usize; 7],
    /// Number of goals with a value for each slot, and with a request for it.
    slots: BTreeMap<String, [usize; 2]>,
}

impl Counts {
    fn of(domain: Domain, city: &City) -> Self {
        let records = city.database.table(domain);
        let (mut figures, mut slots) = ([0; 7], BTreeMap::<String, [usize; 2]>::new());
        figures[0] = records.map_or(0, |table| table.records().len());
        for goal in city.dialogues.iter().filter_map(|dialogue| dialogue.goal.of(domain)) {
            let is_so = [
                true,
                goal.info.contains_key("name"),
                goal.in_vain().is_some(),
                !goal.requests().is_empty(),
                goal.booking().is_some(),
                filled(goal.fail_book.as_ref()).is_some(),
            ];
            for (count, is_so) in figures[1..].iter_mut().zip(is_so) {
                *count += usize::from(is_so);
            }
            let said = goal.info.keys().chain(goal.book.iter().flat_map(Map::keys));
            for slot in said.filter(|slot| !slot.contains("invalid")) {
                slots.entry(slot.clone()).or_default()[0] += 1;
            }
            for slot in goal.requests() {
                slots.entry(slot.clone()).or_default()[1] += 1;
            }
        }
        Self { domain, figures, slots }
    }

    fn json(&self) -> Value {
        let mut all: Value = FIGURES.iter().zip(self.figures).map(|((_, key), figure)| (*key, figure)).collect();
        let slots = self.slots.iter();
        all["slots"] =
            slots.map(|(slot, [said, asked])| (slot.clone(), json!({ "said": said, "asked": asked }))).collect();
        all
    }
}

/// Combinations of domains in goals, the most frequent first.
fn mixes(dialogues: &[Dialogue]) -> Vec<(String, usize)> {
    let mut mixes: BTreeMap<String, usize> = BTreeMap::new();
    for dialogue in dialogues {
        let mut domains: Vec<&str> = dialogue.goal.domains.iter().map(|(domain, _)| domain.as_str()).collect();
        domains.sort_unstable();
        *mixes.entry(joined(domains)).or_default() += 1;
    }
    let mut mixes: Vec<(String, usize)> = mixes.into_iter().collect();
    mixes.sort_by_key(|(_, count)| Reverse(*count));
    mixes
}

fn mean(numbers: impl ExactSizeIterator<Item = usize>) -> f64 {
    let count = numbers.len().max(1);
    numbers.sum::<usize>() as f64 / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn official_goals_are_counted() {
        let Some(data) = std::env::var_os("ROLECALL_DATA") else {
            return;
        };
        let city = City::load(&Path::new(&data).join("booking"), "all").unwrap();
        // Counted over the same files by a program in another language.
        let figures = |domain| Counts::of(domain, &city).figures;
        assert_eq!(figures(Domain::Attraction), [79, 796, 172, 284, 796, 0, 0]);
        assert_eq!(figures(Domain::Train), [2828, 979, 0, 0, 456, 523, 0]);
        assert_eq!(figures(Domain::Restaurant), [110, 875, 186, 303, 334, 541, 96]);
        assert_eq!(figures(Domain::Hotel), [33, 809, 226, 227, 323, 486, 73]);
        assert_eq!(figures(Domain::Taxi), [0, 401, 0, 0, 401, 0, 0]);
        let mixes = mixes(&city.dialogues);
        assert_eq!(mixes[0], ("restaurant, train".to_owned(), 312));
        assert_eq!(mixes.len(), 14);
    }
}
