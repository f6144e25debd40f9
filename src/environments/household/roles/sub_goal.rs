//! Sub-goals: what is to be reached next, in words that another role can read.
//!
//! The thinker writes them and the others read them; whoever else takes the thinker's seat may
//! word them otherwise, so that reading is tolerant. What cannot be read is no sub-goal, and the
//! reader judges for itself.

use std::fmt;

use super::{Belief, Command, Prior, Treatment, indefinite, split_name};
use rolecall_core::text::mention::{Mention, Word, mentions, words};

/// A thing as it is spoken of: `mug 1`, or any `mug`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) class: Box<str>,
    /// None if any one will do.
    pub(super) number: Option<u32>,
}

impl Named {
    /// The thing of a name, or any of a class.
    pub(super) fn of(name: &str) -> Self {
        let (class, number) = match split_name(name) {
            Some((class, number)) => (class, Some(number)),
            None => (name, None),
        };
        Self { class: class.into(), number }
    }

    /// Whether the name can be meant.
    pub(super) fn fits(&self, name: &str) -> bool {
        let named = Self::of(name);
        named.class == self.class && (self.number.is_none() || named.number == self.number)
    }

    fn mentioned(mention: &Mention) -> Self {
        Self { class: mention.class.as_str().into(), number: mention.numbers.first().copied() }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, number } = self;
        match number {
            Some(number) => write!(to, "the {class} {number}"),
            None => to.write_str(&indefinite(class)),
        }
    }
}

/// The most words of a sentence that are read: more than any sub-goal takes, and few enough that a
/// thought as long as limits allow holds up nobody.
const LONGEST_SENTENCE: usize = 60;

/// The next thing to be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SubGoal {
    /// Something is to be found.
    Find(Named),
    /// An object is to be taken.
    Take(Named),
    /// An object is to be cleaned, heated or cooled.
    Treat { treatment: Treatment, object: Named, with: Option<Named> },
    /// An object is to be put somewhere.
    Put { object: Named, to: Named },
    /// An object is to be looked at under a lamp.
    Light { object: Named, lamp: Named },
}

impl fmt::Display for SubGoal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Find(what) => write!(to, "find {what}"),
            Self::Take(object) => write!(to, "take {object}"),
            Self::Treat { treatment, object, with } => {
                write!(to, "{} {object}", treatment.verb())?;
                match with {
                    Some(with) => write!(to, " with {with}"),
                    None => Ok(()),
                }
            }
            Self::Put { object, to: place } => write!(to, "put {object} in/on {place}"),
            Self::Light { object, lamp } => write!(to, "look at {object} under {lamp}"),
        }
    }
}

impl SubGoal {
    /// Reads a sub-goal from the first sentence that holds one, with the words that the task, the
    /// room and common sense know.
    pub(super) fn read(text: &str, belief: &Belief) -> Option<Self> {
        words(text).split(|word| *word == Word::Stop).find_map(|sentence| {
            let read = sentence.len().min(LONGEST_SENTENCE);
            Reader::new(&sentence[..read], belief).sub_goal()
        })
    }

    /// Whether the action is the last step towards this. A search has no last step: one never
    /// knows.
    pub(super) fn is_reached_by(&self, action: &str) -> bool {
        let command = Command::read(action);
        match self {
            Self::Find(_) => false,
            Self::Take(_) => matches!(command, Command::Take { .. }),
            Self::Treat { .. } => matches!(command, Command::Treat { .. }),
            Self::Put { .. } => matches!(command, Command::Put { .. }),
            Self::Light { .. } => matches!(command, Command::Use(_)),
        }
    }

    /// The object that is handled, unless something is only looked for.
    pub(super) fn object(&self) -> Option<&Named> {
        match self {
            Self::Find(_) => None,
            Self::Take(object) | Self::Treat { object, .. } => Some(object),
            Self::Put { object, .. } | Self::Light { object, .. } => Some(object),
        }
    }
}

/// One sentence that may hold a sub-goal.
struct Reader<'a> {
    sentence: &'a [Word],
    mentions: Vec<Mention>,
    belief: &'a Belief,
}

impl<'a> Reader<'a> {
    fn new(sentence: &'a [Word], belief: &'a Belief) -> Self {
        let goal = belief.goal.as_ref();
        let of_task = |word: &str| goal.is_some_and(|goal| *goal.object == *word || *goal.target == *word);
        let of_room = |word: &str| belief.room.receptacles().any(|(_, place)| place.class() == word);
        let mentions = mentions(sentence, |word| of_task(word) || of_room(word) || Prior::knows(word));
        Self { sentence, mentions, belief }
    }

    fn sub_goal(&self) -> Option<SubGoal> {
        self.sentence.iter().enumerate().find_map(|(position, word)| self.sub_goal_of(position, word.letters()?))
    }

    /// The sub-goal that a verb asks for, if it is one.
    fn sub_goal_of(&self, verb: usize, word: &str) -> Option<SubGoal> {
        let sought = self.word_after(verb, "for");
        Some(match word {
            "find" | "locate" | "search" | "seek" => {
                let after = sought.and_then(|sought| self.first_after(sought));
                SubGoal::Find(after.or_else(|| self.first_after(verb))?)
            }
            "take" | "get" | "grab" | "fetch" | "pick" | "collect" => SubGoal::Take(self.object(verb)?),
            "put" | "place" | "move" | "store" | "bring" | "leave" | "drop" => {
                SubGoal::Put { object: self.object(verb)?, to: self.receptacle(verb)? }
            }
            "look" | "examine" | "inspect" | "use" | "turn" | "toggle" | "switch" => {
                if let Some(sought) = sought {
                    return self.first_after(sought).map(SubGoal::Find);
                }
                let lamp = self.after(verb).find(|mention| self.is_lamp(mention))?;
                let (object, lamp) = (self.object(verb)?, Named::mentioned(lamp));
                SubGoal::Light { object, lamp }
            }
            _ => {
                let treatment = Treatment::from_word(word)?;
                let treats = |with: &Named| treatment.stations().contains(&&*with.class);
                SubGoal::Treat { treatment, object: self.object(verb)?, with: self.receptacle(verb).filter(treats) }
            }
        })
    }

    fn word_after(&self, verb: usize, wanted: &str) -> Option<usize> {
        self.sentence
            .iter()
            .enumerate()
            .skip(verb)
            .find_map(|(place, word)| (word.letters() == Some(wanted)).then_some(place))
    }

    fn after(&self, position: usize) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |mention| mention.position > position)
    }

    fn first_after(&self, position: usize) -> Option<Named> {
        self.after(position).next().map(Named::mentioned)
    }

    fn is_lamp(&self, mention: &Mention) -> bool {
        let goal = self.belief.goal.as_ref();
        let lamp = goal.and_then(|goal| goal.lamp());
        lamp == Some(&mention.class) || mention.class.ends_with("lamp")
    }

    fn is_receptacle(&self, mention: &Mention) -> bool {
        self.belief.room.receptacles().map(|(_, place)| place.class()).any(|class| class == mention.class)
    }

    /// The object of an action: the first thing after the verb that is no receptacle, or the task's
    /// own object where the sentence says `it`.
    fn object(&self, verb: usize) -> Option<Named> {
        let of_task = self.belief.goal.as_ref().map(|goal| &goal.object);
        let is_object = |mention: &&Mention| {
            of_task.is_some_and(|object| **object == *mention.class)
                || !(self.is_receptacle(mention) || self.is_lamp(mention))
        };
        let named = self.after(verb).find(is_object).map(Named::mentioned);
        let says = |word: &&str| self.word_after(verb, word).is_some();
        let pronoun = || ["it", "them"].iter().any(says);
        named.or_else(|| of_task.filter(|_| pronoun()).map(|object| Named::of(object)))
    }

    /// The receptacle of an action: the last one that is named after the verb.
    fn receptacle(&self, verb: usize) -> Option<Named> {
        self.after(verb).filter(|mention| self.is_receptacle(mention)).last().map(Named::mentioned)
    }
}
