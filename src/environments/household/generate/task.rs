//! Which task a game has: the task types in turn, and an object and a target that go together.

use super::{Dice, FloorPlan, KINDS, ObjectClass, Span, Split, TaskType, Wishes, object_class, receptacle};

/// The class of the lamps that tasks use.
pub(super) const LAMP: &str = "DeskLamp";

/// Where nothing is asked to be put: what is there is about to be washed.
const NO_TARGET: &str = "SinkBasin";

/// The task in a room.
#[derive(Debug)]
pub(super) struct Chore {
    pub(super) task: TaskType,
    pub(super) object: &'static ObjectClass,
    /// Name of the class of the target receptacle, or of the lamp.
    pub(super) target: &'static str,
    /// Uses the second wording of the task sentence.
    pub(super) second_wording: bool,
}

/// How many games of each task type the official split of that name has, in the order of
/// [`TaskType::ALL`].
const fn shares(split: Split) -> [usize; 6] {
    match split {
        Split::Train => [790, 650, 459, 533, 308, 813],
        Split::Seen => [35, 27, 16, 25, 13, 24],
        Split::Unseen => [24, 31, 23, 21, 18, 17],
    }
}

/// How many commands the shortest plans of a task type have in generated rooms. Longer ones are so
/// rare that they cannot be asked for.
pub(super) const fn plan_lengths(task: TaskType) -> Span {
    match task {
        TaskType::PickAndPlace => Span::new(4, 6),
        TaskType::LookInLight => Span::new(3, 5),
        TaskType::PickClean => Span::new(5, 8),
        TaskType::PickHeat => Span::new(6, 8),
        TaskType::PickCool => Span::new(6, 7),
        TaskType::PickTwo => Span::new(8, 10),
    }
}

/// The task types of the first games, after which they begin again: as many of each as in the
/// official split, spread evenly. Types whose plans are never as long as wished are left out.
pub(super) fn order(wishes: &Wishes) -> Vec<TaskType> {
    let possible = |task| plan_lengths(task).and(wishes.plan).is_some();
    let shares = TaskType::ALL.into_iter().zip(shares(wishes.split));
    let shares: Vec<_> = shares.filter(|(task, _)| possible(*task)).collect();
    let total: usize = shares.iter().map(|(_, share)| share).sum();
    let mut given = vec![0; shares.len()];
    let mut order = Vec::with_capacity(total);
    for number in 1..=total {
        // The type that is furthest behind its share; the first of those in a tie.
        let behind = |index: &usize| (shares[*index].1 * number) as i64 - (given[*index] * total) as i64;
        if let Some(next) = (0..shares.len()).rev().max_by_key(behind) {
            given[next] += 1;
            order.push(shares[next].0);
        }
    }
    order
}

/// Draws the floor plan of a game: a kind of room that suits the task type, then one of its plans.
pub(super) fn floor_plan(task: TaskType, rooms: usize, dice: &mut Dice) -> usize {
    // Kitchen, bedroom, living room, bathroom.
    let weights = match task {
        TaskType::PickAndPlace | TaskType::PickTwo => [1, 1, 1, 1],
        TaskType::PickClean => [2, 0, 0, 1],
        TaskType::PickHeat | TaskType::PickCool => [1, 0, 0, 0],
        TaskType::LookInLight => [0, 4, 1, 0],
    };
    let weights = weights.into_iter().take(rooms);
    let kind = dice.weighted(weights).unwrap_or(0);
    let of_kind = (rooms - kind).div_ceil(KINDS.len());
    kind + dice.below(of_kind) * KINDS.len()
}

/// Draws an object and a target for a task type; none when the room has nothing for it.
pub(super) fn draw(task: TaskType, plan: &FloorPlan, dice: &mut Dice) -> Option<Chore> {
    let mut choices: Vec<(&ObjectClass, usize, Vec<&'static str>)> = Vec::new();
    for (name, chance) in plan.kind.classes {
        let object = object_class(name)?;
        let targets = targets(task, object, plan);
        if !targets.is_empty() {
            choices.push((object, *chance, targets));
        }
    }
    let drawn = dice.weighted(choices.iter().map(|(_, chance, _)| *chance))?;
    let (object, _, targets) = choices.get(drawn)?;
    Some(Chore { task, object, target: dice.pick(targets)?, second_wording: dice.percent(50) })
}

/// Where an object can be asked to be put, or the lamp to look at it with.
fn targets(task: TaskType, object: &ObjectClass, plan: &FloorPlan) -> Vec<&'static str> {
    let (property, appliance) = match task {
        TaskType::PickClean => ('c', Some("SinkBasin")),
        TaskType::PickHeat => ('h', Some("Microwave")),
        TaskType::PickCool => ('l', Some("Fridge")),
        TaskType::PickAndPlace | TaskType::PickTwo | TaskType::LookInLight => ('p', None),
    };
    let stands = |class: &str| plan.receptacles.iter().any(|one| one.class.name == class);
    if !object.is('p') || !object.is(property) || appliance.is_some_and(|class| !stands(class)) {
        return Vec::new();
    }
    if task == TaskType::LookInLight {
        return vec![LAMP];
    }
    let usual = object.places.iter().map(|(class, _)| *class);
    let usual: Vec<&str> = usual.filter(|class| stands(class)).collect();
    // What is only to be put somewhere must not lie there already.
    let elsewhere = appliance.is_some() || usual.len() > 1;
    let fits = |class: &&str| {
        let accepts = receptacle(class).is_some_and(|class| class.accepts(object));
        elsewhere && accepts && *class != NO_TARGET && appliance != Some(*class)
    };
    usual.into_iter().filter(fits).collect()
}

/// The task sentence, in one of its two wordings.
pub(super) fn sentence(chore: &Chore, second: bool) -> String {
    let object = chore.object.name.to_lowercase();
    let target = chore.target.to_lowercase();
    chore.task.sentence(&object, &target, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_types_come_as_often_as_in_the_official_splits() {
        for split in Split::ALL {
            let order = order(&Wishes::new(split, 1));
            let count = |task| order.iter().filter(|one| **one == task).count();
            assert_eq!(TaskType::ALL.map(count), shares(split));
        }
        let order = order(&Wishes::new(Split::Unseen, 1));
        for (start, six) in order.windows(12).enumerate() {
            assert!(TaskType::ALL.iter().all(|task| six.contains(task)), "{start}: {six:?}");
        }
    }

    #[test]
    fn long_plans_leave_task_types_out() {
        let mut wishes = Wishes::new(Split::Unseen, 1);
        wishes.plan = Span::new(9, 20);
        assert!(order(&wishes).iter().all(|task| *task == TaskType::PickTwo));
        wishes.plan = Span::new(40, 50);
        assert!(order(&wishes).is_empty());
    }
}
