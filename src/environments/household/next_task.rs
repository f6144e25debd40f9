//! The next task in a room that is played for several rounds (ABA section 4.2).

use std::sync::Arc;

use super::variant::is_lamp;
use super::{Game, NONE, PlanLimits, TaskType, World, by_class, class_of, dice, shortest_plan, traits};
use rolecall_core::domain::Seed;

/// Searches are short in official rooms (see [`PlanLimits`]); a task that needs more than this is
/// not given.
const LIMITS: PlanLimits = PlanLimits { nodes: 20_000 };

/// Draws a task for the room as it is: of the types that the room allows each is as likely as the
/// others, of the classes of objects and targets of a type too. The task has a plan and is not
/// satisfied already. None if the room allows no task.
pub fn next_task(world: &World, seed: Seed) -> Option<Arc<Game>> {
    let mut dice = dice("next task", &[seed.0]);
    let room = Room::of(world);
    let mut types = TaskType::ALL;
    dice.shuffle(&mut types);
    for task_type in types {
        let mut pairs = room.pairs(task_type);
        dice.shuffle(&mut pairs);
        let second = dice.percent(50);
        let task = pairs.into_iter().find_map(|(object, target)| {
            let game = world.game().with_task(task_type, object, target, second);
            let game = Arc::new(game);
            let mut asked = world.clone();
            asked.pursue(Arc::clone(&game));
            let plan = shortest_plan(&asked, LIMITS).ok()?;
            (!plan.commands.is_empty()).then_some(game)
        });
        if task.is_some() {
            return task;
        }
    }
    None
}

/// The classes that tasks can be about.
pub(super) struct Room<'w> {
    game: &'w Game,
    /// Classes of objects that can be picked up, with the objects that lie somewhere or are held.
    objects: Vec<(&'w str, Vec<u16>)>,
    /// Classes of receptacles, with one of each.
    receptacles: Vec<(&'w str, u16)>,
    /// Classes of lamps.
    lamps: Vec<&'w str>,
}

impl<'w> Room<'w> {
    /// The classes of a room as it is.
    pub(super) fn of(world: &'w World) -> Self {
        let game = &**world.game();
        let named = |thing: u16| (class_of(game.objects.get(thing)), thing);
        let lying = world.state.contents.iter().filter(|(receptacle, _)| game.location(*receptacle) != NONE);
        let mut present: Vec<u16> = lying.map(|(_, object)| object).chain(world.state.held()).collect();
        present.sort_unstable();
        present.dedup();
        let lamps = present.iter().copied();
        let lamps = by_class(lamps.filter(|object| is_lamp(game, *object)).map(named));
        present.retain(|object| game.has(*object, traits::PICKUPABLE));
        let receptacles = by_class(game.orders.receptacles.iter().copied().map(named));
        let first = |(class, all): (&'w str, Vec<u16>)| Some((class, *all.first()?));
        Self {
            game,
            objects: by_class(present.into_iter().map(named)),
            receptacles: receptacles.into_iter().filter_map(first).collect(),
            lamps: lamps.into_iter().map(|(class, _)| class).collect(),
        }
    }

    /// Classes of objects and targets that fit a type of tasks.
    pub(super) fn pairs(&self, task_type: TaskType) -> Vec<(&'w str, &'w str)> {
        let (able, station, least) = match task_type {
            TaskType::PickClean => (traits::CLEANABLE, traits::CLEANS, 1),
            TaskType::PickHeat => (traits::HEATABLE, traits::HEATS, 1),
            TaskType::PickCool => (traits::COOLABLE, traits::COOLS, 1),
            TaskType::PickTwo => (traits::PICKUPABLE, 0, 2),
            TaskType::PickAndPlace | TaskType::LookInLight => (traits::PICKUPABLE, 0, 1),
        };
        let mut pairs = Vec::new();
        for (class, objects) in &self.objects {
            let is_able = |object: &u16| self.game.has(*object, able);
            let Some(first) = objects.iter().copied().filter(is_able).nth(least - 1) else {
                continue;
            };
            if task_type == TaskType::LookInLight {
                let lamps = self.lamps.iter().filter(|lamp| *lamp != class);
                pairs.extend(lamps.map(|lamp| (*class, *lamp)));
                continue;
            }
            // Where things are treated they are not asked to be put, as in official games.
            let fits = |(_, receptacle): &&(&str, u16)| {
                self.game.accepts(*receptacle, first) && !self.game.has(*receptacle, station)
            };
            let targets = self.receptacles.iter().filter(fits);
            pairs.extend(targets.map(|(target, _)| (*class, *target)));
        }
        pairs
    }
}
