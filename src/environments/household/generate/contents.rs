//! The contents of a room: the objects of the task, then whatever else is usual there.

use std::collections::BTreeSet;

use super::floor::{Point, id_at};
use super::task::LAMP;
use super::{Chore, Dice, FloorPlan, ObjectClass, Span, TaskType, object_class};

/// An object in its place.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) class: &'static ObjectClass,
    pub(super) id: String,
    /// Index of the receptacle it is in.
    pub(super) receptacle: usize,
}

/// How often there are one, two, three or four objects of a class, in percent.
const COPIES: [usize; 4] = [37, 32, 28, 3];

/// A room that is being filled.
struct Filling<'a, 'd> {
    plan: &'a FloorPlan,
    dice: &'d mut Dice,
    contents: Vec<Content>,
    ids: BTreeSet<String>,
}

/// Fills a room for a task; none when the task's objects have no place.
pub(super) fn draw(plan: &FloorPlan, chore: &Chore, wished: Option<Span>, dice: &mut Dice) -> Option<Vec<Content>> {
    let span = wished.unwrap_or(plan.kind.objects);
    let count = dice.around(span.least(), span.most());
    let mut filling = Filling { plan, dice, contents: Vec::with_capacity(count), ids: BTreeSet::new() };
    filling.add_for(chore, count)?;
    filling.add_others(chore, count);
    Some(filling.contents)
}

impl Filling<'_, '_> {
    /// Adds what the task needs. What is only to be put somewhere does not lie there yet.
    fn add_for(&mut self, chore: &Chore, count: usize) -> Option<()> {
        let (least, elsewhere) = match chore.task {
            TaskType::PickTwo => (2, Some(chore.target)),
            TaskType::PickAndPlace => (1, Some(chore.target)),
            _ => (1, None),
        };
        let light = chore.task == TaskType::LookInLight;
        let lamps = usize::from(light) + usize::from(light && self.dice.percent(15));
        let copies = self.copies().min(count.saturating_sub(lamps)).max(least);
        (0..copies).try_for_each(|_| self.add(chore.object, elsewhere))?;
        let lamp = object_class(LAMP)?;
        (0..lamps).try_for_each(|_| self.add(lamp, None))
    }

    /// Adds other classes until there are `count` objects: first the usual ones, then more of all.
    fn add_others(&mut self, chore: &Chore, count: usize) {
        let kind = self.plan.kind;
        let others = kind
            .classes
            .iter()
            .filter(|(name, _)| {
                let lamp = chore.task == TaskType::LookInLight && *name == LAMP;
                *name != chore.object.name && !lamp
            })
            .filter_map(|(name, chance)| Some((object_class(name)?, *chance)));
        let mut others: Vec<_> = others.collect();
        self.dice.shuffle(&mut others);
        for (class, chance) in &others {
            if self.dice.percent(*chance) {
                let copies = if class.is('p') { self.copies() } else { 1 };
                for _ in 0..copies {
                    if self.contents.len() < count {
                        let _ = self.add(class, None);
                    }
                }
            }
        }
        let mut before = usize::MAX;
        while self.contents.len() < count && self.contents.len() != before {
            before = self.contents.len();
            for (class, _) in others.iter().filter(|(class, _)| class.is('p')) {
                if self.contents.len() < count {
                    let _ = self.add(class, None);
                }
            }
        }
    }

    fn copies(&mut self) -> usize {
        self.dice.weighted(COPIES.into_iter()).unwrap_or(0) + 1
    }

    /// Puts one more object of a class where such things usually lie; none when that is nowhere.
    fn add(&mut self, class: &'static ObjectClass, elsewhere: Option<&str>) -> Option<()> {
        let plan = self.plan;
        let standing = class.places.iter().map(|(place, weight)| {
            let stands = plan.receptacles.iter().any(|one| one.class.name == *place);
            *weight * usize::from(stands && elsewhere != Some(*place))
        });
        let (place, _) = class.places.get(self.dice.weighted(standing)?)?;
        let receptacle = self.dice.pick(&plan.of_class(place))?;
        let holder = plan.receptacles.get(receptacle)?.at;
        let id = loop {
            let at = Point { x: holder.x + self.dice.offset(30), y: holder.y + 3, z: holder.z + self.dice.offset(30) };
            let id = id_at(class.name, at);
            if self.ids.insert(id.to_lowercase()) {
                break id;
            }
        };
        self.contents.push(Content { class, id, receptacle });
        Some(())
    }
}
