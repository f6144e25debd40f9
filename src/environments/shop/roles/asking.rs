//! Which question says most about the product that is wanted: expected information over the options and attributes
//! of the products that are listed.

use super::mind::Mind;
use crate::environments::shop::chatshop::{Channel, Listing};
use crate::environments::shop::language::{listed, terms};
use crate::text::unique;

/// How likely it is that a shopper cares for an attribute of its product, and for an option.
const CARES: (f64, f64) = (0.4, 0.75);
/// Values and attributes that a question names at most.
const MOST_NAMED: usize = 8;
const MOST_ATTRIBUTES: usize = 5;
/// Bits below which a question is not worth it.
const LEAST: f64 = 0.05;

/// What to ask everybody who may want something more.
pub(super) const ANYTHING: &str = "Is there anything else that is important to you?";

/// A way to ask.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asking {
    /// In words.
    Question(String),
    /// By these products of the list.
    Opinion(Vec<usize>),
}

/// What is best to ask now, of what the channel allows; none if no answer would help.
pub(super) fn best(mind: &Mind, channel: Channel) -> Option<Asking> {
    let weights = weights(mind);
    let open = matches!(channel, Channel::Open | Channel::Mix)
        .then(|| question(mind, &weights))
        .flatten();
    let compared = matches!(channel, Channel::Compare | Channel::Mix)
        .then(|| opinion(mind, &weights))
        .flatten();
    let general = || {
        let words = matches!(channel, Channel::Open | Channel::Mix) && !mind.listed.is_empty();
        let new = !mind.asked.iter().any(|asked| asked == ANYTHING);
        (words && new && entropy(&weights) > LEAST).then(|| Asking::Question(ANYTHING.to_owned()))
    };
    open.map(Asking::Question).or(compared).or_else(general)
}

/// How likely each product that is listed is the one that is wanted.
fn weights(mind: &Mind) -> Vec<f64> {
    let values: Vec<f64> = mind
        .listed
        .iter()
        .map(|listing| mind.value(listing))
        .collect();
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    // What a search finds first is a little likelier.
    let ranked = values
        .iter()
        .enumerate()
        .map(|(rank, value)| (value - most - 0.03 * rank as f64).exp());
    normal(ranked.collect())
}

fn normal(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return weights;
    }
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// In bits.
fn entropy(weights: &[f64]) -> f64 {
    let bits = |weight: &f64| {
        if *weight > 0.0 {
            -weight * weight.log2()
        } else {
            0.0
        }
    };
    weights.iter().map(bits).sum()
}

/// The information of an answer, one of several: for each how likely it is if a product is the wanted one.
fn information(weights: &[f64], answers: &[Vec<f64>]) -> f64 {
    let expected = answers.iter().map(|likelihood| {
        let joint: Vec<f64> = weights
            .iter()
            .zip(likelihood)
            .map(|(weight, given)| weight * given)
            .collect();
        let share: f64 = joint.iter().sum();
        share * entropy(&normal(joint))
    });
    entropy(weights) - expected.sum::<f64>()
}

fn question(mind: &Mind, weights: &[f64]) -> Option<String> {
    let names = mind
        .listed
        .iter()
        .flat_map(|listing| listing.options.iter().map(|(name, _)| name.as_str()));
    let names: Vec<&str> = unique(names.collect::<Vec<_>>())
        .into_iter()
        .filter(|name| !mind.wishes.is_settled(name))
        .collect();
    let of_options = names.into_iter().map(|name| of_option(mind, weights, name));
    let best = of_options.chain([of_attributes(mind, weights)]).flatten();
    let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(bits, _)| *bits > LEAST)
        .map(|(_, question)| question)
}

/// The question for a value of an option, with its information.
fn of_option(mind: &Mind, weights: &[f64], name: &str) -> Option<(f64, String)> {
    let values = |listing: &Listing| {
        let own = listing.options.iter().filter(|(option, _)| option == name);
        own.flat_map(|(_, values)| values.clone())
            .collect::<Vec<String>>()
    };
    let offered: Vec<Vec<String>> = mind.listed.iter().map(values).collect();
    let all = unique(offered.iter().flatten().cloned().collect::<Vec<_>>());
    let likelihood = |value: &String| -> Vec<f64> {
        let given = offered.iter().map(|own| match own.contains(value) {
            true => CARES.1 / own.len() as f64,
            false => 0.0,
        });
        given.collect()
    };
    let mut answers: Vec<Vec<f64>> = all.iter().map(likelihood).collect();
    let silence = offered
        .iter()
        .map(|own| if own.is_empty() { 1.0 } else { 1.0 - CARES.1 });
    answers.push(silence.collect());
    let bits = information(weights, &answers);
    let mass = |likelihood: &[f64]| {
        weights
            .iter()
            .zip(likelihood)
            .map(|(weight, given)| weight * given)
            .sum::<f64>()
    };
    let mut ranked: Vec<(f64, &String)> =
        answers.iter().map(|given| mass(given)).zip(&all).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let named: Vec<&str> = ranked
        .iter()
        .take(MOST_NAMED)
        .map(|(_, value)| value.as_str())
        .collect();
    (named.len() > 1).then(|| {
        (
            bits,
            format!("Which {name} do you want: {}?", listed(&named)),
        )
    })
}

/// The question for several attributes at once, with its information as far as they say different things.
fn of_attributes(mind: &Mind, weights: &[f64]) -> Option<(f64, String)> {
    let goal = terms(&mind.goal);
    let all = unique(
        mind.listed
            .iter()
            .flat_map(|listing| listing.attributes.clone())
            .collect::<Vec<_>>(),
    );
    let open = |attribute: &String| {
        !mind.wishes.is_settled(attribute)
            && terms(attribute).iter().any(|term| !goal.contains(term))
    };
    let bits = |attribute: &String| {
        let named = mind.listed.iter().map(|listing| {
            if listing.attributes.contains(attribute) {
                CARES.0
            } else {
                0.0
            }
        });
        let named: Vec<f64> = named.collect();
        let silent = named.iter().map(|given| 1.0 - given).collect();
        information(weights, &[named, silent])
    };
    let mut ranked: Vec<(f64, String)> = all
        .into_iter()
        .filter(open)
        .map(|own| (bits(&own), own))
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked.truncate(MOST_ATTRIBUTES);
    let total = ranked.iter().map(|(bits, _)| bits).sum();
    let named: Vec<&str> = ranked
        .iter()
        .map(|(_, attribute)| attribute.as_str())
        .collect();
    match named.as_slice() {
        [] => None,
        [only] => Some((total, format!("Does it have to be {only}?"))),
        _ => Some((
            total,
            format!("Which of these do you need: {}?", listed(&named)),
        )),
    }
}

/// The two likeliest products that were not compared yet.
fn opinion(mind: &Mind, weights: &[f64]) -> Option<Asking> {
    let is_new = |listing: &Listing| {
        let mut shown = mind.asked.iter().flat_map(|asked| Listing::read(asked));
        !shown.any(|shown| shown.name.trim() == listing.name)
    };
    let mut new: Vec<(f64, usize)> = mind
        .listed
        .iter()
        .zip(weights)
        .filter(|(listing, _)| is_new(listing))
        .map(|(listing, weight)| (*weight, listing.number))
        .collect();
    new.sort_by(|one, other| other.0.total_cmp(&one.0));
    let numbers: Vec<usize> = new.iter().take(2).map(|(_, number)| *number).collect();
    let open = entropy(weights) > LEAST && !numbers.is_empty();
    open.then_some(Asking::Opinion(numbers))
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
                (
                    "size".to_owned(),
                    vec!["small".to_owned(), "large".to_owned()],
                ),
                ("color".to_owned(), vec![color.to_owned()]),
            ],
        };
        let mut mind = Mind::of(vec![
            product(0, "red"),
            product(1, "blue"),
            product(2, "green"),
        ]);
        let asked = best(&mind, Channel::Open);
        let expected = "Which color do you want: red, blue or green?";
        assert_eq!(asked, Some(Asking::Question(expected.to_owned())));
        let listed = mind.listed.clone();
        mind.wishes.hear(expected, "Blue.", &listed);
        assert_ne!(best(&mind, Channel::Open), asked);
        assert_eq!(best(&mind, Channel::None), None);
        assert_eq!(
            best(&mind, Channel::Compare),
            Some(Asking::Opinion(vec![1, 0]))
        );
    }
}
