//! Sub-goals and the steps towards them: what the executor does in one go (`decide`), cut into the
//! parts that a thinker names and a planner lays out.

use super::sub_goal::Named;
use super::{
    Belief, Command, Goal, Guidance, KnownReceptacle, SubGoal, Thing, Treatment, class_of,
};

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
            let with = self.station(treatment).map(|place| Named::of(&place.name));
            return Some(SubGoal::Treat {
                treatment,
                object,
                with,
            });
        }
        let kept = self.kept_at(goal);
        let target = kept.or_else(|| self.best_of_class(&goal.target));
        Some(
            match target.and_then(|target| self.room.receptacle(target)) {
                Some(target) => SubGoal::Put {
                    object,
                    to: Named::of(&target.name),
                },
                None => SubGoal::Find(Named::of(&goal.target)),
            },
        )
    }

    /// Something of no use is in hand.
    fn rid_of(&self, held: &str) -> Option<SubGoal> {
        let target = self.room.receptacle(self.place_to_get_rid()?)?;
        Some(SubGoal::Put {
            object: Named::of(held),
            to: Named::of(&target.name),
        })
    }

    /// The object that is to be taken: the only one in view or the one that was asked for, and
    /// else any of the class.
    fn meant(&self, goal: &Goal, preferred: &[Box<str>]) -> Named {
        let mut candidates = self.candidates(goal);
        let (first, second) = (candidates.next(), candidates.next());
        match (first, second) {
            (Some(only), None) => Named::of(&only.name),
            (Some(_), Some(_)) => {
                let asked_for = self
                    .candidates(goal)
                    .find(|thing| preferred.contains(&thing.name));
                asked_for.map_or_else(|| Named::of(&goal.object), |thing| Named::of(&thing.name))
            }
            (None, _) => Named::of(&goal.object),
        }
    }

    fn station(&self, treatment: Treatment) -> Option<&KnownReceptacle> {
        self.room.receptacle(self.best_station(treatment)?)
    }

    /// The next step towards a sub-goal; none if it is reached, or if it makes no sense as things
    /// are.
    pub(super) fn step_towards(
        &self,
        sub_goal: &SubGoal,
        guidance: &Guidance<'_>,
    ) -> Option<String> {
        match sub_goal {
            SubGoal::Find(what) => {
                let guidance = self.guidance_for(what, guidance);
                (!self.knows_of(what)).then(|| self.explore(&what.class, &guidance))
            }
            SubGoal::Take(object) => match self.in_hand(object) {
                Some(_) => None,
                None => self.step_to_take(object, guidance),
            },
            SubGoal::Treat {
                treatment,
                object,
                with,
            } => match self.in_hand(object) {
                Some(held) => self.step_to_treat(*treatment, held, with.as_ref(), guidance),
                None => self.step_to_take(object, guidance),
            },
            SubGoal::Put { object, to } => match self.in_hand(object) {
                Some(held) => Some(self.step_to_put(held, to, guidance)),
                None if self.lies_there(object, to) => None,
                None => self.step_to_take(object, guidance),
            },
            SubGoal::Light { object, lamp } => match self.in_hand(object) {
                Some(_) => Some(self.step_to_light(lamp, guidance)),
                None => self.step_to_take(object, guidance),
            },
        }
    }

    /// The guidance for a search: what the user suggested was about what the task needs.
    fn guidance_for<'a>(&self, what: &Named, guidance: &Guidance<'a>) -> Guidance<'a> {
        let suits = self.class_needed() == Some(&what.class);
        Guidance {
            leads: if suits { guidance.leads } else { &[] },
            ..*guidance
        }
    }

    /// Whether it is known where such a thing is.
    fn knows_of(&self, what: &Named) -> bool {
        let goal = self.goal.as_ref();
        if goal.is_some_and(|goal| goal.object == what.class) {
            let mut candidates = goal.into_iter().flat_map(|goal| self.candidates(goal));
            return self.in_hand(what).is_some() || candidates.any(|it| what.fits(&it.name));
        }
        let mut places = self.room.places();
        self.objects.iter().any(|thing| what.fits(&thing.name))
            || places.any(|(_, place)| what.fits(&place.name) && !place.dead)
    }

    fn in_hand(&self, object: &Named) -> Option<&str> {
        self.holding.as_deref().filter(|held| object.fits(held))
    }

    fn lies_there(&self, object: &Named, to: &Named) -> bool {
        let there = |thing: &Thing| {
            let place = self.room.receptacle(thing.place);
            place.is_some_and(|place| to.fits(&place.name))
        };
        let mut things = self.objects.iter();
        object.number.is_some() && things.any(|thing| object.fits(&thing.name) && there(thing))
    }

    fn step_to_take(&self, object: &Named, guidance: &Guidance<'_>) -> Option<String> {
        if self.holding.is_some() {
            return None;
        }
        let goal = self.goal.as_ref()?;
        let mut candidates = self.candidates(goal).peekable();
        let any = candidates.peek().is_some();
        let fitting = candidates.filter(|thing| object.fits(&thing.name));
        match self.cheapest(fitting, guidance) {
            Some(thing) => Some(self.take_step(thing)),
            // Another one than the known ones is meant, which was taken or never seen.
            None if any => None,
            None => Some(self.explore(&object.class, guidance)),
        }
    }

    fn step_to_treat(
        &self,
        treatment: Treatment,
        held: &str,
        with: Option<&Named>,
        guidance: &Guidance<'_>,
    ) -> Option<String> {
        let wanted = self.goal.as_ref().and_then(|goal| goal.treatment);
        if wanted == Some(treatment) && self.treated == self.holding {
            return None;
        }
        let named = with.and_then(|with| self.usable(with));
        Some(match named {
            Some(station) => self.treat_at(station, treatment, held),
            None => self.treat_held(treatment, held, guidance),
        })
    }

    fn step_to_put(&self, held: &str, to: &Named, guidance: &Guidance<'_>) -> String {
        let goal = self.goal.as_ref();
        let kept = goal.and_then(|goal| self.kept_at(goal));
        let kept = kept.filter(|kept| {
            let place = self.room.receptacle(*kept);
            place.is_some_and(|place| to.fits(&place.name))
        });
        let target = kept.or_else(|| self.usable(to));
        self.put_or_seek(target, &to.class, held, guidance)
    }

    fn step_to_light(&self, lamp: &Named, guidance: &Guidance<'_>) -> String {
        let known = self.objects.iter().find(|thing| lamp.fits(&thing.name));
        self.use_lamp(known, &lamp.class, guidance)
    }

    /// The receptacle of a name, if it can be used.
    fn usable(&self, named: &Named) -> Option<u8> {
        named.number?;
        let mut places = self.room.usable();
        let fits = places.find(|(_, place)| named.fits(&place.name));
        fits.map(|(index, _)| index)
    }

    /// The steps towards a sub-goal, at most `longest`, as they would follow if every look were in
    /// vain and everything else went well. A search goes on to the next receptacles in that case,
    /// but not beyond those that the user suggested.
    pub(super) fn steps_towards(
        &self,
        sub_goal: &SubGoal,
        guidance: &Guidance<'_>,
        longest: usize,
        kind: &str,
    ) -> Vec<String> {
        let leads = match sub_goal {
            SubGoal::Find(what) => self.guidance_for(what, guidance).leads,
            SubGoal::Take(_) | SubGoal::Treat { .. } => &[],
            SubGoal::Put { .. } | SubGoal::Light { .. } => &[],
        };
        let mut imagined = self.clone();
        let mut steps = Vec::new();
        while steps.len() < longest {
            let Some(step) = imagined.step_towards(sub_goal, guidance) else {
                break;
            };
            imagined.perform(&step);
            let seen = imagined.imagine(&step);
            let last = sub_goal.is_reached_by(&step);
            steps.push(step);
            match seen {
                Some(seen) if !last => imagined.observe(&seen, false, kind),
                Some(_) | None => break,
            }
            let mut ahead = leads.iter().filter(|lead| imagined.is_unseen(**lead));
            if !leads.is_empty() && ahead.next().is_none() {
                break;
            }
        }
        steps
    }

    /// What an action will show if it goes well and there is nothing new to be seen.
    fn imagine(&self, action: &str) -> Option<String> {
        let contents = |name: &str| {
            let index = self.room.find(name);
            let inside = self
                .objects
                .iter()
                .filter(|thing| Some(thing.place) == index);
            let names: Vec<&str> = inside.map(|thing| &*thing.name).collect();
            if names.is_empty() {
                "nothing".to_owned()
            } else {
                names.join(", ")
            }
        };
        match Command::read(action) {
            Command::Go(name) => Some(if self.is_expected_closed(name) {
                format!("The {name} is closed.")
            } else {
                format!("On the {name}, you see {}.", contents(name))
            }),
            Command::Open(name) => Some(format!(
                "You open the {name}. The {name} is open. In it, you see {}.",
                contents(name)
            )),
            Command::Close(name) => Some(format!("You close the {name}.")),
            Command::Examine(name) => Some(format!("On the {name}, you see {}.", contents(name))),
            Command::Take { object, from } => {
                Some(format!("You pick up the {object} from the {from}."))
            }
            Command::Put { object, to } => Some(format!("You move the {object} to the {to}.")),
            Command::Treat { verb, object, with } => {
                Some(format!("You {verb} the {object} using the {with}."))
            }
            Command::Use(_) | Command::Other(_) => None,
        }
    }
}
