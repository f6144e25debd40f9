//! Products, prices and goals as they are loaded, and the generator and the reader of prices below them.

use std::path::Path;

use serde::Deserialize;

use super::world::World;
use crate::kit::{Tally, each_line, read};
use rolecall_shop::catalogue::{price_of, price_tag};
use rolecall_shop::goal;

/// A catalogue and its goals.
pub(super) fn worlds(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (world, store) = World::load(file, data)?;
    let mut order = Vec::new();
    for id in (0..).take(store.catalogue.len()) {
        let product = store.catalogue.product(id)?;
        let recorded = world.product_prices.get(&product.asin);
        let position = || format!("price of {}", product.asin);
        tally.check(position, &recorded, &Some(&product.price));
        order.push(product.asin.clone());
    }
    let all = world.product_prices.len();
    tally.check(|| "number of products".to_owned(), &all, &order.len());
    if let Some(recorded) = &world.product_order {
        tally.check(|| "order of the products".to_owned(), recorded, &order);
    }
    let goals = &store.goals;
    if let Some(recorded) = &world.n_goals {
        tally.check(|| "number of goals".to_owned(), recorded, &goals.len());
    }
    let recorded = world.goals.into_iter().flatten().enumerate();
    for (number, recorded) in recorded.chain(world.goals_used.into_iter().flatten()) {
        let recorded = goal::from_json(recorded).map_err(anyhow::Error::msg)?;
        let position = || format!("goal {number}");
        tally.check(position, &Some(&recorded), &goals.get(number));
    }
    Ok(())
}

/// ChatShop's official goals beside what people wrote (`human_goals.json`, in the official order, without quotation
/// marks): the first goals of both are the same.
pub(super) fn real(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let goals = goal::read_chatshop(file)?;
    let human: Vec<String> = read(&data.join("real/human_goals.json"))?;
    for (number, goal) in goals.iter().enumerate() {
        let wish = goal.wish().replace(['\'', '"'], "");
        let position = || format!("goal {number}");
        tally.check(position, &human.get(number), &Some(&wish));
        let clause = goal.disclosures.as_ref().map(|texts| texts[3].clone());
        let bound = Some(goal::price_clause(goal.price_upper));
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
        let found = price_of(&case.r#in.unwrap_or_default()).ok();
        let tag = found.as_deref().map(price_tag);
        tally.check(|| case.id.clone(), &case.pricing, &found);
        tally.check(|| format!("{}, as it is shown", case.id), &case.tag, &tag);
        Ok(())
    })
}
