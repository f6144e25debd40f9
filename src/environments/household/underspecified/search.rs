//! Whether a missing detail matters, decided by search in the room instead of by a model.

use std::sync::Arc;

use super::{Detail, sentence_without};
use crate::next_task::Room;
use crate::{Game, Goal, PlanLimits, TaskType, World, shortest_plan};

/// Searches are short in official rooms; a goal that needs more than this is none that a reader would think of.
const LIMITS: PlanLimits = PlanLimits { nodes: 20_000 };

/// How much a missing detail matters: the kinds of LHAW (arXiv 2602.10525), where language models judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Whatever else the text may mean, whoever does that has done what was meant; so too if it can mean nothing else.
    Benign,
    /// Some of what else it may mean does what was meant, and some does not.
    Divergent,
    /// Nothing else that it may mean does what was meant.
    Critical,
}

rolecall_core::names! { Weight, as_str:
    Benign => "benign", Divergent => "divergent", Critical => "critical",
}

/// The meanings that a text without some details may have in a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    /// The sentence without the details.
    pub text: String,
    /// The other meanings, as sentences of whole goals, each with whether a shortest plan for it, from the start
    /// of the room, makes the original goal hold on its way.
    pub others: Vec<(String, bool)>,
}

impl Readings {
    /// The goals that fit the text of the game's own goal without these details, in the room as it is.
    ///
    /// A goal fits if it is the game's own in everything that is still said, is about classes of objects,
    /// receptacles and lamps that the room has and that the task type allows, does not hold yet, and can be reached.
    pub fn of(world: &World, dropped: &[Detail]) -> Self {
        let meant = world.game().goal();
        let room = Room::of(world);
        let mut others = Vec::new();
        for task in types(meant.task_type, dropped) {
            for (object, target) in room.pairs(task) {
                let goal = Goal {
                    task_type: task,
                    object: format!("{object}type").into(),
                    target: format!("{target}type").into(),
                };
                if goal == *meant || !says_the_same(&goal, meant, dropped) {
                    continue;
                }
                let game = world.game().with_task(task, object, target, false);
                if let Some(fulfils) = fulfils(world, game) {
                    others.push((sentence_without(&goal, &[]), fulfils));
                }
            }
        }
        Self { text: sentence_without(meant, dropped), others }
    }

    /// How much it matters that the details are missing.
    pub fn weight(&self) -> Weight {
        let fulfilled = self.others.iter().filter(|(_, fulfils)| *fulfils).count();
        match fulfilled {
            _ if fulfilled == self.others.len() => Weight::Benign,
            0 => Weight::Critical,
            _ => Weight::Divergent,
        }
    }
}

/// The task types that a text may be about which lacks these details of a goal of this type.
fn types(meant: TaskType, dropped: &[Detail]) -> impl Iterator<Item = TaskType> {
    let lacks = |detail| dropped.contains(&detail);
    let (state, count) = (lacks(Detail::State), lacks(Detail::Count));
    TaskType::ALL.into_iter().filter(move |other| {
        let same = |is: fn(TaskType) -> bool| is(meant) == is(*other);
        same(|task| task == TaskType::LookInLight)
            && (count || same(|task| task == TaskType::PickTwo))
            && (state || meant.treatment() == other.treatment())
    })
}

/// Whether two goals agree in the classes that are still named.
fn says_the_same(goal: &Goal, meant: &Goal, dropped: &[Detail]) -> bool {
    let lacks = |detail| dropped.contains(&detail);
    let target = match meant.task_type {
        TaskType::LookInLight => Detail::Lamp,
        _ => Detail::Receptacle,
    };
    (lacks(Detail::Object) || goal.object == meant.object) && (lacks(target) || goal.target == meant.target)
}

/// Whether a shortest plan for another goal of the room makes the room's own goal hold on its way, with which the
/// episode ends. None if the other goal holds already or cannot be reached.
fn fulfils(world: &World, other: Game) -> Option<bool> {
    let mut asked = world.clone();
    asked.pursue(Arc::new(other));
    let plan = shortest_plan(&asked, LIMITS).ok()?.commands;
    let mut played = world.clone();
    let mut seen = String::new();
    let won = |command: &String| {
        played.perform_into(command, &mut seen);
        played.won()
    };
    (!plan.is_empty()).then(|| plan.iter().any(won))
}
