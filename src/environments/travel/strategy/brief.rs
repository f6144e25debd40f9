//! The next directive: who is asked for which moves, in which notation.

use super::play::{Now, Play};
use crate::formats::TravelFormat;
use crate::words::documentation;
use rolecall_core::domain::{Brief, Ending, MoveKind, MoveKinds, Notation, RoleName, Section, ToolChoice, Utterance};
use rolecall_core::ports::{Directive, StrategyError};

impl Play {
    pub(super) fn directive(&self) -> Result<Directive, StrategyError> {
        let closes = |unsolved: &Ending| Directive::Assess { unsolved: unsolved.clone() };
        Ok(match &self.now {
            Now::NotBegun | Now::Unseen => Directive::Begin { trial: 0, round: 0, keep_world: false },
            Now::Perform(action) => Directive::Perform((**action).clone()),
            Now::Tell(question) => Directive::Tell(Utterance::text(question)),
            Now::Over(unsolved) => closes(unsolved),
            Now::Scored => Directive::Close,
            Now::Chain => self.brief(&[MoveKind::Plan, MoveKind::Finish], TravelFormat::Chain)?,
            Now::Think => self.brief(&[MoveKind::Think], TravelFormat::Thought)?,
            Now::Learn => self.brief(&[MoveKind::Learn], TravelFormat::Lesson)?,
            Now::Step => {
                let format = match self.planning {
                    true => TravelFormat::TripStep,
                    false => TravelFormat::Action,
                };
                self.brief(&[MoveKind::Act, MoveKind::Finish], format)?
            }
            Now::Judge | Now::Ask => {
                let format = match (&self.now, self.rules.once) {
                    (Now::Ask, _) => TravelFormat::Question,
                    (_, true) => TravelFormat::ClarifyOrAct,
                    (_, false) => TravelFormat::Need,
                };
                self.brief(&[MoveKind::Judge, MoveKind::Speak], format)?
            }
            Now::Plan => self.brief(&[MoveKind::Act, MoveKind::Finish], TravelFormat::Trip)?,
        })
    }

    /// Who is asked now.
    fn role(&self) -> &RoleName {
        match self.now {
            Now::Judge | Now::Ask => &self.rules.clarifier,
            _ if self.planning => &self.rules.planner,
            _ => &self.rules.executor,
        }
    }

    fn brief(&self, open: &[MoveKind], format: TravelFormat) -> Result<Directive, StrategyError> {
        let notation = Notation::new(format.as_str()).map_err(|error| StrategyError::Failed(error.to_string()))?;
        let mut brief = Brief {
            open: MoveKinds::of(open),
            several: matches!(self.now, Now::Judge | Now::Ask),
            notation: Some(notation),
            sections: self.sections().into(),
            ..Brief::default()
        };
        if self.rules.tools && !self.planning {
            match self.now {
                Now::Chain | Now::Step => {
                    brief.open = MoveKinds::of(&[MoveKind::Act, MoveKind::Finish]);
                    brief.notation = None;
                    brief.calls_as_written = true;
                    brief.several = self.now == Now::Chain;
                }
                Now::Think => brief.tool_choice = Some(Box::new(ToolChoice::None)),
                _ => {}
            }
        }
        Ok(Directive::Brief(self.role().clone(), brief))
    }

    fn sections(&self) -> Vec<Section> {
        let section = |name: &str, text: String| Section { name: name.to_owned(), text };
        match (&self.now, self.run.log().last()) {
            (Now::Learn, Some(step)) => vec![
                section("documentation", documentation(&step.action)),
                section("action", step.action.clone()),
                section("observation", step.observation.clone()),
            ],
            (Now::Think | Now::Step, _) if !self.lessons.is_empty() => {
                vec![section("lessons", self.lessons.join("\n"))]
            }
            _ => Vec::new(),
        }
    }
}
