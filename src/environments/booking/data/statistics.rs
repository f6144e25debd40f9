//! `rolecall data statistics booking`: what a city holds, and what users want there.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::environments::booking::api::Domain;
use crate::environments::booking::city::{BUILTIN, City};
use crate::environments::booking::goal::{Dialogue, DomainGoal};
use crate::ports::Parameters;
use crate::reports::Table;
use crate::text::{counted, joined};
use crate::world::Desk;

/// The figures of the databases and of the goals.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").unwrap_or("all");
    let (city, split) = match data == Path::new(BUILTIN) {
        true => (City::builtin(), "all"),
        false => (City::load(data, split)?, split),
    };
    let domains: Vec<Counts> = Domain::ALL
        .iter()
        .map(|domain| Counts::of(*domain, &city))
        .collect();
    let mixes = mixes(&city.dialogues);
    let lengths = |length: fn(&Dialogue) -> usize| mean(city.dialogues.iter().map(length));
    let sentences = lengths(|dialogue| dialogue.message.len());
    let words = lengths(|dialogue| dialogue.first.split_whitespace().count());
    if parameters.flag("json") {
        let domains = domains
            .iter()
            .map(|counts| (counts.domain.to_string(), counts.json()));
        let shown = json!({
            "split": split,
            "conversations": city.dialogues.len(),
            "left_out": city.left_out.total,
            "sentences": sentences,
            "words_first": words,
            "mixes": mixes.iter().cloned().collect::<BTreeMap<_, _>>(),
            "domains": domains.collect::<Map<_, _>>(),
        });
        return Ok(format!("{shown:#}\n"));
    }
    let number = counted(city.dialogues.len() as u64, "conversation", "conversations");
    let title = format!("{number} (split {split}), by what is wanted in each");
    let shown = [figures(&title, &domains), slots(&domains), together(mixes)];
    let mut text = shown.map(|table| table.text(&desk.layout())).join("\n");
    text += &format!(
        "\nSentences of a goal: {sentences:.1}; words of a first utterance: {words:.1} (means)\n"
    );
    for remark in city.remarks() {
        text += &format!("{remark}\n");
    }
    Ok(text)
}

fn figures(title: &str, domains: &[Counts]) -> Table {
    let mut table = Table::new(title).key("domain").numbers(HEADS);
    for counts in domains {
        let name = [counts.domain.to_string()].into_iter();
        let figures = counts.figures().map(|figure| figure.to_string());
        table.row(name.chain(figures).collect());
    }
    table
}

fn slots(domains: &[Counts]) -> Table {
    let title = "Slots: how often something is said of each, and how often it is asked";
    let heads = Table::new(title).keys_of(["domain", "slot"]);
    let mut table = heads.numbers(["said", "asked"]);
    for counts in domains {
        for (slot, numbers) in &counts.slots {
            let names = [counts.domain.to_string(), slot.clone()].into_iter();
            let numbers = numbers.map(|number| number.to_string());
            table.row(names.chain(numbers).collect());
        }
    }
    table
}

fn together(mixes: Vec<(String, usize)>) -> Table {
    let heads = Table::new("What is wanted together").key("domains");
    let mut table = heads.numbers(["conversations"]);
    for (mix, count) in mixes {
        table.row(vec![mix, count.to_string()]);
    }
    table
}

const HEADS: [&str; 7] = [
    "records",
    "goals",
    "by name",
    "first in vain",
    "questions",
    "bookings",
    "first not free",
];
const KEYS: [&str; 7] = [
    "records",
    "goals",
    "named",
    "fail_info",
    "reqt",
    "book",
    "fail_book",
];

/// What is counted of a domain.
struct Counts {
    domain: Domain,
    records: usize,
    /// Goals that want anything, one of a name, one that is not there first, answers, a booking, and another one first.
    wanted: [usize; 6],
    /// How often something is said of each slot, and how often it is asked.
    slots: BTreeMap<String, [usize; 2]>,
}

impl Counts {
    fn of(domain: Domain, city: &City) -> Self {
        let table = city.database.table(domain);
        let mut counts = Self {
            domain,
            records: table.map_or(0, |table| table.records().len()),
            wanted: [0; 6],
            slots: BTreeMap::new(),
        };
        for goal in city
            .dialogues
            .iter()
            .filter_map(|dialogue| dialogue.goal.of(domain))
        {
            counts.add(goal);
        }
        counts
    }

    fn add(&mut self, goal: &DomainGoal) {
        let has = |part: Option<&Map<String, Value>>| part.is_some_and(|slots| !slots.is_empty());
        let is_so = [
            true,
            goal.info.contains_key("name"),
            has(goal.fail_info.as_ref()),
            !goal.requests().is_empty(),
            has(goal.book.as_ref()),
            has(goal.fail_book.as_ref()),
        ];
        for (count, is_so) in self.wanted.iter_mut().zip(is_so) {
            *count += usize::from(is_so);
        }
        let said = goal.info.keys().chain(goal.book.iter().flat_map(Map::keys));
        for slot in said.filter(|slot| !slot.contains("invalid")) {
            self.slots.entry(slot.clone()).or_default()[0] += 1;
        }
        for slot in goal.requests() {
            self.slots.entry(slot.clone()).or_default()[1] += 1;
        }
    }

    fn figures(&self) -> impl Iterator<Item = usize> {
        [self.records].into_iter().chain(self.wanted)
    }

    fn json(&self) -> Value {
        let figures = KEYS.iter().zip(self.figures());
        let figures = figures.map(|(key, figure)| ((*key).to_owned(), json!(figure)));
        let mut all: Map<String, Value> = figures.collect();
        let slots = self.slots.iter();
        let slots = slots
            .map(|(slot, [said, asked])| (slot.clone(), json!({ "said": said, "asked": asked })));
        all.insert("slots".to_owned(), slots.collect());
        Value::Object(all)
    }
}

/// What is wanted together, the most frequent first.
fn mixes(dialogues: &[Dialogue]) -> Vec<(String, usize)> {
    let mut mixes: BTreeMap<String, usize> = BTreeMap::new();
    for dialogue in dialogues {
        let mut domains: Vec<&str> = dialogue
            .goal
            .domains
            .iter()
            .map(|(domain, _)| domain.as_str())
            .collect();
        domains.sort_unstable();
        *mixes.entry(joined(domains)).or_default() += 1;
    }
    let mut mixes: Vec<(String, usize)> = mixes.into_iter().collect();
    mixes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
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
        // Counted by a program of another language over the same files.
        let figures = |domain| Counts::of(domain, &city).figures().collect::<Vec<_>>();
        assert_eq!(figures(Domain::Attraction), [79, 796, 172, 284, 796, 0, 0]);
        assert_eq!(figures(Domain::Train), [2828, 979, 0, 0, 456, 523, 0]);
        assert_eq!(
            figures(Domain::Restaurant),
            [110, 875, 186, 303, 334, 541, 96]
        );
        assert_eq!(figures(Domain::Hotel), [33, 809, 226, 227, 323, 486, 73]);
        assert_eq!(figures(Domain::Taxi), [0, 401, 0, 0, 401, 0, 0]);
        let mixes = mixes(&city.dialogues);
        assert_eq!(mixes[0], ("restaurant, train".to_owned(), 312));
        assert_eq!(mixes.len(), 14);
    }
}
