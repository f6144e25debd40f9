//! Rewards, and what they are computed from.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::world::World;
use crate::kit::{Tally, each_line};
use rolecall_core::text::fuzzy::{TokenSet, token_set_ratio};
use rolecall_shop::catalogue::Product;
use rolecall_shop::goal::from_json;
use rolecall_shop::nouns::Tagger;
use rolecall_shop::retrieval::CANDIDATES;
use rolecall_shop::score::{Judge, Reward, normalize_color, reward};

#[derive(Deserialize)]
struct Normalised {
    id: String,
    r#in: String,
    out: String,
}

/// Colours in values of options.
pub(super) fn colors(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Normalised| {
        let found = normalize_color(&case.r#in);
        tally.check(|| case.id, &case.out.as_str(), &found);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Compared {
    id: String,
    a: String,
    b: String,
    score: u8,
}

/// How alike two texts are, and whether they are alike enough.
pub(super) fn ratios(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Compared| {
        let Compared { id, a, b, score } = case;
        tally.check(|| id.clone(), &score, &token_set_ratio(&a, &b));
        let (a, b) = (TokenSet::new(&a), TokenSet::new(&b));
        let found = a.exceeds(&b, 85);
        tally.check(|| format!("{id}: above 85"), &(score > 85), &found);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Judged {
    id: String,
    goal: Value,
    product: Value,
    price: f64,
    options: Map<String, Value>,
    nouns_goal: Vec<String>,
    nouns_purchased: Vec<String>,
    expected: Map<String, Value>,
}

/// Nouns that the recording found in the titles of a goal and of a purchase.
struct Nouns {
    goal: Vec<String>,
    purchased: Vec<String>,
}

impl Tagger for Nouns {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn nouns(&self, _: &str, _: &str) -> Vec<String> {
        self.goal.clone()
    }

    fn nouns_of(&self, _: &Product) -> Vec<String> {
        self.purchased.clone()
    }
}

/// Compares every part that was recorded; numbers must be equal to the last bit.
fn compare(id: &str, recorded: &Map<String, Value>, found: &Reward, tally: &mut Tally) {
    let mut parts = found.parts();
    for total in ["reward", "r_total"] {
        parts[total] = found.total.into();
    }
    parts["num_attr_matches"] = found.attributes_matched.into();
    parts["num_option_matches"] = found.options_matched.into();
    let names = recorded.keys();
    // What the goal does not want is null.
    let found = names.map(|name| (name.clone(), parts[name.as_str()].clone()));
    tally.check(|| id.to_owned(), recorded, &found.collect());
}

/// Rewards of purchases, with the nouns that the recording found.
pub(super) fn rewards(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |mut case: Judged| {
        // Nothing is judged by it, and it was not recorded.
        case.goal["instruction_text"] = "".into();
        let goal = from_json(case.goal).map_err(anyhow::Error::msg)?;
        let recorded = case.product;
        let text = |key: &str| recorded[key].as_str().unwrap_or_default().to_owned();
        let listed = |key: &str| -> Vec<String> { serde_json::from_value(recorded[key].clone()).unwrap_or_default() };
        let product = Product {
            title: text("Title"),
            description: text("Description"),
            bullets: listed("BulletPoints"),
            query: text("query"),
            product_category: text("product_category"),
            attributes: listed("Attributes"),
            price: case.price,
            ..Product::default()
        };
        let chosen = case.options.into_values().map(serde_json::from_value);
        let chosen: Vec<String> = chosen.collect::<Result<_, _>>()?;
        let nouns = Nouns { goal: case.nouns_goal, purchased: case.nouns_purchased };
        let found = reward(&goal, &product, &chosen, &nouns);
        compare(&case.id, &case.expected, &found, tally);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Searched {
    id: String,
    gid: usize,
    keywords: String,
    results: Vec<Found>,
    n: usize,
}

#[derive(Deserialize)]
struct Found {
    asin: String,
    #[serde(flatten)]
    reward: Map<String, Value>,
}

/// Products that ChatShop's server finds for words, with the reward of each product for a goal, all options chosen.
pub(super) fn searches(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (_, store, shop) = World::beside(file, "chatshop", data)?;
    each_line(file, |case: Searched| {
        let goal = store.goals.get(case.gid).context("there is no such goal")?;
        let judge = Judge::new(goal, shop.tagger.clone());
        let keywords = case.keywords.to_lowercase();
        let hits = shop.search.search(&keywords, CANDIDATES)?;
        tally.check(|| format!("{}: hits", case.id), &case.n, &hits.len());
        for (recorded, hit) in case.results.iter().zip(hits) {
            let product = shop.catalogue.product(hit.product)?;
            let id = format!("{}: {}", case.id, recorded.asin);
            tally.check(|| id.clone(), &recorded.asin, &product.asin);
            let found = judge.reward_of_any(&product);
            compare(&id, &recorded.reward, &found, tally);
        }
        Ok(())
    })
}
