//! The player's memory from task to task, and hints of where objects are likely to be.

use serde::Deserialize;
use serde_json::Value;

use super::KnownReceptacle;

/// The player's memory when the next task in the same room begins (ABA section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Recall {
    /// Nothing.
    #[default]
    None,
    /// The memory of a fallible reader: objects of those classes that earlier tasks named, as far as it
    /// knew of them when those tasks ended.
    Model,
    /// Everything that was seen or told, from [`Sightings`](crate::environments::household::memory::Sightings).
    Module,
}

/// Where objects of a class are likely to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// The class.
    class: Box<str>,
    /// Receptacles, or classes of them.
    places: Vec<Box<str>>,
}

impl Hint {
    /// Reads the private part `likely_places`: a list of texts such as `mug: countertop, cabinet 2`.
    pub(super) fn read(part: &Value) -> Vec<Self> {
        let lines = part.as_array().map_or(&[][..], Vec::as_slice).iter();
        let hints = lines.filter_map(|line| {
            let (class, places) = line.as_str()?.split_once(':')?;
            let places = places.split(',').map(str::trim);
            let places = places.filter(|place| !place.is_empty()).map(Box::from);
            Some(Self { class: class.trim().into(), places: places.collect() })
        });
        hints.collect()
    }

    /// Objects of the class are likely to be in these receptacles.
    pub(super) fn of(class: &str, places: Vec<Box<str>>) -> Self {
        Self { class: class.into(), places }
    }

    /// Whether this is about objects of the class and the receptacle.
    pub(super) fn names(&self, class: &str, receptacle: &KnownReceptacle) -> bool {
        let mut places = self.places.iter().map(|named| &**named);
        *self.class == *class && places.any(|named| named == &*receptacle.name || named == receptacle.class())
    }
}
