//! The scene of an episode of travel: the wish and what has to be clarified at the side, and in the middle calls
//! with their results in short, the plan as a table of days, and how it was judged.

use std::collections::BTreeMap;

use serde_json::Value;

use super::seen::{COLLECT, PLAN};
use super::truth::details;
use rolecall_core::domain::{Action, Message, Move, Observation, Scene, SceneLine};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::text::joined;

/// The cells of a day, in the order of the table.
const CELLS: [&str; 7] =
    ["current_city", "transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation"];

/// The scene of an episode; none of an episode of another world.
pub(super) fn scene(log: &EpisodeLog<'_>) -> Option<Scene> {
    let details = details(log.events.iter().copied())?;
    let task = &log.opened()?.task;
    let mut facts = vec![("request".to_owned(), task.text.clone()), ("level".to_owned(), task.kind.clone())];
    facts.extend(details.into_iter().map(|detail| (detail.attribute.key().to_owned(), detail.answer)));
    Some(Scene { title: "What the traveller wants".to_owned(), facts, lines: lines(log) })
}

fn lines(log: &EpisodeLog<'_>) -> BTreeMap<u32, SceneLine> {
    let mut lines = BTreeMap::new();
    let (mut said, mut performed) = (None, None);
    for event in &log.events {
        let line = match &event.message {
            Message::Brief(_) => Some(SceneLine::Hidden),
            Message::Moved(Move::Speak { text, .. }) => {
                said = Some(text);
                None
            }
            Message::Moved(Move::Finish { answer }) => answer.as_array().map(|days| table(days)),
            Message::Told(told) if said.take() == Some(&told.text) => Some(SceneLine::Hidden),
            Message::Perform(action) => {
                performed = Some(action);
                Some(SceneLine::Hidden)
            }
            Message::Observed(seen) => shown(performed.take(), seen),
            Message::Scored(scored) => Some(SceneLine::Short(score(&scored.score.detail))),
            _ => None,
        };
        lines.extend(line.map(|line| (event.seq, line)));
    }
    lines
}

/// Whether an action is the strategy's own.
fn is_of_strategy(action: &Action) -> bool {
    action.call.as_deref().is_some_and(|call| [COLLECT, PLAN].contains(&&*call.tool))
}

fn shown(action: Option<&Action>, seen: &Observation) -> Option<SceneLine> {
    let Some(action) = action else {
        // What the world heard; the first observation is the request.
        return seen.text.is_empty().then_some(SceneLine::Hidden);
    };
    let text = match seen.text.lines().count() {
        0 | 1 => seen.text.clone(),
        _ => first_row(&seen.text),
    };
    Some(SceneLine::Short(match is_of_strategy(action) {
        true => text,
        false => format!("{}: {text}", action.text),
    }))
}

/// The first row below the header, without the blanks that align it.
fn first_row(text: &str) -> String {
    let row = text.lines().nth(1).unwrap_or_default();
    let words: Vec<&str> = row.split_whitespace().collect();
    format!("{}; ...", words.join(" "))
}

/// A plan, a line for each day.
fn table(days: &[Value]) -> SceneLine {
    let cell = |day: &Value, name: &str| day[name].as_str().filter(|text| *text != "-").map(str::to_owned);
    let line = |(number, day): (usize, &Value)| {
        let cells = CELLS.iter().filter_map(|name| cell(day, name));
        format!("day {}: {}", number + 1, cells.collect::<Vec<String>>().join(" | "))
    };
    let lines: Vec<String> = days.iter().enumerate().map(line).collect();
    SceneLine::Short(lines.join("\n"))
}

/// The constraints that the plan fails, and its cost.
fn score(detail: &Value) -> String {
    if detail["delivered"] != true {
        return "no plan was delivered".to_owned();
    }
    let verdicts = ["commonsense", "hard"].iter().flat_map(|part| {
        let judged = detail["judged"].as_str().unwrap_or("reference");
        detail[judged][part].as_object().into_iter().flatten()
    });
    let failed = verdicts.filter(|(_, verdict)| verdict[0] == false);
    let failed: Vec<String> =
        failed.map(|(name, verdict)| format!("{name} ({})", verdict[1].as_str().unwrap_or_default())).collect();
    let cost = match &detail["cost"] {
        Value::Null => String::new(),
        cost => format!("; it costs {cost} dollars"),
    };
    match failed.is_empty() {
        true => format!("the plan passes{cost}"),
        false => format!("the plan fails: {}{cost}", joined(failed)),
    }
}
