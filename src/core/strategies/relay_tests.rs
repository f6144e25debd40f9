//! The rules of the relay, one test each, and all of them at once over arbitrary answers. They stay in one
//! file, since one player by hand plays them all.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::Strategy as Proptest;

use super::relay::relay;
use crate::domain::{
    Action, Begun, Brief, CellName, Ending, Event, Message, Move, MoveKind, Observation, Opened, PlanStep, PublicTask,
    RoleName, Score, Scored, Seat, Seed, Utterance,
};
use crate::ports::{Directive, ParameterValue, Parameters, Strategy, conformance};

fn parameters(order: &[&str]) -> (Vec<RoleName>, Parameters) {
    let order: Vec<RoleName> = order.iter().map(|name| RoleName::new(name).unwrap()).collect();
    let value = ParameterValue::Roles(order.clone());
    (order, Parameters::new(BTreeMap::from([("order", value)])))
}

/// A relay that is played by hand.
struct Played {
    strategy: Box<dyn Strategy>,
}

impl Played {
    /// An episode that has begun.
    fn begun(order: &[&str], user: bool) -> Self {
        let (roles, parameters) = parameters(order);
        Self::opened(relay(&roles, &parameters).unwrap()(), roles, user)
    }

    fn opened(strategy: Box<dyn Strategy>, roles: Vec<RoleName>, user: bool) -> Self {
        let mut played = Self { strategy };
        let task = PublicTask::new("t", "", "");
        played.apply(Message::Opened(Box::new(Opened {
            task: task.into(),
            cell: CellName::new("main").unwrap(),
            strategy: "relay".to_owned(),
            roles,
            user: user.then(|| "helpful".to_owned()),
            fork: None,
            served: None,
        })));
        assert!(matches!(played.next(), Directive::Begin { trial: 0, .. }));
        played.apply(Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) }));
        played.observed("You are in a room.");
        played
    }

    /// Observations come after the actions that they answer, as in an episode.
    fn apply(&mut self, message: Message) {
        if let (Message::Observed(_), Ok(Directive::Perform(action))) = (&message, self.strategy.next()) {
            self.apply(Message::Perform(action));
        }
        self.strategy.apply(&Event { seq: 0, cause: None, from: Seat::Conductor, to: Seat::Conductor, message });
    }

    fn next(&self) -> Directive {
        self.strategy.next().unwrap()
    }

    /// Who has the turn.
    fn turn(&self) -> (String, Brief) {
        match self.next() {
            Directive::Brief(role, brief) => (role.to_string(), brief),
            other => panic!("nobody is briefed: {other:?}"),
        }
    }

    fn who(&self) -> String {
        self.turn().0
    }

    /// The role whose turn it is answers.
    fn answers(&mut self, moves: impl IntoIterator<Item = Move>) -> Directive {
        let (_, brief) = self.turn();
        self.apply(Message::Brief(brief));
        for made in moves {
            self.apply(Message::Moved(made));
        }
        self.next()
    }

    fn observed(&mut self, text: &str) -> Directive {
        self.apply(Message::Observed(Observation::text(text)));
        self.next()
    }

    fn replied(&mut self, leaving: bool) -> Directive {
        self.apply(Message::Replied(Utterance { leaving, ..Utterance::text("The desk.") }));
        self.next()
    }

    /// The role answers with an action, which is performed.
    fn acts(&mut self, action: &str) {
        let directive = self.answers([Move::act(action)]);
        assert_eq!(directive, Directive::Perform(Action::text(action)));
        self.observed("Something happens.");
    }
}

fn plan(steps: &[&str]) -> Move {
    let steps =
        steps.iter().map(|step| PlanStep { description: String::new(), variable: None, action: Action::text(*step) });
    Move::Plan { steps: steps.collect() }
}

fn judge(clarify: bool) -> Move {
    Move::Judge { clarify, reason: None }
}

const FOUR: [&str; 4] = ["thinker", "clarifier", "planner", "executor"];

#[test]
fn roles_have_their_turns_in_the_order_of_the_list_lap_after_lap() {
    let mut played = Played::begun(&["thinker", "executor", "thinker", "planner"], false);
    let mut seen = Vec::new();
    for _ in 0..9 {
        let who = played.who();
        match who.as_str() {
            "planner" => drop(played.answers([plan(&[])])),
            _ => drop(played.answers([Move::think("hm")])),
        }
        seen.push(who);
    }
    let lap = ["thinker", "executor", "thinker", "planner"];
    assert_eq!(seen, [&lap[..], &lap[..], &lap[..1]].concat());
}

#[test]
fn what_is_spoken_is_answered_before_the_next_turn() {
    let mut played = Played::begun(&["clarifier", "executor"], true);
    let told = played.answers([judge(true), Move::speak("Where is it?")]);
    assert_eq!(told, Directive::Tell(Utterance::text("Where is it?")));
    played.replied(false);
    assert_eq!(played.who(), "executor");
    played.answers([Move::think("hm")]);
    assert_eq!(played.answers([judge(false)]), played.next(), "a judgement alone hands the turn on");
    assert_eq!(played.who(), "executor");
}

#[test]
fn a_finish_a_world_that_is_done_and_a_user_who_leaves_end_the_trial() {
    let over = |unsolved| Directive::Assess { unsolved };
    let finish = || Move::Finish { answer: Box::default() };
    let mut played = Played::begun(&["executor"], true);
    let finished = played.answers([Move::think("hm"), finish(), Move::act("look")]);
    assert_eq!(finished, over(Ending::GaveUp));
    let mut played = Played::begun(&["executor"], true);
    played.answers([Move::act("win"), Move::act("look")]);
    played.apply(Message::Observed(Observation { done: true, ..Observation::text("won") }));
    assert_eq!(played.next(), over(Ending::Failed));
    let mut played = Played::begun(&["clarifier"], true);
    played.answers([Move::speak("?"), Move::speak("??")]);
    assert_eq!(played.replied(true), over(Ending::UserLeft));
    played.apply(Message::Scored(Box::new(Scored {
        trial: 0,
        round: 0,
        ending: Ending::UserLeft,
        score: Score::default(),
    })));
    assert_eq!(played.next(), Directive::Close);
}

#[test]
fn whoever_acts_keeps_the_turn_while_the_plan_has_steps_left() {
    let mut played = Played::begun(&["planner", "executor"], false);
    played.answers([plan(&["go to desk 1", "take mug 1", "look"])]);
    played.acts("go to desk 1");
    assert_eq!(played.who(), "executor");
    // Skipping ahead strikes off what was skipped.
    played.acts(" look ");
    assert_eq!(played.who(), "planner");
}

#[test]
fn without_a_plan_an_actor_acts_once_a_turn() {
    let mut played = Played::begun(&["thinker", "executor"], false);
    played.answers([Move::think("hm")]);
    played.acts("look");
    assert_eq!(played.who(), "thinker");
}

#[test]
fn a_plan_is_over_when_it_is_left_refused_or_handed_back() {
    let steps = ["go to desk 1", "take mug 1"];
    let mut left = Played::begun(&["planner", "executor"], false);
    left.answers([plan(&steps)]);
    left.acts("go to bed 1");
    assert_eq!(left.who(), "planner");

    let mut refused = Played::begun(&["planner", "executor"], false);
    refused.answers([plan(&steps)]);
    refused.answers([Move::act("go to desk 1")]);
    refused.apply(Message::Observed(Observation { invalid: true, ..Observation::text("Nothing happens.") }));
    assert_eq!(refused.who(), "planner");

    let mut handed_back = Played::begun(&["planner", "executor"], false);
    handed_back.answers([plan(&steps)]);
    handed_back.acts("go to desk 1");
    handed_back.answers([Move::think("There is no mug here.")]);
    assert_eq!(handed_back.who(), "planner");
}

#[test]
fn all_moves_of_an_answer_are_worked_through_and_the_last_decides() {
    let mut played = Played::begun(&["solver", "executor"], true);
    let first = played.answers([
        Move::think("First look."),
        Move::act("look"),
        Move::speak("I look."),
        plan(&["open box 1", "look"]),
        Move::act("open box 1"),
    ]);
    assert_eq!(first, Directive::Perform(Action::text("look")));
    let said = played.observed("A box.");
    assert_eq!(said, Directive::Tell(Utterance::text("I look.")));
    let acted = played.replied(false);
    assert_eq!(acted, Directive::Perform(Action::text("open box 1")));
    played.observed("It is open.");
    assert_eq!(played.who(), "solver", "one step of its own plan is left");
}

#[test]
fn what_is_open_depends_on_the_role_and_the_user() {
    let open = |role: &str, user| {
        let (_, brief) = Played::begun(&[role], user).turn();
        assert!(brief.several);
        brief.open.iter().map(MoveKind::as_str).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(open("thinker", true), "think");
    assert_eq!(open("clarifier", true), "speak judge");
    assert_eq!(open("clarifier", false), "judge");
    assert_eq!(open("planner", true), "plan");
    assert_eq!(open("executor", true), "think act finish");
    assert_eq!(open("critic", true), "think plan act speak judge finish");
    assert_eq!(open("critic", false), "think plan act judge finish");
}

#[test]
fn a_turn_that_is_tried_again_stays_the_same_turn() {
    let mut played = Played::begun(&FOUR, true);
    let (_, brief) = played.turn();
    played.apply(Message::Brief(brief));
    assert_eq!(played.who(), "thinker", "nobody has answered yet");
    played.answers([Move::think("hm")]);
    assert_eq!(played.who(), "clarifier");
}

#[test]
fn the_list_must_fit_the_cast() {
    let (mut roles, parameters) = parameters(&FOUR);
    roles.pop();
    assert!(relay(&roles, &parameters).is_err());
    assert!(relay(&roles, &Parameters::default()).is_err());
}

/// A relay that is told this besides the list.
fn with_order(order: &[&str], values: &[(&'static str, ParameterValue)]) -> Result<Played, String> {
    let (roles, mut parameters) = parameters(order);
    for (name, value) in values {
        parameters = parameters.with(name, value.clone());
    }
    let factory = relay(&roles, &parameters).map_err(|error| error.to_string())?;
    conformance::strategy(&factory).unwrap();
    Ok(Played::opened(factory(), roles, true))
}

fn roles(names: &[&str]) -> ParameterValue {
    let roles = names.iter().map(|name| RoleName::new(name).unwrap());
    ParameterValue::Roles(roles.collect())
}

#[test]
fn a_role_keeps_the_turn_until_it_is_done() {
    let keep = [("keep", roles(&["clarifier", "executor"]))];
    let mut played = with_order(&["clarifier", "executor", "planner"], &keep).unwrap();
    let finish = Move::Finish { answer: Box::default() };
    played.answers([judge(true), Move::speak("Where?")]);
    played.replied(false);
    assert_eq!(played.who(), "clarifier");
    played.answers([judge(false)]);
    played.acts("look");
    played.answers([Move::think("hm")]);
    assert_eq!(played.who(), "executor");
    played.answers([finish.clone(), Move::act("look")]);
    assert_eq!(played.who(), "planner", "the rest of the answer is dropped");
    let unsolved = Ending::GaveUp;
    assert_eq!(played.answers([finish]), Directive::Assess { unsolved });
}

#[test]
fn the_last_judgement_decides_who_is_passed_over() {
    let skip = [("skip_when_clear", roles(&["clarifier"])), ("skip_when_unclear", roles(&["executor"]))];
    let mut played = with_order(&["critic", "clarifier", "executor"], &skip).unwrap();
    let mut seen = Vec::new();
    for verdict in [None, Some(true), None, None, Some(false), None] {
        seen.push(played.who());
        played.answers([verdict.map_or_else(|| Move::think("hm"), judge)]);
    }
    let (critic, clarifier) = ("critic", "clarifier");
    assert_eq!(seen, [critic, clarifier, critic, clarifier, critic, "executor"]);
    assert!(with_order(&["critic"], &skip).is_err());
}

#[test]
fn it_is_a_fold_for_any_list() {
    for order in [&FOUR[..], &["executor"], &["planner", "critic", "planner"]] {
        let (roles, parameters) = parameters(order);
        conformance::strategy(&relay(&roles, &parameters).unwrap()).unwrap();
    }
}

/// A list in which no role follows itself, so that it shows whether the turn was handed on.
fn any_list() -> impl Proptest<Value = Vec<&'static str>> {
    let names = prop::sample::select(vec!["a", "b", "executor", "planner"]);
    prop::collection::vec(names, 1..6).prop_filter("a role follows itself", |list| {
        let follows = |place: usize| list[place] == list[(place + 1) % list.len()];
        list.len() == 1 || !(0..list.len()).any(follows)
    })
}

fn any_action() -> impl Proptest<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c", "d"])
}

fn any_move() -> impl Proptest<Value = Move> {
    prop_oneof![
        Just(Move::think("hm")),
        Just(judge(true)),
        Just(Move::Learn { lesson: "Look first.".to_owned() }),
        Just(Move::speak("Where?")),
        any_action().prop_map(Move::act),
        any_action().prop_map(Move::act),
        prop::collection::vec(any_action(), 0..4).prop_map(|steps| plan(&steps)),
    ]
}

/// The actions and utterances until the next turn.
fn until_the_next_turn(played: &mut Played, refused: &[bool]) -> Vec<String> {
    let mut done = Vec::new();
    for invalid in refused {
        match played.next() {
            Directive::Perform(action) => {
                done.push(action.text);
                played.apply(Message::Observed(Observation { invalid: *invalid, ..Observation::text("o") }));
            }
            Directive::Tell(said) => {
                done.push(said.text);
                played.replied(false);
            }
            _ => break,
        }
    }
    done
}

fn chosen(made: &Move) -> Option<String> {
    match made {
        Move::Act { action } => Some(action.text.clone()),
        Move::Speak { text, .. } => Some(text.clone()),
        _ => None,
    }
}

proptest! {
    #[test]
    fn no_answer_makes_it_hang_change_the_order_or_act_by_itself(
        list in any_list(),
        answers in prop::collection::vec(
            (prop::collection::vec(any_move(), 1..6), prop::collection::vec(any::<bool>(), 6)),
            1..30,
        ),
    ) {
        let mut played = Played::begun(&list, true);
        let mut place = 0;
        for (moves, refused) in answers {
            prop_assert_eq!(played.who(), list[place]);
            let acted = matches!(moves.last(), Some(Move::Act { .. }));
            let all: Vec<String> = moves.iter().filter_map(chosen).collect();
            played.answers(moves);
            prop_assert_eq!(until_the_next_turn(&mut played, &refused), all);
            let who = played.who();
            if !(acted && who == list[place]) {
                place = (place + 1) % list.len();
            }
            prop_assert_eq!(who, list[place]);
        }
    }
}
