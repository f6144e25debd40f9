//! Comparison of figures of all responses of a side together: corpus BLEU is no mean of responses, so tasks are drawn
//! again (paired bootstrap resampling: Koehn, EMNLP 2004).

use super::Overlap;
use super::bootstrap::{Random, level_of};
use super::distributions::{normal_below, student_quantile};
use super::overlap::{Counts, Means};
use crate::ports::Response;

/// How often the tasks are drawn again, within these bounds: the more there are, the longer a draw takes.
const DRAWS: std::ops::RangeInclusive<usize> = 1_000..=2_000;
/// The tasks of all draws together, within these bounds.
const DRAWN: usize = 400_000;

/// The responses of both sides to a task: one pair for each time that it was played.
pub type ResponsePairs<'a> = Vec<[&'a Response; 2]>;

/// The difference in a figure of all responses together.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusDifference {
    /// The figure.
    pub overlap: Overlap,
    /// Number of pairs of responses.
    pub pairs: usize,
    /// The first side's figure, from 0 to 1.
    pub first: f64,
    /// The second side's figure.
    pub second: f64,
    /// The 95 % interval of second minus first; none where nothing differs, or of one task.
    pub interval: Option<(f64, f64)>,
    /// How probable so large a difference is if there is none; none of one task.
    pub p: Option<f64>,
}

impl CorpusDifference {
    /// Second minus first.
    pub fn difference(&self) -> f64 {
        self.second - self.first
    }

    /// Every figure of all responses together that both sides have. None if the responses are of several
    /// languages, which are cut into words in different ways.
    ///
    /// Interval and p are from the same draws of whole tasks, whose mean is put where it is expected: at the
    /// difference, and at 0. Draws repeat tasks, so that they have fewer different words than the data.
    pub fn all(tasks: &[ResponsePairs<'_>]) -> Vec<Self> {
        let mut responses = tasks.iter().flatten().flatten();
        let Some(language) = responses.next().map(|first| &first.language) else {
            return Vec::new();
        };
        if responses.any(|other| other.language != *language) {
            return Vec::new();
        }
        let means = Means::of(language);
        let tasks = Pooled::all(tasks, &means);
        let every: Vec<usize> = (0..tasks.len()).collect();
        let mut scratch = Scratch::default();
        let observed = scratch.figures(&tasks, &every, &means);
        let mut random = Random::seeded(tasks.len() as u64);
        let draws = match tasks.len() {
            0 | 1 => 0,
            many => (DRAWN / many).clamp(*DRAWS.start(), *DRAWS.end()),
        };
        let drawn = (0..draws).map(|_| {
            let chosen: Vec<usize> = every.iter().map(|_| random.below(every.len())).collect();
            scratch.figures(&tasks, &chosen, &means)
        });
        let drawn: Vec<[Figures; 2]> = drawn.collect();
        let pairs = tasks.iter().map(|task| task.pairs).sum();
        let compared = tasks.iter().any(|task| task.compared);
        let figures = Overlap::ALL.into_iter().enumerate().filter(|(_, overlap)| overlap.pools());
        let figures = figures.filter(|(_, overlap)| compared || !overlap.compares());
        let of = |(place, overlap): (usize, Overlap)| {
            let [first, second] = [0, 1].map(|side: usize| observed[side][place]);
            let differences = drawn.iter().map(|[one, other]| other[place] - one[place]);
            let (interval, p) = judged(second - first, differences.collect(), tasks.len());
            Self { overlap, pairs, first, second, interval, p }
        };
        figures.map(of).collect()
    }
}

/// The interval and the p value of a difference, from those of the draws.
fn judged(difference: f64, mut drawn: Vec<f64>, tasks: usize) -> (Option<(f64, f64)>, Option<f64>) {
    if drawn.is_empty() {
        return (None, None);
    }
    drawn.sort_unstable_by(f64::total_cmp);
    let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
    let far = |found: &&f64| (**found - mean).abs() >= difference.abs() - 1e-12;
    let p = (drawn.iter().filter(far).count() + 1) as f64 / (drawn.len() + 1) as f64;
    // Widened for few tasks, as the intervals of means are.
    let freedom = u32::try_from(tasks - 1).unwrap_or(u32::MAX);
    let z = student_quantile(freedom) * (tasks as f64 / f64::from(freedom)).sqrt();
    let end = |z: f64| difference + level_of(&drawn, normal_below(z)) - mean;
    let (low, high) = (end(-z).clamp(-1.0, difference), end(z).clamp(difference, 1.0));
    ((high - low > 1e-12).then_some((low, high)), Some(p))
}

/// The figures of a side, by the place of the [`Overlap`].
type Figures = [f64; Overlap::ALL.len()];

/// All that both sides responded to a task.
struct Pooled {
    pairs: usize,
    /// Some of them have references.
    compared: bool,
    sides: [PooledSide; 2],
}

#[derive(Default)]
struct PooledSide {
    counts: Counts,
    /// The numbers of its words, and of its pairs of words.
    grams: [Vec<u64>; 2],
}

impl Pooled {
    fn all(tasks: &[ResponsePairs<'_>], means: &Means) -> Vec<Self> {
        let mut pools = [1, 2].map(|order| means.distinct(order).pool());
        let mut pooled = |pairs: &ResponsePairs<'_>| {
            let mut task = Self { pairs: pairs.len(), compared: false, sides: Default::default() };
            for (response, side) in pairs.iter().flat_map(|pair| pair.iter().zip(0..)) {
                let pooled_side: &mut PooledSide = &mut task.sides[side];
                if !response.references.is_empty() {
                    task.compared = true;
                    pooled_side.counts.add(&Counts::of(response));
                }
                for (grams, pool) in pooled_side.grams.iter_mut().zip(&mut pools) {
                    grams.extend(pool.add(&response.text));
                }
            }
            task
        };
        tasks.iter().map(&mut pooled).collect()
    }
}

/// Which n-grams occurred in a draw: those that bear its number.
#[derive(Default)]
struct Scratch {
    draw: u32,
    seen: [Vec<u32>; 2],
}

impl Scratch {
    /// The figures of both sides over the tasks at these places.
    fn figures(&mut self, tasks: &[Pooled], places: &[usize], means: &Means) -> [Figures; 2] {
        [0, 1].map(|side: usize| {
            let chosen = || places.iter().filter_map(|place| Some(&tasks.get(*place)?.sides[side]));
            let mut counts = Counts::default();
            chosen().for_each(|drawn| counts.add(&drawn.counts));
            Overlap::ALL.map(|overlap| match overlap {
                Overlap::DistinctOne => self.distinct(0, chosen()),
                Overlap::DistinctTwo => self.distinct(1, chosen()),
                counted => counts.score(counted, means).unwrap_or_default(),
            })
        })
    }

    fn distinct<'a>(&mut self, order: usize, chosen: impl Iterator<Item = &'a PooledSide>) -> f64 {
        self.draw += 1;
        let seen = &mut self.seen[order];
        let (mut unique, mut total) = (0_u64, 0_u64);
        for gram in chosen.flat_map(|side| &side.grams[order]) {
            let place = usize::try_from(*gram).unwrap_or(usize::MAX);
            if place >= seen.len() {
                seen.resize(place + 1, 0);
            }
            total += 1;
            unique += u64::from(std::mem::replace(&mut seen[place], self.draw) != self.draw);
        }
        unique as f64 / total.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Corpus;

    fn response(text: &str, reference: &str) -> Response {
        Response {
            text: text.to_owned(),
            language: "en".to_owned(),
            references: vec![reference.to_owned()],
            ..Response::default()
        }
    }

    const WORDS: [&str; 9] = ["the", "abbey", "has", "nine", "rooms", "and", "a", "garden", "today"];

    /// A sentence of eight words that follows from a number, and one that differs from it in so many.
    fn said(task: usize, wrong: usize) -> String {
        let word = |place: usize| {
            let right = WORDS[(task * 5 + place * (task % 3 + 1)) % WORDS.len()];
            if place < wrong { format!("no{task}x{place}") } else { right.to_owned() }
        };
        (0..8).map(word).collect::<Vec<_>>().join(" ")
    }

    fn compared(wrong: impl Fn(usize) -> [usize; 2], tasks: usize) -> Vec<CorpusDifference> {
        let of = |task| wrong(task).map(|wrong| response(&said(task, wrong), &said(task, 0)));
        let all: Vec<[Response; 2]> = (0..tasks).map(of).collect();
        let pairs: Vec<ResponsePairs<'_>> = all.iter().map(|[one, other]| vec![[one, other]]).collect();
        let found = CorpusDifference::all(&pairs);
        // As each side's own pool has it.
        for side in [0, 1] {
            let mut corpus = Corpus::new("en");
            all.iter().for_each(|pair| corpus.add(&pair[side]));
            for figure in &found {
                let value = [figure.first, figure.second][side];
                let expected = corpus.pooled(figure.overlap).unwrap();
                assert!((value - expected).abs() < 1e-12, "{figure:?} {expected}");
            }
        }
        found
    }

    #[test]
    fn what_is_better_in_every_task_is_found_and_what_is_alike_is_not() {
        let found = compared(|task| [3 + task % 2, task % 2], 30);
        assert_eq!(found.len(), 6);
        for figure in &found {
            let (low, high) = figure.interval.unwrap();
            let at = figure.difference();
            assert!(low <= at && at <= high, "{figure:?}");
            // Fewer wrong words are nearer to the references, and fewer different words.
            let better = figure.overlap.compares();
            assert_eq!(low > 0.0, better, "{figure:?}");
            assert_eq!(high < 0.0, !better, "{figure:?}");
            assert!(figure.p.unwrap() < 0.01, "{figure:?}");
        }
        // As many wrong words on either side, in other tasks.
        for figure in compared(|task| [task % 4, (task + 2) % 4], 32) {
            let (low, high) = figure.interval.unwrap();
            assert!(low < 0.0 && high > 0.0 && figure.p.unwrap() > 0.05, "{figure:?}");
        }
    }

    #[test]
    fn one_task_and_equal_sides_have_no_interval() {
        for figure in compared(|_| [1, 0], 1) {
            assert_eq!((figure.interval, figure.p), (None, None));
        }
        for figure in compared(|task| [task % 3; 2], 9) {
            assert_eq!((figure.difference(), figure.interval, figure.p), (0.0, None, Some(1.0)));
        }
    }

    #[test]
    fn several_languages_have_no_figure_together() {
        let one = response("a", "a");
        let other = Response { language: "zh".to_owned(), ..one.clone() };
        assert!(CorpusDifference::all(&[vec![[&one, &one]], vec![[&other, &other]]]).is_empty());
        assert!(CorpusDifference::all(&[]).is_empty());
    }
}
