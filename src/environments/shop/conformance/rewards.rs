//! Rewards, and what they are computed from.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::conformance::{Tally, each_line};
use crate::environments::shop::catalogue::Product;
use crate::environments::shop::goal::{Goal, GoalOptions};
use crate::environments::shop::nouns::RecordedNouns;
use crate::environments::shop::retrieval::CANDIDATES;
use crate::environments::shop::score::{Judge, Reward, Wanted, normalize_color};
use crate::environments::shop::store::{Goals, Store, StoreOptions};
use crate::text::fuzzy::{TokenSet, token_set_ratio};

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
    goal: RecordedGoal,
    product: RecordedProduct,
    price: f64,
    options: Map<String, Value>,
    nouns_goal: Vec<String>,
    nouns_purchased: Vec<String>,
    expected: Expected,
}

#[derive(Deserialize)]
struct RecordedGoal {
    asin: String,
    category: String,
    query: String,
    name: String,
    product_category: String,
    attributes: Vec<String>,
    price_upper: f64,
    goal_options: Value,
}

impl RecordedGoal {
    fn read(self) -> anyhow::Result<Goal> {
        let options = match self.goal_options {
            Value::Object(pairs) => {
                let pairs = pairs.into_iter();
                let pairs = pairs.map(|(name, value)| Ok((name, serde_json::from_value(value)?)));
                GoalOptions::Named(pairs.collect::<anyhow::Result<_>>()?)
            }
            values => GoalOptions::Values(serde_json::from_value(values)?),
        };
        Ok(Goal {
            asin: self.asin,
            category: self.category,
            query: self.query,
            name: self.name,
            product_category: self.product_category,
            instruction: String::new(),
            attributes: self.attributes,
            price_upper: self.price_upper,
            options,
            weight: 1.0,
            disclosures: None,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RecordedProduct {
    #[serde(rename = "query")]
    query: String,
    #[serde(rename = "product_category")]
    product_category: String,
    title: String,
    description: String,
    bullet_points: Vec<String>,
    attributes: Vec<String>,
}

/// The parts of a reward as they were recorded; what the original left out is none.
#[derive(Deserialize)]
struct Expected {
    #[serde(alias = "r_total")]
    reward: f64,
    r_type: f64,
    r_att: f64,
    w_att: f64,
    query_match: bool,
    category_match: bool,
    title_score: f64,
    r_option: Option<f64>,
    w_option: Option<f64>,
    r_price: bool,
    w_price: f64,
    num_attr_matches: Option<usize>,
    num_option_matches: Option<usize>,
}

impl Expected {
    /// Compares every part; numbers must be equal to the last bit.
    fn compare(self, id: &str, found: &Reward, tally: &mut Tally) {
        let attributes_matched = self.num_attr_matches.unwrap_or(found.attributes_matched);
        let options_matched = self.num_option_matches.unwrap_or(found.options_matched);
        let recorded = Reward {
            total: self.reward,
            r_type: self.r_type,
            r_att: self.r_att,
            w_att: self.w_att,
            r_option: self.r_option,
            w_option: self.w_option,
            r_price: self.r_price,
            w_price: self.w_price,
            query_match: self.query_match,
            category_match: self.category_match,
            title_score: self.title_score,
            attributes_matched,
            options_matched,
        };
        tally.check(|| id.to_owned(), &recorded, found);
    }
}

/// Rewards of purchases, with the nouns that the recording found.
pub(super) fn rewards(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Judged| {
        let product = Product {
            title: case.product.title,
            description: case.product.description,
            bullets: case.product.bullet_points,
            query: case.product.query,
            product_category: case.product.product_category,
            attributes: case.product.attributes,
            price: case.price,
            ..Product::default()
        };
        let chosen = case.options.into_values().map(serde_json::from_value);
        let chosen: Vec<String> = chosen.collect::<Result<_, _>>()?;
        let wanted = Wanted::new(&case.goal.read()?, case.nouns_goal);
        let found = wanted.reward(&product, &chosen, &case.nouns_purchased);
        case.expected.compare(&case.id, &found, tally);
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
    reward: Expected,
}

/// What ChatShop's server finds for words, with the reward of each product for a goal, all options chosen.
pub(super) fn searches(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let options = StoreOptions {
        goals: Goals::ChatShop(None),
        ..StoreOptions::default()
    };
    let store = Store::load(&data.join("catalog1k"), &options, &())?;
    let nouns = file.with_file_name("world").join("nouns_catalog1k.json");
    let tagger = Arc::new(RecordedNouns::read(&nouns)?);
    each_line(file, |case: Searched| {
        let goal = store.goals.get(case.gid).context("there is no such goal")?;
        let judge = Judge::new(goal, tagger.clone());
        let hits = store
            .search
            .search(&case.keywords.to_lowercase(), CANDIDATES)?;
        tally.check(|| format!("{}: hits", case.id), &case.n, &hits.len());
        for (recorded, hit) in case.results.into_iter().zip(hits) {
            let product = store.catalogue.product(hit.product)?;
            let id = format!("{}: {}", case.id, recorded.asin);
            tally.check(|| id.clone(), &recorded.asin, &product.asin);
            recorded
                .reward
                .compare(&id, &judge.reward_of_any(&product), tally);
        }
        Ok(())
    })
}
