//! The figures of one episode by name, in the order of the table of metrics.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::packed;
use crate::ports::Measurement;

/// Measurements by metric. Written as an object: a rate as true or false, a quantity as a number,
/// a share as an object with `hits` and `n`, a sum as one with `sum` and `n`, an absent one as null.
#[derive(Clone, Default)]
pub struct Measures {
    /// Shared by all results of a run that have the same metrics.
    names: Arc<Vec<Cow<'static, str>>>,
    /// Each figure as [`packed`] writes it: a run may have a million results.
    figures: Vec<u8>,
}

thread_local! {
    /// The names of the result before.
    static BEFORE: RefCell<Arc<Vec<Cow<'static, str>>>> = RefCell::default();
}

impl Measures {
    /// Adds a figure, as far as it is [sound](Measurement::sound).
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, figure: Measurement) {
        Arc::make_mut(&mut self.names).push(name.into());
        packed::write(figure.sound(), &mut self.figures);
    }

    /// Makes figures that are complete small: a run has many results, and most have the same names.
    #[must_use]
    pub(super) fn complete(mut self) -> Self {
        self.figures.shrink_to_fit();
        BEFORE.with_borrow_mut(|before| {
            if *before == self.names {
                self.names = Arc::clone(before);
            } else {
                *before = Arc::clone(&self.names);
            }
        });
        self
    }

    /// The figure of that name; absent if there is none.
    pub fn get(&self, name: &str) -> Measurement {
        let place = self.names.iter().position(|known| known == name);
        place.and_then(|place| packed::nth(&self.figures, place)).unwrap_or(Measurement::Absent)
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Names and figures in order.
    fn each(&self) -> impl Iterator<Item = (&str, Measurement)> {
        self.names().zip(packed::read(&self.figures))
    }
}

impl PartialEq for Measures {
    fn eq(&self, other: &Self) -> bool {
        self.each().eq(other.each())
    }
}

impl fmt::Debug for Measures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.each()).finish()
    }
}

/// How a share is written, and a sum.
#[derive(Default, Serialize, Deserialize)]
struct Many {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<f64>,
    n: u64,
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, measurement) in self.each() {
            match measurement {
                Measurement::Rate(yes) => map.serialize_entry(name, &yes)?,
                Measurement::Value(value) => map.serialize_entry(name, &value)?,
                Measurement::Share { hits, n } => {
                    let (hits, sum) = (Some(hits), None);
                    map.serialize_entry(name, &Many { hits, sum, n })?;
                }
                Measurement::Sum { sum, n } => {
                    let (hits, sum) = (None, Some(sum));
                    map.serialize_entry(name, &Many { hits, sum, n })?;
                }
                Measurement::Absent => map.serialize_entry(name, &())?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// A measurement as it is written. Long lists of results are read again and again, so nothing is
/// tried that may fail.
struct Written(Measurement);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Figure)
    }
}

struct Figure;

impl<'de> Visitor<'de> for Figure {
    type Value = Written;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("true, false, a number, hits of n or null")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Written, E> {
        Ok(Written(Measurement::Rate(yes)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Written, E> {
        Ok(Written(Measurement::Value(value)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Written, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Written, E> {
        self.visit_f64(value as f64)
    }

    fn visit_unit<E>(self) -> Result<Written, E> {
        Ok(Written(Measurement::Absent))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
        let Many { hits, sum, n } = Many::deserialize(MapAccessDeserializer::new(map))?;
        let missing = || serde::de::Error::missing_field("hits");
        let measurement = match (hits, sum) {
            (Some(hits), _) => Measurement::Share { hits, n },
            (None, Some(sum)) => Measurement::Sum { sum, n },
            (None, None) => return Err(missing()),
        };
        Ok(Written(measurement))
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Measures;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of figures")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measures, A::Error> {
        let mut measures = Measures::default();
        while let Some((name, written)) = map.next_entry::<String, Written>()? {
            measures.add(name, written.0);
        }
        Ok(measures.complete())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_they_are_written() {
        let mut measures = Measures::default();
        measures.add("success", Measurement::Rate(true));
        measures.add("steps", Measurement::Value(12.0));
        measures.add("reward", Measurement::Value(0.1 + 0.2));
        measures.add("odd", Measurement::Value(f64::NAN));
        measures.add("slots", Measurement::Share { hits: 9, n: 7 });
        measures.add("none", Measurement::Share { hits: 0, n: 0 });
        measures.add("turns", Measurement::Sum { sum: 2.5, n: 4 });
        measures.add("no turns", Measurement::Sum { sum: 0.0, n: 0 });
        let text = serde_json::to_string(&measures).unwrap();
        let expected = r#"{"success":true,"steps":12.0,"reward":0.30000000000000004,"odd":null"#;
        assert_eq!(
            text,
            format!(
                r#"{expected},"slots":{{"hits":7,"n":7}},"none":null,"turns":{{"sum":2.5,"n":4}},"no turns":null}}"#
            )
        );
        assert_eq!(serde_json::from_str::<Measures>(&text).unwrap(), measures);
        assert_eq!(measures.get("none"), Measurement::Absent);
        // As other programs may write numbers; anything but a figure is refused.
        let others: Measures = serde_json::from_str(r#"{"a":3,"b":-2}"#).unwrap();
        assert_eq!(others.get("a"), Measurement::Value(3.0));
        assert_eq!(others.get("b"), Measurement::Value(-2.0));
        for wrong in [r#"{"a":"3"}"#, r#"{"a":[3,4]}"#, r#"{"a":{"hits":3}}"#, r#"{"a":{"n":3}}"#] {
            assert!(serde_json::from_str::<Measures>(wrong).is_err(), "{wrong}");
        }
    }
}
