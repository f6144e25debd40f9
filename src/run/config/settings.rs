//! The tables of settings that belong to no implementation, and what they are read with.

use super::parameters::values;
use super::plan::{Limits, RunSettings, ServeSettings};
use super::queue::QueueSettings;
use super::recorded::SettingsRecord;
use super::tasks::Selection;
use super::walk::Section;
use rolecall_core::domain::Shard;
use rolecall_core::ports::model::{
    CacheSettings, Capabilities, ModelLimits, ModelSettings, Prices, RetrySettings, Sampling, Timeouts,
};
use rolecall_core::ports::{Parameter, ParameterValue, Settings};

/// The tables of settings: the heading of each in a config, and its parameters.
pub fn settings_tables() -> [(&'static str, &'static [Parameter]); 13] {
    [
        ("run", RunSettings::PARAMETERS),
        ("tasks", Selection::PARAMETERS),
        ("limits", Limits::PARAMETERS),
        ("cache", CacheSettings::PARAMETERS),
        ("serve", ServeSettings::PARAMETERS),
        ("queue", QueueSettings::PARAMETERS),
        ("models.NAME", ModelSettings::PARAMETERS),
        ("models.NAME.sampling", Sampling::PARAMETERS),
        ("models.NAME.limits", ModelLimits::PARAMETERS),
        ("models.NAME.retries", RetrySettings::PARAMETERS),
        ("models.NAME.timeouts", Timeouts::PARAMETERS),
        ("models.NAME.prices", Prices::PARAMETERS),
        ("models.NAME.capabilities", Capabilities::PARAMETERS),
    ]
}

/// Reads the settings of a table, and writes them for the record.
pub(super) fn settings<T: Settings>(section: &mut Section<'_>) -> (T, SettingsRecord) {
    let values = values(section, T::PARAMETERS);
    section.finish();
    (T::of(&values), SettingsRecord::of(T::PARAMETERS, &values))
}

/// Reads the table `run`.
pub(super) fn run_settings(top: &mut Section<'_>) -> (RunSettings, SettingsRecord) {
    let mut section = top.section("run");
    let mut values = values(&mut section, RunSettings::PARAMETERS);
    section.finish();
    if values.text("logs") == Some("") {
        section.wrong("logs", "is empty; it must be a folder");
    }
    let shard = values.text("shard").map(str::parse::<Shard>);
    if let Some(Err(error)) = shard {
        section.wrong("shard", error.to_string());
    }
    if values.integer("arbiters").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        values = values.with("arbiters", ParameterValue::Integer(cores));
    }
    let record = SettingsRecord::of(RunSettings::PARAMETERS, &values);
    (RunSettings::of(&values), record)
}

/// Reads the table `limits` of a cell.
pub(super) fn limits(top: &mut Section<'_>) -> (Limits, SettingsRecord) {
    let mut section = top.section("limits");
    // Messages list the allowed keys in the order in which they are asked for: these come early.
    for key in ["steps", "questions", "model_calls", "attempts", "answer_bytes"] {
        section.node(key);
    }
    settings(&mut section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::log::{LogSettings, Sync};
    use rolecall_core::ports::model::{CacheMode, Endpoint, ScoringMethod};
    use rolecall_core::ports::{ParameterKind, Parameters};

    #[test]
    fn every_word_of_a_choice_stands_for_something() {
        let mut choices = 0;
        for parameter in settings_tables().into_iter().flat_map(|(_, table)| table) {
            let ParameterKind::Choice { words } = parameter.kind else {
                continue;
            };
            choices += 1;
            for word in words {
                let text = ParameterValue::Text((*word).to_owned());
                let values = Parameters::default().with(parameter.name, text);
                let known = match parameter.name {
                    "sync" => values.word::<Sync>("sync").is_some(),
                    "mode" => values.word::<CacheMode>("mode").is_some(),
                    "endpoint" => values.word::<Endpoint>("endpoint").is_some(),
                    "scoring" => values.word::<ScoringMethod>("scoring").is_some(),
                    _ => false,
                };
                assert!(known, "{} = {word}", parameter.name);
            }
        }
        assert_eq!(choices, 4);
    }

    #[test]
    fn a_log_has_the_same_defaults_with_and_without_a_config() {
        assert_eq!(RunSettings::usual().log, LogSettings::default());
    }

    #[test]
    fn every_default_could_be_written() {
        for parameter in settings_tables().into_iter().flat_map(|(_, table)| table) {
            let good = match (parameter.kind, parameter.default()) {
                (ParameterKind::Integer { min, max, .. }, Some(ParameterValue::Integer(own))) => {
                    (min..=max).contains(&own)
                }
                (ParameterKind::Number { min, max, .. }, Some(ParameterValue::Number(own))) => {
                    (min..=max).contains(&own)
                }
                _ => true,
            };
            assert!(good, "{}", parameter.name);
        }
    }
}
