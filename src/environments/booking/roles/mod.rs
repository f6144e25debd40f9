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

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::strategy::OBJECTIVE;
use crate::domain::{Answer, Brief, Move, MoveKind, PlanStep};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn};
use decide::{Step, next};
use mind::Mind;

/// The parameters of the roles.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("asks", &["auto", "always", "never"]),
        "whether it confirms, asks and narrows (ReSpAct), or assumes and acts (ReAct): as the strategy's `objective` \
            says, and always in a relay; always; or never";
];

/// Whether it asks or assumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asks {
    #[default]
    Auto,
    Always,
    Never,
}

impl Asks {
    /// What holds for a brief: the strategy's own briefs have a notation, those of a relay have none.
    fn holds(self, brief: &Brief) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                brief.notation.is_none()
                    || brief
                        .sections
                        .iter()
                        .any(|section| section.name == OBJECTIVE)
            }
        }
    }
}

/// Builds the executor (registry entry `rules`): looks for what the user wants, tells it and books it.
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, None, |mind, brief, asks| {
        let may_act = brief.open.contains(MoveKind::Act);
        let may_speak = brief.open.contains(MoveKind::Speak);
        let may_think = brief.open.contains(MoveKind::Think);
        let step = next(mind, asks, may_act);
        let thought = may_think.then(|| Move::think(step.thought.clone()));
        let made = match (step.action, may_speak) {
            (Some(call), _) => Move::act(call),
            (None, true) => said(step.text, brief),
            (None, false) => return vec![Move::think("The user has to be told something first.")],
        };
        match thought {
            Some(thought) if brief.several => vec![thought, made],
            _ => vec![made],
        }
    })
}

/// Builds the thinker: says what is known and what is to be done.
pub fn build_thinker(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Think), |mind, _, asks| {
        let step = next(mind, asks, true);
        vec![Move::think(
            format!("{} {}", talk::summary(mind), step.thought)
                .trim()
                .to_owned(),
        )]
    })
}

/// Builds the clarifier: judges whether the user has to hear something now, and says it.
pub fn build_clarifier(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Judge), |mind, brief, asks| {
        let Step {
            action,
            text,
            thought,
        } = next(mind, asks, true);
        let speaks =
            action.is_none() && brief.open.contains(MoveKind::Speak) && mind.setting.has_user;
        let judgement = Move::Judge {
            clarify: speaks,
            reason: Some(thought),
        };
        match speaks {
            true if brief.several => vec![judgement, said(text, brief)],
            true => vec![said(text, brief)],
            false => vec![judgement],
        }
    })
}

/// Builds the planner: lays out the next call.
pub fn build_planner(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(setup, Some(MoveKind::Plan), |mind, _, asks| {
        let steps = next(mind, asks, true).action.map(PlanStep::of);
        vec![Move::Plan {
            steps: steps.into_iter().collect(),
        }]
    })
}

/// Words for the user, with the dialogue act that fits best where one has to be declared.
fn said(text: String, brief: &Brief) -> Move {
    let act = match text.contains('?') {
        true => "RequestOtherInfo",
        false => "InformationOther",
    };
    let fits = brief.acts.iter().find(|own| own.as_str() == act);
    Move::Speak {
        text,
        act: fits.or(brief.acts.first()).cloned(),
    }
}

/// A factory of roles that all choose alike, only where moves of this kind are open.
fn made(
    setup: &RoleSetup,
    kind: Option<MoveKind>,
    choose: impl Fn(&Mind, &Brief, bool) -> Vec<Move> + Copy + Send + Sync + 'static,
) -> Result<RoleFactory, SetupError> {
    let asks: Asks = setup.parameters.choice("asks");
    Ok(Arc::new(move || {
        Box::new(RuleRole {
            mind: Mind::default(),
            asks,
            kind,
            choose,
        })
    }))
}

/// A role that chooses by what it knows.
struct RuleRole<C> {
    mind: Mind,
    asks: Asks,
    kind: Option<MoveKind>,
    choose: C,
}

#[async_trait]
impl<C: Fn(&Mind, &Brief, bool) -> Vec<Move> + Send> Role for RuleRole<C> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn)?;
        let missing = || RoleError::Failed("there is no brief".to_owned());
        let brief = turn.brief().ok_or_else(missing)?;
        if let Some(kind) = self.kind.filter(|kind| !brief.open.contains(*kind)) {
            let kind = kind.as_str();
            let why = format!("this role can only {kind}, and that is not open");
            return Err(RoleError::Failed(why));
        }
        Ok((self.choose)(&self.mind, brief, self.asks.holds(brief)).into())
    }
}
