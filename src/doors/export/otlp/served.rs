//! Models as their servers know them, and how they were asked.

use reqwest::Url;
use serde_json::Value;

use super::names;
use super::wire::attribute;
use rolecall_core::ports::model::{Completion, Format, ModelRequest};
use rolecall_run::config::Plan;
use rolecall_run::runtime::SentRequest;

/// Who is a provider by the host of its server.
const KNOWN: [(&str, &str); 2] = [("api.openai.com", "openai"), ("api.deepseek.com", "deepseek")];

/// How an answer was drawn.
pub(super) fn drawn(sent: &SentRequest) -> Vec<Value> {
    let mut drawn = Vec::new();
    for (field, name) in names::SAMPLING {
        if let Some(value) = sent.settings.get(field).filter(|value| value.is_number()) {
            drawn.push(attribute(name, value.clone()));
        }
    }
    if let Some(stop) = sent.settings.get("stop").filter(|stop| stop.is_array()) {
        drawn.push(attribute(names::STOP_SEQUENCES, stop.clone()));
    }
    let json = matches!(&sent.request, ModelRequest::Complete(Completion { format: Format::Json { .. }, .. }));
    drawn.push(attribute(names::OUTPUT_TYPE, if json { "json" } else { "text" }.into()));
    drawn
}

/// A model as its server knows it.
pub(super) struct Served {
    pub(super) model: String,
    pub(super) provider: String,
    pub(super) url: Option<Url>,
    pub(super) chat: bool,
}

impl Served {
    pub(super) fn of(plan: &Plan, name: &str) -> Self {
        let settings = plan.model_settings.iter().find(|own| own.profile.name == name);
        let url = settings.and_then(|own| Url::parse(&own.base_url).ok());
        let host = url.as_ref().and_then(Url::host_str);
        let known = KNOWN.iter().find(|(known, _)| Some(*known) == host);
        let model = settings.map(|own| own.profile.model.clone());
        Self {
            model: model.filter(|model| !model.is_empty()).unwrap_or_else(|| name.to_owned()),
            provider: known.map_or(name, |(_, provider)| provider).to_owned(),
            url,
            chat: settings.is_none_or(|own| own.profile.chat),
        }
    }
}
