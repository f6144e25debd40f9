//! The tables of settings that belong to no implementation, and what they are read with.

use super::node::Node;
use super::parameters::{as_recorded, values};
use super::plan::{Cell, Limits, QueueSettings, RunSettings, ServeSettings};
use super::recorded::SettingsRecord;
use super::walk::Section;
use rolecall_core::domain::{CellName, Shard};
use rolecall_core::ports::model::{
    CacheSettings, Capabilities, ModelLimits, ModelSettings, Prices, Reasoning, RetrySettings, Sampling, Timeouts,
};
use rolecall_core::ports::settings::settings;
use rolecall_core::ports::{Parameter, ParameterValue, Settings};

/// The tables of settings: the heading of each in a config, and its parameters.
pub fn settings_tables() -> [(&'static str, &'static [Parameter]); 14] {
    [
        ("run", RunSettings::PARAMETERS),
        ("tasks", Selection::PARAMETERS),
        ("limits", Limits::PARAMETERS),
        ("cache", CacheSettings::PARAMETERS),
        ("serve", ServeSettings::PARAMETERS),
        ("queue", QueueSettings::PARAMETERS),
        ("models.NAME", ModelSettings::PARAMETERS),
        ("models.NAME.sampling", Sampling::PARAMETERS),
        ("models.NAME.reasoning", Reasoning::PARAMETERS),
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
    if let Some(Err(error)) = values.text("shard").map(str::parse::<Shard>) {
        section.wrong("shard", error.to_string());
    }
    if values.integer("arbiters").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        values = values.with("arbiters", ParameterValue::Integer(cores));
    }
    (RunSettings::of(&values), SettingsRecord::of(RunSettings::PARAMETERS, &values))
}

/// Reads the table `limits` of a cell.
pub(super) fn limits(top: &mut Section<'_>, cell: &CellName) -> (Limits, SettingsRecord) {
    let mut section = top.section("limits");
    // Messages list the allowed keys in the order in which they are asked for: these come early.
    for key in ["steps", "questions", "model_calls", "attempts", "answer_bytes"] {
        section.node(key);
    }
    let values = values(&mut section, Limits::PARAMETERS);
    let values = as_recorded(&section, Limits::PARAMETERS, values, section.context.recorded(cell, "limits"));
    section.finish();
    (Limits::of(&values), SettingsRecord::of(Limits::PARAMETERS, &values))
}

settings! {
    /// The tasks that the config asks for.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Selection {
        limit: Option<usize> = integer("limit", None, 1..=u32::MAX as i64),
            "the number of tasks that are played";
        offset: usize = integer("offset", Some(0), 0..=u32::MAX as i64),
            "the number of tasks that are left out first";
    }
}

impl Selection {
    /// The tasks as indices into the sources of the cells, of which each plays those that it has:
    /// so limit and offset hold for each. Nothing if a cell is left without any.
    pub(super) fn of(&self, top: &Section<'_>, written: Option<&Node>, cells: &[Cell]) -> Option<Vec<usize>> {
        let fewest = cells.iter().min_by_key(|cell| cell.tasks.len())?;
        let most = cells.iter().map(|cell| cell.tasks.len()).max()?;
        let (count, offset) = (fewest.tasks.len(), self.offset);
        let whose = match count == most {
            true => String::new(),
            false => format!(" of the cell `{}`", fewest.name),
        };
        if count == 0 {
            top.wrong("environment", format!("{whose} has no tasks").trim_start());
            return None;
        }
        if offset >= count {
            let last = count - 1;
            let problem = format!(
                "is `{offset}`; it must be a whole number from 0 to {last}, for there are {count} \
                 tasks{whose}"
            );
            top.section_of("tasks", written).wrong("offset", problem);
            return None;
        }
        Some((offset..offset.saturating_add(self.limit.unwrap_or(most)).min(most)).collect())
    }
}

#[cfg(test)]
mod tests {
    use rolecall_core::log::{LogSettings, Sync};
    use rolecall_core::ports::model::{CacheMode, Endpoint, ScoringMethod, SystemPlace};
    use rolecall_core::ports::{ParameterKind, Parameters};

    use super::*;

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
                    "system" => values.word::<SystemPlace>("system").is_some(),
                    // These are words where they are used.
                    "sampling_of" | "same_speaker" | "effort" | "spelling" => true,
                    _ => false,
                };
                assert!(known, "{} = {word}", parameter.name);
            }
        }
        assert_eq!(choices, 9);
    }

    #[test]
    fn a_log_has_the_same_defaults_with_and_without_a_config() {
        assert_eq!(RunSettings::usual().log, LogSettings::default());
    }

    #[test]
    fn every_default_could_be_written() {
        for parameter in settings_tables().into_iter().flat_map(|(_, table)| table) {
            let good = match (parameter.kind, parameter.default()) {
                (ParameterKind::Integer { min, max, .. }, Some(ParameterValue::Integer(default))) => {
                    (min..=max).contains(&default)
                }
                (ParameterKind::Number { min, max, .. }, Some(ParameterValue::Number(default))) => {
                    (min..=max).contains(&default)
                }
                _ => true,
            };
            assert!(good, "{}", parameter.name);
        }
    }
}
