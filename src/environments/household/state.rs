//! The changing state of a room: plain facts, without any notion of "the place" of an
//! object, since official games hold objects that are in two receptacles at once.

use super::Pairs;

/// Stands for "no thing" and "no location".
pub(crate) const NONE: u16 = u16::MAX;

/// The entry of a table for a thing; [`NONE`] where it has no row.
#[inline]
pub(crate) fn entry(table: &[u16], thing: u16) -> u16 {
    table.get(usize::from(thing)).copied().unwrap_or(NONE)
}

/// The conditions of a thing, as bits.
pub(crate) mod conditions {
    pub(crate) const OPENED: u8 = 1;
    pub(crate) const CLEAN: u8 = 1 << 1;
    pub(crate) const HOT: u8 = 1 << 2;
    pub(crate) const COOL: u8 = 1 << 3;
    pub(crate) const SLICED: u8 = 1 << 4;
    pub(crate) const TOGGLED: u8 = 1 << 5;
}

/// The changing facts of a room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// The location of the agent.
    pub(crate) location: u16,
    /// The thing it holds; [`NONE`] for nothing.
    pub(crate) holding: u16,
    /// Conditions per thing.
    pub(crate) conditions: Box<[u8]>,
    /// Receptacle and object in it.
    pub(crate) contents: Pairs,
    /// Location and object at it.
    pub(crate) objects_at: Pairs,
    /// Object and receptacle it was taken from and is not back in.
    pub(crate) taken_from: Pairs,
}

impl State {
    /// Whether the thing is in that condition.
    pub(crate) fn is(&self, thing: u16, condition: u8) -> bool {
        self.conditions.get(usize::from(thing)).is_some_and(|conditions| conditions & condition != 0)
    }

    /// Puts a thing into a condition or takes it out of it.
    pub(crate) fn set(&mut self, thing: u16, condition: u8, value: bool) {
        if let Some(conditions) = self.conditions.get_mut(usize::from(thing)) {
            *conditions = if value { *conditions | condition } else { *conditions & !condition };
        }
    }

    /// The thing held, if any.
    pub(crate) fn held(&self) -> Option<u16> {
        (self.holding != NONE).then_some(self.holding)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.conditions.len() + self.contents.heap_bytes() + self.objects_at.heap_bytes() + self.taken_from.heap_bytes()
    }
}
