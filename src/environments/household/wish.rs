//! The wish in an ambiguous game (ABA section 4.2): one specific object of the goal's class, or
//! two where two are to be put somewhere.

use std::sync::Arc;

use super::{Game, PlanLimits, Planner, TaskType, World, dice, shortest_plan, split_name, traits};
use crate::domain::Seed;

/// The objects that are meant in a task, and a plan for them.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The game in which these objects alone count.
    pub game: Arc<Game>,
    /// Names of the objects, one or two, by number.
    pub objects: Vec<String>,
    /// A shortest plan from the state of the room for which the wish was drawn.
    pub plan: Vec<String>,
}

impl Wish {
    /// Draws what is meant, among the objects (or pairs of them) for which the goal can be reached and
    /// does not hold yet. None if there are none.
    pub fn draw(world: &World, seed: Seed) -> Option<Self> {
        let game = world.game();
        let planner = Planner::new(world);
        let mut objects: Vec<u16> = present(world);
        objects.retain(|object| planner.is_useful(*object));
        dice("wish", &[seed.0]).shuffle(&mut objects);
        let two = game.task_type() == TaskType::PickTwo;
        let mut choices: Vec<Vec<u16>> = Vec::new();
        for (place, first) in objects.iter().enumerate() {
            match objects.get(place + 1..) {
                Some(more) if two => choices.extend(more.iter().map(|other| vec![*first, *other])),
                _ => choices.push(vec![*first]),
            }
        }
        let mut choices = choices.into_iter();
        choices.find_map(|choice| Self::of(world, &choice))
    }

    /// The wish for these objects, if it can be fulfilled and is not yet.
    fn of(world: &World, objects: &[u16]) -> Option<Self> {
        let whole = world.game();
        let counts = |thing| !whole.has(thing, traits::GOAL_OBJECT) || objects.contains(&thing);
        let game = Arc::new(whole.narrowed(counts));
        let mut meant = world.clone();
        meant.pursue(Arc::clone(&game));
        let plan = shortest_plan(&meant, PlanLimits::default()).ok()?.commands;
        let names = objects.iter().map(|object| game.objects.get(*object));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_by_key(|name| split_name(name).map(|(_, number)| number));
        (!plan.is_empty()).then_some(Self { game, objects: names, plan })
    }
}

/// How many objects of the goal's class the room has.
pub fn alternatives(world: &World) -> usize {
    present(world).len()
}

/// The objects of the goal's class that lie somewhere or are held, each once.
fn present(world: &World) -> Vec<u16> {
    let lying = world.state.contents.iter().map(|(_, object)| object);
    let mut objects: Vec<u16> = lying.chain(world.state.held()).collect();
    objects.retain(|object| world.game().has(*object, traits::GOAL_OBJECT));
    objects.sort_unstable();
    objects.dedup();
    objects
}
