//! Parameters and settings as records write them.

use serde::{Serialize, Serializer};

use super::error::{NOT_WRITTEN, is_secret};
use super::secrets::hide;
use rolecall_core::domain::RoleName;
use rolecall_core::maps::ordered;
use rolecall_core::ports::{Parameter, ParameterValue, Parameters};

/// Settings as the record writes them, in the order of their table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsRecord(Vec<(&'static str, toml::Value)>);

impl SettingsRecord {
    /// The value of a setting, if it has one.
    pub fn get(&self, name: &str) -> Option<&toml::Value> {
        self.0.iter().find(|(setting, _)| *setting == name).map(|(_, value)| value)
    }

    pub(super) fn of(table: &[Parameter], values: &Parameters) -> Self {
        let mut values = recorded(values);
        let written = |parameter: &Parameter| Some((parameter.name, values.remove(parameter.name)?));
        Self(table.iter().filter_map(written).collect())
    }

    /// Every setting that is not absent.
    pub fn iter(&self) -> impl Iterator<Item = &(&'static str, toml::Value)> {
        self.0.iter()
    }

    /// Whether the setting has a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a setting that is a text; empty if it is absent or none.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).and_then(toml::Value::as_str).unwrap_or_default()
    }
}

impl Serialize for SettingsRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Parameters as the record writes them: texts of secret keys are not written.
pub(super) fn recorded(parameters: &Parameters) -> toml::Table {
    ordered(parameters.iter().map(|(name, value)| (name.to_owned(), written(name, value))))
}

fn written(name: &str, value: &ParameterValue) -> toml::Value {
    match value {
        ParameterValue::Text(_) | ParameterValue::Path(_) | ParameterValue::List(_) | ParameterValue::Free(_)
            if is_secret(name) =>
        {
            NOT_WRITTEN.into()
        }
        ParameterValue::Text(text) => toml::Value::from(text.as_str()),
        ParameterValue::Integer(number) => (*number).into(),
        ParameterValue::Number(number) => (*number).into(),
        ParameterValue::Flag(flag) => (*flag).into(),
        ParameterValue::Path(path) => path.display().to_string().into(),
        ParameterValue::Roles(roles) => roles.iter().map(RoleName::as_str).collect::<Vec<_>>().into(),
        ParameterValue::List(texts) => texts.clone().into(),
        ParameterValue::Command(command) => command.arguments.clone().into(),
        // It came from TOML, so that it is nothing that TOML has not.
        ParameterValue::Free(value) => {
            let mut shown = value.clone();
            hide(name, &mut shown);
            toml::Value::try_from(shown).unwrap_or_else(|_| NOT_WRITTEN.into())
        }
        ParameterValue::Table(table) => {
            toml::Value::Table(ordered(table.iter().map(|(key, value)| (key.clone(), written(key, value)))))
        }
    }
}
