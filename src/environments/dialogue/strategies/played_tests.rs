//! A dialogue that is played by hand, for the tests beside it.

use serde_json::{Value, json};

use super::*;
use rolecall_core::domain::{
    Action, Begun, Brief, CellName, DialogueAct, Ending, Event, Message, Move, Observation, Opened, PlanStep,
    PublicTask, Score, Scored, Seat, Seed, Utterance,
};
use rolecall_core::ports::{Directive, ParameterValue, Strategy};

pub(super) type Build = fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>;

/// A method with the roles that it is played with.
pub(super) type Cast = (Build, &'static [&'static str]);

pub(super) const COT: Cast = (cot, &["executor"]);
pub(super) const FEW_SHOT: Cast = (few_shot, &["executor"]);
pub(super) const REACT: Cast = (react, &["executor"]);
pub(super) const CUE: Cast = (cue_cot, &["thinker", "executor"]);
pub(super) const CHAMELEON: Cast = (chameleon, &["planner", "executor"]);
pub(super) const REWOO: Cast = (rewoo, &["planner", "executor"]);
pub(super) const TPE: Cast = (tpe, &["thinker", "planner", "executor"]);
pub(super) const MERGED: Cast = (tpe, &["thinker", "executor"]);

/// Every method, TPE with each cast.
pub(super) const ALL: [Cast; 10] =
    [COT, FEW_SHOT, REACT, CUE, CHAMELEON, REWOO, TPE, MERGED, (tpe, &["planner", "executor"]), (tpe, &["executor"])];

/// A strategy for a cast with settings.
pub(super) fn factory(
    built: Cast,
    parameters: &[(&'static str, ParameterValue)],
) -> Result<StrategyFactory, SetupError> {
    let (build, cast) = built;
    let cast: Vec<RoleName> = cast.iter().map(|name| RoleName::new(name).unwrap()).collect();
    let usual = [
        ("cast", ParameterValue::Roles(cast.clone())),
        ("status", ParameterValue::Flag(true)),
        ("reasons", ParameterValue::Flag(true)),
    ];
    let told = usual.into_iter().chain(parameters.iter().cloned());
    build(&cast, &Parameters::new(told))
}

/// The data of a task of a dataset.
pub(super) fn task(dataset: &str) -> Value {
    let tools: &[&str] = match dataset {
        "focus" => &["PERSONA", "DOCUMENT"],
        "cima" => &["Hint", "Question", "Correction", "Confirmation", "Others"],
        "psyqa" => &["Information", "Restatement", "Others"],
        _ => return Value::Null,
    };
    let tools: Vec<Value> = tools.iter().map(|name| json!({"name": name})).collect();
    json!({
        "dataset": dataset,
        "language": if dataset == "psyqa" { "zh" } else { "en" },
        "dialogue": [{"speaker": "USER", "text": "What is this?"}, {"speaker": "SYSTEM", "text": "A tower."},
            {"speaker": "USER", "text": "How high?"}],
        "tools": tools,
    })
}

/// A dialogue with all that happened.
pub(super) struct Played {
    factory: StrategyFactory,
    strategy: Box<dyn Strategy>,
    events: Vec<Event>,
    directives: Vec<Directive>,
}

impl Played {
    /// A task of a dataset that has begun.
    pub(super) fn begun(cast: Cast, dataset: &str) -> Self {
        Self::with_parameters(cast, dataset, &[], false)
    }

    /// A task of a dataset that has begun, with settings, and with a user or not.
    pub(super) fn with_parameters(
        cast: Cast,
        dataset: &str,
        parameters: &[(&'static str, ParameterValue)],
        user: bool,
    ) -> Self {
        let factory = factory(cast, parameters).unwrap();
        let mut played = Self { strategy: factory(), factory, events: Vec::new(), directives: Vec::new() };
        let task = PublicTask { data: task(dataset), ..PublicTask::new("t", dataset, "") };
        played.apply(Message::Opened(Box::new(Opened {
            task: task.into(),
            cell: CellName::new("main").unwrap(),
            strategy: "tpe".to_owned(),
            roles: Vec::new(),
            user: user.then(|| "student".to_owned()),
            fork: None,
            served: None,
        })));
        assert!(matches!(played.next(), Directive::Begin { trial: 0, .. }));
        played.apply(Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) }));
        played.found("");
        played
    }

    pub(super) fn apply(&mut self, message: Message) -> Directive {
        let event =
            Event { seq: self.events.len() as u32, cause: None, from: Seat::Conductor, to: Seat::Conductor, message };
        self.strategy.apply(&event);
        self.events.push(event);
        self.directives.push(self.next());
        self.next()
    }

    pub(super) fn next(&self) -> Directive {
        self.strategy.next().unwrap()
    }

    /// Who has the turn, and the brief.
    pub(super) fn turn(&self) -> (String, Brief) {
        match self.next() {
            Directive::Brief(role, brief) => (role.to_string(), brief),
            other => panic!("nobody is briefed: {other:?}"),
        }
    }

    pub(super) fn notation(&self) -> DialogueFormat {
        DialogueFormat::of(self.turn().1.notation.unwrap()).unwrap()
    }

    /// A section of the brief; empty if there is none.
    pub(super) fn section(&self, name: &str) -> String {
        let mut sections = self.turn().1.sections.into_iter().filter(|section| section.name == name);
        sections.next().map(|section| section.text).unwrap_or_default()
    }

    /// The role whose turn it is answers.
    pub(super) fn answers(&mut self, moves: impl IntoIterator<Item = Move>) -> Directive {
        let (_, brief) = self.turn();
        self.apply(Message::Brief(brief));
        for made in moves {
            self.apply(Message::Moved(made));
        }
        self.next()
    }

    /// The action that is performed: the tool, and its arguments.
    pub(super) fn asked(&self) -> (String, String) {
        let Directive::Perform(Action { call: Some(call), .. }) = self.next() else {
            panic!("nothing is asked: {:?}", self.next());
        };
        let argument = ["query", "text"].iter().find_map(|name| call.arguments.get(name));
        (call.tool, argument.unwrap().as_str().unwrap().to_owned())
    }

    pub(super) fn query(&self) -> String {
        self.asked().1
    }

    /// The response that is given.
    pub(super) fn response(&self) -> String {
        let (tool, text) = self.asked();
        assert_eq!(tool, "respond");
        text
    }

    pub(super) fn found(&mut self, text: &str) -> Directive {
        self.apply(Message::Observed(Observation::text(text)))
    }

    pub(super) fn refused(&mut self, text: &str) -> Directive {
        self.apply(Message::Observed(Observation::refused(text)))
    }

    pub(super) fn replied(&mut self, text: &str, leaving: bool) -> Directive {
        self.apply(Message::Replied(Utterance { leaving, ..Utterance::text(text) }))
    }

    pub(super) fn scored(&mut self) -> Directive {
        self.apply(Message::Scored(Box::new(Scored {
            trial: 0,
            round: 0,
            ending: Ending::Failed,
            score: Score::default(),
        })))
    }

    /// From any point of the log, a rebuilt strategy gives the same directives.
    pub(super) fn can_be_gone_on_with(&self) {
        let mut fresh = (self.factory)();
        for (event, directive) in self.events.iter().zip(&self.directives) {
            let text = serde_json::to_string(event).unwrap();
            fresh.apply(&serde_json::from_str(&text).unwrap());
            // Not every fold is asked after every event.
            if event.seq.is_multiple_of(3) {
                assert_eq!(&fresh.next().unwrap(), directive);
            }
        }
        assert_eq!(fresh.next().unwrap(), self.next());
    }
}

pub(super) fn plan(steps: &[&str]) -> Move {
    Move::Plan { steps: steps.iter().map(|step| PlanStep::of(*step)).collect() }
}

/// A plan in which each step has a variable.
pub(super) fn with_variables(steps: &[(&str, &str)]) -> Move {
    let steps =
        steps.iter().map(|(variable, text)| PlanStep { variable: Some((*variable).to_owned()), ..PlanStep::of(*text) });
    Move::Plan { steps: steps.collect() }
}

pub(super) fn says(act: &str, text: &str) -> Move {
    Move::Speak { text: text.to_owned(), act: Some(DialogueAct(act.to_owned())) }
}

pub(super) fn finish(text: &str) -> Move {
    Move::Finish { answer: Box::new(text.into()) }
}

/// The moves of a role that cannot answer.
pub(super) fn unreadable() -> Move {
    Move::Finish { answer: Box::default() }
}

pub(super) const GAVE_UP: Directive = Directive::Assess { unsolved: Ending::GaveUp };
