//! The kinds of rooms: what furniture stands in them and what lies about. Weighted tables of our own,
//! set so that rooms are about as full as the official ones (`docs/household-games.md`).

use super::Span;

/// A class of receptacles in a kind of room.
#[derive(Debug)]
pub(super) struct Furniture {
    /// The class.
    pub(super) class: &'static str,
    /// So many always stand there.
    pub(super) least: usize,
    /// At most so many.
    pub(super) most: usize,
    /// How readily more of it are added, beside the other classes.
    pub(super) weight: usize,
}

/// A kind of room.
#[derive(Debug)]
pub(super) struct RoomKind {
    /// Its name, for messages.
    pub(super) name: &'static str,
    /// The hundreds of its floor plans' numbers, as in the official numbering.
    pub(super) hundreds: usize,
    /// The receptacles that can stand in it.
    pub(super) furniture: &'static [Furniture],
    /// The objects that can lie in it: classes of objects, with the chance in percent that some do.
    pub(super) classes: &'static [(&'static str, usize)],
    /// The usual number of receptacles.
    pub(super) receptacles: Span,
    /// The usual number of objects.
    pub(super) objects: Span,
}

const fn some(class: &'static str, least: usize, most: usize, weight: usize) -> Furniture {
    Furniture { class, least, most, weight }
}

/// All kinds; floor plans are dealt among them in this order.
pub(super) const KINDS: [RoomKind; 4] = [KITCHEN, BEDROOM, LIVING_ROOM, BATHROOM];

#[rustfmt::skip]
const KITCHEN: RoomKind = RoomKind {
    name: "kitchen",
    hundreds: 0,
    furniture: &[
        some("Cabinet", 1, 30, 40), some("CoffeeMachine", 1, 1, 0), some("CounterTop", 1, 4, 7),
        some("DiningTable", 0, 2, 2), some("Drawer", 0, 26, 18), some("Fridge", 1, 1, 0),
        some("GarbageCan", 1, 1, 0), some("Microwave", 1, 1, 0), some("Shelf", 0, 6, 8),
        some("SideTable", 0, 2, 1), some("SinkBasin", 1, 2, 1), some("StoveBurner", 4, 6, 1),
        some("Toaster", 1, 1, 0),
    ],
    classes: &[
        ("Apple", 100), ("Book", 8), ("Bowl", 100), ("Bread", 100), ("ButterKnife", 100), ("CellPhone", 50),
        ("CreditCard", 50), ("Cup", 100), ("DishSponge", 100), ("Egg", 100), ("Fork", 100),
        ("GlassBottle", 60), ("HousePlant", 70), ("Kettle", 25), ("Knife", 100), ("Ladle", 25),
        ("Lettuce", 100), ("Mug", 100), ("Pan", 100), ("Pen", 8), ("Pencil", 8), ("PepperShaker", 100),
        ("Plate", 100), ("Pot", 100), ("Potato", 100), ("SaltShaker", 100), ("SoapBottle", 100),
        ("Spatula", 100), ("Spoon", 100), ("SprayBottle", 8), ("Statue", 50), ("Tomato", 100), ("Vase", 50),
        ("WineBottle", 25),
    ],
    receptacles: Span::new(20, 40),
    objects: Span::new(34, 60),
};

#[rustfmt::skip]
const BEDROOM: RoomKind = RoomKind {
    name: "bedroom",
    hundreds: 300,
    furniture: &[
        some("ArmChair", 0, 2, 1), some("Bed", 1, 2, 1), some("Cabinet", 0, 8, 1), some("Desk", 1, 2, 3),
        some("Drawer", 2, 26, 20), some("Dresser", 0, 2, 1), some("GarbageCan", 1, 1, 0),
        some("LaundryHamper", 0, 1, 3), some("Safe", 0, 1, 3), some("Shelf", 0, 16, 14),
        some("SideTable", 0, 3, 2),
    ],
    classes: &[
        ("AlarmClock", 100), ("BaseballBat", 50), ("BasketBall", 50), ("Book", 100), ("Bowl", 75), ("Box", 25),
        ("CD", 100), ("CellPhone", 100), ("Cloth", 10), ("CreditCard", 100), ("DeskLamp", 85),
        ("HousePlant", 15), ("KeyChain", 100), ("Laptop", 100), ("Mug", 80), ("Pen", 100), ("Pencil", 100),
        ("Pillow", 100), ("RemoteControl", 5), ("Statue", 10), ("TissueBox", 10), ("Vase", 5), ("Watch", 5),
    ],
    receptacles: Span::new(8, 24),
    objects: Span::new(17, 31),
};

#[rustfmt::skip]
const LIVING_ROOM: RoomKind = RoomKind {
    name: "living room",
    hundreds: 200,
    furniture: &[
        some("ArmChair", 1, 3, 2), some("Cabinet", 0, 14, 8), some("CoffeeTable", 0, 2, 3),
        some("Desk", 0, 1, 1), some("DiningTable", 0, 2, 2), some("Drawer", 0, 26, 22),
        some("Dresser", 0, 2, 2), some("GarbageCan", 1, 1, 0), some("Ottoman", 0, 2, 1), some("Safe", 0, 1, 2),
        some("Shelf", 0, 16, 14), some("SideTable", 1, 5, 5), some("Sofa", 1, 2, 1), some("TVStand", 0, 2, 2),
    ],
    classes: &[
        ("Book", 30), ("Bowl", 15), ("Box", 100), ("Candle", 5), ("CellPhone", 55), ("CreditCard", 100),
        ("DeskLamp", 25), ("HousePlant", 90), ("KeyChain", 100), ("Laptop", 100), ("Newspaper", 70),
        ("Pen", 10), ("Pencil", 15), ("Pillow", 100), ("Plate", 20), ("RemoteControl", 100), ("Statue", 95),
        ("TissueBox", 55), ("Vase", 80), ("Watch", 65),
    ],
    receptacles: Span::new(10, 33),
    objects: Span::new(15, 31),
};

#[rustfmt::skip]
const BATHROOM: RoomKind = RoomKind {
    name: "bathroom",
    hundreds: 400,
    furniture: &[
        some("BathtubBasin", 0, 1, 3), some("Cabinet", 0, 24, 12), some("Cart", 0, 1, 1),
        some("CounterTop", 0, 2, 6), some("Drawer", 0, 20, 7), some("GarbageCan", 1, 1, 0),
        some("HandTowelHolder", 1, 4, 4), some("Shelf", 0, 8, 3), some("SideTable", 0, 1, 1),
        some("SinkBasin", 1, 2, 5), some("Toilet", 1, 1, 0), some("ToiletPaperHanger", 1, 1, 0),
        some("TowelHolder", 1, 2, 2),
    ],
    classes: &[
        ("Candle", 100), ("Cloth", 100), ("DishSponge", 15), ("HandTowel", 100), ("SoapBar", 100),
        ("SoapBottle", 100), ("SprayBottle", 100), ("TissueBox", 20), ("ToiletPaper", 100), ("Towel", 100),
    ],
    receptacles: Span::new(10, 20),
    objects: Span::new(10, 21),
};

impl RoomKind {
    /// The smallest and the largest number of receptacles that such a room can have.
    pub(super) fn bounds(&self) -> Span {
        let least = self.furniture.iter().map(|class| class.least).sum();
        let most = self.furniture.iter().map(|class| class.most).sum();
        Span::new(least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::{object_class, receptacle};
    use super::*;

    #[test]
    fn every_thing_has_a_place_in_every_room_of_its_kind() {
        for kind in &KINDS {
            for class in kind.furniture {
                assert!(receptacle(class.class).is_some(), "{}", class.class);
                assert!(class.least <= class.most);
                assert!(class.most == class.least || class.weight > 0);
            }
            for (name, chance) in kind.classes {
                let object = object_class(name).unwrap_or_else(|| panic!("{name}"));
                assert!((1..=100).contains(chance));
                let stands = |(place, _): &(&str, usize)| {
                    kind.furniture.iter().any(|class| class.class == *place && (class.least > 0 || *chance < 100))
                };
                assert!(object.places.iter().any(stands), "{name} in a {}", kind.name);
            }
            let (usual, possible) = (kind.receptacles, kind.bounds());
            assert!(possible.least() <= usual.least() && usual.most() <= possible.most());
        }
    }
}
