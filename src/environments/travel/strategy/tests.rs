//! The strategy, played by hand.

use serde_json::{Value, json};

use super::*;
use rolecall_core::domain::{
    Action, Begun, Call, CellName, Ending, Event, Message, Move, Observation, Opened, PlanStep, PrivateInfo,
    PublicTask, Score, Scored, Seat, Seed, Utterance,
};
use rolecall_core::ports::{Directive, ParameterValue, Strategy, conformance};

/// A strategy that is told messages.
struct Played(Box<dyn Strategy>);

fn factory(settings: &[(&'static str, &str)]) -> StrategyFactory {
    let value = |text: &str| match text {
        "true" | "false" => ParameterValue::Flag(text == "true"),
        text => match text.parse() {
            Ok(number) => ParameterValue::Integer(number),
            Err(_) => ParameterValue::Text(text.to_owned()),
        },
    };
    let mut parameters = Parameters::defaults(PARAMETERS);
    for (name, text) in settings {
        parameters = parameters.with(name, value(text));
    }
    let roles: Vec<RoleName> = ROLES.iter().map(|role| RoleName::new(role).unwrap()).collect();
    build(&roles, &parameters).unwrap()
}

impl Played {
    /// An episode that has begun, with a user who has two details.
    fn new(settings: &[(&'static str, &str)]) -> Self {
        let mut played = Self(factory(settings)());
        played.tell(Message::Opened(Box::new(Opened {
            task: Arc::new(PublicTask::new("a", "easy", "A trip.")),
            cell: CellName::new("main").unwrap(),
            strategy: "cep".to_owned(),
            roles: Vec::new(),
            user: Some("static".to_owned()),
            fork: None,
            served: None,
        })));
        played.tell(Message::Entrusted(Box::new(PrivateInfo {
            audience: Seat::User,
            label: "details".to_owned(),
            value: Arc::new(json!([{ "question": "From where?" }, { "question": "When?" }])),
        })));
        played.tell(Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) }));
        played.see("successful");
        played
    }

    fn tell(&mut self, message: Message) {
        self.0.apply(&Event { seq: 0, cause: None, from: Seat::Conductor, to: Seat::Conductor, message });
    }

    fn see(&mut self, status: &str) {
        self.tell(Message::Observed(Observation {
            data: Some(Box::new(json!({ "status": status }))),
            invalid: status != "successful",
            ..Observation::text("o")
        }));
    }

    /// The role that is briefed, and the notation of its answer.
    fn asked(&self) -> String {
        let Directive::Brief(role, brief) = self.0.next().unwrap() else {
            panic!("nobody is briefed: {:?}", self.0.next())
        };
        let notation = brief.notation.map_or("calls".to_owned(), |name| name.to_string());
        format!("{role} {notation}")
    }

    fn answer(&mut self, moves: impl IntoIterator<Item = Move>) {
        let Ok(Directive::Brief(_, brief)) = self.0.next() else { panic!("nobody is briefed: {:?}", self.0.next()) };
        self.tell(Message::Brief(brief));
        for made in moves {
            self.tell(Message::Moved(made));
        }
    }

    /// A section of the brief.
    fn section(&self, name: &str) -> Option<String> {
        let Ok(Directive::Brief(_, brief)) = self.0.next() else {
            return None;
        };
        let mut sections = brief.sections.iter();
        Some(sections.find(|section| section.name == name)?.text.clone())
    }

    fn performed(&mut self, status: &str) -> Action {
        let Ok(Directive::Perform(action)) = self.0.next() else { panic!("nothing is performed: {:?}", self.0.next()) };
        self.tell(Message::Perform(action.clone()));
        self.see(status);
        action
    }

    /// Tells the user, who answers.
    fn put(&mut self, leaving: bool) -> String {
        let Ok(Directive::Tell(said)) = self.0.next() else { panic!("nobody is told anything: {:?}", self.0.next()) };
        self.tell(Message::Told(said.clone()));
        self.tell(Message::Replied(Utterance { leaving, ..Utterance::text("From Boston.") }));
        // The world hears it.
        self.see("successful");
        said.text
    }

    fn step(&mut self, action: &str) {
        assert_eq!(self.asked(), "executor tool-thought");
        self.answer([Move::think("t")]);
        assert_eq!(self.asked(), "executor tool-action");
        self.answer([Move::act(action)]);
    }

    fn chain(&mut self, lines: &[&str]) {
        assert_eq!(self.asked(), "executor tool-chain");
        let steps = lines.iter().map(|line| PlanStep::of(*line)).collect();
        self.answer([Move::Plan { steps }]);
        for line in lines {
            assert_eq!(self.performed("successful").text, *line);
        }
    }

    /// The calls whose results are collected.
    fn collected(&mut self) -> Value {
        let action = self.performed("successful");
        assert_eq!(action.text, "Collect()");
        action.call.unwrap().arguments["calls"].clone()
    }

    /// The plan that is delivered, and the end.
    fn delivered(&mut self) -> Value {
        let action = self.performed("successful");
        let unsolved = Ending::Failed;
        assert_eq!(self.0.next(), Ok(Directive::Assess { unsolved: unsolved.clone() }));
        self.tell(Message::Scored(Box::new(Scored { trial: 0, round: 0, ending: unsolved, score: Score::default() })));
        assert_eq!(self.0.next(), Ok(Directive::Close));
        action.call.unwrap().arguments["plan"].clone()
    }
}

fn judge(clarify: bool) -> Move {
    Move::Judge { clarify, reason: None }
}

fn finish(answer: Value) -> Move {
    Move::Finish { answer: Box::new(answer) }
}

#[test]
fn a_chain_a_question_and_a_plan() {
    let mut played = Played::new(&[]);
    played.chain(&["A(1)", "A(1)", "B(2)"]);
    assert_eq!(played.asked(), "clarifier clarify-need");
    played.answer([judge(true), Move::speak("From where?")]);
    assert_eq!(played.put(false), "From where?");
    played.chain(&["C(3)"]);
    // Who judges that something is unclear and asks nothing is asked for the question.
    played.answer([judge(true)]);
    assert_eq!(played.asked(), "clarifier clarify-question");
    played.answer([Move::speak("When?")]);
    // A user who leaves brings no further turn.
    assert_eq!(played.put(true), "When?");
    assert_eq!(played.collected(), json!(["C(3)"]));
    assert_eq!(played.asked(), "planner trip-plan");
    played.answer([Move::act("AttractionSearch(\"Boston\")")]);
    played.performed("successful");
    assert_eq!(played.asked(), "planner trip-plan");
    played.answer([finish(json!([{}, {}]))]);
    assert_eq!(played.delivered(), json!([{}, {}]));
}

#[test]
fn turns_of_the_data_set_are_gone_through_whatever_is_said() {
    let mut played = Played::new(&[("mode", "clarify"), ("clarification", "once"), ("plans", "false")]);
    for question in ["From where?", "When?"] {
        played.chain(&[]);
        assert_eq!(played.asked(), "clarifier clarify-or-act");
        played.answer([judge(false)]);
        assert_eq!(played.put(false), question);
    }
    played.chain(&["A()"]);
    played.answer([Move::speak("What else?")]);
    assert!(matches!(played.0.next(), Ok(Directive::Assess { .. })));
}

#[test]
fn nobody_asks_in_the_base_nor_after_the_last_turn() {
    for settings in [("mode", "base"), ("turns", "1")] {
        let mut played = Played::new(&[settings]);
        played.chain(&["A()"]);
        assert_eq!(played.collected(), json!(["A()"]));
        // A planner who gives no plan delivers none.
        played.answer([finish(Value::Null)]);
        assert_eq!(played.delivered(), Value::Null);
    }
}

#[test]
fn steps_end_with_a_finish_and_only_good_calls_are_collected() {
    let mut played = Played::new(&[("execution", "dynamic"), ("mode", "base")]);
    played.step("AttractionSearch(\"X\")");
    played.performed("tool error");
    played.step("AttractionSearch(\"Boston\")");
    played.performed("successful");
    played.step("Finish()");
    assert_eq!(played.collected(), json!(["AttractionSearch(\"Boston\")"]));
}

#[test]
fn lessons_are_kept_once_and_cleared_or_carried() {
    for memory in ["cleared", "carried"] {
        let settings = [("execution", "dynamic"), ("reflection", "true"), ("memory", memory)];
        let mut played = Played::new(&settings);
        for city in ["X", "Y"] {
            let action = format!("AttractionSearch(\"{city}\")");
            played.step(&action);
            played.performed("tool error");
            assert_eq!(played.asked(), "executor tool-lesson");
            assert_eq!(played.section("action"), Some(action));
            assert_eq!(played.section("observation"), Some("o".to_owned()));
            assert!(played.section("documentation").unwrap().starts_with("AttractionSearch(city)"));
            played.answer([Move::Learn { lesson: "Use\ncities.".to_owned() }]);
            assert_eq!(played.section("lessons"), Some("Use cities.".to_owned()));
        }
        played.step("Finish()");
        played.answer([judge(true), Move::speak("When?")]);
        played.put(false);
        assert_eq!(played.section("lessons").is_some(), memory == "carried");
    }
}

#[test]
fn a_planner_who_calculates_ends_with_a_plan_or_with_none() {
    let settings = [("planning", "reflexion"), ("mode", "base"), ("repeats", "9")];
    let mut played = Played::new(&settings);
    played.chain(&[]);
    assert_eq!(played.collected(), json!([]));
    for failing in 1..=4 {
        assert_eq!(played.asked(), "planner tool-thought");
        played.answer([Move::think("t")]);
        assert_eq!(played.asked(), "planner trip-step");
        played.answer([Move::act("CostEnquiry({'people_number': 1})")]);
        let action = played.performed("tool error");
        assert_eq!(action.call.unwrap().arguments["variant"], "reflexion");
        if failing >= 3 {
            assert_eq!(played.asked(), "planner tool-lesson");
            played.answer([Move::Learn { lesson: "l".to_owned() }]);
        }
    }
    let mut stops = Played::new(&[("planning", "react"), ("mode", "base"), ("steps", "2")]);
    stops.chain(&[]);
    stops.collected();
    for action in ["CostEnquiry({})", "CostEnquiry({'a': 1})"] {
        stops.answer([Move::think("t")]);
        stops.answer([Move::act(action)]);
        stops.performed("successful");
    }
    assert_eq!(stops.delivered(), Value::Null);
}

#[test]
fn calls_of_tools_have_no_notation() {
    let mut played = Played::new(&[("actions", "tools"), ("mode", "base")]);
    assert_eq!(played.asked(), "executor calls");
    played.answer([Move::act("A()"), Move::act("B()"), finish(Value::Null)]);
    for text in ["A()", "B()"] {
        assert_eq!(played.performed("successful").text, text);
    }
    assert_eq!(played.collected(), json!(["A()", "B()"]));
}

#[test]
fn it_is_a_fold_that_closes_however_it_is_set() {
    for mode in ["all", "clarify", "base"] {
        for execution in ["static", "dynamic"] {
            for planning in ["direct", "react", "reflexion"] {
                let settings = [
                    ("mode", mode),
                    ("execution", execution),
                    ("planning", planning),
                    ("reflection", "true"),
                    ("turns", "3"),
                    ("steps", "4"),
                ];
                conformance::strategy(&factory(&settings)).unwrap();
            }
        }
    }
}

#[test]
fn an_executor_neither_delivers_a_plan_nor_opens_the_planning() {
    let native = |tool: &str| Move::Act {
        action: Action {
            text: format!("{tool} {{}}"),
            call: Some(Box::new(Call { tool: tool.to_owned(), arguments: json!({}) })),
        },
    };
    let mut played = Played::new(&[]);
    played.answer([Move::act("Plan([])"), native("plan"), native("collect")]);
    for text in ["Plan([])", "plan {}", "collect {}"] {
        let action = played.performed("invalid action type");
        assert_eq!(action.text, text);
        assert_eq!(action.call.map(|call| call.tool).as_deref(), Some(""));
    }
    assert_eq!(played.asked(), "clarifier clarify-need");
}
