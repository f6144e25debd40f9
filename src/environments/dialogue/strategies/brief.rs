//! The briefs of the roles.

use super::method::Method;
use super::mind::Mind;
use super::plan::{self, Given};
use crate::formats::DialogueFormat;
use rolecall_core::domain::{Brief, DialogueAct, InvalidName, MoveKind, MoveKinds, Section};

/// The notice for ReAct's executor when its steps are used up.
const LAST: &str = "No further step is open: end now with the response.";

/// The brief for an answer in the notation.
pub(super) fn brief(
    notation: DialogueFormat,
    method: &Method,
    given: &Given,
    mind: &Mind,
) -> Result<Brief, InvalidName> {
    use DialogueFormat::{PlanDo, ReactSource, ReactStrategy, ReasonedResponse};
    let react = matches!(notation, ReactSource | ReactStrategy);
    let used_up = react && mind.steps >= method.most_steps;
    Ok(Brief {
        open: open(notation),
        several: react || matches!(notation, PlanDo | ReasonedResponse),
        acts: acts(notation, given, mind).into(),
        notation: Some(notation.notation()?),
        notice: used_up.then(|| LAST.into()),
        sections: sections(notation, method, mind).into(),
        ..Brief::default()
    })
}

/// The open moves; strategies may be planned before they speak, and whoever cannot answer may always finish
/// without an answer.
fn open(notation: DialogueFormat) -> MoveKinds {
    let mut open: Vec<MoveKind> = notation.answers().into();
    open.push(MoveKind::Finish);
    if notation.speaks_by_many() {
        open.push(MoveKind::Plan);
    }
    open.into()
}

/// The strategies that may speak.
fn acts(notation: DialogueFormat, given: &Given, mind: &Mind) -> Vec<DialogueAct> {
    match notation {
        DialogueFormat::SubResponse => mind.to_speak.front().cloned().into_iter().collect(),
        notation if notation.speaks_by_many() => given.strategies.clone(),
        _ => Vec::new(),
    }
}

fn sections(notation: DialogueFormat, method: &Method, mind: &Mind) -> Vec<Section> {
    let one_by_one = notation == DialogueFormat::SubResponse;
    let follows_plan = one_by_one && !method.independent;
    let solves = notation == DialogueFormat::Response && method.plans_evidence();
    let strategy = mind.to_speak.front().filter(|_| one_by_one).map_or_else(String::new, ToString::to_string);
    let plan = (follows_plan || solves).then(|| plan::lines(&mind.plan));
    let sections = [
        ("thought", mind.thought.trim().to_owned()),
        ("plan", plan.unwrap_or_default()),
        ("knowledge", mind.knowledge.join("\n")),
        ("strategy", strategy),
        ("scratchpad", mind.scratchpad.join("\n")),
    ];
    let sections = sections
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| Section { name: name.to_owned(), text });
    sections.collect()
}
