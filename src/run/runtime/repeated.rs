//! Moves that a role makes over and over: models that write the same line, or the same few in turn, never stop by
//! themselves.

use std::hash::{DefaultHasher, Hash, Hasher};

use rolecall_core::domain::Move;

/// The most moves that are made in turn.
const PERIODS: usize = 3;

/// The latest moves of a role, and for how long they have been those of so many moves before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Repeated {
    /// Hashes of the latest moves, the newest first. 0: none.
    latest: [u64; PERIODS],
    /// For each period, how many moves in a row were the same as the one that long before.
    same: [u32; PERIODS],
}

impl Repeated {
    pub(super) fn take(&mut self, made: &Move) {
        let mut hasher = DefaultHasher::new();
        made.kind().hash(&mut hasher);
        match made {
            Move::Think { text } | Move::Speak { text, .. } | Move::Learn { lesson: text } => text.hash(&mut hasher),
            Move::Act { action } => action.text.hash(&mut hasher),
            // Plans, verdicts and answers are few, and have forms that no text tells apart.
            Move::Plan { .. } | Move::Judge { .. } | Move::Finish { .. } => return *self = Self::default(),
        }
        let hash = hasher.finish() | 1;
        for (period, same) in self.same.iter_mut().enumerate() {
            *same = if self.latest[period] == hash { same.saturating_add(1) } else { 0 };
        }
        self.latest.rotate_right(1);
        self.latest[0] = hash;
    }

    /// Whether the same moves were made so many times in a row.
    pub(super) fn repeats(&self, most: u32) -> bool {
        let times = most.saturating_sub(1);
        (1..).zip(self.same).any(|(period, same)| same >= times.saturating_mul(period) && same > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_counted_in_turns_of_up_to_three_moves() {
        let of = |texts: &[&str]| {
            let mut moves = Repeated::default();
            texts.iter().for_each(|text| moves.take(&Move::act(*text)));
            moves
        };
        assert!(of(&["a", "a", "a"]).repeats(3) && !of(&["a", "a", "a"]).repeats(4));
        assert!(!of(&["a", "a", "b", "a"]).repeats(3));
        assert!(of(&["a", "b", "a", "b", "a", "b"]).repeats(3) && !of(&["a", "b", "a", "b", "a"]).repeats(3));
        assert!(of(&["x", "a", "b", "c", "a", "b", "c"]).repeats(2));
        assert!(!of(&["a", "b", "c", "d", "a", "b", "c", "d"]).repeats(2));
        let mut moves = of(&["a", "a"]);
        moves.take(&Move::think("a"));
        assert!(!moves.repeats(3) && !of(&["a"]).repeats(1) && !Repeated::default().repeats(1));
    }
}
