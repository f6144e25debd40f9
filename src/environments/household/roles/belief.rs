//! The player's belief about the world: a fold over actions and observations.

use super::room::Room;
use super::{Access, Command, Fact, Goal, Hint, Items, Recall, SearchOrder, class_of, for_each_fact};

/// An object that matters for the task, where it was last seen or is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    /// Its name.
    pub(super) name: Box<str>,
    /// The receptacle.
    pub(super) place: u8,
    /// Nobody has seen it there yet.
    pub(super) is_hearsay: bool,
}

impl Thing {
    /// An object that was seen, or is said to be, in a receptacle.
    pub(super) fn new(name: &str, receptacle: u8, is_hearsay: bool) -> Self {
        Self { name: name.into(), place: receptacle, is_hearsay }
    }
}

/// The player's belief.
#[derive(Clone, Debug, Default)]
pub(super) struct Belief {
    /// The goal; none until the task was read.
    pub(super) goal: Option<Goal>,
    /// The task leaves out a class, and the goal has a guess in its place.
    pub(super) vague: bool,
    /// Where a search begins.
    pub(super) search: SearchOrder,
    /// The receptacles.
    pub(super) room: Room,
    /// Objects and lamps of the classes that the task names.
    pub(super) objects: Vec<Thing>,
    /// The object in hand.
    pub(super) holding: Option<Box<str>>,
    /// The object that was cleaned, heated or cooled as the task asks.
    pub(super) treated: Option<Box<str>>,
    /// Objects that were used as the task asks for, and that was not the end of it.
    pub(super) tried: Vec<Box<str>>,
    /// Objects that are meant and not in place yet, where the user has said so; none: any may be.
    pub(super) wanted: Vec<Box<str>>,
    /// The last action was such a try.
    pub(super) just_tried: bool,
    /// The receptacle where the last observation has not shown what was said to be there.
    pub(super) misled_by: Option<u8>,
    /// The last observation has brought another task.
    pub(super) new_task: bool,
    /// The kind of memory from task to task.
    pub(super) recall: Recall,
    /// Objects of the classes of earlier tasks, as known when those ended ([`Recall::Model`]).
    pub(super) noted: Vec<Thing>,
    /// Where things are likely to be, as the task says.
    pub(super) hints: Vec<Hint>,
    /// Where things are likely to be, as lessons of earlier trials say.
    pub(super) lessons: Vec<Hint>,
    /// A task is to come, in the room as it is.
    awaits_task: bool,
    /// Objects that could not be taken or used as expected.
    pub(super) shunned: Vec<Box<str>>,
    /// The action that was not answered yet.
    pending: Option<Box<str>>,
    /// A receptacle that was opened by the last action.
    pub(super) just_opened: Option<u8>,
    /// The receptacle whose contents the last observation showed for the first time.
    pub(super) just_seen: Option<u8>,
    /// Observations so far.
    clock: u16,
}

impl Belief {
    /// The world begins anew; the task and what it says stay.
    pub(super) fn begin_anew(&mut self) {
        *self = Self {
            goal: self.goal.take(),
            vague: self.vague,
            recall: self.recall,
            search: self.search,
            hints: std::mem::take(&mut self.hints),
            ..Self::default()
        };
    }

    /// The world stays as it is; another task comes with the next observation.
    pub(super) fn expect_task(&mut self) {
        self.awaits_task = true;
    }

    /// An action is on its way.
    pub(super) fn perform(&mut self, action: &str) {
        self.pending = Some(action.into());
    }

    /// Takes in an observation, with the task's kind (see [`Goal::read`]).
    pub(super) fn observe(&mut self, text: &str, invalid: bool, kind: &str) {
        self.clock = self.clock.saturating_add(1);
        let action = self.pending.take();
        let command = action.as_deref().map(Command::read);
        let mut refused = invalid;
        self.just_seen = None;
        self.just_tried = false;
        self.misled_by = None;
        self.new_task = false;
        for_each_fact(text, |fact| {
            refused |= matches!(fact, Fact::Nothing);
            self.learn(&fact, kind);
        });
        self.just_opened = None;
        match command {
            Some(command) if refused => self.refused(command),
            Some(Command::Go(place)) => {
                self.room.find_or_add(place).into_iter().for_each(|index| self.room.arrive(index));
            }
            Some(Command::Open(place)) => self.just_opened = self.room.find(place),
            // A game that asks for just that is over now.
            Some(Command::Use(_)) if self.goal.as_ref().is_some_and(|goal| goal.light) => {
                if let Some(held) = self.holding.clone() {
                    self.try_in_vain(&held);
                }
            }
            Some(_) | None => {}
        }
        self.give_up_what_is_nowhere();
    }

    fn learn(&mut self, fact: &Fact<'_>, kind: &str) {
        match fact {
            Fact::Nothing | Fact::Opened(_) => {}
            Fact::Room(items) => {
                for name in items.clone() {
                    self.room.find_or_add(name);
                }
                self.room.described();
            }
            Fact::Task(sentence) => self.read_task(sentence, kind),
            Fact::Closed(place) => self.note_state(place, Access::Closed),
            Fact::Contents { receptacle, items } => self.look_into(receptacle, items.clone()),
            Fact::Taken { object, .. } => {
                self.objects.retain(|thing| &*thing.name != *object);
                self.noted.retain(|thing| &*thing.name != *object);
                self.holding = Some((*object).into());
            }
            Fact::Put { object, to } => self.put(object, to),
            Fact::Treated { verb, object } => self.treat(verb, object),
            Fact::TurnedOn(_) => {}
            Fact::Facing(items) => {
                let indices = items.clone().filter_map(|name| self.room.find(name));
                let indices: Vec<u8> = indices.collect();
                self.room.facing(&indices);
            }
        }
    }

    /// Reads what is to be done. With another task than before goes what was known for that one, but
    /// for what is recalled.
    pub(super) fn read_task(&mut self, sentence: &str, kind: &str) {
        let first = self.goal.is_none();
        let read = Goal::read(sentence, if first { kind } else { "" });
        let vague = read.as_ref().is_some_and(Goal::is_vague);
        let read = read.map(|goal| self.guessed(goal));
        if read.is_none() || (read == self.goal && !self.awaits_task) {
            return;
        }
        self.awaits_task = false;
        (self.goal, self.vague) = (read, vague);
        if !first {
            self.leave_task();
        }
    }

    fn note_state(&mut self, name: &str, state: Access) {
        let clock = self.clock;
        let index = self.room.find_or_add(name);
        if let Some(place) = index.and_then(|index| self.room.receptacle_mut(index)) {
            place.state = state;
            place.dead = false;
            if state == Access::Open {
                if place.seen_at == 0 {
                    self.just_seen = index;
                }
                place.seen_at = clock;
            }
        }
    }

    fn look_into(&mut self, name: &str, items: Items<'_>) {
        self.note_state(name, Access::Open);
        let Some(index) = self.room.find(name) else {
            return;
        };
        let gone = |thing: &Thing| thing.place == index && !items.clone().any(|item| *item == *thing.name);
        let misled = |thing: &Thing| thing.is_hearsay && gone(thing);
        self.misled_by = self.objects.iter().any(misled).then_some(index);
        self.objects.retain(|thing| !gone(thing));
        for item in items {
            let held = self.holding.as_deref() == Some(item);
            if !self.matters(item) || held {
                continue;
            }
            // An object can be listed in two receptacles: the first that was seen, or the one it
            // was put into, counts.
            match self.objects.iter_mut().find(|thing| &*thing.name == item) {
                Some(known) if known.is_hearsay => {
                    known.place = index;
                    known.is_hearsay = false;
                }
                Some(_) => {}
                None => self.objects.push(Thing::new(item, index, false)),
            }
        }
    }

    /// Whether the object is of a class that the task names.
    pub(super) fn matters(&self, name: &str) -> bool {
        let class = class_of(name);
        let is_named = |goal: &Goal| goal.lamp() == Some(class) || *goal.object == *class;
        let shunned = self.shunned.iter().any(|shunned| **shunned == *name);
        self.goal.as_ref().is_some_and(is_named) && !shunned
    }

    fn put(&mut self, object: &str, to: &str) {
        self.holding = None;
        if let Some(place) = self.room.find_or_add(to) {
            let thing = Thing::new(object, place, false);
            if self.matters(object) {
                self.objects.push(thing);
            } else if self.recall == Recall::Model {
                // It was taken for an earlier task.
                self.noted.push(thing);
            }
        }
        self.try_put(object, to);
    }

    fn treat(&mut self, verb: &str, object: &str) {
        let wanted = self.goal.as_ref().and_then(|goal| goal.treatment);
        if wanted.is_some_and(|treatment| treatment.verb() == verb) {
            self.treated = Some(object.into());
        }
    }

    /// Nothing happened. Why not is inferred from what was tried.
    fn refused(&mut self, command: Command<'_>) {
        match command {
            Command::Go(name) | Command::Examine(name) => {
                let Some(index) = self.room.find(name) else {
                    return;
                };
                let here = matches!(command, Command::Go(_)) && self.room.merge_with_here(index);
                if let (false, Some(place)) = (here, self.room.receptacle_mut(index)) {
                    place.dead = true;
                }
            }
            Command::Open(name) => self.mark(name, |place| {
                place.no_door = true;
                if place.state == Access::Closed {
                    place.dead = true;
                }
            }),
            Command::Take { object, .. } | Command::Use(object) => {
                self.objects.retain(|thing| &*thing.name != object);
                self.shunned.push(object.into());
            }
            Command::Put { to: place, .. } | Command::Treat { with: place, .. } => {
                self.mark(place, |place| place.refuses = true);
            }
            Command::Close(_) | Command::Other(_) => {}
        }
    }

    fn mark(&mut self, name: &str, change: impl FnOnce(&mut super::room::KnownReceptacle)) {
        let index = self.room.find(name);
        if let Some(place) = index.and_then(|index| self.room.receptacle_mut(index)) {
            change(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Belief {
        let mut belief = Belief::default();
        let text = "You are in the middle of a room. Looking quickly around you, you see a desk 1, \
                    a drawer 2, and a drawer 1.\nYour task is to: put two cd in drawer.";
        belief.observe(text, false, "puttwo");
        belief
    }

    fn step(belief: &mut Belief, action: &str, text: &str) {
        belief.perform(action);
        belief.observe(text, text == "Nothing happens.", "puttwo");
    }

    #[test]
    fn what_was_seen_is_remembered_until_it_changes() {
        let mut belief = begun();
        step(&mut belief, "go to desk 1", "On the desk 1, you see a cd 2, a cd 1, and a pen 1.");
        assert_eq!(belief.objects.len(), 2);
        step(&mut belief, "take cd 2 from desk 1", "You pick up the cd 2 from the desk 1.");
        assert_eq!(belief.holding.as_deref(), Some("cd 2"));
        step(&mut belief, "go to drawer 1", "The drawer 1 is closed.");
        step(&mut belief, "open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see nothing.");
        step(&mut belief, "move cd 2 to drawer 1", "You move the cd 2 to the drawer 1.");
        let drawer = belief.room.find("drawer 1").unwrap();
        assert!(belief.objects.iter().any(|thing| &*thing.name == "cd 2" && thing.place == drawer));
        assert_eq!(belief.holding, None);
        step(&mut belief, "go to desk 1", "On the desk 1, you see a cd 2.");
        assert_eq!(belief.objects.len(), 1, "cd 1 is gone, cd 2 is in the drawer");
        assert_eq!(belief.objects[0].place, drawer);
    }

    #[test]
    fn a_refused_way_means_being_there_already() {
        let mut belief = begun();
        step(&mut belief, "go to drawer 2", "Nothing happens.");
        let drawer = |number: u8| usize::from(3 - number);
        let dead = |belief: &Belief, index: usize| belief.room.receptacle(index as u8).unwrap().dead;
        assert!(dead(&belief, drawer(2)), "nobody knows where the player is");
        step(&mut belief, "go to desk 1", "You arrive at loc 3. On the desk 1, you see nothing.");
        step(&mut belief, "go to drawer 1", "Nothing happens.");
        assert!(belief.room.is_here(2) && !dead(&belief, drawer(1)));
    }
}
