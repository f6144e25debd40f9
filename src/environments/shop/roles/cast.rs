//! The thinker, clarifier and planner of a relay.

use std::sync::Arc;

use async_trait::async_trait;

use super::asking::Asking;
use super::browsing::Next;
use super::chatting::due_question;
use super::mind::{Mind, brief};
use super::{next, spoken, summary};
use crate::domain::{Answer, Brief, Move, MoveKind, PlanStep};
use crate::environments::shop::chatshop::Channel;
use crate::ports::{Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn};

/// Products that a plan looks at.
const LOOKS: usize = 3;

/// Builds the thinker: says what is known and what is not.
pub fn build_thinker(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(MoveKind::Think, |mind, _| vec![Move::think(summary(mind))])
}

/// Builds the clarifier: judges whether a question is worth it, and asks it.
pub fn build_clarifier(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(MoveKind::Judge, |mind, brief| {
        let question = question(mind, brief).filter(|_| brief.open.contains(MoveKind::Speak));
        let reason = match (&question, mind.has_user) {
            (Some(_), _) => "Several products are still possible.",
            (None, true) => "An answer would not help now.",
            (None, false) => "There is nobody to ask.",
        };
        let judgement = Move::Judge {
            clarify: question.is_some(),
            reason: Some(reason.to_owned()),
        };
        let judges = brief.several || question.is_none();
        let asked = question.map(|text| spoken(text, brief));
        Some(judgement)
            .filter(|_| judges)
            .into_iter()
            .chain(asked)
            .collect()
    })
}

/// Builds the planner: lays out the next search, click or selection.
pub fn build_planner(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    made(MoveKind::Plan, |mind, brief| {
        let steps = match next(mind, brief, false, LOOKS) {
            Next::Act(action) => vec![PlanStep::of(action)],
            Next::Say(_) => Vec::new(),
        };
        vec![Move::Plan { steps }]
    })
}

/// The question that is worth asking now, in words.
fn question(mind: &Mind, brief: &Brief) -> Option<String> {
    if !mind.is_chat {
        return match mind.browsing.next(brief, LOOKS, true) {
            Next::Say(text) => Some(text),
            Next::Act(_) => None,
        };
    }
    if mind.channel == Channel::Compare {
        return None;
    }
    match due_question(mind, brief)? {
        Asking::Question(text) => Some(text),
        Asking::Opinion(_) => None,
    }
}

type Choose = fn(&Mind, &Brief) -> Vec<Move>;

fn made(kind: MoveKind, choose: Choose) -> Result<RoleFactory, SetupError> {
    Ok(Arc::new(move || {
        Box::new(Member {
            mind: Mind::default(),
            kind,
            choose,
        })
    }))
}

/// A role that makes moves of one kind.
struct Member {
    mind: Mind,
    kind: MoveKind,
    choose: Choose,
}

#[async_trait]
impl Role for Member {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn)?;
        let brief = brief(turn)?;
        if !brief.open.contains(self.kind) {
            let why = format!(
                "this role can only {}, and that is not open",
                self.kind.as_str()
            );
            return Err(RoleError::Failed(why));
        }
        Ok((self.choose)(&self.mind, brief).into())
    }
}
