//! Calls of the tools, as they are written: `Name(parameters)`, where each parameter is a Python literal of one line
//! (TravelPlanner's grammar; `docs/travel.md`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, from_value, json};

use rolecall_core::text::overlap::is_word;
use rolecall_core::text::python::{is_space, literal, push_json_value, repr};

/// The tools, and the word that ends a run of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Tool {
    /// `AccommodationSearch(city, filters)`.
    Accommodation,
    /// `RestaurantSearch(city, cuisines)`.
    Restaurant,
    /// `AttractionSearch(city)`.
    Attraction,
    /// `DistanceMatrix(origin, destination, mode)`.
    Distance,
    /// `FlightSearch(origin, destination, date)`.
    Flight,
    /// `BudgetEstimator(origin, destinations, dates, people)`.
    Budget,
    /// `Finish()`.
    Finish,
}

rolecall_core::names! { Tool, as_str:
    Accommodation => "AccommodationSearch", Restaurant => "RestaurantSearch",
    Attraction => "AttractionSearch", Distance => "DistanceMatrix", Flight => "FlightSearch",
    Budget => "BudgetEstimator", Finish => "Finish",
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A list of texts.
    List,
    /// A whole number.
    Number,
}

impl Tool {
    /// The parameters in their order, by the names that native calls give them.
    pub fn parameters(self) -> &'static [(&'static str, Kind)] {
        use Kind::{List, Number, Text};
        match self {
            Self::Accommodation => &[("city", Text), ("filters", List)],
            Self::Restaurant => &[("city", Text), ("cuisines", List)],
            Self::Attraction => &[("city", Text)],
            Self::Distance => &[("origin", Text), ("destination", Text), ("mode", Text)],
            Self::Flight => &[("origin", Text), ("destination", Text), ("date", Text)],
            Self::Budget => &[("origin", Text), ("destinations", List), ("dates", List), ("people_number", Number)],
            Self::Finish => &[],
        }
    }
}

/// A call that can be read. The fields of each tool are its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tool")]
pub enum Call {
    /// Accommodations of a city that fit all filters.
    Accommodation {
        /// The city.
        city: String,
        /// Room type and house rules.
        filters: Vec<String>,
    },
    /// Restaurants of a city.
    Restaurant {
        /// The city.
        city: String,
        /// Cuisines to look for.
        cuisines: Vec<String>,
    },
    /// Attractions of a city.
    Attraction {
        /// The city.
        city: String,
    },
    /// The way by road.
    Distance {
        /// From.
        origin: String,
        /// To.
        destination: String,
        /// `taxi` or `self-driving`.
        mode: String,
    },
    /// Flights of a day.
    Flight {
        /// From.
        origin: String,
        /// To.
        destination: String,
        /// `YYYY-MM-DD`.
        date: String,
    },
    /// The least that a trip costs.
    Budget {
        /// From.
        origin: String,
        /// The cities in order.
        destinations: Vec<String>,
        /// The dates of departure to each, and back.
        dates: Vec<String>,
        /// Number of travellers.
        #[serde(rename = "people_number")]
        people: i64,
    },
    /// The end.
    Finish,
}

/// Why a text is no call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It does not have the form of a call, or names no tool.
    Name,
    /// The parameters of this tool cannot be read.
    Parameters(Tool),
}

/// The longest whole number that Python reads, in digits.
const MOST_DIGITS: usize = 4300;

/// The name and the parameters of a text that has the form of a call.
pub fn parts(text: &str) -> Option<(&str, &str)> {
    let text = without_break(text);
    let (name, parameters) = text.strip_suffix(')')?.split_once('(')?;
    let is_call = !name.is_empty() && name.chars().all(is_word) && !parameters.contains(')');
    is_call.then_some((name, parameters))
}

/// The text without the line break that Python's `$` passes over at its end.
fn without_break(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, Unread> {
        let (name, parameters) = parts(text).ok_or(Unread::Name)?;
        let tool = Tool::named(name).ok_or(Unread::Name)?;
        let mut scan = Scan(parameters);
        let values = tool.parameters().iter().enumerate().map(|(place, (_, kind))| scan.value(*kind, place > 0));
        let values = values.collect::<Option<Vec<Value>>>().filter(|_| without_break(scan.0).is_empty());
        Self::of(tool, values).ok_or(Unread::Parameters(tool))
    }

    /// The call that a native one means; lists may be left out.
    ///
    /// # Errors
    /// When there is no such tool, or the arguments are not those of its schema.
    pub fn from_native(tool: &str, arguments: &Value) -> Result<Self, Unread> {
        let tool = Tool::named(tool).ok_or(Unread::Name)?;
        let values =
            tool.parameters().iter().map(|(name, kind)| match arguments.get(name).filter(|value| !value.is_null()) {
                None if *kind == Kind::List => Some(Value::Array(Vec::new())),
                given => given.cloned(),
            });
        Self::of(tool, values.collect()).ok_or(Unread::Parameters(tool))
    }

    /// The call of values in the order of the parameters, if each is of its kind.
    fn of(tool: Tool, values: Option<Vec<Value>>) -> Option<Self> {
        let value = |(name, kind): &(&str, Kind), value: Value| match value {
            // A date that is no text stops the original program as no date at all does, once the cities have been
            // checked.
            Value::Array(all) if *name == "dates" && !all.iter().all(Value::is_string) => json!([]),
            Value::Array(all) if *kind == Kind::List => all.iter().map(shown).collect(),
            other => other,
        };
        let named = tool
            .parameters()
            .iter()
            .zip(values?)
            .map(|(parameter, given)| (parameter.0.to_owned(), value(parameter, given)));
        let mut fields: Map<String, Value> = named.collect();
        fields.insert("tool".to_owned(), json!(tool));
        from_value(fields.into()).ok()
    }

    /// Its tool.
    pub fn tool(&self) -> Tool {
        match self {
            Self::Accommodation { .. } => Tool::Accommodation,
            Self::Restaurant { .. } => Tool::Restaurant,
            Self::Attraction { .. } => Tool::Attraction,
            Self::Distance { .. } => Tool::Distance,
            Self::Flight { .. } => Tool::Flight,
            Self::Budget { .. } => Tool::Budget,
            Self::Finish => Tool::Finish,
        }
    }

    /// The cities that it names.
    pub fn cities(&self) -> Vec<&String> {
        match self {
            Self::Accommodation { city, .. } | Self::Restaurant { city, .. } | Self::Attraction { city } => vec![city],
            Self::Distance { origin, destination, .. } | Self::Flight { origin, destination, .. } => {
                vec![origin, destination]
            }
            Self::Budget { origin, destinations, .. } => [origin].into_iter().chain(destinations).collect(),
            Self::Finish => Vec::new(),
        }
    }

    /// Its values in the order of the parameters.
    fn values(&self) -> Vec<Value> {
        let mut fields = json!(self);
        self.tool().parameters().iter().map(|(name, _)| fields[*name].take()).collect()
    }

    /// The call in its one form, with double quotes and lists as JSON.
    pub fn canonical(&self) -> String {
        let mut out = format!("{}(", self.tool().as_str());
        for (place, value) in self.values().iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { "" });
            match value {
                Value::String(text) => out.extend(["\"", text, "\""]),
                other => push_json_value(&mut out, other),
            }
        }
        out + ")"
    }

    /// The words by which planners know its result, such as `Attractions in Boston`.
    pub fn description(&self) -> String {
        let values: Vec<String> = self.values().iter().map(joined).collect();
        let with = |words: &str, list: &str| match list {
            "" => String::new(),
            list => format!("{words}{list}"),
        };
        match (self.tool(), &values[..]) {
            (Tool::Accommodation, [city, filters]) => {
                format!("Accommodations in {city}{}", with(" with filters: ", filters))
            }
            (Tool::Restaurant, [city, cuisines]) => {
                let check = with(" and check the availability of cuisines: ", cuisines);
                format!("List all restaurants in {city}{check}")
            }
            (Tool::Attraction, [city]) => format!("Attractions in {city}"),
            (Tool::Distance, [origin, destination, mode]) => {
                format!("{mode} from {origin} to {destination}")
            }
            (Tool::Flight, [origin, destination, date]) => {
                format!("Flight from {origin} to {destination} on {date}")
            }
            (Tool::Budget, [origin, cities, dates, people]) => format!(
                "Estimated minimum budget for {people} people from {origin} to {cities} for each departure on {dates}"
            ),
            _ => self.canonical(),
        }
    }
}

/// A value as `str` writes it.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| repr(value), str::to_owned)
}

/// A value, or those of a list with commas between them.
fn joined(value: &Value) -> String {
    value
        .as_array()
        .map(|items| items.iter().map(shown).collect::<Vec<_>>())
        .map_or_else(|| shown(value), |items| items.join(", "))
}

/// The rest of the parameters.
struct Scan<'t>(&'t str);

impl<'t> Scan<'t> {
    /// The next value, perhaps behind a comma with blanks.
    fn value(&mut self, kind: Kind, behind_comma: bool) -> Option<Value> {
        if behind_comma {
            self.0 = self.0.strip_prefix(',')?.trim_start_matches(is_space);
        }
        let first = self.0.chars().next();
        let end = match (kind, first?) {
            // A text holds none of its own quotes, and a list ends with its first bracket.
            (Kind::Text, quote @ ('"' | '\'')) => self.0.get(1..)?.find(quote)? + 2,
            (Kind::List, '[') => self.0.find(']')? + 1,
            (Kind::Number, _) => return self.number(),
            _ => return None,
        };
        literal(self.take(end)?)
    }

    /// Digits; a number without end is the greatest one.
    fn number(&mut self) -> Option<Value> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.take(end)?;
        let is_zero = digits.bytes().all(|digit| digit == b'0');
        let is_literal = (is_zero || !digits.starts_with('0')) && (1..=MOST_DIGITS).contains(&end);
        is_literal.then(|| digits.parse().unwrap_or(i64::MAX).into())
    }

    fn take(&mut self, end: usize) -> Option<&'t str> {
        let (taken, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        Some(taken)
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
