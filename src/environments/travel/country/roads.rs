//! The table of distances by road.

use rustc_hash::FxHashMap;

use super::cells::{Column, texts};
use super::names::Names;
use super::rows::{Road, RoadCosts};
use crate::text::python::strip;

/// The columns that are used.
pub(super) const COLUMNS: &[Column] = &[texts("origin"), texts("destination"), texts("duration"), texts("distance")];

/// What a road can be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It can be driven, for so many dollars.
    Open(RoadCosts),
    /// The table has no duration or distance, or driving takes days.
    Closed,
    /// Its distance is none, which stops the original program.
    Unreadable,
}

/// Roads by their cities: the first row of each pair.
#[derive(Debug, Default)]
pub(super) struct Roads {
    cities: Names,
    pairs: FxHashMap<(u32, u32), (Road, Passage)>,
}

impl Roads {
    /// Adds a road, unless there is one already.
    pub(super) fn add(&mut self, origin: &str, destination: &str, road: Road) {
        let pair = (self.cities.add(origin), self.cities.add(destination));
        let passage = passage(&road);
        self.pairs.entry(pair).or_insert((road, passage));
    }

    /// The road of a pair, and whether it can be used.
    pub(super) fn get(&self, origin: &str, destination: &str) -> Option<&(Road, Passage)> {
        let [origin, destination] = [origin, destination].map(|city| self.cities.number(city));
        self.pairs.get(&(origin?, destination?))
    }

    /// All roads by their cities, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, String, Road)> {
        let name = |number| self.cities.text(number).to_owned();
        let rows = self.pairs.iter();
        rows.map(move |(pair, (road, _))| (name(pair.0), name(pair.1), road.clone()))
    }
}

fn passage(road: &Road) -> Passage {
    if road.duration.is_empty() || road.distance.is_empty() || road.duration.contains("day") {
        return Passage::Closed;
    }
    let kilometres = road.distance.replace("km", "").replace(',', "");
    match strip(&kilometres).parse::<f64>() {
        Ok(kilometres) if kilometres.is_finite() => {
            Passage::Open(RoadCosts { taxi: kilometres as i64, self_driving: (kilometres * 0.05) as i64 })
        }
        _ => Passage::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_a_pair_counts_and_says_what_a_way_costs() {
        let mut roads = Roads::default();
        let costs = |taxi, self_driving| Passage::Open(RoadCosts { taxi, self_driving });
        for (number, (duration, distance, passage)) in [
            ("11 hours", "1,228 km", costs(1228, 61)),
            ("1 min", "19.9 km", costs(19, 0)),
            ("", "5 km", Passage::Closed),
            ("1 hour", "", Passage::Closed),
            ("1 day 2 hours", "2,500 km", Passage::Closed),
            ("1 min", "5 m", Passage::Unreadable),
        ]
        .into_iter()
        .enumerate()
        {
            let road = Road { duration: duration.to_owned(), distance: distance.to_owned() };
            let city = number.to_string();
            roads.add("A", &city, road.clone());
            roads.add("A", &city, Road { duration: "later".to_owned(), ..road.clone() });
            assert_eq!(roads.get("A", &city), Some(&(road, passage)));
        }
        assert_eq!(roads.get("0", "A"), None);
        assert_eq!(roads.get("A", "B"), None);
    }
}
