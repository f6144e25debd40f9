//! How answers are drawn: `[models.<name>.sampling]`, and `[sampling]` of a persona card.

use crate::config::node::Kind;
use crate::config::walk::Section;
use crate::ports::model::Sampling;

/// The most stop sequences; servers take fewer.
const MOST_STOPS: usize = 64;

/// Reads the table.
pub(in crate::config) fn sampling(section: &mut Section<'_>) -> Sampling {
    let sampling = Sampling {
        temperature: section.number("temperature", 0.0, 100.0),
        top_p: section.number("top_p", 1e-9, 1.0),
        max_tokens: section.count("max_tokens", 1, 1_000_000_000),
        stop: stop(section),
    };
    section.finish();
    sampling
}

fn stop(section: &mut Section<'_>) -> Vec<String> {
    let items = section.list("stop").unwrap_or_default();
    let mut stop = Vec::new();
    for item in items {
        match &item.kind {
            Kind::Text(text) if !text.is_empty() => stop.push(text.clone()),
            Kind::Text(_) => {
                section.wrong(
                    "stop",
                    "holds an empty text, which is everywhere".to_owned(),
                );
            }
            other => {
                let found = other.describe();
                section.wrong("stop", format!("holds {found}; every item must be a text"));
            }
        }
    }
    if items.len() > MOST_STOPS {
        let problem = format!("holds more than {MOST_STOPS} texts");
        section.wrong("stop", problem);
    }
    stop
}
