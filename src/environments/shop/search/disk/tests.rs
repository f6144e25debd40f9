use std::collections::HashMap;
use std::fs;

use proptest::prelude::*;

use super::*;
use crate::catalogue::{OptionGroup, Shelf};
use crate::search::MemoryIndex;
use crate::search::gather::{B, K1, document};
use rolecall_core::text::lucene::{Bm25, idf, length_code, terms};

/// Products that differ in their words, with few different words, so that many are equally good.
fn products(count: u32, words: u32) -> Vec<Product> {
    let mut state = 7_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let product = |id: u32| {
        let length = 1 + random(if id.is_multiple_of(50) { 400 } else { 12 });
        let word = |random: &mut dyn FnMut(u32) -> u32| {
            // Some words are much more frequent than others.
            let (one, other) = (random(words), random(words));
            format!("w{}q", one * other / words)
        };
        let title = (0..length).map(|_| word(&mut random)).collect::<Vec<_>>().join(" ");
        Product {
            asin: format!("B{:09}", id.wrapping_mul(2_654_435_761) % 1_000_000_007),
            title,
            bullets: vec![word(&mut random)],
            category: ["beauty", "garden"][random(2) as usize].to_owned(),
            query: format!("q{}", random(9)),
            options: vec![OptionGroup { name: "size".to_owned(), values: vec![word(&mut random)] }],
            pricing: vec![1.5],
            ..Product::default()
        }
    };
    (0..count).map(product).collect()
}

fn built(products: &[Product], folder: &Path) -> DiskIndex {
    let path = folder.join("index");
    let all = products.iter().cloned().map(Ok);
    DiskIndex::build(&path, "hash", all, products.len() as u64, &()).unwrap();
    DiskIndex::open(&path, "hash").unwrap()
}

/// Scores every product by the formula alone.
struct Formula<'a> {
    products: &'a [Product],
    /// The products that have a term, with how often they have it.
    having: HashMap<String, BTreeMap<usize, u32>>,
    lengths: Vec<usize>,
}

impl<'a> Formula<'a> {
    fn new(products: &'a [Product]) -> Self {
        let mut having: HashMap<String, BTreeMap<usize, u32>> = HashMap::new();
        let mut lengths = Vec::new();
        for (id, product) in products.iter().enumerate() {
            let found = terms(&document(product));
            lengths.push(found.len());
            for term in found {
                *having.entry(term).or_default().entry(id).or_default() += 1;
            }
        }
        Self { products, having, lengths }
    }

    fn search(&self, query: &str, most: usize) -> Vec<Hit> {
        let texts = self.lengths.iter().filter(|length| **length > 0).count() as u64;
        let bm25 = Bm25::new(K1, B, texts, self.lengths.iter().sum::<usize>() as u64);
        let mut scores = vec![0.0; self.products.len()];
        let mut wanted: BTreeMap<String, u32> = BTreeMap::new();
        for term in terms(query) {
            *wanted.entry(term).or_default() += 1;
        }
        for (term, boost) in wanted {
            for (id, count) in self.having.get(&term).into_iter().flatten() {
                let weight = idf(texts, self.having[&term].len() as u64) * boost as f32;
                let presence = bm25.presence(*count, length_code(self.lengths[*id] as u32));
                scores[*id] += f64::from(Bm25::score(weight, presence));
            }
        }
        let hit = |(product, score): (ProductId, &f64)| Hit { product, score: *score as f32 };
        let mut hits: Vec<Hit> = (0..).zip(&scores).map(hit).collect();
        hits.retain(|hit| hit.score > 0.0);
        let asin = |hit: &Hit| &self.products[hit.product as usize].asin;
        hits.sort_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score.then_with(|| asin(one).cmp(asin(other)))
        });
        hits.truncate(most);
        hits
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn memory_disk_and_the_plain_formula_agree(
        count in 0_u32..400,
        words in 2_u32..60,
        query in prop::collection::vec(0_u32..70, 0..30),
        most in 0_usize..60,
    ) {
        let products = products(count, words);
        let folder = tempfile::tempdir().unwrap();
        let disk = built(&products, folder.path());
        let memory = MemoryIndex::new((0..).zip(&products));
        let query: Vec<String> = query.iter().map(|word| format!("w{word}q")).collect();
        let query = query.join(" ");
        let expected = Formula::new(&products).search(&query, most);
        prop_assert_eq!(&disk.search(&query, most).unwrap(), &expected);
        prop_assert_eq!(&memory.search(&query, most).unwrap(), &expected);
    }
}

#[test]
fn places_of_many_windows_are_ranked_as_by_the_formula() {
    let products = products(20_000, 300);
    let folder = tempfile::tempdir().unwrap();
    let disk = built(&products, folder.path());
    let formula = Formula::new(&products);
    for start in 0..40 {
        let words = (0..start % 13 + 1).map(|word| format!("w{}q ", (start + word) * word % 300));
        let query = words.collect::<String>();
        let expected = formula.search(&query, 50);
        assert_eq!(disk.search(&query, 50).unwrap(), expected, "{query}");
    }
    assert_eq!(disk.search("to be or not", 50).unwrap(), []);
    let long = "w1q w2q w250q sofa the ".repeat(4_000);
    assert_eq!(disk.search(&long, 50).unwrap(), formula.search(&long, 50));
}

#[test]
fn lists_are_read_anew_when_there_is_no_more_room() {
    let folder = tempfile::tempdir().unwrap();
    let disk = built(&products(300, 40), folder.path());
    let expected = disk.search("w1q w3q size", 20).unwrap();
    disk.lately.lock().unwrap().size = ROOM;
    assert_eq!(disk.search("w1q w2q w3q size", 20).unwrap().len(), 20);
    let kept = disk.lately.lock().unwrap();
    assert!(kept.size < ROOM && kept.lists.len() < 4);
    drop(kept);
    assert_eq!(disk.search("w1q w3q size", 20).unwrap(), expected);
}

#[test]
fn a_catalogue_on_disk_gives_what_one_in_memory_gives() {
    let products = products(300, 40);
    let folder = tempfile::tempdir().unwrap();
    let disk = built(&products, folder.path());
    let shelf = Shelf::new(products);
    assert_eq!(disk.len(), shelf.len());
    for id in [0, 7, 299, 7] {
        let product = disk.product(id).unwrap();
        assert_eq!(product, shelf.product(id).unwrap());
        assert_eq!(disk.find(&product.asin).unwrap(), Some(id));
    }
    assert_eq!(disk.product(300).unwrap_err().to_string(), "there is no product number 300 in the catalogue");
    for nothing in ["", "A", "Z", "B0000000000"] {
        assert_eq!(disk.find(nothing).unwrap(), None);
        assert!(disk.of_query(nothing).unwrap().is_empty());
    }
    assert_eq!(disk.of_category("garden").unwrap(), shelf.of_category("garden").unwrap());
    assert_eq!(disk.of_query("q3").unwrap(), shelf.of_query("q3").unwrap());
}

#[test]
fn an_index_of_something_else_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    drop(built(&products(10, 9), folder.path()));
    let path = folder.path().join("index");
    let refused = |catalogue: &str| DiskIndex::open(&path, catalogue).unwrap_err().to_string();
    let other = refused("other");
    assert!(
        other.ends_with(
            "/index`: it is the index of another catalogue; remove the folder, or name another one, and build it: \
         `rolecall data index shop --data ... --out ...`"
        ),
        "{other}"
    );
    let header = fs::read_to_string(path.join("header")).unwrap();
    fs::write(path.join("header"), header.replace("\"format\":2", "\"format\":1") + "\n0123abcd\n").unwrap();
    let older = refused("hash");
    assert!(older.contains("the index has format 1, and this program reads 2; remove the folder"), "{older}");
    fs::write(path.join("header"), &header[1..]).unwrap();
    assert!(refused("hash").contains("it is no header of an index; remove the folder"));
    fs::remove_file(path.join("header")).unwrap();
    assert!(refused("hash").contains("it holds no index; remove the folder"));
}

#[test]
fn what_was_not_finished_is_no_index_and_the_next_attempt_removes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let part = folder.path().join("index.part");
    // As a killed process leaves it.
    fs::create_dir(&part).unwrap();
    fs::write(part.join("data"), "half").unwrap();
    fs::write(part.join("other"), "half").unwrap();
    assert!(matches!(DiskIndex::open(&path, "hash"), Err(ShopError::Io { .. })));
    let fault = || ShopError::Missing { what: "thing".to_owned() };
    let some = products(5, 9).into_iter().map(Ok).chain([Err(fault())]);
    let failed = DiskIndex::build(&path, "hash", some, 6, &());
    assert_eq!(failed.unwrap_err().to_string(), fault().to_string());
    assert!(!part.exists() && !path.exists());
    let index = built(&products(5, 9), folder.path());
    assert_eq!(index.len(), 5);
    assert!(!part.exists() && !path.join("other").exists());
}

#[test]
fn who_comes_while_another_one_builds_takes_its_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let products = products(300, 9);
    let asked = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let all = products.iter().cloned().map(Ok).inspect(|_| {
                    asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                });
                DiskIndex::build(&path, "hash", all, 300, &()).unwrap();
            });
        }
    });
    assert_eq!(asked.into_inner(), 4 * products.len());
    let index = DiskIndex::open(&path, "hash").unwrap();
    assert_eq!(index.len(), products.len());
    let other = DiskIndex::build(&path, "other", [], 0, &());
    assert!(other.unwrap_err().to_string().contains("another catalogue"));
}

#[test]
fn the_progress_is_told() {
    struct Messages(std::sync::Mutex<Vec<String>>);
    impl Progress for Messages {
        fn loaded(&self, what: &str, pieces: u64, of: u64) {
            self.0.lock().unwrap().push(format!("{what} {pieces}/{of}"));
        }
    }
    let told = Messages(std::sync::Mutex::default());
    let folder = tempfile::tempdir().unwrap();
    let all = products(5_000, 9).into_iter().map(Ok);
    DiskIndex::build(&folder.path().join("index"), "hash", all, 5_000, &told).unwrap();
    let told = told.0.into_inner().unwrap();
    assert_eq!(told[..2], ["products 4096/5000", "products 5000/5000"]);
    let words = told.last().unwrap();
    assert!(words.starts_with("words ") && told.len() == 3, "{told:?}");
}

/// Whatever byte of the files is another one or missing, the answer is an error or the right one.
#[test]
fn a_damaged_index_gives_errors_and_no_wrong_answers() {
    let products = products(120, 12);
    let folder = tempfile::tempdir().unwrap();
    let whole = built(&products, folder.path());
    let expected = whole.search("w1q w3q size", 20).unwrap();
    let first = whole.product(0).unwrap();
    let path = folder.path().join("index");
    for name in ["header", "data"] {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 300 + 1) {
            let mut other = bytes.clone();
            other[at] ^= 0x55;
            let shorter = bytes[..at].to_vec();
            for damaged in [other, shorter] {
                fs::write(&file, damaged).unwrap();
                let Ok(index) = DiskIndex::open(&path, "hash") else {
                    continue;
                };
                if let Ok(hits) = index.search("w1q w3q size", 20) {
                    assert_eq!(hits, expected, "{name} {at}");
                }
                if let Ok(product) = index.product(0) {
                    assert_eq!(product, first, "{name} {at}");
                }
            }
        }
        fs::write(&file, bytes).unwrap();
    }
    // Cut while it is open.
    let index = DiskIndex::open(&path, "hash").unwrap();
    fs::write(path.join("data"), "short").unwrap();
    assert!(index.search("w1q", 20).is_err());
    assert!(index.product(3).is_err());
}
