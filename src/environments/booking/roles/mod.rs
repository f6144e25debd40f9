//! Roles of booking by rules: an executor, and the thinker, clarifier and planner of a relay. Each knows what its
//! seat has seen, as a fold over its view.

mod calls;
mod decide;
mod mind;
mod results;
mod talk;
#[cfg(test)]
mod tests;
mod topic;

use super::strategy::OBJECTIVE;
use decide::next;
use mind::Mind;
use rolecall_core::domain::{Brief, Move, MoveKind, PlanStep};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, RoleFactory, RoleSetup, SetupError};
use rolecall_core::roles::{by_rules, spoken};

/// The parameters of the roles.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("asks", &["auto", "always", "never"]),
        "whether it confirms, asks and narrows (ReSpAct), or assumes and acts (ReAct): as the strategy's `objective` \
            says, and always in a relay; always; or never";
];

/// Builds the executor (registry entry `rules`): it searches, tells and books for the user.
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, None, |mind, brief, asks| {
        let is_open = |kind: MoveKind| brief.open.contains(kind);
        let step = next(mind, asks, is_open(MoveKind::Act));
        let made = match step.action {
            Some(call) => Move::act(call),
            None if is_open(MoveKind::Speak) => said(step.text, brief),
            None => return vec![Move::think("The user has to be told something first.")],
        };
        if brief.several && is_open(MoveKind::Think) { vec![Move::think(step.thought), made] } else { vec![made] }
    })
}

/// Builds the thinker: it sums up the wishes and the next step.
pub fn build_thinker(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Think), |mind, _, asks| {
        let thought = next(mind, asks, true).thought;
        vec![Move::think(format!("{} {thought}", talk::summary(mind)))]
    })
}

/// Builds the clarifier: it decides whether the user has to hear something now, and says it.
pub fn build_clarifier(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Judge), |mind, brief, asks| {
        let step = next(mind, asks, true);
        let may_speak = brief.open.contains(MoveKind::Speak) && mind.setting.has_user;
        let clarify = step.action.is_none() && may_speak;
        let reason = Some(step.thought);
        let judgement = Move::Judge { clarify, reason };
        match clarify {
            true if brief.several => vec![judgement, said(step.text, brief)],
            true => vec![said(step.text, brief)],
            false => vec![judgement],
        }
    })
}

/// Builds the planner: it lays out the next call.
pub fn build_planner(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Plan), |mind, _, asks| {
        let steps = next(mind, asks, true).action.map(PlanStep::of).into_iter().collect();
        vec![Move::Plan { steps }]
    })
}

/// Words for the user, with the dialogue act that fits best where one has to be declared.
fn said(text: String, brief: &Brief) -> Move {
    let act = if text.contains('?') { "RequestOtherInfo" } else { "InformationOther" };
    spoken(text, act, brief)
}

/// A factory of roles that choose by their knowledge, and by whether they ask or assume: of the strategy's own
/// briefs, which have a notation, those with an objective ask; of a relay's, which have none, all do.
fn made(
    setup: &RoleSetup,
    kind: Option<MoveKind>,
    choose: impl Fn(&Mind, &Brief, bool) -> Vec<Move> + Copy + Send + Sync + 'static,
) -> Result<RoleFactory, SetupError> {
    let asks = match setup.parameters.text("asks") {
        Some("always") => Some(true),
        Some("never") => Some(false),
        _ => None,
    };
    Ok(by_rules::<Mind>(kind, move |mind, brief| {
        let has_objective = || brief.sections.iter().any(|section| section.name == OBJECTIVE);
        let asks = asks.unwrap_or_else(|| brief.notation.is_none() || has_objective());
        choose(mind, brief, asks)
    }))
}
