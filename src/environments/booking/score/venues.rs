//! The databases as AutoTOD's scorer sees them: names cleaned, in the order of ids, letters compared without their
//! case (spec section 6.3).

use std::collections::HashMap;
use std::sync::Arc;

use super::clean::clean_name;
use super::row::{Row, without_case};
use super::said::{Said, squashed};
use crate::environments::booking::api::Domain;
use crate::environments::booking::database::Database;
use crate::environments::booking::goal::Slots;

/// The domains whose records have names.
const NAMED: [Domain; 3] = [Domain::Hotel, Domain::Restaurant, Domain::Attraction];

/// The slots by which most goals choose their trains.
const JOURNEY: [&str; 3] = ["day", "departure", "destination"];

/// Whether words that are a name mean it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// They do.
    Always,
    /// They are said of other things too, but not with a capital: `The Place`.
    WithCapital,
    /// They are said of other things too, also with a capital: `Gonville Place`.
    Perhaps,
}

/// Names, cleaned, whose words are said of other things too. Where these are not sure to be meant, they name a venue only
/// if nothing else does.
const EVERYDAY: [&str; 4] = ["ask", "j", "junction", "place"];

/// The databases with the keys by which they are searched. Rows are known by their numbers; of several with the same
/// key the first has it.
#[derive(Debug)]
pub struct Venues {
    database: Arc<Database>,
    /// By cleaned name, in the order of ids.
    names: [HashMap<String, usize>; 3],
    /// By the letters of their names, as they are written and as they are cleaned.
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

    /// The venues of a domain, each by its name: of several that have it the first.
    pub(super) fn all(&self, domain: Domain) -> impl Iterator<Item = Row<'_>> {
        let names = self.names.get(domain as usize);
        let rows = rows(&self.database, domain);
        let own = rows.filter(move |(number, row)| names.and_then(|names| names.get(&row.name())) == Some(number));
        own.map(|(_, row)| row)
    }

    /// The venue of a name or of an address.
    pub fn place(&self, place: &str) -> Option<Row<'_>> {
        let is_there = |row: &Row<'_>| {
            let address = row.column("address");
            address.is_some_and(|own| own.eq_ignore_ascii_case(place))
        };
        let domains = [Domain::Restaurant, Domain::Hotel, Domain::Attraction];
        domains.into_iter().find_map(|domain| {
            let mut rows = rows(&self.database, domain).map(|(_, row)| row);
            let named = self.venue(domain, place);
            named.or_else(|| rows.find(is_there))
        })
    }

    /// The first train of an id.
    pub fn train(&self, id: &str) -> Option<Row<'_>> {
        self.row(Domain::Train, *self.trains.get(&id.to_ascii_lowercase())?)
    }

    /// The venue of a domain that replies name last, and where they name it first.
    pub(super) fn named(&self, domain: Domain, said: &Said<'_>) -> Option<(Row<'_>, usize)> {
        let names = self.spoken.get(domain as usize)?;
        let longest = names.keys().map(String::len).max()?;
        let (mut sure, mut unsure) = (None, None);
        let mut firsts: HashMap<usize, usize> = HashMap::new();
        let mut after = 0;
        for start in said.starts() {
            let ends = said.ends(start, longest).filter(|_| start >= after);
            let found = ends.filter_map(|end| Some((end, *names.get(said.letters(start..end))?)));
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

    /// The id of the train that replies name last, and where they name it first.
    pub(super) fn named_train(&self, said: &Said<'_>) -> Option<(String, usize)> {
        let longest = self.trains.keys().map(String::len).max()?;
        let ids = said.starts().filter_map(|start| {
            let mut ends = said.ends(start, longest);
            ends.find_map(|end| self.trains.get_key_value(said.letters(start..end)))
        });
        let (id, _) = ids.last()?;
        Some((id.clone(), said.places(id, 0).next().unwrap_or(0)))
    }

    /// The trains that a goal wants, in order.
    pub(super) fn trains_for<'v>(&'v self, info: &'v Slots) -> impl Iterator<Item = Row<'v>> {
        let text = |slot| Some((slot, info.get(slot)?.as_str()?));
        let journey = JOURNEY.map(|slot| Some(text(slot)?.1.to_ascii_lowercase()));
        let numbers = match journey {
            [Some(day), Some(departure), Some(destination)] => {
                let own = self.journeys.get(&[day, departure, destination]);
                own.map_or(&[][..], Vec::as_slice)
            }
            _ => &self.all_trains,
        };
        let times = ["leaveAt", "arriveBy"].into_iter().filter_map(text);
        let times = times.filter(|(_, time)| !time.is_empty());
        let others = ["trainID"].into_iter().chain(JOURNEY).filter_map(text);
        let wanted: Vec<(&str, &str)> = others.chain(times).collect();
        let rows = numbers.iter().filter_map(|number| self.row(Domain::Train, *number));
        rows.filter(move |row| {
            let mut wanted = wanted.iter();
            wanted.all(|(slot, wanted)| row.runs_as(slot, wanted, without_case))
        })
    }

    /// Whether there is a train that a goal wants, and that is as these answers say.
    pub fn has_train(&self, info: &Slots, answers: &Slots) -> bool {
        self.trains_for(info).any(|row| row.runs(answers))
    }
}

/// The rows of a domain, each with its number.
fn rows(database: &Database, domain: Domain) -> impl DoubleEndedIterator<Item = (usize, Row<'_>)> {
    let table = database.table(domain);
    let records = table.map_or(&[][..], |table| table.records()).iter();
    let rows = records.map(move |record| Row { domain, record });
    rows.enumerate()
}

/// The rows of a domain by cleaned name.
fn names(database: &Database, domain: Domain) -> HashMap<String, usize> {
    let mut rows: Vec<_> = rows(database, domain).collect();
    rows.sort_by_key(|(_, row)| row.id());
    // The last to be put in stays.
    let rows = rows.into_iter().rev();
    rows.map(|(number, row)| (row.name(), number)).collect()
}

/// The rows of a domain by names as they may stand in replies.
fn spoken(database: &Database, domain: Domain) -> HashMap<String, (usize, Meant)> {
    let mut names = HashMap::new();
    for (number, row) in rows(database, domain) {
        let cleaned = row.name();
        let (full, short) = (squashed(row.written_name()), squashed(&cleaned));
        let (of_full, of_short) = match EVERYDAY.contains(&&*cleaned) {
            false => (Meant::Always, Meant::Always),
            // With what it is, such as `ask restaurant`, a name is plain.
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
