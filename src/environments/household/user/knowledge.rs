//! The knowledge of a helpful user: the plan and placements that were entrusted to it, and what has
//! happened since as far as it can see.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::{Command, Fact, class_of, for_each_fact};
use rolecall_core::domain::{Message, View};

/// Changes since the beginning: a fold over the actions and observations that the user
/// sees. It holds no copy of what was entrusted.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    folded: usize,
    moved: Vec<(Box<str>, Option<Box<str>>)>,
    /// Steps of the plan that were done, as far as the user could see.
    pub(super) steps_done: usize,
    /// The receptacles of the room, once they were seen.
    pub(super) room: Vec<Box<str>>,
    /// Objects that were cleaned, heated or cooled, and how.
    pub(super) treated: Vec<(Box<str>, Box<str>)>,
    /// The task that the world set last.
    pub(super) task: Option<Box<str>>,
    /// Whether the user sees what is done.
    pub(super) sees: bool,
    /// Receptacles that can be opened, and whether they were open when they were last seen.
    open: Vec<(Box<str>, bool)>,
    pending: Option<Box<str>>,
}

impl Changes {
    /// Takes note of what is new in the view.
    pub(super) fn fold(&mut self, view: &View, plan: &Knowledge<'_>) {
        for event in view.starting_at(self.folded) {
            match &event.message {
                Message::Begun(begun) if !begun.keep_world => {
                    self.moved.clear();
                    self.open.clear();
                    self.treated.clear();
                    self.steps_done = 0;
                }
                Message::Perform(action) => self.pending = Some(action.text.as_str().into()),
                Message::Observed(seen) if !seen.invalid => {
                    self.sees = true;
                    self.observe(&seen.text, plan);
                }
                Message::Observed(_) => self.pending = None,
                _ => {}
            }
        }
        self.folded = view.end();
    }

    fn observe(&mut self, text: &str, plan: &Knowledge<'_>) {
        let mut refused = false;
        for_each_fact(text, |fact| match fact {
            Fact::Taken { object, .. } => self.moved_to(object, None),
            Fact::Put { object, to } => self.moved_to(object, Some(to)),
            Fact::Opened(place) => self.was_seen(place, true),
            Fact::Closed(place) => self.was_seen(place, false),
            Fact::Treated { verb, object } => self.was_treated(object, verb),
            Fact::Room(items) if self.room.is_empty() => self.room.extend(items.map(Box::from)),
            Fact::Task(task) => self.task = Some(task.into()),
            Fact::Nothing => refused = true,
            _ => {}
        });
        let Some(action) = self.pending.take().filter(|_| !refused) else {
            return;
        };
        let rest = plan.steps().skip(self.steps_done);
        let same = |step: &str| Command::read(step) == Command::read(&action);
        if let Some(ahead) = rest.into_iter().position(same) {
            self.steps_done += ahead + 1;
        }
    }

    fn moved_to(&mut self, object: &str, receptacle: Option<&str>) {
        self.moved.retain(|(known, _)| **known != *object);
        self.moved.push((object.into(), receptacle.map(Into::into)));
    }

    fn was_treated(&mut self, object: &str, verb: &str) {
        // What is heated is cool no more, and the other way round.
        let undone = match verb {
            "heat" => "cool",
            "cool" => "heat",
            other => other,
        };
        let lasts = |(known, how): &(Box<str>, Box<str>)| **known != *object || (**how != *undone && **how != *verb);
        self.treated.retain(lasts);
        self.treated.push((object.into(), verb.into()));
    }

    fn was_seen(&mut self, receptacle: &str, open: bool) {
        self.open.retain(|(known, _)| **known != *receptacle);
        self.open.push((receptacle.into(), open));
    }

    /// Whether a receptacle was open when it was last seen; none if it was not seen, or cannot be opened.
    pub(super) fn is_open(&self, receptacle: &str) -> Option<bool> {
        self.open.iter().find(|(known, _)| **known == *receptacle).map(|(_, open)| *open)
    }

    /// The receptacles that were open, or closed, when they were last seen.
    pub(super) fn all_open(&self, open: bool) -> impl Iterator<Item = &str> {
        self.open.iter().filter(move |(_, known)| *known == open).map(|(name, _)| &**name)
    }

    /// Where an object was moved to: `None` if it was not moved, `Some(None)` if it is in hand.
    pub(super) fn moved(&self, object: &str) -> Option<Option<&str>> {
        self.moved.iter().find(|(known, _)| **known == *object).map(|(_, place)| place.as_deref())
    }
}

/// The private parts of the user, read where it lies in the transcript.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge<'a> {
    steps: &'a [Value],
    placements: &'a [Value],
    wish: &'a [Value],
}

impl<'a> Knowledge<'a> {
    /// Finds the private parts; what is missing is empty.
    pub(super) fn of(view: &'a View) -> Self {
        let mut plan = Self { steps: &[], placements: &[], wish: &[] };
        for event in view.all() {
            if matches!(event.message, Message::Begun(_)) {
                // What was entrusted stands before the first trial.
                break;
            }
            if let Message::Entrusted(part) = &event.message {
                let list = part.value.as_array().map_or(&[][..], Vec::as_slice);
                match part.label.as_str() {
                    "oracle_plan" => plan.steps = list,
                    "placements" => plan.placements = list,
                    "wish" => plan.wish = list,
                    _ => {}
                }
            }
        }
        plan
    }

    /// The commands of the plan.
    pub(super) fn steps(&self) -> impl Iterator<Item = &'a str> {
        self.steps.iter().filter_map(Value::as_str)
    }

    /// Object and receptacle, as at the beginning.
    pub(super) fn placements(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.placements.iter().filter_map(|pair| {
            let object = pair.get(0)?.as_str()?;
            Some((object, pair.get(1)?.as_str()?))
        })
    }

    /// The objects that are meant, in a game that leaves open which ones those are.
    pub(super) fn wish(&self) -> impl Iterator<Item = &'a str> {
        self.wish.iter().filter_map(Value::as_str)
    }

    /// The objects that the plan takes, and from where, in order.
    pub(super) fn takes(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.steps().filter_map(|step| match Command::read(step) {
            Command::Take { object, from } => Some((object, from)),
            _ => None,
        })
    }

    /// The receptacles that the plan visits, in order.
    pub(super) fn visits(&self) -> impl Iterator<Item = &'a str> {
        self.steps().map(Command::read).filter_map(Command::gone_to)
    }

    /// The classes of all objects.
    pub(super) fn object_classes(&self) -> FxHashSet<&'a str> {
        self.placements().chain(self.takes()).map(|(object, _)| class_of(object)).collect()
    }

    /// The classes of all receptacles that hold something or that the plan visits.
    pub(super) fn receptacle_classes(&self) -> FxHashSet<&'a str> {
        self.placements().map(|(_, place)| place).chain(self.visits()).map(class_of).collect()
    }
}
