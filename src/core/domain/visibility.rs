//! Who sees what. This file is the only place that decides.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::action::is_false;
use super::{Event, Message, Move, RoleName, Seat};

/// The part of the episode that the user sees, besides the public task and its own private part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum UserSees {
    /// Only what was just asked.
    #[default]
    #[serde(rename = "question")]
    Question,
    /// Everything that was said.
    #[serde(rename = "dialogue")]
    Dialogue,
    /// Everything that was said, done and observed.
    #[serde(rename = "dialogue+observations")]
    DialogueAndObservations,
}

names! { UserSees, as_str:
    Question => "question", Dialogue => "dialogue",
    DialogueAndObservations => "dialogue+observations",
}

/// The parts of the visibility matrix that a config may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visibility {
    /// The part of the episode that the user sees.
    pub user_sees: UserSees,
    /// Roles whose thoughts, plans and judgements the other roles do not see.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub hidden_thoughts: BTreeSet<RoleName>,
    /// The environment sees what was said to the user and what came back; it asks for that itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub environment_hears: bool,
}

impl Visibility {
    /// Whether `viewer` may see `event`, where `question` is the `seq` of the utterance that the
    /// user is answering, if any.
    ///
    /// The conductor routes everything and sees everything; a judge reads the closed log and asks
    /// nobody.
    pub fn allows(&self, event: &Event, viewer: &Seat, question: Option<u32>) -> bool {
        match viewer {
            Seat::Conductor => true,
            Seat::Environment => self.environment_sees(event),
            Seat::User => self.user_may_see(event, question),
            Seat::Role(role) => self.role_sees(event, role),
        }
    }

    /// Whether no seat ever sees the event: the conductor alone keeps it, as far as it counts it.
    pub(super) fn hides(event: &Event) -> bool {
        matches!(&event.message, Message::ModelCalled(call) if !call.remembered)
    }

    fn environment_sees(&self, event: &Event) -> bool {
        match &event.message {
            Message::Opened(_) | Message::Begun(_) | Message::Closed(_) => true,
            Message::Perform(_) | Message::Observed(_) | Message::Assess | Message::Scored(_) => true,
            Message::Entrusted(part) => part.audience == Seat::Environment,
            Message::Fault(fault) => fault.seat == Seat::Environment,
            Message::Brief(_) | Message::Moved(_) | Message::Repaired(_) => false,
            Message::Told(_) | Message::Replied(_) => self.environment_hears,
            Message::ModelCalled(_) => false,
        }
    }

    fn user_may_see(&self, event: &Event, question: Option<u32>) -> bool {
        let dialogue = self.user_sees != UserSees::Question;
        let world = self.user_sees == UserSees::DialogueAndObservations;
        match &event.message {
            Message::Opened(_) | Message::Begun(_) | Message::Closed(_) => true,
            Message::Entrusted(part) => part.audience == Seat::User,
            Message::Told(_) => dialogue || Some(event.seq) == question,
            Message::Replied(_) => dialogue,
            Message::Perform(_) | Message::Observed(_) => world,
            Message::ModelCalled(call) => call.remembered && event.from == Seat::User,
            Message::Fault(fault) => fault.seat == Seat::User,
            Message::Brief(_) | Message::Moved(_) | Message::Repaired(_) => false,
            Message::Assess | Message::Scored(_) => false,
        }
    }

    fn role_sees(&self, event: &Event, viewer: &RoleName) -> bool {
        let is_viewer = |seat: &Seat| matches!(seat, Seat::Role(role) if role == viewer);
        match &event.message {
            Message::Opened(_) | Message::Begun(_) | Message::Closed(_) => true,
            Message::Entrusted(part) => is_viewer(&part.audience),
            Message::Brief(_) => is_viewer(&event.to),
            Message::Moved(made) => is_viewer(&event.from) || self.shared_move(made, &event.from),
            Message::Repaired(_) => is_viewer(&event.from),
            Message::Perform(_) | Message::Observed(_) => true,
            Message::Told(_) | Message::Replied(_) => true,
            Message::ModelCalled(call) => call.remembered && is_viewer(&event.from),
            Message::Assess => false,
            Message::Scored(_) => viewer.is_reflector(),
            Message::Fault(fault) => is_viewer(&fault.seat),
        }
    }

    fn shared_move(&self, made: &Move, by: &Seat) -> bool {
        let inward = match made {
            Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } => true,
            Move::Act { .. } | Move::Speak { .. } | Move::Learn { .. } | Move::Finish { .. } => false,
        };
        match by {
            Seat::Role(role) => !(inward && self.hidden_thoughts.contains(role)),
            Seat::Conductor | Seat::Environment | Seat::User => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    fn role(name: &str) -> Seat {
        Seat::Role(RoleName::new(name).unwrap())
    }

    fn event(seq: u32, from: Seat, to: Seat, message: Message) -> Event {
        Event { seq, cause: None, from, to, message }
    }

    /// One row of the matrix: who sees an event, in the order executor, thinker, reflector, user
    /// (question), user (dialogue), user (dialogue+observations), environment.
    fn row(event: &Event) -> String {
        let plain = Visibility::default();
        let of = |user_sees| Visibility { user_sees, ..Visibility::default() };
        let seen = [
            plain.allows(event, &role("executor"), None),
            plain.allows(event, &role("thinker"), None),
            plain.allows(event, &role("reflector"), None),
            plain.allows(event, &Seat::User, None),
            of(UserSees::Dialogue).allows(event, &Seat::User, None),
            of(UserSees::DialogueAndObservations).allows(event, &Seat::User, None),
            plain.allows(event, &Seat::Environment, None),
        ];
        seen.map(|sees| if sees { 'x' } else { '.' }).iter().collect()
    }

    fn private_info(audience: Seat) -> Message {
        Message::Entrusted(Box::new(PrivateInfo {
            audience,
            label: "goal".to_owned(),
            value: std::sync::Arc::new("secret".into()),
        }))
    }

    fn moves_and_world() -> [(Seat, Seat, Message, &'static str); 8] {
        use Seat::{Conductor, Environment, User};
        let executor = || role("executor");
        let moved = |made| (executor(), Conductor, Message::Moved(made), "xxx....");
        let told = Message::Told(Utterance::text("?"));
        let replied = Message::Replied(Utterance::text("!"));
        let observed = Message::Observed(Observation::text("o"));
        [
            moved(Move::think("t")),
            moved(Move::act("look")),
            moved(Move::speak("?")),
            (Conductor, executor(), Message::Brief(Brief::default()), "x......"),
            (Conductor, Environment, Message::Perform(Action::text("look")), "xxx..xx"),
            (Environment, Conductor, observed, "xxx..xx"),
            (Conductor, User, told, "xxx.xx."),
            (User, Conductor, replied, "xxx.xx."),
        ]
    }

    fn private_and_technical() -> [(Seat, Seat, Message, &'static str); 10] {
        use Seat::{Conductor, Environment, User};
        let executor = || role("executor");
        let fault = |seat: Seat| Message::Fault(Fault::new(seat, FaultKind::Panic, "x", 0));
        let call = |remembered| {
            Message::ModelCalled(Box::new(ModelCall {
                turn: 0,
                call: 0,
                again: 0,
                unread: None,
                request: String::new(),
                attempt: 0,
                model: String::new(),
                reply: ModelReply::default(),
                cost: None,
                remembered,
            }))
        };
        let scored =
            Message::Scored(Box::new(Scored { trial: 0, round: 0, ending: Ending::Solved, score: Score::default() }));
        [
            (Conductor, Conductor, private_info(Conductor), "......."),
            (Conductor, User, private_info(User), "...xxx."),
            (Conductor, Environment, private_info(Environment), "......x"),
            (executor(), Conductor, call(true), "x......"),
            (User, Conductor, call(true), "...xxx."),
            (executor(), Conductor, call(false), "......."),
            (Environment, Conductor, scored, "..x...x"),
            (executor(), Conductor, fault(executor()), "x......"),
            (User, Conductor, fault(User), "...xxx."),
            (Environment, Conductor, fault(Environment), "......x"),
        ]
    }

    #[test]
    fn the_matrix_is_as_designed() {
        let rows = moves_and_world().into_iter().chain(private_and_technical());
        for (from, to, message, expected) in rows {
            let event = event(7, from, to, message);
            assert_eq!(row(&event), expected, "{event:?}");
            let kept = expected != "......." || matches!(event.message, Message::Entrusted(_));
            assert_eq!(Visibility::hides(&event), !kept, "{event:?}");
        }
    }

    #[test]
    fn a_world_that_hears_sees_what_is_said_and_nothing_more() {
        let hearing = Visibility { environment_hears: true, ..Visibility::default() };
        for (from, to, message, _) in moves_and_world().into_iter().chain(private_and_technical()) {
            let event = event(7, from, to, message);
            let said = matches!(event.message, Message::Told(_) | Message::Replied(_));
            let sees = |visibility: &Visibility| visibility.allows(&event, &Seat::Environment, None);
            assert_eq!(sees(&hearing), said || sees(&Visibility::default()), "{event:?}");
        }
    }

    #[test]
    fn a_user_who_sees_the_question_sees_no_older_one() {
        let asked = event(5, Seat::Conductor, Seat::User, Message::Told(Utterance::text("where?")));
        let visibility = Visibility::default();
        assert!(visibility.allows(&asked, &Seat::User, Some(5)));
        assert!(!visibility.allows(&asked, &Seat::User, Some(9)));
    }

    #[test]
    fn a_config_may_hide_a_roles_thoughts_from_the_others() {
        let visibility = Visibility {
            hidden_thoughts: BTreeSet::from([RoleName::new("thinker").unwrap()]),
            ..Visibility::default()
        };
        let thought = event(1, role("thinker"), Seat::Conductor, Message::Moved(Move::think("t")));
        assert!(!visibility.allows(&thought, &role("executor"), None));
        assert!(visibility.allows(&thought, &role("thinker"), None));
        let action = event(1, role("thinker"), Seat::Conductor, Message::Moved(Move::act("look")));
        assert!(visibility.allows(&action, &role("executor"), None));
    }
}
