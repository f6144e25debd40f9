//! What a sentence asks.

use super::super::lexicon::{ARTICLES, HINTS, UNKNOWABLE, VERBS};
use super::sentence::Sentence;
use super::{Asked, Preference};
use crate::text::has_word;
use crate::text::mention::Mention;

/// Verbs of doing something with an object, by the one that games know.
const DEEDS: [(&str, &str); 4] = [
    ("clean", "clean wash rinse cleaned washed rinsed"),
    ("heat", "heat warm microwave cook heated warmed"),
    ("cool", "cool chill cooled chilled"),
    (
        "put",
        "put place move bring leave drop belong belongs deliver store placed moved stored delivered",
    ),
];

/// States that a deed leaves.
const STATES: [(&str, &str); 3] = [
    ("clean", "clean cleaned washed rinsed dirty"),
    ("heat", "hot heated warm warmed"),
    ("cool", "cold cool cooled chilled"),
];

/// What stands before the place of something.
const INSIDE: &str = "in on at inside within under into onto";

impl Sentence {
    /// What the sentence asks, after others.
    pub(super) fn subject(&self, before: &[Self]) -> Asked {
        let found = None
            .or_else(|| self.task())
            .or_else(|| self.which(before))
            .or_else(|| self.count())
            .or_else(|| self.held())
            .or_else(|| self.is_open(before))
            .or_else(|| self.treated(before))
            .or_else(|| self.to_do())
            .or_else(|| self.next_step())
            .or_else(|| self.is_there(before))
            .or_else(|| self.contents())
            .or_else(|| self.somewhere(before))
            .or_else(|| self.help());
        found.unwrap_or_else(|| self.rest())
    }

    /// The letters of the sentence from a position on are these.
    fn goes_on(&self, position: usize, phrase: &str) -> bool {
        let mut words = phrase.split(' ').enumerate();
        words.all(|(place, word)| self.at(position + place) == word)
    }

    fn says_any(&self, phrases: &[&str]) -> bool {
        (0..self.words.len()).any(|place| phrases.iter().any(|phrase| self.goes_on(place, phrase)))
    }

    fn named(&self, class: &str) -> Mention {
        let of_class = self.objects.iter().filter(|object| object.class == class);
        let numbers = of_class.flat_map(|object| object.numbers.clone());
        Mention {
            class: class.to_owned(),
            numbers: numbers.collect(),
            position: 0,
        }
    }

    fn task(&self) -> Option<Asked> {
        let named = self.has("task goal objective mission assignment job instructions instruction");
        let wholly = [
            "supposed to do",
            "meant to do",
            "asked to do",
            "told to do",
            "have to do",
            "need to do",
            "am i to do",
            "want me to do",
            "i looking for",
            "i look for",
            "should i achieve",
            "should i accomplish",
            "are we doing",
            "am i doing",
            "my aim",
        ];
        let all = [
            "is that all",
            "is that everything",
            "was that all",
            "am i done",
            "are we done",
            "am i finished",
            "are we finished",
            "have i finished",
            "have we finished",
            "is everything done",
            "is it done",
        ];
        if named && self.has("done finished complete completed over solved") || self.says_any(&all)
        {
            return Some(Asked::Done);
        }
        let about_all =
            !self.has("next now then") && self.objects.is_empty() && self.wheres().is_empty();
        let asks = self.has("what what's which remind repeat tell explain describe say again how");
        let needed = self.says_any(&["how many"])
            && self.has("need take put bring get")
            && !self.has("are is");
        (named && asks || needed || about_all && self.has("what what's") && self.says_any(&wholly))
            .then_some(Asked::Task)
    }

    fn which(&self, before: &[Self]) -> Option<Asked> {
        let what_to_put = self.has("what") && self.objects.is_empty() && self.wheres().is_empty();
        let object_of_deed = what_to_put
            && self.says("what", "should shall must can do")
            && DEEDS.iter().any(|(_, words)| self.has(words))
            && !self.has("it them with use this that");
        let class = match self.preference(before) {
            Some(Preference::Of(classes)) => classes.into_iter().next_back(),
            Some(Preference::Any) => None,
            None if object_of_deed => None,
            None => return None,
        };
        let all = before
            .iter()
            .chain([self])
            .flat_map(|sentence| &sentence.objects);
        let same = all.filter(|object| Some(&object.class) == class.as_ref());
        let count = if self.has("two both") { 2 } else { 1 };
        Some(Asked::Which {
            numbers: same.flat_map(|object| object.numbers.clone()).collect(),
            class,
            count,
        })
    }

    fn count(&self) -> Option<Asked> {
        let many = (0..self.words.len()).find(|place| self.goes_on(*place, "how many"));
        let number = || {
            self.find("number amount")
                .find(|place| self.is_any(place + 1, "of"))
        };
        let many = many.or_else(number)?;
        let object = self.objects.iter().find(|object| object.position > many);
        let place = self.receptacles.iter().find(|place| place.position > many);
        match (object, place) {
            (Some(object), Some(place)) if place.position < object.position => {
                Some(counted(place, Vec::new()))
            }
            (Some(object), _) => Some(counted(object, self.receptacles.clone())),
            (None, Some(place)) => {
                // `How many things are in drawer 1` asks for its contents.
                let things = self.is_any(many + 2, "things objects items thing object item");
                Some(if things {
                    Asked::Contents(self.receptacles.clone())
                } else {
                    counted(place, Vec::new())
                })
            }
            (None, None) => Some(
                self.stranger_after(many)
                    .map_or(Asked::Unknowable, Asked::Stranger),
            ),
        }
    }

    fn held(&self) -> Option<Asked> {
        let holds = self.has("holding carrying carry hold hand hands")
            && self.has("i i'm my me am")
            && !self.has("should shall can where");
        let has = self.says_any(&[
            "what do i have",
            "do i have",
            "did i take",
            "did i pick",
            "have i got",
            "do i hold",
        ]) && self.receptacles.is_empty()
            && !self.says_any(&["have to", "i have left"]);
        (holds || has).then(|| Asked::Held(self.objects.clone()))
    }

    fn is_open(&self, before: &[Self]) -> Option<Asked> {
        let closed = self.has("closed shut locked close");
        let open = self.has("open opened");
        let asks = self.begins_with("is are was were did have has am does do isn't aren't tell")
            || self.has("whether if state status");
        let places = match self.receptacles.is_empty() {
            false => self.receptacles.clone(),
            true if self.has("it they them") && self.objects.is_empty() => before
                .iter()
                .rev()
                .find(|sentence| !sentence.receptacles.is_empty())?
                .receptacles
                .clone(),
            true => return None,
        };
        ((open || closed) && asks || self.begins_with_place() && self.ends_with("open closed shut"))
            .then_some(Asked::IsOpen {
                places,
                closed: closed && !open,
            })
    }

    fn treated(&self, before: &[Self]) -> Option<Asked> {
        let asks = self.begins_with("is are was were did have has isn't aren't");
        if !asks || !self.receptacles.is_empty() || !self.wheres().is_empty() {
            return None;
        }
        let (verb, _) = STATES.iter().find(|(_, words)| self.has(words))?;
        let earlier = || {
            before
                .iter()
                .rev()
                .find_map(|sentence| sentence.objects.last())
        };
        let it = || self.has("it").then(earlier).flatten();
        let thing = self.objects.first().or_else(it)?.clone();
        Some(Asked::Treated { thing, verb })
    }

    fn to_do(&self) -> Option<Asked> {
        let asks = self.has("where which what where's what's how");
        let (verb, words) = DEEDS.iter().find(|(_, words)| self.has(words))?;
        let by_somebody = self.find(words).any(|place| {
            place
                .checked_sub(1)
                .is_some_and(|last| self.is_any(last, "to i we should can could must"))
        });
        let seeks = self.has("look find search check located start get") || self.says("you", words);
        let is = self.has("is are") && !by_somebody;
        let belongs = self.has("belong belongs");
        (asks && !seeks && (!is || belongs) && (!self.has("how") || by_somebody))
            .then_some(Asked::WhereToDo { verb })
    }

    /// `Is the mug in the drawer`, `is there a mug`, `should I look in the drawer`.
    fn is_there(&self, before: &[Self]) -> Option<Asked> {
        let places = self.receptacles.clone();
        let advisable =
            self.begins_with("should shall") && self.has("look search check") && !places.is_empty();
        if advisable && self.wheres().is_empty() {
            let things = self.objects.clone();
            return Some(Asked::IsThere { things, places });
        }
        let begins =
            self.begins_with("is are was were isn't aren't does do did could might can any");
        if !begins || !self.wheres().is_empty() || self.has("know") {
            return None;
        }
        let there = self.says("is are was were isn't aren't", "there") || self.begins_with("any");
        let whole_room = self.has("room house kitchen bathroom bedroom here anywhere");
        let things = match self.objects.is_empty() {
            false => self.objects.clone(),
            true if self.has("it they") && !places.is_empty() && self.has(INSIDE) => {
                let earlier = before
                    .iter()
                    .rev()
                    .find_map(|sentence| sentence.objects.last());
                let things = earlier.cloned().into_iter().collect();
                return Some(Asked::IsThere { things, places });
            }
            true => Vec::new(),
        };
        if things.is_empty() {
            let stranger = self
                .stranger()
                .filter(|_| !self.has("anything something empty nothing stuff"));
            return match stranger {
                Some(_) if !there && places.is_empty() => None,
                // `Is there a drawer`: a receptacle is there or not.
                _ if there && !places.is_empty() && !self.has(INSIDE) => Some(Asked::IsThere {
                    things: places,
                    places: Vec::new(),
                }),
                Some(stranger) if there || self.has(INSIDE) => Some(Asked::Stranger(stranger)),
                _ => None,
            };
        }
        let contains = self.has("contain contains hold holds have has") && !places.is_empty();
        let placed = !places.is_empty() && self.has(INSIDE) || contains;
        (placed || there || whole_room && places.is_empty())
            .then_some(Asked::IsThere { things, places })
    }

    fn contents(&self) -> Option<Asked> {
        let first = self.receptacles.first()?;
        let named = self
            .objects
            .iter()
            .any(|object| object.position < first.position);
        let asks = self.has(
            "what what's which anything something nothing everything empty contents content objects things items list \
             stuff full",
        );
        let inside = self.has(INSIDE)
            || self.has("contain contains hold holds have has empty contents content full");
        (asks && inside && !named && self.wheres().is_empty() && !self.has("should next do"))
            .then(|| Asked::Contents(self.receptacles.clone()))
    }

    /// Where something is, in any words.
    fn somewhere(&self, before: &[Self]) -> Option<Asked> {
        let mut all = before.iter().chain([self]);
        let another = all.any(|sentence| sentence.has("second another other"));
        let about = |things: Vec<Mention>| Some(Asked::Where { things, another });
        let wheres = !self.wheres().is_empty();
        let stranger = self.objects.is_empty().then(|| self.stranger()).flatten();
        let places = match &stranger {
            Some(_) => Vec::new(),
            None => self.places(before),
        };
        let state = self.has(UNKNOWABLE) && !wheres;
        if !places.is_empty() && !state && self.seeks_something() {
            return about(places.iter().map(|class| self.named(class)).collect());
        }
        if !wheres {
            return None;
        }
        match (self.receptacles.first(), stranger) {
            // `Where did you leave the mug`.
            _ if !self.objects.is_empty() => about(self.objects.clone()),
            (_, Some(stranger)) => Some(Asked::Stranger(stranger)),
            (Some(place), None) => Some(Asked::WherePlace(place.clone())),
            (None, None) => about(Vec::new()),
        }
    }

    /// Whether a sentence that names objects asks where they are, and not something else about them.
    fn seeks_something(&self) -> bool {
        !self.wheres().is_empty()
            || self.has(
                "find look looking search searching seen see locate located location get help need want looked \
                 which what have has got",
            ) && !self.begins_with("why when who whose how")
            || self.only_names()
    }

    /// `And the mug?`
    fn only_names(&self) -> bool {
        let first = self.objects.first().map_or(0, |object| object.position);
        let named = |place: usize| {
            self.is_any(place, ARTICLES) || self.is_any(place, "and or some any please about")
        };
        (0..first).all(named) && !(first..self.words.len()).any(|place| self.is_any(place, VERBS))
    }

    fn next_step(&self) -> Option<Asked> {
        if self.has("where look find search") {
            return None;
        }
        let asks = self.has("what what's how which should shall can could tell and");
        let steps = self.has("next proceed continue step then") && !self.says("next", "to");
        let doing = self.find("do").any(|place| {
            let by_me = place
                .checked_sub(1)
                .is_some_and(|last| self.is_any(last, "i we to me should can"));
            let after = self.at(place + 1);
            by_me
                && (after.is_empty()
                    || has_word("next now then first after with about here it this", after))
        });
        let now = self.has("now") && self.objects.is_empty() && self.words.len() <= 5;
        (asks && (steps || doing || now)).then_some(Asked::Next)
    }

    /// `May I open the fridge`, `can you give me a hint`.
    fn help(&self) -> Option<Asked> {
        let hint = self.objects.is_empty() && self.has(HINTS);
        let may =
            self.begins_with("should shall can may") && self.says("should shall can may", "i we");
        if may && !hint {
            return Some(Asked::Next);
        }
        let stranger = || self.stranger().map(Asked::Stranger);
        hint.then(|| {
            stranger().unwrap_or_else(|| Asked::Where {
                things: Vec::new(),
                another: self.has("second another other"),
            })
        })
    }

    fn begins_with(&self, options: &str) -> bool {
        self.beginning()
            .is_some_and(|place| self.is_any(place, options))
    }

    fn begins_with_place(&self) -> bool {
        let first = (0..self.words.len()).find(|place| !self.is_any(*place, ARTICLES));
        first.is_some_and(|first| self.receptacles.iter().any(|place| place.position == first))
    }

    fn ends_with(&self, options: &str) -> bool {
        self.words
            .len()
            .checked_sub(1)
            .is_some_and(|last| self.is_any(last, options))
    }
}

fn counted(thing: &Mention, places: Vec<Mention>) -> Asked {
    Asked::Count {
        thing: thing.clone(),
        places,
    }
}
