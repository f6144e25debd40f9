//! How far raters agree.

pub use crate::evaluation::bootstrap::Figure;

use crate::evaluation::bootstrap::figure;

/// Labels by item and rater.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    /// Number of labels.
    pub labels: usize,
    /// Whether they have an order.
    pub ordinal: bool,
    /// One list an item: the place of the label that each rater gave, if it gave one.
    pub items: Vec<Vec<Option<usize>>>,
}

/// Agreement of two raters.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    /// The raters, by their places.
    pub raters: (usize, usize),
    /// Items that both labelled.
    pub items: usize,
    /// The share of them with the same label.
    pub raw: Option<Figure>,
    /// Cohen's kappa, with quadratic weights where labels have an order. None where chance alone would make
    /// them agree.
    pub kappa: Option<Figure>,
    /// Items by the label of the first and of the second.
    pub confusion: Vec<Vec<u64>>,
    /// By label: the share of its uses by either with which the other agrees.
    pub by_label: Vec<Option<f64>>,
}

/// Agreement of all raters.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Each pair of raters.
    pub pairs: Vec<Between>,
    /// Items that at least two raters labelled.
    pub items: usize,
    /// Items that all raters labelled.
    pub complete: usize,
    /// Fleiss' kappa over the items that all labelled.
    pub fleiss: Option<Figure>,
    /// Krippendorff's alpha, nominal or, where labels have an order, ordinal; labels may be missing.
    pub alpha: Option<Figure>,
    /// By label: the share of its uses with which another rater of the item agrees.
    pub by_label: Vec<Option<f64>>,
}

/// Computes all of it.
pub fn agreement(ratings: &Ratings) -> Agreement {
    let raters = ratings.items.iter().map(Vec::len).max().unwrap_or(0);
    let given = |item: &&Vec<Option<usize>>| item.iter().flatten().count();
    let several: Vec<Vec<Option<usize>>> = ratings.items.iter().filter(|item| given(item) > 1).cloned().collect();
    let complete = several.iter().filter(|item| given(item) == raters);
    let complete: Vec<Vec<Option<usize>>> = complete.cloned().collect();
    let (labels, ordinal) = (ratings.labels, ratings.ordinal);
    let pairs = (0..raters).flat_map(|one| (one + 1..raters).map(move |other| (one, other)));
    Agreement {
        pairs: pairs.map(|pair| between(ratings, pair)).collect(),
        items: several.len(),
        complete: complete.len(),
        fleiss: figure(&complete, |items| fleiss(items, labels)),
        alpha: figure(&several, |items| alpha(items, labels, ordinal)),
        by_label: (0..labels).map(|label| on_label(&several, label)).collect(),
    }
}

fn between(ratings: &Ratings, raters: (usize, usize)) -> Between {
    let labels = ratings.labels;
    let of = |item: &Vec<Option<usize>>| {
        let given = |rater: usize| item.get(rater).copied().flatten();
        Some((given(raters.0)?, given(raters.1)?))
    };
    let both: Vec<(usize, usize)> = ratings.items.iter().filter_map(of).collect();
    let mut confusion = vec![vec![0; labels]; labels];
    for (one, other) in &both {
        if let Some(count) = confusion.get_mut(*one).and_then(|row| row.get_mut(*other)) {
            *count += 1;
        }
    }
    let by_label = (0..labels).map(|label| {
        let uses_it = |(one, other): &&(usize, usize)| *one == label || *other == label;
        let used = both.iter().filter(uses_it);
        let (mut uses, mut agreed) = (0_u32, 0_u32);
        for (one, other) in used {
            let same = one == other;
            uses += 1 + u32::from(same);
            agreed += 2 * u32::from(same);
        }
        (uses > 0).then(|| f64::from(agreed) / f64::from(uses))
    });
    Between {
        raters,
        items: both.len(),
        raw: figure(&both, raw),
        kappa: figure(&both, |both| kappa(both, labels, ratings.ordinal)),
        by_label: by_label.collect(),
        confusion,
    }
}

/// The share of equal labels.
fn raw(both: &[(usize, usize)]) -> Option<f64> {
    let same = both.iter().filter(|(one, other)| one == other).count();
    (!both.is_empty()).then(|| same as f64 / both.len() as f64)
}

/// Cohen's kappa (Educational and Psychological Measurement 20, 1960) of the labels of two raters, or with
/// weights by the squared distance of labels that have an order (Psychological Bulletin 70, 1968). None if
/// nothing but agreement was to be expected.
pub fn kappa(both: &[(usize, usize)], labels: usize, weighted: bool) -> Option<f64> {
    let n = both.len() as f64;
    let (mut first, mut second) = (vec![0.0; labels], vec![0.0; labels]);
    let weight = |one: usize, other: usize| match weighted {
        true => (one as f64 - other as f64).powi(2),
        false => f64::from(u8::from(one != other)),
    };
    let mut observed = 0.0;
    for (one, other) in both {
        *first.get_mut(*one)? += 1.0;
        *second.get_mut(*other)? += 1.0;
        observed += weight(*one, *other);
    }
    let mut expected = 0.0;
    for (one, count) in first.iter().enumerate() {
        for (other, others) in second.iter().enumerate() {
            expected += weight(one, other) * count * others / n;
        }
    }
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

/// Fleiss' kappa (Psychological Bulletin 76, 1971) of items that all have the same number of labels. None
/// if nothing but agreement was to be expected.
pub fn fleiss(items: &[Vec<Option<usize>>], labels: usize) -> Option<f64> {
    let mut shares = vec![0.0; labels];
    let (mut agreed, mut total) = (0.0, 0.0);
    for item in items {
        let counts = counts(item, labels);
        let n: f64 = counts.iter().sum();
        if n < 2.0 {
            continue;
        }
        let same: f64 = counts.iter().map(|count| count * (count - 1.0)).sum();
        agreed += same / (n * (n - 1.0));
        total += 1.0;
        for (share, count) in shares.iter_mut().zip(&counts) {
            *share += count / n;
        }
    }
    if total == 0.0 {
        return None;
    }
    let expected: f64 = shares.iter().map(|share| (share / total).powi(2)).sum();
    (expected < 1.0).then(|| (agreed / total - expected) / (1.0 - expected))
}

/// Krippendorff's alpha (Content Analysis, 2004) of labels that may be missing: nominal, or ordinal where
/// they have an order. None if all labels are the same.
pub fn alpha(items: &[Vec<Option<usize>>], labels: usize, ordinal: bool) -> Option<f64> {
    let mut coincident = vec![vec![0.0; labels]; labels];
    let mut totals = vec![0.0; labels];
    for item in items {
        let counts = counts(item, labels);
        let n: f64 = counts.iter().sum();
        if n < 2.0 {
            continue;
        }
        for (one, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            totals[one] += count;
            for (other, others) in counts.iter().enumerate() {
                let pairs = count * (others - f64::from(u8::from(one == other)));
                coincident[one][other] += pairs / (n - 1.0);
            }
        }
    }
    let n: f64 = totals.iter().sum();
    let distance = |one: usize, other: usize| {
        if !ordinal {
            return f64::from(u8::from(one != other));
        }
        let (low, high) = (one.min(other), one.max(other));
        let between: f64 = totals.iter().take(high + 1).skip(low).sum();
        (between - f64::midpoint(totals[low], totals[high])).powi(2)
    };
    let (mut observed, mut expected) = (0.0, 0.0);
    for one in 0..labels {
        for other in (0..labels).filter(|other| *other != one) {
            let distance = distance(one, other);
            observed += coincident[one][other] * distance;
            expected += totals[one] * totals[other] * distance;
        }
    }
    (expected > 0.0).then(|| 1.0 - (n - 1.0) * observed / expected)
}

/// How often an item got each label.
fn counts(item: &[Option<usize>], labels: usize) -> Vec<f64> {
    let mut counts = vec![0.0; labels];
    for label in item.iter().flatten() {
        if let Some(count) = counts.get_mut(*label) {
            *count += 1.0;
        }
    }
    counts
}

/// The share of the uses of a label with which another rater of the item agrees.
fn on_label(items: &[Vec<Option<usize>>], label: usize) -> Option<f64> {
    let (mut agreed, mut uses) = (0.0, 0.0);
    for item in items {
        let raters = item.iter().flatten().filter(|given| **given == label).count() as f64;
        let all = item.iter().flatten().count() as f64;
        agreed += raters * (raters - 1.0).max(0.0);
        uses += raters * (all - 1.0);
    }
    (uses > 0.0).then(|| agreed / uses)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By hand: 2 of 4 agree, and so do 2 of 4 by chance.
    #[test]
    fn agreement_by_chance_is_none() {
        let both = [(0, 0), (0, 1), (1, 0), (1, 1)];
        assert_eq!(kappa(&both, 2, false), Some(0.0));
        assert_eq!(kappa(&[(1, 1), (1, 1)], 2, false), None);
        assert_eq!(alpha(&[vec![Some(1), Some(1)]], 2, false), None);
        assert_eq!(fleiss(&[vec![Some(1), None]], 2), None);
        let none = agreement(&Ratings::default());
        assert_eq!((none.items, none.alpha), (0, None));
    }

    proptest! {
        // Each case draws some ten thousand times.
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn raters_who_agree_have_one_and_nobody_has_more(
            items in proptest::collection::vec(
                proptest::collection::vec(proptest::option::of(0_usize..4), 3), 1..20,
            ),
            ordinal in any::<bool>(),
        ) {
            let of = |items: Vec<Vec<Option<usize>>>| {
                agreement(&Ratings { labels: 4, ordinal, items })
            };
            let same = items.iter().map(|item| vec![item[0]; 3]).collect();
            let figures = |found: &Agreement| {
                let all = found.pairs.iter().flat_map(|pair| [pair.raw, pair.kappa]).chain([found.fleiss, found.alpha]).flatten();
                all.collect::<Vec<Figure>>()
            };
            for figure in figures(&of(same)) {
                prop_assert!((figure.value - 1.0).abs() < 1e-9, "{figure:?}");
            }
            for figure in figures(&of(items)) {
                prop_assert!(figure.value <= 1.0 + 1e-9 && figure.value.is_finite());
            }
        }
    }
}
