//! The player's knowledge of the room's receptacles.

use super::class_of;

/// A receptacle as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownReceptacle {
    /// Its name.
    pub(super) name: Box<str>,
    /// Bytes of the name that are its class.
    class_length: u16,
    /// Receptacles of equal spots stand at one location: there is no `go to` between them.
    spot: u8,
    /// Whether it can be reached into.
    pub(super) state: Access,
    /// `open` was refused: it has no door, or is open.
    pub(super) no_door: bool,
    /// The object cannot be put (or treated) here.
    pub(super) refuses: bool,
    /// It cannot be reached.
    pub(super) dead: bool,
    /// Somebody said that the object is not here.
    pub(super) doubted: bool,
    /// An earlier trial of the same task has shown that the object is not here.
    pub(super) ruled_out: bool,
    /// When its contents were last seen, in observations; 0 for never.
    pub(super) seen_at: u16,
}

/// Whether a receptacle can be reached into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Access {
    /// Nobody has been there.
    #[default]
    Unknown,
    /// Closed.
    Closed,
    /// Open, or without a door.
    Open,
}

impl KnownReceptacle {
    /// The class of the receptacle.
    pub(super) fn class(&self) -> &str {
        self.name.get(..usize::from(self.class_length)).unwrap_or(&self.name)
    }
}

/// The receptacles of the room and where the player stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    places: Vec<KnownReceptacle>,
    here: Option<u8>,
}

impl Room {
    /// More receptacles than this are not remembered; official rooms have some forty.
    const MOST: usize = 250;

    /// Every receptacle, in the order of the room's description.
    pub(super) fn receptacles(&self) -> impl Iterator<Item = (u8, &KnownReceptacle)> {
        (0..).zip(&self.places)
    }

    /// The receptacles that something can be put into or treated with, as far as one knows.
    pub(super) fn usable(&self) -> impl Iterator<Item = (u8, &KnownReceptacle)> {
        self.receptacles().filter(|(_, place)| !place.dead && !place.refuses)
    }

    /// The receptacle of an index that this room gave out.
    pub(super) fn receptacle(&self, index: u8) -> Option<&KnownReceptacle> {
        self.places.get(usize::from(index))
    }

    /// The receptacle of an index, to be changed.
    pub(super) fn receptacle_mut(&mut self, index: u8) -> Option<&mut KnownReceptacle> {
        self.places.get_mut(usize::from(index))
    }

    /// The index of a name.
    pub(super) fn find(&self, name: &str) -> Option<u8> {
        self.named(name).map(|(index, _)| index)
    }

    /// The receptacle of a name, with its index.
    pub(super) fn named(&self, name: &str) -> Option<(u8, &KnownReceptacle)> {
        self.receptacles().find(|(_, place)| &*place.name == name)
    }

    /// The name of the receptacle of an index; empty if there is none.
    pub(super) fn name(&self, index: u8) -> &str {
        self.receptacle(index).map_or("", |place| &place.name)
    }

    /// The index of a name, which is added if it is new and there is room.
    pub(super) fn find_or_add(&mut self, name: &str) -> Option<u8> {
        if let Some(index) = self.find(name) {
            return Some(index);
        }
        if self.places.len() >= Self::MOST {
            return None;
        }
        let index = self.places.len() as u8;
        self.places.push(KnownReceptacle {
            name: name.into(),
            class_length: u16::try_from(class_of(name).len()).unwrap_or(u16::MAX),
            spot: index,
            ..KnownReceptacle::default()
        });
        Some(index)
    }

    /// Gives back what was reserved for growing, once the room was described.
    pub(super) fn described(&mut self) {
        self.places.shrink_to_fit();
    }

    /// Forgets what was seen (another task in the same room).
    pub(super) fn forget_contents(&mut self) {
        self.forget_doubts();
        for place in &mut self.places {
            place.seen_at = 0;
        }
    }

    /// Forgets what holds for the last task only.
    pub(super) fn forget_doubts(&mut self) {
        for place in &mut self.places {
            place.refuses = false;
            place.doubted = false;
            place.ruled_out = false;
        }
    }

    /// Whether the player stands where the receptacle is.
    pub(super) fn is_here(&self, index: u8) -> bool {
        self.here == self.receptacle(index).map(|place| place.spot)
    }

    /// The player has come to a receptacle.
    pub(super) fn arrive(&mut self, index: u8) {
        self.here = self.receptacle(index).map(|place| place.spot);
    }

    /// The receptacle turned out to stand where the player is. False if it is not known where
    /// that is, or if this was known already and so explains nothing.
    pub(super) fn merge_with_here(&mut self, index: u8) -> bool {
        let (Some(here), Some(place)) = (self.here, self.receptacle(index)) else {
            return false;
        };
        let spot = place.spot;
        if spot == here {
            return false;
        }
        for place in &mut self.places {
            if place.spot == spot {
                place.spot = here;
            }
        }
        true
    }

    /// The player sees which receptacles are here: these and no others.
    pub(super) fn facing(&mut self, indices: &[u8]) {
        let Some(first) = indices.first().copied() else {
            return;
        };
        for (index, place) in (0..).zip(&mut self.places) {
            if indices.contains(&index) {
                place.spot = first;
            } else if place.spot == first || Some(place.spot) == self.here {
                place.spot = index;
            }
        }
        self.here = Some(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room() -> Room {
        let mut room = Room::default();
        for name in ["bed 1", "desk 1", "drawer 2", "drawer 1"] {
            room.find_or_add(name);
        }
        room
    }

    #[test]
    fn receptacles_that_cannot_be_gone_to_are_here() {
        let mut room = room();
        assert!(!room.is_here(0) && !room.merge_with_here(1));
        room.arrive(1);
        assert!(room.merge_with_here(2) && room.is_here(2) && room.is_here(1));
        assert!(!room.merge_with_here(2), "this explains nothing new");
        room.arrive(0);
        assert!(!room.is_here(2));
        room.arrive(2);
        assert!(room.is_here(1));
    }

    #[test]
    fn looking_settles_who_is_here() {
        let mut room = room();
        room.arrive(0);
        room.merge_with_here(3);
        room.facing(&[1, 2]);
        assert!(room.is_here(1) && room.is_here(2) && !room.is_here(0) && !room.is_here(3));
    }
}
