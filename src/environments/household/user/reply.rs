//! The helpful user, exact or vague.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::wording::{ANY, CHECK, CHOOSE, DO, DONE, HELD};
use super::{Asked, Changes, Command, Knowledge, Question, THANKS, UNKNOWN, class_of, say};
use crate::domain::{Seed, Utterance};
use crate::environments::household::language::is_meant;
use crate::environments::household::split_name;
use crate::ports::{Turn, UserError, UserSimulator};
use crate::text::mention::Mention;
use crate::text::unique;

/// A user who knows the oracle plan and the placements. Where it sees actions and observations it
/// also knows what has been done and moved since.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct HelpfulUser {
    /// It names classes, never numbers (ReSpAct Table 22; exact users: Table 21).
    pub(super) names_classes: bool,
    pub(super) changes: Changes,
}

#[async_trait]
impl UserSimulator for HelpfulUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let said = super::question(turn)?;
        let plan = Knowledge::of(&turn.view);
        self.changes.fold(&turn.view, &plan);
        let (objects, receptacles) = (plan.object_classes(), plan.receptacle_classes());
        let is_object = |word: &str| objects.contains(word);
        let is_receptacle = |word: &str| receptacles.contains(word);
        let question = Question::read(&said.text, is_object, is_receptacle);
        let answer = Answering {
            names_classes: self.names_classes,
            changes: &self.changes,
            plan,
            objects,
            seed: turn.seed,
        };
        Ok(Utterance::text(answer.to(&question)))
    }
}

/// One reply in the making.
struct Answering<'a> {
    names_classes: bool,
    changes: &'a Changes,
    plan: Knowledge<'a>,
    objects: BTreeSet<&'a str>,
    seed: Seed,
}

impl Answering<'_> {
    fn to(&self, question: &Question) -> String {
        match &question.asked {
            Asked::Where { class, another } => {
                self.where_is(class.as_deref(), *another, &question.ruled_out)
            }
            Asked::WhereToDo { verb } => self.where_to(verb),
            Asked::Which {
                class,
                numbers,
                count,
            } => self.which(class, numbers, *count),
            Asked::Next => self.next(),
            Asked::Nothing => say(self.seed, THANKS, ""),
        }
    }

    /// The name as this user says it.
    fn name<'n>(&self, name: &'n str) -> &'n str {
        match self.names_classes {
            true => class_of(name),
            false => name,
        }
    }

    fn where_is(&self, class: Option<&str>, another: bool, ruled_out: &[Mention]) -> String {
        let planned = || self.plan.takes();
        let next = || planned().find(|(object, _)| self.changes.moved(object).is_none());
        let class = class.or_else(|| next().map(|(object, _)| class_of(object)));
        let Some(class) = class else {
            return say(self.seed, UNKNOWN, "");
        };
        if !self.objects.contains(class) {
            return self.where_is_receptacle(class);
        }
        let fits = |(object, place): &(&str, &str)| {
            class_of(object) == class
                && self.changes.moved(object).is_none()
                && !ruled_out.iter().any(|mention| is_meant(place, mention))
        };
        let known = planned().chain(self.plan.placements()).filter(fits);
        let mut known = known.map(|(_, place)| place);
        // Without sight of what was done, "the second one" is the plan's second.
        let planned = planned().filter(|(object, _)| class_of(object) == class);
        let second = another && self.changes.steps_done == 0 && planned.count() > 1;
        match known.nth(usize::from(second)) {
            Some(place) => say(self.seed, CHECK, self.name(place)),
            None => self.where_it_went(class),
        }
    }

    /// Every object of the class was moved, or is not where the agent has looked.
    fn where_it_went(&self, class: &str) -> String {
        let objects = self.plan.placements().map(|(object, _)| object);
        let mut moved = objects
            .filter(|object| class_of(object) == class)
            .filter_map(|object| Some((object, self.changes.moved(object)?)));
        match moved.next() {
            Some((_, Some(place))) => say(self.seed, CHECK, self.name(place)),
            Some((object, None)) => say(self.seed, HELD, self.name(object)),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    fn where_is_receptacle(&self, class: &str) -> String {
        let gone_to = self.plan.visits();
        let places = gone_to.chain(self.plan.placements().map(|(_, place)| place));
        let mut of_class = places.filter(|place| class_of(place) == class);
        match of_class.next() {
            Some(place) => say(self.seed, CHECK, self.name(place)),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    fn where_to(&self, verb: &str) -> String {
        let mut commands = self.plan.steps().map(Command::read);
        let place = commands.find_map(|command| match command {
            Command::Treat { verb: of, with, .. } if of == verb => Some(with),
            Command::Put { to, .. } if verb == "put" => Some(to),
            _ => None,
        });
        let ways = &["Please use the {}.", "At the {}, please."];
        match place {
            Some(place) => say(self.seed, ways, self.name(place)),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    fn which(&self, class: &str, numbers: &[u32], count: usize) -> String {
        if self.names_classes {
            return say(self.seed, ANY, class);
        }
        let planned = self.plan.takes().map(|(object, _)| object);
        let number = |object| match split_name(object) {
            Some((of, number)) if of == class => Some(number),
            Some(_) | None => None,
        };
        let offered = |number: &u32| numbers.is_empty() || numbers.contains(number);
        let planned: Vec<u32> = planned.filter_map(number).filter(offered).collect();
        let others = numbers.iter().filter(|number| !planned.contains(number));
        let others = unique(others.copied());
        let names = planned.iter().chain(&others).take(count);
        let names: Vec<String> = names.map(|number| format!("{class} {number}")).collect();
        match &*names {
            [] => say(self.seed, ANY, class),
            names => say(self.seed, CHOOSE, &names.join(" and ")),
        }
    }

    fn next(&self) -> String {
        let Some(step) = self.plan.steps().nth(self.changes.steps_done) else {
            return say(self.seed, DONE, "");
        };
        let name = |name| self.name(name);
        let command = match Command::read(step) {
            Command::Go(place) => format!("go to the {}", name(place)),
            Command::Open(place) => format!("open the {}", name(place)),
            Command::Close(place) => format!("close the {}", name(place)),
            Command::Examine(thing) => format!("examine the {}", name(thing)),
            Command::Take { object, from } => {
                format!("take the {} from the {}", name(object), name(from))
            }
            Command::Put { object, to } => {
                format!("put the {} in/on the {}", name(object), name(to))
            }
            Command::Treat { verb, object, with } => {
                format!("{verb} the {} with the {}", name(object), name(with))
            }
            Command::Use(lamp) => format!("use the {}", name(lamp)),
            Command::Other(command) => command.to_owned(),
        };
        say(self.seed, DO, &command)
    }
}
