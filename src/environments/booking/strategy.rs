//! ReSpAct's turn in MultiWOZ: the user speaks first; the agent makes a few calls and then replies (spec section 3).

use crate::formats::{BookingFormat, RESPONSE};
use rolecall_core::domain::{
    Brief, Ending, Limit, Message, Move, MoveKind, MoveKinds, Notation, RoleName, Section, ToolChoice,
};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Format, Parameter, Parameters, SetupError, StrategyFactory};
use rolecall_core::strategies::{Turns, turn_loop};

/// The section of a brief that tells the agent to confirm and to ask, and not to assume (ReSpAct Table 15).
pub const OBJECTIVE: &str = "objective";

/// The notice to an agent that has used up its calls.
const NOW_REPLY: &str = "No further call is made now; respond to the user.";

/// The parameters of the strategy.
pub const PARAMETERS: &[Parameter] = parameters![
    integer("calls", Some(5), 1..=100), "the most calls before a reply";
    integer("turns", Some(20), 1..=1_000), "the most replies";
    flag("objective", true),
        "the agent confirms what it assumes, and asks for what is missing (ReSpAct); without it, it assumes and acts \
            (ReAct; Table 15)";
    choice("actions", &["text", "tools"]), "how the agent calls: in words, or by calls of tools";
];

/// Builds `booking`.
pub fn build(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let turns = Booking {
        most_calls: parameters.whole("calls").unwrap_or(5),
        most_turns: parameters.whole("turns").unwrap_or(20),
        objective: parameters.flag("objective"),
        tools: parameters.text("actions") == Some("tools"),
        ..Booking::default()
    };
    turn_loop(roles, 1, turns)
}

/// The turns of an agent.
#[derive(Clone, Default)]
struct Booking {
    most_calls: u32,
    most_turns: u32,
    objective: bool,
    tools: bool,
    /// Answers are read as by the original program.
    recorded: bool,
    /// Calls since the user spoke.
    calls: u32,
    /// Replies so far.
    replies: u32,
    /// Text of the agent since the user spoke, with the results of its calls, if answers are read so.
    written: String,
    /// Last text of the agent.
    last: String,
}

impl Turns for Booking {
    fn apply(&mut self, message: &Message) {
        match message {
            Message::Opened(opened) => {
                self.recorded = !self.tools && opened.task.data["profile"] == "reference";
            }
            Message::Moved(Move::Think { text }) if self.recorded => {
                self.last = text.trim().to_owned();
                self.written.push_str(&self.last);
            }
            Message::Perform(_) => self.calls += 1,
            Message::Observed(seen) if self.recorded && !self.written.is_empty() => {
                self.written.push_str(&format!(" {}\n", seen.text));
            }
            Message::Told(_) => {
                (self.calls, self.replies) = (0, self.replies + 1);
                self.written.clear();
            }
            _ => {}
        }
    }

    fn speaks(&self) -> bool {
        true
    }

    fn instead(&self, made: &Move) -> Option<Move> {
        match made {
            Move::Act { .. } if self.calls < self.most_calls => None,
            Move::Act { .. } if self.recorded && !self.last.is_empty() => Some(Move::speak(self.reply(&self.last))),
            Move::Act { action } => Some(Move::speak(&*action.text)),
            Move::Speak { text, .. } if self.recorded => Some(Move::speak(self.reply(text))),
            _ => None,
        }
    }

    fn over(&self) -> Option<Ending> {
        (self.replies >= self.most_turns).then_some(Ending::OutOf { limit: Limit::Turns })
    }

    fn brief(&self, _: bool) -> Brief {
        const ALL: MoveKinds = MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]);
        let is_last = !self.recorded && self.calls >= self.most_calls;
        let (open, choice) =
            if is_last { (ALL.without(MoveKind::Act), ToolChoice::None) } else { (ALL, ToolChoice::Auto) };
        let format = if self.recorded {
            BookingFormat::Reference
        } else if self.tools || is_last {
            BookingFormat::Reply
        } else {
            BookingFormat::Turn
        };
        let calls = ("calls", self.most_calls.to_string());
        let objective = (OBJECTIVE, "ask before you assume".to_owned());
        let sections = [Some(calls), self.objective.then_some(objective)];
        let sections = sections.into_iter().flatten().map(|(name, text)| Section { name: name.to_owned(), text });
        Brief {
            open,
            several: true,
            notation: Notation::new(format.name()).ok(),
            tool_choice: self.tools.then(|| Box::new(choice)),
            calls_as_written: self.tools,
            notice: is_last.then(|| NOW_REPLY.into()),
            sections: sections.collect(),
            ..Brief::default()
        }
    }
}

impl Booking {
    /// The words for the user. In the original program's reading the reply stands behind its first label, anywhere in
    /// the text; without one all of it is told, as its simulated user is shown it.
    fn reply(&self, text: &str) -> String {
        match self.written.split_once(RESPONSE) {
            Some((_, reply)) => reply.to_owned(),
            None if self.recorded && text == self.last => self.written.clone(),
            None => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use rolecall_core::domain::{CellName, Event, Observation, Opened, PublicTask, Seat, Utterance};
    use rolecall_core::ports::{Directive, ParameterValue, Strategy};

    /// A strategy that is told messages.
    struct Played(Box<dyn Strategy>);

    impl Played {
        fn new(profile: &str, values: &[(&'static str, ParameterValue)]) -> Self {
            let mut parameters = Parameters::defaults(PARAMETERS);
            for (name, value) in values {
                parameters = parameters.with(name, value.clone());
            }
            let strategy = build(&[RoleName::new("executor").unwrap()], &parameters).unwrap()();
            let mut played = Self(strategy);
            let task = PublicTask { data: json!({ "profile": profile }), ..PublicTask::new("a", "1 domain", "") };
            played.tell(Message::Opened(Box::new(Opened {
                task: Arc::new(task),
                cell: CellName::new("main").unwrap(),
                strategy: "booking".to_owned(),
                roles: Vec::new(),
                user: Some("agenda".to_owned()),
                fork: None,
                served: None,
            })));
            played.see("hello");
            played
        }

        fn tell(&mut self, message: Message) {
            self.0.apply(&Event { seq: 0, cause: None, from: Seat::Conductor, to: Seat::Conductor, message });
        }

        fn see(&mut self, text: &str) {
            self.tell(Message::Observed(Observation::text(text)));
        }

        fn brief(&self) -> Brief {
            match self.0.next().unwrap() {
                Directive::Brief(_, brief) => brief,
                other => panic!("{other:?}"),
            }
        }

        /// Makes a call, and tells whether it is performed.
        fn call(&mut self) -> bool {
            self.tell(Message::Moved(Move::act("query_trains {}")));
            let Directive::Perform(action) = self.0.next().unwrap() else {
                return false;
            };
            self.tell(Message::Perform(action));
            self.see("{}");
            true
        }

        /// Text that the user is told now.
        fn reply(&mut self) -> String {
            let Directive::Tell(said) = self.0.next().unwrap() else { panic!("nobody is told anything") };
            self.tell(Message::Told(said.clone()));
            self.tell(Message::Replied(Utterance::text("And?")));
            self.see("");
            said.text
        }
    }

    #[test]
    fn after_so_many_calls_the_user_is_answered() {
        let mut played = Played::new("strict", &[("calls", ParameterValue::Integer(2))]);
        assert!(played.brief().open.contains(MoveKind::Act));
        assert!(played.call() && played.call());
        let brief = played.brief();
        assert!(!brief.open.contains(MoveKind::Act) && brief.notice.is_some());
        played.tell(Message::Moved(Move::speak("Here.")));
        assert_eq!(played.reply(), "Here.");
        assert!(played.brief().open.contains(MoveKind::Act));
    }

    #[test]
    fn after_so_many_replies_the_conversation_ends() {
        let mut played = Played::new("strict", &[("turns", ParameterValue::Integer(2))]);
        for _ in 0..2 {
            assert!(played.brief().open.contains(MoveKind::Speak));
            played.tell(Message::Moved(Move::speak("Here.")));
            played.reply();
        }
        let over = Directive::Assess { unsolved: Ending::OutOf { limit: Limit::Turns } };
        assert_eq!(played.0.next().unwrap(), over);
    }

    #[test]
    fn a_reply_is_found_in_all_that_was_written() {
        let mut played = Played::new("reference", &[]);
        let brief = played.brief();
        assert_eq!(brief.notation.unwrap().as_str(), "booking-reference");
        played.tell(Message::Moved(Move::think(" Response: x ")));
        assert!(played.call());
        played.tell(Message::Moved(Move::think("no label")));
        played.tell(Message::Moved(Move::speak("no label")));
        assert_eq!(played.reply(), "x {}\nno label");
        // Nothing of it remains for the next turn; without a label all of it is told.
        played.tell(Message::Moved(Move::think("a")));
        for _ in 0..5 {
            assert!(played.call());
        }
        assert!(!played.call());
        assert_eq!(played.reply(), "a {}\n {}\n {}\n {}\n {}\n");
        // An agent that does not write such texts is taken at its word.
        played.tell(Message::Moved(Move::speak("Hello.")));
        assert_eq!(played.reply(), "Hello.");
    }

    #[test]
    fn the_objective_is_a_section_and_tools_are_open() {
        let tools = ("actions", ParameterValue::Text("tools".to_owned()));
        let played = Played::new("strict", &[("objective", ParameterValue::Flag(false)), tools]);
        let brief = played.brief();
        assert!(brief.sections.iter().all(|section| section.name != OBJECTIVE));
        assert_eq!(brief.tool_choice.as_deref(), Some(&ToolChoice::Auto));
        let brief = Played::new("strict", &[]).brief();
        assert!(brief.sections.iter().any(|section| section.name == OBJECTIVE));
        assert_eq!(brief.tool_choice, None);
    }
}
