//! Searches: the terms of the query, the products in their order, and their scores, by the index in memory and by
//! the one on disk.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Deserialize;

use super::world::World;
use crate::kit::{Tally, each_line};
use rolecall_core::text::lucene;
use rolecall_core::world::Unfinished;
use rolecall_shop::search::DiskIndex;
use rolecall_shop::store::Store;

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

/// A catalogue with both kinds of indices.
struct Indexed {
    store: Arc<Store>,
    disk: DiskIndex,
}

/// Compares the searches of one catalogue.
pub(super) fn searches(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let name = World::name(file);
    let (_, store, _) = World::beside(file, &name, data)?;
    let folder = format!("rolecall-conformance-{}-{name}", std::process::id());
    // It is removed in the end.
    let folder = Unfinished::make(std::env::temp_dir().join(folder), &[])?;
    let index = folder.path().join("index");
    let all = store.catalogue.len();
    let products = (0..).take(all);
    let products = products.map(|id| Ok(Arc::unwrap_or_clone(store.catalogue.product(id)?)));
    DiskIndex::build(&index, "", products, all as u64, &()).context("the index on disk")?;
    let disk = DiskIndex::open(&index, "")?;
    let indexed = Indexed { store, disk };
    each_line(file, |recorded| indexed.compare(&recorded, tally))
}

impl Indexed {
    fn compare(&self, recorded: &Recorded, tally: &mut Tally) -> anyhow::Result<()> {
        let (id, query) = (&recorded.id, &recorded.query);
        let terms = lucene::terms(query);
        tally.check(|| format!("{id}: terms"), &recorded.tokens, &terms);
        let indices = [("memory", &*self.store.search), ("disk", &self.disk)];
        for (index, search) in indices {
            let found = search.search(query, MOST)?;
            let asin = |product| Ok(self.store.catalogue.product(product)?.asin.clone());
            let asins = found.iter().map(|hit| asin(hit.product));
            let asins: Vec<String> = asins.collect::<anyhow::Result<_>>()?;
            let expected = recorded.hits.iter().map(|(asin, _)| asin.clone());
            let position = || format!("{id}: hits ({index})");
            tally.check(position, &expected.collect(), &asins);
            for ((asin, score), hit) in recorded.hits.iter().zip(&found) {
                let agrees = (score - f64::from(hit.score)).abs() <= TOLERANCE;
                let texts = || (score.to_string(), hit.score.to_string());
                tally.agree(|| format!("{id}: score of {asin} ({index})"), agrees, texts);
            }
        }
        Ok(())
    }
}
