//! A handful of values by seat. Casts have few seats: a list is smaller than a tree and as fast.

use rolecall_core::domain::Seat;

/// Values by seat, in the order in which they were put in.
#[derive(Clone)]
pub(crate) struct Seats<T>(Vec<(Seat, T)>);

impl<T> Seats<T> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn get(&self, seat: &Seat) -> Option<&T> {
        self.0.iter().find(|(of, _)| of == seat).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, seat: &Seat) -> Option<&mut T> {
        self.0.iter_mut().find(|(of, _)| of == seat).map(|(_, value)| value)
    }

    /// Puts a value in the seat's place and returns the one that was there.
    pub(crate) fn insert(&mut self, seat: Seat, value: T) -> Option<T> {
        if let Some(old) = self.get_mut(&seat) {
            return Some(std::mem::replace(old, value));
        }
        self.0.reserve_exact(1);
        self.0.push((seat, value));
        None
    }

    /// Replaces the value of each seat.
    pub(crate) fn map<U>(self, mut value: impl FnMut(&Seat, T) -> U) -> Seats<U> {
        let values = self.0.into_iter().map(|(seat, of)| {
            let value = value(&seat, of);
            (seat, value)
        });
        Seats(values.collect())
    }

    /// Takes the seat's value out.
    pub(crate) fn remove(&mut self, seat: &Seat) -> Option<T> {
        let position = self.0.iter().position(|(of, _)| of == seat)?;
        Some(self.0.swap_remove(position).1)
    }
}
