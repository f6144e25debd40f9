//! What a role is told when it is to write in a notation.

use super::method::Method;
use super::mind::Mind;
use super::plan;
use super::task::Given;
use crate::domain::{Brief, DialogueAct, MoveKind, MoveKinds, Notation, Section};

/// What ReAct's executor is told when its steps are used up.
const LAST: &str = "No further step is open: end now with the response.";

/// The brief for an answer in the notation.
pub(super) fn brief(notation: Notation, method: &Method, given: &Given, mind: &Mind) -> Brief {
    let react = matches!(notation, Notation::ReactSource | Notation::ReactStrategy);
    let used_up = react && mind.steps >= method.most_steps;
    Brief {
        open: open(notation),
        several: react || notation == Notation::PlanDo,
        acts: acts(notation, given, mind).into(),
        notation: Some(notation),
        notice: used_up.then(|| LAST.to_owned()),
        sections: sections(notation, method, mind).into(),
        ..Brief::default()
    }
}

/// What is open; whoever cannot answer may always finish without one.
fn open(notation: Notation) -> MoveKinds {
    use MoveKind::{Act, Finish, Plan, Speak, Think};
    match notation {
        Notation::Thought | Notation::Status => MoveKinds::of(&[Think, Finish]),
        Notation::SourcePlan | Notation::RewooPlan | Notation::Modules | Notation::Strategies => {
            MoveKinds::of(&[Plan, Finish])
        }
        Notation::SubResponse => MoveKinds::of(&[Speak, Finish]),
        Notation::PlanDo | Notation::ReactStrategy => MoveKinds::of(&[Think, Plan, Speak, Finish]),
        Notation::ReactSource => MoveKinds::of(&[Think, Act, Finish]),
        Notation::Response => MoveKinds::of(&[Finish]),
    }
}

/// The strategies that may speak.
fn acts(notation: Notation, given: &Given, mind: &Mind) -> Vec<DialogueAct> {
    match notation {
        Notation::SubResponse => mind.to_speak.front().cloned().into_iter().collect(),
        Notation::PlanDo | Notation::ReactStrategy => given.strategies.clone(),
        Notation::Thought
        | Notation::Status
        | Notation::SourcePlan
        | Notation::RewooPlan
        | Notation::Modules
        | Notation::Strategies
        | Notation::ReactSource
        | Notation::Response => Vec::new(),
    }
}

fn sections(notation: Notation, method: &Method, mind: &Mind) -> Vec<Section> {
    let one_by_one = notation == Notation::SubResponse;
    let follows_plan = one_by_one && !method.independent;
    let solves = notation == Notation::Response && method.plans_evidence();
    let strategy = mind.to_speak.front().filter(|_| one_by_one);
    let sections = [
        ("thought", mind.thought.trim().to_owned()),
        (
            "plan",
            if follows_plan || solves {
                plan::lines(&mind.plan)
            } else {
                String::new()
            },
        ),
        ("knowledge", mind.knowledge.join("\n")),
        (
            "strategy",
            strategy.map(ToString::to_string).unwrap_or_default(),
        ),
        ("scratchpad", mind.scratchpad.join("\n")),
    ];
    let sections = sections.into_iter().filter(|(_, text)| !text.is_empty());
    let sections = sections.map(|(name, text)| Section {
        name: name.to_owned(),
        text,
    });
    sections.collect()
}
