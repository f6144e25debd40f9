//! The facts that the users of household games hold: where things are, and which one is meant; and success where
//! several things could have been meant.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::Command;
use super::language::{Fact, class_of, for_each_fact, is_meant, placements_answer};
use super::user::{Asked, Preference, Question};
use rolecall_core::domain::{Event, Message, Seat};
use rolecall_core::evaluation::metrics::Formula;
use rolecall_core::ports::held::{FactKind, HeldFact, HeldFacts, Secrets, Statement, private_part};
use rolecall_core::ports::{EpisodeLog, Measurement};
use rolecall_core::text::mention::{Mention, Word, mentions, words};
use rolecall_core::text::unique;
use rolecall_core::users::revealer::FULL_GOAL;

/// Moves for an object that turns out not to be meant: it is fetched and put down.
const TRY: u32 = 3;

/// The subject of a fact.
enum About {
    /// Where the objects of a class are.
    Class(String),
    /// Which objects are meant.
    Wish(Vec<String>),
    /// The whole goal, where the task states less.
    Goal(String),
}

/// The facts of an episode.
pub(super) struct Held {
    facts: Vec<HeldFact>,
    about: Vec<About>,
    /// Object and receptacle, as at the beginning.
    placements: Vec<(String, String)>,
    /// The classes of both: questions are searched for them word by word.
    classes: [FxHashSet<String>; 2],
    /// The number of commands of the expert's plan.
    plan: usize,
}

/// The facts of the user of a household game; none of other episodes.
pub(super) fn held(events: &[Event]) -> Option<Held> {
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let plan = strings(private_part(events, "oracle_plan")?);
    let pair = |pair: &Value| {
        let name = |index| Some(pair.get(index)?.as_str()?.to_owned());
        Some((name(0)?, name(1)?))
    };
    let placements = private_part(events, "placements").and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter();
    let placements: Vec<(String, String)> = placements.filter_map(pair).collect();
    let class = |name: &String| class_of(name).to_owned();
    let mut held = Held {
        facts: Vec::new(),
        about: Vec::new(),
        classes: [
            placements.iter().map(|(object, _)| class(object)).collect(),
            placements.iter().map(|(_, receptacle)| class(receptacle)).collect(),
        ],
        placements,
        plan: plan.len(),
    };
    if let Some(goal) = private_part(events, FULL_GOAL).and_then(Value::as_str) {
        held.add_goal(goal, events);
    }
    let used = plan.iter().filter_map(|step| match Command::read(step) {
        Command::Take { object, .. } => Some((class_of(object), FactKind::Input)),
        Command::Use(lamp) => Some((class_of(lamp), FactKind::Context)),
        _ => None,
    });
    for (class, kind) in unique(used) {
        held.add_class(class, kind);
    }
    let wish = private_part(events, "wish").map(strings).unwrap_or_default();
    held.add_wish(wish);
    Some(held)
}

/// The steps of the expert's plan, of which users are asked to reveal no further one (ReSpAct Table 21).
pub(super) fn secrets(log: &EpisodeLog<'_>) -> Option<Secrets> {
    let plan = part(log, &Seat::User, "oracle_plan")?.as_array()?;
    let steps = plan.iter().filter_map(Value::as_str).map(str::to_owned);
    Some(Secrets { phrases: unique(steps), allowed: 1 })
}

impl Held {
    fn add(&mut self, name: String, kind: FactKind, question: String, answer: String, about: About) {
        self.facts.push(HeldFact { name, kind, question, answer });
        self.about.push(about);
    }

    fn add_goal(&mut self, goal: &str, events: &[Event]) {
        let shown = events.iter().find_map(|event| match &event.message {
            Message::Opened(opened) => Some(opened.task.text.contains(goal)),
            _ => None,
        });
        if shown == Some(false) {
            self.add(
                "goal".to_owned(),
                FactKind::Goal,
                "What exactly is my task?".to_owned(),
                format!("Your task is to: {goal}"),
                About::Goal(goal.to_owned()),
            );
        }
    }

    fn add_class(&mut self, class: &str, kind: FactKind) {
        let answer = placements_answer(self.of_class(class));
        if !answer.is_empty() {
            let question = format!("Where is the {class}?");
            let about = About::Class(class.to_owned());
            self.add(format!("where:{class}"), kind, question, answer, about);
        }
    }

    fn add_wish(&mut self, wish: Vec<String>) {
        let Some(class) = wish.first().map(|object| class_of(object).to_owned()) else {
            return;
        };
        self.add(
            format!("which:{class}"),
            FactKind::Goal,
            format!("Which {class} do you mean?"),
            format!("I mean {}.", wish.join(" and ")),
            About::Wish(wish),
        );
    }

    fn of_class<'a>(&'a self, class: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
        self.placements
            .iter()
            .filter(move |(object, _)| class_of(object) == class)
            .map(|(object, receptacle)| (&**object, &**receptacle))
    }
}

impl HeldFacts for Held {
    fn facts(&self) -> &[HeldFact] {
        &self.facts
    }

    fn asked(&self, question: &str) -> Vec<usize> {
        let is_object = |word: &str| self.is_object(word);
        let is_receptacle = |word: &str| self.is_receptacle(word);
        let question = Question::read(question, &is_object, &is_receptacle);
        let asks = |about: &About| match about {
            About::Class(class) => question.places_of.contains(class),
            About::Wish(_) => match &question.preference {
                Some(Preference::Of(classes)) => classes.iter().any(|class| about.is_of(class)),
                Some(Preference::Any) => true,
                None => false,
            },
            About::Goal(_) => question.asked.contains(&Asked::Task),
        };
        self.about.iter().enumerate().filter(|(_, about)| asks(about)).map(|(fact, _)| fact).collect()
    }

    fn stated(&self, words: &str, so_far: &[Event]) -> Vec<Statement> {
        let question = so_far.iter().rev().find_map(|event| match &event.message {
            Message::Told(said) => Some(&said.text),
            _ => None,
        });
        let asked = question.map_or_else(Vec::new, |question| self.asked(question));
        let seen = Seen::of(so_far);
        let said = self.about.iter().enumerate().filter_map(|(fact, about)| {
            let is_true = match about {
                About::Goal(goal) => words.contains(&**goal).then_some(true),
                About::Wish(wish) => self.says_which(words, wish, asked.contains(&fact)),
                About::Class(class) => self.says_where(words, class, asked.contains(&fact), &seen),
            };
            is_true.map(|is_true| Statement { fact, is_true })
        });
        said.collect()
    }

    /// The moves of searching for what is not known: on average half of what was not looked into, a move each; and of
    /// trying out which of several objects is meant, half of the others on average.
    fn saves(&self, fact: usize, so_far: &[Event]) -> u32 {
        match self.about.get(fact) {
            None => 0,
            Some(About::Goal(_)) => self.plan as u32,
            Some(About::Wish(wish)) => {
                let class = wish.first().map_or("", |object| class_of(object));
                let others = self.of_class(class).count().saturating_sub(wish.len());
                others as u32 * TRY / 2
            }
            Some(About::Class(class)) => Seen::of(so_far).unseen(class) / 2,
        }
    }
}

impl About {
    /// Whether objects of the class are meant.
    fn is_of(&self, class: &str) -> bool {
        matches!(self, Self::Wish(wish) if wish.iter().any(|object| class_of(object) == class))
    }
}

impl Held {
    fn is_object(&self, word: &str) -> bool {
        self.classes[0].contains(word)
    }

    fn is_receptacle(&self, word: &str) -> bool {
        self.classes[1].contains(word)
    }

    /// Whether the words say truly which objects are meant; none if they do not say.
    fn says_which(&self, text: &str, wish: &[String], asked: bool) -> Option<bool> {
        let words = words(text);
        if !asked && !text.contains("mean") {
            return None;
        }
        let class = wish.first().map_or("", |object| class_of(object));
        let named = mentions(&words, |word| word == class);
        let named: Vec<Mention> = named.into_iter().filter(|one| !one.numbers.is_empty()).collect();
        let meant = |one: &Mention| wish.iter().any(|object| is_meant(object, one));
        (!named.is_empty()).then(|| named.iter().any(meant))
    }

    /// Whether the words say truly where objects of a class are; none if they do not say.
    fn says_where(&self, text: &str, class: &str, asked: bool, seen: &Seen) -> Option<bool> {
        let mut found = None;
        for sentence in text.split(['.', ',', ';', '!', '?', '\n']) {
            let words = words(sentence);
            let denies = |word: &Word| {
                let contracted = word.letters().is_some_and(|word| word.ends_with("n't"));
                contracted || word.is_any(&["no", "not", "nothing", "none", "already"])
            };
            let objects = mentions(&words, |word| self.is_object(word));
            let receptacles = mentions(&words, |word| seen.is_receptacle(word) || self.is_receptacle(word));
            let named = objects.iter().any(|one| one.class == class);
            let is_meant_here = named || (objects.is_empty() && asked);
            if receptacles.is_empty() || !is_meant_here || words.iter().any(denies) {
                continue;
            }
            let fits = |(object, receptacle): (&str, &str)| {
                let of_object = objects.iter().filter(|one| one.class == class);
                let numbered = of_object.clone().any(|one| !one.numbers.is_empty());
                let is_object = !numbered || of_object.into_iter().any(|one| is_meant(object, one));
                is_object && receptacles.iter().any(|one| is_meant(receptacle, one))
            };
            let moved = seen
                .moved
                .iter()
                .filter(|(object, _)| class_of(object) == class)
                .map(|(object, receptacle)| (&**object, &**receptacle));
            let is_true = self.of_class(class).chain(moved).any(fits);
            found = Some(found.unwrap_or(false) || is_true);
        }
        found
    }
}

/// The room as observations have shown it.
#[derive(Default)]
struct Seen {
    receptacles: Vec<String>,
    classes_of_room: FxHashSet<String>,
    looked_into: FxHashSet<String>,
    classes: FxHashSet<String>,
    moved: Vec<(String, String)>,
}

impl Seen {
    fn of(so_far: &[Event]) -> Self {
        let mut seen = Self::default();
        for event in so_far {
            match &event.message {
                Message::Begun(begun) if !begun.keep_world => seen = Self::default(),
                Message::Observed(shown) => for_each_fact(&shown.text, |fact| seen.fold(fact)),
                _ => {}
            }
        }
        seen
    }

    fn fold(&mut self, fact: Fact<'_>) {
        match fact {
            Fact::Room(items) if self.receptacles.is_empty() => {
                self.receptacles = items.map(str::to_owned).collect();
                let classes = self.receptacles.iter().map(|name| class_of(name).to_owned());
                self.classes_of_room = classes.collect();
            }
            Fact::Contents { receptacle, items } => {
                self.looked_into.insert(receptacle.to_owned());
                self.classes.extend(items.map(|item| class_of(item).to_owned()));
            }
            Fact::Put { object, to } => self.moved.push((object.to_owned(), to.to_owned())),
            _ => {}
        }
    }

    fn is_receptacle(&self, word: &str) -> bool {
        self.classes_of_room.contains(word)
    }

    /// The receptacles that were not looked into; none to search if an object of the class was seen.
    fn unseen(&self, class: &str) -> u32 {
        if self.classes.contains(class) {
            return 0;
        }
        let looked = |name: &&String| self.looked_into.contains(*name);
        (self.receptacles.len() - self.receptacles.iter().filter(looked).count()) as u32
    }
}

/// The private part of a task that says how many objects its sentence could mean.
const ALTERNATIVES: &str = "alternatives";
/// The private part of the user that names the objects that are meant.
const WISH: &str = "wish";

/// Whether the task was solved, of tasks that leave a choice: whose room has more objects of the class that
/// the task names than the user wishes for (ABA's ambiguous games: their subset). The environment
/// entrusts the number to the conductor as `alternatives`, and to the user the names as `wish`; absent
/// without either, and if every object is wished for.
pub(super) static SUCCESS_SEVERAL: Formula = Formula::optional("success_several", |log| {
    let there = part(log, &Seat::Conductor, ALTERNATIVES)?.as_u64()?;
    let wish = part(log, &Seat::User, WISH)?.as_array()?;
    let choice = !wish.is_empty() && there > wish.len() as u64;
    let outcome = log.outcome().filter(|_| choice)?;
    Some(Measurement::Rate(outcome.success))
});

/// A private part of the task.
fn part<'a>(log: &EpisodeLog<'a>, audience: &Seat, label: &str) -> Option<&'a Value> {
    log.events.iter().find_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience == *audience && part.label == label => Some(&*part.value),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use rolecall_core::domain::*;
    use rolecall_core::ports::Metric;

    use super::*;

    #[test]
    fn a_choice_is_where_more_things_are_there_than_are_meant() {
        use Measurement::{Absent, Rate};
        let part = |audience, label: &str, value: Value| {
            Message::Entrusted(Box::new(PrivateInfo {
                audience,
                label: label.to_owned(),
                value: std::sync::Arc::new(value),
            }))
        };
        // One of two is meant; two of three; two of two; one of one; and nobody knows what is meant.
        for (there, meant, success, several) in [
            (2, 1, true, Rate(true)),
            (3, 2, false, Rate(false)),
            (2, 2, true, Absent),
            (1, 1, true, Absent),
            (2, 0, true, Absent),
        ] {
            let wish: Vec<String> = (1..=meant).map(|number| format!("mug {number}")).collect();
            let closed =
                Message::Closed(Outcome { ending: Ending::Solved, success, reward: 0.0, counts: Counts::default() });
            let messages =
                [part(Seat::User, WISH, wish.into()), part(Seat::Conductor, ALTERNATIVES, there.into()), closed];
            let events = Event::numbered(messages);
            let id = "main:0:0".parse().unwrap();
            let log = EpisodeLog::new(&id, events.iter().collect());
            assert_eq!(SUCCESS_SEVERAL.measure(&log), several);
        }
    }
}
