//! Speed of the shop: searches, rewards, steps. Run with `cargo bench --bench shop`; with `-- --million` an index of 1.18 million
//! generated products is built on the disk as well (a quarter of an hour, 4 GB), in the folder that `ROLECALL_INDEX`
//! names or in a temporary one.
//!
//! Figures per second are processor time, those of the index on disk time by the clock. With `ROLECALL_DATA` the
//! thousand products and the queries are those of `shop/catalog1k`, without it they are generated.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test or bench may stop and tell")]

mod measure;
mod shop_steps;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rolecall::environments::shop::catalogue::Catalogue;
use rolecall::environments::shop::generate;
use rolecall::environments::shop::nouns::RuleTagger;
use rolecall::environments::shop::score::Judge;
use rolecall::environments::shop::search::{DiskIndex, Search};
use rolecall::environments::shop::store::{Store, StoreOptions};

/// Products that a search gives.
const HITS: usize = 50;
/// Products of the official data set, about.
const MILLION: usize = 1_180_000;
/// Searches that are measured one by one.
const SEARCHES: usize = 2_000;

/// A thousand products in memory, with goals.
fn thousand() -> Store {
    match std::env::var_os("ROLECALL_DATA") {
        Some(root) => {
            let data = Path::new(&root).join("shop/catalog1k");
            let store = Store::load(&data, &StoreOptions::default(), &());
            (*store.expect("official files")).clone()
        }
        None => {
            let (products, goals) = generate::catalogue(1_000, generate::SEED);
            Store::of(products, goals)
        }
    }
}

fn in_memory(store: &Store) {
    let queries: Vec<&str> = store.goals.iter().map(|goal| &*goal.instruction).collect();
    let rounds = 20_000 / queries.len() as u64 + 1;
    let mut hits = 0;
    let took = measure::repeated(rounds, || {
        for query in &queries {
            hits += store.search.search(query, HITS).unwrap().len();
        }
    });
    let searches = rounds as f64 * queries.len() as f64;
    println!(
        "{} products in memory: {:.0} searches per CPU second, {:.1} hits each",
        store.catalogue.len(),
        searches / took.as_secs_f64(),
        hits as f64 / searches,
    );
}

/// Rewards of products with all options chosen, as ChatShop judges what a search found.
fn rewards(store: &Store) {
    let products = (0..50).map(|id| store.catalogue.product(id).unwrap());
    let products: Vec<_> = products.collect();
    let goals = store.goals.iter().take(500);
    let mut total = 0.0;
    let took = measure::repeated(1, || {
        for goal in goals.clone() {
            let judge = Judge::new(goal, Arc::new(RuleTagger));
            let rewards = products.iter().map(|product| judge.reward_of_any(product).total);
            total += rewards.sum::<f64>();
        }
    });
    std::hint::black_box(total);
    let rate = (goals.len() * products.len()) as f64 / took.as_secs_f64();
    println!("{rate:.0} rewards per CPU second");
}

/// Bytes of the files of a folder.
fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// The times that all queries take, one after the other, in milliseconds, in ascending order.
fn times(index: &DiskIndex, queries: &[String]) -> Vec<f64> {
    let time = |query: &String| {
        let (hits, spent) = measure::measured(|| index.search(query, HITS).unwrap());
        std::hint::black_box(hits);
        spent.wall * 1e3
    };
    let mut times: Vec<f64> = queries.iter().map(time).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn on_disk() {
    let temporary = tempfile::tempdir().unwrap();
    let named = std::env::var_os("ROLECALL_INDEX").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| temporary.path().to_owned()).join("million");
    let gigabytes = |bytes: f64| bytes / 1e9;
    println!("{MILLION} products on the disk:");
    if !folder.exists() {
        let products = generate::products(MILLION, generate::SEED).map(|generated| Ok(generated.product));
        let build = || DiskIndex::build(&folder, "", products, MILLION as u64, &()).unwrap();
        let ((), spent) = measure::measured(build);
        println!(
            "  built in {:.0} s ({:.0} s of processor time), {:.2} GB, at most {:.2} GB resident",
            spent.wall,
            spent.processor,
            gigabytes(size(&folder) as f64),
            gigabytes(measure::most_resident_bytes()),
        );
    }
    let (index, spent) = measure::measured(|| DiskIndex::open(&folder, "").unwrap());
    println!("  opened in {:.2} s, {:.2} GB resident", spent.wall, gigabytes(measure::resident_bytes()));
    let step = generate::INSTRUCTED / SEARCHES;
    let instructed = generate::products(generate::INSTRUCTED, generate::SEED).step_by(step);
    let queries = instructed.filter_map(|generated| Some(generated.goals().next()?.instruction));
    let queries: Vec<String> = queries.collect();
    for pass in ["first", "second"] {
        let times = times(&index, &queries);
        let at = |share: f64| times[(times.len() as f64 * share) as usize];
        println!(
            "  {} searches, {pass} pass: p50 {:.2} ms, p99 {:.2} ms; {:.2} GB resident",
            times.len(),
            at(0.5),
            at(0.99),
            gigabytes(measure::resident_bytes()),
        );
    }
    let ids = (0..index.len() as u32).step_by(997);
    let count = ids.len() as f64;
    let ((), spent) = measure::measured(|| ids.for_each(|id| drop(index.product(id).unwrap())));
    println!("  products: {:.3} ms each", spent.wall * 1e3 / count);
}

fn main() {
    let store = thousand();
    in_memory(&store);
    rewards(&store);
    shop_steps::measure(&store, Arc::new(RuleTagger));
    if std::env::args().any(|argument| argument == "--million") {
        on_disk();
    }
}
