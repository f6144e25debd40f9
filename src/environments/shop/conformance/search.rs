//! Searches: the terms of the query, the products in their order, and their scores, by the index in memory and by
//! the one on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use serde::Deserialize;

use crate::conformance::{Tally, each_line};
use crate::environments::shop::catalogue::{Files, LoadOptions, Official, Product};
use crate::environments::shop::search::{DiskIndex, MemoryIndex, Search};
use crate::text::lucene;

/// The most that a recorded score, which was rounded to four decimals, may differ.
const TOLERANCE: f64 = 1e-4;
/// The most products that were recorded.
const MOST: usize = 50;

#[derive(Deserialize)]
struct Recorded {
    id: String,
    catalog: String,
    query: String,
    tokens: Vec<String>,
    hits: Vec<(String, f64)>,
}

/// A catalogue with both kinds of indices.
struct Indexed {
    products: Vec<Product>,
    memory: MemoryIndex,
    disk: DiskIndex,
    _folder: Folder,
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

/// Folders that this process has made.
static FOLDERS: AtomicU64 = AtomicU64::new(0);

impl Drop for Folder {
    fn drop(&mut self) {
        // Whoever looks after the temporary files removes what stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compares the searches of one catalogue.
pub(super) fn searches(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let mut indexed = None;
    each_line(file, |recorded: Recorded| {
        let indexed = match &mut indexed {
            Some(indexed) => indexed,
            none => none.insert(Indexed::load(&data.join(&recorded.catalog))?),
        };
        indexed.compare(&recorded, tally)
    })
}

impl Indexed {
    fn load(data: &Path) -> anyhow::Result<Self> {
        let official = Official::open(Files::find(data)?)?;
        let mut products = Vec::new();
        official.each_product(&LoadOptions::default(), &(), |product| {
            products.push(product);
            Ok(())
        })?;
        let name = data.file_name().unwrap_or_default().to_string_lossy();
        let (process, number) = (std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
        let name = format!("rolecall-conformance-{process}-{number}-{name}");
        let folder = Folder(std::env::temp_dir().join(name));
        let index = folder.0.join("index");
        let expected = products.len() as u64;
        DiskIndex::build(&index, "", products.iter().cloned().map(Ok), expected, &())
            .context("the index on disk")?;
        Ok(Self {
            memory: MemoryIndex::new((0..).zip(&products)),
            disk: DiskIndex::open(&index, "")?,
            products,
            _folder: folder,
        })
    }

    fn compare(&self, recorded: &Recorded, tally: &mut Tally) -> anyhow::Result<()> {
        let Recorded {
            id,
            query,
            tokens,
            hits,
            ..
        } = recorded;
        tally.check(|| format!("{id}: terms"), tokens, &lucene::terms(query));
        let indices: [(&str, &dyn Search); 2] = [("memory", &self.memory), ("disk", &self.disk)];
        for (index, search) in indices {
            let found = search.search(query, MOST)?;
            let asins = found
                .iter()
                .map(|hit| &*self.products[hit.product as usize].asin);
            let expected: Vec<&str> = hits.iter().map(|(asin, _)| &**asin).collect();
            tally.check(
                || format!("{id}: hits ({index})"),
                &expected,
                &asins.collect(),
            );
            for ((asin, score), hit) in hits.iter().zip(&found) {
                let agrees = (score - f64::from(hit.score)).abs() <= TOLERANCE;
                let texts = || (score.to_string(), hit.score.to_string());
                tally.agree(|| format!("{id}: score of {asin} ({index})"), agrees, texts);
            }
        }
        Ok(())
    }
}
