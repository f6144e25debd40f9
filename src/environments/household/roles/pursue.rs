//! Sub-goals and the steps towards them: what the executor does in one turn (`decide`), cut into the
//! parts that a thinker names and a planner lays out.

use super::sub_goal::Named;
use super::{Belief, Command, Decision, Goal, SubGoal, Thing, Treatment, class_of};

impl Belief {
    /// The sub-goal that the task calls for now. `preferred` are objects that the user asked for.
    /// An object is named by number only if there is no choice or the choice was made.
    pub(super) fn own_sub_goal(&self, preferred: &[Box<str>]) -> Option<SubGoal> {
        let goal = self.goal.as_ref()?;
        if let Some(class) = self.class_needed() {
            return Some(SubGoal::Find(Named::of(class)));
        }
        let object = match &self.holding {
            Some(held) if class_of(held) != &*goal.object => return self.rid_of(held),
            Some(held) => Named::of(held),
            None => self.meant(goal, preferred),
        };
        if let Some(lamp) = goal.lamp() {
            return Some(match self.thing(lamp).map(|lamp| Named::of(&lamp.name)) {
                Some(lamp) => SubGoal::Light { object, lamp },
                // The lamp is looked for with the object in hand.
                None => SubGoal::Take(object),
            });
        }
        let is_treated = self.treated.is_some() && self.treated == self.holding;
        if let Some(treatment) = goal.treatment.filter(|_| !is_treated) {
            let station = self.best_station(treatment);
            let with = station.map(|station| Named::of(self.room.name(station)));
            return Some(SubGoal::Treat { treatment, object, with });
        }
        let kept = self.kept_at(goal);
        let target = kept.or_else(|| self.best_of_class(&goal.target));
        let target = target.map(|target| Named::of(self.room.name(target)));
        Some(match target {
            Some(to) => SubGoal::Put { object, to },
            None => SubGoal::Find(Named::of(&goal.target)),
        })
    }

    /// Something of no use is in hand.
    fn rid_of(&self, held: &str) -> Option<SubGoal> {
        let to = Named::of(self.room.name(self.nearest_to_get_rid()?));
        let object = Named::of(held);
        Some(SubGoal::Put { object, to })
    }

    /// The object that is to be taken: the only one in view or the one that was asked for, and
    /// else any of the class.
    fn meant(&self, goal: &Goal, preferred: &[Box<str>]) -> Named {
        let mut candidates = self.candidates(goal);
        let meant = match (candidates.next(), candidates.next()) {
            (Some(only), None) => Some(only),
            _ => self.candidates(goal).find(|thing| preferred.contains(&thing.name)),
        };
        Named::of(meant.map_or(&goal.object, |thing| &thing.name))
    }

    /// Whether it is known where such a thing is.
    fn knows_of(&self, what: &Named) -> bool {
        let goal = self.goal.as_ref();
        if goal.is_some_and(|goal| goal.object == what.class) {
            let mut candidates = goal.into_iter().flat_map(|goal| self.candidates(goal));
            return self.in_hand(what).is_some() || candidates.any(|it| what.fits(&it.name));
        }
        let mut places = self.room.receptacles();
        self.objects.iter().any(|thing| what.fits(&thing.name))
            || places.any(|(_, place)| what.fits(&place.name) && !place.dead)
    }

    fn in_hand(&self, object: &Named) -> Option<&str> {
        self.holding.as_deref().filter(|held| object.fits(held))
    }

    fn lies_there(&self, object: &Named, to: &Named) -> bool {
        let there = |thing: &Thing| self.room.receptacle(thing.place).is_some_and(|place| to.fits(&place.name));
        let mut objects = self.objects.iter();
        object.number.is_some() && objects.any(|thing| object.fits(&thing.name) && there(thing))
    }

    /// The receptacle of a name, if it can be used.
    fn usable(&self, named: &Named) -> Option<u8> {
        named.number?;
        self.room.usable().find(|(_, place)| named.fits(&place.name)).map(|(index, _)| index)
    }

    /// The observation after an action if it goes well and there is nothing new to be seen.
    fn imagine(&self, action: &str) -> Option<String> {
        let contents = |name: &str| {
            let index = self.room.find(name);
            let inside = |thing: &&Thing| Some(thing.place) == index;
            let names: Vec<&str> = self.objects.iter().filter(inside).map(|thing| &*thing.name).collect();
            match &*names {
                [] => "nothing".to_owned(),
                names => names.join(", "),
            }
        };
        let is_closed = |name: &str| self.room.named(name).is_some_and(|(_, place)| place.is_expected_closed());
        match Command::read(action) {
            Command::Go(name) if is_closed(name) => Some(format!("The {name} is closed.")),
            Command::Go(name) | Command::Examine(name) => Some(format!("On the {name}, you see {}.", contents(name))),
            Command::Open(name) => {
                Some(format!("You open the {name}. The {name} is open. In it, you see {}.", contents(name)))
            }
            Command::Close(name) => Some(format!("You close the {name}.")),
            Command::Take { object, from } => Some(format!("You pick up the {object} from the {from}.")),
            Command::Put { object, to } => Some(format!("You move the {object} to the {to}.")),
            Command::Treat { verb, object, with } => Some(format!("You {verb} the {object} using the {with}.")),
            Command::Use(_) | Command::Other(_) => None,
        }
    }
}

impl Decision<'_> {
    /// The next step towards a sub-goal; none if it is reached, or if it makes no sense as things
    /// are.
    pub(super) fn step_towards(&self, sub_goal: &SubGoal) -> Option<String> {
        let belief = self.belief;
        if let SubGoal::Find(what) = sub_goal {
            let search = self.search_for(what);
            return (!belief.knows_of(what)).then(|| search.explore(&what.class));
        }
        let object = sub_goal.object()?;
        let Some(held) = belief.in_hand(object) else {
            let done = matches!(sub_goal, SubGoal::Put { to, .. } if belief.lies_there(object, to));
            return self.step_to_take(object).filter(|_| !done);
        };
        match sub_goal {
            SubGoal::Find(_) | SubGoal::Take(_) => None,
            SubGoal::Treat { treatment, with, .. } => self.treat_step(*treatment, held, with.as_ref()),
            SubGoal::Put { to, .. } => Some(self.step_to_put(held, to)),
            SubGoal::Light { lamp, .. } => {
                let known = belief.objects.iter().find(|thing| lamp.fits(&thing.name));
                Some(self.use_lamp(known, &lamp.class))
            }
        }
    }

    /// The decision for a search: what the user suggested was about what the task needs.
    fn search_for(&self, what: &Named) -> Self {
        let suits = self.belief.class_needed() == Some(&what.class);
        Self { leads: if suits { self.leads } else { &[] }, ..*self }
    }

    fn step_to_take(&self, object: &Named) -> Option<String> {
        let belief = self.belief;
        if belief.holding.is_some() {
            return None;
        }
        let goal = belief.goal.as_ref()?;
        let mut candidates = belief.candidates(goal).peekable();
        let any = candidates.peek().is_some();
        let fitting = candidates.filter(|thing| object.fits(&thing.name));
        match self.cheapest(fitting) {
            Some(thing) => Some(belief.take_step(thing)),
            // Another one than the known ones is meant, which was taken or never seen.
            None if any => None,
            None => Some(self.explore(&object.class)),
        }
    }

    fn treat_step(&self, treat: Treatment, held: &str, with: Option<&Named>) -> Option<String> {
        let belief = self.belief;
        let wanted = belief.goal.as_ref().and_then(|goal| goal.treatment);
        if wanted == Some(treat) && belief.treated == belief.holding {
            return None;
        }
        Some(match with.and_then(|with| belief.usable(with)) {
            Some(station) => belief.treat_at(station, treat, held),
            None => self.treat_held(treat, held),
        })
    }

    fn step_to_put(&self, held: &str, to: &Named) -> String {
        let belief = self.belief;
        let kept = belief.goal.as_ref().and_then(|goal| belief.kept_at(goal));
        let kept = kept.filter(|kept| to.fits(belief.room.name(*kept)));
        self.put_or_seek(kept.or_else(|| belief.usable(to)), &to.class, held)
    }

    /// The steps towards a sub-goal, at most `longest`, as they would follow if every look were in
    /// vain and everything else went well. A search goes on to the next receptacles in that case,
    /// but not beyond those that the user suggested.
    pub(super) fn steps_towards(&self, to: &SubGoal, longest: usize, kind: &str) -> Vec<String> {
        let leads = match to {
            SubGoal::Find(what) => self.search_for(what).leads,
            _ => &[],
        };
        let mut imagined = self.belief.clone();
        let mut steps = Vec::new();
        while steps.len() < longest {
            let belief = &imagined;
            let Some(step) = (Decision { belief, ..*self }).step_towards(to) else {
                break;
            };
            imagined.perform(&step);
            let seen = imagined.imagine(&step).filter(|_| !to.is_reached_by(&step));
            steps.push(step);
            let Some(seen) = seen else { break };
            imagined.observe(&seen, false, kind);
            if !leads.is_empty() && !leads.iter().any(|lead| imagined.is_unseen(*lead)) {
                break;
            }
        }
        steps
    }
}
