//! What a shopper has said it wants, read from its answers, whoever wrote them.

use crate::environments::shop::chatshop::Listing;
use crate::environments::shop::language::{alternatives, content, share, similarity, terms};
use crate::text::has_word;

/// Answers that leave a question open.
const OPEN: &[&str] = &[
    "no preference",
    "matter",
    "don't care",
    "no particular",
    "not important",
    "either",
    "whatever",
    "whichever",
    "any is",
    "any of",
    "not sure",
    "hard to say",
    "you choose",
    "can't say",
    "don't know",
    "nothing else",
    "up to you",
];
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

/// All that was said.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    pub(super) all: Vec<Wish>,
    /// Options and attributes that were asked about.
    settled: Vec<Vec<String>>,
}

/// The terms of a text that are no hedges.
fn sayings(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let bare = words.map(|word| word.trim_matches(['.', '!', '?', '"']));
    let says = |word: &&str| {
        let small = word.to_lowercase();
        !has_word(HEDGES, &small) && !has_word(YES, &small)
    };
    let kept: Vec<&str> = bare.filter(says).collect();
    content(&kept.join(" "))
}

/// Whether a text names an attribute of a product that is listed.
fn is_listed(text: &str, listed: &[Listing]) -> bool {
    let text = terms(text);
    let mut attributes = listed.iter().flat_map(|listing| &listing.attributes);
    attributes.any(|attribute| share(&terms(attribute), &text) == 1.0)
}

impl Wishes {
    /// Whether an option or attribute was asked about.
    pub(super) fn is_settled(&self, name: &str) -> bool {
        let name = terms(name);
        self.settled.contains(&name) || self.all.iter().any(|wish| wish.terms == name)
    }

    /// What is wanted, without what is not.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &Wish> {
        self.all.iter().filter(|wish| wish.weight > 0.4)
    }

    fn add(&mut self, text: &str, option: Option<&str>, weight: f64) {
        let terms = sayings(text);
        let known = self
            .all
            .iter()
            .any(|wish| wish.terms == terms && wish.weight * weight > 0.0);
        if !terms.is_empty() && !known {
            self.all.push(Wish {
                text: text.trim().to_lowercase(),
                terms,
                option: option.map(str::to_owned),
                weight,
            });
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
        let names = listed
            .iter()
            .flat_map(|listing| &listing.options)
            .map(|(name, _)| name.as_str());
        let about =
            |name: &&str| !terms(name).is_empty() && share(&terms(name), &terms(before)) == 1.0;
        let option = names.filter(about).max_by_key(|name| name.len());
        let parts = alternatives(question)
            .into_iter()
            .filter(|part| !content(part).is_empty());
        let named: Vec<&str> = parts
            .filter(|part| option.is_some() || is_listed(part, listed))
            .collect();
        self.settled.extend(option.map(terms));
        if option.is_none() {
            self.settled.extend(named.iter().map(|name| terms(name)));
        }
        if OPEN.iter().any(|phrase| small.contains(phrase)) {
            return;
        }
        let first = small
            .split(|letter: char| !letter.is_alphanumeric())
            .find(|word| !word.is_empty());
        let says = |list| first.is_some_and(|word| has_word(list, word));
        if says(YES) {
            let weight = if named.len() == 1 { 1.0 } else { 0.5 };
            named.iter().for_each(|name| self.add(name, option, weight));
        }
        let rest = sayings(&small);
        if says(NO) && rest.is_empty() {
            // What is not asked for does no harm.
            let weight = if option.is_some() { -1.0 } else { -0.1 };
            named.iter().for_each(|name| self.add(name, option, weight));
        }
        self.hear_words(&small, option, listed);
    }

    /// Takes the wishes that an answer names, perhaps values of an option.
    fn hear_words(&mut self, small: &str, option: Option<&str>, listed: &[Listing]) {
        const DOUBTS: [&str; 4] = ["something", "maybe", "perhaps", "probably"];
        let doubts = DOUBTS.iter().any(|doubt| small.contains(doubt));
        let clauses = small
            .split([',', ';', '.'])
            .flat_map(|part| part.split(" and "));
        for part in clauses.flat_map(|part| part.split(" but ")) {
            let begins = |word| part.trim().starts_with(word);
            let denied = begins("not ") || begins("no ") || part.contains("n't ");
            let weight = match (denied, doubts) {
                (true, _) => -1.0,
                (false, true) => 0.5,
                (false, false) => 1.0,
            };
            let own = option.filter(|_| !is_listed(part, listed));
            self.add(part, own, weight);
        }
    }

    /// Takes an answer to whether products are close to what is wanted.
    fn hear_comparison(&mut self, small: &str, compared: &[Listing]) {
        let words = terms(small);
        let closer = compared
            .iter()
            .find(|listing| words.contains(&listing.number.to_string()));
        let features = |listing: &Listing| {
            let values = listing.options.iter().flat_map(|(name, values)| {
                values
                    .iter()
                    .map(|value| (Some(name.clone()), value.clone()))
            });
            let attributes = listing
                .attributes
                .iter()
                .map(|attribute| (None, attribute.clone()));
            attributes.chain(values).collect::<Vec<_>>()
        };
        if let Some(closer) = closer {
            let others: Vec<_> = compared
                .iter()
                .filter(|other| other.number != closer.number)
                .flat_map(features)
                .collect();
            let own = features(closer);
            let apart = |one: &[(Option<String>, String)], other: &[(Option<String>, String)]| {
                one.iter()
                    .filter(|feature| !other.contains(feature))
                    .cloned()
                    .collect::<Vec<_>>()
            };
            for (option, text) in apart(&own, &others) {
                self.add(&text, option.as_deref(), 0.3);
            }
            for (option, text) in apart(&others, &own) {
                self.add(&text, option.as_deref(), -0.3);
            }
        } else if words.contains(&"differ".to_owned()) {
            let of_group = |(option, _): &(Option<String>, String)| {
                option
                    .as_ref()
                    .is_some_and(|name| share(&terms(name), &words) > 0.0)
            };
            for (option, text) in compared.iter().flat_map(features).filter(of_group) {
                self.add(&text, option.as_deref(), -1.0);
            }
        } else if let Some(missing) = small.strip_prefix("not ").or(small.strip_prefix("no ")) {
            self.add(missing, None, 1.0);
        } else if small.contains("fit") {
            compared
                .iter()
                .for_each(|listing| self.add(&listing.name, None, 1.0));
        }
    }

    /// How far a product is what was asked for: each wish counts up to its weight.
    pub(super) fn fit(&self, listing: &Listing) -> f64 {
        let name = terms(&listing.name);
        self.all
            .iter()
            .map(|wish| wish.weight * met(wish, listing, &name))
            .sum()
    }
}

/// Whether a product has what a wish names, from 0 to 1.
fn met(wish: &Wish, listing: &Listing, name: &[String]) -> f64 {
    let mut best = if share(&wish.terms, name) == 1.0 {
        0.9
    } else {
        0.0
    };
    let mut try_text = |text: &str| {
        let close = similarity(&wish.terms, &terms(text));
        best = f64::max(best, if close > 0.45 { close } else { 0.0 });
    };
    let same = |option: &str| wish.option.as_ref().is_none_or(|name| name == option);
    let groups = listing.options.iter().filter(|(option, _)| same(option));
    groups
        .flat_map(|(_, values)| values)
        .for_each(|value| try_text(value));
    if wish.option.is_none() {
        listing
            .attributes
            .iter()
            .for_each(|attribute| try_text(attribute));
    }
    best
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
            options: vec![(
                "color".to_owned(),
                color.split(' ').map(str::to_owned).collect(),
            )],
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
        wishes.hear(
            "Which color do you want: red or blue?",
            "No preference.",
            &listed,
        );
        assert!(wishes.is_settled("color") && !wishes.is_settled("machine washable"));
    }
}
