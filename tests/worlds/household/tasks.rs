//! Task sources of household games, built as the registry builds them.

use std::sync::Arc;

use rolecall::ports::{EnvironmentSetup, ParameterValue, Parameters, SetupError, TaskSource};

pub(super) type Parameter = (&'static str, ParameterValue);

pub(super) fn text(value: &str) -> ParameterValue {
    ParameterValue::Text(value.to_owned())
}

pub(super) fn build(values: &[Parameter]) -> Result<Arc<dyn TaskSource>, SetupError> {
    let entry = rolecall::worlds().environments.into_iter().find(|entry| entry.name == "household");
    let setup = EnvironmentSetup { parameters: Parameters::new(values.iter().cloned()), ..EnvironmentSetup::default() };
    (entry.unwrap().build)(&setup)
}
