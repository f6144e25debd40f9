//! Products, prices and goals as they are loaded, and the generator and the reader of prices below them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::conformance::{Tally, each_line};
use crate::environments::shop::catalogue::{Files, LoadOptions, Official, price};
use crate::environments::shop::goal::{self, Drafts, Instructions};
use crate::text::json;

/// What an original program drew and loaded.
#[derive(Deserialize)]
struct World {
    catalog: String,
    /// Says the seed.
    #[serde(alias = "seed_note")]
    note: String,
    human_goals: Option<bool>,
    product_order: Option<Vec<String>>,
    product_prices: HashMap<String, f64>,
    n_goals: Option<usize>,
    goals: Option<Vec<Value>>,
    goals_used: Option<HashMap<usize, Value>>,
}

/// A catalogue and its goals.
pub(super) fn worlds(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let world: World = json::read(&fs::read_to_string(file)?)?;
    let digits = world
        .note
        .trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let options = LoadOptions {
        price_seed: digits.parse().context("its note says no seed")?,
        ..LoadOptions::default()
    };
    let official = Official::open(Files::find(&data.join(&world.catalog))?)?;
    let instructions = match world.human_goals {
        Some(false) => Instructions::Synthetic,
        _ => Instructions::Human,
    };
    let mut drafts = Drafts::of(official.files(), instructions)?;
    let mut order = Vec::new();
    let loaded = official.each_product(&options, &(), |product| {
        drafts.add(&product);
        let recorded = world.product_prices.get(&product.asin);
        tally.check(
            || format!("price of {}", product.asin),
            &recorded,
            &Some(&product.price),
        );
        order.push(product.asin);
        Ok(())
    })?;
    tally.check(
        || "number of products".to_owned(),
        &world.product_prices.len(),
        &order.len(),
    );
    if let Some(recorded) = &world.product_order {
        tally.check(|| "order of the products".to_owned(), recorded, &order);
    }
    let (goals, _) = drafts.finish(&mut { loaded.random });
    if let Some(recorded) = &world.n_goals {
        tally.check(|| "number of goals".to_owned(), recorded, &goals.len());
    }
    let recorded = world.goals.into_iter().flatten().enumerate();
    for (number, recorded) in recorded.chain(world.goals_used.into_iter().flatten()) {
        let recorded = goal::from_json(recorded).map_err(anyhow::Error::msg)?;
        tally.check(
            || format!("goal {number}"),
            &Some(&recorded),
            &goals.get(number),
        );
    }
    Ok(())
}

/// ChatShop's official goals beside what people wrote (`human_goals.json`, in the official order, without quotation
/// marks): the first goals of both are the same.
pub(super) fn real(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let goals = goal::read_chatshop(file)?;
    let human = data.join("real/human_goals.json");
    let human = fs::read_to_string(&human).with_context(|| format!("`{}`", human.display()))?;
    let human: Vec<String> = json::read(&human)?;
    for (number, goal) in goals.iter().enumerate() {
        let wish = goal.wish().replace(['\'', '"'], "");
        tally.check(
            || format!("goal {number}"),
            &human.get(number),
            &Some(&wish),
        );
        let clause = goal.disclosures.as_ref().map(|texts| texts[3].clone());
        let bound = Some(goal::bound::clause(goal.price_upper));
        tally.check(|| format!("bound of goal {number}"), &clause, &bound);
    }
    Ok(())
}

#[derive(Deserialize)]
struct Shuffled {
    id: String,
    n: usize,
    perm: Vec<usize>,
}

/// Orders of goals.
pub(super) fn orders(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Shuffled| {
        let mut numbers: Vec<usize> = (0..case.n).collect();
        goal::shuffle(&mut numbers);
        tally.check(|| case.id, &case.perm, &numbers);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Priced {
    id: String,
    r#in: Option<String>,
    #[serde(default)]
    pricing: Option<Vec<f64>>,
    #[serde(rename = "Price")]
    tag: Option<String>,
}

/// Prices as they are read and shown; none where the original crashes.
pub(super) fn prices(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Priced| {
        let found = price::parse(&case.r#in.unwrap_or_default()).ok();
        let tag = found.as_deref().map(price::tag);
        tally.check(|| case.id.clone(), &case.pricing, &found);
        tally.check(|| format!("{}, as it is shown", case.id), &case.tag, &tag);
        Ok(())
    })
}
