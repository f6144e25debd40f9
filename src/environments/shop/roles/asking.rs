//! Which question says most about the product that is wanted: expected information over the options and attributes
//! of the products that are listed.

use super::mind::Mind;
use crate::chatshop::Listing;
use crate::language::{listed, ranked, terms};
use crate::reading::features;
use rolecall_core::text::{joined, unique};

/// How likely it is that a shopper cares for an attribute of its product, and for an option.
const CARES: (f64, f64) = (0.4, 0.75);
/// Values and attributes that a question names at most.
const MOST_NAMED: usize = 8;
const MOST_ATTRIBUTES: usize = 5;
/// Bits below which a question is not worth it.
const LEAST: f64 = 0.05;

/// Question for a shopper who may want something more.
pub(super) const ANYTHING: &str = "question[Is there anything else that is important to you?]";

/// Best of the ways to ask that are open, `question` and `opinion`; none if no answer would help.
pub(super) fn best(mind: &Mind, is_open: impl Fn(&str) -> bool) -> Option<String> {
    let weights = weights(mind);
    let questions = is_open("question");
    let question = questions.then(|| question(mind, &weights)).flatten();
    let opinion = || opinion(mind, &weights).filter(|_| is_open("opinion"));
    let general = || {
        let is_new = !mind.asked.iter().any(|asked| worded(asked) == ANYTHING);
        let helps = !mind.listed.is_empty() && entropy(&weights) > LEAST;
        (questions && is_new && helps).then(|| ANYTHING.to_owned())
    };
    question.or_else(opinion).or_else(general)
}

/// How likely each product that is listed is the one that is wanted.
fn weights(mind: &Mind) -> Vec<f64> {
    let values: Vec<f64> = mind.listed.iter().map(|listing| mind.value(listing)).collect();
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    // What a search finds first is a little likelier.
    let ranked = values.iter().enumerate();
    let ranked = ranked.map(|(rank, value)| (value - most - 0.03 * rank as f64).exp());
    normal(ranked.collect())
}

fn normal(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let sum = if sum > 0.0 { sum } else { 1.0 };
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// In bits.
fn entropy(weights: &[f64]) -> f64 {
    weights.iter().filter(|weight| **weight > 0.0).map(|weight| -weight * weight.log2()).sum()
}

/// How likely each product is the wanted one, and an answer is given.
fn joint(weights: &[f64], likelihood: &[f64]) -> Vec<f64> {
    weights.iter().zip(likelihood).map(|(weight, given)| weight * given).collect()
}

/// The information of an answer, one of several: for each how likely it is if a product is the wanted one.
fn information(weights: &[f64], answers: &[Vec<f64>]) -> f64 {
    let expected = answers.iter().map(|likelihood| {
        let joint = joint(weights, likelihood);
        let share: f64 = joint.iter().sum();
        share * entropy(&normal(joint))
    });
    entropy(weights) - expected.sum::<f64>()
}

fn question(mind: &Mind, weights: &[f64]) -> Option<String> {
    let options = mind.listed.iter().flat_map(|listing| &listing.options);
    let names = unique(options.map(|(name, _)| name.as_str()));
    let of_options =
        names.iter().filter(|name| !mind.wishes.is_settled(name)).map(|name| of_option(mind, weights, name));
    let all = of_options.chain([of_attributes(mind, weights)]).flatten();
    let (bits, question) = ranked(all, |(bits, _)| *bits).into_iter().next()?.1;
    (bits > LEAST).then(|| worded(&question))
}

fn worded(question: &str) -> String {
    format!("question[{question}]")
}

/// The question for a value of an option, with its information.
fn of_option(mind: &Mind, weights: &[f64], name: &str) -> Option<(f64, String)> {
    let values = |listing| {
        features(listing).filter(|(option, _)| *option == Some(name)).map(|(_, value)| value).collect::<Vec<_>>()
    };
    let offered: Vec<Vec<&str>> = mind.listed.iter().map(values).collect();
    let all = unique(offered.iter().flatten().copied());
    let likelihood = |value: &&str| -> Vec<f64> {
        offered.iter().map(|values| if values.contains(value) { CARES.1 / values.len() as f64 } else { 0.0 }).collect()
    };
    let silence = offered.iter().map(|values| if values.is_empty() { 1.0 } else { 1.0 - CARES.1 });
    let answers: Vec<Vec<f64>> = all.iter().map(likelihood).chain([silence.collect()]).collect();
    let likely = ranked(all.iter().zip(&answers), |(_, likelihood)| joint(weights, likelihood).iter().sum());
    let named: Vec<&str> = likely.iter().take(MOST_NAMED).map(|(_, (value, _))| **value).collect();
    let question = format!("Which {name} do you want: {}?", listed(&named));
    (named.len() > 1).then(|| (information(weights, &answers), question))
}

/// The question for several attributes at once, with its information as far as they say different things.
fn of_attributes(mind: &Mind, weights: &[f64]) -> Option<(f64, String)> {
    let goal = terms(&mind.goal);
    let mut open = unique(mind.listed.iter().flat_map(|listing| &listing.attributes));
    open.retain(|attribute| {
        let is_new = terms(attribute).iter().any(|term| !goal.contains(term));
        is_new && !mind.wishes.is_settled(attribute)
    });
    let bits = |attribute: &&String| {
        let named: Vec<f64> = mind
            .listed
            .iter()
            .map(|listing| {
                let has = listing.attributes.contains(attribute);
                if has { CARES.0 } else { 0.0 }
            })
            .collect();
        let silent = named.iter().map(|given| 1.0 - given).collect();
        information(weights, &[named, silent])
    };
    let mut best = ranked(open, bits);
    best.truncate(MOST_ATTRIBUTES);
    let total = best.iter().map(|(bits, _)| bits).sum();
    let named: Vec<&String> = best.into_iter().map(|(_, attribute)| attribute).collect();
    let question = match named.as_slice() {
        [] => return None,
        [only] => format!("Does it have to be {only}?"),
        several => format!("Which of these do you need: {}?", listed(several)),
    };
    Some((total, question))
}

/// The two likeliest products that were not compared yet.
fn opinion(mind: &Mind, weights: &[f64]) -> Option<String> {
    let shown = mind.asked.iter().flat_map(|asked| Listing::read(asked));
    let shown: Vec<String> = shown.map(|shown| shown.name.trim().to_owned()).collect();
    let new = mind.listed.iter().zip(weights).filter(|(listing, _)| !shown.contains(&listing.name));
    let likely = ranked(new, |(_, weight)| **weight);
    let numbers = likely.iter().take(2).map(|(_, (listing, _))| listing.number);
    let helps = entropy(weights) > LEAST && !likely.is_empty();
    helps.then(|| format!("opinion[{}]", joined(numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_as_many_bits_as_it_halves_what_is_possible() {
        let even = [0.25; 4];
        let halves = [vec![1.0, 1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0, 1.0]];
        assert!((information(&even, &halves) - 1.0).abs() < 1e-12);
        let nothing = [vec![0.5; 4], vec![0.5; 4]];
        assert!(information(&even, &nothing).abs() < 1e-12);
    }

    #[test]
    fn the_option_that_splits_the_products_is_asked_for() {
        let product = |number: usize, color: &str| Listing {
            number,
            name: "Lamp".to_owned(),
            price: "1.0".to_owned(),
            attributes: vec!["easy clean".to_owned()],
            options: vec![
                ("size".to_owned(), vec!["small".to_owned(), "large".to_owned()]),
                ("color".to_owned(), vec![color.to_owned()]),
            ],
        };
        let mut mind = Mind::of(vec![product(0, "red"), product(1, "blue"), product(2, "green")]);
        let open = |name: &str| name == "question";
        let asked = best(&mind, open);
        let expected = "Which color do you want: red, blue or green?";
        assert_eq!(asked, Some(format!("question[{expected}]")));
        let listed = mind.listed.clone();
        mind.wishes.hear(expected, "Blue.", &listed);
        assert_ne!(best(&mind, open), asked);
        assert_eq!(best(&mind, |_| false), None);
        let opinion = best(&mind, |name| name == "opinion");
        assert_eq!(opinion.unwrap(), "opinion[1, 0]");
    }
}
