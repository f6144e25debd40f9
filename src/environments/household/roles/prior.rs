//! The places where people keep objects at home, in the order in which one would look.
//!
//! This is knowledge of homes, not of these games: homes keep things in cabinets and drawers, the
//! games often leave them lying about, which is one reason why asking pays. The entries are not
//! fitted to any game. That the lists put storage first was decided after seeing how a player fares
//! that looks at open surfaces first: it needs fewer steps, and asks for less ([`SearchOrder`] has both).

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

/// Where a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SearchOrder {
    /// Where homes keep such things, mostly behind doors.
    #[default]
    Storage,
    /// As `Storage`, but first the places that a glance is enough for.
    Surfaces,
}

/// Where one would look for an object of some class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior<'a> {
    pub(super) class: &'a str,
    places: &'static str,
    order: SearchOrder,
}

impl<'a> Prior<'a> {
    /// Where one would look for objects of the class.
    pub(super) fn of(class: &'a str, order: SearchOrder) -> Self {
        let names = |row: &&(&str, &str)| row.0.split(' ').any(|name| name == class);
        let places = KEPT.iter().find(names).map_or(ANYWHERE, |row| row.1);
        Self { class, places, order }
    }

    /// Whether the class is an object that people keep at home.
    pub(super) fn knows(object: &str) -> bool {
        static KNOWN: LazyLock<FxHashSet<&str>> =
            LazyLock::new(|| KEPT.iter().flat_map(|row| row.0.split(' ')).collect());
        KNOWN.contains(object)
    }

    /// The class of objects that is most at home in such a receptacle.
    pub(super) fn kept_in(receptacle: &str) -> &'static str {
        let rank = |row: &&(&str, &str)| row.1.split(' ').position(|place| place == receptacle).unwrap_or(usize::MAX);
        KEPT.iter().min_by_key(rank).and_then(|row| row.0.split(' ').next()).unwrap_or("mug")
    }

    /// How early one would look in a receptacle of the class: 1 for the first place that comes to
    /// mind, less for later ones, never 0.
    pub(super) fn likelihood(self, receptacle: &str) -> f32 {
        let mut places = self.places.split(' ');
        let rank = match self.order {
            SearchOrder::Storage => places.position(|place| place == receptacle),
            SearchOrder::Surfaces => {
                let surfaces = places.clone().filter(|place| !is_usually_closed(place));
                let closed = places.filter(|place| is_usually_closed(place));
                surfaces.chain(closed).position(|place| place == receptacle)
            }
        };
        match rank {
            Some(rank) => 1.0 / (1.0 + rank as f32),
            None if is_usually_closed(receptacle) => UNTHOUGHT_AND_CLOSED,
            None => UNTHOUGHT,
        }
    }
}

/// Whether receptacles of the class usually have a door, lid or front and are found closed.
pub(super) fn is_usually_closed(receptacle: &str) -> bool {
    matches!(receptacle, "cabinet" | "drawer" | "fridge" | "microwave" | "safe" | "box")
}

/// A place that does not come to mind, which a glance is enough for.
const UNTHOUGHT: f32 = 0.02;

/// A place that does not come to mind and has to be opened.
const UNTHOUGHT_AND_CLOSED: f32 = 0.01;

/// For objects of unknown classes.
const ANYWHERE: &str =
    "countertop diningtable desk sidetable coffeetable dresser shelf cabinet drawer sofa bed armchair";

/// Classes of objects, and the classes of receptacles where they are kept, first thoughts first.
#[rustfmt::skip]
static KEPT: &[(&str, &str)] = &[
    ("tomato lettuce egg", "fridge countertop diningtable sinkbasin microwave garbagecan"),
    ("apple bread", "countertop diningtable fridge cabinet sinkbasin microwave garbagecan"),
    ("potato", "fridge cabinet countertop diningtable sinkbasin microwave garbagecan"),
    ("mug", "cabinet coffeemachine countertop sinkbasin shelf desk diningtable coffeetable sidetable"),
    ("cup bowl plate", "cabinet countertop diningtable sinkbasin shelf coffeetable desk fridge microwave"),
    ("knife butterknife fork spoon ladle spatula", "drawer countertop sinkbasin diningtable cabinet sidetable"),
    ("pan kettle", "stoveburner cabinet countertop sinkbasin diningtable shelf"),
    ("pot", "cabinet stoveburner countertop sinkbasin fridge diningtable shelf"),
    ("saltshaker peppershaker", "cabinet countertop diningtable drawer shelf sidetable"),
    ("winebottle glassbottle", "cabinet fridge countertop shelf diningtable sidetable garbagecan"),
    ("papertowelroll", "countertop cabinet diningtable shelf drawer garbagecan"),
    ("dishsponge scrubbrush", "sinkbasin cabinet countertop bathtubbasin toilet drawer shelf cart"),
    ("soapbar", "sinkbasin bathtubbasin cabinet countertop drawer shelf toilet cart"),
    ("soapbottle spraybottle", "cabinet countertop sinkbasin shelf drawer toilet cart garbagecan"),
    ("cloth", "drawer cabinet countertop laundryhamper bathtubbasin sinkbasin shelf cart"),
    ("candle", "drawer shelf cabinet countertop coffeetable sidetable cart toilet"),
    ("toiletpaper", "toiletpaperhanger cabinet drawer toilet countertop shelf cart"),
    ("towel handtowel", "towelholder handtowelholder cabinet drawer countertop bathtubbasin laundryhamper shelf"),
    ("plunger boots", "cabinet toilet laundryhamper shelf cart"),
    ("keychain", "drawer sidetable dresser shelf countertop coffeetable desk sofa armchair safe"),
    ("creditcard", "drawer desk sidetable dresser countertop coffeetable shelf safe sofa armchair"),
    ("watch", "drawer dresser sidetable desk shelf coffeetable safe countertop sofa"),
    ("cellphone", "desk sidetable bed dresser sofa coffeetable drawer countertop armchair shelf"),
    ("pen pencil", "drawer desk shelf sidetable dresser coffeetable countertop diningtable bed"),
    ("cd", "drawer shelf desk tvstand dresser sidetable coffeetable safe bed"),
    ("alarmclock", "sidetable desk dresser shelf bed drawer"),
    ("remotecontrol", "coffeetable sofa tvstand armchair sidetable drawer ottoman dresser shelf desk"),
    ("newspaper", "coffeetable sofa armchair sidetable drawer diningtable ottoman dresser shelf garbagecan"),
    ("tissuebox", "sidetable cabinet dresser drawer coffeetable desk shelf countertop toilet cart"),
    ("book", "shelf desk bed sidetable drawer coffeetable sofa dresser armchair diningtable"),
    ("laptop", "desk bed sofa coffeetable diningtable armchair dresser sidetable"),
    ("pillow teddybear", "bed sofa armchair ottoman cabinet drawer laundryhamper"),
    ("box", "shelf cabinet dresser desk coffeetable sidetable sofa diningtable armchair bed"),
    ("basketball baseballbat tennisracket", "cabinet bed desk dresser shelf sofa"),
    ("vase statue houseplant wateringcan", "shelf coffeetable sidetable dresser cabinet diningtable tvstand desk countertop safe"),
    ("desklamp floorlamp lamp", "desk sidetable dresser shelf coffeetable diningtable tvstand"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_sense_prefers_the_usual_place() {
        let of = |class| Prior::of(class, SearchOrder::Storage);
        let egg = of("egg");
        assert!(egg.likelihood("fridge") > egg.likelihood("drawer"));
        assert!(egg.likelihood("bed") > egg.likelihood("safe"));
        let pillow = of("pillow");
        assert!(pillow.likelihood("bed") > pillow.likelihood("sinkbasin"));
        let unknown = of("unheard-of");
        assert!(unknown.likelihood("countertop") > unknown.likelihood("toilet"));
        assert!(is_usually_closed("safe") && !is_usually_closed("sofa"));
    }

    #[test]
    fn a_search_may_begin_at_open_surfaces() {
        let likelihood = |order, place| Prior::of("mug", order).likelihood(place);
        for (order, first, then) in
            [(SearchOrder::Storage, "cabinet", "countertop"), (SearchOrder::Surfaces, "countertop", "cabinet")]
        {
            assert!(likelihood(order, first) > likelihood(order, then), "{order:?}");
            assert!(likelihood(order, "cabinet") > likelihood(order, "bed"), "{order:?}");
        }
    }

    #[test]
    fn no_name_stands_twice_where_it_must_stand_once() {
        let once = |names: &str| {
            let mut names: Vec<&str> = names.split(' ').collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        };
        let objects: Vec<&str> = KEPT.iter().map(|row| row.0).collect();
        once(&objects.join(" "));
        KEPT.iter().for_each(|row| once(row.1));
    }
}
