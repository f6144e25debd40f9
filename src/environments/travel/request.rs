//! Requests of travellers, as far as they are known, and the details that are missing or cannot be met (Ask-before-Plan
//! section 3).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use rolecall_core::text::mt19937::PythonRandom;

/// One thing that a request says of the trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Attribute {
    /// The city that the trip starts from.
    #[serde(rename = "org")]
    Origin,
    /// The cities to be visited, with the days of arrival.
    #[serde(rename = "dest")]
    Destination,
    /// Number of days.
    #[serde(rename = "days")]
    Days,
    /// The first day.
    #[serde(rename = "departure_date")]
    Departure,
    /// Number of travellers.
    #[serde(rename = "people_number")]
    People,
    /// Room type and house rules.
    #[serde(rename = "housing")]
    Housing,
    /// Cuisines that are to be tried.
    #[serde(rename = "cuisine")]
    Cuisine,
    /// A way to travel that is excluded.
    #[serde(rename = "transportation")]
    Transportation,
    /// The most that the trip may cost, in dollars.
    #[serde(rename = "budget")]
    Budget,
}

rolecall_core::names! { Attribute, key:
    Origin => "org", Destination => "dest", Days => "days", Departure => "departure_date",
    People => "people_number", Housing => "housing", Cuisine => "cuisine",
    Transportation => "transportation", Budget => "budget",
}

impl Attribute {
    /// The words for it, in which judges and models are asked.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Origin => "the city of departure",
            Self::Destination => "the destinations with the days of arrival",
            Self::Days => "the number of days",
            Self::Departure => "the date of departure",
            Self::People => "the number of travellers",
            Self::Housing => "what accommodations have to be like",
            Self::Cuisine => "the cuisines",
            Self::Transportation => "the ways to travel that are wanted",
            Self::Budget => "the budget",
        }
    }
}

/// A city to be visited, written `Chicago on day 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The city.
    pub city: String,
    /// The day of arrival, from 1.
    pub day: i64,
}

/// A request as far as it is known. Official names of the fields are those of [`Attribute::key`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Value", try_from = "Value")]
pub struct Request {
    /// The city that the trip starts from; empty if it is not known.
    pub origin: String,
    /// The cities to be visited, in order; empty if they are not known.
    pub stops: Vec<Stop>,
    /// Number of days, if it is known (official rows write -1 if not).
    pub days: Option<i64>,
    /// The first day as `YYYY-MM-DD`; empty if it is not known.
    pub departure: String,
    /// Number of travellers, if it is known.
    pub people: Option<i64>,
    /// Room type and house rules in the words of the filters of `AccommodationSearch`.
    pub housing: Vec<String>,
    /// Cuisines.
    pub cuisine: Vec<String>,
    /// `no flight`, `no self-driving`, or empty.
    pub transportation: String,
    /// The most that the trip may cost in dollars, if it is known.
    pub budget: Option<i64>,
}

/// Whether a detail is missing or cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// The request does not say it.
    #[serde(rename = "ADD")]
    Add,
    /// The request says what cannot be met.
    #[serde(rename = "REPLACE")]
    Replace,
}

/// A detail that has to be clarified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The attribute.
    pub attribute: Attribute,
    /// Missing, or not to be met.
    pub operation: Operation,
    /// The value that the user gives, as the row has it; null for none.
    #[serde(default)]
    pub value: Value,
    /// Details of a lower number are clarified first.
    pub priority: f64,
    /// The question of the data set.
    pub question: String,
    /// The user's answer.
    pub answer: String,
}

/// A conversation: the request as it is first made, and what has to be clarified of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// The name of the task.
    pub id: String,
    /// `easy`, `medium` or `hard`.
    pub level: String,
    /// The request in the user's words.
    pub query: String,
    /// The request at the beginning.
    pub request: Request,
    /// The details in the order of clarification.
    pub details: Vec<Detail>,
}

impl Stop {
    /// Reads `Chicago on day 3`.
    fn read(text: &str) -> Option<Self> {
        let (city, _) = text.split_once(" on ")?;
        let day = text.split(" on day ").nth(1)?;
        Some(Self { city: city.trim().to_owned(), day: day.trim().parse().ok()? })
    }
}

impl Request {
    /// Sets what a detail settles.
    ///
    /// # Errors
    /// When the value does not fit the attribute; the text says why.
    pub fn apply(&mut self, detail: &Detail) -> Result<(), String> {
        self.set(detail.attribute, &detail.value)
    }

    /// The form of official rows, with -1 for a number that is not known.
    pub fn to_json(&self) -> Value {
        let fields = Attribute::ALL.map(|attribute| (attribute.key().to_owned(), self.get(attribute)));
        Value::Object(Map::from_iter(fields))
    }

    /// Reads what [`Request::to_json`] writes; what is not there is not known.
    ///
    /// # Errors
    /// When a value does not fit; the text says which and why.
    pub fn from_json(fields: &Value) -> Result<Self, String> {
        let mut request = Self::default();
        for attribute in Attribute::ALL {
            let value = fields.get(attribute.key()).unwrap_or(&Value::Null);
            request.set(attribute, value)?;
        }
        Ok(request)
    }

    /// The value of an attribute, as official rows write it.
    pub fn get(&self, attribute: Attribute) -> Value {
        let number = |number: Option<i64>| number.unwrap_or(UNKNOWN).into();
        match attribute {
            Attribute::Origin => self.origin.as_str().into(),
            Attribute::Destination => {
                self.stops.iter().map(|stop| format!("{} on day {}", stop.city, stop.day)).collect()
            }
            Attribute::Days => number(self.days),
            Attribute::Departure => self.departure.as_str().into(),
            Attribute::People => number(self.people),
            Attribute::Housing => json!(self.housing),
            Attribute::Cuisine => json!(self.cuisine),
            Attribute::Transportation => self.transportation.as_str().into(),
            Attribute::Budget => number(self.budget),
        }
    }

    /// Sets an attribute to a value as official rows write it; null for what is not known.
    ///
    /// # Errors
    /// When the value does not fit; the text says why.
    pub fn set(&mut self, attribute: Attribute, value: &Value) -> Result<(), String> {
        let unfit = |form: &str| {
            let (key, value) = (attribute.key(), shortened(value));
            format!("`{key}` is {value}; write {form}")
        };
        let text = || match value {
            Value::Null => Ok(String::new()),
            value => value.as_str().map(str::to_owned).ok_or_else(|| unfit("a text")),
        };
        let number = || whole(value).ok_or_else(|| unfit("a number"));
        let texts = || texts(value).ok_or_else(|| unfit("a list of texts"));
        match attribute {
            Attribute::Origin => self.origin = text()?,
            Attribute::Destination => {
                let stops = texts()?;
                let stops = stops.iter().map(|stop| Stop::read(stop));
                let stops: Option<_> = stops.collect();
                self.stops = stops.ok_or_else(|| unfit("a list such as `['Chicago on day 1']`"))?;
            }
            Attribute::Days => self.days = number()?,
            Attribute::Departure => self.departure = text()?,
            Attribute::People => self.people = number()?,
            Attribute::Housing => self.housing = texts()?,
            Attribute::Cuisine => self.cuisine = texts()?,
            Attribute::Transportation => self.transportation = text()?,
            Attribute::Budget => self.budget = number()?,
        }
        Ok(())
    }

    /// The cities to be visited, in order.
    pub fn cities(&self) -> Vec<&str> {
        self.stops.iter().map(|stop| stop.city.as_str()).collect()
    }
}

/// The number by which official rows say that a number is not known.
const UNKNOWN: i64 = -1;

/// A whole number, or none for one that is not known. Fractions are cut off. None at all if it is no number.
fn whole(value: &Value) -> Option<Option<i64>> {
    let number = match value {
        Value::Null => return Some(None),
        value => value.as_i64().or_else(|| value.as_f64().map(|float| float as i64))?,
    };
    Some(Some(number).filter(|number| *number != UNKNOWN))
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        value => value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
    }
}

/// A value for a message.
pub(super) fn shortened(value: &Value) -> String {
    let text: String = value.to_string().chars().take(60).collect();
    format!("`{}`", text.replace('`', "'"))
}

impl From<Request> for Value {
    fn from(request: Request) -> Self {
        request.to_json()
    }
}

impl TryFrom<Value> for Request {
    type Error = String;

    fn try_from(fields: Value) -> Result<Self, String> {
        Self::from_json(&fields)
    }
}

impl Conversation {
    /// How many turns it has: one more than details.
    pub fn turns(&self) -> usize {
        self.details.len() + 1
    }

    /// The request once so many details are settled. A value that does not fit changes nothing; rows with
    /// one are not loaded.
    pub fn state(&self, turn: usize) -> Request {
        let mut request = self.request.clone();
        for detail in self.details.iter().take(turn) {
            // Checked when the row was read.
            let _ = request.apply(detail);
        }
        request
    }
}

/// Puts details into the order in which they are clarified: by priority, and among equals as the original draws it.
pub fn clarification_order(details: Vec<Detail>) -> Vec<Detail> {
    let mut random = PythonRandom::new(SEED);
    let mut drawn: Vec<(f64, Detail)> = details.into_iter().map(|detail| (random.random(), detail)).collect();
    drawn.sort_by(|(draw, detail), (other_draw, other)| {
        detail.priority.total_cmp(&other.priority).then(draw.total_cmp(other_draw))
    });
    drawn.into_iter().map(|(_, detail)| detail).collect()
}

/// The seed of all of them.
const SEED: u64 = 42;

/// The draws of a task after those that order its details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws(PythonRandom);

impl Draws {
    /// The numbers after those that ordered so many details.
    pub fn after(details: usize) -> Self {
        let mut random = PythonRandom::new(SEED);
        for _ in 0..details {
            random.random();
        }
        Self(random)
    }

    /// The place of a choice among so many.
    pub fn choice(&mut self, among: usize) -> usize {
        self.0.randrange(among)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(attribute: Attribute, value: Value, priority: f64) -> Detail {
        Detail { attribute, operation: Operation::Add, value, priority, question: String::new(), answer: String::new() }
    }

    #[test]
    fn details_of_one_priority_are_drawn_as_recorded() {
        let order = |priorities: &[f64]| -> Vec<Value> {
            let details =
                priorities.iter().zip(0..).map(|(priority, place)| detail(Attribute::Days, place.into(), *priority));
            let ordered = clarification_order(details.collect());
            ordered.into_iter().map(|detail| detail.value).collect()
        };
        assert_eq!(order(&[0.0]), [0]);
        assert_eq!(order(&[0.0; 2]), [1, 0]);
        assert_eq!(order(&[0.0; 5]), [1, 3, 2, 0, 4]);
        assert_eq!(order(&[4.0, 0.0, 1.0]), [1, 2, 0]);
    }

    #[test]
    fn details_settle_what_is_missing() {
        let mut request = Request::default();
        let mut apply = |attribute, value| request.apply(&detail(attribute, value, 0.0));
        apply(Attribute::Days, json!(5.9)).unwrap();
        apply(Attribute::Destination, json!(["St. Paul on day 1", "Troy on day 3"])).unwrap();
        apply(Attribute::Housing, Value::Null).unwrap();
        apply(Attribute::Budget, json!(900)).unwrap();
        apply(Attribute::Budget, Value::Null).unwrap();
        let problem = apply(Attribute::People, json!("two")).unwrap_err();
        assert_eq!(problem, "`people_number` is `\"two\"`; write a number");
        assert!(apply(Attribute::Destination, json!(["Troy"])).is_err());
        assert_eq!(request.cities(), ["St. Paul", "Troy"]);
        assert_eq!((request.days, request.budget), (Some(5), None));
        let written = request.to_json();
        assert_eq!(written["dest"][1], "Troy on day 3");
        assert_eq!((&written["people_number"], &written["org"]), (&json!(-1), &json!("")));
        assert_eq!(Request::from_json(&written), Ok(request));
    }

    #[test]
    fn choices_are_those_of_python() {
        let among = [20, 20, 20, 20, 17, 5, 1, 2, 3, 100, 12, 12];
        for (details, expected) in
            [(0, [3, 0, 8, 7, 7, 1, 0, 0, 2, 54, 0, 0]), (3, [7, 4, 3, 17, 2, 4, 0, 0, 0, 11, 3, 3])]
        {
            let mut draws = Draws::after(details);
            assert_eq!(among.map(|among| draws.choice(among)), expected);
        }
    }
}
