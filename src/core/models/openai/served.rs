//! The model that a server offers, as it names it itself.

use serde_json::{Map, Value};
use tokio::time::timeout;

use super::failure::{Said, failed, late, read};
use super::http::Http;
use crate::models::{Failed, ServedModel};
use crate::ports::model::RequestHash;

/// Fields that change while the model is the same, or are the same for every model.
const SAYING_NOTHING: [&str; 9] =
    ["id", "object", "created", "owned_by", "parent", "permission", "status", "loaded", "last_used"];
/// The owner by which Ollama is known: it writes into `created` when the model was changed.
const OLLAMA: &str = "library";
/// The owner by which llama.cpp is known, and what it tells of its model besides.
const LLAMA: &str = "llamacpp";
const PROPERTIES: [&str; 3] = ["model_path", "chat_template", "build_info"];

/// Asks for the model that the config names, or for the only one that there is. None if the server has no list of
/// models, or tells no more of them than names.
pub(super) async fn served(http: &Http) -> Result<Option<ServedModel>, Failed> {
    // Whoever has a list has it at once.
    let telling = timeout(http.settings.timeouts.connect, listed(http)).await;
    telling.unwrap_or_else(|_| Err(late("connect_seconds")))
}

async fn listed(http: &Http) -> Result<Option<ServedModel>, Failed> {
    let answer = http.get(&http.address().versioned("models")).await?;
    match answer.status {
        200..=299 => {}
        401 | 403 | 408 | 429 | 500.. => {
            return Err(failed(answer.status, &Said::of_body(&answer.body), None, http.secrets().into_iter()));
        }
        _ => return Ok(None),
    }
    let Ok(list) = read::<Value>(&answer.body) else {
        return Ok(None);
    };
    let models = list["data"].as_array().map_or(&[][..], Vec::as_slice);
    let is_asked = |model: &&Value| model["id"] == *http.settings.profile.model;
    let Some(Value::Object(model)) = models.iter().find(is_asked).or(models.first().filter(|_| models.len() == 1))
    else {
        return Ok(None);
    };
    let owner = model.get("owned_by").and_then(Value::as_str).unwrap_or_default();
    let mut told: Map<String, Value> = model.clone();
    told.retain(|field, value| {
        let is_of_ollama = field == "created" && owner == OLLAMA;
        !value.is_null() && (is_of_ollama || !SAYING_NOTHING.contains(&field.as_str()))
    });
    if owner == LLAMA {
        let answer = http.get(&http.address().own("props")).await?;
        // While it loads a model it has a list already.
        if answer.status == 503 {
            return Err(http.refused(&answer));
        }
        let properties: Value = read(&answer.body).unwrap_or_default();
        told.extend(PROPERTIES.map(|name| (name.to_owned(), properties[name].clone())));
    }
    if told.is_empty() {
        return Ok(None);
    }
    let name = model.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let fingerprint = RequestHash::of(&[Value::Object(told).to_string().as_bytes()]).to_string();
    Ok(Some(ServedModel { name, fingerprint }))
}
