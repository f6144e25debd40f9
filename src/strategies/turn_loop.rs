//! ReAct and ReSpAct: one executor thinks and acts, or thinks, speaks and acts, one move at a
//! time (ReSpAct section 3; `docs/papers/respact.md`).
//!
//! A thought is answered `OK.`, an action by the environment, an utterance by the user. The two
//! differ in nothing but whether speech is open.

use std::sync::Arc;

use crate::domain::{
    Action, Brief, Ending, Event, Message, Move, MoveKind, MoveKinds, RoleName, Utterance,
};
use crate::ports::{Directive, Parameters, SetupError, Strategy, StrategyError, StrategyFactory};

/// What a role reads after a thought (ReAct's convention).
const ACKNOWLEDGED: &str = "OK.";

/// Builds `react`: think and act.
pub fn react(roles: &[RoleName], _: &Parameters) -> Result<StrategyFactory, SetupError> {
    build(roles, &[MoveKind::Think, MoveKind::Act, MoveKind::Finish])
}

/// Builds `respact`: think, speak and act.
pub fn respact(roles: &[RoleName], _: &Parameters) -> Result<StrategyFactory, SetupError> {
    build(
        roles,
        &[
            MoveKind::Think,
            MoveKind::Act,
            MoveKind::Speak,
            MoveKind::Finish,
        ],
    )
}

fn build(roles: &[RoleName], open: &[MoveKind]) -> Result<StrategyFactory, SetupError> {
    let [executor] = roles else {
        return Err(SetupError::at(
            "roles",
            "this strategy takes exactly one role, `executor`",
        ));
    };
    let executor = executor.clone();
    let open = MoveKinds::of(open);
    Ok(Arc::new(move || {
        Box::new(TurnLoop {
            executor: executor.clone(),
            open,
            now: Now::NotBegun,
        })
    }))
}

struct TurnLoop {
    executor: RoleName,
    open: MoveKinds,
    now: Now,
}

/// What the events so far call for.
enum Now {
    NotBegun,
    Executor { after_thought: bool },
    Environment(Action),
    User(Utterance),
    Over(Ending),
    Scored,
}

impl TurnLoop {
    fn after_move(made: &Move) -> Now {
        match made {
            Move::Act { action } => Now::Environment(action.clone()),
            Move::Speak { text, act } => Now::User(Utterance {
                text: text.clone(),
                act: act.clone(),
                leaving: false,
            }),
            Move::Finish { .. } => Now::Over(Ending::GaveUp),
            Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } | Move::Learn { .. } => {
                Now::Executor {
                    after_thought: true,
                }
            }
        }
    }
}

impl Strategy for TurnLoop {
    fn apply(&mut self, event: &Event) {
        self.now = match &event.message {
            Message::Moved(made) => Self::after_move(made),
            Message::Observed(observation) if observation.done => Now::Over(Ending::Failed),
            Message::Replied(reply) if reply.leaving => Now::Over(Ending::UserLeft),
            Message::Observed(_) | Message::Replied(_) => Now::Executor {
                after_thought: false,
            },
            Message::Scored(_) | Message::Closed(_) => Now::Scored,
            Message::Opened(_) | Message::Entrusted(_) | Message::Begun(_) => return,
            Message::Brief(_) | Message::Repaired(_) | Message::Perform(_) => return,
            Message::Told(_) | Message::ModelCalled(_) | Message::Assess => return,
            Message::Fault(_) => return,
        };
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        Ok(match &self.now {
            Now::NotBegun => Directive::Begin {
                trial: 0,
                round: 0,
                keep_world: false,
            },
            Now::Executor { after_thought } => {
                let brief = Brief {
                    open: self.open,
                    notice: after_thought.then(|| ACKNOWLEDGED.to_owned()),
                    ..Brief::default()
                };
                Directive::Brief(self.executor.clone(), brief)
            }
            Now::Environment(action) => Directive::Perform(action.clone()),
            Now::User(utterance) => Directive::Tell(utterance.clone()),
            Now::Over(unsolved) => Directive::Assess {
                unsolved: unsolved.clone(),
            },
            Now::Scored => Directive::Close,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Observation, Score, Scored, Seat};

    fn after(strategy: &mut dyn Strategy, message: Message) -> Directive {
        strategy.apply(&Event {
            seq: 0,
            cause: None,
            from: Seat::Conductor,
            to: Seat::Conductor,
            message,
        });
        strategy.next().unwrap()
    }

    fn strategy(speaks: bool) -> Box<dyn Strategy> {
        let roles = [RoleName::new("executor").unwrap()];
        let built = if speaks { respact } else { react };
        built(&roles, &Parameters::default()).unwrap()()
    }

    #[test]
    fn a_thought_is_acknowledged_and_an_action_performed() {
        let mut react = strategy(false);
        assert!(matches!(
            react.next(),
            Ok(Directive::Begin { trial: 0, .. })
        ));
        let Directive::Brief(_, brief) =
            after(&mut *react, Message::Observed(Observation::text("o")))
        else {
            panic!("the executor moves first");
        };
        assert_eq!(brief.notice, None);
        assert!(!brief.open.contains(MoveKind::Speak));
        let thought = after(&mut *react, Message::Moved(Move::think("hm")));
        assert!(
            matches!(thought, Directive::Brief(_, brief) if brief.notice.as_deref() == Some("OK."))
        );
        let acted = after(&mut *react, Message::Moved(Move::act("look")));
        assert_eq!(acted, Directive::Perform(Action::text("look")));
    }

    #[test]
    fn speech_goes_to_the_user_who_may_leave() {
        let mut respact = strategy(true);
        let spoken = after(&mut *respact, Message::Moved(Move::speak("where?")));
        assert_eq!(spoken, Directive::Tell(Utterance::text("where?")));
        let goodbye = Utterance {
            leaving: true,
            ..Utterance::text("bye")
        };
        let left = after(&mut *respact, Message::Replied(goodbye));
        assert_eq!(
            left,
            Directive::Assess {
                unsolved: Ending::UserLeft
            }
        );
    }

    #[test]
    fn a_finished_world_is_assessed_and_then_the_episode_closes() {
        let mut react = strategy(false);
        let done = Observation {
            done: true,
            ..Observation::text("done")
        };
        let over = after(&mut *react, Message::Observed(done));
        assert_eq!(
            over,
            Directive::Assess {
                unsolved: Ending::Failed
            }
        );
        let scored = Scored {
            trial: 0,
            round: 0,
            ending: Ending::Solved,
            score: Score::default(),
        };
        assert_eq!(
            after(&mut *react, Message::Scored(Box::new(scored))),
            Directive::Close
        );
    }

    #[test]
    fn exactly_one_role_is_taken() {
        assert!(react(&[], &Parameters::default()).is_err());
    }
}
