//! A plan beside the request and the country: what its days say, and which rows they mean.

use serde_json::Value;

use super::plan::{Day, Field, Plan};
use super::reading::{before_parenthesis, from_to, name_and_city};
use crate::country::{Accommodation, Country, Restaurant};
use crate::request::Request;
use rolecall_core::text::python::strip;

/// How a plan is judged.
///
/// | what | the original program | as it is worded |
/// |---|---|---|
/// | names | the first row whose name holds what the plan names | the first row of just that name |
/// | attractions | the last of a list counts only if `;` follows | all count |
/// | repeated meals and attractions | the texts are equal | name and city are, whatever the blanks around them |
/// | a day in one city | one letter of the city in a meal or attraction is enough; the transportation has to hold each, the accommodation the last | the city is named |
/// | a day of travel | meals and attractions hold one of both cities, the transportation both, in any order | the city named is one of both, and the transportation leads from the first to the second |
/// | flights | there is such a flight on any date; if the number is not where it should be, on any route | there is one from city to city on the day |
/// | other ways to travel | pass | are none of the sandbox |
/// | filled fields | those of all keys of a day, its number included | the six fields that are counted against |
/// | what is a day of travel | `from` or `to ` stands somewhere | `from A to B` |
/// | cuisines | a meal in the city of origin leaves out the rest of its day; a cuisine that is requested twice crashes | that meal is left out; counts once |
/// | excluded transportation | `Flight` or `Self-driving` occurs in this case | the way to travel is excluded |
/// | missing fields, prices that are unknown | crash: the plan fails | are told as missing, cost nothing |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirks {
    /// As the original program does, with its faults.
    Reference,
    /// As the constraint is worded.
    Worded,
}

/// Why the original program stops: its exception. A plan that is judged has failed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash(pub String);

/// The ruling on a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It is met.
    Met,
    /// It is not, maybe with the reason.
    Unmet(Option<String>),
    /// The request has no such constraint.
    Open,
}

impl Ruling {
    /// Not met, for this reason.
    pub(super) fn unmet(reason: impl Into<String>) -> Checked {
        Ok(Self::Unmet(Some(reason.into())))
    }

    /// Met or not, without a reason.
    pub(super) fn of(met: bool) -> Self {
        if met { Self::Met } else { Self::Unmet(None) }
    }
}

/// A ruling, or why the original program stops.
pub type Checked = Result<Ruling, Crash>;

impl Crash {
    /// A crash with this exception.
    pub(super) fn with<T>(exception: &str) -> Result<T, Self> {
        Err(Self(exception.to_owned()))
    }
}

/// The fields that each day must have, in the order in which they are looked at.
pub(super) const PARTS: [Field; 6] =
    [Field::Transportation, Field::Breakfast, Field::Lunch, Field::Dinner, Field::Attraction, Field::Accommodation];

/// The meals of a day.
pub(super) const MEALS: [Field; 3] = [Field::Breakfast, Field::Lunch, Field::Dinner];

/// Where a day is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location<'a> {
    /// On the way from a city to another one.
    Between(&'a str, &'a str),
    /// In one city.
    In(&'a str),
}

/// A day that is read.
pub(super) struct Entry<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its fields.
    pub(super) fields: &'a Day,
    /// The rows of its meals.
    pub(super) meals: [Option<&'a Restaurant>; 3],
    /// The row of its accommodation.
    pub(super) room: Option<&'a Accommodation>,
    quirks: Quirks,
}

/// A plan that is judged.
pub(super) struct Trip<'a> {
    /// The country.
    pub(super) country: &'a Country,
    /// The request.
    pub(super) request: &'a Request,
    /// How it is judged.
    pub(super) quirks: Quirks,
    /// Its days, at most as many as are requested.
    pub(super) entries: Vec<Entry<'a>>,
}

impl<'a> Trip<'a> {
    /// A plan for a request in a country.
    pub(super) fn new(country: &'a Country, request: &'a Request, plan: &'a Plan, quirks: Quirks) -> Self {
        let mut trip = Self { country, request, quirks, entries: Vec::new() };
        let days = plan.days.iter().zip(1..);
        for (fields, number) in days.take(usize::try_from(trip.days()).unwrap_or(0)) {
            let mut entry = Entry { number, fields, meals: [None; 3], room: None, quirks };
            let named = |field| entry.filled(field).ok().flatten().map(name_and_city);
            let room = named(Field::Accommodation).and_then(|(name, city)| trip.rooms(name, city).next());
            let meals = MEALS.map(|meal| {
                let (name, city) = named(meal)?;
                country.restaurants(city).iter().find(|row| trip.is_named(&row.name, name))
            });
            (entry.meals, entry.room) = (meals, room);
            trip.entries.push(entry);
        }
        trip
    }

    /// Whether faults of the original are left out.
    pub(super) fn is_worded(&self) -> bool {
        self.quirks == Quirks::Worded
    }

    /// How many days are requested; -1 if that is not known.
    pub(super) fn days(&self) -> i64 {
        self.request.days.unwrap_or(-1)
    }

    /// How many travel; -1 if that is not known.
    pub(super) fn people(&self) -> i64 {
        self.request.people.unwrap_or(-1)
    }

    /// Whether a row's name is what a plan names.
    pub(super) fn is_named(&self, row: &str, name: &str) -> bool {
        match self.quirks {
            Quirks::Reference => row.contains(name),
            Quirks::Worded => strip(row) == name,
        }
    }

    /// The accommodations that a name and a city can mean.
    pub(super) fn rooms<'s>(&'s self, name: &'s str, city: &str) -> impl Iterator<Item = &'a Accommodation> + 's {
        self.country.accommodations(city).iter().filter(move |row| self.is_named(&row.name, name))
    }
}

impl<'a> Entry<'a> {
    /// The text of a field; none if the day does not have it.
    pub(super) fn get(&self, field: Field) -> Result<Option<&'a str>, Crash> {
        match self.fields.get(field.key()) {
            None => Ok(None),
            Some(Value::Null) => Ok(Some("")),
            Some(Value::String(text)) if self.quirks == Quirks::Worded => Ok(Some(strip(text))),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Crash(format!("TypeError: `{}` is no text", field.key()))),
        }
    }

    /// The text of a field that the original expects.
    pub(super) fn required(&self, field: Field) -> Result<&'a str, Crash> {
        match (self.get(field)?, self.quirks) {
            (Some(text), _) => Ok(text),
            (None, Quirks::Worded) => Ok(""),
            (None, Quirks::Reference) => Err(Crash(format!("KeyError: '{}'", field.key()))),
        }
    }

    /// The text of a field, if it says something.
    pub(super) fn filled(&self, field: Field) -> Result<Option<&'a str>, Crash> {
        Ok(self.get(field)?.filter(|text| is_filled(text)))
    }

    /// The text of a field that the original expects, if it says something.
    pub(super) fn required_filled(&self, field: Field) -> Result<Option<&'a str>, Crash> {
        Ok(Some(self.required(field)?).filter(|text| is_filled(text)))
    }

    /// Where the day is spent; none if that cannot be read.
    pub(super) fn location(&self) -> Result<Option<Location<'a>>, Crash> {
        let city = self.required(Field::City)?;
        let way = self.pair(city).map(|(from, to)| Location::Between(from, to));
        let stays = self.quirks == Quirks::Worded || !city.contains("from");
        Ok(way.or_else(|| stays.then(|| Location::In(self.clean(city)))))
    }

    /// The cities of `from A to B`, without what is in brackets.
    pub(super) fn pair<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        from_to(text).map(|(from, to)| (self.clean(from), self.clean(to)))
    }

    fn clean<'t>(&self, city: &'t str) -> &'t str {
        let city = before_parenthesis(city);
        match self.quirks {
            Quirks::Reference => city,
            Quirks::Worded => strip(city),
        }
    }

    /// The text of a field, or each of its attractions.
    pub(super) fn texts(&self, field: Field) -> Result<Vec<&'a str>, Crash> {
        match field {
            Field::Attraction => self.attractions(),
            _ => Ok(self.filled(field)?.into_iter().collect()),
        }
    }

    /// Its attractions, as far as they count.
    pub(super) fn attractions(&self) -> Result<Vec<&'a str>, Crash> {
        let text = self.filled(Field::Attraction)?.unwrap_or_default();
        let mut all: Vec<&str> = text.split(';').collect();
        if self.quirks == Quirks::Reference {
            all.pop();
        } else {
            let names = all.into_iter().map(strip);
            all = names.filter(|name| !name.is_empty()).collect();
        }
        Ok(all)
    }
}

fn is_filled(text: &str) -> bool {
    !text.is_empty() && text != "-"
}
