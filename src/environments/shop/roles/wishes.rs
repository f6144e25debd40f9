//! Wishes of a shopper, read from its answers, whoever wrote them.

use crate::chatshop::Listing;
use crate::language::{alternatives, content, names, share, similarity, terms, words};
use crate::reading::features;
use rolecall_core::text::{has_word, joined_by};

/// Answers that leave a question open.
const OPEN: &str = "no preference|matter|don't care|no particular|not important|either|whatever|whichever|any is|\
    any of|not sure|hard to say|you choose|can't say|don't know|nothing else|up to you";
/// Signs of doubt.
const DOUBTS: &str = "something|maybe|perhaps|probably";
/// Words that make a wish less certain, or are none.
const HEDGES: &str = "something anything maybe perhaps probably nice good rather well yes no not none neither nor \
    please thanks preferred needed necessary required ideally only else differs closer misses too expensive at most";
const YES: &str = "yes yeah yep sure definitely correct right absolutely exactly";
const NO: &str = "no not none neither nope nothing";

/// Something that is wanted, or not.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    pub(super) text: String,
    terms: Vec<String>,
    /// The option that it is a value of, where that is known.
    option: Option<String>,
    /// From -1, certainly not wanted, to 1, certainly wanted.
    pub(super) weight: f64,
}

impl Wish {
    /// It is one for something, and not too weak.
    pub(super) fn is_wanted(&self) -> bool {
        self.weight > 0.4
    }
}

/// All that was said.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    pub(super) all: Vec<Wish>,
    /// Options and attributes that were asked about.
    settled: Vec<Vec<String>>,
}

/// The terms of a text that are no hedges.
fn sayings(text: &str) -> Vec<String> {
    let bare = text
        .split(|letter: char| letter.is_whitespace() || letter == ',')
        .map(|word| word.trim_matches(['.', '!', '?', '"']));
    let says = |word: &&str| {
        let small = word.to_lowercase();
        !has_word(HEDGES, &small) && !has_word(YES, &small)
    };
    content(&joined_by(" ", bare.filter(says)))
}

/// Whether a text has one of these phrases.
fn has_phrase(text: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| text.contains(phrase))
}

/// Whether a text names an attribute of a product that is listed.
fn is_listed(text: &str, listed: &[Listing]) -> bool {
    listed.iter().flat_map(|listing| &listing.attributes).any(|attribute| names(text, attribute))
}

impl Wishes {
    /// Whether an option or attribute was asked about.
    pub(super) fn is_settled(&self, name: &str) -> bool {
        let name = terms(name);
        self.settled.contains(&name) || self.all.iter().any(|wish| wish.terms == name)
    }

    fn add(&mut self, text: &str, option: Option<&str>, weight: f64) {
        let terms = sayings(text);
        let is_same = |wish: &Wish| wish.terms == terms && wish.weight * weight > 0.0;
        if !terms.is_empty() && !self.all.iter().any(is_same) {
            self.all.push(Wish { text: text.trim().to_lowercase(), terms, option: option.map(str::to_owned), weight });
        }
    }

    /// Takes an answer to a question about products that are listed.
    pub(super) fn hear(&mut self, question: &str, reply: &str, listed: &[Listing]) {
        let small = reply.to_lowercase().replace('’', "'");
        let compared = Listing::read(question);
        if !compared.is_empty() {
            return self.hear_comparison(&small, &compared);
        }
        let before = question.split(':').next().unwrap_or_default();
        let options = listed.iter().flat_map(|listing| &listing.options).map(|(name, _)| name.as_str());
        let option = options.filter(|name| names(before, name)).max_by_key(|name| name.len());
        let mut named = alternatives(question);
        named.retain(|part| !content(part).is_empty());
        named.retain(|part| option.is_some() || is_listed(part, listed));
        match option {
            Some(option) => self.settled.push(terms(option)),
            None => self.settled.extend(named.iter().map(|name| terms(name))),
        }
        if has_phrase(&small, OPEN) {
            return;
        }
        let first = words(&small).next().unwrap_or_default();
        let is_denied = has_word(NO, first) && sayings(&small).is_empty();
        let weight = match (named.len(), option) {
            (1, _) if has_word(YES, first) => 1.0,
            _ if has_word(YES, first) => 0.5,
            (_, Some(_)) if is_denied => -1.0,
            // What is not asked for does no harm.
            (_, None) if is_denied => -0.1,
            _ => 0.0,
        };
        if weight != 0.0 {
            named.iter().for_each(|name| self.add(name, option, weight));
        }
        self.hear_words(&small, option, listed);
    }

    /// Takes the wishes that an answer names, perhaps values of an option.
    fn hear_words(&mut self, small: &str, option: Option<&str>, listed: &[Listing]) {
        let certain = if has_phrase(small, DOUBTS) { 0.5 } else { 1.0 };
        let clauses = small.split([',', ';', '.']).flat_map(|part| part.split(" and "));
        for part in clauses.flat_map(|part| part.split(" but ")) {
            let begins = |word| part.trim().starts_with(word);
            let is_denied = begins("not ") || begins("no ") || part.contains("n't ");
            let weight = if is_denied { -1.0 } else { certain };
            self.add(part, option.filter(|_| !is_listed(part, listed)), weight);
        }
    }

    /// Takes an answer to whether products are close to what is wanted.
    fn hear_comparison(&mut self, small: &str, compared: &[Listing]) {
        let words = terms(small);
        let closer = compared.iter().find(|listing| words.contains(&listing.number.to_string()));
        if let Some(closer) = closer {
            let others: Vec<_> = compared.iter().filter(|one| one.number != closer.number).flat_map(features).collect();
            let closer_features: Vec<_> = features(closer).collect();
            for (option, text) in closer_features.iter().filter(|feature| !others.contains(feature)) {
                self.add(text, *option, 0.3);
            }
            for (option, text) in others.iter().filter(|feature| !closer_features.contains(feature)) {
                self.add(text, *option, -0.3);
            }
        } else if words.contains(&"differ".to_owned()) {
            for (option, text) in compared.iter().flat_map(features) {
                if option.is_some_and(|name| share(&terms(name), &words) > 0.0) {
                    self.add(text, option, -1.0);
                }
            }
        } else if let Some(missing) = small.strip_prefix("not ").or(small.strip_prefix("no ")) {
            self.add(missing, None, 1.0);
        } else if small.contains("fit") {
            compared.iter().map(|listing| &listing.name).for_each(|name| self.add(name, None, 1.0));
        }
    }

    /// How far a product is what was asked for: each wish counts up to its weight.
    pub(super) fn fit(&self, listing: &Listing) -> f64 {
        let name = terms(&listing.name);
        let met = |wish: &Wish| wish.weight * met(wish, listing, &name);
        self.all.iter().map(met).sum()
    }
}

/// Whether a product has what a wish names, from 0 to 1.
fn met(wish: &Wish, listing: &Listing, name: &[String]) -> f64 {
    let in_name = share(&wish.terms, name) == 1.0;
    let option = wish.option.as_deref();
    let close = features(listing)
        .filter(|(name, _)| option.is_none() || *name == option)
        .map(|(_, text)| similarity(&wish.terms, &terms(text)));
    close.filter(|close| *close > 0.45).fold(if in_name { 0.9 } else { 0.0 }, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(number: usize, color: &str, attributes: &[&str]) -> Listing {
        Listing {
            number,
            name: format!("Lamp {number}"),
            price: "10.0".to_owned(),
            attributes: attributes.iter().map(|text| (*text).to_owned()).collect(),
            options: vec![("color".to_owned(), color.split(' ').map(str::to_owned).collect())],
        }
    }

    #[test]
    fn answers_are_read_as_people_mean_them() {
        let red = listing(0, "red black", &["machine washable"]);
        let blue = listing(1, "blue white", &["easy clean", "steel frame"]);
        let listed = [red.clone(), blue.clone()];
        let color = "Which color do you want: red, black, blue or white?";
        let features = "Which of these do you need: machine washable, easy clean or steel frame?";
        // Whether the blue one is the better one then, the worse one, or neither.
        let cases = [
            (color, "Blue.", 1),
            (color, "Something in blue, maybe", 1),
            (color, "White preferred", 1),
            (color, "Not red.", 1),
            (color, "No, blue please", 1),
            (color, "Black.", -1),
            (color, "No preference.", 0),
            (color, "Doesn't matter", 0),
            (color, "Not sure yet.", 0),
            (features, "Steel frame.", 1),
            (features, "Easy clean, steel frame.", 1),
            (features, "Machine washable.", -1),
            (features, "It must be washable", -1),
            ("Does it have to be machine washable?", "Yes.", -1),
            ("Does it have to be machine washable?", "No, not needed.", 1),
            ("Anything else?", "Steel frame only", 1),
            ("Anything else?", "No.", 0),
            ("Is blue ok?", "", 0),
        ];
        for (question, reply, expected) in cases {
            let mut wishes = Wishes::default();
            wishes.hear(question, reply, &listed);
            let (one, other) = (wishes.fit(&red), wishes.fit(&blue));
            let better = i32::from(other > one) - i32::from(one > other);
            assert_eq!(better, expected, "{question} {reply} {:?}", wishes.all);
        }
    }

    #[test]
    fn what_was_asked_is_settled_whatever_the_answer() {
        let listed = [listing(0, "red blue", &["machine washable"])];
        let mut wishes = Wishes::default();
        wishes.hear("Which color do you want: red or blue?", "No preference.", &listed);
        assert!(wishes.is_settled("color") && !wishes.is_settled("machine washable"));
    }
}
