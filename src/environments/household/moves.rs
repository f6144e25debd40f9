//! Which steps a plan may go on with, and how far it has to go at least.
//!
//! Moves that are left out cannot shorten a plan: objects of other types, putting an object of the goal
//! anywhere but into a target (unless it was in the hand from the start), and all but one of several
//! untouched targets that differ in nothing.

use super::sketch::{PlanStep, is_treated};
use super::{Move, NONE, Planner, Sketch, TaskType, traits};

impl Planner<'_> {
    /// A lower bound of the number of commands to the goal.
    pub(crate) fn bound(&self, sketch: &Sketch) -> u32 {
        if self.is_goal(sketch) {
            return 0;
        }
        let wanted = self.is_wanted(sketch.holding);
        let hand = u32::from(!wanted) + u32::from(!wanted && sketch.holding != NONE);
        let is_at = |places: &[u16]| {
            places.iter().map(|place| self.game.location(*place)).any(|location| location == sketch.location)
        };
        match self.task {
            TaskType::LookInLight => {
                let mut placed = sketch.placements.iter();
                hand + u32::from(!placed.any(|pair| self.is_lit(sketch, pair.0)))
            }
            TaskType::PickTwo => {
                let missing = 2_u32.saturating_sub(self.most_in_one(sketch)).max(1);
                let walk = u32::from(wanted && !is_at(&self.targets));
                hand + 2 * missing - 1 + walk
            }
            _ => {
                let ready = match wanted {
                    true => is_treated(sketch, sketch.holding),
                    false => self.task == TaskType::PickAndPlace || !sketch.treated.is_empty(),
                };
                let (targets, appliances) = (&self.targets, &self.appliances);
                let next = if ready { targets } else { appliances };
                let walk = u32::from(wanted && !sketch.fresh && !is_at(next));
                hand + 1 + u32::from(!ready) + walk
            }
        }
    }

    /// Adds the steps that a shortest plan may go on with.
    pub(crate) fn moves(&self, sketch: &Sketch, moves: &mut Vec<Move>) {
        let held = sketch.holding;
        if self.task == TaskType::LookInLight {
            self.light_moves(sketch, moves);
        }
        if held == NONE {
            self.takes(sketch, moves);
            return;
        }
        if self.is_wanted(held) && self.task != TaskType::LookInLight {
            if is_treated(sketch, held) {
                // Of untouched targets that stand apart only one.
                self.puts(sketch, &self.targets, |_| false, moves);
            } else if self.is_useful(held) {
                let treat = |receptacle: &u16| Move::new(PlanStep::Treat(held), *receptacle);
                moves.extend(self.appliances.iter().map(treat));
            }
        }
        if sketch.fresh && !(self.is_wanted(held) && self.task == TaskType::LookInLight) {
            // What was held from the start is put away.
            let is_target = |location| self.targets.iter().any(|target| self.game.location(*target) == location);
            self.puts(sketch, &self.game.orders.receptacles, is_target, moves);
        }
    }

    /// Switching a lamp on, and walking to one that is on.
    fn light_moves(&self, sketch: &Sketch, moves: &mut Vec<Move>) {
        for (lamp, receptacle) in sketch.placements.iter().copied() {
            if !self.game.has(lamp, traits::GOAL_TARGET) {
                continue;
            }
            if !is_treated(sketch, lamp) {
                moves.push(Move::new(PlanStep::Use(lamp), receptacle));
            } else if self.is_wanted(sketch.holding) {
                moves.push(Move::new(PlanStep::Arrive, receptacle));
            }
        }
    }

    /// Taking an object; of several alike in one receptacle only the first.
    fn takes(&self, sketch: &Sketch, moves: &mut Vec<Move>) {
        let places = |object: u16| sketch.placements.iter().filter(|pair| pair.0 == object).count();
        for (index, (object, receptacle)) in sketch.placements.iter().copied().enumerate() {
            let alike = |(other, place): &(u16, u16)| {
                *place == receptacle
                    && self.is_useful(*other)
                    && is_treated(sketch, *other) == is_treated(sketch, object)
                    && places(*other) == 1
                    && places(object) == 1
            };
            let earlier = sketch.placements.get(..index).unwrap_or_default();
            if self.is_useful(object) && !earlier.iter().any(alike) {
                moves.push(Move::new(PlanStep::Take(object), receptacle));
            }
        }
    }

    /// Putting the held object into a receptacle: here, where the plan may pass anyway, or at one other place.
    fn puts(&self, sketch: &Sketch, receptacles: &[u16], passes: impl Fn(u16) -> bool, moves: &mut Vec<Move>) {
        let held = sketch.holding;
        let mut other: Option<u16> = None;
        let receptacles = receptacles.iter().copied();
        for receptacle in receptacles.filter(|one| self.game.accepts(*one, held)) {
            let location = self.game.location(receptacle);
            if location == sketch.location || passes(location) || self.is_busy(sketch, location) {
                moves.push(Move::new(PlanStep::Put(held), receptacle));
            } else if other
                .is_none_or(|known| !self.is_accessible(sketch, known) && self.is_accessible(sketch, receptacle))
            {
                other = Some(receptacle);
            }
        }
        moves.extend(other.map(|receptacle| Move::new(PlanStep::Put(held), receptacle)));
    }

    /// Whether something that matters is at a location, apart from targets.
    fn is_busy(&self, sketch: &Sketch, location: u16) -> bool {
        let at = |receptacle: u16| self.game.location(receptacle) == location;
        sketch.placements.iter().any(|pair| at(pair.1)) || self.appliances.iter().any(|place| at(*place))
    }
}
