use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::nouns::Tagger;
use crate::score::reward;

#[test]
fn a_larger_catalogue_begins_with_the_smaller_one_and_seeds_differ() {
    let small: Vec<Generated> = products(50, 3).collect();
    let large: Vec<Generated> = products(80, 3).collect();
    assert_eq!(small[..], large[..50]);
    assert_ne!(small[0], products(1, 4).next().unwrap());
    assert!(generated(INSTRUCTED, 3).instructions.is_empty());
}

#[test]
fn the_built_in_catalogue_has_goals_of_every_split() {
    let (products, goals) = builtin();
    assert_eq!(products.len(), PRODUCTS);
    assert_eq!(goals.len(), GOALS);
    let categories: BTreeSet<&str> = products.iter().map(|one| one.category.as_str()).collect();
    assert_eq!(Vec::from_iter(categories), ["beauty", "electronics", "fashion", "garden", "grocery"]);
    let wordings: BTreeSet<&str> = goals.iter().map(|goal| goal.instruction.as_str()).collect();
    assert!(wordings.len() * 100 > goals.len() * 99);
    // Who knows the kind alone has many products to choose from, of which few are as wanted.
    let mean = |count: &dyn Fn(&Goal) -> usize| goals[..500].iter().map(count).sum::<usize>() as f64 / 500.0;
    let kind = mean(&|goal| products.iter().filter(|one| one.query == goal.query).count());
    let right = mean(&|goal| products.iter().filter(|one| fits(one, goal)).count());
    assert!(kind > 15.0, "{kind} of a kind");
    assert!(right < 3.0, "{right} as wanted");
}

/// Takes every word of a title for a noun.
struct Words;

impl Tagger for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn nouns(&self, _: &str, title: &str) -> Vec<String> {
        let words = title.to_lowercase();
        words.split_whitespace().map(str::to_owned).collect()
    }
}

fn chosen(goal: &Goal) -> Vec<String> {
    match &goal.options {
        GoalOptions::Values(values) => values.clone(),
        GoalOptions::Named(_) => Vec::new(),
    }
}

/// It has all attributes and options.
fn fits(product: &Product, goal: &Goal) -> bool {
    let GoalOptions::Values(values) = &goal.options else {
        return false;
    };
    let offered = |value: &String| product.options.iter().any(|group| group.values.contains(value));
    product.query == goal.query
        && goal.attributes.iter().all(|attribute| product.attributes.contains(attribute))
        && values.iter().all(offered)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn products_are_valid_and_goals_lead_to_them(seed: u64, count in 1_usize..200) {
        let (products, goals) = catalogue(count, seed);
        let asins: BTreeSet<&str> = products.iter().map(|one| one.asin.as_str()).collect();
        prop_assert_eq!(asins.len(), count);
        for product in &products {
            prop_assert_eq!(product.asin.len(), 10);
            prop_assert!(product.asin.bytes().all(|letter| letter.is_ascii_alphanumeric()));
            prop_assert!(!product.title.is_empty() && !product.bullets.is_empty());
            prop_assert!(!product.title.contains("  "), "{}", product.title);
            prop_assert!((3..=6).contains(&product.attributes.len()));
            prop_assert!((1..=2).contains(&product.pricing.len()));
            prop_assert!(product.pricing[0] <= product.price);
            prop_assert_eq!(&product.query, &product.query.to_lowercase());
            for group in &product.options {
                prop_assert!(group.values.len() > 1);
                prop_assert_eq!(&group.name, &group.name.to_lowercase());
            }
        }
        for goal in &goals {
            let target = products.iter().find(|one| one.asin == goal.asin).unwrap();
            prop_assert!(fits(target, goal));
            prop_assert!(target.pricing.iter().all(|price| *price < goal.price_upper));
            let [whole, partly, subject, price] = goal.disclosures.as_ref().unwrap();
            prop_assert_eq!(&format!("{whole}{price}"), &goal.instruction);
            prop_assert!(partly.ends_with(subject.as_str()));
            prop_assert!(whole.contains(subject.as_str()));
            prop_assert_eq!(reward(goal, target, &chosen(goal), &Words).total, 1.0);
            let GoalOptions::Values(values) = &goal.options else { unreachable!() };
            prop_assert!(values.iter().all(|value| whole.contains(value.as_str())));
            let left_open = ["{}", "  "].iter().any(|gap| whole.contains(gap));
            prop_assert!(!left_open, "{whole}");
        }
    }
}
