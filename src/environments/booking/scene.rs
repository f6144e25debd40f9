//! How readers are shown a conversation: what the user wants at the side, and in the middle what was said, with calls
//! and their results in short.

use std::collections::BTreeMap;

use serde_json::Value;

use super::private::Wanted;
use crate::domain::{Message, Move, Observation, Scene, SceneLine};
use crate::ports::EpisodeLog;
use crate::text::joined;

/// Records that are named.
const NAMED: usize = 3;

/// The scene of a conversation; none of an episode of another world.
pub(super) fn scene(log: &EpisodeLog<'_>) -> Option<Scene> {
    let wanted = Wanted::of_log(log)?;
    let facts = [("id", log.opened()?.task.id.clone()), ("goal", wanted.message.join("\n"))];
    let mut lines = BTreeMap::new();
    let mut said = None;
    for event in &log.events {
        let line = match &event.message {
            Message::Brief(_) => Some(SceneLine::Hidden),
            Message::Moved(Move::Speak { text, .. }) => {
                said = Some(text);
                None
            }
            Message::Told(told) if said.take() == Some(&told.text) => Some(SceneLine::Hidden),
            Message::Observed(seen) => Some(shown(seen)),
            Message::Scored(scored) => Some(SceneLine::Short(score(&scored.score.detail))),
            _ => None,
        };
        lines.extend(line.map(|line| (event.seq, line)));
    }
    Some(Scene {
        title: "What the user wants".to_owned(),
        facts: facts.map(|(name, text)| (name.to_owned(), text)).into(),
        lines,
    })
}

fn shown(seen: &Observation) -> SceneLine {
    let call = seen.data.as_deref().and_then(|data| data.get("call"));
    match call {
        Some(call) => SceneLine::Short(result(call, &seen.text)),
        None if seen.text.is_empty() => SceneLine::Hidden,
        None => SceneLine::Said(seen.text.clone()),
    }
}

/// What came of a call: a word for it, and the names of what was found.
fn result(call: &Value, text: &str) -> String {
    let outcome = call["outcome"].as_str().unwrap_or_default();
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let name = |record: &Value| {
        let name = record.get("name").or_else(|| record.get("trainID"))?;
        Some(name.as_str()?.to_owned())
    };
    match (&answer["result"], outcome) {
        (Value::Array(found), _) if !found.is_empty() => {
            let rest = (found.len() > NAMED).then(|| "...".to_owned());
            let names = found.iter().filter_map(name).take(NAMED).chain(rest);
            format!("{} {outcome}: {}", found.len(), joined(names))
        }
        (_, "nothing") => "nothing was found".to_owned(),
        _ => format!("{outcome}: {text}"),
    }
}

/// The parts of the score that were asked for, by domain.
fn score(detail: &Value) -> String {
    if let Some(reason) = detail["aborted"].as_str() {
        return format!("aborted: {reason}");
    }
    let domains = detail["domains"].as_object().into_iter().flatten();
    let domains = domains.map(|(domain, parts)| {
        let parts = parts.as_object().into_iter().flatten();
        let parts = parts.filter_map(|(part, reached)| match reached.as_bool()? {
            true => Some(part.clone()),
            false => Some(format!("no {part}")),
        });
        format!("{domain}: {}", joined(parts))
    });
    domains.collect::<Vec<String>>().join("; ")
}
