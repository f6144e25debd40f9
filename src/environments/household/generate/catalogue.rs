//! The classes of receptacles and objects: what can be opened, what fits where, what can be done with
//! an object, and where such a thing usually lies. A table of our own.

/// A kind of object that receptacles accept as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
enum Kind {
    Food, Dish, Pot, Cutlery, Bottle, Wash, Paper,
    Device, Small, Textile, Towel, Toy, Decoration, Fixed,
}

use Kind::{Bottle, Cutlery, Decoration, Device, Dish, Fixed, Food, Paper, Pot, Small, Textile, Towel, Toy, Wash};

/// How high above the floor things of a class stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Height {
    /// On the floor.
    Floor,
    /// At the height of a seat.
    Seat,
    /// At the height of a table or worktop.
    Table,
    /// One above the other, from the floor up.
    Stacked,
    /// Below or above a worktop.
    Wall,
    /// Hung at hand.
    Hung,
}

/// A class of receptacles.
#[derive(Debug)]
pub(super) struct ReceptacleClass {
    /// Its name as types are written, `CounterTop`.
    pub(super) name: &'static str,
    /// Whether it can be opened; it then starts closed.
    pub(super) openable: bool,
    /// Where it stands.
    pub(super) height: Height,
    kinds: &'static [Kind],
}

/// A class of objects.
#[derive(Debug)]
pub(super) struct ObjectClass {
    /// Its name as types are written, `DeskLamp`.
    pub(super) name: &'static str,
    kind: Kind,
    /// Properties by letter: `p`ickupable, `c`leanable, `h`eatable, coo`l`able, `s`liceable,
    /// `t`oggleable, `r`eceptacle object.
    pub(super) properties: &'static str,
    /// Where it usually lies: classes of receptacles with weights. It can be put elsewhere as well.
    pub(super) places: &'static [(&'static str, usize)],
}

const fn class_of_receptacle(
    name: &'static str,
    openable: bool,
    height: Height,
    kinds: &'static [Kind],
) -> ReceptacleClass {
    ReceptacleClass { name, openable, height, kinds }
}

const fn object(
    name: &'static str,
    kind: Kind,
    properties: &'static str,
    places: &'static [(&'static str, usize)],
) -> ObjectClass {
    ObjectClass { name, kind, properties, places }
}

/// Everything a broad surface takes.
const SURFACE: &[Kind] = &[Food, Dish, Pot, Cutlery, Bottle, Wash, Paper, Device, Small, Toy, Decoration, Fixed];

/// Kinds that lie on something to sit or sleep on.
const CUSHIONED: &[Kind] = &[Textile, Device, Small, Paper, Toy];

use Height::{Floor, Hung, Seat, Stacked, Table, Wall};

#[rustfmt::skip]
const RECEPTACLES: &[ReceptacleClass] = &[
    class_of_receptacle("ArmChair", false, Seat, CUSHIONED),
    class_of_receptacle("BathtubBasin", false, Floor, &[Wash, Textile, Towel]),
    class_of_receptacle("Bed", false, Seat, CUSHIONED),
    class_of_receptacle("Cabinet", true, Wall, &[Dish, Pot, Bottle, Wash, Paper, Textile, Toy, Decoration]),
    class_of_receptacle("Cart", false, Table, &[Wash, Paper, Textile, Bottle, Decoration]),
    class_of_receptacle("CoffeeMachine", false, Table, &[Dish]),
    class_of_receptacle("CoffeeTable", false, Seat, SURFACE),
    class_of_receptacle("CounterTop", false, Table, &[
        Food, Dish, Pot, Cutlery, Bottle, Wash, Paper, Device, Small, Textile, Toy, Decoration, Fixed,
    ]),
    class_of_receptacle("Desk", false, Table, SURFACE),
    class_of_receptacle("DiningTable", false, Table, SURFACE),
    class_of_receptacle("Drawer", true, Stacked, &[Cutlery, Bottle, Small, Paper, Device, Wash, Textile, Decoration]),
    class_of_receptacle("Dresser", false, Table, SURFACE),
    class_of_receptacle("Fridge", true, Floor, &[Food, Dish, Pot, Bottle]),
    class_of_receptacle("GarbageCan", false, Floor, &[Food, Paper, Small, Wash, Bottle, Textile]),
    class_of_receptacle("HandTowelHolder", false, Hung, &[Towel]),
    class_of_receptacle("LaundryHamper", true, Floor, &[Textile]),
    class_of_receptacle("Microwave", true, Table, &[Food, Dish]),
    class_of_receptacle("Ottoman", false, Seat, &[Textile, Device, Small, Toy]),
    class_of_receptacle("Safe", true, Floor, &[Small, Device, Decoration]),
    class_of_receptacle("Shelf", false, Stacked, &[
        Dish, Pot, Bottle, Wash, Paper, Device, Small, Textile, Toy, Decoration, Fixed,
    ]),
    class_of_receptacle("SideTable", false, Table, SURFACE),
    class_of_receptacle("SinkBasin", false, Table, &[Food, Dish, Pot, Cutlery, Bottle, Wash, Textile]),
    class_of_receptacle("Sofa", false, Seat, CUSHIONED),
    class_of_receptacle("StoveBurner", false, Table, &[Pot]),
    class_of_receptacle("Toaster", false, Table, &[]),
    class_of_receptacle("Toilet", false, Seat, &[Wash, Paper, Textile, Decoration]),
    class_of_receptacle("ToiletPaperHanger", false, Hung, &[Paper]),
    class_of_receptacle("TowelHolder", false, Hung, &[Towel]),
    class_of_receptacle("TVStand", false, Table, SURFACE),
];

#[rustfmt::skip]
const OBJECTS: &[ObjectClass] = &[
    object("AlarmClock", Device, "p", &[("Desk", 4), ("Shelf", 4), ("SideTable", 4), ("Dresser", 2)]),
    object("Apple", Food, "pchls", &[("Fridge", 4), ("CounterTop", 4), ("GarbageCan", 2), ("SinkBasin", 2), ("Microwave", 1), ("DiningTable", 3), ("SideTable", 1)]),
    object("BaseballBat", Toy, "p", &[("Bed", 2), ("Shelf", 1), ("ArmChair", 1)]),
    object("BasketBall", Toy, "p", &[("Bed", 1), ("Shelf", 2), ("ArmChair", 1)]),
    object("Book", Paper, "p", &[("Bed", 5), ("Desk", 3), ("Drawer", 2), ("SideTable", 2), ("CoffeeTable", 3), ("DiningTable", 2), ("Dresser", 2), ("Sofa", 2), ("ArmChair", 1), ("CounterTop", 1), ("Shelf", 1)]),
    object("Bowl", Dish, "pchlr", &[("Fridge", 3), ("Cabinet", 4), ("CounterTop", 4), ("DiningTable", 3), ("Shelf", 2), ("SinkBasin", 1), ("Desk", 2), ("SideTable", 2), ("CoffeeTable", 2), ("Microwave", 1)]),
    object("Box", Toy, "pr", &[("Sofa", 3), ("Cabinet", 2), ("DiningTable", 3), ("Dresser", 2), ("Shelf", 2), ("CoffeeTable", 2), ("SideTable", 1), ("Desk", 2), ("ArmChair", 1)]),
    object("Bread", Food, "phls", &[("CounterTop", 6), ("Fridge", 2), ("DiningTable", 3)]),
    object("ButterKnife", Cutlery, "pc", &[("CounterTop", 6), ("DiningTable", 3), ("SinkBasin", 2), ("Drawer", 3)]),
    object("Candle", Decoration, "p", &[("CounterTop", 4), ("Toilet", 3), ("Cabinet", 3), ("Drawer", 2), ("Shelf", 2), ("SideTable", 2), ("CoffeeTable", 2), ("Cart", 2), ("DiningTable", 1)]),
    object("CD", Small, "p", &[("Desk", 4), ("Drawer", 4), ("GarbageCan", 2), ("Shelf", 2), ("Dresser", 2), ("SideTable", 1), ("Safe", 1), ("TVStand", 2)]),
    object("CellPhone", Device, "p", &[("Bed", 3), ("Drawer", 3), ("Desk", 3), ("Dresser", 2), ("ArmChair", 2), ("Sofa", 2), ("CounterTop", 3), ("Shelf", 2), ("Safe", 1), ("SideTable", 1)]),
    object("Cloth", Textile, "pc", &[("Cabinet", 4), ("BathtubBasin", 3), ("CounterTop", 2), ("Drawer", 2), ("Shelf", 1), ("Cart", 2), ("Toilet", 1), ("SinkBasin", 1), ("LaundryHamper", 2)]),
    object("CreditCard", Small, "p", &[("Drawer", 4), ("Desk", 3), ("Shelf", 2), ("SideTable", 3), ("Sofa", 3), ("ArmChair", 2), ("Dresser", 2), ("CoffeeTable", 2), ("CounterTop", 2), ("Safe", 1)]),
    object("Cup", Dish, "pchlr", &[("Cabinet", 4), ("Fridge", 3), ("CounterTop", 4), ("SinkBasin", 2), ("DiningTable", 3), ("Microwave", 1), ("Shelf", 1), ("SideTable", 1)]),
    object("DeskLamp", Fixed, "t", &[("Desk", 6), ("SideTable", 3), ("Shelf", 2), ("Dresser", 2), ("DiningTable", 1), ("CoffeeTable", 1)]),
    object("DishSponge", Wash, "pc", &[("CounterTop", 4), ("Cabinet", 4), ("Drawer", 3), ("SinkBasin", 2), ("Shelf", 1), ("GarbageCan", 1), ("BathtubBasin", 1), ("Toilet", 1), ("Cart", 1)]),
    object("Egg", Food, "pchl", &[("Fridge", 4), ("CounterTop", 3), ("GarbageCan", 2), ("SinkBasin", 2), ("Microwave", 1), ("DiningTable", 2)]),
    object("Fork", Cutlery, "pc", &[("CounterTop", 5), ("Drawer", 4), ("DiningTable", 3), ("SinkBasin", 2)]),
    object("GlassBottle", Bottle, "p", &[("CounterTop", 4), ("Cabinet", 4), ("GarbageCan", 1), ("Shelf", 1), ("SinkBasin", 1), ("Fridge", 1)]),
    object("HandTowel", Towel, "p", &[("HandTowelHolder", 12), ("TowelHolder", 1), ("BathtubBasin", 1)]),
    object("HousePlant", Fixed, "", &[("CounterTop", 4), ("SideTable", 3), ("CoffeeTable", 2), ("DiningTable", 2), ("TVStand", 1), ("Shelf", 2), ("Dresser", 1), ("Desk", 1)]),
    object("Kettle", Pot, "pc", &[("StoveBurner", 5), ("CounterTop", 3), ("Cabinet", 2), ("DiningTable", 1)]),
    object("KeyChain", Small, "p", &[("Drawer", 3), ("Desk", 3), ("Safe", 2), ("Shelf", 2), ("SideTable", 3), ("Sofa", 2), ("Dresser", 2), ("CoffeeTable", 2), ("TVStand", 1), ("ArmChair", 1), ("DiningTable", 1)]),
    object("Knife", Cutlery, "pc", &[("CounterTop", 6), ("Drawer", 2), ("DiningTable", 2), ("SinkBasin", 1)]),
    object("Ladle", Cutlery, "pc", &[("CounterTop", 4), ("Drawer", 2), ("DiningTable", 2)]),
    object("Laptop", Device, "p", &[("Bed", 5), ("Desk", 4), ("Sofa", 3), ("DiningTable", 2), ("Dresser", 2), ("CoffeeTable", 3), ("ArmChair", 2), ("SideTable", 1), ("TVStand", 1)]),
    object("Lettuce", Food, "pcls", &[("CounterTop", 5), ("Fridge", 4), ("DiningTable", 3), ("SinkBasin", 1), ("GarbageCan", 1)]),
    object("Mug", Dish, "pchlr", &[("CounterTop", 4), ("CoffeeMachine", 3), ("Cabinet", 3), ("Fridge", 2), ("Microwave", 1), ("DiningTable", 2), ("SinkBasin", 1), ("Shelf", 2), ("Desk", 4), ("SideTable", 1)]),
    object("Newspaper", Paper, "p", &[("Sofa", 3), ("Dresser", 2), ("SideTable", 2), ("Shelf", 2), ("Cabinet", 1), ("CoffeeTable", 3), ("DiningTable", 2), ("ArmChair", 2), ("GarbageCan", 1)]),
    object("Pan", Pot, "pclr", &[("StoveBurner", 6), ("CounterTop", 3), ("Cabinet", 1), ("Fridge", 1), ("DiningTable", 1), ("SinkBasin", 1)]),
    object("Pen", Small, "p", &[("Desk", 4), ("Drawer", 4), ("Shelf", 3), ("SideTable", 2), ("Dresser", 2), ("GarbageCan", 1), ("CounterTop", 2), ("CoffeeTable", 2), ("DiningTable", 1)]),
    object("Pencil", Small, "p", &[("Desk", 5), ("Shelf", 3), ("Drawer", 3), ("Dresser", 2), ("SideTable", 2), ("GarbageCan", 1), ("CounterTop", 1), ("CoffeeTable", 2), ("DiningTable", 1)]),
    object("PepperShaker", Bottle, "p", &[("CounterTop", 4), ("Cabinet", 4), ("Drawer", 3), ("Shelf", 2), ("DiningTable", 3), ("SideTable", 1)]),
    object("Pillow", Textile, "p", &[("Bed", 6), ("Sofa", 5), ("ArmChair", 4), ("Ottoman", 1)]),
    object("Plate", Dish, "pchlr", &[("Cabinet", 5), ("CounterTop", 3), ("Fridge", 2), ("DiningTable", 4), ("Shelf", 1), ("SinkBasin", 1), ("CoffeeTable", 1), ("SideTable", 1), ("TVStand", 1)]),
    object("Pot", Pot, "pclr", &[("StoveBurner", 7), ("CounterTop", 2), ("Fridge", 1), ("DiningTable", 1), ("Shelf", 1), ("Cabinet", 1), ("SinkBasin", 1)]),
    object("Potato", Food, "pchls", &[("Fridge", 4), ("CounterTop", 4), ("SinkBasin", 2), ("Microwave", 1), ("GarbageCan", 2), ("DiningTable", 2)]),
    object("RemoteControl", Device, "p", &[("Sofa", 4), ("Dresser", 3), ("CoffeeTable", 3), ("SideTable", 2), ("DiningTable", 1), ("ArmChair", 2), ("Drawer", 2), ("TVStand", 2), ("Ottoman", 1)]),
    object("SaltShaker", Bottle, "p", &[("Cabinet", 4), ("Drawer", 4), ("CounterTop", 4), ("Shelf", 2), ("DiningTable", 3), ("SideTable", 1)]),
    object("SoapBar", Wash, "pc", &[("CounterTop", 4), ("Toilet", 3), ("SinkBasin", 2), ("Cabinet", 2), ("BathtubBasin", 2), ("Shelf", 1), ("Drawer", 1), ("GarbageCan", 1), ("Cart", 1)]),
    object("SoapBottle", Wash, "p", &[("Cabinet", 4), ("CounterTop", 4), ("Toilet", 2), ("GarbageCan", 2), ("Shelf", 2), ("Drawer", 1), ("DiningTable", 1), ("Cart", 1), ("SinkBasin", 1)]),
    object("Spatula", Cutlery, "pc", &[("CounterTop", 5), ("Drawer", 3), ("SinkBasin", 2), ("DiningTable", 2)]),
    object("Spoon", Cutlery, "pc", &[("CounterTop", 5), ("Drawer", 3), ("SinkBasin", 2), ("DiningTable", 2)]),
    object("SprayBottle", Wash, "p", &[("CounterTop", 4), ("Cabinet", 3), ("Toilet", 2), ("GarbageCan", 1), ("Shelf", 1), ("Cart", 1), ("SideTable", 1)]),
    object("Statue", Decoration, "p", &[("SideTable", 4), ("Shelf", 4), ("DiningTable", 2), ("Dresser", 3), ("CoffeeTable", 2), ("TVStand", 2), ("Safe", 1), ("CounterTop", 3), ("Desk", 2)]),
    object("TissueBox", Paper, "p", &[("Cabinet", 2), ("SideTable", 3), ("DiningTable", 2), ("Dresser", 2), ("Shelf", 2), ("CoffeeTable", 2), ("Desk", 3), ("CounterTop", 2), ("Drawer", 1), ("Cart", 1)]),
    object("ToiletPaper", Paper, "p", &[("Toilet", 4), ("Cabinet", 4), ("CounterTop", 2), ("ToiletPaperHanger", 3), ("GarbageCan", 1), ("Drawer", 2), ("Shelf", 1), ("Cart", 1)]),
    object("Tomato", Food, "pchls", &[("CounterTop", 5), ("Fridge", 4), ("DiningTable", 2), ("SinkBasin", 2), ("GarbageCan", 1), ("SideTable", 1)]),
    object("Towel", Towel, "p", &[("TowelHolder", 12), ("BathtubBasin", 1), ("HandTowelHolder", 1)]),
    object("Vase", Decoration, "p", &[("Shelf", 4), ("Cabinet", 3), ("CounterTop", 2), ("DiningTable", 2), ("SideTable", 2), ("Safe", 1), ("CoffeeTable", 2), ("TVStand", 1), ("Dresser", 1), ("Desk", 1)]),
    object("Watch", Small, "p", &[("SideTable", 3), ("Drawer", 3), ("Safe", 2), ("CoffeeTable", 2), ("Dresser", 2), ("Shelf", 2), ("DiningTable", 1), ("TVStand", 1), ("Sofa", 1)]),
    object("WineBottle", Bottle, "p", &[("CounterTop", 4), ("Cabinet", 3), ("DiningTable", 2), ("GarbageCan", 1), ("Fridge", 2), ("Shelf", 1)]),
];

/// The class of receptacles of that name.
pub(super) fn receptacle(name: &str) -> Option<&'static ReceptacleClass> {
    RECEPTACLES.iter().find(|class| class.name == name)
}

/// The class of objects of that name.
pub(super) fn object_class(name: &str) -> Option<&'static ObjectClass> {
    OBJECTS.iter().find(|class| class.name == name)
}

impl ReceptacleClass {
    /// Whether objects of that class fit in.
    pub(super) fn accepts(&self, object: &ObjectClass) -> bool {
        self.kinds.contains(&object.kind)
    }
}

impl ObjectClass {
    /// Whether it has the property of that letter.
    pub(super) fn is(&self, property: char) -> bool {
        self.properties.contains(property)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_fits_where_it_usually_lies() {
        for object in OBJECTS {
            assert!(object.places.iter().any(|(_, weight)| *weight > 0));
            for (place, _) in object.places {
                let class = receptacle(place).unwrap_or_else(|| panic!("{place}"));
                assert!(class.accepts(object), "{} in {place}", object.name);
            }
        }
    }

    #[test]
    fn names_are_as_the_numbering_rules_need_them() {
        let names = RECEPTACLES.iter().map(|class| class.name);
        for name in names.chain(OBJECTS.iter().map(|class| class.name)) {
            assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()));
            let basin = name.to_lowercase().contains("basin");
            assert_eq!(basin, name.ends_with("Basin"), "{name}");
        }
    }
}
