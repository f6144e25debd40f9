//! The cast of four, one turn at a time, over what the others said.

use tokio_util::sync::CancellationToken;

use super::*;
use rolecall_core::domain::{
    Action, Begun, Brief, CellName, EpisodeId, Event, Message, Move, MoveKind, MoveKinds, Observation, Opened,
    PlanStep, PublicTask, RoleName, Seat, Seed, Transcript, Utterance, Visibility,
};
use rolecall_core::ports::Turn;

const ROOM: &str = "You are in the middle of a room. Looking quickly around you, you see a cabinet 2, \
                    a cabinet 1, a countertop 1, a microwave 1, and a shelf 1.\nYour task is to: put \
                    a hot mug in cabinet.";

/// An episode that was played so far by hand.
struct Scene {
    transcript: Transcript,
    length: u32,
}

fn seat(role: &str) -> Seat {
    Seat::Role(RoleName::new(role).unwrap())
}

impl Scene {
    fn begun(user: bool) -> Self {
        let mut scene = Self { transcript: Transcript::new(Visibility::default()), length: 0 };
        let roles = ["thinker", "clarifier", "planner", "executor"];
        let task = PublicTask::new("t", "heat", "put a hot mug in cabinet.");
        let opened = Message::Opened(Box::new(Opened {
            task: task.into(),
            cell: CellName::new("main").unwrap(),
            strategy: "relay".to_owned(),
            roles: roles.map(|name| RoleName::new(name).unwrap()).to_vec(),
            user: user.then(|| "helpful".to_owned()),
            fork: None,
            served: None,
        }));
        scene.event(Seat::Conductor, Seat::Conductor, opened);
        let begun = Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) });
        scene.event(Seat::Conductor, Seat::Environment, begun);
        scene.observed(ROOM);
        scene
    }

    fn event(&mut self, from: Seat, to: Seat, message: Message) {
        let event = Event { seq: self.length, cause: None, from, to, message };
        self.transcript.append(event).unwrap();
        self.length += 1;
    }

    fn observed(&mut self, text: &str) {
        let observation = Observation { invalid: text == "Nothing happens.", ..Observation::text(text) };
        let message = Message::Observed(observation);
        self.event(Seat::Environment, Seat::Conductor, message);
    }

    /// A role moves.
    fn moves(&mut self, role: &str, made: Move) -> &mut Self {
        self.event(seat(role), Seat::Conductor, Message::Moved(made));
        self
    }

    fn thinks(&mut self, thought: &str) -> &mut Self {
        self.moves("thinker", Move::think(thought))
    }

    /// The executor acts and sees something.
    fn acts(&mut self, action: &str, seen: &str) -> &mut Self {
        self.moves("executor", Move::act(action));
        let perform = Message::Perform(Action::text(action));
        self.event(Seat::Conductor, Seat::Environment, perform);
        self.observed(seen);
        self
    }

    /// The clarifier asks and the user replies.
    fn asks(&mut self, question: &str, reply: &str) -> &mut Self {
        self.moves("clarifier", Move::speak(question));
        let told = Message::Told(Utterance::text(question));
        self.event(Seat::Conductor, Seat::User, told);
        let replied = Message::Replied(Utterance::text(reply));
        self.event(Seat::User, Seat::Conductor, replied);
        self
    }

    /// The role's answer now, one line a move.
    fn answer(&mut self, role: &str, mut participant: impl Role) -> String {
        let open = match role {
            "thinker" => MoveKinds::of(&[MoveKind::Think]),
            "clarifier" => MoveKinds::of(&[MoveKind::Judge, MoveKind::Speak]),
            "planner" => MoveKinds::of(&[MoveKind::Plan]),
            _ => MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Finish]),
        };
        let has_user = self
            .transcript
            .get(0)
            .is_some_and(|event| matches!(&event.message, Message::Opened(opened) if opened.user.is_some()));
        let brief = Message::Brief(Brief {
            open: if has_user { open } else { open.without(MoveKind::Speak) },
            several: true,
            steps_left: Some(100),
            ..Brief::default()
        });
        self.event(Seat::Conductor, seat(role), brief);
        let end = self.length as usize;
        let turn = Turn {
            episode: EpisodeId { cell: CellName::new("main").unwrap(), task: 0, repeat: 0 },
            seat: seat(role),
            number: 0,
            attempt: 0,
            view: self.transcript.visible_to(seat(role), 0, end),
            seed: Seed(1),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Default::default(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(participant.take_turn(&turn)).unwrap();
        let lines: Vec<String> = answer.moves.iter().map(line).collect();
        lines.join("\n")
    }

    fn thinker(&mut self) -> String {
        self.answer("thinker", thinker())
    }

    fn clarifier(&mut self) -> String {
        self.answer("clarifier", Clarifier::new(3))
    }

    fn planner(&mut self) -> String {
        self.answer("planner", specialist::planner(true, 6))
    }

    fn executor(&mut self) -> String {
        self.answer("executor", HouseholdPlayer::new(Habits::default()))
    }
}

fn line(made: &Move) -> String {
    match made {
        Move::Plan { steps } => {
            let steps: Vec<&str> = steps.iter().map(|step| &*step.action.text).collect();
            steps.join(", ")
        }
        Move::Judge { clarify, reason } => {
            format!("{clarify}: {}", reason.as_deref().unwrap_or_default())
        }
        Move::Think { text } | Move::Speak { text, .. } => text.clone(),
        Move::Act { action } => action.text.clone(),
        other => format!("{other:?}"),
    }
}

fn plan(steps: &[&str]) -> Move {
    let steps =
        steps.iter().map(|step| PlanStep { description: String::new(), variable: None, action: Action::text(*step) });
    Move::Plan { steps: steps.collect() }
}

const TWO_MUGS: &str = "You arrive at countertop 1. On the countertop 1, you see a mug 2, and a mug 1.";

#[test]
fn the_thinker_names_what_is_to_be_reached_next() {
    let mut scene = Scene::begun(true);
    assert_eq!(scene.thinker(), "Sub-goal: find a mug.");
    scene.acts("go to countertop 1", TWO_MUGS);
    assert_eq!(scene.thinker(), "Sub-goal: heat a mug with the microwave 1.");
    scene.asks("Which one should I take?", "Mug 2, please.");
    assert_eq!(scene.thinker(), "Sub-goal: heat the mug 2 with the microwave 1.");
    let taken = "You pick up the mug 2 from the countertop 1.";
    scene.acts("take mug 2 from countertop 1", taken);
    let heated = "You heat the mug 2 using the microwave 1.";
    scene.acts("heat mug 2 with microwave 1", heated);
    assert_eq!(scene.thinker(), "Sub-goal: put the mug 2 in/on the cabinet 2.");
}

#[test]
fn the_clarifier_asks_where_to_look_until_it_was_told() {
    let mut scene = Scene::begun(true);
    scene.thinks("Sub-goal: find a mug.");
    let verdict = scene.clarifier();
    assert!(verdict.starts_with("true: The mug could be in many places.\nI am looking for the mug."));
    scene.asks("Where should I look for the mug?", "Check cabinet 1.");
    assert_eq!(scene.clarifier(), "false: The user has said what to do.");
    let mut alone = Scene::begun(false);
    assert_eq!(alone.clarifier(), "false: There is nobody to ask.");
}

#[test]
fn the_clarifier_goes_by_what_the_thinker_said() {
    let mut scene = Scene::begun(true);
    scene.acts("go to countertop 1", TWO_MUGS);
    scene.thinks("Now heat mug 1 in the microwave.");
    assert_eq!(scene.clarifier(), "false: It is clear what is meant and where it is.");
    scene.thinks("Now heat one of the mugs.");
    assert!(scene.clarifier().starts_with("true: Several objects could be meant.\nI found mug"));
    scene.thinks("I would rather find a plate first.");
    assert!(scene.clarifier().contains("Where should I look for the plate"));
}

#[test]
fn an_eager_clarifier_asks_whatever_it_was_told() {
    let mut scene = Scene::begun(true);
    scene.asks("Where should I look for the mug?", "Check cabinet 1.");
    let verdict = scene.answer("clarifier", Clarifier::eager());
    assert!(verdict.starts_with("true: "), "{verdict}");
    scene.acts("go to countertop 1", TWO_MUGS);
    let verdict = scene.answer("clarifier", Clarifier::eager());
    assert_eq!(verdict, "false: Nothing has to be found.");
}

#[test]
fn a_search_goes_where_the_user_said_and_else_from_place_to_place() {
    let mut scene = Scene::begun(true);
    let planned = scene.planner();
    let rounds: Vec<&str> = planned.split(", ").collect();
    // The object belongs into a cabinet: they stay open.
    let orders = [["cabinet 1", "cabinet 2"], ["cabinet 2", "cabinet 1"]];
    assert!(orders.iter().any(|[first, second]| {
        let cabinets =
            [format!("go to {first}"), format!("open {first}"), format!("go to {second}"), format!("open {second}")];
        rounds.starts_with(&cabinets.each_ref().map(String::as_str))
    }));
    assert_eq!(rounds[4..], ["go to countertop 1", "go to shelf 1"]);
    assert_eq!(scene.answer("planner", specialist::planner(true, 1)), rounds[0]);
    scene.asks("Where should I look for the mug?", "Check the shelf, please.");
    assert_eq!(scene.planner(), "go to shelf 1");
}

#[test]
fn the_planner_works_on_what_the_thinker_said() {
    let mut scene = Scene::begun(true);
    scene.acts("go to countertop 1", TWO_MUGS);
    let heat = "take mug 1 from countertop 1, go to microwave 1, heat mug 1 with microwave 1";
    scene.thinks("Sub-goal: heat the mug 1 with the microwave 1.");
    assert_eq!(scene.planner(), heat);
    scene.thinks("Sub-goal: take the mug 1.");
    assert_eq!(scene.planner(), "take mug 1 from countertop 1");
    scene.thinks("Put mug 1 on the shelf 1 first.");
    let put = "take mug 1 from countertop 1, go to shelf 1, put mug 1 in/on shelf 1";
    assert_eq!(scene.planner(), put);
    scene.thinks("Find some plates.");
    assert!(scene.planner().starts_with("go to cabinet"));
    for unreadable in ["Well, well.", "Sub-goal: find a mug.", "Sub-goal: heat the mug 7."] {
        scene.thinks(unreadable);
        let steps = scene.planner();
        assert!(steps.starts_with("take mug 2 from countertop 1, go to microwave 1"), "{steps}");
    }
}

#[test]
fn the_executor_performs_a_plan_word_for_word_and_skips_what_is_done() {
    let mut scene = Scene::begun(true);
    scene.moves("planner", plan(&["go to shelf 1", "open cabinet 1"]));
    assert_eq!(scene.executor(), "go to shelf 1");
    let nothing = "You arrive at shelf 1. On the shelf 1, you see nothing.";
    scene.acts("go to shelf 1", nothing);
    assert_eq!(scene.executor(), "open cabinet 1");
    let steps = ["go to shelf 1", "open shelf 1", "close shelf 1", "look"];
    scene.moves("planner", plan(&steps));
    assert_eq!(scene.executor(), "look");
    scene.moves("planner", plan(&["go to shelf 1"]));
    assert_eq!(scene.executor(), "What was planned is done already.");
}

#[test]
fn the_executor_hands_back_what_is_pointless() {
    let mut scene = Scene::begun(true);
    let search = ["go to countertop 1", "go to cabinet 1", "open cabinet 1"];
    scene.moves("planner", plan(&search));
    scene.acts("go to countertop 1", TWO_MUGS);
    let found = "I see mug 2, mug 1 in/on the countertop 1. The search is over.";
    assert_eq!(scene.executor(), found);
    for (step, thought) in [
        ("take mug 3 from countertop 1", "There is no mug 3 in/on the countertop 1."),
        ("heat mug 1 with microwave 1", "I do not hold the mug 1."),
    ] {
        scene.moves("planner", plan(&[step]));
        assert_eq!(scene.executor(), thought);
    }
}

#[test]
fn without_a_plan_the_executor_works_on_what_the_thinker_said() {
    let mut scene = Scene::begun(true);
    scene.acts("go to countertop 1", TWO_MUGS);
    assert_eq!(scene.executor(), "take mug 2 from countertop 1");
    scene.thinks("Sub-goal: take the mug 1.");
    assert_eq!(scene.executor(), "take mug 1 from countertop 1");
    scene.thinks("Hm.");
    assert_eq!(scene.executor(), "take mug 2 from countertop 1");
}

#[test]
fn the_executor_is_on_its_own_when_a_plan_is_over() {
    let on_its_own = |scene: &mut Scene| {
        let answer = scene.executor();
        assert!(answer.starts_with("go to cabinet"), "{answer}");
    };
    let mut refused = Scene::begun(true);
    on_its_own(&mut refused);
    refused.moves("planner", plan(&["go to shelf 1", "look", "look"]));
    refused.acts("go to shelf 1", "Nothing happens.");
    on_its_own(&mut refused);
    let mut left = Scene::begun(true);
    left.moves("planner", plan(&["go to shelf 1", "look", "look"]));
    left.acts("go to microwave 1", "The microwave 1 is closed.");
    on_its_own(&mut left);
}
