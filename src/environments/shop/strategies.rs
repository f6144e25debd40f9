//! ChatShop's agent: it searches, asks and selects, and may sum up what it knows before each of these (ChatShop
//! section 4.1). A question is an action; the world hands it on to the shopper and shows the answer.
//!
//! | `questions` | what is called |
//! |---|---|
//! | `auto` | what the agent wants |
//! | `all` | after the first search nothing but questions, as long as there are some left |
//! | `interleave` | a search and a question in turn, as long as there are some left |
//! | `none` | what the agent wants; there is no tool to ask with |

use serde::Deserialize;

use crate::chatshop::{Channel, tools};
use crate::formats::ShopFormat;
use rolecall_core::domain::{Brief, Message, Move, MoveKind, MoveKinds, Notation, RoleName, Section, ToolChoice};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Format, Parameter, Parameters, SetupError, StrategyFactory};
use rolecall_core::strategies::{Turns, turn_loop};
use rolecall_core::text::joined_by;

/// The request for an action; `{}` is its kind.
pub const NEXT: &str = "What is your next {}?";

/// The request to sum up before it.
pub const REASON: &str = "First sum up what you know about what the user wants, and consider what your next {} \
                          should be. As long as more than three products fit, find out more.";

/// The request for an action after that.
pub const THEN: &str = "Well then, what is your next {}?";

/// The parameters of the strategy.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("questions", &["auto", "all", "interleave", "none"]),
        "when it asks (ChatShop section 4.1): when the agent wants to, all it may after one search, in turn \
            with searches, or never";
    flag("reasoning", false), "it sums up and reasons before each action (Table 2, CoT)";
    choice("actions", &["tools", "text"]),
        "how the agent acts: by calls of tools, or in words that are read (CodeLlama in appendix B.2)";
];

/// When questions are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Questions {
    #[default]
    Auto,
    All,
    Interleave,
    None,
}

/// Builds `chatshop`.
pub fn build(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let turns = ChatShop {
        questions: parameters.choice("questions"),
        reasoning: parameters.flag("reasoning"),
        tools: parameters.text("actions") != Some("text"),
        channel: Channel::None,
        has_user: false,
        budget: 0,
        searched: false,
        last_searched: false,
    };
    turn_loop(roles, 1, turns)
}

/// The turns of an agent: thoughts are summaries, and questions are actions.
#[derive(Clone)]
struct ChatShop {
    questions: Questions,
    reasoning: bool,
    tools: bool,
    channel: Channel,
    has_user: bool,
    /// Questions that are left.
    budget: u64,
    searched: bool,
    /// The last action was a search.
    last_searched: bool,
}

impl ChatShop {
    /// The tool that has to be called now, if one has to.
    fn forced(&self) -> Option<&'static str> {
        let ask = self.channel.first_tool();
        match self.questions {
            _ if self.budget == 0 => None,
            Questions::All if self.searched => Some(ask),
            Questions::Interleave if self.last_searched => Some(ask),
            Questions::Interleave => Some("search"),
            Questions::Auto | Questions::All | Questions::None => None,
        }
    }
}

impl Turns for ChatShop {
    fn apply(&mut self, message: &Message) {
        match message {
            Message::Opened(opened) => {
                let channel = opened.task.data["channel"].as_str();
                self.channel = channel.and_then(Channel::named).unwrap_or(Channel::None);
                self.has_user = opened.user.is_some();
            }
            Message::Moved(Move::Act { action }) => {
                self.last_searched = action.text.starts_with("search");
                self.searched |= self.last_searched;
            }
            Message::Observed(seen) => {
                let left = seen.data.as_deref().map(|data| &data["questions_left"]);
                self.budget = left.and_then(|left| left.as_u64()).unwrap_or(self.budget);
            }
            _ => {}
        }
    }

    fn speaks(&self) -> bool {
        self.has_user
    }

    fn brief(&self, after_thought: bool) -> Brief {
        let reasons = self.reasoning && !after_thought;
        let forced = self.forced();
        let next = forced.unwrap_or("action");
        let allowed = match forced {
            Some(tool) => tool.to_owned(),
            None => joined_by(" | ", tools::tools(self.channel).into_iter().map(|tool| tool.name)),
        };
        let in_words = (!self.tools).then_some(ShopFormat::Action);
        let (kind, format, request) = match (reasons, self.reasoning) {
            (true, _) => (MoveKind::Think, Some(ShopFormat::Summary), REASON),
            (false, true) => (MoveKind::Act, in_words, THEN),
            (false, false) => (MoveKind::Act, in_words, NEXT),
        };
        let choice = match forced {
            _ if reasons => ToolChoice::None,
            Some(tool) => ToolChoice::Named(tool.to_owned()),
            None => ToolChoice::Auto,
        };
        let section = |(name, text): (&str, String)| Section { name: name.to_owned(), text };
        let sections = [("next", next.to_owned()), ("allowed", allowed)].map(section);
        Brief {
            open: MoveKinds::of(&[kind]),
            notation: format.and_then(|format| Notation::new(format.name()).ok()),
            tool_choice: self.tools.then(|| Box::new(choice)),
            calls_as_written: self.tools,
            notice: Some(request.replace("{}", next).into()),
            sections: Vec::from(sections).into(),
            ..Brief::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use rolecall_core::domain::{Begun, CellName, Event, Observation, Opened, PublicTask, Seat, Seed, Utterance};
    use rolecall_core::ports::{Directive, ParameterValue, Strategy};

    /// A strategy that is told messages.
    struct Played(Box<dyn Strategy>);

    impl Played {
        fn new(questions: &str, reasoning: bool, channel: &str) -> Self {
            let parameters = Parameters::new([
                ("questions", ParameterValue::Text(questions.to_owned())),
                ("reasoning", ParameterValue::Flag(reasoning)),
            ]);
            let strategy = build(&[RoleName::new("executor").unwrap()], &parameters).unwrap()();
            let mut played = Self(strategy);
            let task = PublicTask { data: json!({ "channel": channel }), ..PublicTask::new("a", "beauty", "") };
            played.tell(Message::Opened(Box::new(Opened {
                task: Arc::new(task),
                cell: CellName::new("main").unwrap(),
                strategy: "chatshop".to_owned(),
                roles: Vec::new(),
                user: Some("shopper".to_owned()),
                fork: None,
                served: None,
            })));
            played.tell(Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) }));
            played.see(2);
            played
        }

        fn tell(&mut self, message: Message) {
            let (from, to) = (Seat::Conductor, Seat::Conductor);
            self.0.apply(&Event { seq: 0, cause: None, from, to, message });
        }

        fn see(&mut self, left: u32) {
            let data = Some(Box::new(json!({ "questions_left": left })));
            self.tell(Message::Observed(Observation { data, ..Observation::default() }));
        }

        /// The tool choice of the brief, and what it does with an action.
        fn act(&mut self, text: &str) -> Option<ToolChoice> {
            let Directive::Brief(_, brief) = self.0.next().unwrap() else { panic!("no brief") };
            self.tell(Message::Moved(Move::act(text)));
            let Directive::Perform(action) = self.0.next().unwrap() else { panic!("not performed") };
            assert_eq!(action.text, text);
            brief.tool_choice.map(|choice| *choice)
        }

        fn reply(&mut self, left: u32) {
            self.tell(Message::Observed(Observation::question("Blue?")));
            let Directive::Tell(said) = self.0.next().unwrap() else { panic!("nobody is asked") };
            assert_eq!(said.text, "Blue?");
            self.tell(Message::Told(said));
            self.tell(Message::Replied(Utterance::text("Yes.")));
            self.see(left);
        }
    }

    fn named(tool: &str) -> Option<ToolChoice> {
        Some(ToolChoice::Named(tool.to_owned()))
    }

    #[test]
    fn all_questions_are_asked_after_one_search() {
        let mut played = Played::new("all", false, "compare");
        assert_eq!(played.act("question[x]"), Some(ToolChoice::Auto));
        played.see(2);
        assert_eq!(played.act("search[lamp]"), Some(ToolChoice::Auto));
        played.see(2);
        for left in [1, 0] {
            assert_eq!(played.act("opinion[1]"), named("opinion"));
            played.reply(left);
        }
        assert_eq!(played.act("select[1]"), Some(ToolChoice::Auto));
    }

    #[test]
    fn searches_and_questions_take_turns() {
        let mut played = Played::new("interleave", false, "mix");
        for left in [1, 0] {
            assert_eq!(played.act("search[lamp]"), named("search"));
            played.see(left + 1);
            assert_eq!(played.act("question[blue?]"), named("question"));
            played.reply(left);
        }
        assert_eq!(played.act("search[blue lamp]"), Some(ToolChoice::Auto));
    }

    #[test]
    fn a_summary_comes_before_each_action_and_calls_nothing() {
        let mut played = Played::new("auto", true, "open");
        let Directive::Brief(_, brief) = played.0.next().unwrap() else { panic!("no brief") };
        assert_eq!(brief.tool_choice.as_deref(), Some(&ToolChoice::None));
        assert_eq!(brief.open, MoveKinds::of(&[MoveKind::Think]));
        assert!(brief.notice.unwrap().contains("next action"));
        played.tell(Message::Moved(Move::think("A lamp.")));
        assert_eq!(played.act("search[lamp]"), Some(ToolChoice::Auto));
        played.tell(Message::Observed(Observation { done: true, ..Observation::default() }));
        assert!(matches!(played.0.next(), Ok(Directive::Assess { .. })));
    }
}
