//! Where things are usually kept: common sense, written down before looking at any game.

/// How likely one receptacle of the class holds an object of the class, as a weight; figures can
/// only be compared for the same object.
pub(super) fn likelihood(object: &str, receptacle: &str) -> f32 {
    let places = PLACES
        .iter()
        .find(|(objects, _)| objects.contains(&object))
        .map(|(_, places)| *places);
    let listed = |places: &[(&str, u8)]| {
        let found = places.iter().find(|(place, _)| *place == receptacle);
        found.map(|(_, weight)| f32::from(*weight))
    };
    match places {
        Some(places) => listed(places).unwrap_or(UNLISTED),
        None => listed(ANYTHING).unwrap_or(UNLISTED),
    }
}

/// Whether receptacles of the class usually have a door, lid or front and are found closed.
pub(super) fn is_usually_closed(receptacle: &str) -> bool {
    matches!(
        receptacle,
        "cabinet" | "drawer" | "fridge" | "microwave" | "safe" | "box"
    )
}

/// A place that nobody would think of.
const UNLISTED: f32 = 0.4;

type Places = &'static [(&'static str, u8)];

/// Where an object of an unknown class may be: where people put things down.
const ANYTHING: Places = &[
    ("countertop", 8),
    ("diningtable", 8),
    ("sidetable", 6),
    ("coffeetable", 6),
    ("desk", 6),
    ("dresser", 5),
    ("shelf", 4),
    ("sofa", 3),
    ("bed", 3),
    ("armchair", 2),
    ("cabinet", 2),
    ("drawer", 2),
    ("garbagecan", 1),
];

/// Food that stands about or is kept cool.
const FOOD: Places = &[
    ("fridge", 10),
    ("countertop", 10),
    ("diningtable", 10),
    ("sinkbasin", 6),
    ("microwave", 4),
    ("garbagecan", 4),
    ("sidetable", 3),
    ("shelf", 1),
];

/// Dishes.
const DISHES: Places = &[
    ("countertop", 9),
    ("diningtable", 9),
    ("coffeemachine", 5),
    ("sinkbasin", 7),
    ("fridge", 4),
    ("microwave", 4),
    ("shelf", 4),
    ("desk", 4),
    ("sidetable", 4),
    ("coffeetable", 4),
    ("dresser", 3),
    ("cabinet", 2),
];

/// Cutlery and small tools of the kitchen.
const CUTLERY: Places = &[
    ("countertop", 10),
    ("diningtable", 10),
    ("sinkbasin", 7),
    ("drawer", 4),
    ("sidetable", 4),
    ("coffeetable", 3),
    ("desk", 2),
    ("shelf", 1),
];

/// Pots and pans.
const COOKWARE: Places = &[
    ("stoveburner", 9),
    ("countertop", 8),
    ("diningtable", 6),
    ("sinkbasin", 5),
    ("fridge", 2),
    ("cabinet", 2),
    ("shelf", 2),
    ("sidetable", 2),
];

/// Condiments and bottles of the kitchen.
const CONDIMENTS: Places = &[
    ("countertop", 9),
    ("diningtable", 8),
    ("cabinet", 4),
    ("shelf", 5),
    ("drawer", 2),
    ("sidetable", 3),
    ("fridge", 2),
    ("garbagecan", 2),
    ("coffeetable", 2),
];

/// What is used to wash.
const WASHING: Places = &[
    ("countertop", 8),
    ("toilet", 8),
    ("sinkbasin", 6),
    ("bathtubbasin", 5),
    ("garbagecan", 4),
    ("shelf", 4),
    ("cabinet", 4),
    ("cart", 4),
    ("drawer", 2),
    ("diningtable", 3),
    ("dresser", 3),
    ("sidetable", 3),
];

/// Small things that people carry about.
const POCKET: Places = &[
    ("desk", 8),
    ("sidetable", 8),
    ("dresser", 8),
    ("coffeetable", 8),
    ("diningtable", 6),
    ("countertop", 6),
    ("shelf", 4),
    ("drawer", 4),
    ("sofa", 4),
    ("armchair", 4),
    ("tvstand", 4),
    ("bed", 3),
    ("ottoman", 3),
    ("safe", 3),
    ("cabinet", 2),
    ("garbagecan", 1),
];

/// Larger things of living rooms and bedrooms.
const LEISURE: Places = &[
    ("bed", 9),
    ("sofa", 9),
    ("desk", 8),
    ("coffeetable", 7),
    ("diningtable", 7),
    ("armchair", 7),
    ("dresser", 6),
    ("sidetable", 6),
    ("tvstand", 4),
    ("ottoman", 5),
    ("shelf", 3),
    ("drawer", 2),
    ("cabinet", 2),
    ("garbagecan", 1),
];

/// Paper and rolls of the bathroom.
const PAPER: Places = &[
    ("toiletpaperhanger", 9),
    ("toilet", 9),
    ("countertop", 6),
    ("cabinet", 5),
    ("garbagecan", 4),
    ("shelf", 4),
    ("cart", 4),
    ("drawer", 3),
    ("sidetable", 3),
    ("dresser", 3),
    ("diningtable", 2),
    ("bathtubbasin", 1),
];

/// Things that stand about to be looked at.
const ORNAMENTS: Places = &[
    ("shelf", 8),
    ("sidetable", 8),
    ("coffeetable", 8),
    ("dresser", 7),
    ("diningtable", 7),
    ("tvstand", 6),
    ("desk", 6),
    ("countertop", 6),
    ("cabinet", 3),
    ("drawer", 2),
    ("safe", 2),
    ("cart", 3),
    ("toilet", 3),
];

/// Lamps.
const LAMPS: Places = &[
    ("desk", 10),
    ("sidetable", 9),
    ("dresser", 7),
    ("shelf", 4),
    ("coffeetable", 4),
    ("diningtable", 4),
    ("tvstand", 2),
    ("bed", 1),
];

/// What hangs on rails.
const TOWELS: Places = &[
    ("towelholder", 9),
    ("handtowelholder", 9),
    ("countertop", 4),
    ("bathtubbasin", 3),
    ("sinkbasin", 3),
    ("cabinet", 3),
    ("garbagecan", 2),
    ("drawer", 2),
    ("shelf", 2),
];

/// What lies on the floor or in corners of bathrooms and bedrooms.
const FLOOR: Places = &[
    ("cabinet", 5),
    ("bed", 4),
    ("desk", 4),
    ("dresser", 4),
    ("cart", 4),
    ("bathtubbasin", 3),
    ("toilet", 3),
    ("laundryhamper", 3),
    ("sofa", 3),
];

static PLACES: &[(&[&str], Places)] = &[
    (
        &["apple", "tomato", "potato", "lettuce", "egg", "bread"],
        FOOD,
    ),
    (&["mug", "cup", "bowl", "plate", "glassbottle"], DISHES),
    (
        &["knife", "butterknife", "fork", "spoon", "ladle", "spatula"],
        CUTLERY,
    ),
    (&["pan", "pot", "kettle"], COOKWARE),
    (
        &["saltshaker", "peppershaker", "winebottle", "papertowelroll"],
        CONDIMENTS,
    ),
    (
        &[
            "soapbar",
            "soapbottle",
            "spraybottle",
            "dishsponge",
            "cloth",
            "candle",
            "scrubbrush",
        ],
        WASHING,
    ),
    (
        &[
            "keychain",
            "creditcard",
            "cellphone",
            "watch",
            "pen",
            "pencil",
            "cd",
            "alarmclock",
        ],
        POCKET,
    ),
    (&["remotecontrol", "newspaper", "tissuebox"], LEISURE_TABLE),
    (
        &[
            "book",
            "laptop",
            "pillow",
            "box",
            "teddybear",
            "basketball",
            "baseballbat",
            "tennisracket",
        ],
        LEISURE,
    ),
    (&["toiletpaper"], PAPER),
    (&["vase", "statue", "wateringcan", "houseplant"], ORNAMENTS),
    (&["desklamp", "floorlamp", "lamp"], LAMPS),
    (&["towel", "handtowel"], TOWELS),
    (&["plunger", "boots", "footstool"], FLOOR),
];

/// What lies about near the sofa.
const LEISURE_TABLE: Places = &[
    ("sofa", 8),
    ("coffeetable", 8),
    ("sidetable", 7),
    ("tvstand", 7),
    ("armchair", 6),
    ("ottoman", 6),
    ("dresser", 6),
    ("diningtable", 6),
    ("desk", 4),
    ("cabinet", 2),
    ("drawer", 3),
    ("shelf", 3),
    ("countertop", 3),
    ("garbagecan", 2),
    ("toilet", 2),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_sense_prefers_the_usual_place() {
        assert!(likelihood("egg", "fridge") > likelihood("egg", "drawer"));
        assert!(likelihood("pillow", "bed") > likelihood("pillow", "sinkbasin"));
        assert!(likelihood("unheard-of", "countertop") > likelihood("unheard-of", "toilet"));
        assert!(is_usually_closed("safe") && !is_usually_closed("sofa"));
    }

    #[test]
    fn no_object_stands_in_two_rows() {
        let mut names: Vec<&str> = PLACES
            .iter()
            .flat_map(|(names, _)| *names)
            .copied()
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
