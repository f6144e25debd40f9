//! The model that a server offers, as it names it itself.

use serde_json::{Map, Value};
use tokio::time::timeout;

use super::failure::{Said, failed, late, read};
use super::http::Http;
use crate::models::{Failed, ServedModel};
use crate::ports::model::RequestHash;

/// Fields that change while the model is the same.
const VOLATILE: [&str; 4] = ["permission", "status", "loaded", "last_used"];
/// Servers that write the time of their start into `created`; others mean the model.
const STARTED: [&str; 2] = ["llamacpp", "vllm"];
/// What llama.cpp tells of its model besides.
const PROPERTIES: [&str; 3] = ["model_path", "chat_template", "build_info"];

/// Asks for the model that the config names, or for the only one that there is. None if the server has no list of
/// models, or tells no more of them than names.
pub(super) async fn served(http: &Http) -> Result<Option<ServedModel>, Failed> {
    // Whoever has a list has it at once.
    let telling = timeout(http.settings.timeouts.connect, told(http)).await;
    telling.unwrap_or_else(|_| Err(late("connect_seconds")))
}

async fn told(http: &Http) -> Result<Option<ServedModel>, Failed> {
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
        let is_start = field == "created" && STARTED.contains(&owner);
        !is_start && !VOLATILE.contains(&field.as_str()) && !value.is_null()
    });
    if told.keys().all(|field| matches!(field.as_str(), "id" | "object")) {
        return Ok(None);
    }
    if owner == STARTED[0]
        && let Ok(answer) = http.get(&http.address().own("props")).await
        && let Ok(properties) = read::<Value>(&answer.body)
    {
        told.extend(PROPERTIES.map(|name| (name.to_owned(), properties[name].clone())));
    }
    let name = model.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let fingerprint = RequestHash::of(&[Value::Object(told).to_string().as_bytes()]).to_string();
    Ok(Some(ServedModel { name, fingerprint }))
}
