//! Searches: the terms of the query, the products in their order, and their scores.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::conformance::{Tally, each_line};
use crate::environments::shop::catalogue::{OptionGroup, Product};
use crate::environments::shop::search::{Hit, MemoryIndex, Search};
use crate::text::{json, lucene};

/// The most that a recorded score, which was rounded to four decimals, may differ.
const TOLERANCE: f64 = 1e-4;

/// The most products that were recorded.
const MOST: usize = 50;

#[derive(Deserialize)]
struct Recorded {
    id: String,
    query: String,
    tokens: Vec<String>,
    hits: Vec<(String, f64)>,
}

/// Compares the searches that were recorded on each catalogue.
///
/// # Errors
/// When a recording or its catalogue cannot be read.
pub(super) fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for catalogue in ["catalog1k", "synth1k"] {
        let file = oracle.join(format!("search_{catalogue}_human.jsonl"));
        if !file.is_file() {
            continue;
        }
        let products = products(&data.join(catalogue).join("items_shuffle_1000.json"))?;
        let memory = MemoryIndex::new((0..).zip(&products));
        each_line(&file, |recorded: Recorded| {
            let terms = lucene::terms(&recorded.query);
            tally.check(
                || format!("{}: terms", recorded.id),
                &recorded.tokens,
                &terms,
            );
            let hits = memory.search(&recorded.query, MOST)?;
            hits_agree(&recorded, &hits, &products, &mut tally);
            Ok(())
        })
        .with_context(|| format!("`{}`", file.display()))?;
    }
    Ok(tally)
}

fn hits_agree(recorded: &Recorded, hits: &[Hit], products: &[Product], tally: &mut Tally) {
    let asins = hits
        .iter()
        .map(|hit| products[hit.product as usize].asin.as_str());
    let asins: Vec<&str> = asins.collect();
    let expected: Vec<&str> = recorded
        .hits
        .iter()
        .map(|(asin, _)| asin.as_str())
        .collect();
    tally.check(|| format!("{}: hits", recorded.id), &expected, &asins);
    for ((asin, score), hit) in recorded.hits.iter().zip(hits) {
        let agrees = (score - f64::from(hit.score)).abs() <= TOLERANCE;
        let texts = || (score.to_string(), hit.score.to_string());
        tally.agree(
            || format!("{}: score of {asin}", recorded.id),
            agrees,
            texts,
        );
    }
}

/// What is searched of the products of a file.
fn products(file: &Path) -> anyhow::Result<Vec<Product>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("`{}`", file.display()))?;
    let all: Vec<Value> = json::read(&text)?;
    let mut products: Vec<Product> = Vec::new();
    for found in &all {
        let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
        let asin = text("asin");
        if asin == "nan" || asin.len() > 10 || products.iter().any(|product| product.asin == asin) {
            continue;
        }
        let bullet = found["small_description"]
            .get(0)
            .unwrap_or(&found["small_description"]);
        let options = found["customization_options"]
            .as_object()
            .into_iter()
            .flatten();
        let options = options.filter_map(|(name, values)| {
            let values = values
                .as_array()?
                .iter()
                .filter_map(|value| value["value"].as_str());
            Some(OptionGroup {
                name: name.to_lowercase(),
                values: values
                    .map(|value| value.trim().replace('/', " | ").to_lowercase())
                    .collect(),
            })
        });
        products.push(Product {
            asin,
            title: text("name"),
            description: text("full_description"),
            bullets: vec![bullet.as_str().unwrap_or_default().to_owned()],
            options: options.collect(),
            ..Product::default()
        });
    }
    Ok(products)
}
