//! Whose a difference between two casts is: Shapley shares of their seats over the casts between them.

use std::collections::BTreeMap;

use super::bootstrap::{self, TaskSum, whole};
use super::{EpisodeResult, Estimate, Pairable, wilson};

/// A seat's part in the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatShare {
    /// The seat.
    pub seat: String,
    /// The difference that is its own: what it adds on average over all orders in which the seats change
    /// (Shapley 1953, "A value for n-person games"). The shares of all seats add up to the difference.
    pub share: Estimate,
    /// Of the episodes that the first cast failed, those that are solved with this seat of the second.
    pub mended: Estimate,
    /// Of the episodes that the first cast solved, those that are not.
    pub spoiled: Estimate,
}

/// Two casts, and the seats in which they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatShares {
    /// The figure that was shared out.
    pub metric: String,
    /// Episodes that every cast played and that count in all of them.
    pub episodes: usize,
    /// The mean of each cast by the seats that it has of the second: bit `i` of the number is seat `i`.
    pub means: Vec<f64>,
    /// The second cast less the first.
    pub difference: Estimate,
    /// The seats.
    pub seats: Vec<SeatShare>,
}

/// An episode of every cast, by the seats of each.
type Mixed<'a> = Vec<&'a EpisodeResult>;

impl SeatShares {
    /// The shares of `seats` in the difference of a metric. `casts` has the episodes of every cast, that with the
    /// seats of the bits of `i` at place `i`. None if no episode counts in all of them.
    pub fn of(seats: &[String], casts: &[Vec<EpisodeResult>], metric: &str) -> Option<Self> {
        let mixed = common(casts, metric);
        if mixed.is_empty() {
            return None;
        }
        let value = |result: &EpisodeResult| result.measures.get(metric).number().unwrap_or_default();
        let means = (0..casts.len()).map(|cast| {
            let sum: f64 = mixed.iter().map(|all| value(all[cast])).sum();
            sum / mixed.len() as f64
        });
        let last = casts.len() - 1;
        let share = |bit: usize| {
            let seat = by_task(&mixed, |all| {
                let weighed = (0..casts.len()).filter(|cast| cast >> bit & 1 == 0).map(|cast| {
                    let adds = value(all[cast | 1 << bit]) - value(all[cast]);
                    weight(cast.count_ones(), seats.len()) * adds
                });
                weighed.sum()
            });
            SeatShare {
                seat: seats[bit].clone(),
                share: seat,
                mended: turned(&mixed, bit, false),
                spoiled: turned(&mixed, bit, true),
            }
        };
        Some(Self {
            metric: metric.to_owned(),
            episodes: mixed.len(),
            means: means.collect(),
            difference: by_task(&mixed, |all| value(all[last]) - value(all[0])),
            seats: (0..seats.len()).map(share).collect(),
        })
    }
}

/// The weight of what a seat adds to so many others, of so many seats in all: the share of the orders in which these
/// come before it.
fn weight(others: u32, seats: usize) -> f64 {
    let factorial = |number: usize| (1..=number).map(|factor| factor as f64).product::<f64>();
    let others = others as usize;
    factorial(others) * factorial(seats - 1 - others) / factorial(seats)
}

/// The episodes that count in every cast and of which the metric says something, in the order of tasks.
fn common<'a>(casts: &'a [Vec<EpisodeResult>], metric: &str) -> Vec<Mixed<'a>> {
    let mut all: BTreeMap<(&str, u32), Mixed<'a>> = BTreeMap::new();
    for cast in casts {
        for result in cast {
            let says = result.measures.get(metric).number().is_some();
            if result.counts() && says {
                all.entry((result.task(), result.repeat())).or_default().push(result);
            }
        }
    }
    all.retain(|_, mixed| mixed.len() == casts.len());
    all.into_values().collect()
}

/// The mean of a figure of the episodes, with the bootstrap interval over tasks.
fn by_task(mixed: &[Mixed<'_>], figure: impl Fn(&Mixed<'_>) -> f64) -> Estimate {
    let same = |one: &Mixed<'_>, other: &Mixed<'_>| one[0].task() == other[0].task();
    let parts = mixed.chunk_by(same).map(|task| {
        let mut part = TaskSum::default();
        task.iter().for_each(|all| part.add(figure(all)));
        part
    });
    let parts: Vec<TaskSum> = parts.collect();
    let all = whole(&parts);
    Estimate::Mean { n: mixed.len(), mean: all.sum / all.n, interval: bootstrap::interval(&parts) }
}

/// Of the episodes that the first cast solved or not, those that come out otherwise with one seat of the second.
fn turned(mixed: &[Mixed<'_>], bit: usize, solved: bool) -> Estimate {
    let turned: Vec<bool> =
        mixed.iter().filter(|all| all[0].success == solved).map(|all| all[1 << bit].success != solved).collect();
    match turned.len() {
        0 => Estimate::Empty,
        n => wilson(turned.iter().filter(|yes| **yes).count(), n),
    }
}
