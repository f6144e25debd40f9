//! Questions about how things are: what is where, how much of it, open, in hand, or done with.

use super::super::lexicon::ARTICLES;
use super::Asked;
use super::sentence::Sentence;
use rolecall_core::text::mention::{Mention, Word};

/// States that a deed leaves.
const STATES: [(&str, &str); 3] = [
    ("clean", "clean cleaned washed rinsed"),
    ("heat", "hot heated warm warmed"),
    ("cool", "cold cool cooled chilled"),
];

/// The words before the place of something.
const INSIDE: &str = "in on at inside within under into onto";

impl Sentence {
    pub(super) fn count(&self) -> Option<Asked> {
        let many = (0..self.words.len()).find(|place| self.goes_on(*place, "how many"));
        let number = || self.find("number amount").find(|place| self.is_any(place + 1, "of"));
        let many = many.or_else(number)?;
        let object = self.objects.iter().find(|object| object.position > many);
        let place = self.receptacles.iter().find(|place| place.position > many);
        let things = self.is_any(many + 2, "things objects items thing object item");
        match (object, place) {
            (Some(object), Some(place)) if place.position < object.position => Some(counted(place, Vec::new())),
            (Some(object), _) => Some(counted(object, self.receptacles.clone())),
            (None, Some(place)) => {
                // `How many things are in drawer 1` asks for its contents.
                Some(if things { Asked::Contents(self.receptacles.clone()) } else { counted(place, Vec::new()) })
            }
            (None, None) if things => Some(Asked::Unknowable),
            (None, None) => Some(self.stranger_after(many).map_or(Asked::Unknowable, Asked::Stranger)),
        }
    }

    pub(super) fn held(&self) -> Option<Asked> {
        let holds = self.has("holding carrying carry hold hand hands")
            && self.has("i i'm my me am")
            && !self.has("should shall can where");
        let has = self.says_any(&["what do i have", "do i have", "have i got", "do i hold"])
            && self.receptacles.is_empty()
            && !self.says_any(&["have to", "i have left"]);
        let taken = self.says("did have", "i we")
            && self.has("take taken took pick picked grab grabbed hold held")
            && self.receptacles.is_empty();
        let still = self.begins_with("do")
            && self.says("do", "i we")
            && self.has("have hold")
            && self.receptacles.is_empty()
            && !self.says("have", "to");
        (holds || has || taken || still).then(|| Asked::Held(self.objects.clone()))
    }

    pub(super) fn is_open(&self, before: &[Self]) -> Option<Asked> {
        let closed = self.has("closed shut locked close");
        let open = self.has("open opened");
        let are = self.says("is are", "open closed shut");
        let asks = self.begins_with("is are was were did have has am does do isn't aren't tell")
            || self.has("whether if state status")
            || are;
        let places = match self.receptacles.is_empty() {
            // `Which drawers are open`, and of all that there are: none named.
            true if self.begins_with("which what") && are || self.says("anything something", "open closed shut") => {
                return Some(Asked::IsOpen { places: Vec::new(), closed });
            }
            true => self.receptacles_before(before)?,
            false => self.receptacles.clone(),
        };
        // `Do I have to open it` asks for advice.
        if self.asks_for_advice() {
            return None;
        }
        ((open || closed) && asks || self.begins_with_place() && self.ends_with("open closed shut"))
            .then_some(Asked::IsOpen { places, closed: closed && !open })
    }

    pub(super) fn treated(&self, before: &[Self]) -> Option<Asked> {
        let asks = self.begins_with("is are was were did have has isn't aren't");
        if !asks || !self.receptacles.is_empty() || !self.wheres().is_empty() {
            return None;
        }
        let (verb, _) = STATES.iter().find(|(_, words)| self.has(words))?;
        let earlier = || before.iter().rev().find_map(|sentence| sentence.objects.last());
        let it = || self.has("it").then(earlier).flatten();
        let thing = self.objects.first().or_else(it)?.clone();
        Some(Asked::Treated { thing, verb })
    }

    /// `Is the mug in the drawer`, `is there a mug`, `should I look in the drawer`.
    pub(super) fn is_there(&self, before: &[Self]) -> Option<Asked> {
        let places = match self.receptacles.is_empty() {
            true => self.receptacles_before(before).unwrap_or_default(),
            false => self.receptacles.clone(),
        };
        if self.asks_about_places(&places) {
            let things = self.objects.clone();
            return Some(Asked::IsThere { things, places });
        }
        let begins = self.begins_with("is are isn't aren't does do did could might can any");
        let advice = self.begins_with("do") && self.asks_for_advice();
        if !begins || advice || !self.wheres().is_empty() || self.has("know") {
            return None;
        }
        let there = self.says("is are was were isn't aren't", "there") || self.begins_with("any");
        let whole_room = self.has("room house here anywhere");
        let things = match self.objects.is_empty() {
            false => self.objects.clone(),
            true if self.has("it they") && !places.is_empty() && self.has(INSIDE) => {
                let things =
                    before.iter().rev().find_map(|sentence| sentence.objects.last()).cloned().into_iter().collect();
                return Some(Asked::IsThere { things, places });
            }
            true => Vec::new(),
        };
        if things.is_empty() {
            return self.is_place_there(there, whole_room, places);
        }
        // `Is there more than one`, `are there two`.
        let number = |place: usize| matches!(self.words.get(place), Some(Word::Number(_)));
        let many = |thing: &&Mention| {
            self.has("more two three four several many multiple") || thing.position.checked_sub(1).is_some_and(number)
        };
        if let Some(thing) = things.first().filter(many).filter(|_| there) {
            return Some(counted(thing, places));
        }
        let contains = self.has("contain contains hold holds have has") && !places.is_empty();
        let placed = !places.is_empty() && self.has(INSIDE) || contains;
        (placed || there || whole_room && places.is_empty()).then_some(Asked::IsThere { things, places })
    }

    /// Whether it is asked of places if things are there, with another word than `is`: `which cds are on the shelf`,
    /// `should I look in it`, `and drawer 4`.
    fn asks_about_places(&self, places: &[Mention]) -> bool {
        let which = self.begins_with("which what") && self.is_somewhere() && !self.objects.is_empty();
        let advisable = self.begins_with("should shall") && self.has("look search check");
        self.only_names_places() || (which || advisable) && !places.is_empty() && self.wheres().is_empty()
    }

    /// `Is there a drawer`, `do you have a drawer`: a receptacle is there or not, and so is what the room has not got.
    fn is_place_there(&self, there: bool, whole_room: bool, places: Vec<Mention>) -> Option<Asked> {
        let stranger = self.stranger().filter(|_| !self.has("anything something empty nothing stuff"));
        if stranger.is_some() && !there && places.is_empty() {
            return None;
        }
        let asked = there || self.says("do", "you") && self.has("have own");
        if asked && !places.is_empty() && (whole_room || !self.has(INSIDE)) {
            return Some(Asked::IsThere { things: places, places: Vec::new() });
        }
        stranger.filter(|_| there || self.has(INSIDE)).map(Asked::Stranger)
    }

    /// The receptacles that were named last, where the sentence means them: `is it open`, `what is on it`.
    fn receptacles_before(&self, before: &[Self]) -> Option<Vec<Mention>> {
        let place = self.has("it they them") && self.objects.is_empty() || self.says(INSIDE, "it them there");
        let named = before.iter().rev().filter(|_| place).find(|sentence| !sentence.receptacles.is_empty())?;
        Some(named.receptacles.clone())
    }

    /// `And drawer 4?`
    fn only_names_places(&self) -> bool {
        let around = "and or what how about maybe perhaps then so";
        !self.receptacles.is_empty()
            && (0..self.words.len()).all(|place| {
                self.at(place).is_empty()
                    || self.is_place(place)
                    || self.is_any(place, ARTICLES)
                    || self.is_any(place, around)
            })
    }

    pub(super) fn contents(&self, before: &[Self]) -> Option<Asked> {
        let first = self.receptacles.first().map_or(0, |place| place.position);
        let named = self.objects.iter().any(|object| self.receptacles.is_empty() || object.position < first);
        let asks = self.has(
            "what what's which anything something nothing everything empty contents content objects things items list \
             stuff full",
        );
        let inside = self.has(INSIDE) || self.has("contain contains hold holds have has empty contents content full");
        // `What do I do in the kitchen` asks for a step, `what do I find in it` does not.
        let doing = self.find("do").any(|place| !self.is_any(place + 1, "you i we they"));
        if !asks || !inside || named || doing || !self.wheres().is_empty() || self.has("should next") {
            return None;
        }
        Some(Asked::Contents(match self.receptacles.is_empty() {
            true => self.receptacles_before(before)?,
            false => self.receptacles.clone(),
        }))
    }
}

fn counted(thing: &Mention, places: Vec<Mention>) -> Asked {
    Asked::Count { thing: thing.clone(), places }
}
