//! The subject of a question; with things that it names and that the room has not got, and questions that nobody can
//! answer.

use super::super::lexicon::{ARTICLES, COMMON, HINTS, UNKNOWABLE, VERBS, is_furniture};
use super::sentence::Sentence;
use super::{Asked, Preference};
use rolecall_core::text::has_word;
use rolecall_core::text::mention::{Mention, Word};

/// Verbs of doing something with an object, by the one that games know.
const DEEDS: [(&str, &str); 4] = [
    ("clean", "clean wash rinse cleaned washed rinsed"),
    ("heat", "heat warm microwave cook heated warmed"),
    ("cool", "cool chill cooled chilled"),
    ("put", "put place move bring leave drop belong belongs deliver store placed moved stored delivered"),
];

impl Sentence {
    /// The subject that the sentence asks about, after others.
    pub(super) fn subject(&self, before: &[Self]) -> Asked {
        let found = None
            .or_else(|| self.task())
            .or_else(|| self.held())
            .or_else(|| self.which(before))
            .or_else(|| self.count())
            .or_else(|| self.is_open(before))
            .or_else(|| self.treated(before))
            .or_else(|| self.to_do())
            .or_else(|| self.next_step())
            .or_else(|| self.is_there(before))
            .or_else(|| self.contents(before))
            .or_else(|| self.somewhere(before))
            .or_else(|| self.help());
        found.unwrap_or_else(|| self.rest())
    }

    /// The letters of the sentence from a position on are these.
    pub(super) fn goes_on(&self, position: usize, phrase: &str) -> bool {
        // Most differ in the first word.
        phrase.starts_with(self.at(position)) && {
            phrase.split(' ').enumerate().all(|(place, word)| self.at(position + place) == word)
        }
    }

    pub(super) fn says_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| {
            self.may_begin(phrase.as_bytes()) && (0..self.words.len()).any(|place| self.goes_on(place, phrase))
        })
    }

    pub(super) fn named(&self, class: &str) -> Mention {
        let numbers =
            self.objects.iter().filter(|object| object.class == class).flat_map(|object| object.numbers.clone());
        Mention { class: class.to_owned(), numbers: numbers.collect(), position: 0 }
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
            "did i do everything",
            "have i done everything",
        ];
        if named && self.has("done finished complete completed over solved") || self.says_any(&all) {
            return Some(Asked::Done);
        }
        let about_all = !self.has("next now then") && self.objects.is_empty() && self.wheres().is_empty();
        let asks = self.has("what what's which remind repeat tell explain describe say again how");
        let needed = self.says_any(&["how many"]) && self.has("need take put bring get") && !self.has("are is");
        (named && asks || needed || about_all && self.has("what what's") && self.says_any(&wholly))
            .then_some(Asked::Task)
    }

    fn which(&self, before: &[Self]) -> Option<Asked> {
        let what_to_put = self.has("what") && self.objects.is_empty() && self.wheres().is_empty();
        let deed = self.says("what", "should shall must can do") && DEEDS.iter().any(|(_, words)| self.has(words));
        let object_of_deed =
            what_to_put && (deed || self.says("what", "goes belongs")) && !self.has("it them with use this that");
        let class = match self.preference(before) {
            Some(Preference::Of(classes)) => classes.into_iter().next_back(),
            Some(Preference::Any) => None,
            None if object_of_deed => None,
            None => return None,
        };
        let same = before
            .iter()
            .chain([self])
            .flat_map(|sentence| &sentence.objects)
            .filter(|object| Some(&object.class) == class.as_ref());
        let count = if self.has("two both") { 2 } else { 1 };
        Some(Asked::Which { numbers: same.flat_map(|object| object.numbers.clone()).collect(), class, count })
    }

    fn to_do(&self) -> Option<Asked> {
        let asks = self.has("where which what where's what's how");
        // `Where does it go`; `where do I go` asks for a place to look at.
        let goes = self.has("go goes") && !self.says("i we", "go") && !self.wheres().is_empty();
        if goes && (!self.objects.is_empty() || self.has("it they these those this that")) {
            return Some(Asked::WhereToDo { verb: "put" });
        }
        let (verb, words) = DEEDS.iter().find(|(_, words)| self.has(words))?;
        let by_somebody = self
            .find(words)
            .any(|place| place.checked_sub(1).is_some_and(|last| self.is_any(last, "to i we should can could must")));
        let seeks = self.has("look find search check located start get") || self.says("you", words);
        let is = self.has("is are") && !by_somebody;
        let belongs = self.has("belong belongs");
        let past = self.has("did was were") || self.says("have", "i we");
        (asks && !seeks && !past && (!is || belongs) && (!self.has("how") || by_somebody))
            .then_some(Asked::WhereToDo { verb })
    }

    /// Where something is, in any words.
    fn somewhere(&self, before: &[Self]) -> Option<Asked> {
        let another = before.iter().chain([self]).any(|sentence| sentence.has("second another other"));
        let about = |things: Vec<Mention>| Some(Asked::Where { things, another });
        let wheres = !self.wheres().is_empty();
        let stranger = self.objects.is_empty().then(|| self.stranger()).flatten();
        let places = match &stranger {
            Some(_) => Vec::new(),
            None => self.places(before),
        };
        let state = self.has(UNKNOWABLE) && !wheres;
        if self.is_about_people() {
            return Some(Asked::Unknowable);
        }
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

    /// `Where am I`, `what room are we in`: nobody tells.
    fn is_about_people(&self) -> bool {
        let ends = |place: usize| self.at(place).is_empty() || self.is_any(place, "in now at here");
        let mut verbs = self.find("am are were was");
        !self.wheres().is_empty() && verbs.any(|verb| self.is_any(verb + 1, "i you we") && ends(verb + 2))
    }

    /// Whether a sentence that names objects asks where they are, and not something else about them.
    fn seeks_something(&self) -> bool {
        !self.wheres().is_empty()
            || self.has(
                "find look looking search searching seen see locate located location get help need want looked \
                 which have has got holds contains",
            ) && !self.begins_with("why when who whose how")
            || self.begins_with("what what's") && self.ends_with("in on at inside")
            || self.only_names()
    }

    /// `And the mug?`
    fn only_names(&self) -> bool {
        let first = self.objects.first().map_or(0, |object| object.position);
        let named =
            |place: usize| self.is_any(place, ARTICLES) || self.is_any(place, "and or some any please about what how");
        (0..first).all(named) && !(first..self.words.len()).any(|place| self.is_any(place, VERBS))
    }

    fn next_step(&self) -> Option<Asked> {
        if self.has("where look find search") {
            return None;
        }
        let asks = self.has("what what's how which should shall can could tell and");
        let steps = self.has("next proceed continue step then") && !self.says("next", "to");
        let doing = self.find("do").any(|place| {
            let by_me = place.checked_sub(1).is_some_and(|last| self.is_any(last, "i we to me should can"));
            let after = self.at(place + 1);
            by_me && (after.is_empty() || has_word("next now then first after with about here it this", after))
        });
        let more = self.says_any(&["anything else", "something else", "anything left"]) && self.receptacles.is_empty();
        if more && self.objects.is_empty() {
            return Some(Asked::Next);
        }
        let now = self.has("now") && self.objects.is_empty() && self.words.len() <= 5;
        (asks && (steps || doing || now)).then_some(Asked::Next)
    }

    /// `May I open the fridge`, `can you give me a hint`.
    fn help(&self) -> Option<Asked> {
        let hint = self.objects.is_empty() && self.has(HINTS);
        if self.asks_for_advice() && !hint {
            return Some(Asked::Next);
        }
        let stranger = || self.stranger().map(Asked::Stranger);
        hint.then(|| {
            stranger().unwrap_or_else(|| Asked::Where { things: Vec::new(), another: self.has("second another other") })
        })
    }

    /// `May I`, `should we`, `do I have to`.
    pub(super) fn asks_for_advice(&self) -> bool {
        self.begins_with("should shall can may must") && self.says("should shall can may must", "i we")
            || self.begins_with("do") && self.says("do", "i we") && !self.has("know see find hold")
    }

    pub(super) fn begins_with(&self, options: &str) -> bool {
        self.beginning().is_some_and(|place| self.is_any(place, options))
    }

    pub(super) fn begins_with_place(&self) -> bool {
        let first = (0..self.words.len()).find(|place| !self.is_any(*place, ARTICLES));
        first.is_some_and(|first| self.receptacles.iter().any(|place| place.position == first))
    }

    pub(super) fn ends_with(&self, options: &str) -> bool {
        self.words.len().checked_sub(1).is_some_and(|last| self.is_any(last, options))
    }
}

impl Sentence {
    /// Nothing that a user could tell.
    pub(super) fn rest(&self) -> Asked {
        let named = !self.objects.is_empty() || !self.receptacles.is_empty();
        let sought = || self.has("find look looking search seen see locate get have has need want which");
        match self.stranger().filter(|_| sought()) {
            _ if named || self.has(UNKNOWABLE) => Asked::Unknowable,
            Some(stranger) => Asked::Stranger(stranger),
            None => Asked::NotUnderstood,
        }
    }

    /// A thing that is named and that the room has not got: what follows an article, or a word of seeking, and is no
    /// word that questions consist of.
    pub(super) fn stranger(&self) -> Option<String> {
        (0..self.words.len()).find_map(|place| {
            let leads = self.is_any(place, ARTICLES)
                || self.is_any(place, "is are for find get locate where's need which seen have any some to see");
            leads.then(|| self.stranger_at(place + 1)).flatten()
        })
    }

    pub(super) fn stranger_after(&self, position: usize) -> Option<String> {
        (position + 1..self.words.len()).find_map(|place| self.stranger_at(place))
    }

    fn stranger_at(&self, position: usize) -> Option<String> {
        /// Longer words are shown to nobody.
        const LONGEST: usize = 30;
        let word = self.words.get(position).and_then(Word::letters)?;
        let of_receptacle = self.receptacles.iter().any(|place| place.position == position);
        let known = of_receptacle || self.object_at(position).is_some();
        let mut lists = [COMMON, VERBS, UNKNOWABLE, HINTS].iter();
        let common = is_furniture(word) || lists.any(|list| has_word(list, word));
        (!known && !common && word.len() <= LONGEST && word.chars().all(char::is_alphabetic)).then(|| word.to_owned())
    }
}
