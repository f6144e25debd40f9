//! The expert that asks nobody: it looks into one receptacle after the other.

use std::sync::Arc;

use anyhow::Context;

use super::expert::{Expert, likely};
use super::words;
use super::writer::Origin;
use crate::environments::household::{Goal, class_of};

/// How often a receptacle is looked into at most, before the search is given up.
const LOOKS: usize = 4;

impl Expert<'_> {
    /// Looks into receptacles until it has seen what the task needs: first into those of the classes where it is
    /// likely, in the order in which the room lists them.
    pub(super) fn search(&mut self, goal: &Goal, classes: &[&str]) -> anyhow::Result<()> {
        let game = Arc::clone(self.world.game());
        let likely = likely(&game);
        let thought = words::searched(goal.object_class(), &likely);
        self.think(&format!("{} {thought}", words::outline(goal)))?;
        let receptacles = game.orders.receptacles.iter();
        let mut places: Vec<&str> = receptacles.map(|place| game.objects.get(*place)).collect();
        let rank = |place: &&str| likely.iter().position(|class| *class == class_of(place));
        places.sort_by_key(|place| rank(place).unwrap_or(likely.len()));
        // Noise may hide what was seen: then it looks once more, also where it knows of something.
        let first = places.len();
        let mut looks = places.into_iter().cycle().enumerate().take(LOOKS * first);
        let at_hand = |expert: &Self, thing| expert.world.state.holding == thing || expert.knows(thing);
        while !classes.iter().all(|class| self.serves(class, |thing| at_hand(self, thing))) {
            let (look, place) = looks.next().context("the expert has looked everywhere")?;
            self.look_into(place, look >= first)?;
        }
        self.aim = Arc::new(game.narrowed(|thing| at_hand(self, thing)));
        Ok(())
    }

    /// Goes to a receptacle, unless it knows of something there already, and opens it if it is closed. Noise may take
    /// it away from there.
    fn look_into(&mut self, receptacle: &str, anew: bool) -> anyhow::Result<()> {
        while self.dice.chance(self.settings.noise) {
            self.disturb()?;
        }
        let known = |(_, place): (&str, &str)| place == receptacle;
        if !anew && self.writer.memory.all().any(known) {
            return Ok(());
        }
        // One that stands where the last one stands is looked at from there.
        let ways = ["go to", "examine"].map(|verb| format!("{verb} {receptacle}"));
        let admissible = self.world.admissible();
        if let Some(way) = ways.iter().find(|way| admissible.contains(way)) {
            self.perform(way, Origin::Expert)?;
        }
        if self.world.is_closed(receptacle) {
            self.perform(&format!("open {receptacle}"), Origin::Expert)?;
        }
        Ok(())
    }
}
