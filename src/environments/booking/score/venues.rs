//! The databases as AutoTOD's scorer sees them: names cleaned, in the order of ids, letters compared without case
//! (spec section 6.3).

use std::collections::HashMap;
use std::sync::Arc;

use super::row::{Row, clean_name, without_case};
use super::said::{Said, squashed};
use crate::api::Domain;
use crate::database::Database;
use crate::goal::Slots;

/// The domains whose records have names.
const NAMED: [Domain; 3] = [Domain::Hotel, Domain::Restaurant, Domain::Attraction];

/// The slots by which most goals choose their trains.
const JOURNEY: [&str; 3] = ["day", "departure", "destination"];

/// Whether words that are a name mean the venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// They do.
    Always,
    /// Other things are called so too, but not with a capital: `The Place`.
    WithCapital,
    /// Other things are called so too, also with a capital: `Gonville Place`.
    Perhaps,
}

/// Names, cleaned, whose words are ambiguous. Where they are not certain to be meant, they name a venue only if
/// nothing else does.
const EVERYDAY: [&str; 4] = ["ask", "j", "junction", "place"];

/// The databases with the keys by which they are searched. Rows are known by their numbers; of several rows with one
/// key the first counts.
#[derive(Debug)]
pub struct Venues {
    database: Arc<Database>,
    /// By cleaned name, in the order of ids.
    names: [HashMap<String, usize>; 3],
    /// By the letters of their names, as written and as cleaned.
    spoken: [HashMap<String, (usize, Meant)>; 3],
    /// Trains by id.
    trains: HashMap<String, usize>,
    /// All trains of a day from one place to another.
    journeys: HashMap<[String; 3], Vec<usize>>,
    all_trains: Vec<usize>,
}

impl Venues {
    /// The venues of databases.
    pub fn new(database: Arc<Database>) -> Self {
        let mut journeys: HashMap<_, Vec<usize>> = HashMap::new();
        let (mut trains, mut all_trains) = (HashMap::new(), Vec::new());
        for (number, row) in rows(&database, Domain::Train) {
            let text = |column| row.column(column).unwrap_or_default().to_ascii_lowercase();
            trains.entry(text("trainID")).or_insert(number);
            journeys.entry(JOURNEY.map(text)).or_default().push(number);
            all_trains.push(number);
        }
        Self {
            names: NAMED.map(|domain| names(&database, domain)),
            spoken: NAMED.map(|domain| spoken(&database, domain)),
            trains,
            journeys,
            all_trains,
            database,
        }
    }

    fn row(&self, domain: Domain, number: usize) -> Option<Row<'_>> {
        let record = self.database.table(domain)?.records().get(number)?;
        Some(Row { domain, record })
    }

    /// The venue of a name, as AutoTOD cleans it.
    pub fn venue(&self, domain: Domain, name: &str) -> Option<Row<'_>> {
        let name = clean_name(name).to_ascii_lowercase();
        let number = self.names.get(domain as usize)?.get(&name)?;
        self.row(domain, *number)
    }

    /// The venues of a domain by name: of several with one name the first.
    pub(super) fn all(&self, domain: Domain) -> impl Iterator<Item = Row<'_>> {
        let names = self.names.get(domain as usize);
        let rows = rows(&self.database, domain);
        rows.filter(move |(number, row)| names.and_then(|names| names.get(&row.name())) == Some(number))
            .map(|(_, row)| row)
    }

    /// The venue of a name or of an address.
    pub fn place(&self, place: &str) -> Option<Row<'_>> {
        let is_there = |row: &Row<'_>| row.column("address").is_some_and(|text| text.eq_ignore_ascii_case(place));
        [Domain::Restaurant, Domain::Hotel, Domain::Attraction].into_iter().find_map(|domain| {
            let mut rows = rows(&self.database, domain).map(|(_, row)| row);
            self.venue(domain, place).or_else(|| rows.find(is_there))
        })
    }

    /// The first train of an id.
    pub fn train(&self, id: &str) -> Option<Row<'_>> {
        self.row(Domain::Train, *self.trains.get(&id.to_ascii_lowercase())?)
    }

    /// The venue of a domain that the replies name last, and the position at which they name it first.
    pub(super) fn named(&self, domain: Domain, said: &Said<'_>) -> Option<(Row<'_>, usize)> {
        let names = self.spoken.get(domain as usize)?;
        let longest = names.keys().map(String::len).max()?;
        let (mut sure, mut unsure) = (None, None);
        let mut firsts: HashMap<usize, usize> = HashMap::new();
        let mut after = 0;
        for start in said.starts() {
            let found = said
                .ends(start, longest)
                .filter(|_| start >= after)
                .filter_map(|end| Some((end, *names.get(said.letters(start..end))?)));
            let Some((end, (number, meant))) = found.last() else {
                continue;
            };
            after = end;
            firsts.entry(number).or_insert(start);
            let is_sure = match meant {
                Meant::Always => true,
                Meant::WithCapital => said.has_capital(start..end),
                Meant::Perhaps => false,
            };
            *(if is_sure { &mut sure } else { &mut unsure }) = Some(number);
        }
        let number = sure.or(unsure)?;
        Some((self.row(domain, number)?, *firsts.get(&number)?))
    }

    /// The id of the train that the replies name last, and the position at which they name it first.
    pub(super) fn named_train(&self, said: &Said<'_>) -> Option<(String, usize)> {
        let longest = self.trains.keys().map(String::len).max()?;
        let (id, _) = said
            .starts()
            .filter_map(|start| {
                let mut ends = said.ends(start, longest);
                ends.find_map(|end| self.trains.get_key_value(said.letters(start..end)))
            })
            .last()?;
        Some((id.clone(), said.places(id, 0).next().unwrap_or(0)))
    }

    /// The trains that meet a goal, in order.
    pub(super) fn trains_for<'v>(&'v self, info: &'v Slots) -> impl Iterator<Item = Row<'v>> {
        let text = |slot| Some((slot, info.get(slot)?.as_str()?));
        let journey = JOURNEY.map(|slot| Some(text(slot)?.1.to_ascii_lowercase()));
        let numbers = match journey {
            [Some(day), Some(departure), Some(destination)] => {
                self.journeys.get(&[day, departure, destination]).map_or(&[][..], Vec::as_slice)
            }
            _ => &self.all_trains,
        };
        let times = ["leaveAt", "arriveBy"].into_iter().filter_map(text);
        let times = times.filter(|(_, time)| !time.is_empty());
        let wanted: Vec<(&str, &str)> = ["trainID"].into_iter().chain(JOURNEY).filter_map(text).chain(times).collect();
        numbers.iter().filter_map(|number| self.row(Domain::Train, *number)).filter(move |row| {
            let mut wanted = wanted.iter();
            wanted.all(|(slot, wanted)| row.runs_as(slot, wanted, without_case))
        })
    }

    /// Whether a train meets a goal and matches these answers.
    pub fn has_train(&self, info: &Slots, answers: &Slots) -> bool {
        self.trains_for(info).any(|row| row.runs(answers))
    }
}

/// The rows of a domain, each with its number.
fn rows(database: &Database, domain: Domain) -> impl DoubleEndedIterator<Item = (usize, Row<'_>)> {
    let table = database.table(domain);
    table.map_or(&[][..], |table| table.records()).iter().map(move |record| Row { domain, record }).enumerate()
}

/// The rows of a domain by cleaned name.
fn names(database: &Database, domain: Domain) -> HashMap<String, usize> {
    let mut rows: Vec<_> = rows(database, domain).collect();
    rows.sort_by_key(|(_, row)| row.id());
    // The last entry wins.
    rows.into_iter().rev().map(|(number, row)| (row.name(), number)).collect()
}

/// The rows of a domain by names as replies may write them.
fn spoken(database: &Database, domain: Domain) -> HashMap<String, (usize, Meant)> {
    let mut names = HashMap::new();
    for (number, row) in rows(database, domain) {
        let cleaned = row.name();
        let (full, short) = (squashed(row.written_name()), squashed(&cleaned));
        let (of_full, of_short) = match EVERYDAY.contains(&&*cleaned) {
            false => (Meant::Always, Meant::Always),
            // With its kind, such as `ask restaurant`, a name is clear.
            true if full != short && full != format!("the{short}") => (Meant::Always, Meant::Perhaps),
            true => (Meant::WithCapital, Meant::Perhaps),
        };
        for (name, meant) in [(full, of_full), (short, of_short)] {
            names.entry(name).or_insert((number, meant));
        }
    }
    names.remove("");
    names
}
