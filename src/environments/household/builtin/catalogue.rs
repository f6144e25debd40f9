//! What is known about classes of receptacles and objects when rooms are written: a table of our own
//! of what can be opened, what treats what, and what fits where.

use crate::environments::household::TaskType;

/// A kind of object that receptacles accept as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Food,
    Dish,
    Cutlery,
    Bottle,
    Wash,
    Paper,
    Device,
    Small,
    Textile,
    Toy,
    Decoration,
    Fixed,
}

use Kind::{
    Bottle, Cutlery, Decoration, Device, Dish, Fixed, Food, Paper, Small, Textile, Toy, Wash,
};

/// A class of receptacles.
#[derive(Debug)]
pub(crate) struct ReceptacleClass {
    /// Its name as types are written, `CounterTop`.
    pub(crate) name: &'static str,
    /// Whether it starts closed.
    pub(crate) openable: bool,
    kinds: &'static [Kind],
}

/// A class of objects.
#[derive(Debug)]
pub(crate) struct ObjectClass {
    /// Its name as types are written, `DeskLamp`.
    pub(crate) name: &'static str,
    kind: Kind,
    /// Properties by letter: `p`ickupable, `c`leanable, `h`eatable, coo`l`able, `s`liceable,
    /// `t`oggleable, `r`eceptacle object.
    pub(crate) properties: &'static str,
}

const fn place(name: &'static str, openable: bool, kinds: &'static [Kind]) -> ReceptacleClass {
    ReceptacleClass {
        name,
        openable,
        kinds,
    }
}

const fn object(name: &'static str, kind: Kind, properties: &'static str) -> ObjectClass {
    ObjectClass {
        name,
        kind,
        properties,
    }
}

/// Everything a broad surface takes.
const SURFACE: &[Kind] = &[
    Food, Dish, Cutlery, Bottle, Wash, Paper, Device, Small, Toy, Decoration, Fixed,
];

const RECEPTACLES: &[ReceptacleClass] = &[
    place("ArmChair", false, &[Textile, Device, Small, Paper, Toy]),
    place("BathtubBasin", false, &[Wash, Textile]),
    place("Bed", false, &[Textile, Device, Small, Paper, Toy]),
    place("Cabinet", true, &[Dish, Bottle, Wash, Paper, Decoration]),
    place("Cart", false, &[Wash, Paper, Bottle, Decoration]),
    place("CoffeeMachine", false, &[Dish]),
    place("CoffeeTable", false, SURFACE),
    place("CounterTop", false, SURFACE),
    place("Desk", false, SURFACE),
    place("DiningTable", false, SURFACE),
    place("Drawer", true, &[Cutlery, Small, Paper, Device, Wash]),
    place("Dresser", false, SURFACE),
    place("Fridge", true, &[Food, Dish, Bottle]),
    place("GarbageCan", false, &[Food, Paper, Wash, Bottle]),
    place("HandTowelHolder", false, &[Textile]),
    place("LaundryHamper", true, &[Textile]),
    place("Microwave", true, &[Food, Dish]),
    place("Ottoman", false, &[Textile, Device, Small]),
    place("Safe", true, &[Small, Device]),
    place(
        "Shelf",
        false,
        &[
            Dish, Bottle, Wash, Paper, Device, Small, Toy, Decoration, Fixed,
        ],
    ),
    place("SideTable", false, SURFACE),
    place("SinkBasin", false, &[Food, Dish, Cutlery, Wash, Textile]),
    place("Sofa", false, &[Textile, Device, Small, Paper, Toy]),
    place("StoveBurner", false, &[Dish]),
    place("Toaster", false, &[]),
    place("Toilet", false, &[Wash, Paper, Textile]),
    place("ToiletPaperHanger", false, &[Paper]),
    place("TowelHolder", false, &[Textile]),
    place("TvStand", false, SURFACE),
];

const OBJECTS: &[ObjectClass] = &[
    object("AlarmClock", Device, "p"),
    object("Apple", Food, "pchls"),
    object("BaseballBat", Toy, "p"),
    object("BasketBall", Toy, "p"),
    object("Book", Paper, "p"),
    object("Bowl", Dish, "pchlr"),
    object("Box", Toy, "pr"),
    object("Bread", Food, "phls"),
    object("ButterKnife", Cutlery, "pc"),
    object("Candle", Decoration, "p"),
    object("Cd", Small, "p"),
    object("CellPhone", Device, "p"),
    object("Cloth", Textile, "pc"),
    object("CreditCard", Small, "p"),
    object("Cup", Dish, "pchlr"),
    object("DeskLamp", Fixed, "t"),
    object("DishSponge", Wash, "pc"),
    object("Egg", Food, "pchl"),
    object("FloorLamp", Fixed, "t"),
    object("Fork", Cutlery, "pc"),
    object("GlassBottle", Bottle, "p"),
    object("HandTowel", Textile, "p"),
    object("HousePlant", Fixed, ""),
    object("Kettle", Dish, "pc"),
    object("KeyChain", Small, "p"),
    object("Knife", Cutlery, "pc"),
    object("Ladle", Cutlery, "pc"),
    object("Laptop", Device, "p"),
    object("Lettuce", Food, "pcls"),
    object("Mug", Dish, "pchlr"),
    object("Newspaper", Paper, "p"),
    object("Pan", Dish, "pclr"),
    object("Pen", Small, "p"),
    object("Pencil", Small, "p"),
    object("PepperShaker", Bottle, "p"),
    object("Pillow", Textile, "p"),
    object("Plate", Dish, "pchlr"),
    object("Pot", Dish, "pclr"),
    object("Potato", Food, "pchls"),
    object("RemoteControl", Device, "p"),
    object("SaltShaker", Bottle, "p"),
    object("SoapBar", Wash, "pc"),
    object("SoapBottle", Wash, "p"),
    object("Spatula", Cutlery, "pc"),
    object("Spoon", Cutlery, "pc"),
    object("SprayBottle", Wash, "p"),
    object("Statue", Decoration, "p"),
    object("TissueBox", Paper, "p"),
    object("ToiletPaper", Paper, "p"),
    object("Tomato", Food, "pchls"),
    object("Towel", Textile, "p"),
    object("Vase", Decoration, "p"),
    object("Watch", Small, "p"),
    object("WineBottle", Bottle, "p"),
];

/// The class of receptacles of that name; case does not matter.
pub(crate) fn receptacle(name: &str) -> Option<&'static ReceptacleClass> {
    RECEPTACLES
        .iter()
        .find(|class| class.name.eq_ignore_ascii_case(name))
}

/// The class of objects of that name; case does not matter.
pub(crate) fn object_class(name: &str) -> Option<&'static ObjectClass> {
    OBJECTS
        .iter()
        .find(|class| class.name.eq_ignore_ascii_case(name))
}

impl ReceptacleClass {
    /// Whether objects of that class fit in.
    pub(crate) fn accepts(&self, object: &ObjectClass) -> bool {
        self.kinds.contains(&object.kind)
    }
}

/// The task sentence, in one of its two wordings.
pub(crate) fn sentence(task: TaskType, object: &str, target: &str, second: bool) -> String {
    let (object, target) = (object.to_lowercase(), target.to_lowercase());
    let treated = |adjective: &str, verb: &str| {
        if second {
            format!("{verb} some {object} and put it in {target}")
        } else {
            format!("put a {adjective} {object} in {target}")
        }
    };
    match (task, second) {
        (TaskType::PickAndPlace, false) => format!("put a {object} in {target}"),
        (TaskType::PickAndPlace, true) => format!("put some {object} on {target}"),
        (TaskType::PickTwo, false) => format!("put two {object} in {target}"),
        (TaskType::PickTwo, true) => format!("find two {object} and put them in {target}"),
        (TaskType::PickClean, _) => treated("clean", "clean"),
        (TaskType::PickHeat, _) => treated("hot", "heat"),
        (TaskType::PickCool, _) => treated("cool", "cool"),
        (TaskType::LookInLight, false) => format!("look at {object} under the {target}"),
        (TaskType::LookInLight, true) => format!("examine the {object} with the {target}"),
    }
}
