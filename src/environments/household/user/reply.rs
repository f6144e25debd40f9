//! The helpful user, exact or vague; and one that is wrong once: for exemplars, which show an agent that sees through
//! bad advice and asks again.

use async_trait::async_trait;
use rustc_hash::FxHashSet;

use super::wording::{ANY, CHECK, CHOOSE, DO, DONE, HELD, NO_SUCH, NOT_UNDERSTOOD};
use super::{Asked, Changes, Command, Knowledge, Question, THANKS, UNKNOWN, class_of, say};
use crate::language::is_meant;
use crate::split_name;
use rolecall_core::domain::{Message, Seed, Utterance, View};
use rolecall_core::ports::{Turn, UserError, UserSimulator};
use rolecall_core::text::mention::{Mention, mentions, words};
use rolecall_core::text::unique;

/// The most names in a reply.
pub(super) const MOST: usize = 40;

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
        let question = Question::read(&said.text, &is_object, &is_receptacle);
        let answering = Answering {
            names_classes: self.names_classes,
            changes: &self.changes,
            plan,
            objects,
            seed: turn.seed,
            task: task(&turn.view),
        };
        if question.asked.is_empty() {
            return Ok(Utterance::text(say(turn.seed, THANKS, "")));
        }
        let asked = question.asked.iter();
        let answers = unique(asked.map(|asked| answering.to(asked, &question.ruled_out)));
        Ok(Utterance::text(answers.join(" ")))
    }
}

/// The task as it was made public.
fn task(view: &View) -> Option<&str> {
    view.all().find_map(|event| match &event.message {
        Message::Opened(opened) => Some(opened.task.text.as_str()),
        _ => None,
    })
}

/// One reply in the making.
pub(super) struct Answering<'a> {
    pub(super) names_classes: bool,
    pub(super) changes: &'a Changes,
    pub(super) plan: Knowledge<'a>,
    pub(super) objects: FxHashSet<&'a str>,
    pub(super) seed: Seed,
    task: Option<&'a str>,
}

impl Answering<'_> {
    fn to(&self, asked: &Asked, ruled_out: &[Mention]) -> String {
        match asked {
            Asked::Where { things, another } if things.is_empty() => match self.needed() {
                Some(class) => self.where_is(&of_class(class), *another, ruled_out),
                None => say(self.seed, UNKNOWN, ""),
            },
            Asked::Where { things, another } => {
                let things = things.iter().flat_map(each).take(MOST);
                unique(things.map(|thing| self.where_is(&thing, *another, ruled_out))).join(" ")
            }
            Asked::WherePlace(place) => self.where_is_receptacle(place),
            Asked::WhereToDo { verb } => self.where_to(verb),
            Asked::Which { class, numbers, count } => match class.as_deref().or_else(|| self.needed()) {
                Some(class) => self.which(class, numbers, *count),
                None => say(self.seed, UNKNOWN, ""),
            },
            Asked::Next => self.next(),
            Asked::Task => self.task(self.task),
            Asked::Done => self.done(),
            Asked::IsOpen { places, closed } => self.is_open(places, *closed),
            Asked::Contents(places) => self.contents(places),
            Asked::IsThere { things, places } => self.is_there(things, places),
            Asked::Count { thing, places } => self.count(thing, places),
            Asked::Held(things) => self.held(things),
            Asked::Treated { thing, verb } => self.treated(thing, verb),
            Asked::Unknowable => say(self.seed, UNKNOWN, ""),
            Asked::Stranger(name) => say(self.seed, NO_SUCH, name),
            Asked::NotUnderstood => say(self.seed, NOT_UNDERSTOOD, ""),
        }
    }

    /// The name as this user says it.
    pub(super) fn name<'n>(&self, name: &'n str) -> &'n str {
        match self.names_classes {
            true => class_of(name),
            false => name,
        }
    }

    fn where_is(&self, thing: &Mention, another: bool, ruled_out: &[Mention]) -> String {
        let class = thing.class.as_str();
        let planned = || self.plan.takes();
        let fits = |(object, place): &(&str, &str)| {
            is_meant(object, thing)
                && self.changes.moved(object).is_none()
                && !ruled_out.iter().any(|mention| is_meant(place, mention))
        };
        let mut known = planned().chain(self.plan.placements()).filter(fits).map(|(_, place)| place);
        // Without sight of what was done, "the second one" is the plan's second.
        let planned = planned().filter(|(object, _)| class_of(object) == class);
        let second = another && self.changes.steps_done == 0 && planned.count() > 1;
        match known.nth(usize::from(second)) {
            Some(place) => say(self.seed, CHECK, self.name(place)),
            None => self.where_it_went(thing),
        }
    }

    /// Every object of the class was moved, or is not where the agent has looked.
    fn where_it_went(&self, thing: &Mention) -> String {
        let mut moved = self
            .plan
            .placements()
            .map(|(object, _)| object)
            .filter(|object| is_meant(object, thing))
            .filter_map(|object| Some((object, self.changes.moved(object)?)));
        match moved.next() {
            Some((_, Some(place))) => say(self.seed, CHECK, self.name(place)),
            Some((object, None)) => say(self.seed, HELD, self.name(object)),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    fn where_is_receptacle(&self, mention: &Mention) -> String {
        let gone_to = self.plan.visits();
        let places = gone_to.chain(self.plan.placements().map(|(_, place)| place));
        let room = self.changes.room.iter().map(|name| &**name);
        let mut meant = places.chain(room).filter(|name| is_meant(name, mention));
        match meant.next() {
            Some(place) => say(self.seed, CHECK, self.name(place)),
            None => self.no_such(mention),
        }
    }

    fn where_to(&self, verb: &str) -> String {
        let place = self.plan.steps().map(Command::read).find_map(|command| match command {
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

/// Each of several that a mention numbers.
fn each(mention: &Mention) -> Vec<Mention> {
    let numbered = |number: &u32| Mention { numbers: vec![*number], ..mention.clone() };
    match &*mention.numbers {
        [] | [_] => vec![mention.clone()],
        numbers => numbers.iter().map(numbered).collect(),
    }
}

/// Anything of a class.
fn of_class(class: &str) -> Mention {
    Mention { class: class.to_owned(), numbers: Vec::new(), position: 0 }
}

/// A user whose first reply, where it is asked for the place of something, names a likely receptacle that has it not.
/// Later it answers as the helpful one.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct MistakenUser(HelpfulUser);

#[async_trait]
impl UserSimulator for MistakenUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let has_replied = turn.view.all().any(|event| matches!(event.message, Message::Replied(_)));
        let wrong = if has_replied { None } else { wrong_place(turn)? };
        match wrong {
            Some(place) => Ok(Utterance::text(say(turn.seed, CHECK, &place))),
            None => self.0.reply(turn).await,
        }
    }
}

/// A receptacle that the question takes to be likely and that has nothing of what is asked for.
fn wrong_place(turn: &Turn) -> Result<Option<String>, UserError> {
    let said = super::question(turn)?;
    let plan = Knowledge::of(&turn.view);
    let mut changes = Changes::default();
    changes.fold(&turn.view, &plan);
    let objects = plan.object_classes();
    let is_receptacle = |word: &str| changes.room.iter().any(|name| class_of(name) == word);
    let question = Question::read(&said.text, &|word| objects.contains(word), &is_receptacle);
    let Some(Asked::Where { things, .. }) = question.asked.first() else {
        return Ok(None);
    };
    let likely = mentions(&words(&said.text), is_receptacle);
    let holds = |place: &str| {
        plan.placements()
            .filter(|(_, at)| *at == place)
            .any(|(object, _)| things.iter().any(|thing| is_meant(object, thing)))
    };
    let wrong = changes
        .room
        .iter()
        .map(|name| &**name)
        .filter(|place| !holds(place) && likely.iter().any(|mention| is_meant(place, mention)));
    let wrong: Vec<&str> = wrong.collect();
    // Independent of the choice of words, which uses the low end of the seed.
    let draw = (turn.seed.0 >> 16).checked_rem(wrong.len() as u64);
    Ok(draw.and_then(|draw| wrong.get(draw as usize)).map(|place| (*place).to_owned()))
}
