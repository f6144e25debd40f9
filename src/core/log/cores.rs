//! Work on all cores, whose results are taken in the order of what was worked on.

use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes of lines that a core is given at once.
pub(super) const BATCH: usize = 1 << 18;

/// Does `work` with each input, on all cores, and hands what comes of it to `take`, on this thread and
/// in the order of the inputs. They are made on a thread of their own, a few for each core ahead of what
/// was taken.
///
/// Fails with the first error of `take`; what comes after it is not taken.
pub(super) fn in_order<I: Send, T: Send, E>(
    inputs: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let work = &work;
    thread::scope(|scope| {
        let (expect, expected) = sync_channel::<Receiver<T>>(2 * cores);
        let (give, given) = channel();
        scope.spawn(move || {
            for input in inputs {
                let (answer, result) = sync_channel(1);
                if expect.send(result).is_err() || give.send((input, answer)).is_err() {
                    return;
                }
            }
        });
        let given = Arc::new(Mutex::new(given));
        for _ in 0..cores {
            let given = Arc::clone(&given);
            scope.spawn(move || {
                loop {
                    let next = given.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((input, answer)) = next else { return };
                    // Nobody waits for it if an earlier one was refused.
                    let _ = answer.send(work(input));
                }
            });
        }
        // Without a result, a thread has panicked, and so does the scope.
        expected.into_iter().map_while(|result| result.recv().ok()).try_for_each(&mut take)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_inputs_up_to_the_first_that_is_refused() {
        let made = AtomicUsize::new(0);
        let inputs = (0..10_000_usize).inspect(|_| {
            made.fetch_add(1, Ordering::Relaxed);
        });
        let mut taken = Vec::new();
        let refused = in_order(
            inputs,
            |input| input * 2,
            |result| match result {
                200 => Err(result),
                _ => {
                    taken.push(result);
                    Ok(())
                }
            },
        );
        assert_eq!(refused, Err(200));
        assert!(taken.into_iter().eq((0..100).map(|input| input * 2)));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        assert!(made.into_inner() <= 101 + 2 * cores + 1);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let none = std::iter::empty::<()>();
        assert_eq!(in_order(none, |()| (), |()| Err(())), Ok(()));
    }
}
