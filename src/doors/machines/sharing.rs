//! How those who play a run share what only all of them together may use.

use super::WorkerState;
use rolecall_core::ports::model::ModelShare;

/// The part of one worker.
pub(super) struct Sharing<'a> {
    others: Vec<&'a WorkerState>,
    /// Live workers whose names come before its own.
    before: usize,
    /// Live workers, this one included.
    pub(super) live: usize,
}

impl<'a> Sharing<'a> {
    /// The part of the one with this name.
    pub(super) fn of(workers: &'a [WorkerState], own: &str) -> Self {
        let others = workers.iter().filter(|state| state.heartbeat.worker != own);
        let others: Vec<&WorkerState> = others.collect();
        let live = others.iter().filter(|state| state.alive);
        let before = live.clone().filter(|state| *state.heartbeat.worker < *own);
        Self { before: before.count(), live: live.count() + 1, others }
    }

    /// Its part of so many: the parts of all make up the whole, and differ by one at most.
    pub(super) fn part(&self, whole: usize) -> usize {
        whole / self.live + usize::from(self.before < whole % self.live)
    }

    /// Its part of a model's limits. Who is lost or has left spends nothing more.
    pub(super) fn model(&self, name: &str) -> ModelShare {
        let mut share = ModelShare {
            workers: u32::try_from(self.live).unwrap_or(u32::MAX),
            spent_elsewhere: 0.0,
            reserved_elsewhere: 0.0,
        };
        for state in &self.others {
            let of = |money: &std::collections::BTreeMap<String, f64>| money.get(name).copied().unwrap_or_default();
            let spent = of(&state.heartbeat.spent);
            let reserved = of(&state.heartbeat.reserved);
            share.spent_elsewhere += spent;
            share.reserved_elsewhere += if state.alive { spent.max(reserved) } else { spent };
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::Heartbeat;

    fn worker(name: &str, alive: bool) -> WorkerState {
        let money = |amount| [("large".to_owned(), amount)].into();
        let heartbeat =
            Heartbeat { worker: name.to_owned(), spent: money(1.0), reserved: money(3.0), ..Heartbeat::default() };
        WorkerState { heartbeat, alive }
    }

    #[test]
    fn parts_are_even_and_make_up_the_whole() {
        let workers = ["a", "b", "c", "d"].map(|name| worker(name, true));
        for whole in [0, 1, 7, 64] {
            let parts = ["a", "b", "c", "d"].map(|own| Sharing::of(&workers, own).part(whole));
            assert_eq!(parts.iter().sum::<usize>(), whole);
            assert!(parts[0] - parts[3] <= 1);
        }
        // Who is not there yet counts for itself.
        assert_eq!(Sharing::of(&workers, "e").live, 5);
    }

    #[test]
    fn who_is_gone_has_spent_and_reserves_nothing() {
        let workers = [worker("a", true), worker("b", false), worker("c", true)];
        let share = Sharing::of(&workers, "c").model("large");
        let expected = ModelShare { workers: 2, spent_elsewhere: 2.0, reserved_elsewhere: 4.0 };
        assert_eq!(share, expected);
        assert_eq!(Sharing::of(&workers, "c").model("other").spent_elsewhere, 0.0);
    }
}
