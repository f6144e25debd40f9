//! Which items are labelled, by whom, and in which order.

use crate::domain::Seed;

/// At most so many of the items, named by their ids: drawn by the seed, each as likely as any other. More of
/// them with the same seed hold the fewer ones.
pub fn chosen(mut ids: Vec<String>, most: Option<usize>, seed: Seed) -> Vec<String> {
    ids.sort_by_cached_key(|id| (seed.labelled("sample of items", id, 0).0, id.clone()));
    ids.truncate(most.unwrap_or(usize::MAX));
    ids
}

/// The items of each rater, each list in an order of its own. A share of them (rounded up) goes to all
/// raters; the others are dealt in turn.
pub fn dealt(ids: &[String], raters: u32, overlap: f64, seed: Seed) -> Vec<Vec<String>> {
    let common = (ids.len() as f64 * overlap.clamp(0.0, 1.0)).ceil() as usize;
    let (common, rest) = ids.split_at(common.min(ids.len()));
    let own = |rater: u32| {
        let dealt = rest.iter().zip((0..raters.max(1)).cycle());
        let dealt = dealt.filter(|(_, turn)| *turn == rater).map(|(id, _)| id);
        let mut own: Vec<String> = common.iter().chain(dealt).cloned().collect();
        own.sort_by_cached_key(|id| (seed.labelled("order of items", id, rater).0, id.clone()));
        own
    };
    (0..raters.max(1)).map(own).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn ids(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("u{number}")).collect()
    }

    proptest! {
        #[test]
        fn everybody_gets_the_common_ones_and_somebody_each_other(
            count in 0_usize..60, raters in 1_u32..5, overlap in 0.0_f64..=1.0, seed in any::<u64>(),
        ) {
            let sample = chosen(ids(60), Some(count), Seed(seed));
            let more = chosen(ids(60), Some(count + 5), Seed(seed));
            prop_assert_eq!(&more[..count], &sample[..]);
            let lists = dealt(&sample, raters, overlap, Seed(seed));
            let sets: Vec<BTreeSet<&String>> = lists.iter().map(|list| list.iter().collect()).collect();
            let common = (count as f64 * overlap).ceil() as usize;
            for id in &sample {
                let holders = sets.iter().filter(|set| set.contains(id)).count();
                let shared = sample.iter().position(|own| own == id).unwrap() < common;
                prop_assert_eq!(holders, if shared { raters as usize } else { 1 });
            }
            let longest = lists.iter().map(Vec::len).max().unwrap();
            prop_assert!(lists.iter().all(|list| longest - list.len() <= 1));
        }
    }
}
