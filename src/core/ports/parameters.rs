//! The checked parameters of an implementation, as it reads them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::de::value::{self, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;

use super::parameter::{CommandLine, Parameter, ParameterValue};
use crate::domain::RoleName;
use crate::maps::ordered;

/// The checked parameters of one implementation, defaults filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters(BTreeMap<&'static str, ParameterValue>);

impl Parameters {
    /// Takes over values that were checked against an implementation's table.
    pub fn new(values: impl IntoIterator<Item = (&'static str, ParameterValue)>) -> Self {
        Self(ordered(values))
    }

    /// Sets one of them to another value, which was checked as well.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: ParameterValue) -> Self {
        self.0.insert(name, value);
        self
    }

    /// The defaults of a table.
    pub fn defaults(table: &[Parameter]) -> Self {
        let usual = table.iter();
        Self::new(usual.filter_map(|parameter| Some((parameter.name, parameter.default()?))))
    }

    /// Every value that is not absent, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &ParameterValue)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// The text, or nothing if it is absent or not a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(ParameterValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The choice of that word, as serde reads it, or nothing if it is absent or none.
    pub fn word<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let word: StrDeserializer<'_, value::Error> = self.text(name)?.into_deserializer();
        T::deserialize(word).ok()
    }

    /// The choice of that word, as serde reads it; the default if it is absent or none.
    pub fn choice<T: DeserializeOwned + Default>(&self, name: &str) -> T {
        self.word(name).unwrap_or_default()
    }

    /// The whole number, or nothing if it is absent or not one.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.0.get(name) {
            Some(ParameterValue::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// The whole number as one of another type, or nothing if it is absent or none of that.
    pub fn whole<N: TryFrom<i64>>(&self, name: &str) -> Option<N> {
        N::try_from(self.integer(name)?).ok()
    }

    /// The number, or nothing if it is absent or not one.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.0.get(name) {
            Some(ParameterValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The number as a time in seconds, or nothing if it is absent or no time.
    pub fn seconds(&self, name: &str) -> Option<Duration> {
        Duration::try_from_secs_f64(self.number(name)?).ok()
    }

    /// The flag; an absent one is false.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(ParameterValue::Flag(true)))
    }

    /// The path, or nothing if it is absent or not one.
    pub fn path(&self, name: &str) -> Option<&Path> {
        match self.0.get(name) {
            Some(ParameterValue::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// The roles in order; none if they are absent or not roles.
    pub fn roles(&self, name: &str) -> &[RoleName] {
        match self.0.get(name) {
            Some(ParameterValue::Roles(roles)) => roles,
            _ => &[],
        }
    }

    /// The texts of a list in order; none if it is absent or no list.
    pub fn list(&self, name: &str) -> &[String] {
        match self.0.get(name) {
            Some(ParameterValue::List(texts)) => texts,
            _ => &[],
        }
    }

    /// The program, or nothing if it is absent or none.
    pub fn command(&self, name: &str) -> Option<&CommandLine> {
        match self.0.get(name) {
            Some(ParameterValue::Command(command)) => Some(command),
            _ => None,
        }
    }

    /// The table of anything, or nothing if it is absent or none.
    pub fn free(&self, name: &str) -> Option<&Value> {
        match self.0.get(name) {
            Some(ParameterValue::Free(value)) => Some(value),
            _ => None,
        }
    }

    /// The keys of a table with their values; none if it is absent or no table.
    pub fn table(&self, name: &str) -> impl Iterator<Item = (&str, &ParameterValue)> {
        let table = match self.0.get(name) {
            Some(ParameterValue::Table(table)) => Some(table),
            _ => None,
        };
        table.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
}
