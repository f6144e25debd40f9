//! The words of booking, and a conversation as readers are shown it: the goal at the side, and in the middle the texts,
//! with calls and their results in short.

use std::collections::BTreeMap;

use serde_json::Value;

use super::desk::Profile;
use super::goal::Wanted;
use super::tools;
use rolecall_core::domain::{Message, Move, Observation, PublicTask, Scene, SceneLine, UserSees, View};
use rolecall_core::ports::{EpisodeLog, Words};
use rolecall_core::text::joined;

/// The words of booking.
#[derive(Clone, Copy, Debug)]
pub struct BookingWords;

impl Words for BookingWords {
    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        Some(tools::forms(Profile::named(task.data.get("profile")?.as_str()?)?))
    }

    fn wanted(&self, view: &View) -> Vec<String> {
        Wanted::of_view(view).map(|wanted| wanted.message).unwrap_or_default()
    }

    fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        scene(log)
    }

    fn user_sees_at_most(&self) -> Option<UserSees> {
        Some(UserSees::Dialogue)
    }

    fn user_labels(&self) -> &'static [&'static str] {
        &["guest", "customer", "tourist"]
    }

    fn agent_labels(&self) -> &'static [&'static str] {
        &["desk", "clerk"]
    }

    fn measures(&self, kind: &str) -> &'static [&'static str] {
        if self.kinds().contains(&kind) {
            return &["success", "log_domain_inform", "log_domain_success", "log_domain_book"];
        }
        &[]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["1 domain", "2 domains", "3 domains"]
    }
}

/// Records that are named.
const NAMED: usize = 3;

/// The scene of a conversation; none of an episode of another world.
fn scene(log: &EpisodeLog<'_>) -> Option<Scene> {
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
    match seen.data.as_deref().and_then(|data| data.get("call")) {
        Some(call) => SceneLine::Short(result(call, &seen.text)),
        None if seen.text.is_empty() => SceneLine::Hidden,
        None => SceneLine::Said(seen.text.clone()),
    }
}

/// Result of a call: a word for it, and the names that were found.
fn result(call: &Value, text: &str) -> String {
    let outcome = call["outcome"].as_str().unwrap_or_default();
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    match (&answer["result"], outcome) {
        (Value::Array(found), _) if !found.is_empty() => {
            let rest = (found.len() > NAMED).then_some("...");
            let names = found.iter().filter_map(|one| one.get("name").or_else(|| one.get("trainID"))?.as_str());
            format!("{} {outcome}: {}", found.len(), joined(names.take(NAMED).chain(rest)))
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
    let domains = detail["domains"].as_object().into_iter().flatten().map(|(domain, parts)| {
        let parts = parts.as_object().into_iter().flatten();
        let parts = parts
            .filter_map(|(part, reached)| Some(if reached.as_bool()? { part.clone() } else { format!("no {part}") }));
        format!("{domain}: {}", joined(parts))
    });
    domains.collect::<Vec<String>>().join("; ")
}
