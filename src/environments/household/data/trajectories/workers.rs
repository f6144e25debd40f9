//! Does numbered work on every core, and hands the results on in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::{available_parallelism, scope};

/// Results that may wait to be handed on.
const WAITING: usize = 16;

/// Does the work of the numbers below `count`; `take` gets every result, the first number's first.
///
/// # Errors
/// The first error of `work`, by number, or of `take`; nothing is handed on after it.
pub(super) fn in_order<T: Send>(
    count: usize,
    work: impl Fn(usize) -> anyhow::Result<T> + Sync,
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let workers = available_parallelism().map_or(1, usize::from).min(count);
    scope(|threads| {
        let (results, done) = sync_channel(WAITING);
        for _ in 0..workers {
            let (results, next, work) = (results.clone(), &next, &work);
            threads.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more after an error.
                    if number >= count || results.send((number, work(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in done {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                take(result?)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_up_to_the_first_error() {
        let mut taken = Vec::new();
        let square = |number: usize| {
            if number == 70 {
                anyhow::bail!("no {number}");
            }
            Ok(number * number)
        };
        let mut take = |result| {
            taken.push(result);
            Ok(())
        };
        in_order(50, square, &mut take).unwrap();
        let error = in_order(100, square, &mut take).unwrap_err();
        assert_eq!(error.to_string(), "no 70");
        let expected = (0..50).chain(0..70).map(|number| number * number);
        assert_eq!(taken, expected.collect::<Vec<_>>());
        in_order(0, square, |_| Ok(())).unwrap();
    }
}
