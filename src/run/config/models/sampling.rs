//! Sampling of answers: `[models.<name>.sampling]`, and `[sampling]` of a persona card.

use crate::config::node::Kind;
use crate::config::parameters::values;
use crate::config::recorded::SettingsRecord;
use crate::config::walk::Section;
use rolecall_core::ports::model::Sampling;
use rolecall_core::ports::{ParameterValue, Settings};

/// The most stop sequences; servers take fewer.
const MOST_STOPS: usize = 64;

/// Reads the table.
pub(in crate::config) fn sampling(section: &mut Section<'_>) -> (Sampling, SettingsRecord) {
    let [own @ .., _] = Sampling::PARAMETERS else {
        return Default::default();
    };
    let mut values = values(section, own);
    let stop = stop(section);
    if !stop.is_empty() {
        values = values.with("stop", ParameterValue::List(stop));
    }
    section.finish();
    let record = SettingsRecord::of(Sampling::PARAMETERS, &values);
    (Sampling::of(&values), record)
}

/// The last of the settings, which may hold less than other lists.
fn stop(section: &mut Section<'_>) -> Vec<String> {
    let items = section.list("stop").unwrap_or_default();
    let mut stop = Vec::new();
    for item in items {
        let problem = match &item.kind {
            Kind::Text(text) if !text.is_empty() => {
                stop.push(text.clone());
                continue;
            }
            Kind::Text(_) => "holds an empty text, which is everywhere".to_owned(),
            other => format!("holds {}; every item must be a text", other.describe()),
        };
        section.wrong("stop", problem);
    }
    if items.len() > MOST_STOPS {
        let problem = format!("holds more than {MOST_STOPS} texts");
        section.wrong("stop", problem);
    }
    stop
}
