//! The random numbers of the original programs, which begin anew with each task.

use crate::text::mt19937::PythonRandom;

/// The seed of all of them.
pub(super) const SEED: u64 = 42;

/// What is drawn of a task after the order of its details was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws(PythonRandom);

impl Draws {
    /// The numbers after those that ordered so many details.
    pub fn after(details: usize) -> Self {
        let mut random = PythonRandom::new(SEED);
        for _ in 0..details {
            random.random();
        }
        Self(random)
    }

    /// The place of a choice among so many.
    pub fn choice(&mut self, among: usize) -> usize {
        self.0.randrange(among)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_those_of_python() {
        let among = [20, 20, 20, 20, 17, 5, 1, 2, 3, 100, 12, 12];
        for (details, expected) in
            [(0, [3, 0, 8, 7, 7, 1, 0, 0, 2, 54, 0, 0]), (3, [7, 4, 3, 17, 2, 4, 0, 0, 0, 11, 3, 3])]
        {
            let mut draws = Draws::after(details);
            assert_eq!(among.map(|among| draws.choice(among)), expected);
        }
    }
}
